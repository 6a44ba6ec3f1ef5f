//! What the database answers when it doesn't do what it was asked.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::error::StoreError;

/// Why a call of the database did not succeed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nothing was done, because another transaction was in the way or the connection
    /// broke before the commit. It can be done again.
    Again,
    /// The commit was asked for, and nobody knows whether it is done and kept.
    Unknown,
    /// A row has this already.
    Taken,
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Again | Failure::Unknown => Self::Unreachable,
            Failure::Taken => Self::Conflict,
            Failure::Store(error) => error,
        }
    }
}

/// Whether the connection, or its server, is of no use after this error.
pub(super) fn breaks(error: &Error) -> bool {
    // An error without a code is not the server's: the connection is lost.
    let Some(code) = error.code() else { return true };
    let lost = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    lost.contains(code)
}

/// What an error before the commit means: nothing was done.
pub(super) fn failure(error: &Error) -> Failure {
    if breaks(error) {
        return Failure::Again;
    }
    let code = error.code().cloned().unwrap_or(SqlState::INTERNAL_ERROR);
    if code == SqlState::UNIQUE_VIOLATION {
        return Failure::Taken;
    }
    let in_the_way = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        // It took longer than a statement may.
        SqlState::QUERY_CANCELED,
    ];
    if in_the_way.contains(&code) {
        return Failure::Again;
    }
    if code == SqlState::DISK_FULL {
        return StoreError::DiskFull.into();
    }
    // The message is not logged, because it may quote a value.
    tracing::error!(code = code.code(), "the database has refused a statement");
    StoreError::Unreachable.into()
}

/// What an error of the commit means. If the connection broke, the commit may be done:
/// a backend that is ended while it waits for the standby has written it.
pub(super) fn failure_of_commit(error: &Error) -> Failure {
    if breaks(error) { Failure::Unknown } else { failure(error) }
}
