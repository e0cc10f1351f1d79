//! What is at work, for a person who waits: one line at the bottom of a terminal that is drawn again and again, and
//! a line from time to time where stderr goes elsewhere.
//!
//! There is one stderr, so there is one [`Screen`]: whoever writes goes through it, which takes the line away first.

use std::io::{self, BufRead, Read, StdinLock, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::text::{clean, width, wrap};

/// What work says of itself; the last that began is shown.
pub(super) type Stack = Arc<Mutex<Vec<(usize, Say)>>>;

/// The line is drawn again after this long. What takes less shows no line at all.
const REDRAWN: Duration = Duration::from_millis(250);
/// Without a terminal, something is written after this long in silence.
const SILENCE: Duration = Duration::from_millis(2_500);
/// In front of such a line.
pub(crate) const STILL: &str = "… ";
const SIGNS: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const USUAL_COLUMNS: usize = 80;

static SCREEN: Mutex<Screen> = Mutex::new(Screen { drawn: None, spoke: None, over: false });
/// While somebody types, nothing is drawn.
static HUSHED: AtomicUsize = AtomicUsize::new(0);

/// Where to show what is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Line,
    Lines,
    Nothing,
}

/// What stands on the terminal that stderr is.
#[derive(Debug)]
struct Screen {
    /// How wide the line is that stands there now.
    drawn: Option<usize>,
    spoke: Option<Instant>,
    /// The last word was said.
    over: bool,
}

/// Says what is at work at this moment.
pub(crate) type Say = Box<dyn Fn() -> String + Send>;

/// Something that is at work until this is dropped, and says so.
#[must_use]
pub(crate) struct Doing {
    stack: Stack,
    number: usize,
}

impl std::fmt::Debug for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Doing").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Doing {
    pub(super) fn begin(stack: &Stack, say: Say) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        stack.lock().unwrap_or_else(PoisonError::into_inner).push((number, say));
        Self { stack: Arc::clone(stack), number }
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        let mut stack = self.stack.lock().unwrap_or_else(PoisonError::into_inner);
        stack.retain(|it| it.0 != self.number);
    }
}

/// A command whose work is shown until this is dropped.
#[derive(Debug)]
pub(crate) struct AtWork {
    stop: Arc<(Mutex<bool>, Condvar)>,
    ticker: Option<JoinHandle<()>>,
}

/// Nothing is drawn until this is dropped: somebody types.
#[derive(Debug)]
struct Hush;

/// What is typed or piped in; while it is read, nothing is drawn.
#[derive(Debug)]
pub(crate) struct Stdin {
    lock: StdinLock<'static>,
    _hush: Hush,
}

pub(crate) fn stdin() -> Stdin {
    Stdin { _hush: Hush::begin(), lock: io::stdin().lock() }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.lock.read(buffer)
    }
}

impl BufRead for Stdin {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.lock.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.lock.consume(amount);
    }
}

impl AtWork {
    /// Shows what `stack` says from now on.
    pub(super) fn begin(shows: Shows, stack: Stack) -> Self {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        if shows == Shows::Nothing {
            return Self { stop, ticker: None };
        }
        screen().spoke.get_or_insert_with(Instant::now);
        let stopped = Arc::clone(&stop);
        // Without a thread for it the work goes on unseen.
        let ticker = thread::Builder::new().name("progress".to_owned());
        let ticker = ticker.spawn(move || tick(shows, &stack, &stopped)).ok();
        Self { stop, ticker }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let Some(ticker) = self.ticker.take() else { return };
        *self.stop.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.1.notify_all();
        // A line that could not be made is no reason to fail.
        drop(ticker.join());
        screen().erase();
    }
}

impl Hush {
    fn begin() -> Self {
        HUSHED.fetch_add(1, Ordering::SeqCst);
        screen().erase();
        Self
    }
}

impl Drop for Hush {
    fn drop(&mut self) {
        HUSHED.fetch_sub(1, Ordering::SeqCst);
    }
}

