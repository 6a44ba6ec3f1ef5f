//! Conversations that have changed a short while ago stay in memory, too, as they are on disk.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::conversation::{Conversation, ConversationId};
use crate::nouns::conversation::record::Stored;

/// The most conversations in memory. With all lines that it can have, one takes 0.1 MB.
const RECENT: usize = 256;

/// Changes of conversations; `None` for one that has ended.
pub(crate) type Changed = HashMap<ConversationId, Option<Stored>>;

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

    pub(crate) fn take(&self, id: ConversationId) -> Option<Stored> {
        self.0.lock().remove(&id)
    }

    pub(crate) fn get(&self, id: ConversationId) -> Option<Arc<Conversation>> {
        self.0.lock().get(&id).map(|stored| stored.conversation.clone())
    }
}
