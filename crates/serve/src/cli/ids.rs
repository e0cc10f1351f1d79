//! How people name a task, a claim, a judgement, a question of an assistant or a search in manuals: `latest`, the place
//! in its list (`task:3`, `claim:3`), its id, or the beginning or end of that.

use std::cmp::Ordering;

use clap::Args;
use evidence::{ClaimId, TaskId};
use graph::{Graph, Lookup, Named, Reader, TaskClaim};
use text::messages::Message;

use super::complete;
use crate::failure::{Failure, Kind};
use crate::session::ask;
use crate::words::{Words, say};

/// The newest of its kind.
pub(super) const LATEST: &str = "latest";
/// Letters that the end of an id is shown with: thirty bits, so that doubles are rare.
const SHORT: usize = 6;
/// Fewer letters may be the end of too many.
const FEWEST: usize = 4;
/// Candidates that an ambiguous name is explained with.
const SHOWN_MATCHES: usize = 5;
/// Columns of what a candidate is about.
const ABOUT_WIDTH: usize = 48;

/// The task a command is about, the newest unless another is named.
#[derive(Debug, Default, Args)]
pub(super) struct OneTask {
    /// The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its id
    #[arg(default_value = LATEST, add = complete::tasks())]
    task: String,
}

impl OneTask {
    pub(super) fn find(&self, graph: &Graph) -> Result<TaskId, Failure> {
        find_task(graph, &self.task)
    }
}

/// The task whose rows are wanted, or all.
#[derive(Debug, Args)]
pub(super) struct OfTask {
    /// Only what belongs to this task: latest, task:3, or the beginning or end of its id
    #[arg(long, value_name = "TASK", add = complete::tasks())]
    task: Option<String>,
}

impl OfTask {
    pub(super) fn find(&self, graph: &Graph) -> Result<Option<TaskId>, Failure> {
        self.task.as_deref().map(|it| find_task(graph, it)).transpose()
    }
}

/// The claim a command is about.
#[derive(Debug, Args)]
pub(super) struct OneClaim {
    /// The claim: latest, claim:3 (the third in `lyra claims`), or the beginning or end of its id
    #[arg(add = complete::claims())]
    claim: String,
}

impl OneClaim {
    pub(super) fn find(&self, graph: &Graph) -> Result<ClaimId, Failure> {
        find_claim(graph, &self.claim)
    }
}

/// Finds the task that `given` names.
pub(super) fn find_task(graph: &Graph, given: &str) -> Result<TaskId, Failure> {
    let Some(place) = place_in_list::<TaskId>(given, |w| &w.hint.task_place)? else {
        return find(graph, given);
    };
    let named = ask(graph, |r| r.newest::<TaskId>(place - 1, 1))?;
    let named = named.first().map(|it| it.id);
    named.ok_or_else(|| nothing_there(given, |w| &w.hint.task_list))
}

/// Finds the claim that `given` names.
fn find_claim(graph: &Graph, given: &str) -> Result<ClaimId, Failure> {
    let Some(place) = place_in_list::<ClaimId>(given, |w| &w.hint.claim_place)? else {
        return find(graph, given);
    };
    let listed = ask(graph, newest_claims)?;
    let named = listed.get(place as usize - 1).map(|it| it.claim.id);
    named.ok_or_else(|| nothing_there(given, |w| &w.hint.claims))
}

/// The claims of the newest task, in the order of `lyra claims`: those that can be named by their place.
pub(super) fn newest_claims(reader: &Reader<'_>) -> graph::Result<Vec<TaskClaim>> {
    match reader.newest::<TaskId>(0, 1)?.first() {
        Some(task) => listed_claims(reader, task.id),
        None => Ok(Vec::new()),
    }
}

/// The claims of a task, the surest first; equals stay in the order they were found.
pub(super) fn listed_claims(reader: &Reader<'_>, task: TaskId) -> graph::Result<Vec<TaskClaim>> {
    let mut claims = reader.claims_of(task)?;
    claims.sort_by(surest_first);
    Ok(claims)
}

/// The more confident first. What nobody but its own source speaks of shows no confidence, and comes after all that do.
pub(super) fn surest_first(a: &TaskClaim, b: &TaskClaim) -> Ordering {
    let by_confidence = b.confidence.confidence.total_cmp(&a.confidence.confidence);
    has_one_source(a).cmp(&has_one_source(b)).then(by_confidence)
}

