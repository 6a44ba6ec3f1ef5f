//! Clearing away what has died: expired reset links, notes of deleted
//! accounts, and keys that still open something that was deleted.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::base::Base;
use crate::error::{Result, StoreError};
use crate::image::{Album, ImageId, Images, file::FileImages};
use crate::keyring::Owner;
use crate::record::ResetRecord;
use crate::sled::unit::Unit;
use crate::sled::writer::Effect::Shrinks;
use crate::sled::{Table, end_of, key};

/// Records handled in one unit of work, so that nobody waits long behind it.
const CHUNK: usize = 256;
/// A picture younger than this may belong to feedback that is being filed.
const ORPHAN_AGE: Duration = Duration::from_secs(10 * 60);

/// What a sweep has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Reset links that were too old.
    pub resets: usize,
    /// Notes of accounts that are gone.
    pub notes: usize,
    /// Inboxes that moved to a new key.
    pub resealed: usize,
    /// Owners of keys that are not there (a crash came between the two).
    pub keys: usize,
    /// Pictures nothing refers to.
    pub pictures: usize,
}

pub(crate) struct Sweeper {
    base: Arc<Base>,
    images: Arc<FileImages>,
    /// One sweep at a time: the end of one move destroys every key but the
    /// newest, also the one that another has just moved notes to.
    sweeping: tokio::sync::Mutex<()>,
}

impl Sweeper {
    pub(crate) fn new(base: Arc<Base>, images: Arc<FileImages>) -> Self {
        Self { base, images, sweeping: tokio::sync::Mutex::default() }
    }

