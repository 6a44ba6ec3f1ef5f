//! The node's beat: its row in the record, which it renews every two seconds.
//!
//! It is how a node knows what it may believe. When a beat is committed without a
//! notice, the standby has everything that was written before, so what was read
//! before on the same connection is kept, and its server was the primary.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::time::sleep;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::account::Timestamp;
use crate::clock::{Stopwatch, since_1970};
use crate::engine::{NodeFigures, Record};
use crate::error::{Result, StoreError};
#[cfg(feature = "left-out")]
use crate::left_out::{Condition, leaves_out};
use crate::postgres::connection::Connection;
use crate::postgres::errors::{Failure, failure};
use crate::postgres::lease::{Parameters, committed};
use crate::postgres::nodes::DEAD_AFTER;
use crate::postgres::schema::RECORD;
use crate::postgres::{Open, Postgres, once_more, seconds};

/// The time between two beats.
const EVERY: Duration = Duration::from_secs(2);
/// How old the last confirmed beat may be before this node believes nothing any more.
const BELIEVED: Duration = Duration::from_secs(10);
/// How far the clocks of a node and of the record may be apart, in seconds.
const CLOCKS_APART: f64 = 2.0;
/// After the first beat and each so many more, keys whose owner was deleted by a node that died are destroyed.
const BEATS_TO_BURY: u32 = 15;

/// How long the oldest snapshot of a database is held. What died since then has to be kept for it. Of other users'
/// sessions it is known to who may read all statistics.
const SNAPSHOT: &str = "SELECT max(extract(epoch FROM clock_timestamp() - xact_start))::float8 FROM pg_stat_activity \
     WHERE backend_xmin IS NOT NULL AND datname = current_database() AND pid <> pg_backend_pid()";

/// A node: one process that uses the record.
pub(super) struct Beat {
    /// Another one for each start.
    pub(super) node: Uuid,
    pub(super) name: String,
    last: Mutex<Option<Confirmed>>,
    /// Whether the last one that was asked for was not confirmed.
    has_failed: AtomicBool,
    watched: Mutex<Watched>,
    /// Whether a newer annon has changed the record so that this one can't read it.
    pub(super) is_outdated: AtomicBool,
    /// Whether this process takes a backup in: meanwhile nobody else may use the record.
    pub(super) takes_in: AtomicBool,
    /// Whether the node has stopped, so that the record shall not have its row again.
    pub(super) has_left: AtomicBool,
    /// When the pause began that this node obeys; negative before it has looked.
    pause: AtomicI64,
    /// How many beats have begun, apart from those that something is confirmed with at once.
    begun: AtomicU64,
    /// The last of them that was committed, and the generation of its connection.
    committed: tokio::sync::Mutex<(u64, u64)>,
}

/// A beat that was committed.
#[derive(Clone, Copy)]
struct Confirmed {
    since: Stopwatch,
    /// How far the clocks were apart, at least, in seconds.
    apart: f64,
}

/// What a node's beats have shown.
#[derive(Default)]
struct Watched {
    beats: u64,
    beating: Duration,
    oldest_stale: Duration,
    oldest_snapshot: Duration,
    /// Since when a key that died was always in the files, as far as this node has looked, and
    /// how old it is at most.
    dead_keys: Option<(Stopwatch, Option<Duration>)>,
}

impl Beat {
    pub(super) fn new(node: Uuid, name: String) -> Self {
        Self {
            node,
            name,
            last: Mutex::default(),
            has_failed: AtomicBool::new(false),
            watched: Mutex::default(),
            is_outdated: AtomicBool::new(false),
            takes_in: AtomicBool::new(false),
            has_left: AtomicBool::new(false),
            pause: AtomicI64::new(-1),
            begun: AtomicU64::new(0),
            committed: Default::default(),
        }
    }

    /// Whether nothing was confirmed for some time.
    fn is_old(&self) -> bool {
        self.last.lock().is_none_or(|beat| beat.since.elapsed() >= BELIEVED)
    }

