//! PostgreSQL as the record, so that several nodes can have one. It isn't whole yet:
//! backups are not here, and the server can't be told to use it.
//!
//! The record is one database. The keys are in another one, without an archive, since
//! PostgreSQL never overwrites what was deleted: `keys.rs` says how a key dies.
//!
//! Every write is a transaction that locks the row of the account or of the room it is
//! about, so the nodes need not know of each other. `beat.rs` says what may be believed.

use std::future::Future;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_postgres_rustls::MakeRustlsConnect;
use uuid::{Builder, Uuid};

use crate::account::{Accounts, Timestamp};
use crate::error::{Result, StoreError};
use crate::feedback::FeedbackBox;
use crate::image::Images;
use crate::inbox::place::NoteIds;
use crate::inbox::{Inbox, InboxChanges};
use crate::room::RoomDirectory;
use crate::room_log::RoomLog;
use crate::seals::secret::{INDEX, NOTE_IDS, Secret};
use crate::seals::{self, Blinder};
use crate::wire::Wire;

mod accounts;
mod appender;
mod beat;
mod connect;
mod days;
mod errors;
mod feedback;
mod images;
mod inbox;
mod keys;
mod lease;
mod links;
mod rekey;
mod rewrite;
mod room_log;
mod rooms;
mod schema;
mod sweep;
mod wire;

use appender::Appender;
use beat::Beat;
use connect::{Address, Connections};
use days::Days;
use errors::Failure;
use inbox::Turns;
use keys::Keys;
use lease::Transaction;
use schema::{KEYS, RECORD, Schema};
use wire::WireEnd;

/// Connections of a node to the record, of which some are kept for appends, and to the
/// database of keys.
const MOST: (u32, u32) = (6, 2);
const MOST_TO_KEYS: (u32, u32) = (2, 0);
/// How often something is done again because another transaction was in the way.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(5);
/// The purpose of what a database keeps to know the secret again.
const CHECK: &str = "check of the secret";
/// The purpose of what is said on the wire.
const WIRE: &str = "wire";

/// Does something again, as long as nothing of it was done.
macro_rules! once_more {
    ($attempt:expr) => {{
        let mut attempts = 1;
        loop {
            match $attempt.await {
                Err($crate::postgres::Failure::Again) if attempts < $crate::postgres::ATTEMPTS => {
                    tokio::time::sleep($crate::postgres::PAUSE * attempts).await;
                    attempts += 1;
                }
                outcome => break outcome,
            }
        }
    }};
}
pub(crate) use once_more;

