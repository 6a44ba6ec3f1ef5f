//! Conversations. Each is a row and one for each of its lines, with a key of its own. The rows that
//! are not sealed say who may enter it and where it is listed.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::{CountsAs, may_answer_one_more};
use crate::conversation::{
    Beginning, Change, Conversation, ConversationChange, ConversationError, ConversationId, Conversations, Door, Found,
    Outcome, Side,
};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Delivered, NoteId};
use crate::nouns::inbox::{admit, has_come, row_of, wants_of};
use crate::nouns::{Common, Nouns, push};
use crate::room::Seq;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Told, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{DoorRecord, by_time, count_key, door_key, listed, of_note_key, of_owner_key};
use crate::shapes::inbox::InboxRecord;
use crate::table::{Table, account_key, end_of, inbox_key, key, note_key};

mod counting;
pub(super) mod ending;
pub(crate) mod record;
use counting::{count, count_anew, counted, counted_as, counts_as};
pub(super) use ending::drop_old;
use ending::{End, begin_with, make_room};
use record::{Anew, Stored};

/// By how many seconds the clocks of two servers may differ.
const CLOCKS_DIFFER: Timestamp = 10;

fn id_at_end(key: &[u8]) -> Result<ConversationId> {
    key.last_chunk().copied().map(|id| ConversationId(Uuid::from_bytes(id))).ok_or(StoreError::Corrupt)
}

async fn door<R: Reads>(rows: &R, id: ConversationId) -> Result<Option<DoorRecord>> {
    rows.record(&door_key(id)).await
}

/// Who may enter a conversation; `None` when it has ended.
pub(super) async fn door_of<R: Reads>(rows: &R, id: ConversationId) -> Result<Option<Door>> {
    Ok(door(rows, id).await?.map(Door::from))
}

/// The conversation that began with the note at this place.
pub(super) async fn of_note<R: Reads>(rows: &R, owner: AccountId, place: NotePlace) -> Result<Option<ConversationId>> {
    rows.get(&of_note_key(owner, place.bytes())).await?.map(|id| id_at_end(&id)).transpose()
}

/// Has a conversation follow its note to another place, if there is one: the note was held back.
pub(super) async fn move_to<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    from: NotePlace,
    place: NotePlace,
    note: NoteId,
) -> Result<Option<ConversationId>> {
    let Some(id) = of_note(rows, owner, from).await? else { return Ok(None) };
    let mut door = door(rows, id).await?.ok_or(StoreError::Corrupt)?;
    let mut stored = record::take(rows, id).await?.ok_or(StoreError::Corrupt)?;
    let conversation = Arc::make_mut(&mut stored.conversation);
    rows.remove(of_note_key(owner, from.bytes()));
    let before = counted_as(rows, id, &door).await?;
    by_time(id, &door, before).into_iter().for_each(|at| rows.remove(at));
    (door.place, conversation.note) = (*place.bytes(), note);
    let after = counts_as(conversation, &door);
    list(rows, id, &door, after)?;
    count_anew(rows, owner, before, after).await?;
    record::put(rows, id, stored, Anew::Head).await?;
    Ok(Some(id))
}

/// Lists a conversation that begins, or has got another place.
fn list<R: Rows>(rows: &mut R, id: ConversationId, door: &DoorRecord, counts_as: CountsAs) -> Result<()> {
    listed(id, door, counts_as)?.into_iter().for_each(|(at, value)| rows.put(at, value));
    Ok(())
}

/// Whether an inbox shows a note now.
async fn is_shown<R: Reads>(rows: &R, door: &DoorRecord, now: Timestamp) -> Result<bool> {
    let inbox: Option<InboxRecord> = rows.record(&inbox_key(door.owner)).await?;
    let Some(mut inbox) = inbox else { return Ok(false) };
    inbox.settle(now);
    Ok(inbox.shows(NotePlace::of(door.place).number()))
}

/// Makes a change by the rules. A refusal changes nothing.
async fn ask<R: Reads>(
    rows: &R,
    conversation: &mut Conversation,
    change: &Change,
    now: Timestamp,
) -> Result<Outcome, ConversationError> {
    if conversation.is_answered_by(change) {
        may_answer_one_more(counted(rows, conversation.owner, CountsAs::Answered).await?)?;
    }
    Ok(conversation.change(change, now)?)
}

struct Begin {
    common: Arc<Common>,
    owner: AccountId,
    arrival: Arrival,
    beginning: Beginning,
}

