//! Clearing away what has died: used-up reset links, notes of deleted
//! accounts, and keys that still open something that was deleted.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::base::Base;
use crate::error::{Result, StoreError};
use crate::image::{Album, ImageId, Images, file::FileImages};
use crate::keyring::Owner;
use crate::record::{AccountRecord, NoteRecord, ResetRecord};
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
    /// Accounts whose records moved to a new key.
    pub resealed: usize,
    /// Keys whose owner is not there (a crash came between the two).
    pub keys: usize,
    /// Pictures nothing refers to.
    pub pictures: usize,
}

pub(crate) struct Sweeper {
    pub(crate) base: Arc<Base>,
    pub(crate) images: Arc<FileImages>,
}

impl Sweeper {
    /// What has to be done again and again.
    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        let mut swept = Swept { resets: self.drop_resets(now).await?, ..Swept::default() };
        for owner in self.marked(Table::Gone)? {
            swept.notes += self.drop_notes(owner).await?;
        }
        for owner in self.marked(Table::Stale)? {
            self.reseal(owner).await?;
            swept.resealed += 1;
        }
        swept.pictures = self.drop_pictures(now).await?;
        Ok(swept)
    }

    /// What a crash may have left, once at start.
    pub(crate) async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        self.images.drop_unfinished().map_err(|_| StoreError::Unavailable)?;
        let keys = self.tidy_keys().await?;
        Ok(Swept { keys, ..self.sweep(now).await? })
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

    /// Moves everything an account has to a new key and destroys the old
    /// one. A note deleted meanwhile marks the account again.
    async fn reseal(&self, owner: AccountId) -> Result<()> {
        let whose = Owner::Account(owner.0);
        let account = key(Table::Account, &[owner.0.as_bytes()]);
        let begun = self.base.writer.write(Shrinks, move |unit: &mut Unit<'_>| {
            unit.remove(key(Table::Stale, &[owner.0.as_bytes()]));
            unit.new_key(whose)
        });
        begun.await?;
        let all = key(Table::Note, &[owner.0.as_bytes()]);
        let mut from = all.clone();
        loop {
            let notes = self.base.reader.range(from.clone(), end_of(&all)).take(CHUNK);
            let notes = notes.map(|pair| Ok(pair?.0)).collect::<Result<Vec<_>>>()?;
            let Some(last) = notes.last() else { break };
            from = [last.as_slice(), &[0]].concat();
            let work = move |unit: &mut Unit<'_>| {
                for note in notes {
                    if let Some(record) = unit.sealed::<NoteRecord>(&note)? {
                        unit.put_sealed(whose, note, &record)?;
                    }
                }
                Ok(())
            };
            match self.base.writer.write(Shrinks, work).await {
                // The account was deleted meanwhile, and its keys with it.
                Err(StoreError::NotFound | StoreError::Corrupt) if !self.base.reader.has(&account)? => return Ok(()),
                other => other?,
            }
        }
        let work = move |unit: &mut Unit<'_>| {
            if let Some(record) = unit.sealed::<AccountRecord>(&account)? {
                unit.put_sealed(whose, account, &record)?;
                unit.destroy_old_keys(whose);
            } else {
                unit.destroy_keys(whose);
            }
            Ok::<_, StoreError>(())
        };
        self.base.writer.write(Shrinks, work).await
    }

    /// Destroys keys nobody owns, and finishes moves that were cut short.
    async fn tidy_keys(&self) -> Result<usize> {
        let owners: Vec<_> = {
            let keyring = self.base.keyring.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            keyring.owners().map(|owner| (owner, keyring.keys_of(owner).len())).collect()
        };
        let mut orphans = 0;
        for (owner, keys) in owners {
            let (table, id) = match owner {
                Owner::Account(id) => (Table::Account, id),
                Owner::Feedback(id) => (Table::Feedback, id),
            };
            let is_there = self.base.reader.has(&key(table, &[id.as_bytes()]))?;
            if is_there && keys == 1 {
                continue;
            }
            orphans += usize::from(!is_there);
            let work = move |unit: &mut Unit<'_>| {
                if !unit.has(&key(table, &[id.as_bytes()]))? {
                    unit.destroy_keys(owner);
                } else if matches!(owner, Owner::Account(_)) {
                    unit.put_bytes(key(Table::Stale, &[id.as_bytes()]), Vec::new());
                }
                Ok::<_, StoreError>(())
            };
            self.base.writer.write(Shrinks, work).await?;
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

/// The id a key begins with, after the table's byte.
fn id_after_table(key: &[u8]) -> Result<Uuid> {
    key.get(1..17).and_then(|id| Uuid::from_slice(id).ok()).ok_or(StoreError::Corrupt)
}
