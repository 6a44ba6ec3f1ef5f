//! The sweep of the record. Any node does it, and only the record's clock counts.

use crate::engine::Swept;
use crate::error::Result;
use crate::postgres::errors::Failure;
use crate::postgres::{Open, Postgres, once_more};

mod pictures;

/// Rooms that are ended by one transaction.
const CHUNK: usize = 256;

impl Open {
    async fn try_drop_links(&self) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM link \
             WHERE expires <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) RETURNING 1";
        let dropped = transaction.query(delete, &[]).await?.len();
        transaction.commit().await?;
        Ok(dropped)
    }

    async fn end_expired_rooms(&self) -> Result<usize> {
        let mut ended = 0;
        loop {
            let more = once_more!(self.try_end_expired(CHUNK))?;
            ended += more;
            if more < CHUNK {
                return Ok(ended);
            }
        }
    }

    async fn sweep(&self) -> Result<Swept> {
        let links = once_more!(self.try_drop_links())?;
        let rooms = self.end_expired_rooms().await?;
        let pictures = self.sweep_pictures().await?;
        self.replace_stale_keys().await?;
        self.bury().await?;
        self.turn_days().await?;
        Ok(Swept { links, rooms, pictures, ..Swept::default() })
    }
}

impl Postgres {
    /// Removes what has expired, with its keys, and the tables of days that are over.
    pub async fn sweep(&self) -> Result<Swept> {
        let this = self.clone();
        self.see_through(async move { this.0.sweep().await }).await
    }
}
