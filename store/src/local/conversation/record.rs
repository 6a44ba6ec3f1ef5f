//! How a conversation is stored on this machine. A line is not a reason to write all that was
//! said before again: it is added beside the record. After `ADDITIONS` of them the record is
//! written anew, and the next ones replace those that it has now. Conversations that have
//! changed a short while ago stay in memory, too.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::conversation::{Change, Conversation, ConversationId};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::transaction::Transaction;
use crate::room::Seq;
use crate::rows::Pair;
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{AdditionRecord, DoorRecord};
use crate::table::{addition_key, additions_key, conversation_key};

/// The most changes that stand beside a record. To open a conversation, all of them are opened.
const ADDITIONS: usize = 16;
/// The most conversations in memory. With all lines that it can have, one takes 0.1 MB.
const RECENT: usize = 256;

/// A conversation as it is now, and how much of it its record has.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) conversation: Arc<Conversation>,
    /// The last change in the record.
    record: Seq,
    /// How many additions belong to that record.
    additions: usize,
    /// Its door, once that was read.
    pub(crate) door: Option<DoorRecord>,
    /// Whether its owner is known to see its note. Then they see it to the end.
    pub(crate) is_shown: bool,
}

/// Changes of conversations; `None` for one that has ended.
pub(crate) type Changed = HashMap<ConversationId, Option<Stored>>;

/// The conversations that were changed a short while ago, as they are on disk.
#[derive(Clone, Default)]
pub(crate) struct Recent(Arc<Mutex<HashMap<ConversationId, Stored>>>);

impl Recent {
    /// Keeps what a commit has changed, once it is on disk.
    pub(crate) fn keep(&self, changed: Changed) {
        let mut recent = self.0.lock();
        for (id, now) in changed {
            let Some(now) = now else {
                recent.remove(&id);
                continue;
            };
            if recent.len() >= RECENT
                && !recent.contains_key(&id)
                && let Some(any) = recent.keys().next().copied()
            {
                recent.remove(&any);
            }
            recent.insert(id, now);
        }
    }

    fn take(&self, id: ConversationId) -> Option<Stored> {
        self.0.lock().remove(&id)
    }

    fn get(&self, id: ConversationId) -> Option<Stored> {
        self.0.lock().get(&id).cloned()
    }
}

impl Stored {
    /// A record with its additions, which `open` opens.
    fn of(
        mut conversation: Conversation,
        additions: Vec<Pair>,
        open: impl Fn(&[u8], &[u8]) -> Result<Option<AdditionRecord>>,
    ) -> Result<Self> {
        let (record, opened) = (conversation.last, additions.iter().map(|(at, sealed)| open(at, sealed)));
        let additions = AdditionRecord::add_all(&mut conversation, opened)?;
        Ok(Self { conversation: Arc::new(conversation), record, additions, door: None, is_shown: false })
    }
}

impl Transaction<'_> {
    /// Takes a conversation out of memory, or reads it: whoever changes it then has the only
    /// handle, and needs no copy of its lines. `None` if it is not there, or its key is destroyed.
    pub(crate) fn take_conversation(&self, id: ConversationId) -> Result<Option<Stored>> {
        let changed = self.own.conversations.get(&id).or_else(|| self.commit.conversations.get(&id));
        if let Some(changed) = changed {
            return Ok(changed.clone());
        }
        if let Some(recent) = self.recent.take(id) {
            return Ok(Some(recent));
        }
        let Some(record) = self.sealed(&conversation_key(id))? else { return Ok(None) };
        let additions = self.under(&additions_key(id))?;
        let open = |at: &[u8], sealed: &[u8]| self.open(at, sealed);
        Stored::of(record, additions, open).map(Some)
    }

    /// Puts a conversation back that was taken and is not changed.
    pub(crate) fn leave_conversation(&self, id: ConversationId, stored: Stored) {
        // What an earlier call of this commit has changed is not on disk yet.
        if !self.commit.conversations.contains_key(&id) {
            self.recent.keep(Changed::from([(id, Some(stored))]));
        }
    }

    /// Writes a conversation after a change that has led to `now`.
    pub(crate) fn put_changed(&mut self, id: ConversationId, mut now: Stored, change: &Change) -> Result<()> {
        match change {
            Change::Say { .. } | Change::See { .. } if now.additions < ADDITIONS => {
                let addition = AdditionRecord::of(&now.conversation, now.record);
                self.put_sealed(Owner::Conversation(id.0), addition_key(id, now.additions), &addition)?;
                now.additions += 1;
                self.own.conversations.insert(id, Some(now));
                return Ok(());
            }
            Change::Say { .. } | Change::See { .. } => {}
            // What is taken back must not stand beside the record, and nothing is added to a closed one.
            Change::Unsend { .. } | Change::Close => self.remove_additions(id)?,
        }
        self.put_record(id, now)
    }

    /// Writes a conversation that has no additions.
    pub(crate) fn put_conversation(&mut self, id: ConversationId, now: Arc<Conversation>) -> Result<()> {
        self.put_record(id, Stored { record: now.last, conversation: now, additions: 0, door: None, is_shown: false })
    }

    /// Writes a conversation anew that may have additions.
    pub(crate) fn put_conversation_anew(&mut self, id: ConversationId, now: Arc<Conversation>) -> Result<()> {
        self.remove_additions(id)?;
        self.put_conversation(id, now)
    }

    fn put_record(&mut self, id: ConversationId, now: Stored) -> Result<()> {
        self.put_sealed(Owner::Conversation(id.0), conversation_key(id), &*now.conversation)?;
        let now = Stored { record: now.conversation.last, additions: 0, ..now };
        self.own.conversations.insert(id, Some(now));
        Ok(())
    }

    /// Removes the record of a conversation, and what is beside it.
    pub(crate) fn remove_conversation(&mut self, id: ConversationId) -> Result<()> {
        self.remove_additions(id)?;
        self.remove(conversation_key(id));
        self.own.conversations.insert(id, None);
        Ok(())
    }

    fn remove_additions(&mut self, id: ConversationId) -> Result<()> {
        let additions = self.under(&additions_key(id))?;
        additions.into_iter().for_each(|(at, _)| self.remove(at));
        Ok(())
    }
}

impl Local {
    /// A conversation as it is now; `None` if it is not there, or its key is destroyed.
    pub(super) fn conversation(&self, id: ConversationId) -> Result<Option<Arc<Conversation>>> {
        if let Some(recent) = self.recent.get(id) {
            return Ok(Some(recent.conversation));
        }
        let read = || {
            // The additions come first: see `Table::ConversationAddition`.
            let additions = self.index.under(&additions_key(id)).collect::<Result<_>>()?;
            let Some(record) = self.sealed(&conversation_key(id))? else { return Ok(None) };
            let open = |at: &[u8], sealed: &[u8]| self.unseal(at, sealed).map(Some);
            Stored::of(record, additions, open).map(|stored| Some(stored.conversation))
        };
        match read() {
            // It may have ended meanwhile, or have been written anew with another key.
            Err(StoreError::NotFound) => read().or_else(|error| match error {
                StoreError::NotFound => Ok(None),
                error => Err(error),
            }),
            other => other,
        }
    }
}
