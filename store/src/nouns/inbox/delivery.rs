//! How a note gets into an inbox.

use super::sent::{remember, wants_of_sent};
use super::{inbox_or_new, tell};
use crate::account::{AccountId, Timestamp};
use crate::batch::NoteSlot;
use crate::error::{Result, StoreError};
use crate::inbox::place::{NoteIds, NotePlace};
use crate::inbox::{Arrival, Changed, Delivered, Note};
use crate::nouns::shield::know;
use crate::rows::{PutRecords, ReadRecords, Rows, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::answer::{Publicity, publicity_key};
use crate::shapes::inbox::{CameWith, NoteRecord};
use crate::shapes::shield::known_tag_key;
use crate::shield::{Fate, TagHash, day_of};
use crate::table::{inbox_key, note_key};

/// A note that has got its place.
pub(in crate::nouns) struct Admitted {
    pub(in crate::nouns) delivered: Delivered,
    pub(in crate::nouns) place: NotePlace,
    pub(in crate::nouns) date: Timestamp,
    unread: u32,
}

impl Admitted {
    /// Tells the owner's windows of the note, or that there is nothing to be shown.
    pub(in crate::nouns) fn tell<R: Rows>(&self, rows: &mut R, owner: AccountId) {
        let what = match &self.delivered {
            Delivered::Shown { note, .. } => Changed::Arrived(note.clone()),
            Delivered::Waits => Changed::Hidden,
        };
        tell(rows, owner, self.unread, what);
    }
}

/// What is read when a note arrives.
pub(in crate::nouns) fn wants_of(owner: AccountId, arrival: &Arrival) -> Wants {
    let tag = arrival.tag.map(|tag| known_tag_key(owner, tag));
    Wants::rows([inbox_key(owner)].into_iter().chain(tag).chain(wants_of_sent(owner, arrival)))
}

/// Stores a note that arrives. Of one that is dropped only the tag is remembered, as of every note.
/// Something of its length takes the place of the last such one, so that its sender waits for as
/// large a commit as others do.
pub(in crate::nouns) async fn admit<R: Rows>(
    rows: &mut R,
    note_ids: &NoteIds,
    owner: AccountId,
    arrival: Arrival,
) -> Result<Admitted> {
    remember(rows, owner, &arrival);
    let Arrival { text, now, shuffle, only_for_you, fate, tag, sent: _ } = arrival;
    let whose = Owner::Inbox(owner.0);
    let mut inbox = inbox_or_new(rows, owner).await?;
    let NoteSlot { place, date, waits } = inbox.admit(now, fate)?;
    if let Some(tag) = tag {
        know(rows, owner, tag, now).await?;
    }
    // A conversation needs a place of its own, also if its note is dropped.
    let place = if fate.is_delivered() { NotePlace::new(place, shuffle) } else { NotePlace::held(now, shuffle) };
    if !rows.has_key(whose).await? {
        rows.new_key(whose).await?;
    }
    let (kept_at, text, tag) = match fate {
        Fate::Dropped => (NotePlace::decoy(), text.decoy(), tag.map(|_| TagHash::DECOY)),
        Fate::Delivered | Fate::Held | Fate::Released => (place, text, tag),
    };
    let tag = tag.map(|tag| CameWith { tag, day: day_of(now) });
    let record = NoteRecord { text, date, seen: false, tag };
    let at = note_key(owner, kept_at);
    // Two notes of one batch or of one minute drew the same shuffle.
    if (waits || fate == Fate::Held) && fate != Fate::Dropped && rows.has(&at).await? {
        return Err(StoreError::Conflict);
    }
    rows.put_sealed(whose, at, &record).await?;
    if only_for_you {
        let at = publicity_key(owner, kept_at);
        // No commit has what stays as it is. So of two notes that are dropped one leaves this, and the
        // other removes it.
        if fate == Fate::Dropped && rows.has(&at).await? {
            rows.remove(at);
        } else {
            rows.put_record(at, &Publicity::OnlyForYou)?;
        }
    }
    rows.put_record(inbox_key(owner), &inbox)?;
    let delivered = if waits || !fate.is_delivered() {
        Delivered::Waits
    } else {
        let note = Note { only_for_you, ..record.into_note(note_ids.id(place)?, now) };
        Delivered::Shown { note, unread: inbox.unread }
    };
    Ok(Admitted { delivered, place, date, unread: inbox.unread })
}
