//! Titles, word by word.

use text::script::{is_cjk, is_hangul};
use text::words::is_stop_word;
use unicode_normalization::UnicodeNormalization;

/// From this share of common words on, a title is the same one with a mistake in it.
const LEAST_ALIKE: f64 = 0.5;
/// Words of a title before a subtitle that may be left out.
const LEAST_BEFORE_SUBTITLE: usize = 3;
/// Characters of Japanese that say as much as a word.
const CHARS_A_WORD: usize = 2;

/// A title as words; in Japanese each character is one.
#[derive(Debug)]
pub(crate) struct Title {
    words: Vec<String>,
    /// How many words stand before a subtitle.
    before_subtitle: Option<usize>,
    is_east_asian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TitleMatch {
    Same {
        words: usize,
        /// Whether a subtitle is left out on one side.
        short: bool,
    },
    /// Words that carry meaning are others.
    Differs {
        likeness: f64,
    },
    Other,
    /// Nothing to compare: there is no title, or it is in another writing.
    Unknown,
}

impl Title {
    pub(crate) fn of(title: &str) -> Self {
        let words = words(title);
        let is_east_asian = is_east_asian(&words);
        let boundary = title.find([':', '：', '?', '？', '—', '–', '―', '.']);
        let boundary = boundary.or_else(|| title.find(" - "));
        let before_subtitle = boundary
            .map(|it| self::words(&title[..it]).len())
            .filter(|it| *it < words.len())
            .filter(|it| {
                *it >= LEAST_BEFORE_SUBTITLE * if is_east_asian { CHARS_A_WORD } else { 1 }
            });
        Self { words, before_subtitle, is_east_asian }
    }

    /// Compares what a reference gives as the title with this work's.
    pub(crate) fn compare(&self, known: &Self) -> TitleMatch {
        if self.words.is_empty() || known.words.is_empty() {
            return TitleMatch::Unknown;
        }
        if self.is_east_asian != known.is_east_asian {
            return TitleMatch::Unknown;
        }
        let same = |short| TitleMatch::Same { words: known.weight(), short };
        if self.words.concat() == known.words.concat() {
            return same(false);
        }
        let (said, of_work) = (&self.words[..], &known.words[..]);
        let cut = |words: &[String], at: Option<usize>| at.map(|at| words[..at].to_vec());
        let is_short = |short: &[String], long: Option<Vec<String>>| {
            long.is_some_and(|long| aligned(short, &long).is_whole(short, &long))
        };
        if is_short(said, cut(of_work, known.before_subtitle))
            || is_short(of_work, cut(said, self.before_subtitle))
        {
            return same(true);
        }
        let alignment = aligned(said, of_work);
        if alignment.is_whole(said, of_work) {
            return same(false);
        }
        let likeness = 2.0 * alignment.pairs.len() as f64 / (said.len() + of_work.len()) as f64;
        if likeness >= LEAST_ALIKE { TitleMatch::Differs { likeness } } else { TitleMatch::Other }
    }

    /// Looks for this title in an entry that has no fields; gives also what stands before it.
    pub(crate) fn found_in(&self, entry: &str) -> (TitleMatch, String) {
        let entry_words = words_with_places(entry);
        let texts: Vec<String> = entry_words.iter().map(|it| it.0.clone()).collect();
        if self.words.is_empty() || texts.is_empty() {
            return (TitleMatch::Unknown, String::new());
        }
        if self.is_east_asian != is_east_asian(&texts) && !is_mixed(&texts, self.is_east_asian) {
            return (TitleMatch::Unknown, String::new());
        }
        let alignment = aligned_locally(&texts, &self.words);
        let Some((first, last)) = alignment.pairs.first().zip(alignment.pairs.last()) else {
            return (TitleMatch::Other, String::new());
        };
        let (start, end) = (first.0, last.0 + 1);
        let head = entry[..entry_words[start].1].to_owned();
        let said = &texts[start..end];
        let shifted =
            Alignment { pairs: alignment.pairs.iter().map(|it| (it.0 - start, it.1)).collect() };
        let whole = |known: &[String]| {
            let pairs = shifted.pairs.iter().filter(|it| it.1 < known.len()).copied().collect();
            Alignment { pairs }.is_whole(said, known)
        };
        let likeness = shifted.pairs.len() as f64 / self.words.len() as f64;
        let is_short =
            || self.before_subtitle.is_some_and(|at| last.1 < at && whole(&self.words[..at]));
        let found = if whole(&self.words) {
            TitleMatch::Same { words: self.weight(), short: false }
        } else if is_short() {
            TitleMatch::Same { words: self.weight(), short: true }
        } else if likeness >= LEAST_ALIKE {
            TitleMatch::Differs { likeness }
        } else {
            TitleMatch::Other
        };
        (found, head)
    }

