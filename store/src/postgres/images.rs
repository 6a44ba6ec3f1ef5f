//! Pictures in the record. Each is sealed with a key of its own, which stands in its row,
//! sealed with its room's key. So a room that gets a new key has its pictures' keys
//! sealed again, and not the pictures.
//!
//! A picture of feedback is stored before the feedback is, so its owner is the picture.

use std::sync::atomic::Ordering::Relaxed;

use annon_contract::limits::{ACCOUNT_PICTURE_BYTES, ROOM_PICTURE_BYTES, ROOM_PICTURES};
use async_trait::async_trait;
use uuid::Uuid;

use crate::error::{Result, StoreError};
use crate::image::picture::Picture;
use crate::image::{Album, ImageId, Images, StoredImage};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Whose;
use crate::postgres::{Open, Postgres, once_more, rooms};
use crate::room::{RoomId, Seq};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey, sealed_with};

mod moving;
mod rows;
mod sealing;
pub(super) use sealing::SealedPicture;

/// A room that takes a picture.
#[derive(Clone, Copy)]
struct Taker {
    room: RoomId,
    owner: Uuid,
    day: i32,
    key: KeyId,
}

fn owner_of_feedbacks(id: ImageId) -> Whose {
    Owner::FeedbackPicture(id.0).into()
}

impl Open {
    /// The room of a new picture. `NotFound` when it is gone.
    async fn taker(&self, room: RoomId) -> Result<Taker, Failure> {
        let select = "SELECT owner, day, key FROM room WHERE id = $1 AND NOT gone";
        let found = self.record.read(select, &[&room.0]).await?;
        let row = found.first().ok_or(StoreError::NotFound)?;
        let key = KeyId(row.get::<_, i64>(2).cast_unsigned());
        Ok(Taker { room, owner: row.get(0), day: row.get(1), key })
    }

    async fn try_put_in_room(&self, room: RoomId, id: ImageId, jpeg: &[u8]) -> Result<(), Failure> {
        let taker = self.taker(room).await?;
        let picture = Picture { album: Album::Room(room.0), id };
        // If the key is destroyed, the room has another one or is gone.
        let key = self.keys.key((rooms::whose(room, taker.day), taker.key)).await?.ok_or(Failure::Again)?;
        let sealed = SealedPicture::new(picture, &key, jpeg)?;
        let mut transaction = self.record.begin().await?;
        let replaced = transaction.drop_images(taker.day, room.0, Some(&[id.0])).await?;
        transaction.add_image(taker.day, picture, &sealed).await?;
        // What others wait for is locked last, the room before its album as by all others.
        transaction.lock_owner(taker).await?;
        transaction.fence(taker).await?;
        let (pictures, bytes) = (1 - replaced.count, sealed.len() - replaced.bytes);
        let held = transaction.count_pictures(taker, pictures, bytes).await?;
        let is_full = held.pictures > i64::try_from(ROOM_PICTURES).unwrap_or(i64::MAX)
            || held.bytes > ROOM_PICTURE_BYTES as i64
            || held.of_owner > ACCOUNT_PICTURE_BYTES.cast_signed();
        if is_full {
            return Err(StoreError::Full.into());
        }
        transaction.commit().await
    }

    async fn put_in_feedback(&self, id: ImageId, jpeg: &[u8]) -> Result<()> {
        let whose = owner_of_feedbacks(id);
        let key = self.keys.birth(whose).await?;
        let sealed = SealedPicture::new(Picture { album: Album::Feedback, id }, &key, jpeg)?;
        let put = once_more!(self.try_put_in_feedback(id, &sealed));
        // Of an unknown outcome the key stays: the picture may be there.
        if !matches!(put, Ok(()) | Err(Failure::Unknown)) {
            self.keys.destroy(&[(whose, key.id)]).await?;
        }
        put?;
        self.bury().await
    }

