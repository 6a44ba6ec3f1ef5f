//! Inboxes in the record. The row of the account has the inbox's record; whoever
//! changes the inbox has locked that row.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{Mutex, MutexGuard};
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::conversation::Ended;
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, Inbox, InboxChange, NoteId, Page, Summary};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, Transaction, marked_stale, once_more};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::shapes::{decode, encode};
use crate::table::note_key;
use crate::text::NoteText;

mod delivery;
mod pages;
pub(super) use delivery::Begun;

/// Lets the changes of an inbox or a conversation, made by this node, take place one after the other.
/// So they are told in the order in which they were made, and those who wait hold no
/// connection.
pub(super) struct Turns([Mutex<()>; 64]);

impl Default for Turns {
    fn default() -> Self {
        Self([const { Mutex::const_new(()) }; 64])
    }
}

impl Turns {
    pub(super) async fn take(&self, of: impl Hash) -> MutexGuard<'_, ()> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(of);
        self.0[hash as usize % self.0.len()].lock().await
    }
}

/// An inbox whose account this transaction has locked.
pub(super) struct Locked {
    /// As it was stored; `None` before the first note or setting.
    pub(super) stored: Option<InboxRecord>,
    pub(super) key: Option<KeyId>,
}

pub(super) fn sealed(owner: AccountId, place: NotePlace, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Inbox(owner.0).into(), place: note_key(owner, place), bytes }
}

pub(super) fn seal(owner: AccountId, key: &SealKey, place: NotePlace, record: &NoteRecord) -> Result<Vec<u8>> {
    key.seal(&note_key(owner, place), &Zeroizing::new(encode(record)?))
}

impl Transaction {
    /// Locks an inbox until the transaction ends. `NotFound` when its owner is gone.
    pub(super) async fn lock_inbox(&mut self, owner: AccountId) -> Result<Locked, Failure> {
        let select = "SELECT inbox, inbox_key FROM account WHERE id = $1 FOR NO KEY UPDATE";
        let rows = self.query(select, &[&owner.0]).await?;
        let row = rows.first().ok_or(StoreError::NotFound)?;
        let stored = row.get::<_, Option<&[u8]>>(0).map(decode).transpose()?;
        Ok(Locked { stored, key: row.get::<_, Option<i64>>(1).map(|key| KeyId(key.cast_unsigned())) })
    }

    /// Has the notes of an inbox sealed with a new key. What was removed can be read in old
    /// files, until the key of before is destroyed.
    pub(super) async fn mark_stale(&mut self, owner: AccountId) -> Result<(), Failure> {
        let stale = concat!("UPDATE account SET inbox_stale = ", marked_stale!("inbox_stale"), " WHERE id = $1");
        self.query(stale, &[&owner.0]).await.map(drop)
    }

    async fn store_inbox(&mut self, owner: AccountId, inbox: &InboxRecord) -> Result<(), Failure> {
        let update = "UPDATE account SET inbox = $2 WHERE id = $1";
        self.query(update, &[&owner.0, &encode(inbox)?]).await.map(drop)
    }
}

/// A note whose inbox shows it, and is locked.
pub(super) struct Shown {
    /// As it was stored, and as it is now.
    before: InboxRecord,
    pub(super) inbox: InboxRecord,
    /// The key for what is sealed now.
    pub(super) key: SealKey,
    pub(super) record: NoteRecord,
}

/// A change of one note.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    See,
    Remove,
}

impl Open {
    /// Locks the inbox of a note that it shows, or perhaps holds back. `NotFound` when it doesn't.
    pub(super) async fn lock_note(
        &self,
        transaction: &mut Transaction,
        owner: AccountId,
        place: NotePlace,
        now: Timestamp,
        also_held: bool,
    ) -> Result<Shown, Failure> {
        let Locked { stored, key } = transaction.lock_inbox(owner).await?;
        let before = stored.ok_or(StoreError::NotFound)?;
        let mut inbox = before;
        inbox.settle(now);
        if !(inbox.shows(place.number()) || (also_held && place.is_held())) {
            return Err(StoreError::NotFound.into());
        }
        let select = "SELECT sealed FROM note WHERE owner = $1 AND place = $2";
        let found = transaction.query(select, &[&owner.0, &&place.bytes()[..]]).await?;
        let bytes = found.first().ok_or(StoreError::NotFound)?.get(0);
        let record = self.keys.open(&sealed(owner, place, bytes)).await?.ok_or(StoreError::NotFound)?;
        let key = (Owner::Inbox(owner.0).into(), key.ok_or(StoreError::Corrupt)?);
        let key = self.keys.key(key).await?.ok_or(StoreError::Corrupt)?;
        Ok(Shown { before, inbox, key, record })
    }

