//! Pieces that screens share.

use std::collections::HashSet;
use std::time::Duration;

use evidence::{Confidence, Verdict};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, PreEscaped, html};
use report::Standing;
use text::tokenize::{TokenizeFor, tokenize};
use text::words::is_stop_word;

use super::Frame;
use crate::words::say;

/// Characters of a title in a line.
const TITLE_CHARS: usize = 110;

impl Frame {
    /// A time on the clock of this machine.
    pub(crate) fn minute(&self, time: Timestamp) -> String {
        let zone = TimeZone::try_system().unwrap_or(TimeZone::UTC);
        time.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// How long ago, with the time itself for those who point at it.
    pub(crate) fn age(&self, time: Timestamp) -> Markup {
        let seconds = (self.now.as_second() - time.as_second()).max(0);
        let told = match seconds {
            0..60 => self.w.age_now.as_str().to_owned(),
            60..3_600 => say!(self.w.age_minutes, n = seconds / 60),
            3_600..86_400 => say!(self.w.age_hours, n = seconds / 3_600),
            _ => say!(self.w.age_days, n = seconds / 86_400),
        };
        html! { time datetime=(time) title=(self.minute(time)) { (told) } }
    }

    pub(crate) fn span(&self, span: Duration) -> String {
        match span.as_secs() {
            seconds @ 0..120 => say!(self.w.seconds, n = seconds),
            seconds => say!(self.w.minutes, n = seconds / 60),
        }
    }

    /// What a form of the page carries.
    pub(crate) fn proof(&self) -> Markup {
        html! {
            input type="hidden" name="csrf" value=(self.csrf);
            input type="hidden" name="back" value=(self.here);
        }
    }

    /// A button that changes something.
    pub(crate) fn button(&self, to: &str, class: &str, name: &str) -> Markup {
        html! {
            form.inline method="post" action=(to) { (self.proof()) button.(class) type="submit" { (name) } }
        }
    }

    pub(crate) fn verdict(&self, verdict: Verdict) -> Markup {
        let (class, word) = match verdict {
            Verdict::Supported => ("for", &self.w.verdict_supported),
            Verdict::Refuted => ("against", &self.w.verdict_refuted),
            Verdict::Mixed => ("mixed", &self.w.verdict_mixed),
            Verdict::NotEnough => ("open", &self.w.verdict_not_enough),
        };
        html! { span.badge.(class) { (word.as_str()) } }
    }

    pub(crate) fn standing(&self, standing: Standing) -> Markup {
        let (class, word) = match standing {
            Standing::Supported => ("for", &self.w.standing_supported),
            Standing::OneSource => ("open", &self.w.standing_one_source),
            Standing::Disputed => ("mixed", &self.w.standing_disputed),
            Standing::Refuted => ("against", &self.w.standing_refuted),
        };
        html! { span.badge.(class) { (word.as_str()) } }
    }
}

/// A confidence on a line from 0 to 1, with what is uncertain about it.
pub(crate) fn gauge(it: &Confidence) -> Markup {
    let place = |share: f64| format!("{:.1}", share.clamp(0.0, 1.0) * 100.0);
    html! {
        svg.gauge viewBox="-4 0 108 12" aria-hidden="true" {
            line.track x1="0" y1="6" x2="100" y2="6" {}
            line.band x1=(place(it.confidence - it.uncertainty)) y1="6" x2=(place(it.confidence + it.uncertainty)) y2="6" {}
            line.tick x1="50" y1="1.5" x2="50" y2="10.5" {}
            circle.dot cx=(place(it.confidence)) cy="6" r="3.4" {}
        }
    }
}

/// `0.72 ±0.08`
pub(crate) fn figure(it: &Confidence) -> String {
    format!("{:.2} ±{:.2}", it.confidence, it.uncertainty)
}

/// The two sides as a balance: sources for to the left, against to the right.
pub(crate) fn balance(supports: u32, refutes: u32) -> Markup {
    let all = f64::from(supports + refutes).max(1.0);
    let share = f64::from(supports) / all * 100.0;
    html! {
        svg.balance viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" {
            rect.rest x="0" y="0" width="100" height="4" {}
            rect.for x="0" y="0" width=(format!("{share:.2}")) height="4" {}
            @if refutes > 0 {
                rect.against x=(format!("{share:.2}")) y="0" width=(format!("{:.2}", 100.0 - share)) height="4" {}
            }
        }
    }
}