    /// Whether nothing has been confirmed for some time by a server that did confirm, though it was asked. A node that
    /// stood still has asked nothing.
    pub(super) fn is_silent(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) && self.last.lock().is_some_and(|beat| beat.since.elapsed() >= BELIEVED)
    }

    /// Why this node can't be believed now.
    pub(super) fn trouble(&self) -> Option<&'static str> {
        match *self.last.lock() {
            Some(beat) if beat.since.elapsed() >= BELIEVED => Some("the database has confirmed nothing for 10 seconds"),
            Some(beat) if beat.apart > CLOCKS_APART => {
                Some("the clock of this machine differs from the database's by more than 2 seconds")
            }
            Some(_) if self.is_outdated.load(Ordering::Relaxed) => {
                Some("a newer annon has changed the database: start that one, or one that is newer yet")
            }
            Some(_) => None,
            None => Some("the database has confirmed nothing yet"),
        }
    }

    /// Commits a beat on this connection.
    pub(super) async fn confirm_on(&self, connection: &mut Connection) -> Result<(), Failure> {
        #[cfg(feature = "left-out")]
        if leaves_out(Condition::Standby) {
            let _ = connection.client.batch_execute("SET synchronous_commit = local").await;
        }
        let outcome = self.commit_on(connection).await;
        #[cfg(feature = "left-out")]
        let _ = connection.client.batch_execute("RESET synchronous_commit").await;
        self.has_failed.store(outcome.is_err(), Ordering::Relaxed);
        outcome
    }

    async fn commit_on(&self, connection: &mut Connection) -> Result<(), Failure> {
        let update = "UPDATE node SET beat = clock_timestamp(), pause = $2 WHERE id = $1 \
             RETURNING extract(epoch FROM beat)::float8";
        // The row is not there before the first beat, and after an hour without one.
        let insert = "INSERT INTO node (id, name, version, reads, pause, beat) \
             VALUES ($1, $2, $3, $4, $5, clock_timestamp()) RETURNING extract(epoch FROM beat)::float8";
        let pause = Some(self.pause.load(Ordering::Acquire)).filter(|began| *began >= 0);
        let (since, sent) = (Stopwatch::start(), since_1970().as_secs_f64());
        let updated = connection.prepare(update).await.map_err(|error| failure(&error))?;
        let mut rows = committed(connection, connection.client.query(&updated, &[&self.node, &pause])).await?;
        if rows.is_empty() {
            if self.has_left.load(Ordering::Acquire) {
                return Err(StoreError::Unreachable.into());
            }
            let inserted = connection.prepare(insert).await.map_err(|error| failure(&error))?;
            let version = env!("CARGO_PKG_VERSION");
            let row: Parameters<'_> = &[&self.node, &self.name, &version, &RECORD.newest(), &pause];
            rows = committed(connection, connection.client.query(&inserted, row)).await?;
        }
        // It was written between the question and the answer, which may have waited for the standby.
        let written: f64 = rows.first().map_or(sent, |row| row.get(0));
        let apart = (sent - written).max(written - since_1970().as_secs_f64());
        *self.last.lock() = Some(Confirmed { since, apart });
        let mut watched = self.watched.lock();
        watched.beats += 1;
        watched.beating += since.elapsed();
        Ok(())
    }
}

impl Open {
    /// Commits a beat that begins from now on, and returns the generation of its connection.
    /// Whoever asks while one is under way shares the next.
    async fn beat(&self) -> Result<u64, Failure> {
        let before = self.beat.begun.load(Ordering::Acquire);
        let mut committed = self.beat.committed.lock().await;
        if committed.0 <= before {
            let number = self.beat.begun.fetch_add(1, Ordering::AcqRel) + 1;
            let mut lease = self.record.lease().await?;
            self.beat.confirm_on(lease.busy()).await?;
            lease.is_done();
            *committed = (number, lease.generation());
        }
        Ok(committed.1)
    }

