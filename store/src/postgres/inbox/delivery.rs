//! Notes that arrive.

use annon_contract::code::Code;

use super::{Locked, seal};
use crate::account::{AccountId, Timestamp};
use crate::batch::NoteSlot;
use crate::conversation::{Beginning, Conversation, Ended};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, Note};
use crate::postgres::errors::Failure;
use crate::postgres::{Open, Transaction, once_more};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};
use crate::shapes::encode;
use crate::shapes::inbox::{CameWith, InboxRecord, NoteRecord};
use crate::shield::{Fate, TagHash, day_of};

/// A note that was delivered, and the conversation that began with it.
pub(in crate::postgres) struct Begun {
    pub(in crate::postgres) delivered: Delivered,
    pub(in crate::postgres) conversation: Option<Conversation>,
    /// The conversations that gave way to it.
    pub(in crate::postgres) ended: Vec<Ended>,
}

/// Stores a note, and the inbox with it.
macro_rules! store_note {
    ($conflict:literal) => {
        concat!(
            "WITH noted AS (INSERT INTO note (owner, place, sealed) VALUES ($1, $2, $3)",
            $conflict,
            ") UPDATE account SET inbox = $4, inbox_key = $5 WHERE id = $1"
        )
    };
}

impl Open {
    /// Delivers a note. If the inbox has no key yet, this makes one and stops: the key
    /// has to be committed before what it seals, and outside of the lock. When two
    /// nodes deliver an inbox's first note at once, the key in the row decides.
    async fn try_deliver(
        &self,
        owner: AccountId,
        arrival: &Arrival,
        beginning: Option<(Beginning, &SealKey)>,
        newborn: &mut Option<SealKey>,
    ) -> Result<Result<Begun, Code>, Failure> {
        let whose = Owner::Inbox(owner.0);
        let mut transaction = self.record.begin().await?;
        let Locked { stored, key } = transaction.lock_inbox(owner).await?;
        let key = match (key, &*newborn) {
            (Some(key), _) => self.keys.key((whose.into(), key)).await?.ok_or(StoreError::Corrupt)?,
            (None, Some(newborn)) => newborn.clone(),
            (None, None) => {
                drop(transaction);
                *newborn = Some(self.keys.birth(whose).await?);
                return Err(Failure::Again);
            }
        };
        let (mut delivered, place, date) =
            self.admit(&mut transaction, owner, stored.unwrap_or_default(), arrival, &key).await?;
        let id = self.common.note_ids.id(place)?;
        let (mut conversation, mut ended) = (None, Vec::new());
        if let Some((beginning, seal_key)) = beginning {
            ended = match self
                .make_room_for(&mut transaction, owner, beginning.id, arrival.tag, arrival.now, &key)
                .await?
            {
                Ok(ended) => ended,
                Err(code) => return Ok(Err(code)),
            };
            let begun = Conversation::new(owner, id, arrival.text.clone(), date);
            transaction.begin_conversation(place, beginning, &begun, seal_key).await?;
            conversation = Some(begun);
            if let Delivered::Shown { note, .. } = &mut delivered {
                note.conversation = Some(beginning.id);
            }
        }
        transaction.commit().await?;
        Ok(Ok(Begun { delivered, conversation, ended }))
    }

    /// Stores a note in an inbox that is locked, and returns its place and its date, too. Of one that
    /// is dropped only the tag is remembered, as of every note. Something of its length takes the
    /// place of the last such one, so that its sender waits for as large a commit as others do.
    pub(in crate::postgres) async fn admit(
        &self,
        transaction: &mut Transaction,
        owner: AccountId,
        mut inbox: InboxRecord,
        Arrival { text, now, shuffle, only_for_you, fate, tag }: &Arrival,
        key: &SealKey,
    ) -> Result<(Delivered, NotePlace, Timestamp), Failure> {
        let now = *now;
        let NoteSlot { place, date, waits } = inbox.admit(now, *fate)?;
        if let Some(tag) = tag {
            transaction.know(owner, *tag, now).await?;
        }
        let (is_delivered, is_dropped) = (fate.is_delivered(), *fate == Fate::Dropped);
        // A conversation needs a place of its own, also if its note is dropped.
        let place = if is_delivered { NotePlace::new(place, *shuffle) } else { NotePlace::held(now, *shuffle) };
        let (kept_at, text, tag) = match fate {
            Fate::Dropped => (NotePlace::decoy(), text.decoy(), tag.map(|_| TagHash::DECOY)),
            Fate::Delivered | Fate::Held | Fate::Released => (place, text.clone(), *tag),
        };
        let tag = tag.map(|tag| CameWith { tag, day: day_of(now) });
        let record = NoteRecord { text, date, seen: false, tag };
        let (at, sealed) = (&kept_at.bytes()[..], seal(owner, key, kept_at, &record)?);
        // Two notes of one batch or of one minute may have drawn the same shuffle: a conflict.
        let store = if is_dropped {
            store_note!(" ON CONFLICT (owner, place) DO UPDATE SET sealed = excluded.sealed")
        } else {
            store_note!("")
        };
        let counted = encode(&inbox)?;
        transaction.query(store, &[&owner.0, &at, &sealed, &counted, &key.id.0.cast_signed()]).await?;
        if *only_for_you {
            transaction.keep_to_owner(owner, at).await?;
        }
        if waits || !is_delivered {
            return Ok((Delivered::Waits, place, date));
        }
        let note = record.into_note(self.common.note_ids.id(place)?, now);
        let note = Note { only_for_you: *only_for_you, ..note };
        Ok((Delivered::Shown { note, unread: inbox.unread }, place, date))
    }

    /// Delivers a note, and begins a conversation with it if there is a key for one.
    pub(in crate::postgres) async fn deliver_with(
        &self,
        owner: AccountId,
        arrival: &Arrival,
        beginning: Option<(Beginning, &SealKey)>,
    ) -> Result<Result<Begun, Code>, Failure> {
        let mut newborn = None;
        let outcome = once_more!(self.try_deliver(owner, arrival, beginning, &mut newborn));
        if let Some(key) = newborn
            && !matches!(outcome, Err(Failure::Unknown))
        {
            self.drop_unused(owner, key.id).await?;
        }
        outcome
    }

    pub(super) async fn deliver_in_turn(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered> {
        self.may_grow()?;
        let _turn = self.turns.take(owner).await;
        // Only a conversation can be refused.
        let Ok(Begun { delivered, .. }) = self.deliver_with(owner, &arrival, None).await? else {
            return Err(StoreError::Conflict);
        };
        if let Delivered::Shown { note, unread } = &delivered {
            self.common.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
        }
        Ok(delivered)
    }

    /// Destroys a new key, if another one became the inbox's.
    async fn drop_unused(&self, owner: AccountId, key: KeyId) -> Result<()> {
        let select = "SELECT 1 FROM account WHERE id = $1 AND inbox_key = $2";
        let used = once_more!(self.record.read(select, &[&owner.0, &key.0.cast_signed()]))?;
        if used.is_empty() { self.keys.destroy(&[(Owner::Inbox(owner.0).into(), key)]).await } else { Ok(()) }
    }
}
