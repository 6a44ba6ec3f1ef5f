//! A connection in use, and a transaction on it.

use std::collections::BTreeSet;
use std::future::Future;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use futures_util::future::{join, join_all, join3, join4, join5};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

#[cfg(feature = "left-out")]
use crate::left_out::{Condition, leaves_out};
use crate::postgres::connect::{Connections, Generation};
use crate::postgres::connection::Connection;
use crate::postgres::errors::{Failure, breaks, failure, failure_of_commit};
use crate::postgres::keys::{Columns, Named};
use crate::postgres::known::{self, Known};
use crate::rows::Wants;
use crate::table::Changes;

/// How long a commit may wait for the standby before its caller is told that nobody
/// knows. A time-out of the server doesn't end that wait.
const COMMIT_PATIENCE: Duration = Duration::from_secs(10);

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection in use. It goes back when this is dropped.
pub(super) struct Lease {
    /// There until it is dropped.
    connection: Option<Connection>,
    generation: Arc<Generation>,
    permit: Option<OwnedSemaphorePermit>,
    runtime: Handle,
    under_way: UnderWay,
}

/// What may be under way on a connection whose lease is dropped now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnderWay {
    Nothing,
    /// A statement that is a transaction by itself, or a commit, which is its transaction's end whatever the answer.
    Statement,
    Transaction,
}

impl Lease {
    pub(super) fn new(
        connection: Connection,
        generation: Arc<Generation>,
        permit: OwnedSemaphorePermit,
        runtime: Handle,
    ) -> Self {
        Self { connection: Some(connection), generation, permit: Some(permit), runtime, under_way: UnderWay::Nothing }
    }

    #[expect(clippy::expect_used, reason = "only dropping takes it out")]
    fn connection(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("a lease has its connection until it is dropped")
    }

    /// The connection, for something that `is_done` ends. If that is never called, the
    /// connection is put in order before somebody else gets it.
    pub(super) fn busy(&mut self) -> &mut Connection {
        self.under_way = UnderWay::Statement;
        self.connection()
    }

    /// The connection, for a statement of a transaction that the server was told of, or is told of at once.
    pub(super) fn in_transaction(&mut self) -> &mut Connection {
        self.under_way = UnderWay::Transaction;
        self.connection()
    }

    /// The connection, for what comes before such a statement.
    fn for_more(&mut self, has_begun: bool) -> &mut Connection {
        if has_begun { self.in_transaction() } else { self.busy() }
    }

    /// The number of its generation.
    pub(super) fn generation(&self) -> u64 {
        self.generation.number()
    }