    /// Looks how long what has to be erased has waited.
    async fn look_at_what_waits(&self) -> Result<()> {
        let stale = "SELECT max(extract(epoch FROM clock_timestamp()) - stale)::float8 FROM room \
             WHERE stale IS NOT NULL AND NOT gone";
        // Whatever died before the tables were last written anew is gone.
        let dead = "SELECT CASE WHEN isfinite(rewritten) THEN extract(epoch FROM clock_timestamp() - rewritten)::float8 END \
             FROM keys_meta WHERE EXISTS (SELECT 1 FROM dead_part WHERE deaths > 0)";
        let age = |row: &Row| row.get::<_, Option<f64>>(0).map(|seconds| Duration::from_secs_f64(seconds.max(0.0)));
        let stale = once_more!(self.record.read(stale, &[]))?.first().and_then(age);
        let dead = once_more!(self.keys.connections.read(dead, &[]))?.first().map(age);
        let mut snapshots = Vec::new();
        for connections in [&self.record, &self.keys.connections] {
            snapshots.extend(once_more!(connections.read(SNAPSHOT, &[]))?.first().and_then(age));
        }
        let mut watched = self.beat.watched.lock();
        watched.oldest_stale = stale.unwrap_or_default();
        watched.oldest_snapshot = snapshots.into_iter().max().unwrap_or_default();
        let since = watched.dead_keys.map_or_else(Stopwatch::start, |(since, _)| since);
        watched.dead_keys = dead.map(|at_most| (since, at_most));
        Ok(())
    }

    pub(super) fn node_figures(&self) -> NodeFigures {
        let (hears_all, gaps, nodes) = self.wire.wire().figures();
        let skew = self.beat.last.lock().map_or(0.0, |beat| beat.apart.max(0.0));
        let watched = self.beat.watched.lock();
        let age =
            |(since, at_most): (Stopwatch, Option<Duration>)| since.elapsed().min(at_most.unwrap_or(Duration::MAX));
        NodeFigures {
            conflicts: self.appender.conflicts.load(Ordering::Relaxed),
            locked: self.appender.locked.load(Ordering::Relaxed),
            unknown: self.record.unknown.load(Ordering::Relaxed)
                + self.keys.connections.unknown.load(Ordering::Relaxed),
            beats: watched.beats,
            beating: watched.beating,
            hears_all,
            gaps,
            nodes,
            skew,
            oldest_stale: watched.oldest_stale,
            oldest_dead_key: watched.dead_keys.map(age).unwrap_or_default(),
            oldest_snapshot: watched.oldest_snapshot,
        }
    }

    /// Confirms what was read since `server` was the number of the generation.
    pub(super) async fn confirm_read(&self, server: u64) -> Result<()> {
        // Who waits for a server that confirms nothing is told so at once.
        if self.beat.is_old() {
            return Err(StoreError::Unreachable);
        }
        if self.beat().await? == server { Ok(()) } else { Err(StoreError::Unreachable) }
    }
}

#[async_trait]
impl Record for Postgres {
    fn server(&self) -> u64 {
        self.record.generation_number()
    }

    async fn confirm(&self, server: u64) -> Result<()> {
        self.confirm_read(server).await
    }

    async fn obey(&self, pause: Timestamp) -> Result<()> {
        let began = seconds(pause);
        // If its beat fails, the next says the same.
        if self.beat.pause.swap(began, Ordering::AcqRel) != began {
            self.beat().await.map(drop)?
        }
        Ok(())
    }

    async fn not_obeying(&self, pause: Timestamp) -> Result<Vec<String>> {
        let select = "SELECT name FROM node WHERE beat > clock_timestamp() - interval '1 second' * $2::float8 \
             AND pause IS DISTINCT FROM $1 ORDER BY name";
        let rows = once_more!(self.record.read(select, &[&seconds(pause), &DEAD_AFTER.as_secs_f64()]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}

impl Postgres {
    /// Beats until nobody has the engine any more, or it is stopped.
    pub(super) fn keep_beating(&self) {
        let open = Arc::downgrade(&self.0);
        self.runtime.spawn(async move {
            let mut beats = 0;
            loop {
                sleep(EVERY).await;
                let Some(open) = open.upgrade() else { return };
                if open.record.is_closed() {
                    return;
                }
                // What fails is logged where it fails, and tried again by the next beat.
                let _ = open.beat().await;
                let _ = open.look_at_meta().await;
                beats += 1;
                if beats % BEATS_TO_BURY == 1 {
                    let _ = open.bury().await;
                    let _ = open.look_at_what_waits().await;
                }
            }
        });
    }
}
