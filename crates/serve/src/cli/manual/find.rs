//! `lyra manual find` and `lyra manual hits`: what a search found, and what it did not look at.

use clap::{Args, ValueEnum};
use library::{
    Breadth, FindAnswer, FindRequest, HitItem, HitKind, HitsAnswer, HitsRequest, Signal, Summary,
};
use serde::Serialize;
use serde_json::Value;

use super::{Paging, trace};
use crate::cli::ids::LATEST;
use crate::cli::input;
use crate::failure::Failure;
use crate::installed::Installed;
use crate::library::Library;
use crate::session::Session;
use crate::ui::{Layout, clean, marked};
use crate::words::{Words, say};

/// Columns by which the lines below a hit are indented.
const INDENT: usize = 2;
/// Conflicts that are shown with what was found; the others are counted.
const CONFLICTS: usize = 3;

/// Find everything about a subject
///
/// \"Quoted\" or 「括弧」 words must be there as they are written, -word must not. The first hits are shown; `lyra
/// manual hits TRACE` shows the rest, contradictions, gaps, and sections that were not looked at.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra manual find 出張旅費の精算 --manual expenses
  lyra manual find 'disposal of narcotics -veterinary' --breadth all
  lyra manual find 第3条の例外 --max-stage 3

Next: `lyra manual read REF` prints a section.")]
pub(super) struct Find {
    /// The request, or `-` to read it from stdin
    text: String,
    /// Look in this manual first
    #[arg(long, value_name = "ID")]
    manual: Option<String>,
    /// 4 may widen the search to all manuals, 3 never does
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_stage: u8,
    /// How much of the request a section must have
    #[arg(long, value_enum, default_value_t)]
    breadth: Wide,
    /// Look first at what this search did not look at: latest, or the beginning or end of its trace
    #[arg(long, value_name = "TRACE")]
    unscanned_of: Option<String>,
    /// Add sections near in meaning [default: the setting library.semantic]
    #[arg(long)]
    semantic: bool,
    /// Say how the request was understood
    #[arg(long)]
    explain: bool,
    /// Show at most N hits
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Wide {
    /// Enough of it
    #[default]
    Normal,
    /// Any word of it
    All,
}

/// Show what a search found, page by page
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lyra manual hits\n  lyra manual hits tr_0199f2c01a2b0001 --kind conflicts"
)]
pub(super) struct Hits {
    /// The search: latest, or the beginning or end of the trace that `lyra manual find` named
    #[arg(default_value = LATEST)]
    trace: String,
    /// What to show
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    #[command(flatten)]
    page: Paging,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Sections that were found
    #[default]
    Candidates,
    /// Sections that were not looked at
    Unscanned,
    /// Sections that contradict each other
    Conflicts,
    /// What was asked and nothing was found for
    Gaps,
}

impl Find {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let most = session.settings.library.max_query_chars;
        let request = FindRequest {
            query: input::text("request", &self.text, most)?,
            manual_id: self.manual.clone(),
            max_stage: Some(self.max_stage),
            only_unscanned_from_trace_id: self
                .unscanned_of
                .as_deref()
                .map(|it| trace(session, library, it))
                .transpose()?,
            breadth: match self.breadth {
                Wide::Normal => Breadth::Normal,
                Wide::All => Breadth::All,
            },
        };
        let embedder = match self.semantic || session.settings.library.semantic {
            true => Some(Installed::of(session).embedder_later(session)?),
            false => None,
        };
        let found: FindAnswer =
            library.at(session.now(), |it| library.find(&request, it, embedder.as_deref()))?;
        let request = HitsRequest {
            trace_id: found.trace_id.clone(),
            kind: HitKind::Candidates,
            offset: 0,
            limit: self.limit,
        };
        let hits: HitsAnswer =
            library.at(session.now(), |it| library.manuals.hits(&request, it))?;
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Answer {
                #[serde(flatten)]
                found: FindAnswer,
                hits: HitsAnswer,
            }
            return session.ui.document(&Answer { found, hits });
        }
        if self.explain {
            let trace =
                library.at(session.now(), |it| library.manuals.trace(&found.trace_id, it))?;
            for note in &trace.notes {
                let told = format!("{}: {} ({})", note.word, note.taken_as, note.because);
                session.ui.note(&clean(&told));
            }
        }
        show(session, &hits)?;
        let request = HitsRequest {
            trace_id: found.trace_id.clone(),
            kind: HitKind::Conflicts,
            offset: 0,
            limit: Some(CONFLICTS),
        };
        let conflicts = library.at(session.now(), |it| library.manuals.hits(&request, it))?;
        tell(session, &found.trace_id, &found.summary, &hits, &conflicts.items);
        Ok(())
    }
}

