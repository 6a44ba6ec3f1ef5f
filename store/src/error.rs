//! What can go wrong below the store's traits.

use annon_contract::code::Code;

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else was first: a name is taken, or a log has gone on.
    #[error("already there")]
    Conflict,
    /// It is not there, or not any more.
    #[error("not found")]
    NotFound,
    /// A quota is used up.
    #[error("no room left for more of these")]
    Full,
    /// The disk is nearly full. Reading and deleting still work.
    #[error("the disk is nearly full")]
    DiskFull,
    /// A stored record can't be read. The server's log has the details.
    #[error("a stored record can't be read")]
    Corrupt,
    /// The store has stopped writing for good: it was told to, or one write failed.
    #[error("the store has stopped")]
    Unavailable,
    /// The store can't be asked now. It passes.
    #[error("the store can't be reached")]
    Unreachable,
    /// The answer of the store was lost: what was asked may be done, or not.
    #[error("it is not known whether it was stored")]
    Unknown,
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
            StoreError::Unavailable | StoreError::Unreachable => Self::CannotStore,
            StoreError::Unknown => Self::MaybeStored,
            StoreError::Corrupt => Self::Internal,
        }
    }
}
