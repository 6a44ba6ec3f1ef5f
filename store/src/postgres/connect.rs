//! Connections of one database.
//!
//! All connections lead to one server. When one of them breaks, or a new one leads to
//! another server, a new generation begins: all are made anew. After a crash a server
//! shows commits that its standby doesn't have, so a generation is used once the
//! node's beat was committed on it.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;
use tokio_postgres::Client;

use crate::clock::Stopwatch;
use crate::error::StoreError;
use crate::postgres::beat::Beat;
use crate::postgres::connection::{Address, CONNECT, Connection, Server};
use crate::postgres::errors::{Failure, failure};
use crate::postgres::lease::Lease;

/// How long a disk counts as full after a refusal.
const FULL_FOR: Duration = Duration::from_secs(60);

/// The connections from one start of a server, or one loss of a connection, to the next.
pub(super) struct Generation {
    server: Server,
    /// Later generations have higher numbers.
    number: u64,
    is_over: AtomicBool,
    idle: Mutex<Vec<Connection>>,
    full: Arc<Fullness>,
    unknown: Arc<AtomicU64>,
}

/// When the disk of a database was full for the last time.
#[derive(Default)]
pub(super) struct Fullness(Mutex<Option<Stopwatch>>);

impl Fullness {
    pub(super) fn is_full(&self) -> bool {
        self.0.lock().is_some_and(|since| since.elapsed() < FULL_FOR)
    }
}

impl Generation {
    /// Notes that the disk is full, if it is, and counts what nobody knows.
    pub(super) fn note(&self, failure: &Failure) {
        if *failure == Failure::Unknown {
            self.unknown.fetch_add(1, Ordering::Relaxed);
        }
        if *failure == Failure::Store(StoreError::DiskFull) {
            *self.full.0.lock() = Some(Stopwatch::start());
        }
    }

    /// Ends it: no connection of it is used again.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.idle.lock().clear();
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Takes a connection back.
    pub(super) fn keep(&self, connection: Connection) {
        if connection.client.is_closed() {
            self.end();
        } else if !self.is_over() {
            self.idle.lock().push(connection);
        }
    }
}

/// A few connections to one database.
pub(super) struct Connections {
    address: Address,
    runtime: Handle,
    /// The node whose beat has to be committed before a generation is used. The
    /// database of keys has none: it is only asked for keys that a record names, and
    /// a record is written once its key is kept.
    beat: Option<Arc<Beat>>,
    generation: tokio::sync::Mutex<Option<Arc<Generation>>>,
    /// How many generations there were.
    generations: AtomicU64,
    permits: Arc<Semaphore>,
    most: u32,
    /// Those that are kept for appends to rooms' logs.
    kept: Arc<Semaphore>,
    most_kept: u32,
    /// Whether nothing is written any more.
    is_closed: AtomicBool,
    /// Since when no connection can be made.
    lost: Mutex<Option<Stopwatch>>,
    pub(super) full: Arc<Fullness>,
    /// How many commits there were of which nobody knew whether they are done and kept.
    pub(super) unknown: Arc<AtomicU64>,
}

impl Connections {
    pub(super) fn new(
        address: Address,
        (most, most_kept): (u32, u32),
        beat: Option<Arc<Beat>>,
        runtime: Handle,
    ) -> Self {
        let [permits, kept] = [most, most_kept].map(|most| Arc::new(Semaphore::new(most as usize)));
        let (generation, generations) = (tokio::sync::Mutex::default(), AtomicU64::new(0));
        let (is_closed, lost) = (AtomicBool::new(false), Mutex::default());
        let (full, unknown) = Default::default();
        Self {
            address,
            runtime,
            beat,
            generation,
            generations,
            permits,
            most,
            kept,
            most_kept,
            is_closed,
            lost,
            full,
            unknown,
        }
    }

    /// The number of the current generation.
    pub(super) fn generation_number(&self) -> u64 {
        self.generations.load(Ordering::Acquire)
    }

    /// A connection of the current generation. Waits while all are in use.
    pub(super) async fn lease(&self) -> Result<Lease, Failure> {
        self.lease_of(&self.permits).await
    }

    /// One of the connections that are kept for appends.
    pub(super) async fn lease_to_append(&self) -> Result<Lease, Failure> {
        let lease = self.lease_of(&self.kept).await?;
        self.may_write()?;
        Ok(lease)
    }

