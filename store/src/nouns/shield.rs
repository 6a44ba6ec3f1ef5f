//! Shields. A shield is one row with a key of its own. Notes that are held back are beside the notes, and the tag of
//! a note is in its record: they are sealed with one key, so that they get a new one together.

use std::sync::Arc;

use annon_contract::limits::HELD_NOTES;
use async_trait::async_trait;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, Note, NoteId};
use crate::nouns::answer::forget_publicity;
use crate::nouns::conversation::move_to;
use crate::nouns::inbox::{Admitted, admit, inbox_or_new, mark_stale, note, tell, wants_of_note};
use crate::nouns::{Common, Nouns};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::seals::sealed_with;
use crate::shapes::answer::{Publicity, publicity_key};
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::shapes::shield::{DayRecord, day_of_tags_key, known_tag_key, shield_key};
use crate::shield::{Blocked, Change, Fate, OpenShield, Shield, Shields, TagHash, day_of, first_known_day, held_since};
use crate::table::{Table, account_key, inbox_key, key, note_key};

pub(super) mod sweeping;

/// The prefix of the keys of notes that are held back.
pub(super) fn held_prefix(owner: AccountId) -> Vec<u8> {
    key(Table::Note, &[owner.0.as_bytes(), &NotePlace::held(0, 0).bytes()[..1]])
}

/// The prefix of the keys of what was begun with tags.
pub(super) fn begun_prefix(owner: AccountId) -> Vec<u8> {
    key(Table::Note, &[owner.0.as_bytes(), &[NotePlace::of_all_begun()]])
}

