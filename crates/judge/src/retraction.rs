//! Notices that take something back: retractions, corrections, expressions of concern.
//!
//! [`notice`] tells whether a page is such a notice and which work it is about, by title or DOI. An
//! article that merely reports on a retraction is none. What follows (a refuting edge, an entry in
//! the timeline) is the caller's.

use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

use text::identifiers::{self, IdentifierKind};

use crate::timeline::TimelineKind;
use text::word_list;
use text::words::folded;

/// What a notice does to a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    Retraction,
    Correction,
    /// The editors doubt the work and have not decided.
    Concern,
}

impl NoticeKind {
    /// The event it is in a timeline; doubts alone are none.
    pub fn timeline(self) -> Option<TimelineKind> {
        match self {
            Self::Retraction => Some(TimelineKind::Retracted),
            Self::Correction => Some(TimelineKind::Corrected),
            Self::Concern => None,
        }
    }
}

/// A notice and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// The page is the retracted or corrected work itself, marked as such.
    pub of_itself: bool,
    /// The title of the work, as the notice names it.
    pub title: Option<String>,
    /// DOIs the notice names where it says so, in their normal form and in order, that of the notice perhaps among
    /// them. A list of references retracts nothing.
    pub dois: Vec<String>,
    /// The characters of the text that say so; empty where only the title does.
    pub chars: Range<usize>,
    /// It says that what the work found stands.
    pub leaves_conclusions: bool,
}

/// Whether a page is a notice.
pub fn notice(title: Option<&str>, text: &str) -> Option<Notice> {
    let said = first_saying(text);
    let named = title.and_then(from_title);
    let (kind, of_itself) = match (&named, &said) {
        (Some(it), _) => (it.kind, it.of_itself),
        (None, Some(it)) => (it.kind, it.of_itself),
        (None, None) => return None,
    };
    let quoted = said.as_ref().and_then(|it| quoted_title(&text[it.place.clone()]));
    let own = title.filter(|_| of_itself && named.is_none()).map(str::to_owned);
    let title = named.and_then(|it| it.rest).or(quoted).or(own);
    let dois = dois_near(text, said.as_ref().map_or(0, |it| it.place.start));
    let chars = said.map_or(0..0, |notice| {
        let start = text[..notice.place.start].chars().count();
        start..start + text[notice.place].chars().count()
    });
    let leaves_conclusions = leaves_conclusions(text);
    Some(Notice { kind, of_itself, title, dois, chars, leaves_conclusions })
}

fn leaves_conclusions(text: &str) -> bool {
    text::sentences(text).into_iter().any(|place| {
        let plain = folded(&text[place]).to_ascii_lowercase();
        let has = |words: &[String]| words.iter().any(|it| plain.contains(it));
        has(&NOTICES.conclusions) && has(&NOTICES.unchanged)
    })
}

/// Sentences from the one that takes something back in which a notice names what it is about.
const NAMING_SENTENCES: usize = 3;

/// The DOIs in the sentences from `start` on, up to where references begin.
fn dois_near(text: &str, start: usize) -> Vec<String> {
    let sentences = text::sentences(text);
    let from = sentences.iter().filter(|it| it.start >= start).take(NAMING_SENTENCES);
    let mut dois: Vec<String> = Vec::new();
    for sentence in from.map(|it| &text[it.clone()]) {
        if sentence.lines().any(begins_references) {
            break;
        }
        for found in identifiers::find(sentence) {
            if found.kind == IdentifierKind::Doi && !dois.contains(&found.value) {
                dois.push(found.value);
            }
        }
    }
    dois
}

fn begins_references(line: &str) -> bool {
    let plain = folded(line.trim()).to_ascii_lowercase();
    let plain = plain.trim_end_matches([':', '.']);
    ["references", "reference", "bibliography", "参考文献", "文献", "引用文献"].contains(&plain)
}

/// How notices call themselves and what they say; the file says what the columns are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Notices {
    titles: Vec<(NoticeKind, bool, String)>,
    sayings: Vec<(NoticeKind, bool, String)>,
    conclusions: Vec<String>,
    unchanged: Vec<String>,
}

