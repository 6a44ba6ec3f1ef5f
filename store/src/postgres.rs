//! PostgreSQL as the record, so that several nodes can have one.
//!
//! The record is one database. The keys are in another one, without an archive, since
//! PostgreSQL never overwrites what was deleted: `keys.rs` says how a key dies.
//!
//! Every write is a transaction that locks the account or the room it is about, so the nodes need not know of each
//! other. `beat.rs` says what may be believed.

use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use uuid::{Builder, Uuid};

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::moves::Moves;
use crate::nouns::Common;
use crate::seals;
use crate::seals::secret::Secret;

mod appender;
mod at_hand;
mod backup;
mod beat;
mod calls;
mod connect;
mod connection;
mod days;
mod engine;
mod errors;
mod groups;
mod images;
mod keys;
mod known;
mod lease;
mod look;
mod migrate;
mod named;
mod nodes;
mod options;
mod rekey;
mod rewrite;
mod room_log;
mod rooms;
mod rows;
mod schema;
mod settings;
mod sweep;
mod turns;
mod wire;

use appender::Appender;
use beat::Beat;
use connect::Connections;
use connection::{Address, Connection};
use days::Days;
use errors::Failure;
use groups::Groups;
use keys::Keys;
use lease::Transaction;
pub use migrate::{MigrateError, Migrated, migrate};
pub use nodes::Node;
pub use options::{PostgresError, PostgresOptions, ServerPlace};
use options::{addresses, read, unreachable};
use schema::{KEYS, Meta, RECORD, UNFINISHED};
use turns::Turns;
use wire::{Line, Marks, WireEnd};

/// Connections of a node to the record, some of them for appends, and to the keys.
const MOST: (u32, u32) = (6, 2);
const MOST_TO_KEYS: (u32, u32) = (2, 0);
/// How often something is done again because another transaction was in the way.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(5);
/// The purpose of what a database keeps to know the secret again.
const CHECK: &str = "check of the secret";
/// The purpose of what is said on the wire.
const WIRE: &str = "wire";

/// Since when the key of a room or an inbox opens what was taken back: the record's clock,
/// rounded down as in the question which keys are to be replaced. Rounded up, it would be
/// later than the answer for half a second.
macro_rules! marked_stale {
    ($stale:literal) => {
        concat!("coalesce(", $stale, ", floor(extract(epoch FROM clock_timestamp()))::int8)")
    };
}
pub(crate) use marked_stale;

/// Where the log of a room ends: with its last record, or behind that with what was forgotten.
macro_rules! head_of {
    ($room:literal) => {
        concat!(
            "greatest(",
            $room,
            ".forgot, (SELECT log.last FROM room_log log WHERE log.day = ",
            $room,
            ".day AND log.room = ",
            $room,
            ".id ORDER BY log.first DESC LIMIT 1))"
        )
    };
}
pub(crate) use head_of;

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

/// One node's view of the record. Whoever has a clone of it has the connections.
#[derive(Clone)]
pub struct Postgres(Arc<Open>);

/// What an open engine has.
pub struct Open {
    record: Connections,
    keys: Keys,
    beat: Arc<Beat>,
    runtime: Handle,
    common: Arc<Common>,
    turns: Turns,
    groups: Groups,
    making: tokio::sync::Mutex<()>,
    moves: tokio::sync::Mutex<Moves>,
    days: Days,
    appender: Appender,
    wire: WireEnd,
    most_accounts: usize,
    /// How many accounts there were when somebody looked last.
    accounts: AtomicU64,
    most_picture_bytes: u64,
    /// What all pictures had when somebody looked last, and what this node has added.
    picture_bytes: AtomicU64,
    most_bytes: u64,
    /// What the record had when somebody looked last.
    bytes: AtomicU64,
    /// How many inboxes got a new key from this node.
    resealed: AtomicU64,
    secret: Secret,
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
        let (secret, record, keys, line) = read(options)?;
        let kept = look(&record, &keys, &secret, &line, &runtime).await?;
        let cluster = make_tables(&kept, &secret.derive(CHECK)).await?;