/// Text on one line, without what turns or hides the text around it.
pub(crate) fn plain(text: &str) -> String {
    report::plain(text)
}

/// A title, or the address where there is none.
pub(crate) fn title(given: Option<&str>, url: &str) -> String {
    let title = given.map(plain).filter(|it| !it.trim().is_empty()).unwrap_or_else(|| plain(url));
    text::shortened(title.trim(), TITLE_CHARS)
}

/// A publisher as people call it: documents of the user carry the name of their kind in the graph.
pub(crate) fn publisher(site: &str) -> String {
    plain(site.strip_prefix("library:").unwrap_or(site))
}

/// Whether an address is one of a page: a browser opens no file from here.
pub(crate) fn leads_out(url: &str) -> bool {
    report::link(url).is_some_and(|it| !it.starts_with("file:"))
}

/// A link that leaves the page, where the address may be one.
pub(crate) fn outward(name: &str, url: &str) -> Markup {
    match report::link(url).filter(|it| !it.starts_with("file:")) {
        Some(url) => {
            html! { a.out href=(url) target="_blank" rel="noreferrer noopener" { (name) } }
        }
        None => html! { span { (name) } },
    }
}

/// A quote with the words it shares with the claim marked: by these it was held against it.
pub(crate) fn marked(quote: &str, claim: &str) -> Markup {
    let quote = plain(quote.trim());
    let mut wanted = HashSet::new();
    tokenize(claim, TokenizeFor::Query, |term| {
        if !is_stop_word(term.text) {
            wanted.insert(term.text.to_owned());
        }
        true
    });
    let mut marks: Vec<(usize, usize)> = Vec::new();
    tokenize(&quote, TokenizeFor::Query, |term| {
        if wanted.contains(term.text) {
            match marks.last_mut() {
                // Words that stand together are one mark.
                Some(last) if term.bytes.start <= last.1 + 1 => last.1 = last.1.max(term.bytes.end),
                _ => marks.push((term.bytes.start, term.bytes.end)),
            }
        }
        true
    });
    let mut at = 0;
    let mut parts = Vec::new();
    for (start, end) in marks {
        let (Some(before), Some(inside)) = (quote.get(at..start), quote.get(start..end)) else {
            continue;
        };
        parts.push((before.to_owned(), inside.to_owned()));
        at = end;
    }
    html! {
        @for (before, inside) in &parts { (before) mark { (inside) } }
        (quote.get(at..).unwrap_or_default())
    }
}

/// The signs of the page: drawn here, so that nothing is loaded.
pub(crate) fn sign(name: &str) -> Markup {
    let path = match name {
        "lock" => "M5 9V6.5a5 5 0 0 1 10 0V9M4 9h12v8H4z",
        "open" => "M5 9V6.5a5 5 0 0 1 9.6-2M4 9h12v8H4z",
        "search" => "M13.5 13.5 18 18M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12z",
        "plus" => "M10 4v12M4 10h12",
        "folder" => "M2.5 5h5l2 2.5h8V16h-15z",
        "clock" => "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 6v4.5l3 2",
        _ => "M10 4v12",
    };
    html! {
        svg.sign viewBox="0 0 20 20" aria-hidden="true" { (PreEscaped(format!("<path d=\"{path}\"/>"))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_claim_are_marked_and_nothing_becomes_markup() {
        let shown = marked(
            "The later <b>start</b> gave pupils more sleep.",
            "Pupils sleep longer when school starts later.",
        );
        assert_eq!(
            shown.0,
            "The <mark>later</mark> &lt;b&gt;start&lt;/b&gt; gave <mark>pupils</mark> more <mark>sleep</mark>."
        );
        let japanese = marked("始業を遅らせると睡眠が延びた。", "睡眠時間は始業で変わる");
        assert_eq!(japanese.0, "<mark>始業</mark>を遅らせると<mark>睡眠</mark>が延びた。");
    }

    #[test]
    fn only_pages_become_links() {
        assert_eq!(outward("x", "javascript:alert(1)").0, "<span>x</span>");
        assert_eq!(outward("x", "file:///etc/passwd").0, "<span>x</span>");
        assert_eq!(
            outward("<i>", "https://a.org/\"onclick").0,
            "<a class=\"out\" href=\"https://a.org/%22onclick\" target=\"_blank\" rel=\"noreferrer noopener\">&lt;i&gt;</a>"
        );
    }
}
