//! A picture, and what follows from its album and id: the name of its file, its place,
//! and its key.

use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;

use crate::error::Result;
use crate::image::{Album, ImageId};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};

/// A picture. Neither its file nor its key need be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) album: Album,
    pub(crate) id: ImageId,
}

impl Picture {
    /// The owner of its key.
    pub(crate) fn owner(self) -> Owner {
        match self.album {
            Album::Feedback => Owner::FeedbackPicture(self.id.0),
            Album::Room(room) => Owner::RoomPictures(room),
        }
    }

    /// The place that it is sealed to.
    pub(crate) fn place(self) -> Vec<u8> {
        let (kind, room) = match self.album {
            Album::Feedback => (0, Uuid::nil()),
            Album::Room(room) => (1, room),
        };
        [b"picture", &[kind][..], room.as_bytes(), self.id.0.as_bytes()].concat()
    }

    /// The id of its key, a hash of its place. So a picture whose file is damaged
    /// or missing is told from one whose key was destroyed.
    pub(crate) fn key_id(self) -> KeyId {
        let checksum = digest(&SHA256, &self.place());
        KeyId(checksum.as_ref().first_chunk().copied().map_or(0, u64::from_be_bytes))
    }

    pub(crate) fn new_key(self) -> Result<SealKey> {
        let mut key = SealKey::random(None)?;
        key.id = self.key_id();
        Ok(key)
    }

    /// The name of its file, in the folder of pictures and in a backup.
    pub(crate) fn name(self) -> String {
        format!("{}/{}.sealed", album_name(self.album), self.id.0)
    }

    /// The picture whose file has this name. Other paths are none.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (album, file) = name.split_once('/')?;
        let id = Uuid::try_parse(file.strip_suffix(".sealed")?).ok()?;
        Some(Self { album: album_named(album)?, id: ImageId(id) })
    }
}

/// The name of an album's folder.
pub(crate) fn album_name(album: Album) -> String {
    match album {
        Album::Feedback => "feedback".to_owned(),
        Album::Room(room) => room.to_string(),
    }
}

pub(crate) fn album_named(name: &str) -> Option<Album> {
    if name == "feedback" { Some(Album::Feedback) } else { Uuid::try_parse(name).ok().map(Album::Room) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::golden::committed;

    const ROOM: Album = Album::Room(Uuid::from_u128(7));
    const ONE: ImageId = ImageId(Uuid::from_u128(1));
    const TWO: ImageId = ImageId(Uuid::from_u128(2));
    const PICTURE: Picture = Picture { album: ROOM, id: ONE };

    #[test]
    fn no_two_pictures_have_one_place_or_one_key() {
        for (album, id) in [(ROOM, TWO), (Album::Room(Uuid::from_u128(8)), ONE), (Album::Feedback, ONE)] {
            let other = Picture { album, id };
            assert!(other.place() != PICTURE.place() && other.key_id() != PICTURE.key_id(), "{other:?}");
        }
    }

    #[test]
    fn a_picture_sealed_long_ago_opens() {
        let key = SealKey::new(PICTURE.key_id(), &[9; 32]);
        let sealed = committed("picture", || key.seal(&PICTURE.place(), b"pixels of long ago").unwrap());
        assert_eq!(key.open_in_place(&PICTURE.place(), sealed).as_deref(), Ok(&b"pixels of long ago"[..]));
    }

    #[test]
    fn only_a_pictures_name_is_one() {
        let id = "5f2c1c9e-0000-4000-8000-000000000001";
        let room = Uuid::try_parse(id).unwrap();
        for (album, folder) in [(Album::Feedback, "feedback"), (Album::Room(room), id)] {
            let picture = Picture { album, id: ImageId(room) };
            assert_eq!(picture.name(), format!("{folder}/{id}.sealed"));
            assert_eq!(Picture::named(&picture.name()), Some(picture));
        }
        for odd in ["", "/", "feedback/x.sealed", "../feedback/a.sealed", "feedback/../../keys", "keys", "feedback"] {
            assert_eq!(Picture::named(odd), None, "{odd}");
        }
        assert_eq!(Picture::named(&format!("feedback/{id}.jpg")), None);
        assert_eq!(Picture::named(&format!("feedback/{id}.sealed.part")), None);
        assert_eq!(Picture::named(&format!("elsewhere/{id}.sealed")), None);
    }
}
