//! The pause in memory.

use annon_store::Result;
use annon_store::pause::{Pause, Pauses};
use async_trait::async_trait;

use crate::MemoryStore;

#[async_trait]
impl Pauses for MemoryStore {
    async fn begin(&self, pause: Pause) -> Result<()> {
        self.writing()?.pause = Some(pause);
        Ok(())
    }

    async fn current(&self) -> Result<Option<Pause>> {
        Ok(self.state().pause.clone())
    }

    async fn end(&self) -> Result<()> {
        self.writing()?.pause = None;
        Ok(())
    }
}
