//! What a report says. This structure is the JSON format: names are stable, and [`FORMAT`] is raised when an
//! old reader would misunderstand a new report.
//!
//! Sources are numbered from 1 and listed once; everything else cites them by number.

mod verdict;

use evidence::{
    ClaimId, Confidence, DomainCategory, EdgeId, FragmentId, NodeType, PageId, SearchId,
    SearchStatus, StatementKind, StopReason, TaskId, TaskStatus, Verification,
};
use jiff::Timestamp;
use serde::Serialize;

pub use verdict::{BestPassage, DocumentRow, NotEnough, Says, TaskVerdict};

/// The version of this structure.
pub const FORMAT: u32 = 2;

/// What the graph of one task says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: u32,
    pub task_id: TaskId,
    pub question: String,
    /// Of headings and labels; quotes and claims stay in the language of their source.
    pub language: Language,
    pub state: State,
    pub task_status: TaskStatus,
    pub stop_reason: Option<String>,
    pub started_at: Timestamp,
    pub stopped_at: Option<Timestamp>,
    pub generated_at: Option<Timestamp>,
    pub summary: Summary,
    /// What the sources say of the hypothesis. A question without one is open: the answer lists what sources name.
    pub verdict: Option<TaskVerdict>,
    /// Findings about the question, in short. Empty when there are none.
    pub answer: Vec<AnswerLine>,
    pub hypothesis: Option<Hypothesis>,
    /// Every document that was read: those that take a side first, those that are not about the question last.
    pub documents: Vec<DocumentRow>,
    /// What a language model wrote from the graph, sentence by sentence.
    pub draft: Option<Draft>,
    /// In the order they are shown: those about the question first, then those with enough independent sources.
    pub findings: Vec<Finding>,
    pub disputes: Vec<Dispute>,
    pub timeline: Timeline,
    pub retractions: Vec<Retraction>,
    /// Pages whose text speaks to machines.
    pub security: Vec<FlaggedPage>,
    pub narratives: Narratives,
    /// From a source to the primary source it rests on.
    pub chains: Vec<Chain>,
    /// Claims that are not counted, with their reason.
    pub set_aside: Vec<SetAside>,
    /// Pages and documents that could not be read, each once.
    pub missed: Vec<Missed>,
    /// Candidates that were listed and neither read nor cited, the best placed first.
    pub unread: Vec<Unread>,
    pub unsatisfied: Vec<UnsatisfiedSearch>,
    /// Everything that is cited, by number.
    pub sources: Vec<Source>,
    pub method: Method,
    /// What the limits of the report kept out.
    pub left_out: LeftOut,
}

impl Report {
    /// Every claim with evidence: the hypothesis, if it has some, then the findings.
    pub fn judged(&self) -> impl Iterator<Item = &Finding> {
        self.hypothesis.iter().filter_map(|it| it.judged.as_ref()).chain(&self.findings)
    }

    /// The source with this number.
    pub fn source(&self, number: u32) -> Option<&Source> {
        self.sources.get((number as usize).checked_sub(1)?)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    En,
    Ja,
}

impl Language {
    /// The language to answer a text in.
    pub fn of(text: &str) -> Self {
        match text::language::detect(text).tag() {
            // Without kana, Japanese keywords cannot be told from Chinese.
            "ja" | "zh" | "und-Hani" => Self::Ja,
            _ => Self::En,
        }
    }

    /// Its tag (BCP 47).
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ja => "ja",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Found,
    /// No passage was judged to support or refute anything: there are no findings.
    NothingFound,
}

/// The report in numbers. Findings that were left out by a limit are counted here.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    pub findings: u32,
    /// Findings of more than one source whose confidence reaches [`Summary::min_confidence`].
    pub confident_findings: u32,
    pub min_confidence: f64,
    /// Findings with at least [`Summary::wanted_sources`] independent sources.
    pub well_sourced_findings: u32,
    pub wanted_sources: u32,
    pub disputes: u32,
    pub sources: u32,
    /// Of these, primary, government or academic.
    pub primary_sources: u32,
    /// A document is one, however many of its sections were read.
    pub pages_read: u32,
    pub pages_missed: u32,
    pub flagged_pages: u32,
    pub retractions: u32,
    /// Judgements behind all findings, and how many of them a person corrected.
    pub judgements: u32,
    pub corrected_judgements: u32,
}

/// One line of the answer: a claim in its own words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnswerLine {
    /// The number of the finding.
    pub finding: u32,
    pub text: String,
    pub confidence: f64,
    pub uncertainty: f64,
    pub independent_sources: u32,
    pub standing: Standing,
    /// Numbers of the sources that support it.
    pub supported_by: Vec<u32>,
    pub refuted_by: Vec<u32>,
    /// Those of the finding.
    pub caveats: Vec<Caveat>,
}

