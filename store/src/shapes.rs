//! The records as they are on disk: one version byte, then bincode. The folder
//! `golden/` has the bytes of each record, and a test compares them, so that no
//! change makes somebody's data unreadable.
//!
//! These bytes come from our own disk, never from a socket.

use bincode::Options;
use serde::{Serialize, de::DeserializeOwned};

use crate::account::Access;
use crate::conversation::Conversation;
use crate::digest::Digest;
use crate::error::{Result, StoreError};
use crate::inbox_seal::InboxSeal;
use crate::invitation::Invitation;
use crate::lapse::Used;
use crate::pause::Pause;
use crate::personal_page::PersonalPage;
use crate::push::Subscriptions;
use crate::report::{Receipt, ReceiptHash};
use crate::room_link::{LinksRecord, RoomLink};
use crate::shield::Shield;
use crate::sign_in::SignInsRecord;
use crate::suspension::Suspension;
use crate::telling::Told;

pub(crate) mod account;
pub(crate) mod answer;
pub(crate) mod conversation;
pub(crate) mod feedback;
#[cfg(test)]
pub(crate) mod golden;
pub(crate) mod inbox;
pub(crate) mod report;
pub(crate) mod room;
pub(crate) mod shield;

/// Every record is much smaller. A length field with more than this is damaged.
const RECORD_MAX_BYTES: u64 = 1024 * 1024;
/// Most records have fewer bytes.
const USUAL: usize = 256;

/// A type that is stored. If its shape changes, it gets a new version.
pub(crate) trait Record: Serialize + DeserializeOwned {
    /// The first byte of every stored record of this shape.
    const VERSION: u8;

    /// Reads the body of a record with an older version, if there was one.
    fn of_older(_version: u8, _body: &[u8]) -> Option<Self> {
        None
    }
}

/// Names the types that are stored, with their versions, and what the versions before were, the last one first.
macro_rules! records {
    ($($record:ty: $version:literal $(after $($older:ty)|+)?),* $(,)?) => {$(
        impl Record for $record {
            const VERSION: u8 = $version;

            $(fn of_older(version: u8, body: &[u8]) -> Option<Self> {
                let mut before: u8 = $version;
                $(
                    before -= 1;
                    if version == before {
                        return options().deserialize::<$older>(body).ok().map(Self::from);
                    }
                )+
                None
            })?
        }
    )*

        /// Reads bytes as a record of each kind; what is one is written and read again.
        #[cfg(any(test, fuzzing))]
        pub(crate) fn read_as_each_kind(bytes: &[u8]) {
            $(if let Ok(record) = decode::<$record>(bytes) {
                let again = encode(&record).and_then(|bytes| decode::<$record>(&bytes));
                invariant!(again.is_ok(), "what was read can be written");
            })*
        }
    };
}
records! {
    account::AccountRecord: 1,
    Access: 1,
    account::IdRecord: 1,
    answer::AnswerRecord: 1,
    answer::Publicity: 1,
    account::LinkRecord: 1,
    account::WithheldRecord: 1,
    conversation::HeadRecord: 3 after Conversation | conversation::older::FirstConversation,
    conversation::LineRecord: 1,
    conversation::DoorRecord: 1,
    conversation::older::AdditionRecord: 2 after conversation::older::FirstAdditionRecord,
    conversation::BegunRecord: 1,
    PersonalPage: 1,
    feedback::FeedbackRecord: 1,
    feedback::Count: 1,
    inbox::InboxRecord: 2 after inbox::FirstInboxRecord,
    inbox::NoteRecord: 2 after inbox::FirstNoteRecord,
    Shield: 1,
    shield::DayRecord: 1,
    report::ReportRecord: 1,
    Receipt: 1,
    ReceiptHash: 1,
    Suspension: 1,
    Invitation: 1,
    Pause: 1,
    Subscriptions: 1,
    Told: 1,
    Used: 1,
    SignInsRecord: 1,
    room::MetadataRecord: 2 after room::FirstMetadataRecord,
    room::LogRecord: 1,
    room::ErasingRecord: 1,
    Digest: 1,
    RoomLink: 1,
    LinksRecord: 1,
    InboxSeal: 1,
}

