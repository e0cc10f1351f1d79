//! robots.txt: what a site's owner asks of programs.

mod keeper;
mod rules;

pub(crate) use keeper::{Asked, RobotsKeeper};
pub use rules::RobotsTxt;