    /// Changes one note that is shown, and returns how many are still unread.
    async fn try_change(
        &self,
        owner: AccountId,
        place: NotePlace,
        now: Timestamp,
        change: Change,
    ) -> Result<(u32, Vec<Ended>), Failure> {
        let mut ended = Vec::new();
        let mut transaction = self.record.begin().await?;
        let Shown { before, mut inbox, key, record } =
            self.lock_note(&mut transaction, owner, place, now, change == Change::Remove).await?;
        let at = &place.bytes()[..];
        match change {
            Change::See if record.seen => {}
            Change::See => {
                inbox.note_seen();
                let bytes = seal(owner, &key, place, &NoteRecord { seen: true, ..record })?;
                let update = "UPDATE note SET sealed = $3 WHERE owner = $1 AND place = $2";
                transaction.query(update, &[&owner.0, &at, &bytes]).await?;
            }
            Change::Remove => {
                // One that is held back was never counted.
                if !place.is_held() {
                    inbox.note_removed(record.seen);
                }
                transaction.query("DELETE FROM note WHERE owner = $1 AND place = $2", &[&owner.0, &at]).await?;
                ended = transaction.end_conversation_of_note(owner, at, now).await?;
                transaction.forget_publicity(owner, at).await?;
                // The note can be read in old files, until the others are sealed with a
                // new key and this one is destroyed.
                transaction.mark_stale(owner).await?;
            }
        }
        if inbox != before {
            transaction.store_inbox(owner, &inbox).await?;
        }
        transaction.commit().await?;
        Ok((inbox.unread, ended))
    }

    async fn change_in_turn(&self, owner: AccountId, note: NoteId, now: Timestamp, change: Change) -> Result<u32> {
        let _turn = self.turns.take(owner).await;
        let place = self.common.note_ids.place(note)?;
        let (unread, ended) = once_more!(self.try_change(owner, place, now, change))?;
        let what = if change == Change::See { Changed::Seen } else { Changed::List };
        self.common.inbox_changes.send(owner, unread, what);
        self.common.conversation_changes.ended(owner, &ended);
        if !ended.is_empty() {
            self.bury().await?;
        }
        Ok(unread)
    }

    async fn try_remove_all(&self, owner: AccountId, now: Timestamp) -> Result<Vec<Ended>, Failure> {
        let mut transaction = self.record.begin().await?;
        let Locked { stored, key } = transaction.lock_inbox(owner).await?;
        // As long as the inbox still tells which of them were shown.
        let ended = transaction.end_conversations_of(owner, now, usize::MAX).await?;
        let mut inbox = stored.unwrap_or_default();
        inbox.clear();
        // The key dies with all that it sealed, also with what was removed before.
        let update = "UPDATE account SET inbox = $2, inbox_key = NULL, inbox_stale = NULL WHERE id = $1";
        transaction.query(update, &[&owner.0, &encode(&inbox)?]).await?;
        transaction.query("DELETE FROM note WHERE owner = $1", &[&owner.0]).await?;
        transaction.forget_all_publicity(owner).await?;
        transaction.query("DELETE FROM known_tag WHERE owner = $1", &[&owner.0]).await?;
        if let Some(key) = key {
            transaction.doom(Owner::Inbox(owner.0), key).await?;
        }
        transaction.commit().await?;
        Ok(ended)
    }

    async fn try_set_batches(&self, owner: AccountId, in_batches: bool, now: Timestamp) -> Result<u32, Failure> {
        let mut transaction = self.record.begin().await?;
        let mut inbox = transaction.lock_inbox(owner).await?.stored.unwrap_or_default();
        inbox.set_batches(in_batches, now);
        transaction.store_inbox(owner, &inbox).await?;
        transaction.commit().await?;
        Ok(inbox.unread)
    }
}

#[async_trait]
impl Inbox for Postgres {
    fn changes(&self) -> UnboundedReceiver<InboxChange> {
        self.common.inbox_changes.receive()
    }

    fn last_change(&self) -> u64 {
        self.common.inbox_changes.count()
    }

    async fn deliver(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered> {
        let this = self.clone();
        self.see_through(async move { this.deliver_in_turn(owner, arrival).await }).await
    }

    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Page> {
        self.page_of(owner, before, limit, now).await
    }

    async fn words_of(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<Option<(NoteText, Timestamp)>> {
        self.words_in(owner, note, now).await
    }

    async fn mark_seen(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let this = self.clone();
        self.see_through(async move { this.change_in_turn(owner, note, now, Change::See).await }).await
    }

    async fn remove(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let this = self.clone();
        self.see_through(async move { this.change_in_turn(owner, note, now, Change::Remove).await }).await
    }

    async fn remove_all(&self, owner: AccountId, now: Timestamp) -> Result<()> {
        let this = self.clone();
        let work = async move {
            let _turn = this.turns.take(owner).await;
            this.end_most_of(owner, Some(now)).await?;
            let ended = once_more!(this.try_remove_all(owner, now))?;
            this.common.inbox_changes.send(owner, 0, Changed::List);
            this.common.conversation_changes.ended(owner, &ended);
            this.bury().await
        };
        self.see_through(work).await
    }

    async fn is_in_batches(&self, owner: AccountId) -> Result<bool> {
        Ok(self.inbox_of(owner).await?.is_some_and(|inbox| inbox.in_batches))
    }

    async fn summaries(&self, owners: Vec<AccountId>, now: Timestamp) -> Result<HashMap<AccountId, Summary>> {
        self.summaries_of(owners, now).await
    }

    async fn set_batches(&self, owner: AccountId, in_batches: bool, now: Timestamp) -> Result<u32> {
        let this = self.clone();
        let work = async move {
            let _turn = this.turns.take(owner).await;
            let unread = once_more!(this.try_set_batches(owner, in_batches, now))?;
            this.common.inbox_changes.send(owner, unread, Changed::List);
            Ok(unread)
        };
        self.see_through(work).await
    }
}
