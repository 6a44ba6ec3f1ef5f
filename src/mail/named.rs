//! A mail server that shows a certificate which the operator has named itself: it is believed as it is, whoever signed
//! it, and also if it is an authority's, as openssl makes it unasked. The library can't be told which certificates to
//! believe, so here the connection takes any, and is used only if it is one that was named.

use std::sync::Arc;
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, CertificateStore, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use rustls::pki_types::CertificateDer;
use url::{Url, form_urlencoded};

/// The ports that the library takes.
const SUBMISSION: u16 = 587;
const SUBMISSIONS: u16 = 465;

#[derive(Clone)]
pub(super) struct Named {
    host: String,
    port: u16,
    /// TLS from the start; otherwise STARTTLS.
    is_wrapped: bool,
    encryption: TlsParameters,
    certificates: Arc<Vec<CertificateDer<'static>>>,
    credentials: Option<Credentials>,
    timeout: Duration,
}

impl Named {
    pub(super) fn of(
        url: &Url,
        certificates: Vec<CertificateDer<'static>>,
        timeout: Duration,
    ) -> Result<Self, smtp::Error> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let is_wrapped = url.scheme() == "smtps";
        // Whatever it shows is compared before anything is said.
        let encryption = TlsParameters::builder(host.clone())
            .certificate_store(CertificateStore::None)
            .dangerous_accept_invalid_certs(true)
            .dangerous_accept_invalid_hostnames(true)
            .build_rustls()?;
        let credentials = url.password().map(|password| Credentials::new(plain(url.username()), plain(password)));
        Ok(Self {
            // Brackets are a part of addresses of version 6 only in an URL.
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(if is_wrapped { SUBMISSIONS } else { SUBMISSION }),
            is_wrapped,
            encryption,
            certificates: Arc::new(certificates),
            credentials,
            timeout,
        })
    }

    /// A connection that is signed in; `None` if the server shows another certificate.
    async fn connection(&self) -> Result<Option<AsyncSmtpConnection>, smtp::Error> {
        let (at, hello) = ((self.host.as_str(), self.port), ClientId::default());
        let wrapped = self.is_wrapped.then(|| self.encryption.clone());
        let mut connection = AsyncSmtpConnection::connect_tokio1(at, Some(self.timeout), &hello, wrapped, None).await?;
        if !self.is_wrapped {
            connection.starttls(self.encryption.clone(), &hello).await?;
        }
        let shown = connection.peer_certificate()?;
        if !self.certificates.iter().any(|named| **named == *shown) {
            connection.abort().await;
            return Ok(None);
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials).await?;
        }
        Ok(Some(connection))
    }

    /// Sends a mail, if the certificate is one that was named. Returns whether it is.
    pub(super) async fn send(&self, message: &Message) -> Result<bool, smtp::Error> {
        let Some(mut connection) = self.connection().await? else { return Ok(false) };
        connection.send(message.envelope(), &message.formatted()).await?;
        connection.abort().await;
        Ok(true)
    }

    /// Whether it answers as a mail server does, if the certificate is one that was named.
    pub(super) async fn answers(&self) -> Result<Option<bool>, smtp::Error> {
        let Some(mut connection) = self.connection().await? else { return Ok(None) };
        let answers = connection.test_connected().await;
        connection.abort().await;
        Ok(Some(answers))
    }
}

/// What an URL has written with percent signs.
fn plain(part: &str) -> String {
    let whole = part.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(whole.as_bytes()).next().map(|(text, _)| text.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_read_as_the_library_reads_it() {
        for (part, text) in [("p%40ss%3Aw%25rd%2F%C3%A9", "p@ss:w%rd/é"), ("a+b&c=d", "a+b&c=d"), ("", "")] {
            assert_eq!(plain(part), text);
        }
    }
}
