//! What answers a page instead of the network.

use std::fmt;
use std::pin::Pin;

use url::Url;

/// Something that a page asks for.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub url: Url,
    /// The page that asks.
    pub page: Url,
    /// The page itself is to go there.
    pub is_navigation: bool,
    /// Type and body of what its scripts send; else it is only asked for.
    pub post: Option<(String, Vec<u8>)>,
    /// Headers its scripts set.
    pub headers: Vec<(String, String)>,
}

/// What came for it.
#[derive(Debug, Clone)]
pub struct Brought {
    /// The address after redirects.
    pub url: Url,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Where the archive has it.
    pub record_id: Option<String>,
}

/// An answer under way; what there is none for says why.
pub type Bringing = Pin<Box<dyn Future<Output = Result<Brought, String>> + Send>>;

/// Whoever brings what pages ask for, and decides what may be asked of whom.
pub trait Network: fmt::Debug + Send + Sync {
    fn bring(&self, wanted: Wanted) -> Bringing;
}