static NOTICES: LazyLock<Notices> =
    LazyLock::new(|| word_list::read(include_str!("../data/notices.toml")));

struct FromTitle {
    kind: NoticeKind,
    of_itself: bool,
    rest: Option<String>,
}

fn from_title(title: &str) -> Option<FromTitle> {
    let plain = folded(title.trim());
    let lower = plain.to_ascii_lowercase();
    let (kind, of_itself, start) = NOTICES.titles.iter().find(|it| lower.starts_with(&it.2))?;
    let rest = &plain[start.len()..];
    // "Retraction rates rose" and 撤回された are about retractions; a mark or a quotation follows a notice.
    let marked = rest.is_empty()
        || start.ends_with([']', ')', '】'])
        || rest.trim_start().starts_with([':', '-', '"', '「', '『', '(', '.'])
        || start.ends_with(" to")
        || start.ends_with(" of")
        || start.ends_with(" for")
        || start.ends_with("お知らせ")
        || start.ends_with("について");
    let name = rest.trim_matches(|c: char| {
        matches!(c, ':' | '-' | '"' | '「' | '」' | '『' | '』' | ' ' | '.')
    });
    marked.then(|| FromTitle {
        kind: *kind,
        of_itself: *of_itself,
        rest: (!name.is_empty()).then(|| name.to_owned()),
    })
}

struct Saying {
    kind: NoticeKind,
    of_itself: bool,
    /// Bytes of the text.
    place: Range<usize>,
}

fn first_saying(text: &str) -> Option<Saying> {
    text::sentences(text).into_iter().find_map(|place| {
        let plain = folded(&text[place.clone()]).to_ascii_lowercase();
        let (kind, of_itself, saying) = NOTICES.sayings.iter().find(|it| plain.contains(&it.2))?;
        // English sayings cannot be denied within; Japanese ones are denied right behind.
        let after: String = plain.split_once(saying)?.1.chars().take(8).collect();
        let denied = !saying.is_ascii() && (after.contains("ない") || after.contains("ません"));
        // "The editors have retracted this article" is on the article itself.
        let this = after.trim_start().starts_with("this ");
        (!denied).then_some(Saying { kind: *kind, of_itself: *of_itself || this, place })
    })
}

