//! Titles and snippets come with tags and entities, because they were written for web pages.

use std::borrow::Cow;

/// The text without tags, entities and runs of white space.
pub(crate) fn plain(text: &str) -> String {
    let text = without_tags(text);
    htmlize::unescape(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `p < 0.05` has no tag in it.
pub(crate) fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let tag = &rest[open..];
        let begins = tag[1..].starts_with(|it: char| it.is_ascii_alphabetic() || it == '/');
        match tag.find('>').filter(|_| begins) {
            Some(close) => {
                plain += &rest[..open];
                rest = &tag[close + 1..];
            }
            None => {
                plain += &rest[..=open];
                rest = &tag[1..];
            }
        }
    }
    plain += rest;
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_entities_go_and_signs_stay() {
        assert_eq!(plain("a <b>bold</b>\n claim"), "a bold claim");
        assert_eq!(plain("p < 0.05 &amp;&lt; q > 1"), "p < 0.05 &< q > 1");
        assert_eq!(plain("&amp;lt;"), "&lt;");
        assert_eq!(plain("1990&#8211;2000&nbsp;&hellip; R&D"), "1990–2000 … R&D");
        assert_eq!(plain("half a <ta"), "half a <ta");
    }
}