    async fn try_put_in_feedback(&self, id: ImageId, sealed: &SealedPicture) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.drop_feedback_pictures(Some(&[id.0])).await?;
        transaction.add_image(0, Picture { album: Album::Feedback, id }, sealed).await?;
        transaction.commit().await
    }

    /// Adds a picture of a backup, which was sealed with `key`. Returns whether its room is
    /// there.
    pub(super) async fn take_picture_over(&self, picture: Picture, key: &SealKey, body: Vec<u8>) -> Result<bool> {
        let (taker, owners) = match picture.album {
            Album::Room(room) => {
                let taker = match once_more!(self.taker(RoomId(room))) {
                    Err(Failure::Store(StoreError::NotFound)) => return Ok(false),
                    taker => taker?,
                };
                let owners = self.keys.key((rooms::whose(taker.room, taker.day), taker.key)).await?;
                (Some(taker), owners.ok_or(StoreError::NotFound)?)
            }
            Album::Feedback => (None, self.keys.birth(owner_of_feedbacks(picture.id)).await?),
        };
        let sealed = SealedPicture::with_key(picture, &owners, key, body)?;
        once_more!(self.try_take_picture_over(taker, picture, &sealed))?;
        Ok(true)
    }

    async fn try_take_picture_over(
        &self,
        taker: Option<Taker>,
        picture: Picture,
        sealed: &SealedPicture,
    ) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.add_image(taker.map_or(0, |taker| taker.day), picture, sealed).await?;
        if let Some(taker) = taker {
            transaction.count_pictures(taker, 1, sealed.len()).await?;
        }
        transaction.commit().await
    }

    async fn put_picture(&self, album: Album, id: ImageId, jpeg: &[u8]) -> Result<()> {
        self.may_grow()?;
        let bytes = jpeg.len() as u64;
        if self.picture_bytes.load(Relaxed).saturating_add(bytes) > self.most_picture_bytes {
            return Err(StoreError::DiskFull);
        }
        match album {
            Album::Room(room) => once_more!(self.try_put_in_room(RoomId(room), id, jpeg))?,
            Album::Feedback => self.put_in_feedback(id, jpeg).await?,
        }
        // The next sweep counts what there really is.
        self.picture_bytes.fetch_add(bytes, Relaxed);
        Ok(())
    }

    /// The key of a picture's owner that opens what is in its row.
    async fn owners_key(&self, album: Album, id: ImageId, day: i32, head: &[u8]) -> Result<Option<SealKey>> {
        let whose = match album {
            Album::Room(room) => rooms::whose(RoomId(room), day),
            Album::Feedback => owner_of_feedbacks(id),
        };
        self.keys.key((whose, sealed_with(head)?)).await
    }

    async fn try_remove(&self, album: Album, ids: Option<&[Uuid]>, at: Option<Seq>) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        match album {
            Album::Room(room) => transaction.drop_pictures(RoomId(room), ids, at).await?,
            Album::Feedback => transaction.drop_feedback_pictures(ids).await?,
        }
        transaction.commit().await
    }

    async fn remove_pictures(&self, album: Album, ids: Option<Vec<Uuid>>, at: Option<Seq>) -> Result<()> {
        once_more!(self.try_remove(album, ids.as_deref(), at))?;
        self.bury().await
    }
}

fn damaged(_: StoreError) -> StoreError {
    tracing::error!("a picture is damaged or missing, and can't be shown");
    StoreError::Corrupt
}

#[async_trait]
impl Images for Postgres {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.put_picture(album, id, &jpeg).await }).await
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        // While it is read, its room may get a new key.
        for _ in 0..2 {
            let Some(row) = once_more!(self.image_row(album, id))? else { return Ok(None) };
            let (day, head, body) = (row.get(0), row.get::<_, Vec<u8>>(1), row.get::<_, Option<Vec<u8>>>(2));
            if let Some(key) = self.owners_key(album, id, day, &head).await.map_err(damaged)? {
                let sealed = SealedPicture { head, body: body.ok_or(StoreError::Corrupt).map_err(damaged)? };
                return sealed.open(Picture { album, id }, &key).map(Some).map_err(damaged);
            }
        }
        Ok(None)
    }

    async fn list(&self, album: Album) -> Result<Vec<StoredImage>> {
        let rows = once_more!(self.image_rows(album))?;
        let stored = rows.iter().map(|row| StoredImage {
            id: ImageId(row.get(0)),
            bytes: SealedPicture::plain_len(row.get(1)),
            since: row.get::<_, i64>(2).unsigned_abs(),
        });
        Ok(stored.collect())
    }

    async fn remove(&self, album: Album, ids: &[ImageId], at: Option<Seq>) -> Result<()> {
        let (this, ids) = (self.clone(), ids.iter().map(|id| id.0).collect());
        self.see_through(async move { this.remove_pictures(album, Some(ids), at).await }).await
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.remove_pictures(album, None, None).await }).await
    }
}
