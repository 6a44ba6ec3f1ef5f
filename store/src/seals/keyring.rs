//! The file `keys`: one sealing key for whatever dies as a whole, in slots
//! that are overwritten in place.
//!
//! It stands beside the tape and the index, which keep what was deleted until
//! its space is needed again.

use std::collections::HashMap;

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::seals::{KeyId, SealKey};

mod file;
mod slot;
pub(crate) use file::KeyFile;
use slot::{FIRST_LINE, SLOT_LEN, render};

/// Whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The account itself.
    Account(Uuid),
    /// The notes in its inbox. They have a key of their own, as it changes
    /// with every note that is deleted: the account itself can then be read
    /// also where an older copy of it is all that is left.
    Inbox(Uuid),
    Feedback(Uuid),
    /// A room: its card and its log.
    Room(Uuid),
    /// A room's pictures: one key for each, so that it dies alone.
    RoomPictures(Uuid),
    /// The picture that came with feedback.
    FeedbackPicture(Uuid),
}

impl Owner {
    pub(crate) fn is_account(self) -> bool {
        matches!(self, Self::Account(_))
    }

    /// How a slot of the file names the owner: by kind and id.
    fn kind(self) -> (u8, Uuid) {
        match self {
            Self::Account(id) => (1, id),
            Self::Feedback(id) => (2, id),
            Self::Inbox(id) => (3, id),
            Self::Room(id) => (4, id),
            Self::RoomPictures(id) => (5, id),
            Self::FeedbackPicture(id) => (6, id),
        }
    }

    fn of_kind(kind: u8, id: Uuid) -> Option<Self> {
        let all: [fn(Uuid) -> Self; 6] =
            [Self::Account, Self::Feedback, Self::Inbox, Self::Room, Self::RoomPictures, Self::FeedbackPicture];
        all.into_iter().map(|of| of(id)).find(|owner| owner.kind().0 == kind)
    }
}

/// The keys in memory, for all code that encrypts or decrypts.
#[derive(Default)]
pub(crate) struct Keyring {
    by_id: HashMap<KeyId, (Owner, SealKey)>,
    /// Usually one; two while an owner's records move to a new key, of which
    /// the last is the one to seal with; and as many as a room has pictures.
    by_owner: HashMap<Owner, Vec<KeyId>>,
    /// Keys in slots that are damaged, as far as these say whose and which
    /// they were. They open nothing; when their owner dies they do, too.
    damaged: HashMap<KeyId, Owner>,
    /// How many of the owners are accounts.
    accounts: usize,
}

impl Keyring {
    /// The key a record was sealed with, while it exists.
    pub(crate) fn key(&self, id: KeyId) -> Option<&SealKey> {
        self.by_id.get(&id).map(|(_, key)| key)
    }

    /// The key to seal an owner's next record with.
    pub(crate) fn current(&self, owner: Owner) -> Option<&SealKey> {
        self.key(*self.by_owner.get(&owner)?.last()?)
    }

    /// Every key of an owner, the current one last.
    pub(crate) fn keys_of(&self, owner: Owner) -> Vec<KeyId> {
        self.by_owner.get(&owner).cloned().unwrap_or_default()
    }

    /// The damaged keys that say they are this owner's.
    pub(crate) fn damaged_keys_of(&self, owner: Owner) -> impl Iterator<Item = KeyId> {
        self.damaged.iter().filter(move |(_, whose)| **whose == owner).map(|(id, _)| *id)
    }

    /// Whether a key is there, or might be again if somebody put its slot
    /// right.
    pub(crate) fn may_open(&self, id: KeyId) -> bool {
        self.by_id.contains_key(&id) || self.damaged.contains_key(&id)
    }

    /// How many accounts have a key.
    pub(crate) fn accounts(&self) -> usize {
        self.accounts
    }

    pub(crate) fn owner(&self, id: KeyId) -> Option<Owner> {
        self.by_id.get(&id).map(|(owner, _)| *owner)
    }

    /// Everybody who has a key.
    pub(crate) fn owners(&self) -> impl Iterator<Item = Owner> {
        self.by_owner.keys().copied()
    }

    /// Every picture's key.
    pub(crate) fn of_pictures(&self) -> impl Iterator<Item = (Owner, KeyId)> {
        let is_of_pictures = |owner: &Owner| matches!(owner, Owner::RoomPictures(_) | Owner::FeedbackPicture(_));
        let owners = self.by_owner.iter().filter(move |(owner, _)| is_of_pictures(owner));
        owners.flat_map(|(&owner, ids)| ids.iter().map(move |&id| (owner, id)))
    }

    /// A copy of all keys, in the form of the file.
    pub(crate) fn copy(&self) -> Zeroizing<Vec<u8>> {
        // A buffer that grows would leave copies of keys behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity((self.by_id.len() + 1) * SLOT_LEN));
        bytes.extend_from_slice(FIRST_LINE);
        self.by_id.values().for_each(|(owner, key)| bytes.extend_from_slice(&render(*owner, key)[..]));
        bytes
    }

    pub(crate) fn hold(&mut self, owner: Owner, key: SealKey) {
        // A damaged slot may say that it was this key. It is not destroyed with
        // this one.
        self.damaged.remove(&key.id);
        let ids = self.by_owner.entry(owner).or_default();
        self.accounts += usize::from(ids.is_empty() && owner.is_account());
        let at = ids.partition_point(|&id| id < key.id);
        ids.insert(at, key.id);
        self.by_id.insert(key.id, (owner, key));
    }

    pub(crate) fn forget(&mut self, id: KeyId) {
        self.damaged.remove(&id);
        let Some((owner, _)) = self.by_id.remove(&id) else { return };
        if let Some(ids) = self.by_owner.get_mut(&owner) {
            ids.retain(|&other| other != id);
            if ids.is_empty() {
                self.by_owner.remove(&owner);
                self.accounts -= usize::from(owner.is_account());
            }
        }
    }
}
