//! The engine as a whole: its nouns, its sweep, and how it stops.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use annon_contract::limits::UNUSED_PICTURE_KEPT;
use annon_store::account::Timestamp;
use annon_store::building_blocks::{Owner, sweep};
use annon_store::image::{Album, Images};
use annon_store::room::{RoomDirectory, RoomId};
use annon_store::room_log::RoomLog;
use annon_store::wire::Wire;
use annon_store::{Engine, Figures, Record, Result, StoreError, Swept};
use async_trait::async_trait;

use crate::{MemoryStore, State, secret};

impl State {
    fn drop_expired_rooms(&mut self, now: Timestamp) -> usize {
        let expired: Vec<_> = self.rooms.values().filter(|room| room.expires <= now).map(|room| room.id).collect();
        expired.iter().for_each(|room| self.remove_room(*room));
        expired.len()
    }

    /// Removes pictures from before `until` whose room or feedback is not there.
    fn drop_pictures_of_nobody(&mut self, until: Timestamp) -> usize {
        let before = self.pictures.len();
        let Self { pictures, changed_albums, rooms, kept, .. } = self;
        pictures.retain(|(album, id), (_, since)| match album {
            Album::Room(room) => rooms.contains_key(&RoomId(*room)) || changed_albums[album] >= until,
            Album::Feedback => kept.has(Owner::Feedback(id.0)) || *since >= until,
        });
        before - pictures.len()
    }
}

#[async_trait]
impl Record for MemoryStore {
    fn server(&self) -> u64 {
        0
    }

    async fn confirm(&self, _: u64) -> Result<()> {
        self.may_read().await;
        let mut faults = self.faults();
        faults.seen.confirms += 1;
        if faults.log_shown_to(self.process).is_none() { Ok(()) } else { Err(StoreError::Unreachable) }
    }
}

#[async_trait]
impl Engine for MemoryStore {
    fn images(&self) -> Arc<dyn Images> {
        Arc::new(self.clone())
    }

    fn rooms(&self) -> Arc<dyn RoomDirectory> {
        Arc::new(self.clone())
    }

    fn room_log(&self) -> Arc<dyn RoomLog> {
        Arc::new(self.clone())
    }

    fn wire(&self) -> Option<Arc<dyn Wire>> {
        self.process.map(|_| Arc::new(self.clone()) as Arc<dyn Wire>)
    }

    fn record(&self) -> Arc<dyn Record> {
        Arc::new(self.clone())
    }

    fn secret(&self, purpose: &str) -> [u8; 32] {
        secret(purpose)
    }

    fn trouble(&self) -> Option<&'static str> {
        self.state().has_failed.then_some("a write has failed")
    }

    fn findings(&self) -> Vec<String> {
        Vec::new()
    }

    async fn failed(&self) {
        self.until(|this| this.state().has_failed).await;
    }

    fn is_full(&self) -> bool {
        self.faults().is_full
    }

    async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        let (of_nouns, done) = sweep(self, now).await;
        done?;
        let mut state = self.writing()?;
        Ok(Swept {
            rooms: state.drop_expired_rooms(now),
            pictures: state.drop_pictures_of_nobody(now.saturating_sub(UNUSED_PICTURE_KEPT.as_secs())),
            ..of_nouns
        })
    }

    async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        self.sweep(now).await
    }

    fn figures(&self) -> Figures {
        let state = self.state();
        let picture_bytes = state.pictures.values().map(|(jpeg, _)| jpeg.len() as u64).sum();
        Figures {
            accounts: state.kept.accounts(),
            resealed: 0,
            commits: None,
            data_bytes: None,
            picture_bytes: Some(picture_bytes),
            free_bytes: None,
            node: None,
        }
    }

    async fn backup(&self, _: Box<dyn Write + Send>) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "what is only in memory has no backup"))
    }

    async fn stop(&self) -> Result<()> {
        self.stopped.store(true, Ordering::Relaxed);
        self.until(|this| !this.state().holds_appends_of(this.process)).await;
        if self.is_healthy() { Ok(()) } else { Err(StoreError::Unavailable) }
    }
}

#[cfg(test)]
mod tests {
    use annon_store::room::Seq;
    use annon_store::room_log::Appending;
    use futures_util::FutureExt;
    use uuid::Uuid;

    use super::*;
    use crate::AppendFault;

    const GONE: Option<Result<()>> = Some(Err(StoreError::Unavailable));
    const DONE: Option<Result<()>> = Some(Ok(()));

    fn append(store: &MemoryStore) -> Appending {
        store.room_log().append(RoomId(Uuid::nil()), Seq(0), Vec::new())
    }

    #[test]
    fn a_failed_write_is_told_until_the_next_start() {
        let store = MemoryStore::default();
        assert_eq!(append(&store).now_or_never(), DONE);
        assert!(store.is_healthy() && store.failed().now_or_never().is_none());
        store.faults().next_append = AppendFault::Fails(StoreError::Unavailable);
        assert_eq!(append(&store).now_or_never(), GONE);
        assert!(!store.is_healthy() && store.failed().now_or_never().is_some());
        assert_eq!(store.stop().now_or_never(), GONE);
        let again = store.opened_again();
        assert_eq!((append(&again).now_or_never(), again.stop().now_or_never()), (DONE, DONE));
    }

    #[test]
    fn a_stop_waits_for_appends_that_are_held_and_stops_this_handle_alone() {
        let store = MemoryStore::default();
        let other = store.shared_with(1);
        store.faults().holds_appends = true;
        let (held, mut stop) = (append(&store), store.stop());
        assert_eq!(((&mut stop).now_or_never(), append(&store).now_or_never()), (None, GONE));
        store.release_appends(AppendFault::None);
        assert_eq!((stop.now_or_never(), held.now_or_never(), append(&other).now_or_never()), (DONE, DONE, DONE));
    }
}
