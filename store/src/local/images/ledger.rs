//! How many bytes of pictures there are: of each room, and in all.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use annon_contract::limits::ACCOUNT_PICTURE_BYTES;

use crate::error::{Result, StoreError};
use crate::image::Album;

/// The sum of each album. They are those of the files, whether or not these
/// can be read.
#[derive(Debug, Default)]
pub(crate) struct Ledger(Mutex<HashMap<Album, u64>>);

impl Ledger {
    fn albums(&self) -> MutexGuard<'_, HashMap<Album, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what is there already.
    pub(crate) fn add(&self, album: Album, bytes: u64) {
        *self.albums().entry(album).or_default() += bytes;
    }

    /// Counts what is about to be there. `DiskFull` when all pictures would
    /// be more than `most`, `Full` when those of one creator's rooms would be
    /// more than theirs may be.
    pub(crate) fn reserve(&self, album: Album, bytes: u64, rooms_of_creator: &[Album], most: u64) -> Result<()> {
        let mut albums = self.albums();
        let all: u64 = albums.values().sum();
        if all.saturating_add(bytes) > most {
            return Err(StoreError::DiskFull);
        }
        let theirs: u64 = rooms_of_creator.iter().filter_map(|room| albums.get(room)).sum();
        if theirs.saturating_add(bytes) > ACCOUNT_PICTURE_BYTES && !rooms_of_creator.is_empty() {
            return Err(StoreError::Full);
        }
        *albums.entry(album).or_default() += bytes;
        Ok(())
    }

    /// Counts what is no longer there.
    pub(crate) fn release(&self, album: Album, bytes: u64) {
        if let Some(held) = self.albums().get_mut(&album) {
            *held = held.saturating_sub(bytes);
        }
    }

    /// A whole album is no longer there.
    pub(crate) fn release_album(&self, album: Album) {
        self.albums().remove(&album);
    }

    pub(crate) fn all(&self) -> u64 {
        self.albums().values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const PLENTY: u64 = u64::MAX;

    fn room(n: u128) -> Album {
        Album::Room(Uuid::from_u128(n))
    }

    #[test]
    fn a_creator_and_all_together_have_so_much_and_no_more() {
        let ledger = Ledger::default();
        let theirs = [room(1), room(2)];
        assert_eq!(ledger.reserve(room(1), ACCOUNT_PICTURE_BYTES - 10, &theirs, PLENTY), Ok(()));
        assert_eq!(ledger.reserve(room(2), 11, &theirs, PLENTY), Err(StoreError::Full));
        assert_eq!(ledger.reserve(room(2), 10, &theirs, PLENTY), Ok(()));
        assert_eq!(ledger.reserve(room(3), 11, &[room(3)], PLENTY), Ok(()), "somebody else's");
        assert_eq!(ledger.reserve(Album::Feedback, ACCOUNT_PICTURE_BYTES, &[], PLENTY), Ok(()), "nobody's");
        assert_eq!(ledger.all(), 2 * ACCOUNT_PICTURE_BYTES + 11);
        assert_eq!(ledger.reserve(room(3), 1, &[room(3)], ledger.all()), Err(StoreError::DiskFull));
    }

    #[test]
    fn what_goes_makes_room_once() {
        let ledger = Ledger::default();
        ledger.add(room(1), 100);
        ledger.add(room(2), 50);
        ledger.release(room(1), 40);
        assert_eq!(ledger.all(), 110);
        ledger.release_album(room(1));
        // One that was on its way when its album went.
        ledger.release(room(1), 60);
        ledger.release_album(room(1));
        assert_eq!(ledger.all(), 50);
    }
}
