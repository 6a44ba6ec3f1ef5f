//! The sweep: it removes expired links and rooms, the notes and pictures of what
//! was deleted, and keys that still open something that was deleted.

use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

use annon_contract::limits::UNUSED_PICTURE_KEPT;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::engine::Swept;
use crate::error::{Result, StoreError};
use crate::image::{Album, Images};
use crate::local::Local;
use crate::local::lost::lost;
use crate::local::starting::ADVICE;
use crate::local::transaction::Transaction;
use crate::moves::Moves;
use crate::nouns;
use crate::nouns::inbox::sweeping::{RemoveRows, drop_cleared, drop_of_the_emptied};
use crate::room::{RoomDirectory, RoomId};
use crate::rows::Effect::Replaces;
use crate::rows::Keep;
use crate::seals::keyring::Owner;
use crate::table::{Table, end_of, home, id_after_table, key};

/// Records in one transaction, so that other calls don't wait long.
const CHUNK: usize = 256;

impl Local {
    /// Waits until the index is checked. If it lacks records, a sweep must not run:
    /// it would destroy the keys of records that the commit log still has.
    pub(super) async fn index_is_checked(&self) -> Result<()> {
        if self.index.is_checked_and_whole().await { Ok(()) } else { Err(StoreError::Unavailable) }
    }

    pub(crate) async fn sweep_first(&self, now: Timestamp) -> Result<Swept> {
        self.index_is_checked().await?;
        let mut moves = self.moves.lock().await;
        // These notes have no key since they were deleted. So they go before
        // `log_lost` looks for records without a key.
        let emptied = drop_of_the_emptied(self).await?;
        self.log_lost().await?;
        let keys = self.tidy_keys().await?;
        let swept = self.sweep_once(now, &mut moves).await?;
        Ok(Swept { keys, notes: swept.notes + emptied, ..swept })
    }

    /// Does all parts, also when one of them fails.
    pub(super) async fn sweep_once(&self, now: Timestamp, moves: &mut Moves) -> Result<Swept> {
        let mut failure = None;
        let mut or_none = |done: Result<usize>| {
            done.unwrap_or_else(|error| {
                failure.get_or_insert(error);
                0
            })
        };
        or_none(self.finish_all().await.map(|()| 0));
        let rooms = or_none(self.drop_expired_rooms(now).await);
        let (of_nouns, done) = nouns::sweep(self, now).await;
        or_none(done.map(|()| 0));
        or_none(self.drop_pictures_of_the_gone().await);
        let resealed = or_none(self.reseal_all(now, moves).await);
        // A younger picture may belong to feedback that is just being sent.
        let until = SystemTime::UNIX_EPOCH + Duration::from_secs(now).saturating_sub(UNUSED_PICTURE_KEPT);
        let pictures = or_none(self.sweep_pictures(until).await);
        failure.map_or(Ok(Swept { rooms, resealed, pictures, ..of_nouns }), Err)
    }

    /// The mark goes last: until then no new room can have this id.
    async fn drop_pictures_of_the_gone(&self) -> Result<usize> {
        for room in ids_in(self, Table::GoneRoom)? {
            self.remove_album(Album::Room(room)).await?;
            self.call(RemoveRows(vec![key(Table::GoneRoom, &[room.as_bytes()])])).await?;
        }
        Ok(0)
    }

    async fn reseal_all(&self, now: Timestamp, moves: &mut Moves) -> Result<usize> {
        let (mut resealed, mut records) = (0, 0);
        let mut marked = ids_in(self, Table::Stale)?;
        // The moves of these were not finished.
        let begun: Vec<_> = self.keyring.read().inboxes_with_several_keys().filter(|id| !marked.contains(id)).collect();
        marked.extend(begun);
        for owner in moves.due(&marked, now) {
            if moves.waits(owner, records, now) {
                continue;
            }
            match self.reseal(owner).await {
                Ok(moved) => {
                    moves.moved(owner, moved, now);
                    records += moved;
                    resealed += 1;
                }
                // The deleted notes of other inboxes must not stay readable
                // because of this one.
                Err(StoreError::Corrupt) => tracing::error!("an inbox can't be moved to a new key"),
                Err(error) => return Err(error),
            }
        }
        Ok(resealed)
    }

