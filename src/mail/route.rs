//! Where mails go: which mail server, how it is trusted and signed in to, or which
//! folder; or nowhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt;
use lettre::transport::smtp;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use url::{Host, Url};

use super::TAKEN_WITHIN;
use super::held::HeldMails;
use super::named::Named;
use super::reason::{any_reason, is_about_the_certificate};
use crate::config::Config;
use crate::net::tls;

/// How long a mail server may take to be connected, and over each command.
const TIMEOUT: Duration = Duration::from_secs(20);
const NOT_ONE: &str = "--smtp-url is not the address of a mail server";

#[derive(Clone)]
pub enum Route {
    /// Through a mail server.
    Smtp(MailServer),
    /// As files in a folder that the operator named.
    Folder(PathBuf),
    /// Nowhere: the operator asks for them.
    Memory(Arc<HeldMails>),
}

/// A mail server, and the way to it if it shows a certificate that was named itself.
#[derive(Clone)]
pub struct MailServer {
    usual: AsyncSmtpTransport<Tokio1Executor>,
    named: Option<Arc<Named>>,
}

impl MailServer {
    pub async fn send(&self, message: &Message) -> Result<(), smtp::Error> {
        let refused = match self.usual.send(message.clone()).await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        match self.named.as_ref().filter(|_| is_about_the_certificate(&refused)) {
            Some(named) if named.send(message).await? => Ok(()),
            _ => Err(refused),
        }
    }

    async fn answers(&self) -> Result<bool, smtp::Error> {
        let refused = match self.usual.test_connection().await {
            Ok(answers) => return Ok(answers),
            Err(error) => error,
        };
        match self.named.as_ref().filter(|_| is_about_the_certificate(&refused)) {
            Some(named) => named.answers().await?.ok_or(refused),
            None => Err(refused),
        }
    }
}

impl std::fmt::Display for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Smtp(_) => f.write_str("by SMTP"),
            Self::Folder(folder) => write!(f, "files in {}", folder.display()),
            Self::Memory(_) => f.write_str("kept in memory, shown by annon mail"),
        }
    }
}

impl Route {
    /// As configured. The error is a sentence for the operator.
    pub fn of(config: &Config) -> Result<Self, String> {
        let (url, certificates) = (config.smtp_url.as_deref(), config.smtp_certificates.as_deref());
        let (Some(url), Some(file)) = (url, &config.smtp_password_file) else {
            return Self::new(url, certificates, config.mail_folder.as_deref());
        };
        let password = std::fs::read_to_string(file)
            .map_err(|error| format!("can't read the mail server's password from {}: {error}", file.display()))?;
        Self::new(Some(&with_password(url, password.trim_end_matches(['\r', '\n']))?), certificates, None)
    }

    /// Whether the mail server takes mails of ours, as far as can be told without
    /// one. The error is a reason.
    pub async fn answers(&self) -> Result<(), String> {
        let Self::Smtp(server) = self else { return Ok(()) };
        match rt::time::timeout(TAKEN_WITHIN, server.answers()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err("it does not answer as a mail server does".to_owned()),
            Ok(Err(error)) => Err(any_reason(&error)),
            Err(_) => Err("it did not answer in time".to_owned()),
        }
    }

    /// By the configured address, into the named folder, or nowhere.
    fn new(smtp_url: Option<&str>, certificates: Option<&Path>, folder: Option<&Path>) -> Result<Self, String> {
        let url = match (smtp_url, folder) {
            (Some(url), _) => url,
            (None, Some(folder)) => return Ok(Self::Folder(folder.to_owned())),
            (None, None) => return Ok(Self::Memory(Arc::default())),
        };
        let url = match url.split_once("://") {
            Some(("smtps", _)) => url.to_owned(),
            Some(("smtp", rest)) if !rest.contains('?') => format!("smtp://{rest}?tls=required"),
            Some(("smtp+plain", rest)) => format!("smtp://{rest}"),
            _ => return Err("--smtp-url has to begin with smtp://, smtps:// or smtp+plain://".to_owned()),
        };
        // The library's own words could quote the password.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url).map_err(|_| NOT_ONE.to_owned())?;
        let (builder, named) = match certificates {
            Some(file) => {
                let (encryption, named) = trusting(&url, file)?;
                (builder.tls(encryption), Some(Arc::new(named)))
            }
            None => (builder, None),
        };
        Ok(Self::Smtp(MailServer { usual: builder.timeout(Some(TIMEOUT)).build(), named }))
    }
}

