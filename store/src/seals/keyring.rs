//! The sealing keys. All that is deleted together has one key. The keys are in the
//! file `keys`, in slots that are overwritten in place: so a key is gone when it is
//! destroyed, while commit log and index still have what it sealed.

use std::collections::HashMap;

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::seals::{KeyId, SealKey};

mod file;
mod slot;
pub(crate) use file::{HeldKeys, KeyFile};
use slot::{FIRST_LINE, SLOT_LEN, Slot, is_first_line, render};

/// The owner of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    Account(Uuid),
    /// The notes of an account's inbox. Their key is replaced after a note was
    /// deleted. The account's own key stays, so an older copy of the account can
    /// still be read.
    Inbox(Uuid),
    Feedback(Uuid),
    /// A room's metadata and log.
    Room(Uuid),
    /// A room's pictures. Each has a key, so that it can be deleted alone.
    RoomPictures(Uuid),
    /// The picture that came with feedback.
    FeedbackPicture(Uuid),
    /// A conversation. Its key is replaced when a line is unsent.
    Conversation(Uuid),
    /// The shield of an account's inbox. Its key is replaced with every change.
    Shield(Uuid),
    Report(Uuid),
    Invitation(Uuid),
}

impl Owner {
    pub(crate) fn is_account(self) -> bool {
        matches!(self, Self::Account(_))
    }

    /// The kind and the id by which a slot names the owner. The numbers are on disk:
    /// a new kind gets one that no kind ever had.
    pub(crate) fn kind(self) -> (u8, Uuid) {
        match self {
            Self::Account(id) => (1, id),
            Self::Feedback(id) => (2, id),
            Self::Inbox(id) => (3, id),
            Self::Room(id) => (4, id),
            Self::RoomPictures(id) => (5, id),
            Self::FeedbackPicture(id) => (6, id),
            Self::Conversation(id) => (7, id),
            Self::Shield(id) => (8, id),
            Self::Report(id) => (9, id),
            Self::Invitation(id) => (10, id),
        }
    }

    pub(crate) fn of_kind(kind: u8, id: Uuid) -> Option<Self> {
        let all: [fn(Uuid) -> Self; 10] = [
            Self::Account,
            Self::Feedback,
            Self::Inbox,
            Self::Room,
            Self::RoomPictures,
            Self::FeedbackPicture,
            Self::Conversation,
            Self::Shield,
            Self::Report,
            Self::Invitation,
        ];
        all.into_iter().map(|of| of(id)).find(|owner| owner.kind().0 == kind)
    }
}

/// The keys in memory.
#[derive(Default)]
pub(crate) struct Keyring {
    by_id: HashMap<KeyId, (Owner, SealKey)>,
    /// An owner's keys, the newest last. Usually there is one. While the notes of
    /// an inbox are sealed again, there are two. A room has one for each picture.
    by_owner: HashMap<Owner, Vec<KeyId>>,
    /// Keys in damaged slots that still tell their owner and id. They open nothing,
    /// and are destroyed with their owner.
    damaged: HashMap<KeyId, Owner>,
    /// How many of the owners are accounts.
    accounts: usize,
}

impl Keyring {
    pub(crate) fn key(&self, id: KeyId) -> Option<&SealKey> {
        self.by_id.get(&id).map(|(_, key)| key)
    }

    /// The key for an owner's next record.
    pub(crate) fn current(&self, owner: Owner) -> Option<&SealKey> {
        self.key(*self.by_owner.get(&owner)?.last()?)
    }

    /// Every key of an owner, the current one last.
    pub(crate) fn keys_of(&self, owner: Owner) -> Vec<KeyId> {
        self.by_owner.get(&owner).cloned().unwrap_or_default()
    }

    pub(crate) fn damaged_keys_of(&self, owner: Owner) -> impl Iterator<Item = KeyId> {
        self.damaged.iter().filter(move |(_, whose)| **whose == owner).map(|(id, _)| *id)
    }

    /// Whether a key is there, or is in a damaged slot that somebody may repair.
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

    pub(crate) fn owners(&self) -> impl Iterator<Item = Owner> {
        self.by_owner.keys().copied()
    }

    /// Every inbox that has more than one key.
    pub(crate) fn inboxes_with_several_keys(&self) -> impl Iterator<Item = Uuid> {
        self.by_owner.iter().filter_map(|(owner, ids)| match owner {
            Owner::Inbox(id) if ids.len() > 1 => Some(*id),
            _ => None,
        })
    }

    pub(crate) fn of_pictures(&self) -> impl Iterator<Item = (Owner, KeyId)> {
        let is_of_pictures = |owner: &Owner| matches!(owner, Owner::RoomPictures(_) | Owner::FeedbackPicture(_));
        let owners = self.by_owner.iter().filter(move |(owner, _)| is_of_pictures(owner));
        owners.flat_map(|(&owner, ids)| ids.iter().map(move |&id| (owner, id)))
    }

    /// All keys, as the file has them.
    pub(crate) fn copy(&self) -> Zeroizing<Vec<u8>> {
        // If the buffer had to grow, copies of keys would stay in memory.
        let mut bytes = Zeroizing::new(Vec::with_capacity((self.by_id.len() + 1) * SLOT_LEN));
        bytes.extend_from_slice(FIRST_LINE);
        self.by_id.values().for_each(|(owner, key)| bytes.extend_from_slice(&render(*owner, key)[..]));
        bytes
    }

    /// The keys of a copy; `None` if it isn't one.
    pub(crate) fn of_copy(bytes: &[u8]) -> Option<Self> {
        let mut slots = bytes.as_chunks::<SLOT_LEN>().0.iter();
        slots.next().filter(|line| is_first_line(line))?;
        let mut this = Self::default();
        for slot in slots {
            if let Slot::Used { owner, key, .. } = Slot::read(slot) {
                this.hold(owner, key);
            }
        }
        Some(this)
    }

    pub(crate) fn hold(&mut self, owner: Owner, key: SealKey) {
        // A damaged slot may have the same id. It is not destroyed with this key.
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