    /// Removes rooms that have expired while nobody was connected.
    async fn drop_expired_rooms(&self, now: Timestamp) -> Result<usize> {
        let mut dropped = 0;
        loop {
            let expired = self.expired(now, CHUNK).await?;
            for room in &expired {
                RoomDirectory::remove(self, *room).await?;
            }
            dropped += expired.len();
            if expired.len() < CHUNK {
                return Ok(dropped);
            }
        }
    }

    /// The keys from `from`, before `to`, as many as one transaction takes.
    fn next_keys(&self, from: &[u8], to: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.index.range(from.to_vec(), to.to_vec()).take(CHUNK).map(|pair| Ok(pair?.0)).collect()
    }

    /// Seals the notes of an inbox with a new key, and destroys the old one. If a
    /// note is deleted meanwhile, the inbox is marked again. Returns how many
    /// notes there were.
    async fn reseal(&self, id: Uuid) -> Result<usize> {
        let (whose, stale) = (Owner::Inbox(id), stale_mark(id));
        let begin = move |transaction: &mut Transaction<'_>| {
            let is_stale = transaction.has(&stale)?;
            transaction.remove(stale);
            // The account may have been deleted meanwhile. After an inbox was
            // emptied, it has no key until its next note.
            let has_begun = transaction.has(&home(whose))? && transaction.current_key(whose).is_some();
            // A move that was not finished goes on with the key that it has made.
            if has_begun && is_stale {
                transaction.new_key(whose)?;
            }
            Ok::<_, StoreError>(has_begun)
        };
        let has_begun = self.committer.write(Replaces, begin).await?;
        // It may have been emptied since this sweep removed such notes.
        drop_cleared(self, AccountId(id)).await?;
        if !has_begun {
            return Ok(0);
        }
        let mut moved = 0;
        for table in [Table::Note, Table::Answer] {
            moved += self.reseal_under(whose, &key(table, &[id.as_bytes()])).await?;
        }
        self.change(Replaces, move |transaction| transaction.destroy_old_keys(whose)).await?;
        self.resealed.fetch_add(moved as u64, Relaxed);
        Ok(moved)
    }

    /// Seals every record under a prefix with its owner's current key, and returns how many
    /// there were.
    async fn reseal_under(&self, whose: Owner, all: &[u8]) -> Result<usize> {
        let (mut moved, mut from) = (0, all.to_vec());
        loop {
            let records = self.next_keys(&from, &end_of(all))?;
            let Some(last) = records.last() else { return Ok(moved) };
            from = [last.as_slice(), &[0]].concat();
            moved += records.len();
            let work = move |transaction: &mut Transaction<'_>| {
                records.into_iter().try_for_each(|record| transaction.reseal(whose, record))
            };
            self.committer.write(Replaces, work).await?;
        }
    }

    /// Logs how much can't be read because its key is damaged or missing.
    async fn log_lost(&self) -> Result<()> {
        let local = self.clone();
        let found = tokio::task::spawn_blocking(move || {
            let found = lost(&local.index, &local.keyring, local.damaged_keys.then_some(&local.files))?;
            // After a crash a picture may be without a key, so pictures are counted only where other
            // data has lost its key.
            if found.is_none() { Ok(found) } else { lost(&local.index, &local.keyring, Some(&local.files)) }
        });
        let Some(lost) = found.await.map_err(|_| StoreError::Unavailable)?? else { return Ok(()) };
        if self.damaged_keys {
            tracing::error!(%lost, "stored data has lost its key, and can't be read any more");
        } else {
            tracing::error!(
                %lost,
                "stored data has no key in the file «keys», and can't be read: the file is older than the rest of \
                 the folder, or the disk gives a part of it back as zeros. {ADVICE}"
            );
        }
        self.findings.lock().push(format!("lost with its key: {lost}"));
        Ok(())
    }

    /// Destroys keys whose owner is not there, and marks inboxes with two keys, so
    /// that their move is finished. If commits of the commit log are lost, an owner's
    /// record may be among them, so then the keys stay.
    async fn tidy_keys(&self) -> Result<usize> {
        let local = self.clone();
        // With many accounts this takes long.
        let untidy = tokio::task::spawn_blocking(move || untidy_owners(&local));
        let untidy = untidy.await.map_err(|_| StoreError::Unavailable)??;
        let is_complete = !self.index.has(&key(Table::Incomplete, &[]))?;
        let mut orphans = 0;
        for owners in untidy.chunks(CHUNK) {
            let owners = owners.to_vec();
            let work = move |transaction: &mut Transaction<'_>| {
                let mut orphans = 0;
                for owner in owners {
                    if !transaction.has(&home(owner))? {
                        if is_complete {
                            orphans += 1;
                            transaction.destroy_keys(owner);
                        }
                    } else if let Owner::Inbox(id) = owner {
                        transaction.put_bytes(stale_mark(id), Vec::new());
                    }
                }
                Ok::<_, StoreError>(orphans)
            };
            orphans += self.committer.write(Replaces, work).await?;
        }
        if is_complete {
            self.end_rooms_without_metadata().await?;
        }
        Ok(orphans)
    }

    /// Ends rooms that are in the commit log alone, since the record of their end is lost.
    /// Otherwise the commit log would be kept for them for ever.
    async fn end_rooms_without_metadata(&self) -> Result<()> {
        let mut rooms = self.rooms.reader.rooms();
        let metadata: HashSet<_> = ids_in(self, Table::Room)?.into_iter().collect();
        rooms.retain(|room| !metadata.contains(&Uuid::from_bytes(*room)));
        for room in rooms {
            let room = RoomId(Uuid::from_bytes(room));
            self.change(Replaces, move |transaction| transaction.end_room(room)).await?;
        }
        Ok(())
    }
}