/// How connections to a mail server are encrypted, if nobody but these may have signed
/// its certificate; and the way to it if the certificate was named itself.
fn trusting(url: &str, file: &Path) -> Result<(Tls, Named), String> {
    let url = Url::parse(url).map_err(|_| NOT_ONE.to_owned())?;
    let encrypts: fn(TlsParameters) -> Tls = match (url.scheme(), url.query()) {
        ("smtps", _) => Tls::Wrapper,
        ("smtp", Some(_)) => Tls::Required,
        _ => return Err("--smtp-certificates is of no use with smtp+plain://, which encrypts nothing".to_owned()),
    };
    let cant = |error: smtp::Error| format!("the certificates in {} can't be used: {error}", file.display());
    let host = url.host_str().unwrap_or_default().to_owned();
    let mut parameters = TlsParameters::builder(host).certificate_store(CertificateStore::None);
    let certificates = tls::certificates(file)?;
    for certificate in &certificates {
        parameters = parameters.add_root_certificate(Certificate::from_der(certificate.to_vec()).map_err(cant)?);
    }
    let named = Named::of(&url, certificates, TIMEOUT).map_err(cant)?;
    Ok((parameters.build_rustls().map(encrypts).map_err(cant)?, named))
}

/// Whether a mail server's address has a password in it.
pub fn has_password(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.password().is_some())
}

/// Whether mails go to another machine unencrypted.
pub fn is_readable_on_the_way(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("smtp+plain://") else { return false };
    // Only of schemes that it knows does the library take an address for one.
    let Ok(url) = Url::parse(&format!("http://{rest}")) else { return false };
    match url.host() {
        Some(Host::Domain(name)) => name != "localhost",
        Some(Host::Ipv4(address)) => !address.is_loopback(),
        Some(Host::Ipv6(address)) => !address.is_loopback(),
        None => false,
    }
}

fn with_password(url: &str, password: &str) -> Result<String, String> {
    let not_one = || NOT_ONE.to_owned();
    let mut url = Url::parse(url).map_err(|_| not_one())?;
    if url.password().is_some() {
        return Err("--smtp-url has a password in it, and --smtp-password-file names another".to_owned());
    }
    if url.username().is_empty() {
        return Err("--smtp-password-file needs a user in --smtp-url, as smtp://user@host".to_owned());
    }
    // It takes a percent sign for the beginning of something escaped.
    url.set_password(Some(&password.replace('%', "%25"))).map_err(|()| not_one())?;
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_from_a_file_is_put_into_the_address() {
        let checked = |url: &str| with_password(url, "p@ss:w%rd/é");
        assert_eq!(
            checked("smtps://user@mail.example:465").unwrap(),
            "smtps://user:p%40ss%3Aw%25rd%2F%C3%A9@mail.example:465"
        );
        assert!(checked("smtp+plain://user@127.0.0.1:25").unwrap().starts_with("smtp+plain://user:p%40ss"));
        for bad in ["smtp://mail.example", "smtp://user:other@mail.example", "mail.example"] {
            assert!(checked(bad).is_err(), "{bad}");
        }
        assert!(has_password("smtp://u:p@mail.example") && !has_password("smtp://u@mail.example"));
    }

    #[test]
    fn routes_are_told_apart_and_nonsense_is_refused_without_quoting_it() {
        let folder = Some(Path::new("mails"));
        assert!(matches!(Route::new(None, None, None), Ok(Route::Memory(_))));
        assert!(matches!(Route::new(None, None, folder), Ok(Route::Folder(_))));
        for good in ["smtp://u:p@mail.example:587", "smtps://mail.example", "smtp+plain://127.0.0.1:25"] {
            assert!(matches!(Route::new(Some(good), None, None), Ok(Route::Smtp(_))), "{good}");
        }
        for bad in ["mail.example:25", "http://u:hunter2@mail.example", "smtp://"] {
            let Err(refusal) = Route::new(Some(bad), None, None) else { panic!("{bad} was accepted") };
            assert!(!refusal.contains("hunter2"));
        }
    }
}