/// Remembers that a tag came to an inbox.
pub(super) async fn know<R: Rows>(rows: &mut R, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<()> {
    let day = day_of(now);
    // What was noted of today is there already, with the day's mark.
    if rows.record(&known_tag_key(owner, tag)).await? == Some(DayRecord(day)) {
        return Ok(());
    }
    rows.put(day_of_tags_key(day, owner), Vec::new());
    rows.put_record(known_tag_key(owner, tag), &DayRecord(day))
}

/// Whether a note with this tag came within the last days.
pub(super) async fn knows<R: Reads>(rows: &R, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<bool> {
    let last: Option<DayRecord> = rows.record(&known_tag_key(owner, tag)).await?;
    Ok(last.is_some_and(|last| last.0 >= first_known_day(now)))
}

/// Removes the note that is at this place, and what is beside it. Its conversation stays.
pub(super) async fn remove_beside<R: Rows>(rows: &mut R, owner: AccountId, at: NotePlace) -> Result<()> {
    rows.remove(note_key(owner, at));
    // Older files still have the note: the sweeper seals the others with a
    // new key, and destroys this one.
    mark_stale(rows, owner);
    forget_publicity(rows, owner, at.listed()).await
}

/// The lowest place of notes that are held back: not those that have been for too long, and not more than there may
/// be. Only the owner and the sweep look for it. If a note that is held back made room for itself, its sender would
/// wait longer than others.
async fn first_held<R: Reads>(rows: &R, owner: AccountId, now: Timestamp) -> Result<NotePlace> {
    let (first, end) = (NotePlace::held_since(held_since(now)), NotePlace::end_of_held());
    let held = rows.keys(Span::new(note_key(owner, first), note_key(owner, end))).await?;
    held.iter().rev().nth(HELD_NOTES - 1).map_or(Ok(first), |at| NotePlace::at_end_of(at))
}

/// The tag that a note came with, if it is still known.
async fn tag_of<R: Reads>(rows: &R, owner: AccountId, place: NotePlace, now: Timestamp) -> Result<Option<TagHash>> {
    let (_, found) = note(rows, owner, place).await?;
    Ok(found.tag_since(first_known_day(now)))
}

/// Whether the owner can see the note at this place, if there is one.
async fn is_theirs<R: Reads>(rows: &R, owner: AccountId, place: NotePlace, now: Timestamp) -> Result<bool> {
    let mut inbox: InboxRecord = rows.record(&inbox_key(owner)).await?.unwrap_or_default();
    inbox.settle(now);
    Ok(place.is_held() || inbox.shows(place.number()))
}

/// A shield as it is now.
pub(super) async fn open_shield<R: Reads>(rows: &R, common: &Common, owner: AccountId) -> Result<Arc<OpenShield>> {
    let at = shield_key(owner);
    let Some(sealed) = rows.get(&at).await? else { return Ok(Arc::default()) };
    let key = sealed_with(&sealed)?;
    if let Some(open) = common.open_shields.find(owner, key) {
        return Ok(open);
    }
    let Some(shield) = rows.open::<Shield>(&at, &sealed).await? else { return Ok(Arc::default()) };
    let shield = Arc::new(shield.into());
    common.open_shields.keep(owner, key, &shield);
    Ok(shield)
}

struct ChangeShield {
    owner: AccountId,
    change: Change,
    /// The place of the note whose sender is blocked by it.
    place: Option<NotePlace>,
    now: Timestamp,
}

impl Call for ChangeShield {
    type Out = Shield;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([inbox_key(self.owner), shield_key(self.owner)])
    }

    fn births(&self) -> Vec<Owner> {
        vec![Owner::Shield(self.owner.0)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Shield> {
        let Self { owner, place, now, .. } = *self;
        inbox_or_new(rows, owner).await?;
        let mut shield: Shield = rows.sealed(&shield_key(owner)).await?.unwrap_or_default();
        let tag = match place {
            Some(place) if is_theirs(rows, owner, place, now).await? => tag_of(rows, owner, place, now).await?,
            Some(_) => return Err(StoreError::NotFound),
            None => None,
        };
        shield.change(self.change.clone(), tag, now)?;
        let whose = Owner::Shield(owner.0);
        rows.replace_key(whose).await?;
        rows.put_sealed(whose, shield_key(owner), &shield).await?;
        Ok(shield)
    }
}

/// Delivers a note that was held back.
struct Show {
    common: Arc<Common>,
    owner: AccountId,
    held: NotePlace,
    shuffle: u64,
    now: Timestamp,
}

impl Call for Show {
    type Out = Delivered;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        wants_of_note(self.owner, self.held)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Delivered> {
        let Self { owner, held, shuffle, now, .. } = *self;
        let note_ids = &self.common.note_ids;
        if !held.is_held() {
            return Err(StoreError::NotFound);
        }
        let whose = Owner::Inbox(owner.0);
        let NoteRecord { text, tag, .. } = rows.sealed(&note_key(owner, held)).await?.ok_or(StoreError::NotFound)?;
        let publicity = publicity_key(owner, held);
        let only_for_you = rows.record::<Publicity>(&publicity).await?.is_some();
        rows.remove(publicity);
        let arrival = Arrival { only_for_you, fate: Fate::Released, ..Arrival::new(text, now, shuffle) };
        let Admitted { mut delivered, place, .. } = admit(rows, note_ids, owner, arrival).await?;
        // It is known for as long as it was.
        let at = note_key(owner, place);
        let shown: NoteRecord = rows.sealed(&at).await?.ok_or(StoreError::NotFound)?;
        rows.put_sealed(whose, at, &NoteRecord { tag, ..shown }).await?;
        rows.remove(note_key(owner, held));
        let id = move_to(rows, owner, held, place, note_ids.id(place)?).await?;
        if let Delivered::Shown { note, unread } = &mut delivered {
            note.conversation = id;
            tell(rows, owner, *unread, Changed::Arrived(note.clone()));
        }
        Ok(delivered)
    }
}

#[async_trait]
impl<K: Keep> Shields for Nouns<K> {
    async fn shield(&self, owner: AccountId) -> Result<Shield> {
        Ok(Shield::clone(&*open_shield(&self.0.look(), self.0.common(), owner).await?))
    }

    async fn knows(&self, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<bool> {
        knows(&self.0.look(), owner, tag, now).await
    }

    async fn change(&self, owner: AccountId, change: Change, now: Timestamp) -> Result<Shield> {
        let common = self.0.common();
        let place = match &change {
            Change::Block { note, .. } => Some(common.note_ids.place(*note)?),
            Change::Set(_) | Change::Unblock(_) => None,
        };
        let changed = self.0.call(ChangeShield { owner, change, place, now }).await;
        common.open_shields.drop_of(owner);
        changed
    }

    async fn blocked(&self, owner: AccountId, before: Option<Uuid>, limit: usize) -> Result<Vec<Blocked>> {
        let (rows, common) = (self.0.look(), self.0.common());
        let mut blocked = Vec::new();
        let page = open_shield(&rows, common, owner).await?.page(before, limit)?;
        let places = page.iter().map(|block| common.note_ids.place(block.note)).collect::<Result<Vec<_>>>()?;
        let wanted = places.iter().flat_map(|place| [*place, place.archived()]).map(|at| note_key(owner, at));
        rows.fetch(Wants::rows(wanted.chain([inbox_key(owner)]))).await?;
        let inbox: InboxRecord = rows.record(&inbox_key(owner)).await?.unwrap_or_default();
        for (block, place) in page.into_iter().zip(places) {
            let note = note(&rows, owner, place).await.ok();
            let is_there = inbox.cleared < place.number();
            blocked.push(Blocked { block, text: note.filter(|_| is_there).map(|(_, note)| note.text) });
        }
        Ok(blocked)
    }

    async fn held(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Vec<Note>> {
        let (rows, note_ids) = (self.0.look(), &self.0.common().note_ids);
        let (from, end) = (first_held(&rows, owner, now).await?, NotePlace::end_of_held());
        let before = before.map(|note| note_ids.place(note)).transpose()?;
        let end = before.map_or(end, |before| before.min(end));
        let span = Span::new(note_key(owner, from), note_key(owner, end.max(from))).backwards();
        rows.fetch(Wants::page(span.clone(), limit, vec![Table::Publicity])).await?;
        let mut held = Vec::new();
        for (at, record) in rows.page_of::<NoteRecord>("note", span, limit).await? {
            let place = NotePlace::at_end_of(&at)?;
            let only_for_you = rows.has(&publicity_key(owner, place)).await?;
            held.push(Note { only_for_you, ..record.into_note(note_ids.id(place)?, now) });
        }
        Ok(held)
    }

    async fn show(&self, owner: AccountId, note: NoteId, shuffle: u64, now: Timestamp) -> Result<Delivered> {
        let (common, held) = (self.0.common().clone(), self.0.common().note_ids.place(note)?);
        self.0.call(Show { common, owner, held, shuffle, now }).await
    }
}
