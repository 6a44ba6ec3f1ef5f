//! How a conversation is stored on this machine. A line is not a reason to write all that was
//! said before again: it is added beside the record, and after `ADDITIONS` of them the record
//! is written anew. Conversations that have changed a short while ago stay in memory, too.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::conversation::{Change, Conversation, ConversationId};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::index::Pair;
use crate::local::transaction::Transaction;
use crate::room::Seq;
use crate::seals::keyring::Owner;
use crate::shapes::conversation::AdditionRecord;
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
    additions: usize,
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

    pub(crate) fn get(&self, id: ConversationId) -> Option<Stored> {
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
        Ok(Self { conversation: Arc::new(conversation), record, additions })
    }
}

impl Transaction<'_> {
    /// A conversation as it is now; `None` if it is not there, or its key is destroyed.
    pub(crate) fn conversation(&self, id: ConversationId) -> Result<Option<Stored>> {
        let changed = self.own.conversations.get(&id).or_else(|| self.commit.conversations.get(&id));
        if let Some(changed) = changed {
            return Ok(changed.clone());
        }
        if let Some(recent) = self.recent.get(id) {
            return Ok(Some(recent));
        }
        let Some(record) = self.sealed(&conversation_key(id))? else { return Ok(None) };
        let additions = self.under(&additions_key(id))?;
        let open = |at: &[u8], sealed: &[u8]| self.open(at, sealed);
        Stored::of(record, additions, open).map(Some)
    }

    /// Writes a conversation after a change that has led to it.
    pub(crate) fn put_changed(
        &mut self,
        id: ConversationId,
        before: &Stored,
        change: &Change,
        now: Arc<Conversation>,
    ) -> Result<()> {
        let is_added = match change {
            Change::Say { .. } | Change::See { .. } => before.additions < ADDITIONS,
            // What is taken back must not stand beside the record, and nothing is added to a closed one.
            Change::Unsend { .. } | Change::Close => false,
        };
        if !is_added {
            return self.put_conversation(id, now);
        }
        let addition = AdditionRecord::of(&now, before.record);
        self.put_sealed(Owner::Conversation(id.0), addition_key(id, now.last), &addition)?;
        let stored = Stored { conversation: now, record: before.record, additions: before.additions + 1 };
        self.own.conversations.insert(id, Some(stored));
        Ok(())
    }

    /// Writes the whole record of a conversation.
    pub(crate) fn put_conversation(&mut self, id: ConversationId, now: Arc<Conversation>) -> Result<()> {
        self.remove_additions(id)?;
        self.put_sealed(Owner::Conversation(id.0), conversation_key(id), &*now)?;
        let stored = Stored { record: now.last, conversation: now, additions: 0 };
        self.own.conversations.insert(id, Some(stored));
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
