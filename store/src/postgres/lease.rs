//! A connection in use, and a transaction on it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::postgres::connect::{Connection, Connections, Generation};
use crate::postgres::errors::{Failure, breaks, failure, failure_of_commit};

/// How long a commit may wait for the standby before its caller is told that nobody
/// knows. A time-out of the server doesn't end that wait.
const COMMIT_PATIENCE: Duration = Duration::from_secs(10);
/// How long a transaction may take to be rolled back before its connection is closed.
const ROLLBACK_PATIENCE: Duration = Duration::from_secs(5);

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection in use. It goes back when this is dropped.
pub(super) struct Lease {
    /// There until it is dropped.
    connection: Option<Connection>,
    generation: Arc<Generation>,
    permit: Option<OwnedSemaphorePermit>,
    runtime: Handle,
    /// Whether a statement or a transaction may be under way, if this is dropped now.
    is_busy: bool,
}

impl Lease {
    pub(super) fn new(
        connection: Connection,
        generation: Arc<Generation>,
        permit: OwnedSemaphorePermit,
        runtime: Handle,
    ) -> Self {
        Self { connection: Some(connection), generation, permit: Some(permit), runtime, is_busy: false }
    }

    #[expect(clippy::expect_used, reason = "only dropping takes it out")]
    fn connection(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("a lease has its connection until it is dropped")
    }

    /// The connection, for something that `is_done` ends. If that is never called, the
    /// connection is put in order before somebody else gets it.
    pub(super) fn busy(&mut self) -> &mut Connection {
        self.is_busy = true;
        self.connection()
    }

    /// The number of its generation.
    pub(super) fn generation(&self) -> u64 {
        self.generation.number()
    }

    pub(super) fn is_done(&mut self) {
        self.is_busy = false;
    }

    fn failed(&self, error: &tokio_postgres::Error) -> Failure {
        if breaks(error) {
            self.generation.end();
        }
        let failure = failure(error);
        self.generation.note(&failure);
        failure
    }

    /// Reads. What it says is committed, but the standby may not have it yet.
    pub(super) async fn read(&mut self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        self.is_busy = true;
        let rows = self.connection().query(sql, parameters).await.map_err(|error| self.failed(&error))?;
        self.is_busy = false;
        Ok(rows)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (Some(connection), Some(permit)) = (self.connection.take(), self.permit.take()) else { return };
        let generation = self.generation.clone();
        if !self.is_busy || connection.client.is_closed() {
            generation.keep(connection);
            return;
        }
        self.runtime.spawn(async move {
            let rollback = timeout(ROLLBACK_PATIENCE, connection.client.batch_execute("ROLLBACK")).await;
            if matches!(rollback, Ok(Ok(()))) {
                generation.keep(connection);
            }
            drop(permit);
        });
    }
}

/// A transaction. Dropped before its commit, it is rolled back.
pub(super) struct Transaction {
    lease: Lease,
    /// Whether the server was told that it begins.
    has_begun: bool,
    /// Whether a statement has failed: then nothing of it can be committed.
    has_failed: bool,
}

impl Connections {
    pub(super) async fn begin(&self) -> Result<Transaction, Failure> {
        let lease = self.lease().await?;
        self.may_write()?;
        Ok(Transaction { lease, has_begun: false, has_failed: false })
    }

    /// Reads, on a connection of its own.
    pub(super) async fn read(&self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        self.lease().await?.read(sql, parameters).await
    }

    /// Executes statements that change tables, and commits them.
    pub(super) async fn alter(&self, statements: &str) -> Result<(), Failure> {
        let mut lease = self.lease().await?;
        self.may_write()?;
        let connection = lease.busy();
        let outcome = committed(connection, connection.client.batch_execute(statements)).await;
        lease.settle(&outcome);
        outcome
    }
}

impl Transaction {
    /// Executes a statement, and returns its rows.
    pub(super) async fn query(&mut self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        let outcome = self.try_query(sql, parameters).await;
        self.has_failed |= outcome.is_err();
        outcome
    }

    async fn try_query(&mut self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        self.lease.is_busy = true;
        let connection = self.lease.connection();
        let answer = if self.has_begun {
            connection.query(sql, parameters).await
        } else {
            self.has_begun = true;
            connection.begin_with(sql, parameters).await
        };
        answer.map_err(|error| self.lease.failed(&error))
    }

    /// Makes it durable. A commit with a warning is nobody's yes: the wait for the
    /// standby was cancelled, and only this server has what it shows to everybody.
    pub(super) async fn commit(mut self) -> Result<(), Failure> {
        if self.has_failed {
            return Err(Failure::Again);
        }
        if !self.has_begun {
            return Ok(());
        }
        self.lease.commit().await
    }
}

impl Lease {
    async fn commit(&mut self) -> Result<(), Failure> {
        let connection = self.connection();
        let outcome = committed(connection, connection.client.batch_execute("COMMIT")).await;
        self.settle(&outcome);
        outcome
    }

    /// Notes how something ended that commits.
    pub(super) fn settle<T>(&mut self, outcome: &Result<T, Failure>) {
        match outcome {
            Ok(_) => self.is_busy = false,
            Err(failure) => {
                self.generation.note(failure);
                if self.connection().client.is_closed() {
                    self.generation.end();
                }
            }
        }
    }
}

/// Waits for the answer of something that commits. With a notice, whatever it says, it
/// is not known whether the standby has it: PostgreSQL answers a commit whose wait was
/// cancelled with a warning, in the server's language, and then with success.
pub(super) async fn committed<T>(
    connection: &Connection,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Failure> {
    let before = connection.notices();
    match timeout(COMMIT_PATIENCE, answer).await {
        Ok(Ok(value)) if connection.notices() == before => Ok(value),
        Ok(Err(error)) => Err(failure_of_commit(&error)),
        Ok(Ok(_)) | Err(_) => {
            tracing::error!("a commit came with a notice or not at all: nobody knows whether the standby has it");
            Err(Failure::Unknown)
        }
    }
}
