//! Certificates for any name, made when it is first asked for.
//!
//! The authority signs with its own key, which a client trusts through `fetch.ca_file`. Host names that begin with
//! `expired-cert`, `wrong-name` or `self-signed` get the certificate they promise.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rcgen::{KeyUsagePurpose, date_time_ymd};
use tokio::net::TcpStream;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::Acceptor;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{LazyConfigAcceptor, rustls};

/// The names by which a client gets a certificate it must refuse.
pub(crate) const EXPIRED: &str = "expired-cert";
pub(crate) const WRONG_NAME: &str = "wrong-name";
pub(crate) const SELF_SIGNED: &str = "self-signed";

pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    pem: String,
    /// One key for all certificates: making keys is the slow part.
    key: KeyPair,
    configurations: Mutex<HashMap<String, Arc<ServerConfig>>>,
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.distinguished_name.push(DnType::CommonName, "testweb authority");
        let key = KeyPair::generate().expect("the random source of the system works");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("the parameters are valid");
        let pem = issuer.pem();
        let key = KeyPair::generate().expect("the random source of the system works");
        Self { issuer, pem, key, configurations: Mutex::default() }
    }

    pub(crate) fn pem(&self) -> &str {
        &self.pem
    }

    /// Shakes hands with the certificate of the name the client asks for.
    pub(crate) async fn accept(
        &self,
        stream: TcpStream,
        offers_http2: impl Fn(&str) -> bool,
    ) -> io::Result<TlsStream<TcpStream>> {
        let start = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
        let name = start.client_hello().server_name().unwrap_or("localhost").to_ascii_lowercase();
        let configuration = self.configuration(&name, offers_http2(&name));
        start.into_stream(configuration).await
    }

    fn configuration(&self, name: &str, http2: bool) -> Arc<ServerConfig> {
        let mut known = self.configurations.lock().expect("making a certificate does not panic");
        let made = known.entry(name.to_owned()).or_insert_with(|| Arc::new(self.make(name, http2)));
        Arc::clone(made)
    }

    fn make(&self, name: &str, http2: bool) -> ServerConfig {
        let written = if name.starts_with(WRONG_NAME) { "somebody-else.test" } else { name };
        let mut params = CertificateParams::new(vec![written.to_owned()])
            .or_else(|_| CertificateParams::new(vec!["localhost".to_owned()]))
            .expect("localhost is a valid name");
        params.distinguished_name.push(DnType::CommonName, written);
        params.not_before = date_time_ymd(2020, 1, 1);
        let end = if name.starts_with(EXPIRED) { 2021 } else { 2120 };
        params.not_after = date_time_ymd(end, 1, 1);
        let certificate = if name.starts_with(SELF_SIGNED) {
            params.self_signed(&self.key)
        } else {
            params.signed_by(&self.key, &self.issuer)
        }
        .expect("the parameters are valid");

        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let mut configuration = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring speaks the default versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("the key belongs to the certificate");
        if http2 {
            configuration.alpn_protocols.push(b"h2".to_vec());
        }
        configuration.alpn_protocols.push(b"http/1.1".to_vec());
        configuration
    }
}