impl Call for Begin {
    type Out = Delivered;
    type Error = ConversationError;
    const EFFECT: Effect = Effect::Grows;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner), door_key(self.beginning.id)]
    }

    fn wants(&self) -> Wants {
        let mut wants = wants_of(self.owner, &self.arrival);
        let begun = self.arrival.tag.map(|tag| note_key(self.owner, NotePlace::of_begun(tag)));
        let counts = [CountsAs::Unanswered, CountsAs::Hidden].into_iter().filter_map(|as_| count_key(self.owner, as_));
        wants.rows.extend(begun.into_iter().chain(counts));
        wants
    }

    fn births(&self) -> Vec<Owner> {
        vec![Owner::Conversation(self.beginning.id.0)]
    }

    fn made(&self) -> Option<(Vec<u8>, Delivered)> {
        Some((row_of(self.owner, &self.arrival)?, Delivered::Waits))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Delivered, ConversationError> {
        let (owner, Beginning { id, proof }, note_ids) = (self.owner, self.beginning, &self.common.note_ids);
        if has_come(rows, owner, &self.arrival).await? {
            return Ok(Delivered::Waits);
        }
        if rows.has(&door_key(id)).await? {
            return Err(Code::ConversationTaken.into());
        }
        let Arrival { text, tag, now, fate, .. } = self.arrival.clone();
        let mut admitted = admit(rows, note_ids, owner, self.arrival.clone()).await?;
        let (place, date) = (admitted.place, admitted.date);
        let is_shown = matches!(admitted.delivered, Delivered::Shown { .. });
        let counts_as = if fate.is_delivered() { CountsAs::Unanswered } else { CountsAs::Hidden };
        if let Some(tag) = tag {
            begin_with(rows, owner, id, tag, now).await?;
        }
        let ended = make_room(rows, owner, counts_as, is_shown, now).await?;
        let conversation = Arc::new(Conversation::new(owner, note_ids.id(place)?, text, date));
        rows.new_key(Owner::Conversation(id.0)).await?;
        record::put(rows, id, Stored::begun(conversation.clone()), Anew::All).await?;
        let door = DoorRecord { owner, proof, place: *place.bytes(), moved: conversation.moved, is_open: true };
        list(rows, id, &door, counts_as)?;
        count(rows, owner, counts_as, true).await?;
        rows.tell(Told::Ended { owner, ended, with_account: false });
        if let Delivered::Shown { note, .. } = &mut admitted.delivered {
            note.conversation = Some(id);
        }
        admitted.tell(rows, owner);
        rows.tell(Told::Conversation(Found { id, conversation, proof, is_shown }));
        Ok(admitted.delivered)
    }
}

struct ChangeOne {
    id: ConversationId,
    /// Another conversation may have got the id since whoever asks has come in.
    through: Option<Door>,
    change: Change,
    now: Timestamp,
}

impl Call for ChangeOne {
    type Out = Outcome;
    type Error = ConversationError;
    const EFFECT: Effect = Effect::Grows;
    const TOGETHER: bool = true;

    fn effect(&self) -> Effect {
        match &self.change {
            Change::Say { .. } | Change::React { .. } => Effect::Grows,
            Change::See { .. } => Effect::Replaces,
            Change::Unsend { .. } | Change::Close => Effect::Shrinks,
        }
    }

    fn locks(&self) -> Vec<Vec<u8>> {
        self.through.iter().map(|through| account_key(through.owner)).collect()
    }

    fn births(&self) -> Vec<Owner> {
        if self.change.erases() { vec![Owner::Conversation(self.id.0)] } else { Vec::new() }
    }

    fn wants(&self) -> Wants {
        let mut wants = record::wants([self.id]);
        wants.rows.push(door_key(self.id));
        wants.rows.extend(self.through.map(|through| inbox_key(through.owner)));
        wants
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Outcome, ConversationError> {
        let Self { id, through, ref change, now } = *self;
        if through.is_none() {
            let door = door(rows, id).await?.ok_or(StoreError::NotFound)?;
            rows.lock(vec![account_key(door.owner)]).await?;
        }
        let mut stored = record::take(rows, id).await?.ok_or(StoreError::NotFound)?;
        let mut door = match stored.door.take() {
            Some(door) => door,
            None => door(rows, id).await?.ok_or(StoreError::NotFound)?,
        };
        stored.is_shown = stored.is_shown || is_shown(rows, &door, now).await?;
        let (is_shown, proof) = (stored.is_shown, door.proof);
        let mut conversation = Arc::unwrap_or_clone(stored.conversation);
        let before = counts_as(&conversation, &door);
        let is_it = through.is_none_or(|through| through == Door { owner: door.owner, proof });
        let outcome = if is_it && conversation.expires() > now && (is_shown || change.by() == Side::Sender) {
            ask(rows, &mut conversation, change, now).await
        } else {
            Err(StoreError::NotFound.into())
        };
        let after = counts_as(&conversation, &door);
        let conversation = Arc::new(conversation);
        stored.conversation = conversation.clone();
        if !outcome.is_ok_and(|outcome| outcome.is_new) {
            stored.door = Some(door);
            rows.leave_recent(id, stored);
            return outcome;
        }
        if change.erases() {
            // Older files still have the words.
            let subscriptions = push::of_sender(rows, id).await?;
            rows.replace_key(Owner::Conversation(id.0)).await?;
            push::put_of_sender(rows, id, &subscriptions).await?;
        }
        if conversation.moved != door.moved || before != after {
            by_time(id, &door, before).into_iter().for_each(|at| rows.remove(at));
            (door.moved, door.is_open) = (conversation.moved, conversation.is_open());
            by_time(id, &door, after).into_iter().for_each(|at| rows.put(at, Vec::new()));
            rows.put_record(door_key(id), &door)?;
        }
        count_anew(rows, door.owner, before, after).await?;
        stored.door = Some(door);
        record::put(rows, id, stored, Anew::after(change)).await?;
        rows.tell(Told::Conversation(Found { id, conversation, proof, is_shown }));
        outcome
    }
}

/// Has conversations at hand, and returns the doors of those that are there.
async fn fetch_all<R: Reads>(rows: &R, ids: Vec<ConversationId>) -> Result<Vec<(ConversationId, DoorRecord)>> {
    let mut wants = record::wants(ids.iter().copied());
    wants.rows.extend(ids.iter().map(|id| door_key(*id)));
    rows.fetch(wants).await?;
    let mut there = Vec::with_capacity(ids.len());
    for id in ids {
        there.extend(door(rows, id).await?.map(|door| (id, door)));
    }
    Ok(there)
}

/// A conversation with this door; `None` if its time is up.
async fn open_one<R: Reads>(
    rows: &R,
    id: ConversationId,
    door: &DoorRecord,
    is_shown: bool,
    now: Timestamp,
) -> Result<Option<Found>> {
    match record::look_at(rows, id).await {
        Ok(Some(conversation)) if conversation.expires() > now => {
            Ok(Some(Found { id, conversation, proof: door.proof, is_shown }))
        }
        // One that can't be read must not hide the others.
        Ok(_) | Err(StoreError::Corrupt) => Ok(None),
        Err(error) => Err(error),
    }
}

#[async_trait]
impl<K: Keep> Conversations for Nouns<K> {
    fn changes(&self) -> UnboundedReceiver<ConversationChange> {
        self.0.common().conversation_changes.receive()
    }

