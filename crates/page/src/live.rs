//! What investigations of this process work at, so that any number of tabs can watch: fed by the progress the command
//! line shows, kept while the process lives, so that reloading loses nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use evidence::{SearchId, TaskId};
use planner::{EndReason, Event, QueryReason};
use research::calls::{Progress, Stage};
use tokio::sync::watch;

use crate::house::Trouble;

/// Entries of what happened that are kept.
const KEPT: usize = 60;
/// Without anything happening for this long, an investigation is said to stand still.
const STILL: Duration = Duration::from_secs(90);
/// What a stage has taken before its end is guessed.
const GUESSED_AFTER: Duration = Duration::from_secs(2);

/// All investigations of this process.
#[derive(Debug)]
pub struct Board {
    tasks: Mutex<HashMap<TaskId, Doing>>,
    changes: watch::Sender<u64>,
}

impl Default for Board {
    fn default() -> Self {
        Self { tasks: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

/// What one investigation works at.
#[derive(Debug, Clone)]
pub(crate) struct Doing {
    pub(crate) part: Part,
    pub(crate) round: Option<usize>,
    pub(crate) query: String,
    pub(crate) refute: bool,
    pub(crate) why: Option<QueryReason>,
    pub(crate) done: usize,
    pub(crate) total: usize,
    since: Instant,
    began: Instant,
    heard: Instant,
    ends: Option<Instant>,
    pub(crate) read: usize,
    pub(crate) missed: usize,
    /// The newest first.
    pub(crate) happened: VecDeque<Happened>,
    search: Option<SearchId>,
    pub(crate) over: Option<Over>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Loading,
    Searching(Stage),
    Drafting,
    WritingUp,
    /// A person wants it to rest; what has begun is finished first.
    Ending,
}

#[derive(Debug, Clone)]
pub(crate) enum Happened {
    Query { text: String, why: QueryReason },
    Read { title: String, url: String, passages: usize },
    Missed { url: String, reason: String },
    Judged { claims: usize, supports: usize, refutes: usize },
    Warned(String),
}

#[derive(Debug, Clone)]
pub(crate) enum Over {
    Ended(EndReason),
    Failed(Trouble),
}

impl Doing {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            part: Part::Loading,
            round: None,
            query: String::new(),
            refute: false,
            why: None,
            done: 0,
            total: 0,
            since: now,
            began: now,
            heard: now,
            ends: None,
            read: 0,
            missed: 0,
            happened: VecDeque::new(),
            search: None,
            over: None,
        }
    }

    fn turn_to(&mut self, part: Part, done: usize, total: usize) {
        let goes_on = self.part == part && self.total == total && self.done <= done;
        if !goes_on {
            self.since = Instant::now();
        }
        (self.part, self.done, self.total) = (part, done, total);
    }

    fn note(&mut self, what: Happened) {
        self.happened.push_front(what);
        self.happened.truncate(KEPT);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(crate) fn in_stage(&self) -> Duration {
        self.since.elapsed()
    }

    /// Until the time of the task is used up.
    pub(crate) fn at_most(&self) -> Option<Duration> {
        self.ends.map(|it| it.saturating_duration_since(Instant::now()))
    }

    /// How long nothing has happened, where that is long.
    pub(crate) fn still(&self) -> Option<Duration> {
        Some(self.heard.elapsed()).filter(|it| self.over.is_none() && *it >= STILL)
    }

    /// How long the rest of a counted stage takes if it goes on as it began.
    pub(crate) fn about_left(&self) -> Option<Duration> {
        let elapsed = self.since.elapsed();
        if self.done == 0 || self.done >= self.total || elapsed < GUESSED_AFTER {
            return None;
        }
        Some(elapsed.mul_f64((self.total - self.done) as f64 / self.done as f64))
    }
}

impl Board {
    /// An investigation of this process, running or over.
    pub(crate) fn doing(&self, task: TaskId) -> Option<Doing> {
        self.tasks().get(&task).cloned()
    }

    pub fn is_running(&self, task: TaskId) -> bool {
        self.tasks().get(&task).is_some_and(|it| it.over.is_none())
    }

    pub(crate) fn running(&self) -> Vec<TaskId> {
        let tasks = self.tasks();
        tasks.iter().filter(|it| it.1.over.is_none()).map(|it| *it.0).collect()
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub fn begin(&self, task: TaskId, seconds: Option<u32>) {
        let mut doing = Doing::new();
        doing.ends = seconds.and_then(|it| doing.began.checked_add(Duration::from_secs(it.into())));
        self.tasks().insert(task, doing);
        self.changed();
    }

    /// What the planner decided.
    pub fn planned(&self, task: TaskId, event: &Event) {
        self.change(task, |doing| match event {
            Event::Round { round, query, refute, why } => {
                doing.round = Some(*round);
                (doing.query, doing.refute, doing.why) = (query.clone(), *refute, Some(*why));
                // The next search that begins is that of this task: rounds of a task follow each other.
                doing.search = None;
                doing.note(Happened::Query { text: query.clone(), why: *why });
                doing.turn_to(Part::Searching(Stage::Asking), 0, 0);
            }
            Event::Drafting { .. } => doing.turn_to(Part::Drafting, 0, 0),
            Event::Stopped { .. } => doing.turn_to(Part::WritingUp, 0, 0),
            Event::ModelSilent { message } => doing.note(Happened::Warned(message.clone())),
            Event::TaskStarted { .. }
            | Event::TaskResumed { .. }
            | Event::SearchDone { .. }
            | Event::Drafted { .. } => {}
        });
    }

    /// What the engine did, for any task.
    pub fn happened(&self, event: &Progress) {
        if let Progress::SearchStarted { task_id, search_id, .. } = event {
            self.change(*task_id, |doing| doing.search = Some(*search_id));
            return;
        }
        let search = Some(event.search_id());
        let task = self.tasks().iter().find(|it| it.1.search == search).map(|it| *it.0);
        let Some(task) = task else { return };
        self.change(task, |doing| match event {
            Progress::AtWork { stage, done, total, .. } => {
                doing.turn_to(Part::Searching(*stage), *done, *total);
            }
            Progress::PageRead { url, title, passages, .. } => {
                doing.read += 1;
                let title = title.clone().unwrap_or_else(|| url.clone());
                doing.note(Happened::Read { title, url: url.clone(), passages: *passages });
            }
            Progress::PageMissed { url, reason, .. } => {
                doing.missed += 1;
                doing.note(Happened::Missed { url: url.clone(), reason: reason.to_string() });
            }
            Progress::Judged { claims, supports, refutes, .. } => {
                let (claims, supports, refutes) = (*claims, *supports, *refutes);
                if claims + supports + refutes > 0 {
                    doing.note(Happened::Judged { claims, supports, refutes });
                }
            }
            Progress::Warning { message, .. } => doing.note(Happened::Warned(message.clone())),
            Progress::SearchStarted { .. }
            | Progress::Planned { .. }
            | Progress::Reading { .. }
            | Progress::Cited { .. }
            | Progress::SearchEnded { .. } => {}
        });
    }

    /// A person wants it to rest.
    pub fn ending(&self, task: TaskId) {
        self.change(task, |doing| doing.turn_to(Part::Ending, 0, 0));
    }

    pub fn ended(&self, task: TaskId, outcome: Result<EndReason, Trouble>) {
        self.change(task, |doing| {
            doing.over = Some(match outcome {
                Ok(reason) => Over::Ended(reason),
                Err(trouble) => Over::Failed(trouble),
            });
        });
    }

    pub fn forget(&self, task: TaskId) {
        self.tasks().remove(&task);
        self.changed();
    }

    fn change(&self, task: TaskId, change: impl FnOnce(&mut Doing)) {
        if let Some(doing) = self.tasks().get_mut(&task) {
            doing.heard = Instant::now();
            change(doing);
        }
        self.changed();
    }

    fn changed(&self) {
        self.changes.send_modify(|it| *it = it.wrapping_add(1));
    }

    fn tasks(&self) -> MutexGuard<'_, HashMap<TaskId, Doing>> {
        // Each change is complete before the lock is given back.
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use evidence::{Id, SearchId};
    use research::calls::Stage;

    use super::*;

    fn id<T: Id>(text: &str) -> T {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_a_search_does_is_noted_for_its_own_question_only() {
        let board = Board::default();
        let own: TaskId = id("task_01ARZ3NDEKTSV4RRFFQ69G5FAV");
        let other: TaskId = id("task_01ARZ3NDEKTSV4RRFFQ69G5FAW");
        let search: SearchId = id("s_01ARZ3NDEKTSV4RRFFQ69G5FAX");
        board.begin(own, Some(60));
        board.begin(other, None);
        let round = Event::Round {
            round: 1,
            query: "tea".to_owned(),
            refute: false,
            why: QueryReason::Question,
        };
        board.planned(own, &round);
        board.happened(&Progress::SearchStarted {
            task_id: own,
            search_id: search,
            query: "tea".to_owned(),
            refute: false,
        });
        let at_work =
            Progress::AtWork { search_id: search, stage: Stage::Judging, done: 3, total: 9 };
        board.happened(&at_work);
        let doing = board.doing(own).unwrap();
        assert_eq!((doing.part, doing.done, doing.total), (Part::Searching(Stage::Judging), 3, 9));
        assert_eq!(doing.happened.len(), 1);
        assert!(doing.at_most().unwrap() <= Duration::from_secs(60));
        let untouched = board.doing(other).unwrap();
        assert_eq!((untouched.part, untouched.happened.len()), (Part::Loading, 0));
        board.ended(own, Ok(EndReason::Completed));
        assert_eq!((board.is_running(own), board.running()), (false, vec![other]));
    }

    #[test]
    fn only_so_much_of_what_happened_is_kept() {
        let board = Board::default();
        let task: TaskId = id("task_01ARZ3NDEKTSV4RRFFQ69G5FAV");
        board.begin(task, None);
        for number in 0..KEPT + 5 {
            board.planned(task, &Event::ModelSilent { message: number.to_string() });
        }
        let doing = board.doing(task).unwrap();
        assert_eq!(doing.happened.len(), KEPT);
        assert!(
            matches!(&doing.happened[0], Happened::Warned(it) if *it == (KEPT + 4).to_string())
        );
    }
}