/// Whether nobody speaks of a claim but the source it was taken from.
pub(super) fn has_one_source(it: &TaskClaim) -> bool {
    it.claim.origin_fragment_id.is_some() && (it.support_count, it.refute_count) == (1, 0)
}

/// The place in a list that `given` names, from 1 on; nothing if it names no place at all.
fn place_in_list<T: Lookup>(
    given: &str,
    hint: fn(&'static Words) -> &'static Message,
) -> Result<Option<u32>, Failure> {
    let list = given.split_once(':').filter(|(list, _)| *list == T::KIND);
    let Some((_, place)) = list else { return Ok(None) };
    match place.parse::<u32>() {
        Ok(place) if place > 0 => Ok(Some(place)),
        _ => {
            let message = format!("`{given}` names no place in the list of {}s", T::KIND);
            Err(Failure::bad_input(message).hint(hint))
        }
    }
}

fn nothing_there(given: &str, hint: fn(&'static Words) -> &'static Message) -> Failure {
    Failure::new(Kind::NotFound, format!("there is no {given}")).hint(hint)
}

/// Finds what `given` names: the newest, an id, or enough of its beginning or end to be the only one.
pub(super) fn find<T: Lookup>(graph: &Graph, given: &str) -> Result<T, Failure> {
    if given == LATEST {
        return latest(graph);
    }
    let bad_id = match given.parse() {
        Ok(id) => return Ok(id),
        Err(error) => error,
    };
    let Some(letters) = letters::<T>(given) else {
        let failure = Failure::from(graph::Error::from(bad_id));
        return Err(match T::KIND {
            "task" => failure.hint(|w| &w.hint.task_list),
            "claim" => failure.hint(|w| &w.hint.claims),
            "edge" => failure.hint(|w| &w.hint.edges),
            _ => failure,
        });
    };
    let beginning = format!("{}_{letters}", T::PREFIX);
    let ending = Some(letters.as_str()).filter(|it| it.len() >= FEWEST);
    // One more than is shown tells that there are more.
    let matches: Vec<Named<T>> =
        ask(graph, |r| r.ids_like(&beginning, ending, SHOWN_MATCHES as u32 + 1))?;
    match matches.as_slice() {
        [only] => Ok(only.id),
        [] => Err(graph::Error::Unknown { kind: T::KIND, id: beginning }.into()),
        several => {
            let several = several.iter().map(|it| (it.id.to_string(), &*it.about));
            Err(ambiguous(T::KIND, given, &several.collect::<Vec<_>>()))
        }
    }
}

/// Finds what `given` names among all of a kind that the graph does not keep, the newest last. `told` gives the id of one
/// and what it is about.
pub(super) fn among<'a, T>(
    kind: &'static str,
    given: &str,
    all: &'a [T],
    told: fn(&T) -> (&str, &str),
    hint: fn(&'static Words) -> &'static Message,
) -> Result<&'a T, Failure> {
    if given == LATEST {
        return all.last().ok_or_else(|| {
            Failure::new(Kind::NotFound, format!("there is no {kind} yet")).hint(hint)
        });
    }
    let letters = given.trim_start_matches('…').to_ascii_lowercase();
    let names = |it: &T| {
        let id = told(it).0;
        [id.to_owned(), id.split_once('_').map_or(id, |(_, own)| own).to_owned()]
    };
    // Some kinds are numbered: the first is not also the tenth.
    if let Some(whole) = all.iter().find(|it| names(it).contains(&letters)) {
        return Ok(whole);
    }
    let is_meant = |it: &&T| {
        let [id, own] = names(it);
        let begins = id.starts_with(&letters) || own.starts_with(&letters);
        !letters.is_empty() && (begins || letters.len() >= FEWEST && own.ends_with(&letters))
    };
    let meant: Vec<&T> = all.iter().filter(is_meant).collect();
    match meant[..] {
        [only] => Ok(only),
        [] => Err(Failure::new(Kind::NotFound, format!("there is no {kind} `{given}`")).hint(hint)),
        _ => {
            let meant = meant.into_iter().map(told);
            let meant = meant.map(|(id, about)| (id.to_owned(), about));
            Err(ambiguous(kind, given, &meant.collect::<Vec<_>>()))
        }
    }
}

fn latest<T: Lookup>(graph: &Graph) -> Result<T, Failure> {
    let newest = ask(graph, |r| r.newest::<T>(0, 1))?;
    newest.first().map(|it| it.id).ok_or_else(|| {
        Failure::new(Kind::NotFound, format!("there is no {} yet", T::KIND))
            .hint(|w| &w.hint.ask_first)
    })
}

/// `several` are the ids that `given` may mean, each with what it is about.
fn ambiguous(kind: &str, given: &str, several: &[(String, &str)]) -> Failure {
    let shown = several.iter().take(SHOWN_MATCHES);
    let shown: Vec<String> = shown
        .map(|(id, about)| match about.is_empty() {
            true => id.clone(),
            false => format!("{id} ({})", glance(about)),
        })
        .collect();
    let (count, more) = match several.len() {
        count if count > SHOWN_MATCHES => (format!("more than {SHOWN_MATCHES}"), "; …"),
        count => (count.to_string(), ""),
    };
    let message = format!("`{given}` may be any of {count} {kind}s");
    let ids = format!("{}{more}", shown.join("; "));
    Failure::bad_input(message).hint(move |w| say!(w.hint.more_of_id, ids = ids))
}

/// The first words of a text, on one line.
pub(super) fn glance(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(ABOUT_WIDTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// The end of an id, as tables show it and people type it.
pub(super) fn short(id: &impl ToString) -> String {
    let id = id.to_string();
    id[id.len().saturating_sub(SHORT)..].to_owned()
}

/// The place of a row in the list of its kind, as it can be typed.
pub(super) fn place<T: Lookup>(index: usize) -> String {
    format!("{}:{}", T::KIND, index + 1)
}

/// The letters of an id that were typed, with or without its kind; nothing if no id has such.
fn letters<T: Lookup>(given: &str) -> Option<String> {
    let kind = given.strip_prefix(T::PREFIX).and_then(|it| it.strip_prefix('_'));
    let letters = kind.unwrap_or(given).trim_start_matches('…').to_ascii_uppercase();
    let is_possible = (1..=26).contains(&letters.len())
        && letters
            .chars()
            .all(|c| c.is_ascii_alphanumeric() && !matches!(c, 'I' | 'L' | 'O' | 'U'));
    is_possible.then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_may_leave_out_the_kind_and_the_case() {
        for given in ["task_01HF7", "01HF7", "01hf7", "task_01hf7", "…01HF7", "task_…01HF7"] {
            assert_eq!(letters::<TaskId>(given).as_deref(), Some("01HF7"), "{given}");
        }
        for given in ["", "task_", "c_01HF7", "01HF7U", "0".repeat(27).as_str(), "日本"] {
            assert_eq!(letters::<TaskId>(given), None, "{given}");
        }
    }

    #[test]
    fn what_the_graph_does_not_keep_is_named_in_the_same_way() {
        let all =
            [("q_3f2a00000001", "one"), ("q_3f2b00000002", "two"), ("q_777700003f2b", "three")];
        let found = |given: &str| {
            let found = among("question", given, &all, |it| *it, |w| &w.hint.answers);
            found.map(|it| it.0).map_err(|it| it.error.to_string())
        };
        for (given, meant) in [
            ("latest", "q_777700003f2b"),
            ("q_3f2a00000001", "q_3f2a00000001"),
            ("q_3f2a", "q_3f2a00000001"),
            ("3F2A", "q_3f2a00000001"),
            ("…0002", "q_3f2b00000002"),
            ("003f2b", "q_777700003f2b"),
        ] {
            assert_eq!(found(given), Ok(meant), "{given}");
        }
        let numbered = ["vt_1", "vt_10", "vt_11"];
        for (given, meant) in [("vt_1", "vt_1"), ("1", "vt_1"), ("vt_10", "vt_10")] {
            let found = among("trace", given, &numbered, |id| (id, ""), |w| &w.hint.traces);
            assert_eq!(*found.unwrap(), meant, "{given}");
        }
        for (given, problem) in [
            ("3f2b", "`3f2b` may be any of 2 questions"),
            ("q_3f2", "`q_3f2` may be any of 2 questions"),
            ("002", "there is no question `002`"),
            ("", "there is no question ``"),
        ] {
            assert_eq!(found(given), Err(problem.to_owned()), "{given}");
        }
    }

    #[test]
    fn a_glance_is_one_short_line() {
        assert_eq!(glance("two\n lines"), "two lines");
        assert_eq!(glance(&"長".repeat(49)), format!("{}…", "長".repeat(48)));
    }
}
