//! Settings: the sections of all crates, where each value came from, and where files live.
//!
//! Each section is declared in the crate that reads it, with its names, defaults, ranges and comments
//! (see the crate `settings`). The layers above the defaults (file, environment, flags) may replace
//! values of the same type and range, and nothing else.
//! Read [`Settings`] for what can be set, [`Config::load`] for how the layers meet.

mod layers;
mod places;
mod program;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use fetch::ModelServerOptions;
use graph::EvidenceSettings;
use judge::VerificationSettings;
use report::Language;
use settings::sections;

use crate::failure::Hint;
use crate::words::{Words, say, wording};

pub(crate) use layers::{Config, Entry, Origin, Sources};
pub(crate) use places::{ConfigFile, Places, Platform};
#[cfg(test)]
pub(crate) use program::LogLevel;
pub(crate) use program::{ColorChoice, LanguageChoice, LogSettings, McpSettings, OutputSettings};

sections! {
    /// Every setting, in the order of the default file.
    pub(crate) struct Settings {
        task: research::TaskSettings,
        storage: graph::StorageSettings,
        feedback: graph::FeedbackSettings,
        domain: graph::DomainSettings,
        calibration: graph::CalibrationSettings,
        query: graph::QuerySettings,
        find: graph::FindSettings,
        read: extract::ReadSettings,
        sandbox: sandbox::SandboxSettings,
        fetch: fetch::FetchSettings,
        browser: browser::BrowserSettings,
        crawl: research::CrawlSettings,
        engines: sources::EngineSettings,
        academic: sources::academic::AcademicSettings,
        apis: sources::apis::ApiSettings,
        versions: sources::versions::VersionSettings,
        folders: sources::folders::FolderSettings,
        search: research::SearchSettings,
        expand: expand::ExpandSettings,
        rank: rank::RankSettings,
        claims: judge::ClaimSettings,
        same: judge::SameSettings,
        stance: judge::StanceSettings,
        satisfaction: judge::SatisfactionSettings,
        novelty: judge::NoveltySettings,
        near: extract::near_duplicate::NearDuplicateSettings,
        citations: judge::CitationSettings,
        loops: judge::LoopSettings,
        llm: llm::LlmSettings,
        plan: planner::PlanSettings,
        report: report::ReportSettings,
        views: graph::ViewSettings,
        vectors: graph::VectorSettings,
        models: models::ModelSettings,
        library: library::LibrarySettings,
        auth: program::AuthSettings,
        mcp: program::McpSettings,
        output: program::OutputSettings,
        log: program::LogSettings,
    }
}

/// The commented file with every default, in the language of the person.
pub(crate) fn default_file(with_expert: bool, language: Language) -> String {
    let words = &Words::of(language).reference;
    let more = match with_expert {
        true => "",
        false => words.more_for_experts.as_str(),
    };
    let settings = settings::document(&Settings::sections(), with_expert, wording(language));
    format!("{}{more}{settings}", words.default_head.as_str())
}

impl Settings {
    /// The settings that decide what the graph does on its own.
    pub(crate) fn evidence_settings(&self) -> EvidenceSettings {
        EvidenceSettings {
            feedback: self.feedback.clone(),
            domain: self.domain.clone(),
            calibration: self.calibration.clone(),
        }
    }

    /// The settings of all stages of a search.
    pub(crate) fn research(&self) -> research::Settings {
        research::Settings {
            task: self.task.clone(),
            search: self.search.clone(),
            read: self.read.clone(),
            near: self.near.clone(),
            folders: self.folders.clone(),
            engines: self.engines.clone(),
            versions: self.versions.clone(),
            expand: self.expand.clone(),
            rank: self.rank.clone(),
            claims: self.claims.clone(),
            stance: self.stance.clone(),
            same: self.same.clone(),
            satisfaction: self.satisfaction.clone(),
            verification: self.verification(),
            novelty: self.novelty.clone(),
            citations: self.citations.clone(),
            loops: self.loops.clone(),
        }
    }

    /// When the sources of a claim are enough.
    pub(crate) fn verification(&self) -> VerificationSettings {
        VerificationSettings { enough_sources: self.domain.min_independent_sources }
    }