/// The key of the mark that an inbox needs a new key.
fn stale_mark(id: Uuid) -> Vec<u8> {
    key(Table::Stale, &[id.as_bytes()])
}

/// Owners that are not there, and inboxes with more than one key. To read all
/// records once costs less than to look up each.
fn untidy_owners(local: &Local) -> Result<Vec<Owner>> {
    // A picture of feedback is stored before the feedback itself.
    let may_be_untidy = |owner: &Owner| !matches!(owner, Owner::FeedbackPicture(_));
    let mut untidy: HashSet<_> = local.keyring.read().owners().filter(may_be_untidy).collect();
    for id in ids_in(local, Table::Account)? {
        untidy.remove(&Owner::Account(id));
        if local.keyring.read().keys_of(Owner::Inbox(id)).len() <= 1 {
            untidy.remove(&Owner::Inbox(id));
        }
    }
    for id in ids_in(local, Table::Room)? {
        untidy.remove(&Owner::RoomPictures(id));
        untidy.remove(&Owner::Room(id));
    }
    for id in ids_in(local, Table::Shield)? {
        untidy.remove(&Owner::Shield(id));
    }
    for id in ids_in(local, Table::Conversation)? {
        untidy.remove(&Owner::Conversation(id));
    }
    for id in ids_in(local, Table::Report)? {
        untidy.remove(&Owner::Report(id));
    }
    for id in ids_in(local, Table::Invitation)? {
        untidy.remove(&Owner::Invitation(id));
    }
    for id in ids_in(local, Table::Feedback)? {
        untidy.remove(&Owner::Feedback(id));
    }
    Ok(untidy.into_iter().collect())
}

/// The ids that have a record in a table.
fn ids_in(local: &Local, table: Table) -> Result<Vec<Uuid>> {
    local.index.under(&key(table, &[])).map(|pair| id_after_table(&pair?.0)).collect()
}
