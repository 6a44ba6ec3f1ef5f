//! The rows of pictures, and what is counted of them.

use tokio_postgres::Row;
use uuid::Uuid;

use super::sealing::SealedPicture;
use super::{Taker, owner_of_feedbacks};
use crate::account::AccountId;
use crate::error::StoreError;
use crate::image::picture::Picture;
use crate::image::{Album, ImageId};
use crate::postgres::errors::Failure;
use crate::postgres::{Open, Transaction, marked_stale};
use crate::room::{RoomId, Seq};
use crate::seals::sealed_with;

/// How many pictures were removed, and their bytes.
pub(in crate::postgres) struct Dropped {
    pub(in crate::postgres) count: i64,
    pub(super) bytes: i64,
}

/// What a room and its owner have, with what a transaction adds.
pub(super) struct Held {
    pub(super) pictures: i64,
    pub(super) bytes: i64,
    /// The bytes of all rooms of the owner.
    pub(super) of_owner: i64,
}

fn album_id(album: Album) -> Uuid {
    match album {
        Album::Room(room) => room,
        Album::Feedback => Uuid::nil(),
    }
}

impl Open {
    /// The day, the key and the body of a picture.
    pub(super) async fn image_row(&self, album: Album, id: ImageId) -> Result<Option<Row>, Failure> {
        let select = match album {
            Album::Room(_) => {
                "SELECT day, head, body FROM image \
                 WHERE day = (SELECT day FROM room WHERE id = $1 AND NOT gone) AND album = $1 AND id = $2"
            }
            Album::Feedback => "SELECT day, head, body FROM image WHERE day = 0 AND album = $1 AND id = $2",
        };
        Ok(self.record.read(select, &[&album_id(album), &id.0]).await?.pop())
    }

    /// The id, the bytes and the time of each picture of an album.
    pub(super) async fn image_rows(&self, album: Album) -> Result<Vec<Row>, Failure> {
        let select = match album {
            Album::Room(_) => {
                "SELECT id, bytes, since FROM image \
                 WHERE day = (SELECT day FROM room WHERE id = $1 AND NOT gone) AND album = $1"
            }
            Album::Feedback => "SELECT id, bytes, since FROM image WHERE day = 0 AND album = $1",
        };
        self.record.read(select, &[&album_id(album)]).await
    }
}

impl Transaction {
    pub(super) async fn add_image(
        &mut self,
        day: i32,
        picture: Picture,
        sealed: &SealedPicture,
    ) -> Result<(), Failure> {
        let insert = "INSERT INTO image (day, album, id, bytes, since, head, body) \
             VALUES ($1, $2, $3, $4, floor(extract(epoch FROM clock_timestamp()))::int8, $5, $6)";
        let bytes = i32::try_from(sealed.body.len()).map_err(|_| StoreError::Corrupt)?;
        let Picture { album, id } = picture;
        let added = self.query(insert, &[&day, &album_id(album), &id.0, &bytes, &sealed.head, &sealed.body]).await;
        match added {
            // Somebody puts it at the same time.
            Err(Failure::Taken) => Err(Failure::Again),
            added => added.map(drop),
        }
    }

    /// Removes pictures of a room, or all of them. Nothing else is changed.
    pub(in crate::postgres) async fn drop_images(
        &mut self,
        day: i32,
        album: Uuid,
        ids: Option<&[Uuid]>,
    ) -> Result<Dropped, Failure> {
        let delete = "WITH dropped AS (DELETE FROM image WHERE day = $1 AND album = $2 \
                 AND ($3::uuid[] IS NULL OR id = ANY ($3)) RETURNING bytes) \
             SELECT count(*), coalesce(sum(bytes), 0)::int8 FROM dropped";
        let dropped = self.query(delete, &[&day, &album, &ids]).await?;
        let (count, bytes) = dropped.first().map_or((0, 0), |row| (row.get(0), row.get(1)));
        Ok(Dropped { count, bytes })
    }

    /// Locks the owner of a room, so that no two rooms of one owner take more than they may
    /// together. `NotFound` when the owner is gone.
    pub(super) async fn lock_owner(&mut self, taker: Taker) -> Result<(), Failure> {
        self.lock_account(AccountId(taker.owner)).await
    }

    /// Counts pictures of a room.
    pub(super) async fn count_pictures(&mut self, taker: Taker, pictures: i64, bytes: i64) -> Result<Held, Failure> {
        let count = "INSERT INTO album AS a (room, day, pictures, bytes) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (room) DO UPDATE SET pictures = a.pictures + $3, bytes = a.bytes + $4 \
             RETURNING pictures::int8, bytes, bytes + (SELECT coalesce(sum(o.bytes), 0)::int8 FROM album o \
                 JOIN room r ON r.id = o.room WHERE r.owner = $5 AND NOT r.gone AND r.id <> $1)";
        let pictures = i32::try_from(pictures).map_err(|_| StoreError::Corrupt)?;
        let rows = self.query(count, &[&taker.room.0, &taker.day, &pictures, &bytes, &taker.owner]).await?;
        let row = rows.first().ok_or(StoreError::NotFound)?;
        Ok(Held { pictures: row.get(0), bytes: row.get(1), of_owner: row.get(2) })
    }

    /// Locks a room. Once more if it has another key by now.
    pub(super) async fn fence(&mut self, taker: Taker) -> Result<(), Failure> {
        let held = self.hold_row(taker.room).await?;
        if held.is_some_and(|row| row.key == taker.key) { Ok(()) } else { Err(Failure::Again) }
    }

    /// Removes pictures of a room, or all of them; with `at`, as long as its log ends there.
    /// Their keys can be read in old files until the room has a new key.
    pub(in crate::postgres) async fn drop_pictures(
        &mut self,
        room: RoomId,
        ids: Option<&[Uuid]>,
        at: Option<Seq>,
    ) -> Result<(), Failure> {
        let Some(held) = self.hold_row(room).await? else { return Ok(()) };
        if at.is_some_and(|at| at != held.head) {
            return Err(StoreError::Conflict.into());
        }
        if self.drop_from_album(held.day, room, ids).await? == 0 {
            return Ok(());
        }
        let mark = concat!("UPDATE room SET stale = ", marked_stale!("stale"), " WHERE id = $1");
        self.query(mark, &[&room.0]).await.map(drop)
    }

    /// Removes pictures of a room whose row is locked, or all of them, and counts that.
    /// Returns how many there were.
    pub(in crate::postgres) async fn drop_from_album(
        &mut self,
        day: i32,
        room: RoomId,
        ids: Option<&[Uuid]>,
    ) -> Result<i64, Failure> {
        let Dropped { count, bytes } = self.drop_images(day, room.0, ids).await?;
        if count > 0 {
            let update = "UPDATE album SET pictures = pictures - $2::int8::int, bytes = bytes - $3 WHERE room = $1";
            self.query(update, &[&room.0, &count, &bytes]).await?;
        }
        Ok(count)
    }

    /// Removes pictures of feedback, or all of them, and dooms their keys.
    pub(in crate::postgres) async fn drop_feedback_pictures(&mut self, ids: Option<&[Uuid]>) -> Result<(), Failure> {
        let delete = "DELETE FROM image WHERE day = 0 AND album = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2)) \
             RETURNING id, head";
        for row in self.query(delete, &[&Uuid::nil(), &ids]).await? {
            self.doom(owner_of_feedbacks(ImageId(row.get(0))), sealed_with(row.get(1))?).await?;
        }
        Ok(())
    }
}
