//! The contract without a disk: what every engine must answer, kept in maps.
//! Tests hold the others against it; nothing survives it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::account::{Access, Account, AccountId, Accounts, LinkDigest, Timestamp};
use crate::feedback::{Feedback, FeedbackBox, FeedbackId};
use crate::image::{Album, ImageId, Images};
use crate::inbox::Inbox;
use crate::record::{InboxRecord, NoteRecord};

mod accounts;
mod feedback;
mod images;
mod inbox;
use accounts::MemoryAccounts;
use feedback::MemoryFeedback;
use images::MemoryImages;
use inbox::MemoryInbox;

/// A store that forgets everything when it is dropped.
#[derive(Clone, Default)]
pub struct MemoryStore(Shared);

impl MemoryStore {
    /// The accounts.
    pub fn accounts(&self) -> Arc<dyn Accounts> {
        Arc::new(MemoryAccounts(self.0.clone()))
    }

    /// The inboxes.
    pub fn inbox(&self) -> Arc<dyn Inbox> {
        Arc::new(MemoryInbox(self.0.clone()))
    }

    /// The feedback.
    pub fn feedback(&self) -> Arc<dyn FeedbackBox> {
        Arc::new(MemoryFeedback(self.0.clone()))
    }

    /// The pictures.
    pub fn images(&self) -> Arc<dyn Images> {
        Arc::new(MemoryImages(self.0.clone()))
    }
}

/// What the engines of one store share.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<State>>);

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) accounts: BTreeMap<AccountId, (Account, Access)>,
    pub(crate) resets: HashMap<LinkDigest, (AccountId, Timestamp)>,
    pub(crate) confirmations: HashMap<LinkDigest, (AccountId, Timestamp)>,
    pub(crate) inboxes: HashMap<AccountId, InboxRecord>,
    /// Owner, number of the place, lot → note.
    pub(crate) notes: BTreeMap<(AccountId, (u64, u64)), NoteRecord>,
    pub(crate) feedback: BTreeMap<FeedbackId, Feedback>,
    pub(crate) pictures: HashMap<(Album, ImageId), Vec<u8>>,
}
