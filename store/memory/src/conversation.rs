//! Conversations in memory.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use annon_contract::code::Code;
use annon_store::account::{AccountId, Timestamp};
use annon_store::conversation::keeping::{
    CountsAs, OfTag, gives_way_to_one_more, may_answer_one_more, too_many_unanswered,
};
use annon_store::conversation::{
    Beginning, Change, Conversation, ConversationChange, ConversationError, ConversationId, Conversations, Door, Ended,
    Found, Outcome, Proof, Side,
};
use annon_store::inbox::{Arrival, Changed, Delivered, NoteId};
use annon_store::room::Seq;
use annon_store::shield::{TagHash, day_of, first_known_day};
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::{MemoryStore, State};

impl State {
    fn is_shown(&self, conversation: &Conversation, now: Timestamp) -> bool {
        let inbox = self.inbox(conversation.owner, now);
        inbox.is_ok_and(|inbox| inbox.shows(conversation.note.0.as_u64_pair().0))
    }

    fn found(&self, id: ConversationId, now: Timestamp) -> Option<Found> {
        let (conversation, proof) = self.conversations.get(&id)?;
        let is_shown = self.is_shown(conversation, now);
        let found = || Found { id, conversation: conversation.clone(), proof: *proof, is_shown };
        (conversation.expires() > now).then(found)
    }

    /// The conversation that began with a note.
    pub(crate) fn conversation_of(&self, owner: AccountId, note: NoteId) -> Option<ConversationId> {
        let mut all = self.conversations.iter();
        all.find(|(_, (one, _))| (one.owner, one.note) == (owner, note)).map(|(id, _)| *id)
    }

    /// Ends some conversations of an account, and tells it.
    pub(crate) fn end_conversations(
        &mut self,
        owner: AccountId,
        now: Timestamp,
        which: impl Fn(&Conversation) -> bool,
    ) {
        let ended = self.end_untold(owner, now, |_, one| which(one));
        self.conversation_changes.ended(owner, &ended);
    }

    pub(crate) fn end_untold(
        &mut self,
        owner: AccountId,
        now: Timestamp,
        which: impl Fn(ConversationId, &Conversation) -> bool,
    ) -> Vec<Ended> {
        let theirs = self.conversations.iter().filter(|(id, (one, _))| one.owner == owner && which(**id, one));
        let ended = theirs.map(|(id, (one, _))| Ended { id: *id, was_shown: self.is_shown(one, now) });
        let ended: Vec<_> = ended.collect();
        ended.iter().for_each(|ended| drop(self.conversations.remove(&ended.id)));
        ended
    }

    /// How many of an account's conversations count as this.
    fn counted(&self, owner: AccountId, counts_as: CountsAs) -> u32 {
        let theirs = self.conversations.values().filter(|(one, _)| one.owner == owner && one.counts_as() == counts_as);
        u32::try_from(theirs.count()).unwrap_or(u32::MAX)
    }

    /// Ends what must give way to one more conversation, which begins with a tag.
    fn make_room(&mut self, owner: AccountId, tag: Option<TagHash>, now: Timestamp) -> Result<Vec<Ended>, Code> {
        let mut ended = Vec::new();
        if let Some(tag) = tag {
            let with_tag = |id: &ConversationId| {
                let begun = self.begun.get(id).filter(|(_, day)| *day >= first_known_day(now));
                begun.is_some_and(|(begun, _)| *begun == tag)
            };
            let theirs = self.conversations.iter().filter(|(id, (one, _))| one.owner == owner && with_tag(id));
            let of_tag = theirs.map(|(id, (one, _))| OfTag { id: *id, counts_as: one.counts_as(), moved: one.moved });
            let silent = gives_way_to_one_more(&of_tag.collect::<Vec<_>>())?;
            ended.extend(self.end_untold(owner, now, |id, _| Some(id) == silent));
        }
        let is_unanswered = |one: &Conversation| one.owner == owner && one.counts_as() == CountsAs::Unanswered;
        let theirs = self.conversations.iter().filter(|(_, (one, _))| is_unanswered(one));
        let mut all: Vec<_> = theirs.map(|(id, (one, _))| (one.moved, *id)).collect();
        all.sort_unstable();
        for (_, silent) in all.iter().take(too_many_unanswered(u32::try_from(all.len()).unwrap_or(u32::MAX))) {
            ended.extend(self.end_untold(owner, now, |id, _| id == *silent));
        }
        Ok(ended)
    }

    pub(crate) fn drop_expired_conversations(&mut self, now: Timestamp) -> usize {
        let before = self.conversations.len();
        let owners: HashSet<_> = self.conversations.values().map(|(one, _)| one.owner).collect();
        owners.into_iter().for_each(|owner| self.end_conversations(owner, now, |one| one.expires() <= now));
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
        let (words, tag, now) = (arrival.text.clone(), arrival.tag, arrival.now);
        state.may_admit(owner, now, arrival.fate)?;
        let ended = state.make_room(owner, tag, now)?;
        let (mut delivered, note, date) = state.admit(owner, arrival)?;
        state.conversation_changes.ended(owner, &ended);
        state.begun.remove(&id);
        state.begun.extend(tag.map(|tag| (id, (tag, day_of(now)))));
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

    async fn change_through(
        &self,
        id: ConversationId,
        door: Option<Door>,
        change: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError> {
        let mut state = self.writing()?;
        let found = state.found(id, now).filter(|found| door.is_none_or(|door| door == found.door()));
        let Found { conversation, proof, is_shown, .. } = found.ok_or(StoreError::NotFound)?;
        if !is_shown && change.by() == Side::Owner {
            return Err(StoreError::NotFound.into());
        }
        let mut conversation = Arc::unwrap_or_clone(conversation);
        if conversation.is_answered_by(&change) {
            may_answer_one_more(state.counted(conversation.owner, CountsAs::Answered))?;
        }
        let outcome = conversation.change(&change, now)?;
        if outcome.is_new {
            let conversation = Arc::new(conversation);
            if let Some((kept, _)) = state.conversations.get_mut(&id) {
                *kept = conversation.clone();
            }
            state.conversation_changes.changed(Found { id, conversation, proof, is_shown });
        }
        Ok(outcome)
    }

    async fn remove(&self, id: ConversationId, now: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        if let Some(owner) = state.conversations.get(&id).map(|(one, _)| one.owner) {
            let ended = state.end_untold(owner, now, |ended, _| ended == id);
            state.conversation_changes.ended(owner, &ended);
        }
        Ok(())
    }
}
