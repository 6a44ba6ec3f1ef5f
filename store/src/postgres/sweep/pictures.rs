//! Pictures of what is gone.

use std::sync::atomic::Ordering::Relaxed;

use annon_contract::limits::UNUSED_PICTURE_KEPT;
use uuid::Uuid;

use crate::error::Result;
use crate::postgres::errors::Failure;
use crate::postgres::{Open, once_more, seconds};

/// Pictures of feedback that are removed by one transaction.
const CHUNK: usize = 256;

impl Open {
    /// Removes the pictures of rooms and feedback that are gone, and counts the bytes of
    /// all that are left.
    pub(super) async fn sweep_pictures(&self) -> Result<usize> {
        let mut removed = 0;
        while let Some(more) = once_more!(self.try_clear_album())? {
            removed += more;
        }
        loop {
            let more = once_more!(self.try_clear_feedback())?;
            removed += more;
            if more < CHUNK {
                break;
            }
        }
        self.count_pictures().await?;
        Ok(removed)
    }

    /// Counts the bytes of all pictures.
    pub(in crate::postgres) async fn count_pictures(&self) -> Result<()> {
        let sum = "SELECT (coalesce((SELECT sum(bytes) FROM album), 0) \
             + coalesce((SELECT sum(bytes) FROM image WHERE day = 0), 0))::int8";
        let rows = once_more!(self.record.read(sum, &[]))?;
        let bytes = rows.first().map_or(0, |row| row.get::<_, i64>(0));
        self.picture_bytes.store(u64::try_from(bytes).unwrap_or(0), Relaxed);
        Ok(())
    }

    /// Removes the pictures of one room that is gone. Nobody can open them any more.
    async fn try_clear_album(&self) -> Result<Option<usize>, Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM album WHERE room = (SELECT a.room FROM album a JOIN room r ON r.id = a.room \
             WHERE r.gone LIMIT 1 FOR UPDATE OF a SKIP LOCKED) RETURNING room, day";
        let deleted = transaction.query(delete, &[]).await?;
        let Some(row) = deleted.first() else { return Ok(None) };
        let count = transaction.drop_images(row.get(1), row.get(0), None).await?.count;
        transaction.commit().await?;
        Ok(Some(usize::try_from(count).unwrap_or(0)))
    }

    /// Removes pictures whose feedback is not there. A young one's may just be sent.
    async fn try_clear_feedback(&self) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let select = "SELECT id FROM image i WHERE day = 0 \
             AND since + $1 <= extract(epoch FROM clock_timestamp()) \
             AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.at = '\\x66'::bytea || uuid_send(i.id)) LIMIT $2";
        let kept = seconds(UNUSED_PICTURE_KEPT.as_secs());
        let orphans = transaction.query(select, &[&kept, &crate::postgres::rows(CHUNK)]).await?;
        let ids: Vec<Uuid> = orphans.iter().map(|row| row.get(0)).collect();
        transaction.drop_feedback_pictures(Some(&ids)).await?;
        transaction.commit().await?;
        Ok(ids.len())
    }
}
