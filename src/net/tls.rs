//! TLS by certificate files, which are read anew when they were renewed; and how the
//! server's own health check comes in.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::RwLock;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, DigitallySignedStruct, ServerConfig, SignatureScheme};
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

/// The server that has this certificate, as its own health check sees it: who signed the
/// certificate, for which name and until when, doesn't matter on the way to oneself. A
/// server that has another one, as before it noticed that the file was renewed, is
/// told apart and not refused.
#[derive(Debug)]
pub struct OwnServer {
    certificate: CertificateDer<'static>,
    was_another: AtomicBool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl OwnServer {
    /// Reads the certificate. The error is a sentence for the operator.
    pub fn of(chain: &Path) -> Result<Arc<Self>, String> {
        let certificate = certificates(chain)?.swap_remove(0);
        let algorithms = aws_lc_rs::default_provider().signature_verification_algorithms;
        Ok(Arc::new(Self { certificate, was_another: AtomicBool::new(false), algorithms }))
    }

    pub fn client(self: &Arc<Self>) -> Result<Arc<ClientConfig>, String> {
        ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map(|builder| builder.dangerous().with_custom_certificate_verifier(self.clone()).with_no_client_auth())
            .map(Arc::new)
            .map_err(|error| format!("TLS can't be used: {error}"))
    }

    /// Whether a server had another certificate.
    pub fn was_another(&self) -> bool {
        self.was_another.load(Ordering::Relaxed)
    }
}

impl ServerCertVerifier for OwnServer {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.was_another.store(*end_entity != self.certificate, Ordering::Relaxed);
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

fn certified(chain: &Path, key: &Path) -> Result<Arc<CertifiedKey>, String> {
    let certificates = certificates(chain)?;
    let private_key = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| format!("can't read the private key in {}: {error}", key.display()))?;
    CertifiedKey::from_der(certificates, private_key, &aws_lc_rs::default_provider())
        .map(Arc::new)
        .map_err(|error| format!("the certificate and the key can't be used: {error}"))
}

/// All certificates of a file, of which there is at least one. The error is a sentence
/// for the operator.
pub fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let certificates = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| format!("can't read the certificates in {}: {error}", file.display()))?;
    if certificates.is_empty() {
        return Err(format!("there is no certificate in {}", file.display()));
    }
    Ok(certificates)
}
