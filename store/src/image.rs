//! Pictures: JPEG in albums.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid, Version};

use crate::account::Timestamp;
use crate::error::Result;
use crate::room::Seq;

pub(crate) mod picture;

/// The pictures that are deleted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Album {
    /// Pictures of feedback. Each has the id of its feedback.
    Feedback,
    /// One room's pictures.
    Room(Uuid),
}

/// The id of a picture. Those of a room's pictures have the size in them, so that
/// a page can keep space before the picture is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ImageId(pub Uuid);

impl ImageId {
    /// A random id, with the size in its first four bytes.
    pub fn sized(random: Uuid, width: u16, height: u16) -> Self {
        let mut bytes = random.into_bytes();
        bytes[..2].copy_from_slice(&width.to_be_bytes());
        bytes[2..4].copy_from_slice(&height.to_be_bytes());
        Self(Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// Width and height, if the id has them.
    pub fn size(self) -> Option<(u16, u16)> {
        let [w0, w1, h0, h1, ..] = self.0.into_bytes();
        let is_ours = self.0.get_version() == Some(Version::Custom);
        is_ours.then_some((u16::from_be_bytes([w0, w1]), u16::from_be_bytes([h0, h1])))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredImage {
    pub id: ImageId,
    pub bytes: usize,
    pub since: Timestamp,
}

/// The pictures. Their bytes are JPEG that this server has encoded.
#[async_trait]
pub trait Images: Send + Sync {
    /// Stores a picture. `Full` when the rooms of this room's owner have as many
    /// bytes of pictures as one account may have, `DiskFull` when all pictures
    /// have as many as the operator allows.
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()>;
    /// A picture's bytes. `Corrupt` when its file is damaged or missing.
    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>>;
    async fn list(&self, album: Album) -> Result<Vec<StoredImage>>;
    /// Removes pictures, and destroys their keys together. They may be gone
    /// already. With `at` it is `Conflict` if the room's log doesn't end there:
    /// somebody else may have written a message that shows one of them. Where
    /// only this process writes, `at` makes no difference.
    async fn remove(&self, album: Album, ids: &[ImageId], at: Option<Seq>) -> Result<()>;
    /// Removes an album, and destroys the keys of its pictures.
    async fn remove_album(&self, album: Album) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_read_back_and_only_from_an_id_that_has_one() {
        let random = Uuid::from_u128(0xf00d_cafe_dead_4eef_baad_f00d_cafe_f00d);
        let id = ImageId::sized(random, 1080, 20);
        assert_eq!(id.size(), Some((1080, 20)));
        assert_eq!(id.0.as_bytes()[9..], random.as_bytes()[9..], "the rest is as random as it was");
        assert_eq!(ImageId(random).size(), None);
    }
}
