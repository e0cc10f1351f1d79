//! `lyra domain rates`: how many of a domain's claims were rejected, and by whom.

use clap::Args;
use graph::RejectionRates;
use serde::Serialize;

use super::check::host;
use crate::cli::{at_least_one, note_rest, percent};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::say;

/// Show how many claims of each domain were rejected, the largest share first
///
/// What a person set aside and what a machine rejected for danger are counted apart; a claim that
/// both rejected counts once. A claim belongs to the site of the page it was taken from.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra domain rates
  lyra domain rates www.example.com --json

Next: `lyra feedback claim-reject|claim-restore CLAIM` changes a rate.")]
pub(crate) struct Rates {
    /// Only the site of this host
    host: Option<String>,
    /// Show at most N domains [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all domains
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

impl Rates {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Listed {
            high_rejection_rate_threshold: f64,
            high_rejection_min_samples: u32,
            total: usize,
            rejection_rates: Vec<RejectionRates>,
        }
        let host = self.host.as_deref().map(host).transpose()?;
        let graph = session.reader()?;
        let mut rates = match &host {
            Some(host) => vec![ask(graph, |r| r.rejection_rates_of(host))?],
            None => ask(graph, |r| r.rejection_rates())?,
        };
        let share = |it: &RejectionRates| it.domain_claim_combined_rejection_rate;
        rates.sort_by(|a, b| share(b).total_cmp(&share(a)).then_with(|| a.domain.cmp(&b.domain)));
        let total = rates.len();
        if !self.all {
            rates.truncate(self.limit.unwrap_or(session.settings.output.rows));
        }
        let (ui, rules) = (&session.ui, &graph.rules().domain);
        let (threshold, least) =
            (rules.high_rejection_rate_threshold, rules.high_rejection_min_samples);
        if ui.is_json() {
            return ui.document(&Listed {
                high_rejection_rate_threshold: threshold,
                high_rejection_min_samples: least,
                total,
                rejection_rates: rates,
            });
        }
        let words = ui.words();
        if rates.is_empty() {
            ui.note(words.domain.no_claims.as_str());
            return Ok(());
        }
        let column = &words.column;
        let columns = [
            &column.claims,
            &column.rejected,
            &column.share,
            &column.by_people,
            &column.for_danger,
        ];
        let numbers = columns.map(Column::number);
        let mut table = Table::new([Column::exact(&column.domain)].into_iter().chain(numbers));
        for it in &rates {
            table.row([
                it.domain.clone(),
                it.claims.to_string(),
                it.combined_rejected_claims.to_string(),
                percent(share(it)),
                it.manual_rejected_claims.to_string(),
                it.security_rejected_claims.to_string(),
            ]);
        }
        ui.print(&table.render(ui.layout(1)))?;
        note_rest(ui, rates.len(), total, &words.rest.domains);
        ui.note(&say!(words.domain.threshold, share = percent(threshold), least = least));
        Ok(())
    }
}
