//! The steps of a search as types. A step is a row of `jobs`; its payload, result and failure become JSON here and
//! nowhere else.

use evidence::{JobId, PageId, SearchId, StopReason};
use graph::{Job, JobBudget, JobState, Reader};
use judge::WordShares;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sources::SourceReport;
use sources::academic::WorkName;

use crate::calls::{MissedPage, Stage};
use crate::slots::{Slot, priority};

use super::assess::{Counts, NotKept};
use super::citations::StageCounts;
use super::select::{Chosen, LeftOut};

/// What is stored in `jobs.kind` for [`Step::Fetch`]: these steps count against the page budget.
pub(crate) const FETCH: &str = "fetch";

/// A step of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Asks the sources and lists what is to be read.
    Plan,
    /// Fetches a page or reads a file.
    Fetch(FetchStep),
    /// A page whose text is stored already: a paper's abstract, a page another search read.
    Known(KnownStep),
    /// Ranks, extracts and judges what was read since the last such step.
    Assess,
    Citations,
    Identifiers(IdentifiersStep),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FetchStep {
    pub(crate) url: String,
    #[serde(flatten)]
    pub(crate) target: FetchTarget,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum FetchTarget {
    Http {
        page: PageId,
        /// A client named it: it is tried even if it was missed before.
        #[serde(default)]
        named: bool,
        /// A free copy that an index names: it is tried before the address of the work.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        open_access: Option<String>,
        /// The page with the link that leads there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        came_from: Option<String>,
    },
    /// A document of the library. Its page is recorded once it is read.
    File { engine: String, rank: u32, title: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownStep {
    pub(crate) page: PageId,
    pub(crate) url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IdentifiersStep {
    #[serde(with = "work_names")]
    pub(crate) names: Vec<WorkName>,
}

impl Step {
    pub(crate) fn is_page(&self) -> bool {
        matches!(self, Self::Fetch(_) | Self::Known(_))
    }

    pub(crate) fn is_fetch(&self) -> bool {
        matches!(self, Self::Fetch(_))
    }

    /// What a person is told the search works at; pages tell it themselves.
    pub(crate) const fn stage(&self) -> Option<Stage> {
        match self {
            Self::Plan => Some(Stage::Asking),
            Self::Fetch(_) | Self::Known(_) => None,
            Self::Assess => Some(Stage::Ranking),
            Self::Citations | Self::Identifiers(_) => Some(Stage::Following),
        }
    }

    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Plan => "serp",
            Self::Fetch(_) => FETCH,
            Self::Known(_) => "known",
            Self::Assess => "digest",
            Self::Citations => "citations",
            Self::Identifiers(_) => "identifiers",
        }
    }

    pub(crate) const fn slot(&self) -> (Slot, u32) {
        match self {
            Self::Plan => (Slot::NetworkClient, priority::SERP),
            Self::Fetch(_) | Self::Citations | Self::Identifiers(_) => {
                (Slot::NetworkClient, priority::PREFETCH)
            }
            Self::Known(_) => (Slot::CpuNlp, priority::EXTRACT),
            Self::Assess => (Slot::CpuNlp, priority::EMBED),
        }
    }

    /// What it may use when its task has this much time left.
    pub(crate) fn budget(&self, seconds: u32) -> JobBudget {
        JobBudget { pages: u32::from(self.is_fetch()), seconds }
    }

    pub(crate) fn payload(&self) -> Value {
        match self {
            Self::Plan | Self::Assess | Self::Citations => json!({}),
            Self::Fetch(it) => json!(it),
            Self::Known(it) => json!(it),
            Self::Identifiers(it) => json!(it),
        }
    }

    fn read(kind: &str, payload: Value) -> serde_json::Result<Self> {
        Ok(match kind {
            "serp" => Self::Plan,
            FETCH => Self::Fetch(serde_json::from_value(payload)?),
            "known" => Self::Known(serde_json::from_value(payload)?),
            "digest" => Self::Assess,
            "citations" => Self::Citations,
            "identifiers" => Self::Identifiers(serde_json::from_value(payload)?),
            _ => return Err(serde_json::Error::custom("this version knows no such step")),
        })
    }
}

/// What a step that is done found out: facts, never prompts or page text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum StepResult {
    Planned(PlanResult),
    Read(ReadResult),
    Assessed(AssessResult),
    Cited(CitationsResult),
    LookedUp(LookUpResult),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanResult {
    pub(crate) sources: Vec<SourceReport>,
    pub(crate) chosen: Vec<Chosen>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) missed: Vec<MissedPage>,
    /// How common the words of the question are in the library.
    #[serde(default, skip_serializing_if = "WordShares::is_empty")]
    pub(crate) words: WordShares,
}

/// A page, fetched or known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReadResult {
    pub(crate) page: PageId,
    /// Nothing for a page whose text was stored before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) passages: Option<usize>,
    /// Works it names that are looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) names: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AssessResult {
    pub(crate) counts: Counts,
    pub(crate) marks: Marks,
    pub(crate) novelty: f64,
    /// Earlier versions did not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) not_kept: Option<NotKept>,
    /// The pages with a passage about what was asked; earlier versions did not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) about: Vec<PageId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CitationsResult {
    pub(crate) counts: StageCounts,
    pub(crate) added: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LookUpResult {
    #[serde(with = "work_names")]
    pub(crate) names: Vec<WorkName>,
    pub(crate) added: Vec<String>,
    pub(crate) unknown: usize,
}

/// Works as they are stored: `doi:10.1000/182`. A name that no index could know was never asked for, and is dropped.
mod work_names {
    use serde::{Deserialize, Deserializer, Serializer};
    use sources::academic::WorkName;

    pub(super) fn serialize<S: Serializer>(names: &[WorkName], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(names.iter().map(|it| format!("{}:{}", it.scheme.as_str(), it.value)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<WorkName>, D::Error> {
        let written = Vec::<String>::deserialize(from)?;
        Ok(written.iter().filter_map(|it| WorkName::parse(it)).collect())
    }
}

/// For each page in the order of reading: did it bring something new? Written as `+` and `-`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Marks(pub(crate) Vec<bool>);

impl From<Marks> for String {
    fn from(marks: Marks) -> Self {
        marks.0.into_iter().map(|it| if it { '+' } else { '-' }).collect()
    }
}

impl TryFrom<String> for Marks {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mark = |mark| match mark {
            '+' => Ok(true),
            '-' => Ok(false),
            other => Err(format!("`{other}` is no mark")),
        };
        text.chars().map(mark).collect::<Result<_, _>>().map(Self)
    }
}

impl StepResult {
    fn read(kind: &str, result: Value) -> serde_json::Result<Self> {
        Ok(match kind {
            "serp" => Self::Planned(serde_json::from_value(result)?),
            FETCH | "known" => Self::Read(serde_json::from_value(result)?),
            "digest" => Self::Assessed(serde_json::from_value(result)?),
            "citations" => Self::Cited(serde_json::from_value(result)?),
            _ => Self::LookedUp(serde_json::from_value(result)?),
        })
    }
}

/// Why a step has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum StepFailure {
    /// The page could not be read, or was left because an earlier search missed it.
    Missed(MissedPage),
    /// The search ended before it.
    Cancelled { reason: StopReason },
}

impl StepFailure {
    pub(crate) fn to_json(&self) -> Value {
        json!(self)
    }
}

/// A step and its result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StepRow {
    pub(crate) id: JobId,
    pub(crate) state: JobState,
    pub(crate) step: Step,
    pub(crate) result: Option<StepResult>,
    pub(crate) failure: Option<StepFailure>,
}

impl StepRow {
    /// Invariant: what this version cannot read is an error that names the row, never a guess.
    pub(crate) fn read(job: Job) -> graph::Result<Self> {
        let Job { id, kind, state, payload, result, failure, .. } = job;
        let unreadable = |part: &'static str| {
            let kind = kind.clone();
            move |error: serde_json::Error| graph::Error::Invalid {
                what: "a stored step",
                problem: format!("cannot be read: {part} of {id} (kind `{kind}`): {error}"),
            }
        };
        Ok(Self {
            id,
            state,
            step: Step::read(&kind, payload).map_err(unreadable("the payload"))?,
            result: result
                .map(|it| StepResult::read(&kind, it))
                .transpose()
                .map_err(unreadable("the result"))?,
            failure: failure
                .map(serde_json::from_value)
                .transpose()
                .map_err(unreadable("the failure"))?,
        })
    }

    /// The page that was read, if the step read one.
    pub(crate) fn page(&self) -> Option<PageId> {
        match &self.result {
            Some(StepResult::Read(it)) => Some(it.page),
            _ => None,
        }
    }

    /// What the judging came to, if the step judged.
    pub(crate) fn planned(&self) -> Option<&PlanResult> {
        match &self.result {
            Some(StepResult::Planned(it)) => Some(it),
            _ => None,
        }
    }

    pub(crate) fn assessed(&self) -> Option<&AssessResult> {
        match &self.result {
            Some(StepResult::Assessed(it)) => Some(it),
            _ => None,
        }
    }
}