/// The quoted text that is long enough for a title.
fn quoted_title(sentence: &str) -> Option<String> {
    const LEAST: usize = 8;
    [('“', '”'), ('"', '"'), ('「', '」'), ('『', '』'), ('‘', '’')].iter().find_map(
        |(open, close)| {
            let start = sentence.find(*open)? + open.len_utf8();
            let length = sentence[start..].find(*close)?;
            let title = sentence[start..start + length].trim().trim_end_matches([',', '.']);
            (title.chars().count() >= LEAST).then(|| title.to_owned())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(title: &str, text: &str) -> String {
        let Some(it) = notice(Some(title).filter(|it| !it.is_empty()), text) else {
            return "none".to_owned();
        };
        let quote: String = text.chars().skip(it.chars.start).take(it.chars.len()).collect();
        format!(
            "{:?}{} | {} | {} | {quote}",
            it.kind,
            if it.of_itself { " of itself" } else { "" },
            it.title.unwrap_or_default(),
            it.dois.join(" ")
        )
    }

    #[test]
    fn phrases_of_notices_are_folded_and_none_hides_a_later_one() {
        let Notices { titles, sayings, conclusions, unchanged } = &*NOTICES;
        for words in conclusions.iter().chain(unchanged) {
            assert_eq!(*words, folded(words).to_lowercase());
        }
        for row in titles.iter().chain(sayings) {
            assert_eq!(row.2, folded(&row.2).to_lowercase());
        }
        for (index, row) in titles.iter().enumerate() {
            let hidden = titles[index + 1..].iter().find(|it| it.2.starts_with(&row.2));
            assert_eq!(hidden, None);
        }
    }

    #[test]
    fn notices_name_their_work_by_title_or_doi() {
        let table = [
            (
                "Retraction: Vitamin D and falls in older adults",
                "The authors retract the article https://doi.org/10.1000/XYZ.123 because of errors in the data.",
                "Retraction | Vitamin D and falls in older adults | 10.1000/xyz.123 | The authors retract the article https://doi.org/10.1000/XYZ.123 because of errors in the data.",
            ),
            (
                "RETRACTED ARTICLE: Vitamin D and falls",
                "Background. Falls are common.",
                "Retraction of itself | Vitamin D and falls |  | ",
            ),
            (
                "Vitamin D and falls",
                "This article has been retracted at the request of the editors. Falls are common.",
                "Retraction of itself | Vitamin D and falls |  | This article has been retracted at the request of the editors.",
            ),
            (
                "Vitamin D and falls",
                "The editors have retracted this article because the data could not be confirmed. Falls are common [1].\nReferences\nA. One. Bone density. doi:10.1000/other",
                "Retraction of itself | Vitamin D and falls |  | The editors have retracted this article because the data could not be confirmed.",
            ),
            (
                "Retraction Note: Vitamin D and falls",
                "The Editors have retracted this article [1].\nReferences\n1. A. One. doi:10.1000/abc",
                "Retraction | Vitamin D and falls |  | The Editors have retracted this article [1].",
            ),
            (
                "Notice of Retraction",
                "The Editor-in-Chief has retracted “Vitamin D and falls in adults” (doi:10.1000/abc).",
                "Retraction | Vitamin D and falls in adults | 10.1000/abc | The Editor-in-Chief has retracted “Vitamin D and falls in adults” (doi:10.1000/abc).",
            ),
            (
                "Corrigendum to “Vitamin D and falls”",
                "A table was wrong.",
                "Correction | Vitamin D and falls |  | ",
            ),
            (
                "Expression of concern: Vitamin D and falls",
                "",
                "Concern | Vitamin D and falls |  | ",
            ),
            (
                "論文撤回のお知らせ",
                "下記の論文を撤回いたします。「ビタミンDと転倒に関する研究」 doi: 10.1000/jp.1",
                "Retraction |  | 10.1000/jp.1 | 下記の論文を撤回いたします。",
            ),
            ("【撤回】ビタミンDと転倒", "要旨", "Retraction of itself | ビタミンDと転倒 |  | "),
            (
                "ビタミンDと転倒",
                "本論文は撤回されました。",
                "Retraction of itself | ビタミンDと転倒 |  | 本論文は撤回されました。",
            ),
            (
                "お詫びと訂正",
                "本文を以下のとおり訂正いたします。",
                "Correction |  |  | 本文を以下のとおり訂正いたします。",
            ),
        ];
        for (title, text, expected) in table {
            assert_eq!(shown(title, text), expected, "{title}");
        }
    }

    #[test]
    fn reports_about_retractions_are_no_notices() {
        for (title, text) in [
            ("Retraction rates rose in 2022", "More papers were retracted than ever before."),
            (
                "Vitamin D and falls",
                "An earlier paper was retracted because of manipulated images.",
            ),
            ("Vitamin D and falls", "This article has not been retracted, contrary to rumours."),
            ("Corrections officers are underpaid", "They strike."),
            ("撤回された論文が増えている", "昨年は多くの論文が撤回された。"),
            ("ビタミンDと転倒", "本論文は撤回されていない。"),
            ("ビタミンDと転倒", "転倒は減少した。"),
            ("", ""),
        ] {
            assert_eq!(shown(title, text), "none", "{title} {text}");
        }
    }

    #[test]
    fn a_correction_may_say_that_the_conclusions_stand() {
        let stands = |text: &str| {
            notice(Some("Correction: Vitamin D and falls"), text).unwrap().leaves_conclusions
        };
        assert!(stands(
            "A name was misspelt. This does not affect the conclusions of the article."
        ));
        assert!(stands("表2に誤りがありました。なお、本研究の結論に影響はありません。"));
        assert!(!stands("The results in Table 2 were wrong. Falls did not change."));
        assert!(!stands("転倒が減ったという結果は誤りでした。"));
    }

    #[test]
    fn only_what_is_decided_enters_a_timeline() {
        assert_eq!(NoticeKind::Retraction.timeline(), Some(TimelineKind::Retracted));
        assert_eq!(NoticeKind::Correction.timeline(), Some(TimelineKind::Corrected));
        assert_eq!(NoticeKind::Concern.timeline(), None);
    }
}
