//! `lyra find`: full text over passages and claims.

use clap::{Args, ValueEnum};
use evidence::{Adoption, Node};
use graph::{FindAnswer, FindSettings, FindTarget, FullTextHit, Matched};
use serde::Serialize;

use super::ids::{OfTask, short};
use super::input::wanted;
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Layout, address, clean, marked};
use crate::words::{Words, say};

/// Indent of what belongs to a hit.
const INDENT: usize = 2;

/// Find passages and claims by their words, best first
///
/// Japanese and English, whatever the width and case of letters. All words are wanted; when nothing
/// has them all, whatever has some. \"a phrase\", begin* and -without work as in search engines.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra find 海面上昇
  lyra find '\"sea level\" rise* -tides' --in fragments
  lyra find 副作用 --task latest --limit 5

Next: `lyra evidence CLAIM` shows what supports and refutes a claim that was found.")]
pub(crate) struct Arguments {
    /// The words to find, or `-` to read them from stdin
    text: String,
    /// Where to look
    #[arg(long = "in", value_enum, value_name = "WHERE", default_value_t = SearchIn::Both)]
    place: SearchIn,
    #[command(flatten)]
    task: OfTask,
    /// Show at most N hits [default: the setting find.hits]
    #[arg(long, value_name = "N", value_parser = super::row_limit)]
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SearchIn {
    Fragments,
    Claims,
    Both,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let text = wanted(session, &self.text)?;
        let graph = session.reader()?;
        let task = self.task.find(graph)?;
        let limit = self.limit.unwrap_or(session.settings.find.limit);
        let options = FindSettings {
            target: match self.place {
                SearchIn::Fragments => FindTarget::Fragments,
                SearchIn::Claims => FindTarget::Claims,
                SearchIn::Both => FindTarget::Both,
            },
            task,
            // One more than is shown tells that there are more.
            limit: limit.saturating_add(1),
            ..session.settings.find.clone()
        };
        let mut answer = ask(graph, |r| r.find(&text, &options))?;
        let truncated = answer.found.len() > limit;
        answer.found.truncate(limit);
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Answer {
                #[serde(flatten)]
                answer: FindAnswer,
                truncated: bool,
            }
            return session.ui.document(&Answer { answer, truncated });
        }
        let words = session.ui.words();
        if answer.found.is_empty() {
            session.ui.note(words.common.nothing_found.as_str());
            return Ok(());
        }
        let layout = session.ui.layout(1);
        let hits: Vec<String> =
            answer.found.iter().map(|hit| rendered(words, hit, layout)).collect();
        session.ui.print(&hits.join("\n"))?;
        if answer.matched == Matched::SomeWords {
            session.ui.note(words.evidence.some_words.as_str());
        }
        if truncated {
            let more = limit.saturating_mul(10);
            session.ui.note(&say!(words.rest.hits, limit = limit, more = more));
        }
        Ok(())
    }
}

/// A hit: the end of its id, its score, where it is, and the words that were found.
fn rendered(words: &Words, found: &FullTextHit, layout: Layout) -> String {
    let kind = match found.node {
        Node::Claim(_) => &words.evidence.claim,
        _ => &words.evidence.passage,
    };
    let score = format!("{:.2}", found.score);
    let mut heading = format!("{}  {score}", say!(kind, id = short(&found.node.id())));
    if let Some(title) = &found.title {
        heading += &format!("  {}", clean(title));
    }
    if found.adoption == Some(Adoption::NotAdopted) {
        heading += &format!("  [{}]", words.common.not_adopted.as_str());
    }
    let mut rendered = heading + "\n";
    let place = found.url.as_deref().map(address);
    for line in place.into_iter().chain(found.heading.as_deref().map(clean)) {
        rendered += &format!("{}{line}\n", " ".repeat(INDENT));
    }
    rendered + &marked(&found.snippet, &found.marks, layout, INDENT)
}
