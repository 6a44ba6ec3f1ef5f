//! What is beside a shield on disk: which tags an inbox knows.

use serde::{Deserialize, Serialize};

use crate::account::AccountId;
use crate::shield::TagHash;
use crate::table::{Table, key};

/// The last day on which a tag came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DayRecord(pub(crate) u32);

pub(crate) fn shield_key(owner: AccountId) -> Vec<u8> {
    key(Table::Shield, &[owner.0.as_bytes()])
}

pub(crate) fn known_tag_key(owner: AccountId, tag: TagHash) -> Vec<u8> {
    key(Table::KnownTag, &[owner.0.as_bytes(), &tag.0])
}

pub(crate) fn day_of_tags_key(day: u32, owner: AccountId) -> Vec<u8> {
    key(Table::DayOfTags, &[&day.to_be_bytes(), owner.0.as_bytes()])
}