        let node = seals::random().map_err(|_| PostgresError::Random)?;
        let attempts = seals::random().map(i64::from_be_bytes).map_err(|_| PostgresError::Random)?;
        let beat = Arc::new(Beat::new(Builder::from_random_bytes(node).into_uuid(), options.node.clone()));
        let keys = Connections::new(keys, MOST_TO_KEYS, None, runtime.clone());
        let engine = Self(Arc::new(Open {
            record: Connections::new(record, MOST, Some(beat.clone()), runtime.clone()),
            keys: Keys::new(keys, |purpose| secret.derive(purpose)),
            beat,
            runtime,
            common: Arc::new(Common::new(|purpose| secret.derive(purpose)).map_err(|_| PostgresError::Random)?),
            turns: Turns::default(),
            groups: Groups::default(),
            making: tokio::sync::Mutex::default(),
            moves: tokio::sync::Mutex::default(),
            days: Days::default(),
            appender: Appender::new(attempts),
            wire: WireEnd::new(Builder::from_random_bytes(node).into_uuid(), &secret.derive(WIRE), cluster, line),
            most_accounts: options.most_accounts,
            accounts: AtomicU64::new(0),
            most_picture_bytes: options.picture_bytes.unwrap_or(u64::MAX),
            picture_bytes: AtomicU64::new(0),
            most_bytes: options.record_bytes.unwrap_or(u64::MAX),
            bytes: AtomicU64::new(0),
            resealed: AtomicU64::new(0),
            secret,
        }));
        let unreachable = |error: StoreError| PostgresError::Unreachable(RECORD.name, error.to_string());
        engine.look_at_meta().await.map_err(unreachable)?;
        engine.count_pictures().await.map_err(unreachable)?;
        engine.count_bytes().await.map_err(unreachable)?;
        // A node may have died between a deletion and the death of its keys.
        engine.bury().await.map_err(unreachable)?;
        engine.keep_beating();
        engine.keep_hearing();
        Ok(engine)
    }

    /// Looks whether the databases can be used, and writes nothing. Returns what the
    /// operator should know of them, a sentence each.
    pub async fn look(options: &PostgresOptions) -> Result<Vec<String>, PostgresError> {
        let (secret, record, keys, line) = read(options)?;
        let kept = look(&record, &keys, &secret, &line, &Handle::current()).await?;
        let is_same = options.record == options.keys;
        settings::advice(&kept.record.client, &kept.keys.client, is_same).await.map_err(unreachable(&RECORD))
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
    /// Counts the accounts, for `are_enough`, and looks whether this annon may still use the record.
    async fn look_at_meta(&self) -> Result<()> {
        let rows = once_more!(self.record.read("SELECT accounts, oldest_reader FROM meta", &[]))?;
        let (count, oldest) = rows.first().map_or((0, 0), |row| (row.get::<_, i64>(0), row.get(1)));
        self.accounts.store(count.unsigned_abs(), Ordering::Relaxed);
        let is_ours = oldest == UNFINISHED && self.beat.takes_in.load(Ordering::Relaxed);
        self.beat.is_outdated.store(oldest > RECORD.newest() && !is_ours, Ordering::Relaxed);
        Ok(())
    }

    /// Counts the bytes of the record, pictures included.
    async fn count_bytes(&self) -> Result<()> {
        let rows = once_more!(self.record.read("SELECT pg_database_size(current_database())", &[]))?;
        let bytes = rows.first().map_or(0, |row| row.get::<_, i64>(0));
        self.bytes.store(bytes.unsigned_abs(), Ordering::Relaxed);
        Ok(())
    }

    /// `DiskFull` when the record has as many bytes as the operator allows.
    fn may_grow(&self) -> Result<()> {
        if self.bytes.load(Ordering::Relaxed) < self.most_bytes { Ok(()) } else { Err(StoreError::DiskFull) }
    }
}

