//! How conversations end, and which of them give way to another one.

use uuid::Uuid;

use super::{count, counted, counted_as, door, id_at_end, is_shown, of_note, record};
use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::{CountsAs, ENDED_TOGETHER, may_begin_one_more, too_many_unanswered};
use crate::conversation::{ConversationError, ConversationId, Door, Ended, Side};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::nouns::in_pieces;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Told, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{BegunRecord, count_key, door_key, listed, unanswered_key};
use crate::shapes::inbox::InboxRecord;
use crate::shield::{TagHash, first_known_day};
use crate::table::{Table, account_key, inbox_key, key, note_key};

/// Ends a conversation, if it is there, and returns whose it was.
async fn end<R: Rows>(rows: &mut R, id: ConversationId, now: Timestamp) -> Result<Option<(AccountId, Ended)>> {
    end_through(rows, id, None, now).await
}

/// Ends a conversation for this side, if it is there and has this door.
async fn end_through<R: Rows>(
    rows: &mut R,
    id: ConversationId,
    through: Option<(Door, Side)>,
    now: Timestamp,
) -> Result<Option<(AccountId, Ended)>> {
    let Some(door) = door(rows, id).await? else { return Ok(None) };
    let (entered, by) = through.unzip();
    if entered.is_some_and(|entered| entered != Door { owner: door.owner, proof: door.proof }) {
        return Ok(None);
    }
    rows.lock(vec![account_key(door.owner)]).await?;
    let (owner, counts_as) = (door.owner, counted_as(rows, id, &door).await?);
    let was_shown = is_shown(rows, &door, now).await?;
    if by == Some(Side::Owner) && !was_shown {
        return Err(StoreError::NotFound);
    }
    listed(id, &door, counts_as)?.into_iter().for_each(|(at, _)| rows.remove(at));
    record::remove(rows, id).await?;
    rows.destroy_keys(Owner::Conversation(id.0)).await?;
    count(rows, owner, counts_as, false).await?;
    Ok(Some((owner, Ended { id, was_shown })))
}

/// Where an owner's conversations are counted.
fn counts_of(owner: AccountId) -> impl Iterator<Item = Vec<u8>> {
    [CountsAs::Answered, CountsAs::Unanswered, CountsAs::Hidden]
        .into_iter()
        .filter_map(move |counts_as| count_key(owner, counts_as))
}

/// Ends these conversations, and returns whose each was.
async fn end_all<R: Rows>(rows: &mut R, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<(AccountId, Ended)>> {
    rows.fetch(Wants::rows(ids.iter().map(|id| door_key(*id)))).await?;
    let (mut wants, mut owners, mut all) = (Wants::default(), Vec::new(), Vec::with_capacity(ids.len()));
    for id in &ids {
        let Some(door) = door(rows, *id).await? else { continue };
        wants.absorb(record::wants([*id]));
        wants.rows.extend([inbox_key(door.owner), unanswered_key(door.owner, door.moved, *id)]);
        wants.rows.extend(counts_of(door.owner));
        owners.push(account_key(door.owner));
    }
    rows.lock(owners).await?;
    rows.fetch(wants).await?;
    for id in ids {
        all.extend(end(rows, id, now).await?);
    }
    Ok(all)
}

/// Ends these conversations of one account.
async fn end_these<R: Rows>(rows: &mut R, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Ended>> {
    Ok(end_all(rows, ids, now).await?.into_iter().map(|(_, ended)| ended).collect())
}

/// Ends the conversation that began with a note, if there is one.
pub(in crate::nouns) async fn end_of_note<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
) -> Result<Vec<Ended>> {
    let id = of_note(rows, owner, place).await?;
    end_these(rows, id.into_iter().collect(), now).await
}

fn all_of(owner: AccountId) -> Span {
    Span::under(&key(Table::ConversationOfNote, &[owner.0.as_bytes()]))
}

/// Ends conversations of an account: all, or the first ones.
pub(in crate::nouns) async fn end_some_of<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    now: Timestamp,
    at_most: usize,
) -> Result<Vec<Ended>> {
    let some = rows.range(all_of(owner), at_most).await?;
    let some = some.iter().map(|(_, id)| id_at_end(id)).collect::<Result<Vec<_>>>()?;
    end_these(rows, some, now).await
}