impl Hits {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = HitsRequest {
            trace_id: trace(session, library, &self.trace)?,
            kind: match self.kind {
                Kind::Candidates => HitKind::Candidates,
                Kind::Unscanned => HitKind::Unscanned,
                Kind::Conflicts => HitKind::Conflicts,
                Kind::Gaps => HitKind::Gaps,
            },
            offset: self.page.offset,
            limit: self.page.limit,
        };
        let hits = library.at(session.now(), |it| library.manuals.hits(&request, it))?;
        if session.ui.is_json() {
            return session.ui.document(&hits);
        }
        if hits.total == 0 {
            session.ui.note(session.ui.words().library.nothing_of_kind.as_str());
            return Ok(());
        }
        show(session, &hits)?;
        self.page.tell(session, hits.total, hits.next_offset);
        Ok(())
    }
}

fn show(session: &Session, hits: &HitsAnswer) -> Result<(), Failure> {
    let (layout, words) = (session.ui.layout(1), session.ui.words());
    let shown: Vec<String> = hits.items.iter().map(|item| rendered(words, item, layout)).collect();
    if shown.is_empty() { Ok(()) } else { session.ui.print(&shown.join("\n")) }
}

fn rendered(all: &Words, item: &HitItem, layout: Layout) -> String {
    let words = &all.library;
    let mut heading = item.place.as_ref().map_or_else(String::new, ToString::to_string);
    if let (Some(place), Some(end)) = (&item.place, item.end_line)
        && place.line.is_some()
    {
        heading += &format!("-{end}");
    }
    // A conflict has a name for machines; people see its two values.
    let name = (item.against.is_none()).then_some([&item.what, &item.name]);
    for part in std::iter::once(&item.title).chain(name.into_iter().flatten()).flatten() {
        heading += &format!("  {}", clean(part));
    }
    if let Some(sections) = item.sections {
        heading += &format!("  {}", say!(words.hit_sections, n = sections));
    }
    if item.stale {
        heading += &format!("  {}", words.stale.as_str());
    }
    let mut rendered = heading.trim_start().to_owned() + "\n";
    if !item.signals.is_empty() {
        let signals = item.signals.iter().copied().map(|it| all.code(word(it)));
        let signals: Vec<String> = signals.collect();
        let count = item.hit_count.unwrap_or_default();
        rendered += &format!("{}{} ({count})\n", " ".repeat(INDENT), signals.join(", "));
    }
    if let Some(from) = &item.from {
        rendered += &format!("{}{}\n", " ".repeat(INDENT), say!(words.named_by, place = from));
    }
    let quoted = |snippet: &Option<String>, mark: &Option<std::ops::Range<usize>>| {
        let mark: Vec<_> = mark.clone().into_iter().collect();
        snippet.as_ref().map_or_else(String::new, |it| marked(it, &mark, layout, INDENT))
    };
    rendered += &quoted(&item.snippet, &item.mark);
    if let Some(against) = &item.against {
        rendered += &format!("{against}\n{}", quoted(&item.against_snippet, &item.against_mark));
        if let Some(told) = disagreement(words, item) {
            rendered += &format!("{}{told}\n", " ".repeat(INDENT));
        }
    }
    rendered
}

/// Both values of a conflict, where it has some.
fn disagreement(words: &crate::words::Library, item: &HitItem) -> Option<String> {
    let (value, against) = item.value.as_ref().zip(item.against_value.as_ref())?;
    Some(say!(words.disagree, value = clean(value), against = clean(against)))
}

/// The word a signal goes by in JSON.
fn word(signal: Signal) -> String {
    match serde_json::to_value(signal) {
        Ok(Value::String(word)) => word.replace('_', " "),
        _ => String::new(),
    }
}

/// What a person should know about the search besides its hits.
fn tell(
    session: &Session,
    trace: &str,
    summary: &Summary,
    hits: &HitsAnswer,
    conflicts: &[HitItem],
) {
    let (ui, words) = (&session.ui, session.ui.words());
    let library = &words.library;
    let command = format!("lyra manual hits {trace}");
    ui.note(&say!(
        library.summary,
        sections = summary.candidates,
        files = summary.files,
        score = format!("{:.2}", summary.sufficiency_score),
        trace = trace,
    ));
    for item in conflicts {
        if let (Some(place), Some(against), Some(told)) =
            (&item.place, &item.against, disagreement(library, item))
        {
            ui.note(&format!("{told} ({place}, {against})"));
        }
    }
    if let Some(next) = hits.next_offset {
        let command = format!("{command} --offset {next}");
        ui.note(&say!(library.more_hits, next = next, command = command));
    }
    for (count, kind, message) in [
        (summary.conflicts, "conflicts", &library.conflicts),
        (summary.gaps, "gaps", &library.gaps),
        (summary.unscanned_sections, "unscanned", &library.unscanned),
    ] {
        if count > 0 {
            ui.note(&say!(message, n = count, command = format!("{command} --kind {kind}")));
        }
    }
    if let Some(reason) = &summary.cutoff_reason {
        let reason = serde_json::to_value(reason).ok();
        let reason = reason.as_ref().and_then(Value::as_str).unwrap_or(library.a_limit.as_str());
        ui.warn(&say!(words.common.ended_early, reason = reason));
    }
    for warning in &summary.warnings {
        ui.warn(&clean(warning));
    }
    if summary.candidates == 0 {
        ui.note(library.try_breadth.as_str());
    }
}
