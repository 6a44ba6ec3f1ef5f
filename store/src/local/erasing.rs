//! What events take back.
//!
//! It is decided by one frame. The frame has the events, redactions of the messages'
//! records (as many as one commit takes), and a mark in the index with the messages
//! that are left and the ids of the pictures' keys. When the frame is on disk, the
//! keys are destroyed. Then the rest is redacted, and the last commit of that removes
//! the mark. Only then the caller is answered.
//!
//! After a crash a start destroys the keys of all marks before it serves anything.
//! The first sweep redacts what is left, and removes the marks, also those that had
//! only keys.

use crate::error::{Result, StoreError};
use crate::folder::space::DiskSpace;
use crate::image::Album;
use crate::image::picture::Picture;
use crate::local::Local;
use crate::local::committer::Committer;
use crate::local::index::Index;
use crate::local::room_records::room_and_place;
use crate::local::transaction::Transaction;
use crate::room::{RoomId, Seq};
use crate::room_log::{Erasure, take_words};
use crate::rows::Effect::Shrinks;
use crate::seals::KeyId;
use crate::shapes::decode;
use crate::shapes::room::ErasingRecord;
use crate::table::{Table, key};

/// A commit redacts records until they have this many bytes, so that other calls
/// don't wait long.
const PIECE: usize = 256 * 1024;
/// The same on a full disk, which must have space for the new bodies.
const PIECE_WHEN_FULL: usize = 64 * 1024;

impl Transaction<'_> {
    /// Takes back what events take back, of which the first is at `first`. Returns
    /// the mark, if messages are left for later commits. On a full disk all are: the
    /// commit of the events must be small.
    pub(crate) fn erase(
        &mut self,
        room: RoomId,
        first: Seq,
        erased: Erasure,
        space: &DiskSpace,
    ) -> Result<Option<Vec<u8>>> {
        if erased.is_empty() {
            return Ok(None);
        }
        let Erasure { mut messages, pictures } = erased;
        let most = if space.is_full() { 0 } else { PIECE };
        messages.sort_unstable();
        messages.dedup();
        let left = self.redact(room, &messages, most)?.to_vec();
        self.own.rooms.take_back(room, messages);
        let mut keys = Vec::new();
        for id in pictures {
            let key = Picture { album: Album::Room(room.0), id }.key_id();
            self.destroy_key(key);
            keys.push(key.0);
        }
        if left.is_empty() && keys.is_empty() {
            return Ok(None);
        }
        let (mark, has_left) = (key(Table::Erasing, &[room.0.as_bytes(), &first.0.to_be_bytes()]), !left.is_empty());
        self.put(mark.clone(), &ErasingRecord { messages: left, keys })?;
        Ok(has_left.then_some(mark))
    }

    /// Goes on with a mark, at `from`. Returns where to go on next; `None` when all
    /// is done, and the mark removed.
    fn erase_on(&mut self, mark: &[u8], from: Seq, most: usize) -> Result<Option<Seq>> {
        let Some(ErasingRecord { messages, .. }) = self.record(mark)? else { return Ok(None) };
        let (room, _) = room_and_place(mark).ok_or(StoreError::Corrupt)?;
        let messages = &messages[messages.partition_point(|seq| *seq < from)..];
        let next = self.redact(room, messages, most)?.first().copied();
        if next.is_none() {
            self.remove(mark.to_vec());
        }
        Ok(next)
    }

    /// Redacts the records that have these messages, which are in order, until the
    /// records have `most` bytes. Returns the messages that are left.
    fn redact<'m>(&mut self, room: RoomId, messages: &'m [Seq], most: usize) -> Result<&'m [Seq]> {
        let end = self.rooms.end(room);
        let mut left = &messages[..messages.partition_point(|seq| *seq <= end)];
        let Some(first) = left.first() else { return Ok(&[]) };
        for (last, place) in self.rooms.places_from(room, *first)? {
            let (here, later) = left.split_at(left.partition_point(|seq| *seq <= last));
            if here.is_empty() {
                continue;
            }
            if self.own.rooms.rewritten_bytes() >= most {
                return Ok(left);
            }
            self.rewrite(room, place, |events| take_words(events.iter_mut().map(|(at, event)| (*at, event)), here))?;
            left = later;
        }
        // What is still left here is in no record that can be read.
        Ok(&[])
    }
}

/// Redacts what a mark says is left.
pub(crate) async fn finish(committer: &Committer, space: &DiskSpace, mark: Vec<u8>) -> Result<()> {
    let mut next = Some(Seq(0));
    while let Some(from) = next {
        let (most, mark) = (if space.is_full() { PIECE_WHEN_FULL } else { PIECE }, mark.clone());
        next = committer.write(Shrinks, move |transaction| transaction.erase_on(&mark, from, most)).await?;
    }
    Ok(())
}

impl Local {
    /// Goes on with everything that was begun and not finished.
    pub(crate) async fn finish_all(&self) -> Result<()> {
        let marks = self.index.under(&key(Table::Erasing, &[])).map(|pair| Ok(pair?.0)).collect::<Result<Vec<_>>>()?;
        for mark in marks {
            finish(&self.committer, &self.space, mark).await?;
        }
        Ok(())
    }
}

/// The keys that had to be destroyed when the last process ended. They may be
/// destroyed already.
pub(crate) fn dying_keys(index: &Index) -> Result<Vec<KeyId>> {
    let mut dying = Vec::new();
    for pair in index.under(&key(Table::Erasing, &[])) {
        let ErasingRecord { keys, .. } = decode(&pair?.1)?;
        dying.extend(keys.into_iter().map(KeyId));
    }
    Ok(dying)
}
