//! Why a mail server did not take a mail, in words of ours: its own may name the
//! recipient.

use std::error::Error;
use std::io::{self, ErrorKind};

use lettre::transport::smtp;

/// The status with which a mail server has refused for good, and what it means.
pub(super) fn refused_with(status: Option<&str>) -> String {
    let why = if status == Some("535") { ": the user or the password is wrong" } else { "" };
    format!("{}{why}", status.unwrap_or("no status"))
}

/// Why a mail server can't be used, whether it may do better later or not.
pub(super) fn any_reason(error: &smtp::Error) -> String {
    if error.is_permanent() {
        return format!("it refuses, with {}", refused_with(error.status().map(|code| code.to_string()).as_deref()));
    }
    reason(error).to_owned()
}

/// Whether the encryption failed because of the server's certificate.
pub(super) fn is_about_the_certificate(error: &smtp::Error) -> bool {
    matches!(of_tls(error), Some(rustls::Error::InvalidCertificate(_)))
}

/// What the encryption says, if it failed.
fn of_tls(error: &smtp::Error) -> Option<&rustls::Error> {
    let mut cause = error.source();
    while let Some(one) = cause {
        let carried = one.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(tls) = carried.and_then(|inner| inner.downcast_ref()).or_else(|| one.downcast_ref()) {
            return Some(tls);
        }
        cause = one.source();
    }
    None
}

pub(super) fn reason(error: &smtp::Error) -> &'static str {
    if error.is_timeout() {
        return "it did not answer in time";
    }
    if error.is_transient() {
        return "it wants to be asked again later";
    }
    if let Some(tls) = of_tls(error) {
        return reason_of_tls(tls);
    }
    let mut cause = error.source();
    while let Some(one) = cause {
        if let Some(io) = one.downcast_ref::<io::Error>() {
            match io.kind() {
                ErrorKind::ConnectionRefused => return "nothing listens at its address",
                ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof => return "it ended the connection",
                ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => return "there is no way to its address",
                _ => {}
            }
        }
        cause = one.source();
    }
    if error.is_client() {
        "it does not offer the encryption, or the way to sign in, that was asked for"
    } else {
        "it can't be reached, or its name isn't known"
    }
}

fn reason_of_tls(error: &rustls::Error) -> &'static str {
    use rustls::CertificateError::{
        BadSignature, Expired, ExpiredContext, NotValidForName, NotValidForNameContext, UnknownIssuer,
        UnsupportedSignatureAlgorithmForPublicKeyContext as OfOtherKey,
    };
    match error {
        // Somebody who is trusted may have the same name as who has signed it.
        rustls::Error::InvalidCertificate(UnknownIssuer | BadSignature | OfOtherKey { .. }) => {
            "nobody who is trusted has signed its certificate: --smtp-certificates names a file of those who may"
        }
        rustls::Error::InvalidCertificate(Expired | ExpiredContext { .. }) => "its certificate has expired",
        rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. }) => {
            "its certificate is for another name"
        }
        // The library has no name of its own for it.
        rustls::Error::InvalidCertificate(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "its certificate is an authority's (CA:TRUE, as openssl makes it unasked): --smtp-certificates has to name that \
             one itself"
        }
        rustls::Error::InvalidCertificate(_) => "its certificate can't be trusted",
        _ => "it does not speak TLS as it should",
    }
}
