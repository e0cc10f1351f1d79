//! TLS and HTTP/2 on the same port.

use std::sync::Arc;

use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use testweb::{Protocol, TestWeb, World};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

async fn shake(
    web: &TestWeb,
    host: &str,
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(web.ca_pem().as_bytes()).unwrap()).unwrap();
    let mut config =
        ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|it| it.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(web.address()).await.unwrap();
    let name = ServerName::try_from(host.to_owned()).unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

#[tokio::test]
async fn http_1_over_tls_is_answered_with_a_certificate_of_the_name() {
    let web = TestWeb::start(World::new(1));
    let page = web.world().pages_of("news-1.test").next().unwrap();
    let mut stream = shake(&web, "news-1.test", &["http/1.1"]).await.unwrap();
    let request =
        format!("GET {} HTTP/1.1\r\nHost: news-1.test\r\nConnection: close\r\n\r\n", page.path());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"));
    let hit = &web.hits("news-1.test")[0];
    assert_eq!((hit.secure, hit.protocol), (true, Protocol::Http1));
}

#[tokio::test]
async fn http_2_carries_many_requests_at_once() {
    let web = TestWeb::start(World::new(1));
    web.pause_before_answers(std::time::Duration::from_millis(200));
    let stream = shake(&web, "news-1.test", &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let mut answers = Vec::new();
    for page in web.world().pages_of("news-1.test") {
        let request = hyper::Request::get(&page.url).body(Empty::<Bytes>::new()).unwrap();
        answers.push((page, sender.send_request(request)));
    }
    let count = answers.len();
    for (page, answer) in answers {
        let answer = answer.await.unwrap();
        assert_eq!(answer.status(), 200);
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&body).contains("<article"), "{}", page.url);
    }
    let hits = web.hits("news-1.test");
    assert_eq!(hits.len(), count);
    assert!(hits.iter().all(|it| it.protocol == Protocol::Http2 && it.connection == 1));
    assert_eq!(web.most_open_at_once("news-1.test"), count);
}

#[tokio::test]
async fn sites_that_misplace_bytes_offer_no_http_2() {
    let web = TestWeb::start(World::new(1));
    let stream = shake(&web, "endless-1.test", &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
}

#[tokio::test]
async fn bad_certificates_are_bad_in_the_way_their_name_says() {
    let web = TestWeb::start(World::new(1));
    let mut problems = Vec::new();
    for host in ["expired-cert-1.test", "wrong-name-1.test", "self-signed-1.test"] {
        let error = shake(&web, host, &["http/1.1"]).await.unwrap_err();
        let error = error.get_ref().unwrap().downcast_ref::<rustls::Error>().unwrap().clone();
        let rustls::Error::InvalidCertificate(problem) = error else { panic!("{error}") };
        problems.push(format!("{problem:?}").split([' ', '{', '(']).next().unwrap().to_owned());
    }
    insta::assert_snapshot!(problems.join(" "), @"ExpiredContext NotValidForNameContext UnknownIssuer");
}