    /// What has to be done again and again.
    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        let _one = self.sweeping.lock().await;
        self.sweep_once(now).await
    }

    /// What a crash may have left, once at start.
    pub(crate) async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        let _one = self.sweeping.lock().await;
        self.images.drop_unfinished().map_err(|_| StoreError::Unavailable)?;
        let keys = self.tidy_keys().await?;
        Ok(Swept { keys, ..self.sweep_once(now).await? })
    }

    async fn sweep_once(&self, now: Timestamp) -> Result<Swept> {
        let mut swept = Swept { resets: self.drop_resets(now).await?, ..Swept::default() };
        for owner in self.marked(Table::Gone)? {
            swept.notes += self.drop_notes(owner).await?;
        }
        for owner in self.marked(Table::Stale)? {
            match self.reseal(owner).await {
                Ok(()) => swept.resealed += 1,
                // What one inbox holds that can't be read keeps nobody else's
                // deleted notes readable.
                Err(StoreError::Corrupt) => {
                    tracing::error!("an inbox can't be moved to a new key");
                    let stale = key(Table::Stale, &[owner.0.as_bytes()]);
                    let mark = |unit: &mut Unit<'_>| {
                        unit.put_bytes(stale, Vec::new());
                        Ok::<_, StoreError>(())
                    };
                    self.base.writer.write(Shrinks, mark).await?;
                }
                Err(error) => return Err(error),
            }
        }
        swept.pictures = self.drop_pictures(now).await?;
        Ok(swept)
    }

    fn marked(&self, table: Table) -> Result<Vec<AccountId>> {
        let keys = self.base.reader.under(&key(table, &[]));
        keys.map(|pair| id_after_table(&pair?.0).map(AccountId)).collect()
    }

    async fn drop_resets(&self, now: Timestamp) -> Result<usize> {
        let mut dead = Vec::new();
        for pair in self.base.reader.under(&key(Table::Reset, &[])) {
            let (key, value) = pair?;
            let reset: ResetRecord = crate::codec::decode(&value)?;
            if reset.expires <= now {
                dead.push((key, reset.account));
            }
        }
        let count = dead.len();
        for chunk in dead.chunks(CHUNK) {
            let chunk = chunk.to_vec();
            let work = move |unit: &mut Unit<'_>| {
                for (reset, account) in chunk {
                    unit.remove(key(Table::ResetOf, &[account.0.as_bytes(), &reset[1..]]));
                    unit.remove(reset);
                }
                Ok::<_, StoreError>(())
            };
            self.base.writer.write(Shrinks, work).await?;
        }
        Ok(count)
    }

    async fn drop_notes(&self, owner: AccountId) -> Result<usize> {
        let mut dropped = 0;
        loop {
            let notes = self.base.reader.under(&key(Table::Note, &[owner.0.as_bytes()])).take(CHUNK);
            let notes = notes.map(|pair| Ok(pair?.0)).collect::<Result<Vec<_>>>()?;
            let done = notes.len() < CHUNK;
            dropped += notes.len();
            let work = move |unit: &mut Unit<'_>| {
                notes.into_iter().for_each(|note| unit.remove(note));
                if done {
                    unit.remove(key(Table::Gone, &[owner.0.as_bytes()]));
                }
                Ok::<_, StoreError>(())
            };
            self.base.writer.write(Shrinks, work).await?;
            if done {
                return Ok(dropped);
            }
        }
    }

    /// Moves an inbox to a new key and destroys the old one. A note deleted
    /// meanwhile marks it again.
    async fn reseal(&self, owner: AccountId) -> Result<()> {
        let whose = Owner::Inbox(owner.0);
        let stale = key(Table::Stale, &[owner.0.as_bytes()]);
        let begin = move |unit: &mut Unit<'_>| {
            // Not there any more when the account was deleted meanwhile.
            let has_begun = unit.has(&stale)?;
            if has_begun {
                unit.remove(stale);
                unit.new_key(whose)?;
            }
            Ok::<_, StoreError>(has_begun)
        };
        if !self.base.writer.write(Shrinks, begin).await? {
            return Ok(());
        }
        let all = key(Table::Note, &[owner.0.as_bytes()]);
        let mut from = all.clone();
        loop {
            let notes = self.base.reader.range(from.clone(), end_of(&all)).take(CHUNK);
            let notes = notes.map(|pair| Ok(pair?.0)).collect::<Result<Vec<_>>>()?;
            let Some(last) = notes.last() else { break };
            from = [last.as_slice(), &[0]].concat();
            let work = move |unit: &mut Unit<'_>| notes.into_iter().try_for_each(|note| unit.reseal(whose, note));
            self.base.writer.write(Shrinks, work).await?;
        }
        let finish = move |unit: &mut Unit<'_>| {
            unit.destroy_old_keys(whose);
            Ok::<_, StoreError>(())
        };
        self.base.writer.write(Shrinks, finish).await
    }

    /// Destroys keys nobody owns, and finishes moves that were cut short.
    async fn tidy_keys(&self) -> Result<usize> {
        let base = self.base.clone();
        // Among many accounts this takes a while.
        let untidy = tokio::task::spawn_blocking(move || untidy_owners(&base));
        let untidy = untidy.await.map_err(|_| StoreError::Unavailable)??;
        let mut orphans = 0;
        for owners in untidy.chunks(CHUNK) {
            let owners = owners.to_vec();
            let work = move |unit: &mut Unit<'_>| {
                let mut orphans = 0;
                for owner in owners {
                    if !unit.has(&home(owner))? {
                        orphans += 1;
                        unit.destroy_keys(owner);
                    } else if let Owner::Inbox(id) = owner {
                        unit.put_bytes(key(Table::Stale, &[id.as_bytes()]), Vec::new());
                    }
                }
                Ok::<_, StoreError>(orphans)
            };
            orphans += self.base.writer.write(Shrinks, work).await?;
        }
        Ok(orphans)
    }

    async fn drop_pictures(&self, now: Timestamp) -> Result<usize> {
        let until = SystemTime::UNIX_EPOCH + Duration::from_secs(now).saturating_sub(ORPHAN_AGE);
        let images = self.images.clone();
        let ids = tokio::task::spawn_blocking(move || images.ids(Album::Feedback, until))
            .await
            .map_err(|_| StoreError::Unavailable)?
            .map_err(|_| StoreError::Unavailable)?;
        let mut dropped = 0;
        for ImageId(id) in ids {
            if !self.base.reader.has(&key(Table::Feedback, &[id.as_bytes()]))? {
                self.images.remove(Album::Feedback, ImageId(id)).await?;
                dropped += 1;
            }
        }
        Ok(dropped)
    }
}

/// The record an owner of keys lives and dies with.
fn home(owner: Owner) -> Vec<u8> {
    match owner {
        Owner::Account(id) | Owner::Inbox(id) => key(Table::Account, &[id.as_bytes()]),
        Owner::Feedback(id) => key(Table::Feedback, &[id.as_bytes()]),
    }
}

/// Owners that are not there, and those with more than one key. One walk
/// over the records costs less than looking up each.
fn untidy_owners(base: &Base) -> Result<Vec<Owner>> {
    let mut untidy = HashSet::new();
    {
        let keyring = base.keyring.read().unwrap_or_else(PoisonError::into_inner);
        untidy.extend(keyring.owners());
    }
    for pair in base.reader.under(&key(Table::Account, &[])) {
        let id = id_after_table(&pair?.0)?;
        untidy.remove(&Owner::Account(id));
        let keyring = base.keyring.read().unwrap_or_else(PoisonError::into_inner);
        if keyring.keys_of(Owner::Inbox(id)).len() <= 1 {
            untidy.remove(&Owner::Inbox(id));
        }
    }
    for pair in base.reader.under(&key(Table::Feedback, &[])) {
        untidy.remove(&Owner::Feedback(id_after_table(&pair?.0)?));
    }
    Ok(untidy.into_iter().collect())
}

/// The id a key begins with, after the table's byte.
fn id_after_table(key: &[u8]) -> Result<Uuid> {
    key.get(1..17).and_then(|id| Uuid::from_slice(id).ok()).ok_or(StoreError::Corrupt)
}