    /// `Unavailable` after a stop, `Unreachable` while a newer annon has changed the database so that this
    /// one can't read it.
    pub(super) fn may_write(&self) -> Result<(), StoreError> {
        if self.is_closed() {
            return Err(StoreError::Unavailable);
        }
        let is_outdated = self.beat.as_ref().is_some_and(|beat| beat.is_outdated.load(Ordering::Relaxed));
        if is_outdated { Err(StoreError::Unreachable) } else { Ok(()) }
    }

    /// `Unreachable` while the server confirms nothing: so who writes is told at once, and takes no connection from
    /// those who read.
    pub(super) fn may_begin(&self) -> Result<(), StoreError> {
        let is_silent = self.beat.as_ref().is_some_and(|beat| beat.is_silent());
        if is_silent { Err(StoreError::Unreachable) } else { Ok(()) }
    }

    async fn lease_of(&self, permits: &Arc<Semaphore>) -> Result<Lease, Failure> {
        let permit = permits.clone().acquire_owned().await.map_err(|_| StoreError::Unavailable)?;
        let generation = self.generation().await?;
        let idle = generation.idle.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        if connection.client.is_closed() || connection.server != generation.server {
            generation.end();
            return Err(Failure::Again);
        }
        Ok(Lease::new(connection, generation, permit, self.runtime.clone()))
    }

    /// The current generation, or a new one that is confirmed.
    async fn generation(&self) -> Result<Arc<Generation>, Failure> {
        let mut current = self.generation.lock().await;
        if let Some(generation) = current.as_ref().filter(|generation| !generation.is_over()) {
            return Ok(generation.clone());
        }
        let mut connection = self.connect().await?;
        if let Some(beat) = &self.beat {
            beat.confirm_on(&mut connection).await?;
        }
        let server = connection.server.clone();
        let (is_over, idle) = (AtomicBool::new(false), Mutex::new(vec![connection]));
        let (full, unknown) = (self.full.clone(), self.unknown.clone());
        let number = self.generations.fetch_add(1, Ordering::AcqRel) + 1;
        let generation = Arc::new(Generation { server, number, is_over, idle, full, unknown });
        *current = Some(generation.clone());
        Ok(generation)
    }

    /// A connection that nobody else gets.
    pub(super) async fn connect(&self) -> Result<Connection, Failure> {
        let connected = timeout(CONNECT * 2, self.address.connect(&self.runtime)).await;
        let error = match connected {
            Ok(Ok(connection)) => {
                if let Some(since) = self.lost.lock().take() {
                    tracing::info!(seconds = since.elapsed().as_secs(), "the database can be reached again");
                }
                return Ok(connection);
            }
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        // Everybody who wants a connection comes here until it is back, and it is said once.
        self.lost.lock().get_or_insert_with(|| {
            let why = error.map(|error| error.source().map_or_else(|| error.to_string(), ToString::to_string));
            tracing::error!(why = why.as_deref().unwrap_or("no answer"), "the database can't be reached");
            Stopwatch::start()
        });
        Err(StoreError::Unreachable.into())
    }

    /// A connection of its own that hands on what it is notified of.
    pub(super) async fn connect_to_hear(&self, heard: Sender<String>) -> Result<Client, Failure> {
        let connecting = self.address.connect_and_hear(&self.runtime, Some(heard));
        let connected = timeout(CONNECT * 2, connecting).await.ok().and_then(Result::ok);
        connected.map(|connection| connection.client).ok_or(Failure::Again)
    }

    /// Executes statements that take long, each by itself, on a connection of their own.
    pub(super) async fn maintain(&self, statements: &[String]) -> Result<(), Failure> {
        self.may_write()?;
        let Connection { client, .. } = self.connect().await?;
        for statement in ["SET statement_timeout = '10min'"].into_iter().chain(statements.iter().map(String::as_str)) {
            client.batch_execute(statement).await.map_err(|error| failure(&error))?;
        }
        Ok(())
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Waits until no connection is in use. After that nothing is written.
    pub(super) async fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        let _all = self.permits.acquire_many(self.most).await;
        let _kept = self.kept.acquire_many(self.most_kept).await;
    }
}