/// The steps of a search, in order.
pub(crate) fn steps_of(r: &Reader<'_>, search: SearchId) -> graph::Result<Vec<StepRow>> {
    r.jobs_of(search)?.into_iter().map(StepRow::read).collect()
}

#[cfg(test)]
mod tests {
    use evidence::{Id, TaskId};

    use super::*;
    use crate::calls::MissReason;

    const PAGE: &str = "p_01HF7YAT00000000000000001A";

    fn job(kind: &str, payload: Value, result: Option<Value>, failure: Option<Value>) -> Job {
        Job {
            id: JobId::from_parts(1, 1),
            task_id: TaskId::from_parts(1, 1),
            search_id: SearchId::from_parts(1, 1),
            position: 0,
            kind: kind.to_owned(),
            slot: "cpu_nlp".to_owned(),
            priority: 1,
            state: JobState::Done,
            payload,
            result,
            failure,
        }
    }

    fn read(kind: &str, payload: Value, result: Option<Value>) -> StepRow {
        StepRow::read(job(kind, payload, result, None)).unwrap()
    }

    #[test]
    fn payloads_of_earlier_versions_are_read_and_written_as_they_were() {
        let page: PageId = PAGE.parse().unwrap();
        let http = |named| FetchTarget::Http { page, named, open_access: None, came_from: None };
        let fetch = |url: &str, target| Step::Fetch(FetchStep { url: url.to_owned(), target });
        let cases = [
            ("serp", json!({}), Step::Plan),
            (
                "fetch",
                json!({ "page": PAGE, "url": "https://a.example/", "how": "http", "named": true }),
                fetch("https://a.example/", http(true)),
            ),
            (
                "fetch",
                json!({ "url": "file:///l/a.md", "how": "file", "engine": "library", "rank": 3, "title": "A" }),
                fetch(
                    "file:///l/a.md",
                    FetchTarget::File {
                        engine: "library".to_owned(),
                        rank: 3,
                        title: "A".to_owned(),
                    },
                ),
            ),
            (
                "known",
                json!({ "page": PAGE, "url": "https://a.example/" }),
                Step::Known(KnownStep { page, url: "https://a.example/".to_owned() }),
            ),
            ("digest", json!({}), Step::Assess),
            ("citations", json!({}), Step::Citations),
            (
                "identifiers",
                json!({ "names": ["doi:10.1000/a", "pmid:12"] }),
                Step::Identifiers(IdentifiersStep {
                    names: ["doi:10.1000/a", "pmid:12"]
                        .map(|it| WorkName::parse(it).unwrap())
                        .to_vec(),
                }),
            ),
        ];
        for (kind, payload, step) in cases {
            assert_eq!(read(kind, payload.clone(), None).step, step);
            assert_eq!((step.kind(), step.payload()), (kind, payload));
        }
        // A reference of an encyclopedia was queued without saying who named it.
        let followed = json!({ "page": PAGE, "url": "https://a.example/", "how": "http" });
        assert_eq!(read("fetch", followed, None).step, fetch("https://a.example/", http(false)));
    }

