//! The keys of pictures, when their room gets a new key.

use uuid::Uuid;

use super::sealing::SealedPicture;
use crate::error::StoreError;
use crate::image::picture::Picture;
use crate::image::{Album, ImageId};
use crate::postgres::errors::Failure;
use crate::postgres::rewrite::Locked;
use crate::postgres::rooms::whose;
use crate::postgres::{Open, Transaction};
use crate::seals::KeyId;

impl Open {
    /// Seals the keys of a room's pictures with the key that the room has now. One that
    /// can't be read is dropped, or the room's key before could never be destroyed.
    pub(in crate::postgres) async fn move_picture_keys(
        &self,
        transaction: &mut Transaction,
        locked: &Locked,
        old: KeyId,
    ) -> Result<(), Failure> {
        let Locked { room, day, key, .. } = locked;
        let select = "SELECT id, head FROM image \
             WHERE day = $1 AND album = $2 AND substring(head FROM 2 FOR 8) = $3";
        let named = &old.0.to_be_bytes()[..];
        let found = transaction.query(select, &[day, &room.0, &named]).await?;
        if found.is_empty() {
            return Ok(());
        }
        let opening = self.keys.key((whose(*room, *day), old)).await?.ok_or(StoreError::Corrupt)?;
        let (mut ids, mut heads): (Vec<Uuid>, Vec<Vec<u8>>) = (Vec::new(), Vec::new());
        for row in &found {
            let picture = Picture { album: Album::Room(room.0), id: ImageId(row.get(0)) };
            let head = SealedPicture::head_with(key, &opening, picture, row.get(1)).inspect_err(|_| {
                tracing::error!("a picture's key can't be read, and is dropped");
            });
            ids.push(picture.id.0);
            heads.push(head.unwrap_or_default());
        }
        let update = "UPDATE image i SET head = w.head FROM unnest($3::uuid[], $4::bytea[]) AS w (id, head) \
             WHERE i.day = $1 AND i.album = $2 AND i.id = w.id";
        transaction.query(update, &[day, &room.0, &ids, &heads]).await.map(drop)
    }
}