fn tick(shows: Shows, stack: &Stack, (stopped, changed): &(Mutex<bool>, Condvar)) {
    for turn in 0.. {
        let guard = stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let (guard, _) =
            changed.wait_timeout(guard, REDRAWN).unwrap_or_else(PoisonError::into_inner);
        if *guard {
            return;
        }
        drop(guard);
        // Said before the screen is taken: what says it may wait for who writes.
        let said = stack.lock().unwrap_or_else(PoisonError::into_inner).last().map(|it| (it.1)());
        let Some(text) = said.map(|it| clean(&it)) else { continue };
        let mut screen = screen();
        if screen.over || HUSHED.load(Ordering::SeqCst) > 0 {
            continue;
        }
        match shows {
            Shows::Line => screen.draw(&format!("{} {text}", SIGNS[turn % SIGNS.len()])),
            _ if screen.is_silent() => screen.tell(&format!("{STILL}{text}")),
            _ => {}
        }
    }
}

/// Writes a line to stderr; if that is closed, nobody can be told.
pub(super) fn tell(line: &str) {
    screen().tell(line);
}

/// Writes the last line: nothing is drawn below it.
pub(super) fn tell_last(line: &str) {
    let mut screen = screen();
    screen.tell(line);
    screen.over = true;
}

/// Writes data to stdout, which may be the same terminal. Nothing is drawn meanwhile, and nobody waits for it: a reader
/// may never take what is written, and Ctrl-C must still be answered.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let _hush = Hush::begin();
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    drop(out);
    screen().spoke = Some(Instant::now());
    Ok(())
}

fn screen() -> MutexGuard<'static, Screen> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Screen {
    fn is_silent(&self) -> bool {
        self.spoke.is_none_or(|since| since.elapsed() >= SILENCE)
    }

    fn tell(&mut self, line: &str) {
        self.erase();
        drop(writeln!(io::stderr().lock(), "{line}"));
        self.spoke = Some(Instant::now());
    }

    fn draw(&mut self, text: &str) {
        let columns = columns();
        let line = fitting(text, columns);
        let before = self.drawn.map_or_else(String::new, |wide| taking_away(wide, columns));
        let mut out = io::stderr().lock();
        drop(write!(out, "{before}{line}").and_then(|()| out.flush()));
        self.drawn = Some(width(&line));
    }

    fn erase(&mut self) {
        if let Some(wide) = self.drawn.take() {
            let mut out = io::stderr().lock();
            drop(write!(out, "{}", taking_away(wide, columns())).and_then(|()| out.flush()));
        }
    }
}

/// One line that leaves the last column free, so that no terminal goes on to the next line.
fn fitting(text: &str, columns: usize) -> String {
    wrap(text, columns.saturating_sub(1).max(1), 1).concat()
}

/// Takes away a line of `wide` columns. A terminal that became narrower has broken it into several.
fn taking_away(wide: usize, columns: usize) -> String {
    match wide.saturating_sub(1) / columns.max(1) {
        0 => "\r\x1b[J".to_owned(),
        above => format!("\r\x1b[{above}A\x1b[J"),
    }
}

/// As wide as the terminal is now: it may have been resized.
pub(super) fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map(|(width, _)| usize::from(width.0)).filter(|it| *it > 0).unwrap_or(USUAL_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_three_seconds_for_a_sign_of_life() {
        assert!(SILENCE + 2 * REDRAWN <= Duration::from_secs(3));
    }

    #[test]
    fn a_line_leaves_the_last_column_free_whatever_the_width_of_its_characters() {
        assert_eq!(fitting("search 1: judging", 80), "search 1: judging");
        assert_eq!(fitting("search 1: judging", 10), "search 1…");
        for columns in [7, 20, 40] {
            let line = fitting("検索 1: 箇所を判定しています 12/64 · 残り約 20 秒", columns);
            assert!(width(&line) < columns, "{columns}: {line}");
        }
    }

    #[test]
    fn a_line_that_a_narrower_terminal_has_broken_is_taken_away_whole() {
        assert_eq!(taking_away(79, 80), "\r\u{1b}[J");
        assert_eq!(taking_away(80, 80), "\r\u{1b}[J");
        assert_eq!(taking_away(79, 40), "\r\u{1b}[1A\u{1b}[J");
        assert_eq!(taking_away(79, 20), "\r\u{1b}[3A\u{1b}[J");
        assert_eq!(taking_away(0, 0), "\r\u{1b}[J");
    }
}
