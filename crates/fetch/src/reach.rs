//! Whether there is a network at all, found out in seconds and without a word to anybody.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;
use url::Url;

use crate::guard::Guard;
use crate::resolver::{CheckedResolver, SystemLookup};
use crate::{FetchSettings, Fetcher, OpenError};

/// Time for a name to be looked up and a connection to be opened. People wait for the answer.
const PATIENCE: Duration = Duration::from_secs(4);

impl Fetcher {
    /// Whether a connection to any of these opens, or to the proxy where one is set. It is closed at once: nothing is
    /// sent, so nothing counts against anybody's limits.
    pub async fn reaches_any(&self, addresses: &[Url]) -> bool {
        !self.is_offline() && any_opens(&self.inner.resolver, &self.inner.settings, addresses).await
    }
}

/// The same question without a fetcher: nothing is opened or written but the connections.
pub async fn reaches_any(settings: &FetchSettings, addresses: &[Url]) -> Result<bool, OpenError> {
    let guard = Arc::new(Guard::new(settings)?);
    let resolver = CheckedResolver::new(guard, Arc::new(SystemLookup));
    Ok(!settings.offline && any_opens(&resolver, settings, addresses).await)
}

async fn any_opens(
    resolver: &CheckedResolver,
    settings: &FetchSettings,
    addresses: &[Url],
) -> bool {
    let proxy = Url::parse(settings.proxy.trim()).ok();
    let hosts: Vec<(String, u16)> = match &proxy {
        Some(proxy) => host(proxy).into_iter().collect(),
        None => addresses.iter().filter_map(host).collect(),
    };
    let mut attempts = JoinSet::new();
    for (name, port) in hosts {
        attempts.spawn(opens(resolver.clone(), name, port));
    }
    let first = async {
        while let Some(opened) = attempts.join_next().await {
            if opened.is_ok_and(|it| it) {
                return true;
            }
        }
        false
    };
    tokio::time::timeout(PATIENCE, first).await.unwrap_or(false)
}

fn host(url: &Url) -> Option<(String, u16)> {
    let port =
        url.port_or_known_default().or_else(|| (url.scheme() == "socks5").then_some(1080))?;
    Some((url.host_str()?.to_owned(), port))
}

async fn opens(resolver: CheckedResolver, name: String, port: u16) -> bool {
    let Ok(found) = resolver.addresses(&name).await else { return false };
    for mut address in found {
        if address.port() == 0 {
            address.set_port(port);
        }
        if TcpStream::connect(address).await.is_ok() {
            return true;
        }
    }
    false
}