/// What both databases are before anything is written.
struct Kept {
    record: Connection,
    keys: Connection,
    of_record: Option<Meta>,
    of_keys: Option<Meta>,
    /// The cluster's id, if there is one.
    cluster: Option<Uuid>,
}

/// Looks whether both databases can be used. Nothing is written.
async fn look(
    record: &Address,
    keys: &Address,
    secret: &Secret,
    line: &Line,
    runtime: &Handle,
) -> Result<Kept, PostgresError> {
    let secret_check = &secret.derive(CHECK);

    let record = record.connect(runtime).await.map_err(unreachable(&RECORD))?;
    let keys = keys.connect(runtime).await.map_err(unreachable(&KEYS))?;
    for (schema, connection) in [(&RECORD, &record), (&KEYS, &keys)] {
        if !settings::are_taken(&connection.client).await.map_err(unreachable(schema))? {
            return Err(PostgresError::Pooled(schema.name));
        }
    }
    let of_record = RECORD.look(&record.client).await.map_err(unreachable(&RECORD))?;
    let of_keys = KEYS.look(&keys.client).await.map_err(unreachable(&KEYS))?;
    // Each has the tables of the other, and not its own: they would become an empty cluster inside one
    // that is in use.
    if of_record.is_none()
        && of_keys.is_none()
        && KEYS.is_in(&record.client).await.map_err(unreachable(&RECORD))?
        && RECORD.is_in(&keys.client).await.map_err(unreachable(&KEYS))?
    {
        return Err(PostgresError::Swapped);
    }
    for (schema, found) in [(&RECORD, &of_record), (&KEYS, &of_keys)] {
        if let Some(meta) = found {
            schema.check(meta, secret_check)?;
        }
    }
    let cluster = match (&of_record, &of_keys) {
        (None, None) => None,
        // The first start stopped between the two, or the record is another one.
        (None, Some(meta)) => {
            let has_keys = "SELECT EXISTS (SELECT 1 FROM seal_key)";
            if keys.client.query_one(has_keys, &[]).await.map_err(unreachable(&KEYS))?.get(0) {
                return Err(PostgresError::OtherKeys);
            }
            Some(meta.cluster)
        }
        (Some(meta), Some(keys)) if meta.cluster == keys.cluster => Some(meta.cluster),
        (Some(_), _) => return Err(PostgresError::OtherKeys),
    };
    line.look(cluster.map(|cluster| Marks::new(&secret.derive(WIRE)).cluster(cluster))).await?;
    Ok(Kept { record, keys, of_record, of_keys, cluster })
}

/// Makes the tables that are missing, in both databases, and returns the cluster's id.
async fn make_tables(kept: &Kept, secret_check: &[u8]) -> Result<Uuid, PostgresError> {
    let (of_record, of_keys) = (unreachable(&RECORD), unreachable(&KEYS));
    let Kept { record, keys, cluster, .. } = kept;
    let random = seals::random().map_err(|_| PostgresError::Random)?;
    let cluster = cluster.unwrap_or(Builder::from_random_bytes(random).into_uuid());
    KEYS.migrate(&keys.client, kept.of_keys.as_ref(), &KEYS.meta(cluster, secret_check)).await.map_err(&of_keys)?;
    // Another node may have been faster, and have drawn another id.
    let cluster = KEYS.look(&keys.client).await.map_err(&of_keys)?.map_or(cluster, |meta| meta.cluster);
    let meta = RECORD.meta(cluster, secret_check);
    RECORD.migrate(&record.client, kept.of_record.as_ref(), &meta).await.map_err(&of_record)?;
    // Another node may have been faster here, too.
    Ok(RECORD.look(&record.client).await.map_err(&of_record)?.map_or(cluster, |meta| meta.cluster))
}

/// A time as the database keeps it.
fn seconds(at: Timestamp) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

/// How many rows are wanted, as the database takes it.
fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