    #[test]
    fn results_of_earlier_versions_are_read_and_written_as_they_were() {
        let counts = json!({
            "pages": 2, "passages": 9, "useful": 4, "new_useful": 3, "claims": 2, "merged": 1, "supports": 1,
            "refutes": 1, "neutral": 0, "abstained": 0, "left_out_passages": 0, "dangerous_pages": 0,
            "unique_ngrams": 0.5,
        });
        let stages = json!({
            "candidates_total": 40, "after_stage0": 20, "after_stage1": 9, "final_count": 5, "llm_calls": 0,
        });
        let cases = [
            (
                "serp",
                json!({
                    "sources": [
                        { "source": "mojeek", "query": "q", "found": 2 },
                        { "source": "openalex", "query": "q", "found": 0, "problem": "it rests" },
                    ],
                    "chosen": [{ "url": "https://a.example/", "source": "mojeek", "why": "place in its source's list" }],
                    "left_out": [{ "url": "https://b.example/", "why": "beyond the pages of this search" }],
                    "missed": [{ "url": "x", "reason": "bad_address", "detail": "it is no address" }],
                }),
            ),
            ("fetch", json!({ "page": PAGE, "passages": 3, "names": 1 })),
            ("known", json!({ "page": PAGE })),
            ("digest", json!({ "counts": counts, "marks": "+-", "novelty": 0.5 })),
            ("citations", json!({ "counts": stages, "added": ["https://doi.org/10.1000/a"] })),
            ("identifiers", json!({ "names": ["doi:10.1000/a"], "added": [], "unknown": 1 })),
        ];
        for (kind, result) in cases {
            let payload = match kind {
                "fetch" => json!({ "page": PAGE, "url": "https://a.example/", "how": "http" }),
                "known" => json!({ "page": PAGE, "url": "https://a.example/" }),
                "identifiers" => json!({ "names": ["doi:10.1000/a"] }),
                _ => json!({}),
            };
            let row = read(kind, payload, Some(result.clone()));
            assert_eq!(json!(row.result.unwrap()), result);
        }
    }

