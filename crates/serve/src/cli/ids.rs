//! How people name a task, a claim or a judgement: `latest`, `task:3`, or a part of its id.

use clap::Args;
use evidence::{ClaimId, TaskId};
use graph::{Graph, Lookup, Named};

use super::complete;
use crate::failure::{Failure, Kind};
use crate::session::ask;
use crate::words::say;

/// The newest of its kind.
pub(super) const LATEST: &str = "latest";
/// Before the place of a task in `lyra task list`.
const PLACE: &str = "task:";
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
    /// The claim's id, or the beginning or end of it
    #[arg(add = complete::claims())]
    claim: String,
}

impl OneClaim {
    pub(super) fn find(&self, graph: &Graph) -> Result<ClaimId, Failure> {
        find(graph, &self.claim)
    }
}

/// Finds the task that `given` names.
pub(super) fn find_task(graph: &Graph, given: &str) -> Result<TaskId, Failure> {
    let Some(place) = given.strip_prefix(PLACE) else { return find(graph, given) };
    let Some(place) = place.parse::<u32>().ok().filter(|it| *it > 0) else {
        let message = format!("`{given}` names no place in the list of tasks");
        return Err(Failure::bad_input(message).hint(|w| &w.hint.task_place));
    };
    match ask(graph, |r| r.newest::<TaskId>(place - 1, 1))?.first() {
        Some(task) => Ok(task.id),
        None => Err(Failure::new(Kind::NotFound, format!("there is no {given}"))
            .hint(|w| &w.hint.task_list)),
    }
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
        return Err(graph::Error::from(bad_id).into());
    };
    let beginning = format!("{}_{letters}", T::PREFIX);
    let ending = Some(letters.as_str()).filter(|it| it.len() >= FEWEST);
    // One more than is shown tells that there are more.
    let matches: Vec<Named<T>> =
        ask(graph, |r| r.ids_like(&beginning, ending, SHOWN_MATCHES as u32 + 1))?;
    match matches.as_slice() {
        [only] => Ok(only.id),
        [] => Err(graph::Error::Unknown { kind: T::KIND, id: beginning }.into()),
        several => Err(ambiguous(given, several)),
    }
}

fn latest<T: Lookup>(graph: &Graph) -> Result<T, Failure> {
    let newest = ask(graph, |r| r.newest::<T>(0, 1))?;
    newest.first().map(|it| it.id).ok_or_else(|| {
        Failure::new(Kind::NotFound, format!("there is no {} yet", T::KIND))
            .hint(|w| &w.hint.ask_first)
    })
}

fn ambiguous<T: Lookup>(given: &str, several: &[Named<T>]) -> Failure {
    let shown: Vec<String> = several.iter().take(SHOWN_MATCHES).map(candidate).collect();
    let (count, more) = match several.len() {
        count if count > SHOWN_MATCHES => (format!("more than {SHOWN_MATCHES}"), "; …"),
        count => (count.to_string(), ""),
    };
    let message = format!("`{given}` may be any of {count} {}s", T::KIND);
    let ids = format!("{}{more}", shown.join("; "));
    Failure::bad_input(message).hint(move |w| say!(w.hint.more_of_id, ids = ids))
}

/// An id with the words it is known by.
fn candidate<T: Lookup>(named: &Named<T>) -> String {
    format!("{} ({})", named.id, glance(&named.about))
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

/// The place of a task in the list, as it can be typed.
pub(super) fn place(index: usize) -> String {
    format!("{PLACE}{}", index + 1)
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
    fn a_glance_is_one_short_line() {
        assert_eq!(glance("two\n lines"), "two lines");
        assert_eq!(glance(&"長".repeat(49)), format!("{}…", "長".repeat(48)));
    }
}
