//! Pages whose full text is for subscribers.

use memchr::memmem;

use super::phrases::PHRASES;
use super::signs::{Sign, Weight};
use super::{Gate, GateKind, say};
use crate::view::PageView;

/// Words of sentences up to which a page shows a beginning where structured data says so: sites mark articles that they then show in full.
const MARKED_TEASER: f32 = 350.0;
/// Where only hints speak of it.
const HINTED_TEASER: f32 = 200.0;
/// Things beside each other up to which a page is about one of them.
const FEW_ENTRIES: usize = 6;

/// The same for any page that speaks of payment.
fn teaser(view: &PageView<'_>) -> f32 {
    view.options.teaser_max_words as f32
}

pub(super) fn paywall(view: &PageView<'_>, signs: &[&'static Sign]) -> Option<Gate> {
    let kind = GateKind::Paywall;
    let count = |weight| signs.iter().filter(|it| it.kind == kind && it.weight == weight).count();
    let prose = view.shape.prose_words;
    let mut words = Vec::new();
    if view.status == Some(402) {
        words.push("the server answered 402".to_owned());
        return Some(say(kind, signs, view.status, words));
    }
    let hints = count(Weight::Hint);
    let vendor = count(Weight::Vendor) > 0;
    let rest = rest_in_characters(view.visible);
    if let Some(rest) = &rest {
        words.push(format!("the text says “{rest}”"));
    }
    let marked = prose <= MARKED_TEASER && (view.says.paid || says_not_free(view.source))
        || rest.is_some() && view.says.paid;
    if marked {
        words.push("its structured data says that it is not free".to_owned());
    }
    let asked = (prose <= teaser(view) && count(Weight::Little) == 0)
        .then(|| PHRASES.pay_to_read.find(view.visible))
        .flatten();
    if let Some(phrase) = asked {
        words.push(format!("the text says “{phrase}”"));
    }
    // Lists of articles and of goods have such neighbours too; one text that breaks off has not.
    let one_text =
        view.shape.prose_blocks > 0 && view.shape.entries <= FEW_ENTRIES && !view.says.list;
    let sold = (prose <= HINTED_TEASER && one_text && asked.is_none())
        .then(|| PHRASES.buy_the_rest.find_across(view.visible))
        .flatten();
    if let Some(phrase) = sold {
        words.push(format!("the text says “{}”", phrase.replace('\n', " / ")));
    }
    let cut = rest.is_some() && (hints > 0 || count(Weight::Little) > 0 || marked);
    let is_gate = cut
        || count(Weight::Little) > 0 && prose <= teaser(view)
        || asked.is_some() && view.shape.prose_blocks > 0
        || marked
        || sold.is_some()
        || (hints > 1 || hints > 0 && vendor) && prose <= HINTED_TEASER && reads_on(view);
    is_gate.then(|| say(kind, signs, view.status, words))
}

/// Whether it depends on the markup, which names vendors, what a page that says much is.
pub(super) fn asks_for_source(view: &PageView<'_>, signs: &[&'static Sign]) -> bool {
    signs.iter().any(|it| it.kind == GateKind::Paywall) || paywall(view, signs).is_some()
}

/// Whether a page may be the beginning of a longer text.
pub(super) fn may_be_teaser(view: &PageView<'_>) -> bool {
    view.shape.prose_words <= teaser(view) || rest_in_characters(view.visible).is_some()
}

/// Whether there is the beginning of an article at all: shops and front pages offer subscriptions too.
fn reads_on(view: &PageView<'_>) -> bool {
    view.says.article && view.shape.prose_blocks > 0 && !view.says.list
}

/// How Japanese papers say how much is missing: 残り1,234文字.
fn rest_in_characters(text: &str) -> Option<String> {
    const MARK: &str = "残り";
    const UNITS: [&str; 4] = ["文字", "字", "ページ", "枚"];
    /// Between the mark and its unit there is a number and little else.
    const LONGEST: usize = 12;
    memmem::find_iter(text.as_bytes(), MARK).find_map(|at| {
        let after = text.get(at + MARK.len()..)?;
        let mut digits = false;
        for (index, (place, character)) in after.char_indices().enumerate() {
            match character {
                '0'..='9' | '０'..='９' => digits = true,
                '文' | '字' | 'ペ' | '枚' if digits => {
                    let unit = UNITS.iter().find(|it| after[place..].starts_with(**it))?;
                    return Some(format!("{MARK}{}{unit}", after[..place].trim()));
                }
                ',' | '，' | '：' | ':' | ' ' | '\u{3000}' | '約' => {}
                _ => return None,
            }
            if index >= LONGEST {
                return None;
            }
        }
        None
    })
}

/// Whether structured data says `isAccessibleForFree: false`, however it is written.
fn says_not_free(source: &str) -> bool {
    const MARK: &str = "isAccessibleForFree";
    memmem::find_iter(source.as_bytes(), MARK).any(|at| {
        let after = source.get(at + MARK.len()..).unwrap_or_default();
        let value = after.trim_start_matches([
            '"', '\'', '\\', ':', '=', ' ', '\n', '\r', '\t', '/', 'c', 'o', 'n', 't', 'e',
        ]);
        value.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("false"))
    })
}