/// Ends those that must give way to one more of an inbox. One that waits for its batch makes room among those that
/// wait, and one that its owner must not know of among such ones.
pub(super) async fn make_room<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    counts_as: CountsAs,
    is_shown: bool,
    now: Timestamp,
) -> Result<Vec<Ended>> {
    if too_many_unanswered(counted(rows, owner, counts_as).await? as usize) == 0 {
        return Ok(Vec::new());
    }
    let of = |table| Span::under(&key(table, &[owner.0.as_bytes()]));
    let Span { from, to, .. } = of(Table::UnansweredConversation);
    // Those that wait are listed at a time that is yet to come.
    let due = unanswered_key(owner, now.saturating_add(1), ConversationId(Uuid::nil()));
    let span = match counts_as {
        CountsAs::Hidden => of(Table::HiddenConversation),
        _ if is_shown => Span::new(from, due),
        _ => Span::new(due, to),
    };
    let mut silent = rows.keys(span).await?;
    silent.truncate(too_many_unanswered(silent.len()).min(ENDED_TOGETHER));
    let ids = silent.iter().map(|at| id_at_end(at)).collect::<Result<Vec<_>>>()?;
    silent.into_iter().for_each(|at| rows.remove(at));
    end_these(rows, ids, now).await
}

/// Notes that a conversation begins with a tag, if there may be one more of it.
pub(super) async fn begin_with<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    id: ConversationId,
    tag: TagHash,
    now: Timestamp,
) -> Result<(), ConversationError> {
    let at = note_key(owner, NotePlace::of_begun(tag));
    let mut begun: BegunRecord = rows.sealed(&at).await?.unwrap_or_default();
    begun.forget_before(first_known_day(now));
    rows.fetch(Wants::rows(begun.ids().map(door_key))).await?;
    let mut open = Vec::new();
    for id in begun.ids().collect::<Vec<_>>() {
        let is_open = door(rows, id).await?.is_some_and(|door| door.owner == owner && door.is_open);
        open.extend(is_open.then_some(id));
    }
    may_begin_one_more(open.len())?;
    begun.begin(id, now, &open);
    let whose = Owner::Inbox(owner.0);
    if !rows.has_key(whose).await? {
        rows.new_key(whose).await?;
        // The record is there as soon as the inbox has a key.
        let stored: InboxRecord = rows.record(&inbox_key(owner)).await?.unwrap_or_default();
        rows.put_record(inbox_key(owner), &stored)?;
    }
    rows.put_sealed(whose, at, &begun).await?;
    Ok(())
}

pub(super) struct End {
    pub(super) id: ConversationId,
    /// Whose it is, and who ends it.
    pub(super) through: Option<(Door, Side)>,
    pub(super) now: Timestamp,
}

impl Call for End {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.through.iter().map(|(through, _)| account_key(through.owner)).collect()
    }

    fn wants(&self) -> Wants {
        let owner = self.through.map(|(through, _)| through.owner);
        let mut wants = record::wants([self.id]);
        wants.rows.push(door_key(self.id));
        wants.rows.extend(owner.into_iter().flat_map(|owner| counts_of(owner).chain([inbox_key(owner)])));
        wants
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        if let Some((owner, ended)) = end_through(rows, self.id, self.through, self.now).await? {
            rows.tell(Told::Ended { owner, ended: vec![ended], with_account: false });
        }
        Ok(())
    }
}

/// Ends the first conversations of an account.
struct EndSome {
    owner: AccountId,
    /// `None` if the account is being deleted.
    now: Option<Timestamp>,
}

impl Call for EndSome {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { owner, now } = *self;
        let ended = end_some_of(rows, owner, now.unwrap_or(0), ENDED_TOGETHER).await?;
        rows.tell(Told::Ended { owner, ended, with_account: now.is_none() });
        Ok(())
    }
}

/// Ends most conversations of an account that has many, some at a time, so that other calls
/// don't wait long. The rest ends in the transaction that ends all of them. `now` is `None` if
/// the account is being deleted.
pub(in crate::nouns) async fn end_most_of<K: Keep>(keep: &K, owner: AccountId, now: Option<Timestamp>) -> Result<()> {
    while keep.look().range(all_of(owner), ENDED_TOGETHER + 1).await?.len() > ENDED_TOGETHER {
        keep.call(EndSome { owner, now }).await?;
    }
    Ok(())
}

/// Ends conversations that are still listed at these times.
struct EndDue {
    due: Vec<Vec<u8>>,
    now: Timestamp,
}

impl Call for EndDue {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        rows.fetch(Wants::rows(self.due.iter().cloned())).await?;
        let mut ids = Vec::with_capacity(self.due.len());
        for at in &self.due {
            // Something may just have been said, or another node may have ended it.
            if rows.has(at).await? {
                ids.push(id_at_end(at)?);
                rows.remove(at.clone());
            }
        }
        for (owner, ended) in end_all(rows, ids, self.now).await? {
            rows.tell(Told::Ended { owner, ended: vec![ended], with_account: false });
        }
        Ok(())
    }
}

/// Ends conversations whose time is up.
pub(in crate::nouns) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let until = key(Table::ConversationExpiry, &[&now.saturating_add(1).to_be_bytes()]);
    let due = Span::new(key(Table::ConversationExpiry, &[]), until);
    in_pieces(keep, &due, ENDED_TOGETHER, |due| EndDue { due, now }).await
}