/// What the task set out to test, and the result so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hypothesis {
    pub text: String,
    /// Whether it was made of the question, which can be answered with yes or no.
    pub from_question: bool,
    /// `None` when no passage took a side, or when it cannot be judged.
    pub judged: Option<Finding>,
}

/// Which sides have evidence: a fact, not a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Sources support it, none refutes.
    Supported,
    /// Nobody but the source it was taken from speaks of it.
    OneSource,
    /// Both sides have evidence.
    Disputed,
    /// Some refutes, none supports.
    Refuted,
}

/// One claim with its evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// From 1; the hypothesis has 0.
    pub number: u32,
    pub claim_id: ClaimId,
    pub text: String,
    /// Whether it is about the question; the others are found by the way.
    pub about_question: bool,
    pub standing: Standing,
    /// `confidence`, `uncertainty`, `controversy`, `alpha`, `beta`, `evidence_count`.
    #[serde(flatten)]
    pub confidence: Confidence,
    /// Supporting pages of which no two share a registrable domain or a narrative cluster.
    pub independent_sources: u32,
    pub has_primary_source: bool,
    pub verification: Verification,
    pub verification_reason: Option<String>,
    /// Numbers of the sources on each side, primary sources first.
    pub supported_by: Vec<u32>,
    pub refuted_by: Vec<u32>,
    /// Primary, government and academic sources first, within each the surest first.
    pub supporting: Vec<Evidence>,
    pub refuting: Vec<Evidence>,
    /// Passages of retracted works that take a side; they count for nothing.
    pub retracted: Vec<Evidence>,
    /// Passages that were judged and take no side.
    pub neutral_count: u32,
    /// Quotes beyond the limit.
    pub supporting_left_out: u32,
    pub refuting_left_out: u32,
    pub oldest_year: Option<i32>,
    pub newest_year: Option<i32>,
    pub caveats: Vec<Caveat>,
    /// What would raise a confidence below the threshold, as arithmetic.
    pub improvements: Vec<Improvement>,
}

/// Something a reader of a finding must know.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Caveat {
    LowConfidence {
        threshold: f64,
    },
    /// Confidence below one half: the evidence speaks against it.
    SpeaksAgainst,
    EvidenceOnBothSides,
    FewIndependentSources {
        found: u32,
        wanted: u32,
    },
    NoPrimarySource,
    /// Several pages support it and all tell the same text.
    OneNarrative {
        pages: u32,
    },
    /// A source that takes a side was retracted, and does not count.
    RetractedSource {
        sources: Vec<u32>,
    },
    /// The claim itself was corrected or retracted.
    Withdrawn,
}

/// What would raise a confidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Improvement {
    /// So many more supporting passages, each judged with this certainty, reach the threshold.
    MoreSupport {
        passages: u32,
        certainty: f64,
        threshold: f64,
    },
    MoreIndependentSources {
        more: u32,
    },
    PrimarySource,
    /// Evidence that explains or settles the contradiction.
    SettleDispute,
}

/// One passage that takes a side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    pub edge_id: EdgeId,
    /// The number of its source.
    pub source: u32,
    pub page_id: PageId,
    pub fragment_id: FragmentId,
    /// `claim` when another claim takes the side; the quote is the passage that one was taken from.
    pub source_type: NodeType,
    /// The words of the passage, unchanged.
    pub quote: String,
    /// Whether the passage continues before and after the quote.
    pub cut_before: bool,
    pub cut_after: bool,
    /// Whether it is of a primary, government or academic source; others are listed as notes.
    pub primary: bool,
    /// Whether it is of a document of the user.
    pub own_document: bool,
    pub category: DomainCategory,
    /// What the passage is in its document, where that was told.
    pub statement_kind: Option<StatementKind>,
    pub title: Option<String>,
    pub url: String,
    /// Opens the page at the passage.
    pub deep_link: Option<String>,
    /// Headings above the passage, outermost first.
    pub headings: Vec<String>,
    pub year: Option<i32>,
    pub published_at: Option<String>,
    pub archive: Option<ArchiveReference>,
    /// When the passage was read.
    pub found_at: Timestamp,
    /// The certainty of the judge, and who that was.
    pub nli_confidence: f64,
    pub nli_model: Option<String>,
    pub human_corrected: bool,
    /// Whether the claim was taken from this passage.
    pub is_origin: bool,
    /// Whether the text of the page speaks to machines, here or elsewhere.
    pub flagged: bool,
    /// When it was noted that the work was retracted.
    pub retracted_at: Option<Timestamp>,
    /// Other pages of the same source that take the same side: copies of its text, or of its publisher.
    pub copies: Vec<Copy>,
}

