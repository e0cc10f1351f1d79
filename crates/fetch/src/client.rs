//! The HTTP client: what it trusts, what it bounds, and that it does nothing on its own.
//!
//! It follows no redirect, unpacks nothing, keeps no cookie, reads no environment and sends no request twice:
//! all of that is decided, paced and recorded by the fetcher.

use std::time::Duration;

use reqwest::{Certificate, Client, Proxy};

use crate::resolver::CheckedResolver;
use crate::{FetchSettings, OpenError};

/// Lines of a header; floods have thousands.
const MAX_HEADERS: usize = 256;
const IDLE_CONNECTIONS_PER_HOST: usize = 4;
const IDLE_CONNECTION: Duration = Duration::from_secs(30);

pub(crate) fn client(
    settings: &FetchSettings,
    resolver: CheckedResolver,
) -> Result<Client, OpenError> {
    // The first in the process decides; all parts of Lyra choose the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let extra = extra_roots(settings)?;
    let builder = || -> Result<reqwest::ClientBuilder, OpenError> {
        let header_bytes = u32::try_from(settings.max_header_bytes).unwrap_or(u32::MAX);
        let mut builder = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .dns_resolver(resolver.clone())
            .connect_timeout(Duration::from_millis(settings.connect_timeout_ms))
            .pool_idle_timeout(IDLE_CONNECTION)
            .pool_max_idle_per_host(IDLE_CONNECTIONS_PER_HOST)
            .http1_max_headers(MAX_HEADERS)
            .http2_max_header_list_size(header_bytes);
        let proxy = settings.proxy.trim();
        if !proxy.is_empty() {
            let proxy = Proxy::all(proxy).map_err(|error| OpenError::Setting {
                setting: "proxy",
                // The whole value may hold a password.
                value: "...".to_owned(),
                problem: format!("cannot be used: {error}"),
            })?;
            builder = builder.proxy(proxy);
        }
        Ok(builder)
    };
    let mut trusting = builder()?;
    if !extra.is_empty() {
        trusting = trusting.tls_certs_merge(extra.clone());
    }
    match trusting.build() {
        Ok(client) => Ok(client),
        // A machine without any certificate to trust can still read what needs none.
        Err(error) => {
            tracing::warn!(%error, "the system's certificates cannot be read; https will not work");
            builder()?.tls_certs_only(extra).build().map_err(OpenError::Client)
        }
    }
}

/// More than the certificates of all authorities there are.
const MAX_ROOTS_BYTES: u64 = 16 << 20;

fn extra_roots(settings: &FetchSettings) -> Result<Vec<Certificate>, OpenError> {
    let path = &settings.ca_file;
    if path.as_os_str().is_empty() {
        return Ok(Vec::new());
    }
    let bad = |problem: String| OpenError::Setting {
        setting: "ca_file",
        value: path.display().to_string(),
        problem,
    };
    let pem = files::read(path, MAX_ROOTS_BYTES)
        .map_err(|error| bad(format!("cannot be read: {error}")))?;
    let found = Certificate::from_pem_bundle(&pem)
        .map_err(|_| bad("holds no certificates in PEM form".to_owned()))?;
    match found.is_empty() {
        true => Err(bad("holds no certificates in PEM form".to_owned())),
        false => Ok(found),
    }
}
