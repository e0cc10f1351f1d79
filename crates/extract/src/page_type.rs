//! What kind of page it is.
//!
//! A gate and an error decide by themselves. Otherwise every rule that holds gives points to one
//! kind with its reason, and the kind with the most points wins: `rules` has them all.

mod missing;
#[cfg(test)]
mod public_pages;
mod rules;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::gate::{Gate, GateKind};
use crate::view::PageView;

/// A kind of page and what it was told by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    pub page_type: PageType,
    pub reasons: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageType {
    Article,
    Paper,
    Knowledge,
    Forum,
    Notice,
    List,
    LoginWall,
    Challenge,
    Error,
    #[serde(rename = "soft_404")]
    Soft404,
    Paywall,
}

/// Tells the kind of a page, given the gate that was found on it.
pub(crate) fn page_type(view: &PageView<'_>, gate: Option<&Gate>) -> Typed {
    if let Some(gate) = gate {
        let page_type = match gate.kind {
            GateKind::Login => PageType::LoginWall,
            GateKind::Challenge => PageType::Challenge,
            GateKind::Paywall => PageType::Paywall,
        };
        return Typed { page_type, reasons: gate.signs.clone() };
    }
    if let Some(missing) = missing::missing(view) {
        return missing;
    }
    rules::content_type(view)
}