/// A page that speaks with the voice of another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Copy {
    pub source: u32,
    pub page_id: PageId,
    pub title: Option<String>,
    pub url: String,
    pub category: DomainCategory,
}

/// Where the bytes lie that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveReference {
    /// A record of the web archive (WARC).
    pub record_id: Option<String>,
    /// The file of the archive, or of the library.
    pub file: Option<String>,
    /// The digest of the bytes, with the name of its method.
    pub digest: Option<String>,
    /// For a page that a browser rendered: the record of the answer it was made of, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_of: Option<String>,
    /// ... and that of its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// The version that was read, where the page itself could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<OldVersion>,
}

/// A page as an archive on the web has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct OldVersion {
    pub taken_at: String,
    pub url: String,
    /// Why the page itself was not read.
    pub because: String,
}

/// A claim with evidence on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dispute {
    /// The number of the finding; 0 is the hypothesis.
    pub finding: u32,
    pub text: String,
    pub confidence: f64,
    pub uncertainty: f64,
    pub controversy: f64,
    pub supported_by: Vec<u32>,
    pub refuted_by: Vec<u32>,
    pub supporting_years: Vec<i32>,
    pub refuting_years: Vec<i32>,
    /// Passages whose year is unknown.
    pub supporting_undated: u32,
    pub refuting_undated: u32,
    /// Newest refuting year less newest supporting year: above 0 when the refutation is newer.
    pub year_gap: Option<i32>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// Evidence of the findings by year.
    pub years: Vec<YearCount>,
    /// Judgements whose source has no known year.
    pub undated: u32,
    /// What happened to claims and works, by date; the undated last.
    pub events: Vec<TimelineEvent>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct YearCount {
    pub year: i32,
    pub supports: u32,
    pub refutes: u32,
    /// Numbers of the sources.
    pub sources: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineEvent {
    /// When it happened in the world: a day, or a year. `None` if unknown.
    pub date: Option<String>,
    pub kind: TimelineKind,
    /// The number of the finding, where it is one.
    pub finding: Option<u32>,
    /// The claim or the title of the work.
    pub text: String,
    pub source: Option<u32>,
    pub url: Option<String>,
    pub reason: Option<String>,
    /// When Lyra recorded it.
    pub recorded_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimelineKind {
    FirstSeen,
    Updated,
    Corrected,
    Retracted,
    /// A person set the claim aside.
    Rejected,
    Restored,
    /// The work behind a source was retracted.
    WorkRetracted,
    /// Its page says it no more.
    Disappeared,
}

/// Something that was withdrawn or corrected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retraction {
    pub kind: TimelineKind,
    /// The title of the work, or the claim.
    pub text: String,
    /// When it happened in the world, as far as is known.
    pub date: Option<String>,
    /// When Lyra recorded it.
    pub recorded_at: Option<Timestamp>,
    /// The source that was withdrawn, or that carries the notice.
    pub source: Option<u32>,
    pub url: Option<String>,
    pub reason: Option<String>,
    /// Numbers of the findings it touches.
    pub findings: Vec<u32>,
}

/// A page whose text speaks to machines. Its words are not repeated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlaggedPage {
    pub page_id: PageId,
    pub url: String,
    pub title: Option<String>,
    /// The rules that found something, each once.
    pub rules: Vec<String>,
    /// Places in the text that readers see, and in text that is hidden from them.
    pub visible_places: u32,
    pub hidden_places: u32,
    /// Judgements that rest on passages of the page outside those places.
    pub other_judgements: u32,
    /// Judgements that rest on those places. 0 says that they had no influence.
    pub influenced_judgements: u32,
}

/// How much of the evidence tells the same text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Narratives {
    /// Pages that give evidence, and the clusters of near-identical text they fall into.
    pub pages: u32,
    pub clusters: u32,
    /// Share of the largest cluster in the pages.
    pub largest_share: f64,
    pub limit: f64,
    pub above_limit: bool,
    /// Clusters of more than one page, the largest first.
    pub copied: Vec<Narrative>,
    /// Pages that were read and repeat another one, not all of which are cited.
    pub repeated: Vec<Repeated>,
}