/// Whether the version of a record is a later one than `than`. Versions count from
/// one; what is far beyond is damage.
pub(crate) fn is_newer(version: u8, than: u8) -> bool {
    version > than && version < 32
}

fn options() -> impl Options {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(RECORD_MAX_BYTES).reject_trailing_bytes()
}

/// The bytes of a record, version first.
pub(crate) fn encode<T: Record>(record: &T) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(USUAL);
    bytes.push(T::VERSION);
    // With a limit bincode would measure the record first, which takes twice as
    // long.
    options().with_no_limit().serialize_into(&mut bytes, record).map_err(|error| {
        tracing::error!(kind = std::any::type_name::<T>(), %error, "a record can't be encoded");
        StoreError::Corrupt
    })?;
    if bytes.len() as u64 > RECORD_MAX_BYTES {
        tracing::error!(kind = std::any::type_name::<T>(), length = bytes.len(), "a record is too large");
        return Err(StoreError::Corrupt);
    }
    Ok(bytes)
}

/// The bytes of a record as another version wrote it.
#[cfg(test)]
pub(crate) fn in_version(version: u8, record: &impl Serialize) -> Vec<u8> {
    [vec![version], options().serialize(record).unwrap()].concat()
}

/// Reads a record from its bytes.
pub(crate) fn decode<T: Record>(bytes: &[u8]) -> Result<T> {
    if let Some((&version, body)) = bytes.split_first()
        && let Some(record) = T::of_older(version, body)
    {
        return Ok(record);
    }
    // bincode's messages can quote the text, so the log gets the record's type
    // and nothing else.
    options().deserialize(body_of::<T>(bytes)?).map_err(|_| corrupt::<T>("the body does not parse"))
}

/// Reads a record from its bytes, which zeros may follow: a record that was
/// overwritten by a shorter one.
pub(crate) fn decode_padded<T: Record>(bytes: &[u8]) -> Result<T> {
    let options = options().allow_trailing_bytes();
    options.deserialize(body_of::<T>(bytes)?).map_err(|_| corrupt::<T>("the body does not parse"))
}

/// The bytes after the version, if the version is today's.
fn body_of<T: Record>(bytes: &[u8]) -> Result<&[u8]> {
    match bytes.split_first() {
        Some((&version, body)) if version == T::VERSION => Ok(body),
        Some((&version, _)) if is_newer(version, T::VERSION) => {
            Err(corrupt::<T>("a newer annon has written it: start that one, or one that is newer yet"))
        }
        Some(_) => Err(corrupt::<T>("it is damaged")),
        None => Err(corrupt::<T>("empty")),
    }
}

fn corrupt<T>(why: &'static str) -> StoreError {
    tracing::error!(kind = std::any::type_name::<T>(), why, "a stored record can't be read");
    StoreError::Corrupt
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pair(u32, String);
    impl Record for Pair {
        const VERSION: u8 = 3;
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic_or_a_large_allocation() {
        let bytes = encode(&Pair(7, "text".into())).unwrap();
        (0..bytes.len()).for_each(|end| assert_eq!(decode::<Pair>(&bytes[..end]), Err(StoreError::Corrupt)));
        let mut long = bytes.clone();
        long.push(0);
        assert_eq!(decode::<Pair>(&long), Err(StoreError::Corrupt));
        let mut other = bytes.clone();
        other[0] = 4;
        assert_eq!(decode::<Pair>(&other), Err(StoreError::Corrupt));
        let mut huge = bytes;
        huge[5..13].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(decode::<Pair>(&huge), Err(StoreError::Corrupt));
    }
}
