//! What settings mean, in the language of the person.
//!
//! English stands beside the declarations; Japanese is in `words/settings.ja.toml`, where a test holds that nothing is
//! missing and nothing left over.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use report::{Language, wrapped};
use settings::{English, Field, NamedSection, Rule, Wording};
use text::word_list;

use super::Words;

static JA: LazyLock<Japanese> =
    LazyLock::new(|| Japanese(word_list::read(include_str!("../../words/settings.ja.toml"))));

/// What a section is about, beside its settings.
const ABOUT: &str = "about";
/// Columns of a comment in the default file.
const COLUMNS: usize = 98;

/// How the default file is worded for a reader of `language`.
pub(crate) fn wording(language: Language) -> &'static dyn Wording {
    match language {
        Language::En => &English,
        Language::Ja => &*JA,
    }
}

/// What a section is about, as one text.
pub(crate) fn about(section: &NamedSection, language: Language) -> String {
    match language {
        Language::En => joined(section.about),
        Language::Ja => JA.text(section, ABOUT).to_owned(),
    }
}

/// What a setting does, as one text.
pub(crate) fn meaning(section: &NamedSection, field: &Field, language: Language) -> String {
    match language {
        Language::En => joined(field.comment),
        Language::Ja => JA.text(section, field.name).to_owned(),
    }
}

/// What a setting may be; nothing where everything of its type may be given.
pub(crate) fn range(rule: &Rule, language: Language) -> String {
    match (language, rule) {
        (Language::En, _) => rule.to_string(),
        (Language::Ja, Rule::Whole(range)) => format!("{}〜{}", range.start(), range.end()),
        (Language::Ja, Rule::Fraction(range)) => format!("{:?}〜{:?}", range.start(), range.end()),
        (Language::Ja, Rule::OneOf(words)) => {
            words.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join("、")
        }
        (Language::Ja, Rule::Any) => String::new(),
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|it| it.trim()).collect::<Vec<_>>().join(" ")
}

/// Texts by section and setting.
#[derive(Debug)]
struct Japanese(BTreeMap<String, BTreeMap<String, String>>);

impl Japanese {
    fn text(&self, section: &NamedSection, name: &str) -> &str {
        self.0.get(section.name).and_then(|it| it.get(name)).map_or("", String::as_str)
    }
}

impl Wording for Japanese {
    fn about(&self, section: &NamedSection) -> Vec<String> {
        wrapped(self.text(section, ABOUT), COLUMNS)
    }

    fn comment(&self, section: &NamedSection, field: &Field) -> Vec<String> {
        let text = self.text(section, field.name);
        let text = match range(&field.rule, Language::Ja) {
            any if any.is_empty() => text.to_owned(),
            range => format!("{}（{range}）。", text.trim_end_matches('。')),
        };
        wrapped(&text, COLUMNS)
    }

    fn for_experts(&self) -> &str {
        Words::of(Language::Ja).reference.expert_heading.as_str()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::config::Settings;

    #[test]
    fn each_setting_has_its_japanese_text_and_no_text_is_left_over() {
        let sections = Settings::sections();
        let declared: BTreeSet<(&str, &str)> = sections
            .iter()
            .flat_map(|section| {
                let fields = section.fields.iter().map(|it| it.name).chain([ABOUT]);
                fields.map(|name| (section.name, name))
            })
            .collect();
        let written: BTreeSet<(&str, &str)> =
            JA.0.iter()
                .flat_map(|(section, texts)| texts.keys().map(|it| (section.as_str(), it.as_str())))
                .collect();
        let missing: Vec<_> = declared.difference(&written).collect();
        assert_eq!(missing, [] as [&(&str, &str); 0], "add to words/settings.ja.toml");
        let left: Vec<_> = written.difference(&declared).collect();
        assert_eq!(left, [] as [&(&str, &str); 0], "remove from words/settings.ja.toml");
    }

    #[test]
    fn a_japanese_comment_ends_with_its_range() {
        let sections = Settings::sections();
        let (section, field) = sections
            .iter()
            .find_map(|it| Some((it, it.fields.iter().find(|field| field.name == "max_pages")?)))
            .unwrap();
        assert_eq!(JA.comment(section, field), ["一つの調査で取得できるページ数（1〜100000）。"]);
    }
}
