//! Citations: which ones to follow, which links are some, and which lead back to where they began.
//!
//! Following all citations of a paper is not the aim: three stages leave the few that may be evidence
//! or important background. Whether they support anything is never asked here.

mod links;
mod loops;
mod stages;

pub use links::{LinkKind, LinkView, link_kind};
pub use loops::{LoopSettings, Loops, find_loops};
pub use stages::{
    Chosen, CitationSettings, CitedPaper, Direction, SourceSeen, Standing, citation_source, impact,
    stage_0, stage_1, stage_2,
};
