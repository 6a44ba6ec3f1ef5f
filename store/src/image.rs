//! Pictures: ordinary files beside the database, which keeps big values
//! longer than it should.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::Result;

pub(crate) mod file;
pub(crate) mod memory;

/// What a picture belongs to, and dies with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Album {
    /// Pictures that came with feedback; each has its feedback's id.
    Feedback,
    /// One room's pictures.
    Room(Uuid),
}

/// One picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ImageId(pub Uuid);

/// Everything that is kept of pictures. The bytes are JPEG of our own making.
#[async_trait]
pub trait Images: Send + Sync {
    /// Keeps a picture; on disk when it answers.
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()>;
    /// A picture's bytes.
    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>>;
    /// All pictures of an album, and their sizes in bytes.
    async fn list(&self, album: Album) -> Result<Vec<(ImageId, usize)>>;
    /// Removes a picture; it may be gone already.
    async fn remove(&self, album: Album, id: ImageId) -> Result<()>;
    /// Removes all of an album.
    async fn remove_album(&self, album: Album) -> Result<()>;
}
