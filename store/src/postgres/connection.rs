//! One connection to a database, and how it is made and ended.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::{MakeTlsConnect, NoTls, TlsConnect};
use tokio_postgres::{AsyncMessage, Client, Config, Error, Row, Socket, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::postgres::lease::{Parameters, UnderWay};
use crate::postgres::schema::Schema;
use crate::postgres::{PostgresError, ServerPlace};

/// How long a server may take to accept a connection.
pub(super) const CONNECT: Duration = Duration::from_secs(5);
/// How long sent bytes may stay unacknowledged before a connection counts as broken.
const SILENCE: Duration = Duration::from_secs(10);
/// How long the end of something may take before what it waits for is cancelled.
const CANCEL_AFTER: Duration = Duration::from_secs(1);
/// What every session of ours is set to. A server notices as soon as we do that the other end is gone: a listener that
/// is suspended keeps all notifications in their queue. Rows are found by an index also in a table whose rows nobody has counted yet.
const SESSION: &str = "-c synchronous_commit=on -c default_transaction_isolation=read\\ committed \
    -c statement_timeout=5s -c lock_timeout=2s -c idle_in_transaction_session_timeout=10s \
    -c client_connection_check_interval=2s -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 \
    -c tcp_keepalives_count=3 -c tcp_user_timeout=25s -c client_min_messages=warning -c enable_seqscan=off -c jit=off";
/// When the server began, since when it counts, and its timeline: two servers never have the same. After the crash of one
/// backend a server goes on as after its own, under the same start, and counts anew.
const SERVER: &str = "SELECT concat_ws(' ', pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_wal)), \
     substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";

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
        let session = format!("{SESSION} -c plan_cache_mode={}", schema.plans);
        let options = config.get_options().map_or_else(|| session.clone(), |theirs| format!("{theirs} {session}"));
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
    pub(super) async fn connect_and_hear(
        &self,
        runtime: &Handle,
        heard: Option<Sender<String>>,
    ) -> Result<Connection, Error> {
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
    pub(super) server: Server,
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

    /// Ends what may be under way on this connection, and returns whether it is of use after that. Whoever gave that up keeps their
    /// place among the connections until then: a backend that waits for a standby would stay beside each new one.
    pub(super) async fn end_work(&self, under_way: UnderWay) -> bool {
        // A rollback without a transaction is answered with a warning, here and in the server's log.
        let end = if under_way == UnderWay::Transaction { "ROLLBACK" } else { "" };
        let mut ended = pin!(self.client.batch_execute(end));
        let mut was_cancelled = false;
        loop {
            match timeout(CANCEL_AFTER, &mut ended).await {
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
