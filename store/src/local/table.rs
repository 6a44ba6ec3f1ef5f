//! What stands where in the index: the first byte of a key names the table.

use uuid::Uuid;

use crate::error::{Result, StoreError};

/// The first byte of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Table {
    /// account → the account, sealed.
    Account = b'a',
    /// account → which of its tokens are good.
    Access = b'v',
    /// blinded name → account.
    Username = b'n',
    /// blinded address → account.
    Email = b'e',
    /// target → account.
    Target = b't',
    /// digest of a reset token → account and deadline.
    Reset = b'r',
    /// account, digest → nothing: which resets are an account's.
    ResetOf = b'R',
    /// digest of a token that confirms an address → account and deadline.
    Confirm = b'm',
    /// account, digest → nothing: which of those are an account's.
    ConfirmOf = b'M',
    /// owner, place → the note, sealed.
    Note = b'i',
    /// owner → how many notes, how many unread, and what of them waits.
    Inbox = b'c',
    /// owner → nothing: something was deleted, and the rest must move to a
    /// new key.
    Stale = b's',
    /// owner → nothing: the account is gone, its notes are still to remove.
    Gone = b'g',
    /// room → its card, sealed.
    Room = b'o',
    /// owner, room → when it ends.
    RoomOf = b'O',
    /// end, room → nothing.
    RoomExpiry = b'x',
    /// room, last place → what was appended at once, sealed. In backups only:
    /// rooms live on the tape.
    RoomLog = b'l',
    /// In backups of older builds only: a room that had to move to a new key.
    StaleRoom = b'S',
    /// room → nothing: the room is gone, its pictures are still to remove.
    GoneRoom = b'G',
    /// feedback → the words, sealed.
    Feedback = b'f',
    /// nothing → how much feedback there is.
    FeedbackCount = b'F',
    /// nothing → how many slots the file of keys has.
    KeySlots = b'k',
    /// nothing → nothing: groups were missing when the index was built, so a
    /// key whose owner isn't there may be somebody's.
    Incomplete = b'!',
    /// nothing → the last group that is in it.
    At = b'#',
    /// nothing → the folder the index belongs to. In backups of older builds
    /// something else stands there.
    Folder = b'$',
}

/// A key: the table's byte, then the parts.
pub(crate) fn key(table: Table, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = vec![table as u8];
    for part in parts {
        key.extend_from_slice(part);
    }
    key
}

/// The id that follows the table's byte.
pub(crate) fn id_after_table(key: &[u8]) -> Result<Uuid> {
    key.get(1..17).and_then(|id| Uuid::from_slice(id).ok()).ok_or(StoreError::Corrupt)
}

/// The first key after all those that begin with `prefix`.
pub(crate) fn end_of(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            break;
        }
    }
    end
}

/// Whether a key tells of the index itself and is no record of anybody's.
pub(crate) fn is_about_itself(key: &[u8]) -> bool {
    key.first().is_some_and(|table| [Table::At as u8, Table::Folder as u8].contains(table))
}

/// Keys and values to set, or to remove where the value is `None`.
pub(crate) type Changes = std::collections::BTreeMap<Vec<u8>, Option<Vec<u8>>>;