#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// The URL of the record.
    pub record: String,
    /// The URL of the database of keys. With that of the record, what is deleted is
    /// gone once the oldest backup is.
    pub keys: String,
    /// The file of the secret, the same on all nodes.
    pub secret: PathBuf,
    /// A file of certificates (PEM) that may have signed the databases', instead of
    /// the system's.
    pub certificates: Option<PathBuf>,
    /// What the operator calls this node.
    pub node: String,
    /// How many accounts are allowed.
    pub most_accounts: usize,
    /// Bytes that all pictures together may take; `None`: as many as there is space for.
    pub picture_bytes: Option<u64>,
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
    #[error("{0} can't be reached or written: {1}")]
    Unreachable(&'static str, String),
    #[error("a newer annon has changed {0}: start that one, or one that is newer yet")]
    Newer(&'static str),
    #[error("{0} was made with another secret: give this node the file of the others")]
    OtherSecret(&'static str),
    #[error("the keys' database doesn't belong to the database: with it nothing there could be read")]
    OtherKeys,
    #[error("random bytes can't be had")]
    Random,
}

/// One node's view of the record. Whoever has a clone of it has the connections.
#[derive(Clone)]
pub struct Postgres(Arc<Open>);

/// What an open engine has.
pub struct Open {
    record: Connections,
    keys: Keys,
    beat: Arc<Beat>,
    runtime: Handle,
    blinder: Blinder,
    note_ids: NoteIds,
    inbox_changes: InboxChanges,
    turns: Turns,
    days: Days,
    appender: Appender,
    wire: WireEnd,
    most_accounts: usize,
    /// How many accounts there were when somebody looked last.
    accounts: AtomicU64,
    most_picture_bytes: u64,
    /// What all pictures had when somebody looked last, and what this node has added.
    picture_bytes: AtomicU64,
}

impl Deref for Postgres {
    type Target = Open;

    fn deref(&self) -> &Open {
        &self.0
    }
}

impl Postgres {
    /// Connects to both databases, makes the tables that are missing, and begins to
    /// beat. Must be called in a runtime, which the connections then use.
    pub async fn open(options: &PostgresOptions) -> Result<Self, PostgresError> {
        let runtime = Handle::current();
        let secret = match Secret::read(&options.secret) {
            Ok(secret) => secret.ok_or_else(|| PostgresError::NoSecret(options.secret.clone()))?,
            Err(error) => return Err(PostgresError::Secret(options.secret.clone(), error)),
        };
        let tls = trusting(options)?;
        let address =
            |schema: &Schema, url: &str| Address::of(url, &tls).map_err(|error| PostgresError::Url(schema.name, error));
        let (record, keys) = (address(&RECORD, &options.record)?, address(&KEYS, &options.keys)?);
        let cluster = make_tables(&record, &keys, &secret.derive(CHECK), &runtime).await?;

        let node = seals::random().map_err(|_| PostgresError::Random)?;
        let attempts = seals::random().map(i64::from_be_bytes).map_err(|_| PostgresError::Random)?;
        let beat = Arc::new(Beat { node: Builder::from_random_bytes(node).into_uuid(), name: options.node.clone() });
        let keys = Connections::new(keys, MOST_TO_KEYS, None, runtime.clone());
        let engine = Self(Arc::new(Open {
            record: Connections::new(record, MOST, Some(beat.clone()), runtime.clone()),
            keys: Keys::new(keys, |purpose| secret.derive(purpose)),
            beat,
            runtime,
            blinder: Blinder::new(&secret.derive(INDEX)),
            note_ids: NoteIds::new(&secret.derive(NOTE_IDS)).map_err(|_| PostgresError::Random)?,
            inbox_changes: InboxChanges::default(),
            turns: Turns::default(),
            days: Days::default(),
            appender: Appender::new(attempts),
            wire: WireEnd::new(Builder::from_random_bytes(node).into_uuid(), &secret.derive(WIRE), cluster),
            most_accounts: options.most_accounts,
            accounts: AtomicU64::new(0),
            most_picture_bytes: options.picture_bytes.unwrap_or(u64::MAX),
            picture_bytes: AtomicU64::new(0),
        }));
        let unreachable = |error: StoreError| PostgresError::Unreachable(RECORD.name, error.to_string());
        engine.count_accounts().await.map_err(unreachable)?;
        engine.count_pictures().await.map_err(unreachable)?;
        // A node may have died between a deletion and the death of its keys.
        engine.bury().await.map_err(unreachable)?;
        engine.keep_beating();
        engine.keep_hearing();
        Ok(engine)
    }

    pub fn accounts(&self) -> Arc<dyn Accounts> {
        Arc::new(self.clone())
    }

    pub fn inbox(&self) -> Arc<dyn Inbox> {
        Arc::new(self.clone())
    }

    pub fn feedback(&self) -> Arc<dyn FeedbackBox> {
        Arc::new(self.clone())
    }

    pub fn rooms(&self) -> Arc<dyn RoomDirectory> {
        Arc::new(self.clone())
    }

    pub fn room_log(&self) -> Arc<dyn RoomLog> {
        Arc::new(self.clone())
    }

    pub fn images(&self) -> Arc<dyn Images> {
        Arc::new(self.clone())
    }

    pub fn wire(&self) -> Option<Arc<dyn Wire>> {
        Some(self.wire.wire().clone())
    }

    /// Waits for the calls that are under way, and closes the connections. Later calls
    /// get `Unavailable`.
    pub async fn stop(&self) {
        self.appender.queue.close().await;
        self.wire.close().await;
        self.record.close().await;
        self.keys.connections.close().await;
    }

    /// Does something that goes on if its caller is gone.
    async fn see_through<T, E>(&self, work: impl Future<Output = Result<T, E>> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.runtime.spawn(work).await.unwrap_or_else(|_| Err(StoreError::Unreachable.into()))
    }
}

impl Open {
    /// Counts the accounts, for `are_enough`.
    async fn count_accounts(&self) -> Result<()> {
        let rows = once_more!(self.record.read("SELECT accounts FROM meta", &[]))?;
        let count = rows.first().map_or(0, |row| row.get::<_, i64>(0));
        self.accounts.store(count.unsigned_abs(), Ordering::Relaxed);
        Ok(())
    }
}

/// Makes the tables that are missing, in both databases, and returns the cluster's id.
/// Nothing is written if one of them can't be used.
async fn make_tables(
    record: &Address,
    keys: &Address,
    secret_check: &[u8],
    runtime: &Handle,
) -> Result<Uuid, PostgresError> {
    let (of_record, of_keys) = (unreachable(&RECORD), unreachable(&KEYS));
    let record = &record.connect(runtime).await.map_err(&of_record)?.client;
    let keys = &keys.connect(runtime).await.map_err(&of_keys)?.client;
    let kept = RECORD.look(record).await.map_err(&of_record)?;
    let kept_keys = KEYS.look(keys).await.map_err(&of_keys)?;
    for (schema, found) in [(&RECORD, &kept), (&KEYS, &kept_keys)] {
        if let Some(meta) = found {
            schema.check(meta, secret_check)?;
        }
    }
    let cluster = match (&kept, &kept_keys) {
        (None, None) => {
            let random = seals::random().map_err(|_| PostgresError::Random)?;
            Builder::from_random_bytes(random).into_uuid()
        }
        // The first start stopped between the two, or the record is another one.
        (None, Some(meta)) => {
            let has_keys = "SELECT EXISTS (SELECT 1 FROM seal_key)";
            if keys.query_one(has_keys, &[]).await.map_err(&of_keys)?.get(0) {
                return Err(PostgresError::OtherKeys);
            }
            meta.cluster
        }
        (Some(meta), Some(keys)) if meta.cluster == keys.cluster => meta.cluster,
        (Some(_), _) => return Err(PostgresError::OtherKeys),
    };
    KEYS.migrate(keys, kept_keys.as_ref(), &KEYS.meta(cluster, secret_check)).await.map_err(&of_keys)?;
    // Another node may have been faster, and have drawn another id.
    let cluster = KEYS.look(keys).await.map_err(&of_keys)?.map_or(cluster, |meta| meta.cluster);
    RECORD.migrate(record, kept.as_ref(), &RECORD.meta(cluster, secret_check)).await.map_err(&of_record)?;
    Ok(cluster)
}

fn unreachable(schema: &Schema) -> impl Fn(tokio_postgres::Error) -> PostgresError {
    let name = schema.name;
    move |error| {
        // The error of the library says which step failed, and its source says why.
        let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        PostgresError::Unreachable(name, why)
    }
}

/// Which servers are trusted, over TLS.
fn trusting(options: &PostgresOptions) -> Result<MakeRustlsConnect, PostgresError> {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject;

    let mut roots = rustls::RootCertStore::empty();
    match &options.certificates {
        Some(path) => {
            let of_file = |error| PostgresError::Certificates(path.clone(), error);
            for certificate in CertificateDer::pem_file_iter(path).map_err(of_file)? {
                roots.add_parsable_certificates([certificate.map_err(of_file)?]);
            }
        }
        None => _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs),
    }
    let config = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// A time as the database keeps it.
fn seconds(at: Timestamp) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

/// How many rows are wanted, as the database takes it.
fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