    pub(super) fn is_done(&mut self) {
        self.under_way = UnderWay::Nothing;
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
        let answer = self.busy().query(sql, parameters).await;
        let rows = answer.map_err(|error| self.failed(&error))?;
        self.is_done();
        Ok(rows)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (Some(connection), Some(permit)) = (self.connection.take(), self.permit.take()) else { return };
        let generation = self.generation.clone();
        let under_way = self.under_way;
        if under_way == UnderWay::Nothing || connection.client.is_closed() {
            generation.keep(connection);
            return;
        }
        self.runtime.spawn(async move {
            if connection.end_work(under_way).await {
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
        self.may_begin()?;
        let lease = self.lease().await?;
        self.may_write()?;
        Ok(Transaction { lease, has_begun: false, has_failed: false })
    }

    /// Reads, on a connection of its own.
    pub(super) async fn read(&self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        self.lease().await?.read(sql, parameters).await
    }

    /// Reads with a statement that is asked once.
    pub(super) async fn ask(&self, sql: &str) -> Result<Vec<Row>, Failure> {
        let mut lease = self.lease().await?;
        let answer = lease.busy().client.query(sql, &[]).await;
        let rows = answer.map_err(|error| lease.failed(&error))?;
        lease.is_done();
        Ok(rows)
    }

    /// Reads rows together, on a connection of its own.
    pub(super) async fn read_wanted(&self, wants: &Wants) -> Result<Known, Failure> {
        let mut lease = self.lease().await?;
        let connection = lease.busy();
        let answer =
            async { known::Statements::prepare(connection, wants).await?.read(&connection.client, wants).await };
        let outcome: Result<_, tokio_postgres::Error> = answer.await;
        let known = outcome.map_err(|error| lease.failed(&error))?;
        lease.is_done();
        Ok(known)
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

    /// Executes two statements with the same parameters, and returns the rows of the second. All is sent together, which
    /// saves a round trip.
    pub(super) async fn query_both(
        &mut self,
        first: &'static str,
        second: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, Failure> {
        let outcome = self.try_query_both(first, second, parameters).await;
        self.has_failed |= outcome.is_err();
        outcome.map_err(|error| self.lease.failed(&error))
    }

    async fn try_query_both(
        &mut self,
        first: &'static str,
        second: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        let connection = self.lease.for_more(self.has_begun);
        let (first, second) = (connection.prepare(first).await?, connection.prepare(second).await?);
        let has_begun = mem::replace(&mut self.has_begun, true);
        let client = &self.lease.in_transaction().client;
        let begin = async { if has_begun { Ok(()) } else { client.batch_execute("BEGIN").await } };
        let (begun, before, rows) =
            join3(begin, client.query(&first, parameters), client.query(&second, parameters)).await;
        begun.and(before)?;
        rows
    }

    async fn try_query(&mut self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        let statement = self.lease.for_more(self.has_begun).prepare(sql).await;
        let statement = statement.map_err(|error| self.lease.failed(&error))?;
        let has_begun = mem::replace(&mut self.has_begun, true);
        let client = &self.lease.in_transaction().client;
        let query = client.query(&statement, parameters);
        let answer = if has_begun {
            query.await
        } else {
            // Both are sent together, which saves a round trip.
            let (begun, rows) = join(client.batch_execute("BEGIN"), query).await;
            begun.and(rows)
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
        let connection = self.busy();
        let outcome = committed(connection, connection.client.batch_execute("COMMIT")).await;
        self.settle(&outcome);
        outcome
    }

    /// Notes how something ended that commits.
    pub(super) fn settle<T>(&mut self, outcome: &Result<T, Failure>) {
        match outcome {
            Ok(_) => self.is_done(),
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
        #[cfg(feature = "left-out")]
        Ok(Ok(value)) if leaves_out(Condition::Notice) => Ok(value),
        Ok(Err(error)) => Err(failure_of_commit(&error)),
        Ok(Ok(_)) | Err(_) => {
            tracing::error!("a commit came with a notice or not at all: nobody knows whether the standby has it");
            Err(Failure::Unknown)
        }
    }
}

/// Whoever locks a name waits until nobody else has it.
const LOCK: &str = "SELECT pg_advisory_xact_lock($1)";
/// Which locks were not free. The others are taken.
const TRY_LOCK: &str = "SELECT n FROM unnest($1::int8[]) AS n WHERE NOT pg_try_advisory_xact_lock(n)";
const PUT: &str = "INSERT INTO kept (at, value) SELECT * FROM unnest($1::bytea[], $2::bytea[]) \
     ON CONFLICT (at) DO UPDATE SET value = excluded.value";
const REMOVE: &str = "DELETE FROM kept WHERE at = ANY ($1)";
const DOOM: &str = "INSERT INTO doomed_key (kind, owner, key, day) \
     SELECT * FROM unnest($1::int2[], $2::uuid[], $3::int8[], $4::int[]) ON CONFLICT DO NOTHING";

/// The number of a lock. Two names with one number only wait for each other.
pub(super) fn number_of(name: &[u8]) -> i64 {
    let digest = digest(&SHA256, name);
    digest.as_ref().first_chunk().copied().map_or(0, i64::from_be_bytes)
}

/// Rows.
impl Transaction {
    /// Takes locks, and reads what is wanted as it is then, in one round trip. All take locks in the order of their
    /// numbers, so nobody waits for somebody who waits for them.
    pub(super) async fn lock_and_read(&mut self, locks: &BTreeSet<i64>, wants: &Wants) -> Result<Known, Failure> {
        self.try_to_lock_and_read(locks, &[], wants).await.map(|(known, _)| known)
    }

    /// Takes locks and reads as `lock_and_read` does, and takes those of the locks in `free` that nobody has. Returns
    /// the others of these.
    pub(super) async fn try_to_lock_and_read(
        &mut self,
        locks: &BTreeSet<i64>,
        free: &[i64],
        wants: &Wants,
    ) -> Result<(Known, BTreeSet<i64>), Failure> {
        let answer = async {
            let connection = self.lease.for_more(self.has_begun);
            let statements = known::Statements::prepare(connection, wants).await?;
            let (lock, try_lock) = (connection.prepare(LOCK).await?, connection.prepare(TRY_LOCK).await?);
            let has_begun = mem::replace(&mut self.has_begun, true);
            let client = &self.lease.in_transaction().client;
            let begin = async { if has_begun { Ok(()) } else { client.batch_execute("BEGIN").await } };
            // They are sent in this order, and the last sees what was committed while the locks were waited for.
            let numbers: Vec<_> = locks.iter().map(|number| [number as &(dyn ToSql + Sync)]).collect();
            let locks = join_all(numbers.iter().map(|number| client.query(&lock, number)));
            let taken =
                async { if free.is_empty() { Ok(Vec::new()) } else { client.query(&try_lock, &[&free]).await } };
            let (begun, locked, taken, known) = join4(begin, locks, taken, statements.read(client, wants)).await;
            begun?;
            locked.into_iter().try_for_each(|locked| locked.map(drop))?;
            Ok((known?, taken?.iter().map(|row| row.get(0)).collect()))
        };
        let outcome: Result<_, tokio_postgres::Error> = answer.await;
        let outcome = outcome.map_err(|error| self.lease.failed(&error));
        self.has_failed |= outcome.is_err();
        outcome
    }

    /// Writes changes of rows and which keys die, and commits, all in one round trip.
    pub(super) async fn commit_rows(mut self, changes: &Changes, dying: &[Named]) -> Result<(), Failure> {
        if self.has_failed {
            return Err(Failure::Again);
        }
        let Written { puts, values, removed, dying: Columns { days, kinds, owners, ids, .. } } =
            Written::of(changes, dying);
        if puts.is_empty() && removed.is_empty() && ids.is_empty() {
            return self.commit().await;
        }
        let has_begun = self.has_begun;
        let connection = self.lease.for_more(has_begun);
        let statements = async {
            Ok((connection.prepare(PUT).await?, connection.prepare(REMOVE).await?, connection.prepare(DOOM).await?))
        };
        let (put, remove, doom) = statements.await.map_err(|error| self.lease.failed(&error))?;
        let connection = &*self.lease.busy();
        let client = &connection.client;
        let begin = async { if has_begun { Ok(()) } else { client.batch_execute("BEGIN").await } };
        let put = async { if puts.is_empty() { Ok(0) } else { client.execute(&put, &[&puts, &values]).await } };
        let remove = async { if removed.is_empty() { Ok(0) } else { client.execute(&remove, &[&removed]).await } };
        let doom =
            async { if ids.is_empty() { Ok(0) } else { client.execute(&doom, &[&kinds, &owners, &ids, &days]).await } };
        let all = async {
            let (begun, put, removed, doomed, committed) =
                join5(begin, put, remove, doom, client.batch_execute("COMMIT")).await;
            // If one of them has failed, the commit was none.
            begun.and(put).and(removed).and(doomed).map(drop).and(committed)
        };
        let outcome = committed(connection, all).await;
        self.lease.settle(&outcome);
        outcome
    }
}

/// Changes of rows, as the columns of statements.
struct Written<'a> {
    puts: Vec<&'a Vec<u8>>,
    values: Vec<&'a Vec<u8>>,
    removed: Vec<&'a Vec<u8>>,
    dying: Columns,
}

impl<'a> Written<'a> {
    fn of(changes: &'a Changes, dying: &[Named]) -> Self {
        let (puts, values) = changes.iter().filter_map(|(at, value)| Some((at, value.as_ref()?))).unzip();
        let removed = changes.iter().filter(|(_, value)| value.is_none()).map(|(at, _)| at).collect();
        Self { puts, values, removed, dying: Columns::of(dying) }
    }
}
