//! TLS by certificate files.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Reads the certificates and the key. The error is a sentence for the
/// operator.
pub fn server_config(chain: &Path, key: &Path) -> Result<ServerConfig, String> {
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| format!("can't read the certificates in {}: {error}", chain.display()))?;
    if certificates.is_empty() {
        return Err(format!("there is no certificate in {}", chain.display()));
    }
    let private_key = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| format!("can't read the private key in {}: {error}", key.display()))?;
    ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, private_key))
        .map_err(|error| format!("the certificate and the key can't be used: {error}"))
}
