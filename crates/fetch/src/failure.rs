//! What went wrong on the wire, in words a user understands.

use std::error::Error;
use std::io;
use std::time::Duration;

use rustls::CertificateError;

use crate::Reason;
use crate::resolver::NoAddress;

/// Why a request brought no whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
    /// It is this machine that has no network: no site is to blame.
    pub(crate) here: bool,
    /// No connection came about: nothing of the request left.
    pub(crate) unsent: bool,
}

impl Failure {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into(), here: false, unsent: false }
    }

    pub(crate) fn timed_out(host: &str, after: Duration) -> Self {
        let seconds = (after.as_secs_f64() * 10.0).round() / 10.0;
        Self::new(Reason::TimedOut, format!("{host} did not answer within {seconds} s"))
    }

    /// Reads the whole chain of an error of the HTTP client: the cause that says most decides.
    pub(crate) fn of(error: &reqwest::Error, host: &str) -> Self {
        let mut found = None;
        each_cause(error, &mut |cause| {
            if found.is_none() {
                found = of_cause(cause, host);
            }
        });
        let failure = found.unwrap_or_else(|| Self::of_kind(error, host));
        Self { unsent: error.is_connect() || error.is_builder(), ..failure }
    }

    /// What the client says of an error whose causes say nothing.
    fn of_kind(error: &reqwest::Error, host: &str) -> Self {
        if error.is_timeout() {
            return Self::new(Reason::TimedOut, format!("{host} did not answer in time"));
        }
        if error.is_connect() {
            return Self::new(Reason::CannotConnect, format!("{host} could not be reached"));
        }
        if error.is_builder() {
            return Self::new(Reason::BadAddress, "the request could not be written");
        }
        Self::new(Reason::BrokenAnswer, format!("the answer of {host} broke off"))
    }
}

/// Calls `each` with the error and everything behind it, also what hides inside of an I/O error.
fn each_cause(error: &(dyn Error + 'static), each: &mut dyn FnMut(&(dyn Error + 'static))) {
    each(error);
    let inner = error.downcast_ref::<io::Error>().and_then(|it| it.get_ref());
    if let Some(inner) = inner {
        each_cause(inner, each);
    } else if let Some(source) = error.source() {
        each_cause(source, each);
    }
}

fn of_cause(cause: &(dyn Error + 'static), host: &str) -> Option<Failure> {
    if let Some(cause) = cause.downcast_ref::<NoAddress>() {
        return Some(match cause {
            NoAddress::Refused(refused) => Failure::new(refused.reason, refused.detail.clone()),
            NoAddress::Unknown(name) => {
                Failure::new(Reason::UnknownHost, format!("there is no host named {name}"))
            }
            NoAddress::Failed(name, _) => Failure::new(
                Reason::UnknownHost,
                format!("the name {name} could not be looked up; is there a network?"),
            ),
        });
    }
    if let Some(cause) = cause.downcast_ref::<rustls::Error>() {
        return Some(of_tls(cause, host));
    }
    if let Some(cause) = cause.downcast_ref::<hyper::Error>() {
        return of_http(cause, host);
    }
    let io = cause.downcast_ref::<io::Error>()?;
    let (reason, detail) = match io.kind() {
        io::ErrorKind::ConnectionRefused => {
            (Reason::CannotConnect, format!("{host} refused the connection"))
        }
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            let detail = format!("there is no way to {host} from here; is there a network?");
            return Some(Failure { here: true, ..Failure::new(Reason::CannotConnect, detail) });
        }
        io::ErrorKind::TimedOut => (Reason::TimedOut, format!("{host} did not answer in time")),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => (
            Reason::BrokenAnswer,
            format!("{host} closed the connection before its answer was whole"),
        ),
        io::ErrorKind::UnexpectedEof if io.get_ref().is_none_or(|it| it.source().is_none()) => {
            (Reason::BrokenAnswer, format!("the answer of {host} ended too early"))
        }
        _ => return None,
    };
    Some(Failure::new(reason, detail))
}

fn of_tls(error: &rustls::Error, host: &str) -> Failure {
    use CertificateError as C;
    let rustls::Error::InvalidCertificate(problem) = error else {
        let detail = match error {
            rustls::Error::AlertReceived(_) | rustls::Error::PeerIncompatible(_) => {
                format!("{host} and Lyra have no way of encrypting in common")
            }
            _ => format!("the encrypted connection to {host} broke"),
        };
        return Failure::new(Reason::CannotConnect, detail);
    };
    let detail = match problem {
        C::Expired | C::ExpiredContext { .. } => format!("the certificate of {host} has expired"),
        C::NotValidYet | C::NotValidYetContext { .. } => {
            format!("the certificate of {host} is not valid yet")
        }
        C::Revoked => format!("the certificate of {host} was revoked"),
        C::UnknownIssuer => {
            format!("the certificate of {host} comes from an issuer that is not trusted here")
        }
        C::NotValidForName | C::NotValidForNameContext { .. } => {
            format!("the certificate of {host} belongs to another host")
        }
        _ => format!("the certificate of {host} is not sound"),
    };
    Failure::new(Reason::BadCertificate, detail)
}

fn of_http(error: &hyper::Error, host: &str) -> Option<Failure> {
    if error.is_parse_too_large() {
        return Some(Failure::new(
            Reason::BrokenAnswer,
            format!("the header of the answer of {host} is too large"),
        ));
    }
    if error.is_parse() {
        return Some(Failure::new(Reason::BrokenAnswer, format!("{host} does not answer in HTTP")));
    }
    if error.is_incomplete_message() {
        return Some(Failure::new(
            Reason::BrokenAnswer,
            format!("the answer of {host} ended too early"),
        ));
    }
    None
}