    /// Where the language model is; none if no address is set.
    pub(crate) fn model_server(&self) -> Option<ModelServerOptions> {
        let url = self.llm.url.trim().trim_end_matches('/');
        // People copy the address with the version of the protocol behind it.
        let url = url.strip_suffix("/v1").unwrap_or(url);
        (!url.is_empty()).then(|| ModelServerOptions {
            url: url.to_owned(),
            allow_remote: self.llm.allow_remote,
            key: Some(self.llm.key.to_string()).filter(|key| !key.is_empty()),
            offline: self.fetch.offline,
            max_answer_bytes: self.llm.max_answer_bytes,
        })
    }
}

/// The environment at the start; tests pass their own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    pub(crate) fn of_process() -> Self {
        Self(std::env::vars_os().collect())
    }

    /// A variable that is set to something; an empty one counts as not set.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str).filter(|it| !it.is_empty())
    }

    fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot read the configuration file {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("the configuration file {} is larger than {limit} bytes", path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{}:{line}: {message}", path.display())]
    Syntax { path: PathBuf, line: usize, message: String },
    #[error("unknown setting `{key}` ({origin})")]
    UnknownKey { key: String, origin: Origin, closest: Option<String> },
    #[error("`{key}` is no longer a setting ({origin})")]
    Removed { key: String, origin: Origin, why: &'static str },
    #[error("`{key}` must be {expected}, not {given} ({origin})")]
    BadValue { key: String, expected: String, given: String, origin: Origin, expert: bool },
    #[error("`--set {given}` is not of the form section.key=value")]
    BadSet { given: String },
    #[error("cannot tell where the {place} is: {missing} is not set")]
    NoPlace { place: &'static str, missing: &'static str },
    #[error("cannot use `{}` as a path", path.display())]
    BadPath { path: PathBuf, source: io::Error },
}

impl Error {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Hint {
        match self {
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Hint::new(|w| &w.hint.config_start)
            }
            Self::Unreadable { .. } | Self::TooLarge { .. } => Hint::new(|w| &w.hint.other_config),
            Self::Syntax { .. } => Hint::new(|w| &w.hint.config_toml),
            Self::UnknownKey { closest: Some(closest), .. } => {
                let closest = closest.clone();
                Hint::new(move |w| say!(w.hint.did_you_mean, name = closest))
            }
            Self::UnknownKey { closest: None, .. } => Hint::new(|w| &w.hint.all_settings),
            Self::Removed { why, .. } => {
                let why = *why;
                Hint::new(move |w| say!(w.hint.remove_setting, why = why))
            }
            Self::BadValue { key, expert, .. } => {
                let section = key.split('.').next().unwrap_or_default().to_owned();
                let command =
                    if *expert { "lyra config default --expert" } else { "lyra config default" };
                Hint::new(move |w| {
                    say!(w.hint.setting_section, command = command, section = section)
                })
            }
            Self::BadSet { .. } => Hint::new(|w| &w.hint.set_form),
            Self::NoPlace { place: "configuration folder", .. } => {
                Hint::new(|w| &w.hint.name_config)
            }
            Self::NoPlace { .. } => Hint::new(|w| &w.hint.name_data_dir),
            Self::BadPath { .. } => Hint::new(|w| &w.hint.path_of_folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use models::Overrides;
    use toml::Value;

    use super::*;

    #[test]
    fn every_number_has_a_range_and_every_setting_a_comment() {
        for section in Settings::sections() {
            for field in &section.fields {
                let key = format!("{}.{}", section.name, field.name);
                let is_number = matches!(field.default, Value::Integer(_) | Value::Float(_));
                assert_eq!(is_number, has_range(&field.rule), "{key}");
                assert!(!field.comment.is_empty(), "{key}");
                assert_eq!(field.admit(&field.default, false), Ok(field.default.clone()), "{key}");
            }
        }
    }

    fn has_range(rule: &settings::Rule) -> bool {
        matches!(rule, settings::Rule::Whole(_) | settings::Rule::Fraction(_))
    }

    #[test]
    fn a_removed_name_is_not_a_setting() {
        for section in Settings::sections() {
            for removed in &section.removed {
                let known = section.fields.iter().any(|field| field.name == removed.name);
                assert!(!known, "{}.{}", section.name, removed.name);
            }
        }
    }

    #[test]
    fn a_threshold_of_zero_leaves_the_model_its_own() {
        let mut settings = Settings::default();
        assert_eq!(settings.models.thresholds(), Overrides::default());
        settings.models.refutes_threshold = 0.875;
        let expected = Overrides { refutes: Some(0.875), ..Overrides::default() };
        assert_eq!(settings.models.thresholds(), expected);
    }
}
