//! Web search engines: declared in `engines/*.toml`, asked through the fetcher, monitored.

mod declaration;
mod request;
mod shipped;

mod click;
mod merge;
mod search;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use evidence::domain::site_of;
use fetch::FetchRequest;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use url::Url;

use crate::choose::Standing;
use crate::operators::Operator;

pub use self::declaration::{Checked, DeclarationError, Engine, MAX_PER_SECOND};
pub(crate) use self::declaration::{Redirect, Signs};
pub use self::merge::{Hit, merge};
pub use self::search::{EngineAnswer, EngineOutcome, EngineSearch, EngineSettings, Searched};
pub use self::shipped::{EngineProblem, SHIPPED_ENGINES, ShippedEngine};

/// A query made ready for one engine.
#[derive(Debug, Clone)]
pub struct EngineRequest {
    pub fetch_request: FetchRequest,
    /// The query in the engine's words.
    pub text: String,
    /// What the engine has no way to say.
    pub dropped: Vec<Operator>,
    /// The result page as an address a person could open, whatever the method.
    pub page: Url,
}

/// The engines there are. Clones share them.
#[derive(Debug, Clone)]
pub struct Engines {
    engines: Arc<Vec<Engine>>,
    problems: Arc<Vec<EngineProblem>>,
}

impl Engines {
    /// The shipped engines, and those of the user's folder in their place or beside them.
    pub fn load(folder: Option<&Path>) -> Self {
        let (engines, problems) = shipped::load(folder);
        Self { engines: Arc::new(engines), problems: Arc::new(problems) }
    }

    pub fn all(&self) -> &[Engine] {
        &self.engines
    }

    /// Where they are asked.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|it| it.request.url.as_str())
    }

    /// The engines of a site.
    pub fn of_site(&self, host: &str) -> Vec<&Engine> {
        let site = site_of(host);
        let at = |it: &&Engine| {
            let address = Url::parse(&it.request.url).ok();
            address.and_then(|it| it.host_str().map(site_of)) == Some(site.clone())
        };
        self.engines.iter().filter(at).collect()
    }

    pub fn get(&self, name: &str) -> Option<&Engine> {
        self.engines.iter().find(|it| it.name == name)
    }

    /// The state of every engine: its health, its requests today, and until when the fetcher lets it rest.
    pub fn standings(
        &self,
        reader: &graph::Reader<'_>,
        now: Timestamp,
    ) -> graph::Result<HashMap<String, Standing>> {
        let today = now.to_zoned(TimeZone::UTC).date().to_string();
        let standing = |engine: &Engine| {
            let health = reader.engine_health(&engine.name)?;
            let own = reader.pace(&format!("engine:{}", engine.name))?;
            let domain = reader.pace(&format!("domain:{}", engine.site()))?;
            let rests = [&own, &domain].into_iter().flatten().filter_map(|it| it.resting_until);
            let resting_until = rests.filter(|it| *it > now).max();
            let own = own.filter(|it| it.day.as_deref() == Some(today.as_str()));
            let requests_today = own.map_or(0, |it| it.requests_today);
            Ok((engine.name.clone(), Standing { health, requests_today, resting_until }))
        };
        self.all().iter().map(standing).collect()
    }

    /// Files of the user's folder that declare no engine.
    pub fn problems(&self) -> &[EngineProblem] {
        &self.problems
    }
}