/// Pages that tell the text of one page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeated {
    pub first: PageName,
    pub copies: Vec<PageName>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageName {
    pub title: Option<String>,
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Narrative {
    pub cluster: String,
    /// The first by category, then by date: what the others are copies of, as far as is known.
    pub first: u32,
    /// Numbers of all its sources.
    pub sources: Vec<u32>,
    pub share: f64,
}

/// A way along citations from a source to a primary one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chain {
    pub steps: Vec<ChainStep>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainStep {
    /// The number of the source, where it is cited in the report.
    pub source: Option<u32>,
    pub page_id: PageId,
    pub title: Option<String>,
    pub url: String,
    pub category: DomainCategory,
    pub year: Option<i32>,
}

/// A claim that does not count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetAside {
    pub claim_id: ClaimId,
    /// Empty for a dangerous claim: its words are not repeated.
    pub text: String,
    pub reason: SetAsideReason,
    pub detail: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SetAsideReason {
    /// A person did not adopt it.
    NotAdopted,
    /// Its text or source carried instructions to machines.
    Dangerous,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missed {
    pub url: String,
    /// The code of the fetching stage, such as `robots` or `timed_out`.
    pub reason: String,
    pub detail: Option<String>,
    pub at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unread {
    pub url: String,
    pub title: Option<String>,
    pub engine: String,
    pub rank: u32,
    pub query: String,
}

/// A search without enough independent sources, ended or not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnsatisfiedSearch {
    pub search_id: SearchId,
    pub query: String,
    pub status: SearchStatus,
    pub satisfaction: Option<f64>,
    pub independent_sources: Option<u32>,
    pub has_primary_source: Option<bool>,
    pub stop_reason: Option<StopReason>,
}

/// A page that is cited.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Source {
    pub number: u32,
    pub page_id: PageId,
    pub url: String,
    pub title: Option<String>,
    pub author: Option<String>,
    /// The registrable domain, or the name of a document of the library.
    pub site: String,
    pub category: DomainCategory,
    pub primary: bool,
    /// Whether it is a document of the user.
    pub own_document: bool,
    pub page_type: Option<String>,
    pub year: Option<i32>,
    pub published_at: Option<String>,
    pub modified_at: Option<String>,
    pub venue: Option<String>,
    pub doi: Option<String>,
    /// When it was noted that the work was retracted.
    pub retracted_at: Option<Timestamp>,
    pub narrative_cluster: Option<String>,
    pub quality_score: Option<f64>,
    pub archive: Option<ArchiveReference>,
    pub found_at: Timestamp,
    pub fetched_at: Option<Timestamp>,
    /// Whether its text speaks to machines.
    pub flagged: bool,
    /// Findings it supports and refutes, by number.
    pub supports: Vec<u32>,
    pub refutes: Vec<u32>,
}

/// What a language model wrote from the graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Draft {
    pub model: String,
    pub written_at: Timestamp,
    pub sentences: Vec<DraftSentence>,
    /// Sentences that cite nothing, which are not shown.
    pub uncited: u32,
    /// Sentences that were checked and are not borne out by what they cite.
    pub failed: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DraftSentence {
    pub text: String,
    /// Numbers of the sources; never empty.
    pub citations: Vec<u32>,
    pub fragments: Vec<FragmentId>,
    /// Whether what it cites bears it out; `None` when that could not be checked.
    pub entailed: Option<bool>,
}

/// How the report came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Method {
    pub searches: Vec<Search>,
    pub budget: Budget,
    /// Engines, indexes and libraries that were asked.
    pub engines: Vec<Engine>,
    pub requests: Requests,
    pub models: Vec<Model>,
    pub lyra_version: String,
    pub schema_version: i64,
    pub graph_fingerprint: Option<String>,
    /// Entries of the causal log that belong to the task.
    pub logged_events: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Search {
    pub search_id: SearchId,
    pub query: String,
    pub status: SearchStatus,
    /// Whether it looked for what speaks against.
    pub refuting: bool,
    pub pages: u32,
    pub useful_fragments: u32,
    pub harvest: Option<f64>,
    pub satisfaction: Option<f64>,
    pub novelty: Option<f64>,
    pub stop_reason: Option<StopReason>,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Budget {
    pub pages_used: u32,
    pub pages_limit: u32,
    pub seconds_used: f64,
    pub seconds_limit: u32,
    pub llm_seconds: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Engine {
    pub name: String,
    pub results: u32,
    pub pages: u32,
    /// What became of it: `found`, `nothing_there`, `not_let_in`, `not_asked`.
    pub access: Option<String>,
    /// Why it listed nothing.
    pub problem: Option<String>,
}

/// What left the machine for the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Requests {
    pub count: u64,
    pub hosts: u64,
    pub bytes_sent: u64,
    pub bytes_received: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// `stance`, `claims`, `embedding` or `draft`.
    pub role: String,
    /// Name and version as they were recorded.
    pub name: String,
    pub uses: u32,
}

/// How much the limits of the report kept out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub documents: u32,
    pub findings: u32,
    /// Claims for which no passage takes a side.
    pub claims_without_evidence: u32,
    pub missed: u32,
    pub unread: u32,
    pub set_aside: u32,
    pub chains: u32,
    pub narratives: u32,
}
