//! Claims in a text, what passages say about them, and how many sources say so independently.
//!
//! Pure: no clock, disk, network or graph; the same input gives the same output in the same order.
//! Models come in as arguments. Read [`ExtractedClaim`] first (what is judged), then [`stance`] (what
//! passages say about it: [`about`] it or not, [`mod@statements`] or mere mentions, [`reading`] in windows) and
//! [`independence`] (who says so).

pub mod about;
pub mod claims;
pub mod entities;
pub mod hypothesis;
mod page_parts;
mod passages;
mod question;
pub mod reading;
pub mod same;
mod sections;
pub mod stance;
pub mod statements;

pub mod citations;
pub mod retraction;
pub mod timeline;

pub mod independence;
pub mod novelty;
pub mod verification;

pub use about::{Aboutness, Topic, WordShares, Words};
pub use citations::{
    CitationSettings, LinkKind, LinkView, LoopSettings, Loops, find_loops, link_kind,
};
pub use claims::{
    ClaimSettings, ClaimSource, ExtractedClaim, Granularity, Polarity, extract_claims,
};
pub use entities::{EntityKind, NamedEntity, entities};
pub use hypothesis::{NotJudgeable, judgeable};
pub use independence::{
    SatisfactionSettings, SourcePage, independent_sources, is_primary, is_satisfied, satisfaction,
};
pub use novelty::NoveltySettings;
pub use passages::says_nothing;
pub use question::Question;
pub use reading::{Window, windows};
pub use retraction::{Notice, NoticeKind, notice};
pub use same::{Comparable, Content, SameSettings, Sides, compare, cosine, unit_cosine};
pub use stance::{
    Judged, Nearby, Reading, StanceSettings, choose, judge, judge_by_rules, judge_readings,
};
pub use statements::{Standing, Statement, is_study_of, statements};
pub use timeline::TimelineKind;
pub use verification::{ClaimFacts, VerificationSettings, Verified, promoted, verify};
