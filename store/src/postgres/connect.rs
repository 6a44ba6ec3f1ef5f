//! Connections of one database.
//!
//! All connections lead to one server. When one of them breaks, or a new one leads to
//! another server, a new generation begins: all are made anew. After a crash a server
//! shows commits that its standby doesn't have, so a generation is used once the
//! node's beat was committed on it.

use std::collections::HashMap;
use std::error::Error as _;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join;
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::{MakeTlsConnect, NoTls, TlsConnect};
use tokio_postgres::{AsyncMessage, Client, Config, Error, Row, Socket, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::clock::Stopwatch;
use crate::error::StoreError;
use crate::postgres::beat::Beat;
use crate::postgres::errors::{Failure, failure};
use crate::postgres::lease::{Lease, Parameters};
use crate::postgres::schema::Schema;
use crate::postgres::{PostgresError, ServerPlace};

/// How long a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// How long sent bytes may stay unacknowledged before a connection counts as broken.
const SILENCE: Duration = Duration::from_secs(10);
/// How long a rollback may take before what it waits for is cancelled.
const CANCEL_AFTER: Duration = Duration::from_secs(1);
/// How long a disk counts as full after a refusal.
const FULL_FOR: Duration = Duration::from_secs(60);
/// What every session of ours is set to. Rows are found by an index also in a table whose rows nobody has counted yet, and
/// no statement is planned anew each time.
const SESSION: &str = "-c synchronous_commit=on -c default_transaction_isolation=read\\ committed \
    -c statement_timeout=5s -c lock_timeout=2s -c idle_in_transaction_session_timeout=10s \
    -c client_connection_check_interval=2s -c client_min_messages=warning -c enable_seqscan=off -c jit=off \
    -c plan_cache_mode=force_generic_plan";
/// When the server began, and its timeline: two servers never have the same.
const SERVER: &str = "SELECT pg_postmaster_start_time()::text, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";

/// Which server a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server(String, String);

/// How a database is reached.
pub(super) struct Address {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

impl Address {
    /// Reads a URL such as `postgresql://annon@one,two/annon`. Its password may stand elsewhere.
    pub(super) fn of(schema: &Schema, place: &ServerPlace, tls: &MakeRustlsConnect) -> Result<Self, PostgresError> {
        let mut config: Config = place.url.parse().map_err(|error| PostgresError::Url(schema.name, error))?;
        match (&place.password, config.get_password()) {
            (Some(_), Some(_)) => return Err(PostgresError::TwoPasswords(schema.name)),
            (Some(password), None) => _ = config.password(password),
            (None, _) => {}
        }
        let options = config.get_options().map_or_else(|| SESSION.to_owned(), |theirs| format!("{theirs} {SESSION}"));
        config.options(options).application_name("annon").target_session_attrs(TargetSessionAttrs::ReadWrite);
        config.connect_timeout(CONNECT).tcp_user_timeout(SILENCE);
        let is_tcp = |host: &Host| matches!(host, Host::Tcp(_));
        let is_encrypted = config.get_ssl_mode() != SslMode::Disable && config.get_hosts().iter().any(is_tcp);
        Ok(Self { config, tls: is_encrypted.then(|| tls.clone()) })
    }

    /// Makes one connection. Its server accepts writes.
    pub(super) async fn connect(&self, runtime: &Handle) -> Result<Connection, Error> {
        self.connect_and_hear(runtime, None).await
    }

    /// Makes one connection, and hands on the payloads of notifications. If too many wait,
    /// the connection is closed.
    async fn connect_and_hear(&self, runtime: &Handle, heard: Option<Sender<String>>) -> Result<Connection, Error> {
        match &self.tls {
            Some(tls) => self.connect_with(tls.clone(), runtime, heard).await,
            None => self.connect_with(NoTls, runtime, heard).await,
        }
    }

    async fn connect_with<T>(
        &self,
        tls: T,
        runtime: &Handle,
        heard: Option<Sender<String>>,
    ) -> Result<Connection, Error>
    where
        T: MakeTlsConnect<Socket> + Send,
        T::Stream: Send + 'static,
        T::TlsConnect: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let (client, mut connection) = self.config.connect(tls).await?;
        let notices = Arc::new(AtomicU64::new(0));
        let counted = notices.clone();
        // This ends when the client is dropped or the connection breaks.
        runtime.spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                match message {
                    AsyncMessage::Notice(notice) => {
                        tracing::warn!(code = notice.code().code(), "the database has sent a notice");
                        counted.fetch_add(1, Ordering::Release);
                    }
                    AsyncMessage::Notification(notification) => {
                        let payload = notification.payload().to_owned();
                        if heard.as_ref().is_some_and(|heard| heard.try_send(payload).is_err()) {
                            return;
                        }
                    }
                    _ => {}
                }
            }
        });
        let row = client.query_one(SERVER, &[]).await?;
        let server = Server(row.get(0), row.get(1));
        let (tls, statements) = (self.tls.clone(), HashMap::new());
        Ok(Connection { client, tls, notices, server, statements })
    }
}

/// One connection. It is used by one caller at a time.
pub(super) struct Connection {
    pub(super) client: Client,
    tls: Option<MakeRustlsConnect>,
    server: Server,
    /// How many notices have come. The server sends a notice before the answer that
    /// it belongs to, and it is counted before that answer is handed on.
    notices: Arc<AtomicU64>,
    /// What was prepared on it.
    statements: HashMap<&'static str, Statement>,
}

impl Connection {
    pub(super) fn notices(&self) -> u64 {
        self.notices.load(Ordering::Acquire)
    }

    /// Executes a statement, and returns its rows.
    pub(super) async fn query(&mut self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.prepare(sql).await?;
        self.client.query(&statement, parameters).await
    }

    /// Begins a transaction with its first statement. Both are sent together, which
    /// saves a round trip.
    pub(super) async fn begin_with(
        &mut self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, Error> {
        let statement = self.prepare(sql).await?;
        let (begun, rows) = join(self.client.batch_execute("BEGIN"), self.client.query(&statement, parameters)).await;
        begun.and(rows)
    }

    /// Ends what may be under way on it, and returns whether it is of use after that. Whoever gave that up keeps their
    /// place among the connections until then: a backend that waits for a standby would stay beside each new one.
    pub(super) async fn end_work(&self) -> bool {
        let mut rollback = pin!(self.client.batch_execute("ROLLBACK"));
        let mut was_cancelled = false;
        loop {
            match timeout(CANCEL_AFTER, &mut rollback).await {
                Ok(outcome) if was_cancelled => {
                    // The cancel may come after what it was for.
                    return outcome.is_ok() && self.client.batch_execute("").await.is_ok();
                }
                Ok(outcome) => return outcome.is_ok(),
                Err(_) => {
                    was_cancelled = true;
                    let token = self.client.cancel_token();
                    let cancelled = async {
                        match self.tls.clone() {
                            Some(tls) => token.cancel_query(tls).await,
                            None => token.cancel_query(NoTls).await,
                        }
                    };
                    // If it doesn't come through, it is sent again, as long as the connection stands.
                    let _ = timeout(CONNECT, cancelled).await;
                }
            }
        }
    }

    /// Prepares a statement, unless this connection has it.
    pub(super) async fn prepare(&mut self, sql: &'static str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

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
