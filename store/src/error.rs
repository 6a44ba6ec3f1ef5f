//! What can go wrong below the store's traits.

use annon_contract::code::Code;

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else was first: the name is taken, the sequence has moved on.
    #[error("already there")]
    Conflict,
    /// There is no such thing, or no longer.
    #[error("not found")]
    NotFound,
    /// A quota is used up.
    #[error("no room left for more of these")]
    Full,
    /// The disk is nearly full; reading and deleting go on.
    #[error("the disk is nearly full")]
    DiskFull,
    /// A stored record can't be read back. The details are in the log.
    #[error("a stored record can't be read")]
    Corrupt,
    /// The store has stopped forever, because one write failed.
    #[error("the store has stopped")]
    Unavailable,
}

/// What every call of the store answers.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

impl From<StoreError> for Code {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::NothingHere,
            StoreError::Conflict => Self::SomeoneWasFirst,
            StoreError::Full => Self::NoRoomForMore,
            StoreError::DiskFull => Self::NoSpace,
            StoreError::Unavailable => Self::CannotStore,
            StoreError::Corrupt => Self::Internal,
        }
    }
}
