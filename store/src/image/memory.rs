//! Pictures in memory.

use async_trait::async_trait;

use crate::error::Result;
use crate::image::{Album, ImageId, Images};
use crate::memory::Shared;

pub(crate) struct MemoryImages(pub(crate) Shared);

#[async_trait]
impl Images for MemoryImages {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        self.0.state().pictures.insert((album, id), jpeg);
        Ok(())
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        Ok(self.0.state().pictures.get(&(album, id)).cloned())
    }

    async fn list(&self, album: Album) -> Result<Vec<(ImageId, usize)>> {
        let state = self.0.state();
        let theirs = state.pictures.iter().filter(|((whose, _), _)| *whose == album);
        Ok(theirs.map(|((_, id), jpeg)| (*id, jpeg.len())).collect())
    }

    async fn remove(&self, album: Album, id: ImageId) -> Result<()> {
        self.0.state().pictures.remove(&(album, id));
        Ok(())
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        self.0.state().pictures.retain(|(whose, _), _| *whose != album);
        Ok(())
    }
}
