//! The engine as a whole: its nouns, its sweep, and how it stops.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use async_trait::async_trait;

use crate::account::Timestamp;
use crate::engine::{Engine, Figures, Record, Swept};
use crate::error::Result;
use crate::image::Images;
use crate::postgres::{Postgres, backup};
use crate::room::RoomDirectory;
use crate::room_log::RoomLog;
use crate::wire::Wire;

#[async_trait]
impl Engine for Postgres {
    fn images(&self) -> Arc<dyn Images> {
        Arc::new(self.clone())
    }

    fn rooms(&self) -> Arc<dyn RoomDirectory> {
        Arc::new(self.clone())
    }

    fn room_log(&self) -> Arc<dyn RoomLog> {
        Arc::new(self.clone())
    }

    fn wire(&self) -> Option<Arc<dyn Wire>> {
        Some(self.wire.wire().clone())
    }

    fn record(&self) -> Arc<dyn Record> {
        Arc::new(self.clone())
    }

    fn secret(&self, purpose: &str) -> [u8; 32] {
        self.secret.derive(purpose)
    }

    fn trouble(&self) -> Option<&'static str> {
        self.beat.trouble()
    }

    /// The databases look after their files themselves.
    fn findings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whatever fails, the databases may be there again the next moment.
    async fn failed(&self) {
        std::future::pending().await
    }

    fn is_full(&self) -> bool {
        self.record.full.is_full() || self.keys.connections.full.is_full() || self.may_grow().is_err()
    }

    /// Removes what has expired, with its keys, and the tables of days that are over. Only the
    /// record's clock counts: one node that runs ahead must not end everybody's rooms.
    async fn sweep(&self, _: Timestamp) -> Result<Swept> {
        let this = self.clone();
        self.see_through(async move { this.sweep_all().await }).await
    }

    async fn sweep_after_start(&self, _: Timestamp) -> Result<Swept> {
        let this = self.clone();
        self.see_through(async move { this.sweep_first().await }).await
    }

    fn figures(&self) -> Figures {
        let (bytes, pictures) = (self.bytes.load(Relaxed), self.picture_bytes.load(Relaxed));
        let has_limit = self.most_bytes < u64::MAX;
        Figures {
            accounts: usize::try_from(self.accounts.load(Relaxed)).unwrap_or(usize::MAX),
            resealed: self.resealed.load(Relaxed),
            commits: Some(self.appender.commits()),
            data_bytes: Some(bytes.saturating_sub(pictures)),
            picture_bytes: Some(pictures),
            free_bytes: has_limit.then(|| self.most_bytes.saturating_sub(bytes)),
            node: Some(self.node_figures()),
        }
    }

    async fn backup(&self, out: Box<dyn Write + Send>) -> io::Result<()> {
        backup::write(self, out).await
    }

    /// What is stored can still be read afterwards.
    async fn stop(&self) -> Result<()> {
        self.appender.queue.close().await;
        self.wire.close().await;
        self.record.close().await;
        self.keys.connections.close().await;
        // The next start need not wait until this node counts as dead.
        self.beat.has_left.store(true, Ordering::Release);
        let leave = "DELETE FROM node WHERE id = $1";
        if self.record.read(leave, &[&self.beat.node]).await.is_err() {
            tracing::warn!("the database could not be told that this node has stopped");
        }
        Ok(())
    }
}
