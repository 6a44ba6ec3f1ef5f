//! TLS by certificate files, which are read anew when they were renewed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use x509_cert::der::Decode;

/// A certificate with its key, and the files that they come from.
#[derive(Debug)]
pub struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    in_use: RwLock<Arc<CertifiedKey>>,
}

impl Certificate {
    /// Reads the files. The error is a sentence for the operator.
    pub fn read(chain: &Path, key: &Path) -> Result<Self, String> {
        let in_use = RwLock::new(certified(chain, key)?);
        Ok(Self { chain: chain.to_owned(), key: key.to_owned(), in_use })
    }

    /// Until when it is valid, since 1970. The error is a sentence for the operator.
    pub fn ends(&self) -> Result<Duration, String> {
        let in_use = self.in_use.read();
        let certificate = in_use.cert.first().and_then(|der| x509_cert::Certificate::from_der(der).ok());
        certificate
            .map(|certificate| certificate.tbs_certificate.validity.not_after.to_unix_duration())
            .ok_or_else(|| format!("the certificate in {} can't be read", self.chain.display()))
    }

    /// Reads the files anew. Connections that begin later get what is in them;
    /// if they can't be used, it stays with what there was. True if something
    /// else was in them.
    pub fn renew(&self) -> Result<bool, String> {
        let renewed = certified(&self.chain, &self.key)?;
        let is_new = renewed.cert != self.in_use.read().cert;
        if is_new {
            *self.in_use.write() = renewed;
        }
        Ok(is_new)
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.in_use.read().clone())
    }
}

/// How connections are encrypted.
pub fn server_config(certificate: Arc<Certificate>) -> Result<ServerConfig, String> {
    ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_no_client_auth().with_cert_resolver(certificate))
        .map_err(|error| format!("TLS can't be used: {error}"))
}

fn certified(chain: &Path, key: &Path) -> Result<Arc<CertifiedKey>, String> {
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| format!("can't read the certificates in {}: {error}", chain.display()))?;
    if certificates.is_empty() {
        return Err(format!("there is no certificate in {}", chain.display()));
    }
    let private_key = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| format!("can't read the private key in {}: {error}", key.display()))?;
    CertifiedKey::from_der(certificates, private_key, &aws_lc_rs::default_provider())
        .map(Arc::new)
        .map_err(|error| format!("the certificate and the key can't be used: {error}"))
}
