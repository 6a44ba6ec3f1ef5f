//! The sweep of the record. Any node does it, and only the record's clock counts.

use std::sync::atomic::Ordering::Relaxed;

use crate::account::Timestamp;
use crate::engine::Swept;
use crate::error::Result;
use crate::nouns;
use crate::postgres::errors::Failure;
use crate::postgres::{Open, Postgres, once_more};

mod births;
mod inboxes;
mod pictures;

/// Rooms that are ended by one transaction.
const CHUNK: usize = 256;

impl Open {
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

    /// Removes the rows of nodes that have been silent for an hour. One that lives all the
    /// same makes its row again.
    async fn try_drop_silent_nodes(&self) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM node WHERE beat < clock_timestamp() - interval '1 hour'";
        transaction.query(delete, &[]).await?;
        transaction.commit().await
    }
}

impl Postgres {
    /// The record's clock.
    async fn record_clock(&self) -> Result<Timestamp> {
        let clock = "SELECT floor(extract(epoch FROM clock_timestamp()))::int8";
        let rows = once_more!(self.record.read(clock, &[]))?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    }

    pub(super) async fn sweep_all(&self) -> Result<Swept> {
        self.keys.forget_old();
        // What this node can't read it would take for damaged or for nobody's.
        if self.beat.is_outdated.load(Relaxed) {
            return Ok(Swept::default());
        }
        let now = self.record_clock().await?;
        let rooms = self.end_expired_rooms().await?;
        let (of_nouns, done) = nouns::sweep(self, now).await;
        let pictures = self.sweep_pictures().await?;
        let resealed = self.rekey_inboxes(now).await?;
        self.replace_stale_keys().await?;
        self.bury().await?;
        self.turn_days().await?;
        once_more!(self.try_drop_silent_nodes())?;
        self.keys.rewrite().await?;
        self.count_bytes().await?;
        self.resealed.fetch_add(resealed as u64, Relaxed);
        // What failed of the nouns must not keep keys alive.
        done.map(|()| Swept { rooms, pictures, resealed, ..of_nouns })
    }

    pub(super) async fn sweep_first(&self) -> Result<Swept> {
        let keys = if self.beat.is_outdated.load(Relaxed) { 0 } else { self.bury_dead_births().await? };
        Ok(Swept { keys, ..self.sweep_all().await? })
    }
}