    fn weight(&self) -> usize {
        if self.is_east_asian { self.words.len() / CHARS_A_WORD } else { self.words.len() }
    }
}

/// Pairs of places of words that are the same, in order.
struct Alignment {
    pairs: Vec<(usize, usize)>,
}

impl Alignment {
    /// Whether no word that carries meaning is left without its like.
    fn is_whole(&self, said: &[String], known: &[String]) -> bool {
        let lost = |words: &[String], has: &dyn Fn(usize) -> bool| {
            words.iter().enumerate().any(|(place, word)| !has(place) && carries_meaning(word))
        };
        !lost(said, &|place| self.pairs.iter().any(|it| it.0 == place))
            && !lost(known, &|place| self.pairs.iter().any(|it| it.1 == place))
    }
}

fn carries_meaning(word: &str) -> bool {
    !is_stop_word(word) || matches!(word, "no" | "not" | "without" | "less" | "more")
}

/// The longest common sequence of words.
fn aligned(said: &[String], known: &[String]) -> Alignment {
    let (n, m) = (said.len(), known.len());
    let mut longest = vec![vec![0u32; m + 1]; n + 1];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            longest[i][j] = if alike(&said[i], &known[j]) {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < n && j < m {
        if alike(&said[i], &known[j]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    Alignment { pairs }
}

/// The best common run of a long text and a title: words between cost as much as a word gains.
fn aligned_locally(text: &[String], title: &[String]) -> Alignment {
    const SAME: i32 = 2;
    const GAP: i32 = -1;
    let (n, m) = (text.len(), title.len());
    let mut score = vec![vec![0i32; m + 1]; n + 1];
    let mut best = (0, 0, 0);
    for i in 1..=n {
        for j in 1..=m {
            let same = alike(&text[i - 1], &title[j - 1]);
            let step = score[i - 1][j - 1] + if same { SAME } else { GAP };
            score[i][j] = step.max(score[i - 1][j] + GAP).max(score[i][j - 1] + GAP).max(0);
            if score[i][j] > best.0 {
                best = (score[i][j], i, j);
            }
        }
    }
    let (_, mut i, mut j) = best;
    let mut pairs = Vec::new();
    while i > 0 && j > 0 && score[i][j] > 0 {
        let same = alike(&text[i - 1], &title[j - 1]);
        if score[i][j] == score[i - 1][j - 1] + if same { SAME } else { GAP } {
            if same {
                pairs.push((i - 1, j - 1));
            }
            (i, j) = (i - 1, j - 1);
        } else if score[i][j] == score[i - 1][j] + GAP {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    pairs.reverse();
    Alignment { pairs }
}

/// The same word, or one letter apart: `behaviour` and `behavior`.
fn alike(one: &str, other: &str) -> bool {
    one == other
        || (one.chars().count() >= 5
            && other.chars().count() >= 5
            && !one.bytes().chain(other.bytes()).any(|it| it.is_ascii_digit())
            && strsim::osa_distance(one, other) <= 1)
}

fn words(text: &str) -> Vec<String> {
    words_with_places(text).into_iter().map(|it| it.0).collect()
}

/// Words without case and accents, and where they begin.
fn words_with_places(text: &str) -> Vec<(String, usize)> {
    let mut words: Vec<(String, usize)> = Vec::new();
    let mut open = false;
    let mut in_tag = false;
    for (place, c) in text.char_indices() {
        // Titles of indexes have markup: <i>E. coli</i>.
        if c == '<'
            && text[place + 1..].starts_with(|it: char| it.is_ascii_alphabetic() || it == '/')
        {
            in_tag = text[place..].contains('>');
        }
        if in_tag {
            in_tag = c != '>';
            continue;
        }
        let is_east_asian = is_cjk(c) || is_hangul(c);
        if is_east_asian || !c.is_alphanumeric() {
            // An apostrophe is inside of a word.
            open &= matches!(c, '\'' | '’') && !is_east_asian;
            if is_east_asian && c.is_alphanumeric() {
                words.push((folded(c), place));
            }
            continue;
        }
        match words.last_mut() {
            Some(word) if open => word.0.push_str(&folded(c)),
            _ => words.push((folded(c), place)),
        }
        open = true;
    }
    let retracted = words.first().is_some_and(|it| it.0 == "retracted");
    if retracted {
        let also = words.get(1).is_some_and(|it| it.0 == "article");
        words.drain(..1 + usize::from(also));
    }
    words.retain(|it| !it.0.is_empty());
    words
}

pub(super) fn folded(c: char) -> String {
    let accent = |it: &char| matches!(it, '\u{300}'..='\u{36f}');
    c.nfkd().filter(|it| !accent(it)).nfc().flat_map(char::to_lowercase).collect()
}

fn is_east_asian(words: &[String]) -> bool {
    words.iter().filter(|it| it.chars().any(|c| is_cjk(c) || is_hangul(c))).count() * 3
        > words.len()
}

/// Whether an entry has words of both writings: a Japanese title in an English list, or the other way.
fn is_mixed(words: &[String], east_asian: bool) -> bool {
    let of_writing = |it: &&String| it.chars().any(|c| is_cjk(c) || is_hangul(c)) == east_asian;
    words.iter().filter(of_writing).count() >= 4
}

/// The years an entry names, those in parentheses and at the end of a sentence first.
pub(super) fn years(entry: &str) -> Vec<i32> {
    let bytes = entry.as_bytes();
    let mut found: Vec<(bool, i32)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let digits = bytes[at..].iter().take_while(|it| it.is_ascii_digit()).count();
        let number = entry[at..at + digits].parse::<i32>().ok().filter(|_| digits == 4);
        if let Some(year) = number.filter(|it| (1500..=2100).contains(it)) {
            let before = entry[..at].chars().next_back();
            let after = entry[at + digits..].chars().next();
            let is_range =
                matches!(before, Some('-' | '–' | ':')) || matches!(after, Some('-' | '–'));
            let is_plain = matches!(before, Some('(' | '（'))
                || matches!(after, Some(';' | '.' | '年' | ')' | '）'));
            if !is_range {
                found.push((is_plain, year));
            }
        }
        at += digits;
    }
    found.sort_by_key(|it| !it.0);
    found.into_iter().map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(said: &str, known: &str) -> TitleMatch {
        Title::of(said).compare(&Title::of(known))
    }

    #[test]
    fn spelling_and_setting_are_no_differences() {
        let same = [
            (
                "The behaviour of <i>E. coli</i> in a randomised trial",
                "Behavior of E. coli in a randomized trial.",
            ),
            ("PaperQA: Retrieval-Augmented Agents", "PaperQA — retrieval augmented agents"),
            (
                "Coffee and sleep in adults",
                "Coffee and sleep in adults: a follow-up over five years",
            ),
            ("Coffee and sleep in adults: a follow-up", "Coffee and sleep in adults"),
            ("Über naïve Bayes classifiers", "RETRACTED: UBER NAIVE BAYES CLASSIFIERS"),
            ("夜勤と睡眠の研究―看護師の場合", "夜勤と睡眠の研究 : 看護師の場合"),
            ("Parkinson’s disease and diet", "Parkinson's disease and diet"),
        ];
        for (said, known) in same {
            let found = compared(said, known);
            assert!(matches!(found, TitleMatch::Same { .. }), "{said}: {found:?}");
        }
    }

    #[test]
    fn a_word_that_carries_meaning_is_a_difference() {
        let differ = [
            (
                "Effects of tea on sleep in older adults",
                "Effects of coffee on sleep in older adults",
            ),
            ("Drug A increases survival in mice", "Drug A decreases survival in mice"),
            ("Phase 2 trial of drug A in adults", "Phase 3 trial of drug A in adults"),
            ("Sleep without coffee in the young", "Sleep with coffee in the young"),
            ("夜勤は睡眠を増加させる", "夜勤は睡眠を減少させる"),
            ("Hypothermia after cardiac arrest", "Hyperthermia after cardiac arrest"),
        ];
        for (said, known) in differ {
            let found = compared(said, known);
            assert!(matches!(found, TitleMatch::Differs { .. }), "{said}: {found:?}");
        }
        assert_eq!(compared("Naps at noon in hot countries", "Drug A in mice"), TitleMatch::Other);
        assert_eq!(compared("夜勤と睡眠の研究", "Night work and sleep"), TitleMatch::Unknown);
    }

    #[test]
    fn a_title_is_found_in_an_entry() {
        let found = |entry: &str, title: &str| Title::of(title).found_in(entry);
        let entry = "Smith J, Doe A. Coffee and sleep in adults: a trial. J Rest. 2018;12(3):1-9.";
        let (title, head) = found(entry, "Coffee and Sleep in Adults: A Trial");
        assert!(matches!(title, TitleMatch::Same { .. }), "{title:?}");
        assert_eq!(head, "Smith J, Doe A. ");
        let (title, _) = found(entry, "Tea and sleep in adults: a trial");
        assert!(matches!(title, TitleMatch::Differs { .. }), "{title:?}");
        let (title, _) = found(entry, "Heat pumps in cold houses");
        assert_eq!(title, TitleMatch::Other);
        let (title, head) =
            found("山田太郎（2020）「夜勤と睡眠の研究」『睡眠学会誌』3, 1-9.", "夜勤と睡眠の研究");
        assert!(matches!(title, TitleMatch::Same { .. }), "{title:?}");
        assert_eq!(head, "山田太郎（2020）「");
    }

    #[test]
    fn years_are_told_from_pages() {
        assert_eq!(years("Smith J. A title. J Rest. 2018;12:1901-1912."), [2018]);
        assert_eq!(years("Smith J (2018) The war of 1914 in letters"), [2018, 1914]);
        assert_eq!(years("山田太郎『本』2020年"), [2020]);
    }
}