    #[test]
    fn a_miss_and_a_cancelled_step_are_told_apart() {
        let failure = |failure: Value| {
            let payload = json!({ "page": PAGE, "url": "https://a.example/", "how": "http" });
            StepRow::read(job("fetch", payload, None, Some(failure))).unwrap().failure.unwrap()
        };
        let missed = json!({ "url": "https://a.example/", "reason": "not_found", "detail": "it answered 404" });
        let StepFailure::Missed(read) = failure(missed.clone()) else { panic!("it is a miss") };
        assert_eq!(read.reason, MissReason::from(fetch::Reason::NotFound));
        assert_eq!(StepFailure::Missed(read).to_json(), missed);
        let cancelled = json!({ "reason": "nothing_new" });
        let expected = StepFailure::Cancelled { reason: StopReason::NothingNew };
        assert_eq!(failure(cancelled.clone()), expected);
        assert_eq!(expected.to_json(), cancelled);
    }

    #[test]
    fn what_cannot_be_read_is_an_error_that_names_the_row() {
        let broken = [
            job("fetch", json!({ "how": "http", "page": PAGE }), None, None),
            job(
                "fetch",
                json!({ "url": "https://a.example/", "how": "carrier_pigeon" }),
                None,
                None,
            ),
            job("dream", json!({}), None, None),
            job("digest", json!({}), Some(json!({ "counts": 3 })), None),
            job("digest", json!({}), None, Some(json!({ "reason": "tired" }))),
        ];
        let told: Vec<String> =
            broken.into_iter().map(|it| StepRow::read(it).unwrap_err().to_string()).collect();
        let id = JobId::from_parts(1, 1);
        assert_eq!(
            told,
            [
                format!(
                    "a stored step cannot be read: the payload of {id} (kind `fetch`): missing field `url`"
                ),
                format!(
                    "a stored step cannot be read: the payload of {id} (kind `fetch`): unknown variant `carrier_pigeon`, expected `http` or `file`"
                ),
                format!(
                    "a stored step cannot be read: the payload of {id} (kind `dream`): this version knows no such step"
                ),
                format!(
                    "a stored step cannot be read: the result of {id} (kind `digest`): invalid type: integer `3`, expected struct Counts"
                ),
                format!(
                    "a stored step cannot be read: the failure of {id} (kind `digest`): data did not match any variant of untagged enum StepFailure"
                ),
            ]
        );
    }
}
