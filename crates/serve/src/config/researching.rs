//! Settings of a whole search, its language model and its report, as the stages take them.

use evidence::Budget;
use fetch::ModelServerOptions;
use judge::VerificationSettings;
use llm::guard::GuardSettings;
use llm::{LlmSettings, Protocol};
use rank::{KneeSettings, RankSettings};
use report::ReportOptions;
use serde::{Deserialize, Serialize};

use super::Settings;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankingSettings {
    pub(crate) bm25_weight: f64,
    pub(crate) embedding_weight: f64,
    pub(crate) bm25_weight_ja: f64,
    pub(crate) embedding_weight_ja: f64,
    pub(crate) bm25_top_k: usize,
    pub(crate) k1: f64,
    pub(crate) b: f64,
    pub(crate) heading_weight: f64,
    pub(crate) max_quality_penalty: f64,
    pub(crate) knee_sensitivity: f64,
    pub(crate) knee_min: usize,
    pub(crate) knee_max: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguageModelSettings {
    /// Empty where there is none.
    pub(crate) url: String,
    pub(crate) protocol: Protocol,
    pub(crate) model: String,
    pub(crate) key: String,
    pub(crate) allow_remote: bool,
    pub(crate) context_tokens: usize,
    pub(crate) max_answer_tokens: usize,
    pub(crate) max_answer_bytes: usize,
    pub(crate) timeout_s: u64,
    pub(crate) retries: u32,
    pub(crate) temperature: f64,
    pub(crate) seed: u64,
    pub(crate) max_question_chars: usize,
    pub(crate) claim_confidence: f64,
    pub(crate) min_grounded: f64,
    pub(crate) max_input_chars: usize,
    pub(crate) max_growth: usize,
    pub(crate) min_leak_chars: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportSettings {
    pub(crate) min_confidence: f64,
    pub(crate) wanted_sources: u32,
    pub(crate) max_narrative_share: f64,
    pub(crate) answer_lines: usize,
    pub(crate) max_findings: usize,
    pub(crate) max_quotes: usize,
    pub(crate) max_quote_chars: usize,
    pub(crate) max_unread: usize,
    pub(crate) max_list: usize,
    pub(crate) max_chain_steps: usize,
}

impl Settings {
    /// The numbers of all stages of a search.
    pub(crate) fn research(&self) -> research::Settings {
        research::Settings {
            search: self.search.clone(),
            max_text_chars: Some(self.task.max_text_chars),
            budget: Some(Budget {
                max_pages: self.task.max_pages,
                max_seconds: self.task.max_seconds,
            }),
            read: self.read.clone(),
            near: self.near.clone(),
            folders: self.folders.clone(),
            engines: self.engines.options(),
            expand: self.expand.clone(),
            rank: self.rank.options(),
            claims: self.claims.clone(),
            stance: self.stance.clone(),
            same: self.same.clone(),
            satisfaction: self.satisfaction.clone(),
            verification: VerificationSettings {
                enough_sources: self.domain.min_independent_sources,
            },
            novelty: self.novelty.clone(),
            citations: self.citations.clone(),
            loops: self.loops.clone(),
        }
    }
}

impl RankingSettings {
    pub(crate) fn options(&self) -> RankSettings {
        RankSettings {
            bm25_weight: self.bm25_weight,
            embedding_weight: self.embedding_weight,
            bm25_weight_ja: self.bm25_weight_ja,
            embedding_weight_ja: self.embedding_weight_ja,
            bm25_top_k: self.bm25_top_k,
            k1: self.k1,
            b: self.b,
            heading_weight: self.heading_weight,
            max_quality_penalty: self.max_quality_penalty,
            knee: KneeSettings {
                sensitivity: self.knee_sensitivity,
                min: self.knee_min,
                max: self.knee_max,
            },
        }
    }
}

impl LanguageModelSettings {
    /// Where the server is; none where no address is set.
    pub(crate) fn server(&self, offline: bool) -> Option<ModelServerOptions> {
        let url = self.url.trim().trim_end_matches('/');
        // People copy the address with the version of the protocol behind it.
        let url = url.strip_suffix("/v1").unwrap_or(url);
        (!url.is_empty()).then(|| ModelServerOptions {
            url: url.to_owned(),
            allow_remote: self.allow_remote,
            key: Some(self.key.clone()).filter(|it| !it.is_empty()),
            offline,
            max_answer_bytes: self.max_answer_bytes,
        })
    }

    pub(crate) fn options(&self) -> LlmSettings {
        LlmSettings {
            protocol: self.protocol,
            model: self.model.clone(),
            context_tokens: self.context_tokens,
            max_answer_tokens: self.max_answer_tokens,
            timeout_s: self.timeout_s,
            retries: self.retries,
            temperature: self.temperature,
            seed: self.seed,
            max_question_chars: self.max_question_chars,
            claim_confidence: self.claim_confidence,
            min_grounded: self.min_grounded,
            guard: GuardSettings {
                max_input_chars: self.max_input_chars,
                max_growth: self.max_growth,
                min_leak_chars: self.min_leak_chars,
            },
        }
    }
}

impl ReportSettings {
    pub(crate) fn options(&self) -> ReportOptions {
        ReportOptions {
            generated_at: None,
            lyra_version: env!("CARGO_PKG_VERSION").to_owned(),
            graph_fingerprint: None,
            min_confidence: self.min_confidence,
            wanted_sources: self.wanted_sources,
            max_narrative_share: self.max_narrative_share,
            answer_lines: self.answer_lines,
            max_findings: self.max_findings,
            max_quotes: self.max_quotes,
            max_quote_chars: self.max_quote_chars,
            max_unread: self.max_unread,
            max_list: self.max_list,
            max_chain_steps: self.max_chain_steps,
        }
    }
}
