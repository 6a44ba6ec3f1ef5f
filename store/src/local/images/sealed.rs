//! How a picture is sealed: with a key of its own, which its place names.

use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;

use crate::error::Result;
use crate::image::{Album, ImageId};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};

/// Whose key a picture has: whatever this is destroyed with, the picture is.
pub(crate) fn owner(album: Album, id: ImageId) -> Owner {
    match album {
        Album::Feedback => Owner::FeedbackPicture(id.0),
        Album::Room(room) => Owner::RoomPictures(room),
    }
}

/// What a picture is sealed to: moved to another album or name, it does not
/// open.
pub(crate) fn place(album: Album, id: ImageId) -> Vec<u8> {
    let (kind, room) = match album {
        Album::Feedback => (0, Uuid::nil()),
        Album::Room(room) => (1, room),
    };
    [b"picture", &[kind][..], room.as_bytes(), id.0.as_bytes()].concat()
}

/// Which key a picture has. Its place tells that, and not its file: so a
/// file that is damaged, or not there, is known from one that has no key.
pub(crate) fn key_id(album: Album, id: ImageId) -> KeyId {
    let checksum = digest(&SHA256, &place(album, id));
    KeyId(checksum.as_ref().first_chunk().copied().map_or(0, u64::from_be_bytes))
}

/// A key for a picture that has none.
pub(crate) fn new_key(album: Album, id: ImageId) -> Result<SealKey> {
    let mut key = SealKey::random(None)?;
    key.id = key_id(album, id);
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StoreError;
    use crate::shapes::golden::committed;

    const ROOM: Album = Album::Room(Uuid::from_u128(7));
    const ONE: ImageId = ImageId(Uuid::from_u128(1));
    const TWO: ImageId = ImageId(Uuid::from_u128(2));

    #[test]
    fn a_picture_opens_nowhere_but_in_its_place() {
        let key = new_key(ROOM, ONE).unwrap();
        let sealed = key.seal(&place(ROOM, ONE), b"pixels").unwrap();
        assert_eq!(key.open_in_place(&place(ROOM, ONE), sealed.clone()).as_deref(), Ok(&b"pixels"[..]));
        for (album, id) in [(ROOM, TWO), (Album::Room(Uuid::from_u128(8)), ONE), (Album::Feedback, ONE)] {
            assert_eq!(key.open_in_place(&place(album, id), sealed.clone()), Err(StoreError::Corrupt));
            assert_ne!(key_id(album, id), key.id);
        }
    }

    #[test]
    fn a_picture_sealed_long_ago_opens() {
        let key = SealKey::new(key_id(ROOM, ONE), &[9; 32]);
        let sealed = committed("picture", || key.seal(&place(ROOM, ONE), b"pixels of long ago").unwrap());
        assert_eq!(key.open_in_place(&place(ROOM, ONE), sealed).as_deref(), Ok(&b"pixels of long ago"[..]));
    }
}
