//! What is beside a conversation on disk and is not sealed. The order of fields is on disk,
//! too.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::conversation::{ConversationId, Door, Proof, expires};
use crate::error::Result;
use crate::shapes::encode;
use crate::table::{Table, key};

/// Who may enter a conversation, and where it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DoorRecord {
    pub(crate) owner: AccountId,
    pub(crate) proof: Proof,
    /// The place of its note in the owner's inbox.
    pub(crate) place: [u8; 16],
    /// When its last line was said, or its note came.
    pub(crate) moved: Timestamp,
    pub(crate) is_open: bool,
}

impl From<DoorRecord> for Door {
    fn from(DoorRecord { owner, proof, .. }: DoorRecord) -> Self {
        Self { owner, proof }
    }
}

pub(crate) fn door_key(id: ConversationId) -> Vec<u8> {
    key(Table::ConversationDoor, &[id.0.as_bytes()])
}

/// Under its owner, in the order in which conversations moved.
pub(crate) fn of_owner_key(owner: AccountId, moved: Timestamp, id: ConversationId) -> Vec<u8> {
    key(Table::ConversationOf, &[owner.0.as_bytes(), &moved.to_be_bytes(), id.0.as_bytes()])
}

pub(crate) fn expiry_key(moved: Timestamp, id: ConversationId) -> Vec<u8> {
    key(Table::ConversationExpiry, &[&expires(moved).to_be_bytes(), id.0.as_bytes()])
}

pub(crate) fn of_note_key(owner: AccountId, place: &[u8; 16]) -> Vec<u8> {
    key(Table::ConversationOfNote, &[owner.0.as_bytes(), place])
}

/// How many open ones an account has.
pub(crate) fn open_key(owner: AccountId) -> Vec<u8> {
    key(Table::OpenConversations, &[owner.0.as_bytes()])
}

/// What is beside a conversation, with where it is.
pub(crate) fn listed(id: ConversationId, door: &DoorRecord) -> Result<[(Vec<u8>, Vec<u8>); 4]> {
    Ok([
        (door_key(id), encode(door)?),
        (of_owner_key(door.owner, door.moved, id), Vec::new()),
        (of_note_key(door.owner, &door.place), id.0.as_bytes().to_vec()),
        (expiry_key(door.moved, id), Vec::new()),
    ])
}