    async fn begin(
        &self,
        owner: AccountId,
        arrival: Arrival,
        beginning: Beginning,
    ) -> Result<Delivered, ConversationError> {
        let common = self.0.common().clone();
        self.0.call(Begin { common, owner, arrival, beginning }).await
    }

    async fn doors(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Door>> {
        let (rows, mut doors) = (self.0.look(), HashMap::with_capacity(ids.len()));
        rows.fetch(Wants::rows(ids.iter().map(|id| door_key(*id)))).await?;
        for id in ids {
            doors.extend(door(&rows, id).await?.map(|door| (id, door.into())));
        }
        Ok(doors)
    }

    async fn find(&self, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Found>> {
        let (rows, mut all) = (self.0.look(), Vec::new());
        let there = fetch_all(&rows, ids).await?;
        rows.fetch(Wants::rows(there.iter().map(|(_, door)| inbox_key(door.owner)))).await?;
        for (id, door) in there {
            let is_shown = is_shown(&rows, &door, now).await?;
            all.extend(open_one(&rows, id, &door, is_shown, now).await?);
        }
        Ok(all)
    }

    async fn lasts(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Seq>> {
        let found = self.find(ids, 0).await?;
        Ok(found.into_iter().map(|found| (found.id, found.conversation.last)).collect())
    }

    async fn page(
        &self,
        owner: AccountId,
        before: Option<ConversationId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Found>> {
        let (rows, all) = (self.0.look(), key(Table::ConversationOf, &[owner.0.as_bytes()]));
        let end = match before {
            None => end_of(&all),
            Some(id) => match door(&rows, id).await? {
                Some(door) if door.owner == owner => of_owner_key(owner, door.moved, id),
                _ => return Ok(Vec::new()),
            },
        };
        let mut page = Vec::new();
        let inbox: Option<InboxRecord> = rows.record(&inbox_key(owner)).await?;
        let Some(mut inbox) = inbox else { return Ok(page) };
        inbox.settle(now);
        let mut span = Span::new(all.clone(), end).backwards();
        if inbox.in_batches {
            // Those that wait are listed at a time that is yet to come. Looking at each would take long enough to be noticed.
            let yet = of_owner_key(owner, now.saturating_add(CLOCKS_DIFFER), ConversationId(Uuid::nil()));
            span.to = span.to.min(yet).max(all);
        }
        while page.len() < limit {
            let wanted = limit - page.len();
            let some = rows.range(span.clone(), wanted).await?;
            let ids = some.iter().map(|(at, _)| id_at_end(at)).collect::<Result<Vec<_>>>()?;
            for (id, door) in fetch_all(&rows, ids).await? {
                // While its note waits for its batch, it isn't opened in vain.
                if inbox.shows(NotePlace::of(door.place).number()) {
                    page.extend(open_one(&rows, id, &door, true, now).await?);
                }
            }
            match some.last() {
                Some((last, _)) if some.len() == wanted => span = span.behind(last),
                _ => break,
            }
        }
        Ok(page)
    }

    async fn change_through(
        &self,
        id: ConversationId,
        through: Option<Door>,
        change: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError> {
        self.0.call(ChangeOne { id, through, change, now }).await
    }

    async fn remove_through(&self, id: ConversationId, through: Option<(Door, Side)>, now: Timestamp) -> Result<()> {
        self.0.call(End { id, through, now }).await
    }
}
