//! What an investigation works at now: the stage, how far it is, what is waited for, and how long it may still take.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fetch::HostPause;
use research::calls::Stage;
use text::messages::Message;

use super::duration;
use crate::session::waiting;
use crate::words::{Words, say};

/// What a stage has taken before its end is guessed.
const GUESSED_AFTER: Duration = Duration::from_secs(2);

/// Shared by who hears what happens and who shows it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Doing(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// The number of the search, once there is one.
    round: Option<usize>,
    part: Part,
    done: usize,
    total: usize,
    since: Instant,
    /// When the time of the task is used up.
    ends: Option<Instant>,
}

/// A part of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The models are read into memory.
    Loading,
    Resuming,
    Searching(Stage),
    Drafting,
    /// What was found is put together.
    WritingUp,
}

impl Default for State {
    fn default() -> Self {
        let since = Instant::now();
        Self { round: None, part: Part::Loading, done: 0, total: 0, since, ends: None }
    }
}

impl Doing {
    pub(super) fn resume(&self) {
        self.state().turn_to(Part::Resuming, 0, 0);
    }

    pub(super) fn search(&self, round: usize) {
        let mut state = self.state();
        state.round = Some(round);
        state.turn_to(Part::Searching(Stage::Asking), 0, 0);
    }

    pub(super) fn at(&self, stage: Stage, done: usize, total: usize) {
        self.state().turn_to(Part::Searching(stage), done, total);
    }

    pub(super) fn draft(&self) {
        let mut state = self.state();
        state.round = None;
        state.turn_to(Part::Drafting, 0, 0);
    }

    pub(super) fn write_up(&self) {
        let mut state = self.state();
        (state.round, state.ends) = (None, None);
        state.turn_to(Part::WritingUp, 0, 0);
    }

    /// The task may take this long from now on.
    pub(super) fn budget(&self, seconds: u32) {
        self.state().ends = Instant::now().checked_add(Duration::from_secs(seconds.into()));
    }

    /// All of it in one line.
    pub(super) fn line(&self, words: &Words, pause: Option<HostPause>) -> String {
        let state = self.state();
        let progress = &words.progress;
        let mut what = state.part.name(words).as_str().to_owned();
        if state.total > 0 {
            what = say!(progress.counted, what = what, done = state.done, total = state.total);
        }
        let what = match state.round {
            Some(round) => say!(progress.in_search, round = round, what = what),
            None => what,
        };
        let elapsed = duration(words, state.since.elapsed().as_secs());
        let left =
            state.seconds_left().map(|it| say!(progress.about_left, time = duration(words, it)));
        let budget = state.ends.map(|ends| {
            let left = ends.saturating_duration_since(Instant::now()).as_secs();
            say!(progress.at_most, time = duration(words, left))
        });
        let pause = pause.map(|it| waiting(words, &it));
        [Some(what), pause, Some(elapsed), left, budget]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" · ")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Numbers are changed one after the other; a torn change would show a wrong one for a moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn turn_to(&mut self, part: Part, done: usize, total: usize) {
        let goes_on = self.part == part && self.total == total && self.done <= done;
        if !goes_on {
            self.since = Instant::now();
        }
        (self.part, self.done, self.total) = (part, done, total);
    }

    /// How long the rest of a counted part takes if it goes on as it began.
    fn seconds_left(&self) -> Option<u64> {
        let elapsed = self.since.elapsed();
        if self.done == 0 || self.done >= self.total || elapsed < GUESSED_AFTER {
            return None;
        }
        let rest = elapsed.as_secs_f64() * (self.total - self.done) as f64 / self.done as f64;
        Some(rest.round() as u64)
    }
}

impl Part {
    const fn name(self, words: &Words) -> &Message {
        let progress = &words.progress;
        match self {
            Self::Loading => &progress.loading,
            Self::Resuming => &progress.resuming,
            Self::Searching(stage) => match stage {
                Stage::Asking => &progress.asking,
                Stage::Indexing => &progress.indexing,
                Stage::Reading => &progress.reading,
                Stage::Ranking => &progress.ranking,
                Stage::Extracting => &progress.extracting,
                Stage::Judging => &progress.judging,
                Stage::Recording => &progress.recording,
                Stage::Following => &progress.following,
            },
            Self::Drafting => &progress.writing,
            Self::WritingUp => &progress.writing_up,
        }
    }
}

#[cfg(test)]
mod tests {
    use report::Language;

    use super::*;

    fn line(doing: &Doing, language: Language) -> String {
        doing.line(Words::of(language), None)
    }

    #[test]
    fn a_stage_is_told_with_its_search_and_how_far_it_is() {
        let doing = Doing::default();
        assert_eq!(line(&doing, Language::En), "loading the models · 0 s");
        doing.search(3);
        assert_eq!(line(&doing, Language::En), "search 3: asking the sources · 0 s");
        doing.at(Stage::Judging, 16, 64);
        assert_eq!(line(&doing, Language::En), "search 3: judging passages, 16 of 64 · 0 s");
        assert_eq!(line(&doing, Language::Ja), "検索 3: 箇所を判定中 16/64 · 0 秒");
    }

    #[test]
    fn the_rest_of_a_stage_is_guessed_from_what_it_took() {
        let doing = Doing::default();
        doing.search(1);
        doing.at(Stage::Judging, 10, 40);
        doing.state().since = Instant::now().checked_sub(Duration::from_secs(20)).unwrap();
        let line = line(&doing, Language::En);
        assert_eq!(line, "search 1: judging passages, 10 of 40 · 20 s · about 60 s left");
    }

    #[test]
    fn what_is_waited_for_is_told_with_the_time_it_ends() {
        let doing = Doing::default();
        doing.search(1);
        doing.at(Stage::Reading, 2, 9);
        let until: jiff::Timestamp = "2026-01-15T12:00:05Z".parse().unwrap();
        let pause = HostPause { name: "slow.example".to_owned(), until };
        let until = crate::clock::local(until).strftime("%H:%M:%S");
        assert_eq!(
            doing.line(Words::of(Language::En), Some(pause)),
            format!(
                "search 1: reading pages, 2 of 9 · waiting for slow.example until {until} · 0 s"
            )
        );
    }
}
