//! Conversations in memory.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::CONVERSATIONS_PER_ACCOUNT;
use annon_store::account::{AccountId, Timestamp};
use annon_store::conversation::{
    Beginning, Change, Conversation, ConversationChange, ConversationError, ConversationId, Conversations, Door, Found,
    Outcome, Proof, Side,
};
use annon_store::inbox::{Arrival, Changed, Delivered, NoteId};
use annon_store::room::Seq;
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::shield::is_held;
use crate::{MemoryStore, State};

impl State {
    fn is_shown(&self, conversation: &Conversation, now: Timestamp) -> bool {
        let inbox = self.inbox(conversation.owner, now);
        inbox.is_ok_and(|inbox| inbox.shows(conversation.note.0.as_u64_pair().0))
    }

    fn found(&self, id: ConversationId, now: Timestamp) -> Option<Found> {
        let (conversation, _) = self.conversations.get(&id)?;
        let is_shown = self.is_shown(conversation, now);
        (conversation.expires() > now).then(|| Found { id, conversation: conversation.clone(), is_shown })
    }

    /// The conversation that began with a note.
    pub(crate) fn conversation_of(&self, owner: AccountId, note: NoteId) -> Option<ConversationId> {
        let mut all = self.conversations.iter();
        all.find(|(_, (one, _))| (one.owner, one.note) == (owner, note)).map(|(id, _)| *id)
    }

    /// Ends some conversations of an account.
    pub(crate) fn end_conversations(&mut self, owner: AccountId, which: impl Fn(&Conversation) -> bool) {
        let theirs = self.conversations.iter().filter(|(_, (one, _))| one.owner == owner && which(one));
        let ended: Vec<_> = theirs.map(|(id, _)| *id).collect();
        ended.iter().for_each(|id| drop(self.conversations.remove(id)));
        self.conversation_changes.ended(owner, &ended);
    }

    pub(crate) fn drop_expired_conversations(&mut self, now: Timestamp) -> usize {
        let before = self.conversations.len();
        let owners: Vec<_> = self.conversations.values().map(|(one, _)| one.owner).collect();
        owners.into_iter().for_each(|owner| self.end_conversations(owner, |one| one.expires() <= now));
        before - self.conversations.len()
    }
}

#[async_trait]
impl Conversations for MemoryStore {
    fn changes(&self) -> UnboundedReceiver<ConversationChange> {
        self.state().conversation_changes.receive()
    }

    async fn begin(
        &self,
        owner: AccountId,
        arrival: Arrival,
        Beginning { id, proof }: Beginning,
    ) -> Result<Delivered, ConversationError> {
        let mut state = self.writing()?;
        if state.conversations.contains_key(&id) {
            return Err(Code::ConversationTaken.into());
        }
        let open =
            state.conversations.values().filter(|(one, _)| one.owner == owner && one.is_open() && !is_held(one.note));
        if open.count() >= CONVERSATIONS_PER_ACCOUNT as usize {
            return Err(Code::NoMoreConversations.into());
        }
        let (words, now) = (arrival.text.clone(), arrival.now);
        let (mut delivered, note, date) = state.admit(owner, arrival)?;
        let conversation = Arc::new(Conversation::new(owner, note, words, date));
        state.conversations.insert(id, (conversation, proof));
        if let Delivered::Shown { note, unread } = &mut delivered {
            note.conversation = Some(id);
            state.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
        }
        state.found(id, now).into_iter().for_each(|found| state.conversation_changes.changed(found));
        Ok(delivered)
    }

    async fn doors(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Door>> {
        let state = self.state();
        let door = |(one, proof): &(Arc<Conversation>, Proof)| Door { owner: one.owner, proof: *proof };
        Ok(ids.into_iter().filter_map(|id| Some((id, door(state.conversations.get(&id)?)))).collect())
    }

    async fn find(&self, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Found>> {
        let state = self.state();
        Ok(ids.into_iter().filter_map(|id| state.found(id, now)).collect())
    }

    async fn lasts(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Seq>> {
        let state = self.state();
        Ok(ids.into_iter().filter_map(|id| Some((id, state.conversations.get(&id)?.0.last))).collect())
    }

    async fn page(
        &self,
        owner: AccountId,
        before: Option<ConversationId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Found>> {
        let state = self.state();
        let place = |id: ConversationId| {
            let own = state.conversations.get(&id).filter(|(one, _)| one.owner == owner);
            own.map(|(one, _)| (one.moved, id))
        };
        let end = match before.map(place) {
            Some(None) => return Ok(Vec::new()),
            Some(end) => end,
            None => None,
        };
        let theirs = state.conversations.iter().filter(|(_, (one, _))| one.owner == owner);
        let mut all: Vec<_> = theirs.map(|(id, (one, _))| (one.moved, *id)).collect();
        all.sort_unstable();
        let older = all.into_iter().rev().filter(|place| end.is_none_or(|end| *place < end));
        let found = older.filter_map(|(_, id)| state.found(id, now)).filter(|found| found.is_shown);
        Ok(found.take(limit).collect())
    }

    async fn change(&self, id: ConversationId, change: Change, now: Timestamp) -> Result<Outcome, ConversationError> {
        let mut state = self.writing()?;
        let Found { conversation, is_shown, .. } = state.found(id, now).ok_or(StoreError::NotFound)?;
        if !is_shown && change.by() == Side::Owner {
            return Err(StoreError::NotFound.into());
        }
        let mut conversation = Arc::unwrap_or_clone(conversation);
        let outcome = conversation.change(&change, now)?;
        if outcome.is_new {
            let conversation = Arc::new(conversation);
            if let Some((kept, _)) = state.conversations.get_mut(&id) {
                *kept = conversation.clone();
            }
            state.conversation_changes.changed(Found { id, conversation, is_shown });
        }
        Ok(outcome)
    }

    async fn remove(&self, id: ConversationId) -> Result<()> {
        let mut state = self.writing()?;
        if let Some((conversation, _)) = state.conversations.remove(&id) {
            state.conversation_changes.ended(conversation.owner, &[id]);
        }
        Ok(())
    }
}
