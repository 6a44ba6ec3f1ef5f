//! Pictures in memory.

use annon_store::image::{Album, ImageId, Images, StoredImage};
use annon_store::room::{RoomId, Seq};
use annon_store::{Result, StoreError};
use async_trait::async_trait;

use crate::{MemoryStore, State};

impl State {
    pub(crate) fn remove_pictures(&mut self, album: Album, ids: &[ImageId]) {
        if !ids.is_empty() {
            let now = self.now();
            self.changed_albums.insert(album, now);
            self.pictures.retain(|(whose, id), _| *whose != album || !ids.contains(id));
        }
    }
}

#[async_trait]
impl Images for MemoryStore {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        let mut state = self.writing()?;
        let now = state.now();
        state.changed_albums.insert(album, now);
        state.pictures.insert((album, id), (jpeg, now));
        Ok(())
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        Ok(self.state().pictures.get(&(album, id)).map(|(jpeg, _)| jpeg.clone()))
    }

    async fn list(&self, album: Album) -> Result<Vec<StoredImage>> {
        self.faults().seen.lists += 1;
        let state = self.state();
        let theirs = state.pictures.iter().filter(|((whose, _), _)| *whose == album);
        Ok(theirs.map(|((_, id), (jpeg, since))| StoredImage { id: *id, bytes: jpeg.len(), since: *since }).collect())
    }

    async fn remove(&self, album: Album, ids: &[ImageId], at: Option<Seq>) -> Result<()> {
        let mut state = self.writing()?;
        if let (Album::Room(room), Some(at)) = (album, at)
            && state.logs.get(&RoomId(room)).is_some_and(|log| log.end != at)
        {
            return Err(StoreError::Conflict);
        }
        state.remove_pictures(album, ids);
        Ok(())
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        self.writing()?.pictures.retain(|(whose, _), _| *whose != album);
        Ok(())
    }
}
