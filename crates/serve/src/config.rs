//! Settings: what they are, where each value came from, and where files live.
//!
//! `config/default.toml` is the only place that holds a default. The layers above it (file,
//! environment, flags) may replace values of the same type and range, and nothing else.
//! Read [`Settings`] for what can be set, [`Config::load`] for how the layers meet.

mod layers;
mod library;
mod places;
mod researching;
mod rules;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use evidence::calibration::CalibrationMethod;
use graph::{EvidenceRules, FindOptions, QueryLimits, VectorOptions, ViewSettings};
use models::{Device, Overrides};
use research::{CrawlOptions, SearchSettings};
use serde::{Deserialize, Serialize};
use sources::academic::{AcademicSettings, OpenAlexSettings, SemanticScholarSettings};
use sources::apis::ApiSettings;
use sources::canonical::LikenessSettings;
use sources::folders::FolderSettings;
use sources::{ApiLimits, ChoiceSettings, EngineSettings, HealthSettings};

pub(crate) use layers::{Config, Entry, Origin, Sources};
pub(crate) use library::LibrarySettings;
pub(crate) use places::{Place, Places, Platform};
pub(crate) use researching::{LanguageModelSettings, RankingSettings, ReportSettings};

/// The commented file with every default.
pub(crate) const DEFAULT: &str = include_str!("config/default.toml");

