//! What the engine is opened with, and why it can't be.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio_postgres::error::SqlState;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::postgres::connection::Address;
use crate::postgres::named::Named;
use crate::postgres::schema::{KEYS, RECORD, Schema};
use crate::postgres::wire::Line;
use crate::seals::secret::Secret;

/// Where a database or NATS is. It has no `Debug`, since it may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerPlace {
    pub url: String,
    /// The password, if the URL has none.
    pub password: Option<String>,
}

#[derive(Clone)]
pub struct PostgresOptions {
    /// The record.
    pub record: ServerPlace,
    /// The database of keys. If it is the record's, deleted is gone with the oldest backup.
    pub keys: ServerPlace,
    /// The file of the secret, the same on all nodes.
    pub secret: PathBuf,
    /// NATS carries what nodes tell each other. If there is none, the record's database does.
    pub nats: Option<ServerPlace>,
    /// A file of certificates (PEM) that the databases and NATS show, or that have signed those,
    /// instead of the system's.
    pub certificates: Option<PathBuf>,
    /// What the operator calls this node.
    pub node: String,
    /// How many accounts are allowed.
    pub most_accounts: usize,
    /// Bytes that all pictures together may take; `None`: as many as there is space for.
    pub picture_bytes: Option<u64>,
    /// Bytes that the record may take. Above it, what grows is refused.
    pub record_bytes: Option<u64>,
}

/// Why the databases can't be used. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    #[error("there is no secret at {0}: copy the file `secret` there from another node, or from a data folder")]
    NoSecret(PathBuf),
    #[error("the secret at {0} can't be used: {1}")]
    Secret(PathBuf, io::Error),
    #[error("the certificates at {0} can't be used: {1}")]
    Certificates(PathBuf, rustls::pki_types::pem::Error),
    #[error("the URL of {0} can't be read: {1}")]
    Url(&'static str, tokio_postgres::Error),
    #[error("the URL of {0} has a password in it, and a file names another: leave one of them out")]
    TwoPasswords(&'static str),
    #[error(
        "{0} doesn't take the settings of a session: name PostgreSQL itself in the URL, and no PgBouncer or other pool \
         before it"
    )]
    Pooled(&'static str),
    #[error("{0} can't be reached or written: {1}")]
    Unreachable(&'static str, String),
    /// A database that starts, is being promoted, or is away: in a while it may be reached.
    #[error("{0} can't be reached or written: {1}")]
    Away(&'static str, String),
    #[error("a newer annon has changed {0}: start that one, or one that is newer yet")]
    Newer(&'static str),
    #[error("a migration into {0} has not ended: make both databases anew, and migrate again")]
    Unfinished(&'static str),
    #[error("{0} was made with another secret: give this node the file of the others")]
    OtherSecret(&'static str),
    #[error("the URL of NATS can't be read: {0}")]
    NatsUrl(io::Error),
    #[error("NATS can't be reached: {0}")]
    NoNats(String),
    #[error("NATS hands nothing on: its user has to be allowed to publish and to subscribe to `annon.>`")]
    MuteNats,
    #[error(
        "servers with another secret or other databases use this NATS: give these servers another one, or an account of \
         their own in it"
    )]
    OthersNats,
    #[error("the keys' database doesn't belong to the database: with it nothing there could be read")]
    OtherKeys,
    #[error(
        "the URLs of the two databases are swapped: what is named as the database has the keys, and what is named as the \
         keys' database has the rest. Nothing was changed"
    )]
    Swapped,
    #[error("random bytes can't be had")]
    Random,
}

/// Reads the secret and the URLs.
pub(super) fn read(options: &PostgresOptions) -> Result<(Secret, Address, Address, Line), PostgresError> {
    let secret = match Secret::read(&options.secret) {
        Ok(secret) => secret.ok_or_else(|| PostgresError::NoSecret(options.secret.clone()))?,
        Err(error) => return Err(PostgresError::Secret(options.secret.clone(), error)),
    };
    let (record, keys) = addresses(options)?;
    Ok((secret, record, keys, Line::of(options.nats.as_ref(), || trusting(options))?))
}

/// Reads the URLs.
pub(super) fn addresses(options: &PostgresOptions) -> Result<(Address, Address), PostgresError> {
    let tls = MakeRustlsConnect::new(trusting(options)?);
    Ok((Address::of(&RECORD, &options.record, &tls)?, Address::of(&KEYS, &options.keys, &tls)?))
}

pub(super) fn unreachable(schema: &Schema) -> impl Fn(tokio_postgres::Error) -> PostgresError {
    let name = schema.name;
    move |error| {
        // The error of the library says which step failed, and its source says why.
        let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        let why = why + advice(&error);
        if is_away(&error) { PostgresError::Away(name, why) } else { PostgresError::Unreachable(name, why) }
    }
}

/// Whether the server may answer differently in a while. What it refuses by itself (a password, a name) it will refuse
/// again, and so will we what its certificate lacks.
fn is_away(error: &tokio_postgres::Error) -> bool {
    let passing = [
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::TOO_MANY_CONNECTIONS,
    ];
    match error.code() {
        Some(code) => passing.contains(code),
        None => advice(error).is_empty(),
    }
}

impl PostgresError {
    /// Whether the databases may be there in a while, if nobody changes a setting.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Away(..))
    }
}

/// What to do if it was for a certificate that a server was not talked to.
pub(super) fn advice(error: &(dyn std::error::Error + 'static)) -> &'static str {
    use rustls::CertificateError::{
        BadSignature, UnknownIssuer, UnsupportedSignatureAlgorithmForPublicKeyContext as OfOtherKey,
    };
    use rustls::Error::InvalidCertificate;
    use std::error::Error;

    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(one) = next {
        // What an error of input and output carries is no source of it.
        let carried = one.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let carried = carried.map(|inner| inner as &(dyn Error + 'static));
        let tls = carried.unwrap_or(one).downcast_ref();
        let may_be_named = |why: &rustls::CertificateError| {
            matches!(why, UnknownIssuer | BadSignature | OfOtherKey { .. })
                // The library has no name of its own for it: it is an authority's.
                || why.to_string().contains("CaUsedAsEndEntity")
        };
        if matches!(tls, Some(InvalidCertificate(why)) if may_be_named(why)) {
            return ". --database-certificates names a file with its certificate, or with those who may have signed that";
        }
        next = carried.map_or_else(|| one.source(), Error::source);
    }
    ""
}

/// Which servers are trusted, over TLS.
fn trusting(options: &PostgresOptions) -> Result<rustls::ClientConfig, PostgresError> {
    use rustls::client::WebPkiServerVerifier;
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::Error::NoItemsFound;
    use rustls::pki_types::pem::PemObject;

    let mut roots = rustls::RootCertStore::empty();
    let Some(path) = &options.certificates else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth());
    };
    let of_file = |error| PostgresError::Certificates(path.clone(), error);
    let certificates = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = certificates.map_err(of_file)?;
    roots.add_parsable_certificates(certificates.iter().cloned());
    let builder = rustls::ClientConfig::builder();
    let provider = builder.crypto_provider().clone();
    let Ok(others) = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build() else {
        return Err(of_file(NoItemsFound));
    };
    let named = Arc::new(Named { certificates, others });
    Ok(builder.dangerous().with_custom_certificate_verifier(named).with_no_client_auth())
}
