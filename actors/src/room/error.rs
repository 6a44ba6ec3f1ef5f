//! Why a room did not do what it was asked.

use std::fmt::{self, Display, Formatter};

use annon_contract::code::Code;
use annon_store::StoreError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomError {
    /// The room does not exist, or not any more.
    Gone,
    /// The room refuses the request.
    Rejected(Code),
    /// Too much waits for the disk already.
    Busy,
    /// The room, or its log, has not answered in time.
    Stuck,
    /// Somebody else has written to the log, which the room didn't know yet.
    Moved,
    /// The room is rebuilt from its log. The request may be done, or not.
    Interrupted,
    Store(StoreError),
}

impl From<Code> for RoomError {
    fn from(code: Code) -> Self {
        Self::Rejected(code)
    }
}

impl From<StoreError> for RoomError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::Gone,
            StoreError::Conflict => Self::Moved,
            other => Self::Store(other),
        }
    }
}

impl From<RoomError> for Code {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::Gone => Self::GroupExpired,
            RoomError::Rejected(code) => code,
            RoomError::Busy | RoomError::Stuck | RoomError::Moved | RoomError::Interrupted => Self::GroupBusy,
            RoomError::Store(error) => error.into(),
        }
    }
}

impl Display for RoomError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Code::from(*self).fmt(f)
    }
}