/// Every setting, typed. The names are those of `config/default.toml`; a test keeps them equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) task: TaskSettings,
    pub(crate) storage: StorageSettings,
    pub(crate) feedback: FeedbackSettings,
    pub(crate) domain: DomainSettings,
    pub(crate) calibration: CalibrationSettings,
    pub(crate) query: QuerySettings,
    pub(crate) find: FindSettings,
    pub(crate) read: extract::Options,
    pub(crate) fetch: fetch::Settings,
    pub(crate) crawl: CrawlOptions,
    pub(crate) engines: EnginesSettings,
    pub(crate) academic: IndexSettings,
    pub(crate) apis: PublicApiSettings,
    pub(crate) folders: FolderSettings,
    pub(crate) search: SearchSettings,
    pub(crate) expand: expand::ExpandSettings,
    pub(crate) rank: RankingSettings,
    pub(crate) claims: judge::ClaimSettings,
    pub(crate) same: judge::SameSettings,
    pub(crate) stance: judge::StanceSettings,
    pub(crate) satisfaction: judge::SatisfactionSettings,
    pub(crate) novelty: judge::NoveltySettings,
    pub(crate) near: extract::near_duplicate::NearOptions,
    pub(crate) citations: judge::CitationSettings,
    pub(crate) loops: judge::LoopSettings,
    pub(crate) llm: LanguageModelSettings,
    pub(crate) plan: planner::PlanSettings,
    pub(crate) report: ReportSettings,
    pub(crate) views: ViewsSettings,
    pub(crate) vectors: VectorOptions,
    pub(crate) models: ModelSettings,
    pub(crate) library: LibrarySettings,
    pub(crate) mcp: McpSettings,
    pub(crate) output: OutputSettings,
    pub(crate) log: LogSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskSettings {
    pub(crate) max_pages: u32,
    pub(crate) max_seconds: u32,
    pub(crate) max_text_chars: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StorageSettings {
    pub(crate) lock_wait_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeedbackSettings {
    pub(crate) max_reason_chars: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DomainSettings {
    pub(crate) high_rejection_rate_threshold: f64,
    pub(crate) high_rejection_min_samples: u32,
    pub(crate) min_independent_sources: u32,
    pub(crate) policy_reload_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CalibrationSettings {
    pub(crate) min_samples: u32,
    pub(crate) refit_after: u32,
    pub(crate) method: CalibrationMethod,
    pub(crate) folds: usize,
    pub(crate) bins: usize,
    pub(crate) degradation_threshold: f64,
    pub(crate) enable_auto_rollback: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuerySettings {
    pub(crate) rows: usize,
    pub(crate) timeout_ms: u64,
    pub(crate) vm_steps: u64,
    pub(crate) bytes: usize,
    pub(crate) value_bytes: usize,
    pub(crate) sql_bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindSettings {
    pub(crate) hits: usize,
    pub(crate) snippet_chars: usize,
    pub(crate) text_chars: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnginesSettings {
    pub(crate) disabled: Vec<String>,
    pub(crate) cache_hours: u32,
    pub(crate) result_pages: u32,
    pub(crate) enough: usize,
    pub(crate) first: usize,
    pub(crate) other_category: f64,
    pub(crate) failures_to_open: u32,
    pub(crate) open_min_minutes: u32,
    pub(crate) open_max_minutes: u32,
    pub(crate) short_share: f64,
    pub(crate) long_share: f64,
    pub(crate) max_parse_failure_rate: f64,
    pub(crate) demoted_factor: f64,
    pub(crate) min_weight_factor: f64,
    pub(crate) prior_answers: f64,
    pub(crate) weight_step: f64,
    pub(crate) ban_from: f64,
    pub(crate) ban_until: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexSettings {
    pub(crate) semantic_scholar: bool,
    pub(crate) semantic_scholar_key: String,
    pub(crate) semantic_scholar_per_second: f64,
    pub(crate) semantic_scholar_per_second_with_key: f64,
    pub(crate) semantic_scholar_per_day: u32,
    pub(crate) openalex: bool,
    pub(crate) openalex_key: String,
    pub(crate) openalex_mailto: String,
    pub(crate) openalex_per_second: f64,
    pub(crate) openalex_per_day: u32,
    pub(crate) default_results: usize,
    pub(crate) max_results: usize,
    pub(crate) max_pages: usize,
    pub(crate) max_references: usize,
    pub(crate) max_citations: usize,
    pub(crate) max_by_identifier: usize,
    pub(crate) batch: usize,
    pub(crate) max_abstract_words: usize,
    pub(crate) max_authors: usize,
    pub(crate) max_locations: usize,
    pub(crate) snippet_chars: usize,
    pub(crate) max_notes: usize,
    pub(crate) min_title_chars: usize,
    pub(crate) min_title_chars_cjk: usize,
    pub(crate) max_years_apart: i32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublicApiSettings {
    /// `name=value` each.
    pub(crate) keys: Vec<String>,
    pub(crate) disabled: Vec<String>,
    pub(crate) default_results: usize,
    pub(crate) max_results: usize,
    pub(crate) max_pages: usize,
    pub(crate) snippet_chars: usize,
    pub(crate) field_chars: usize,
    pub(crate) max_notes: usize,
    pub(crate) max_xml_depth: usize,
    pub(crate) max_xml_elements: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ViewsSettings {
    /// 0 is the year at the time of asking: TOML has no word for "none".
    pub(crate) this_year: i32,
    pub(crate) controversy_threshold: f64,
    pub(crate) min_supports: u32,
    pub(crate) hub_min_claims: u32,
    pub(crate) max_hops: u32,
    pub(crate) cluster_rounds: u32,
    pub(crate) recent_years: u32,
    pub(crate) outdated_years: u32,
    pub(crate) emerging_min_years: u32,
    pub(crate) emerging_min_trend: f64,
    pub(crate) authority_half_cited_by: u32,
    pub(crate) authority_half_citations: u32,
    pub(crate) authority_half_age: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelSettings {
    /// Empty where nothing is named: TOML has no word for "none".
    pub(crate) embedding: String,
    pub(crate) stance: String,
    /// 0 is as many as the processor runs at a time.
    pub(crate) threads: usize,
    pub(crate) batch_tokens: usize,
    pub(crate) device: Device,
    pub(crate) gpu_batch_tokens: usize,
    pub(crate) max_windows: usize,
    /// 0 is the model's own.
    pub(crate) supports_threshold: f64,
    pub(crate) refutes_threshold: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct McpSettings {
    pub(crate) answer_tokens: usize,
    pub(crate) full_tokens: usize,
    pub(crate) wait_seconds: u32,
    pub(crate) max_wait_seconds: u32,
    pub(crate) silence_seconds: u64,
    pub(crate) release_ms: u64,
    pub(crate) library: Vec<String>,
    pub(crate) resource_chars: usize,
    /// Empty for the platform's own.
    pub(crate) notify_program: String,
    /// Empty for none.
    pub(crate) http_token: String,
    pub(crate) http_hosts: Vec<String>,
    pub(crate) http_body_bytes: usize,
    pub(crate) http_sessions: usize,
    pub(crate) http_connections: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputSettings {
    pub(crate) color: ColorChoice,
    pub(crate) rows: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogSettings {
    pub(crate) level: String,
    pub(crate) keep_days: u32,
    pub(crate) archive_days: u32,
}

impl Settings {
    /// The settings that decide what the graph does on its own.
    pub(crate) fn evidence_rules(&self) -> EvidenceRules {
        let Self { feedback, domain, calibration, .. } = self;
        EvidenceRules {
            high_rejection_rate_threshold: domain.high_rejection_rate_threshold,
            high_rejection_min_samples: domain.high_rejection_min_samples,
            min_independent_sources: domain.min_independent_sources,
            max_reason_chars: feedback.max_reason_chars,
            calibration_min_samples: calibration.min_samples,
            calibration_refit_after: calibration.refit_after,
            calibration_method: calibration.method,
            calibration_folds: calibration.folds,
            calibration_bins: calibration.bins,
            degradation_threshold: calibration.degradation_threshold,
            enable_auto_rollback: calibration.enable_auto_rollback,
        }
    }
}

impl QuerySettings {
    pub(crate) fn limits(&self) -> QueryLimits {
        QueryLimits {
            rows: self.rows,
            bytes: self.bytes,
            value_bytes: self.value_bytes,
            sql_bytes: self.sql_bytes,
            timeout: Duration::from_millis(self.timeout_ms),
            vm_steps: self.vm_steps,
            include_schema: false,
        }
    }
}

impl FindSettings {
    pub(crate) fn options(&self) -> FindOptions {
        FindOptions {
            limit: self.hits,
            snippet_chars: self.snippet_chars,
            text_chars: self.text_chars,
            ..FindOptions::default()
        }
    }
}

impl EnginesSettings {
    pub(crate) fn options(&self) -> EngineSettings {
        EngineSettings {
            cache_hours: self.cache_hours,
            max_pages: self.result_pages,
            enough: self.enough,
            choice: ChoiceSettings {
                first: self.first,
                other_category: self.other_category,
                disabled: self.disabled.clone(),
            },
            health: HealthSettings {
                failures_to_open: self.failures_to_open,
                open_min_minutes: self.open_min_minutes,
                open_max_minutes: self.open_max_minutes,
                short_share: self.short_share,
                long_share: self.long_share,
                max_parse_failure_rate: self.max_parse_failure_rate,
                demoted_factor: self.demoted_factor,
                min_weight_factor: self.min_weight_factor,
                prior_answers: self.prior_answers,
                weight_step: self.weight_step,
                ban_from: self.ban_from,
                ban_until: self.ban_until,
            },
        }
    }
}

impl IndexSettings {
    pub(crate) fn options(&self) -> AcademicSettings {
        let usual = AcademicSettings::default();
        AcademicSettings {
            semantic_scholar: SemanticScholarSettings {
                enabled: self.semantic_scholar,
                key: self.semantic_scholar_key.clone(),
                per_second_with_key: self.semantic_scholar_per_second_with_key,
                limits: ApiLimits {
                    per_second: self.semantic_scholar_per_second,
                    per_day: self.semantic_scholar_per_day,
                    ..usual.semantic_scholar.limits
                },
            },
            openalex: OpenAlexSettings {
                enabled: self.openalex,
                key: self.openalex_key.clone(),
                mailto: self.openalex_mailto.clone(),
                limits: ApiLimits {
                    per_second: self.openalex_per_second,
                    per_day: self.openalex_per_day,
                    ..usual.openalex.limits
                },
            },
            default_results: self.default_results,
            max_results: self.max_results,
            max_pages: self.max_pages,
            max_references: self.max_references,
            max_citations: self.max_citations,
            max_by_identifier: self.max_by_identifier,
            batch: self.batch,
            max_abstract_words: self.max_abstract_words,
            max_authors: self.max_authors,
            max_locations: self.max_locations,
            snippet_chars: self.snippet_chars,
            max_notes: self.max_notes,
        }
    }

    /// When two records are taken for the same work.
    pub(crate) fn likeness(&self) -> LikenessSettings {
        LikenessSettings {
            min_title_chars: self.min_title_chars,
            min_title_chars_cjk: self.min_title_chars_cjk,
            max_years_apart: self.max_years_apart,
        }
    }
}

impl PublicApiSettings {
    /// Keys without a name or a value are left out: an API that needs one says so.
    pub(crate) fn options(&self) -> ApiSettings {
        let pairs = self.keys.iter().filter_map(|it| it.split_once('='));
        let keys = pairs.map(|(name, key)| (name.trim().to_owned(), key.trim().to_owned()));
        ApiSettings {
            keys: keys.filter(|(name, key)| !name.is_empty() && !key.is_empty()).collect(),
            disabled: self.disabled.clone(),
            default_results: self.default_results,
            max_results: self.max_results,
            max_pages: self.max_pages,
            snippet_chars: self.snippet_chars,
            field_chars: self.field_chars,
            max_notes: self.max_notes,
            max_xml_depth: self.max_xml_depth,
            max_xml_elements: self.max_xml_elements,
        }
    }
}

impl ViewsSettings {
    pub(crate) fn numbers(&self) -> ViewSettings {
        ViewSettings {
            this_year: Some(self.this_year).filter(|it| *it != 0),
            controversy_threshold: self.controversy_threshold,
            min_supports: self.min_supports,
            hub_min_claims: self.hub_min_claims,
            max_hops: self.max_hops,
            cluster_rounds: self.cluster_rounds,
            recent_years: self.recent_years,
            outdated_years: self.outdated_years,
            emerging_min_years: self.emerging_min_years,
            emerging_min_trend: self.emerging_min_trend,
            authority_half_cited_by: self.authority_half_cited_by,
            authority_half_citations: self.authority_half_citations,
            authority_half_age: self.authority_half_age,
        }
    }
}

impl ModelSettings {
    pub(crate) fn options(&self) -> models::Options {
        let usual = models::Options::default();
        models::Options {
            threads: if self.threads == 0 { usual.threads } else { self.threads },
            batch_tokens: self.batch_tokens,
            device: self.device,
            gpu_batch_tokens: self.gpu_batch_tokens,
            max_windows: self.max_windows,
            ..usual
        }
    }

    /// The thresholds that are set; 0 leaves a model its own.
    pub(crate) fn thresholds(&self) -> Overrides {
        let set = |value: f64| (value != 0.0).then_some(value as f32);
        Overrides { supports: set(self.supports_threshold), refutes: set(self.refutes_threshold) }
    }
}

/// The environment as it was at the start, so that tests can bring their own.
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
    #[error("`{key}` must be {expected}, not {given} ({origin})")]
    BadValue { key: String, expected: String, given: String, origin: Origin },
    #[error("`--set {given}` is not of the form section.key=value")]
    BadSet { given: String },
    #[error("cannot tell where the {place} is: {missing} is not set")]
    NoPlace { place: &'static str, missing: &'static str },
    #[error("cannot use `{}` as a path", path.display())]
    BadPath { path: PathBuf, source: io::Error },
}

impl Error {
    /// What to do about it.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "`lyra config default` prints a file to start from".to_owned()
            }
            Self::Unreadable { .. } | Self::TooLarge { .. } => {
                "name another file with --config".to_owned()
            }
            Self::Syntax { .. } => "the file is TOML; compare it with `lyra config default`".into(),
            Self::UnknownKey { closest: Some(closest), .. } => format!("did you mean `{closest}`?"),
            Self::UnknownKey { closest: None, .. } => {
                "`lyra config default` lists every setting".to_owned()
            }
            Self::BadValue { key, .. } => {
                let section = key.split('.').next().unwrap_or_default();
                format!("`lyra config default` explains it, in section [{section}]")
            }
            Self::BadSet { .. } => "for example: --set task.max_pages=40".to_owned(),
            Self::NoPlace { place: "configuration folder", .. } => {
                "name the file with --config or LYRA_CONFIG".to_owned()
            }
            Self::NoPlace { .. } => "name it with --data-dir or LYRA_DATA_DIR".to_owned(),
            Self::BadPath { .. } => "give the path of a folder or file".to_owned(),
        }
    }
}

/// Whether a setting of this name must never be shown.
pub(crate) fn is_secret(key: &str) -> bool {
    key == "apis.keys"
        || ["_key", "_token", "_password", "_secret"].iter().any(|it| key.ends_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_have_the_same_defaults_of_their_own() {
        let settings: Settings = toml::from_str(DEFAULT).unwrap();
        assert_eq!(settings.evidence_rules(), EvidenceRules::default());
        assert_eq!(settings.query.limits(), QueryLimits::default());
        assert_eq!(settings.find.options(), FindOptions::default());
        assert_eq!(settings.read, extract::Options::default());
        assert_eq!(settings.fetch, fetch::Settings::default());
        assert_eq!(settings.crawl, CrawlOptions::default());
        assert_eq!(settings.engines.options(), EngineSettings::default());
        assert_eq!(settings.academic.options(), AcademicSettings::default());
        assert_eq!(settings.academic.likeness(), LikenessSettings::default());
        assert_eq!(settings.apis.options(), ApiSettings::default());
        assert_eq!(settings.folders, FolderSettings::default());
        assert_eq!(settings.views.numbers(), ViewSettings::default());
        assert_eq!(settings.vectors, VectorOptions::default());
        assert_eq!(settings.models.options(), models::Options::default());
        assert_eq!(Duration::from_millis(settings.domain.policy_reload_ms), graph::LOOK_EVERY);
    }

    #[test]
    fn a_threshold_of_zero_leaves_the_model_its_own() {
        let mut settings: Settings = toml::from_str(DEFAULT).unwrap();
        assert_eq!(settings.models.thresholds(), Overrides::default());
        settings.models.refutes_threshold = 0.875;
        let expected = Overrides { refutes: Some(0.875), ..Overrides::default() };
        assert_eq!(settings.models.thresholds(), expected);
    }
}
