//! Feedback in memory.

use annon_contract::limits::FEEDBACK_KEPT;
use annon_store::feedback::{Feedback, FeedbackBox, FeedbackId};
use annon_store::{Result, StoreError};
use async_trait::async_trait;

use crate::MemoryStore;

#[async_trait]
impl FeedbackBox for MemoryStore {
    async fn add(&self, feedback: Feedback) -> Result<()> {
        let kept = &mut self.writing()?.feedback;
        if kept.len() >= FEEDBACK_KEPT as usize {
            return Err(StoreError::Full);
        }
        if kept.contains_key(&feedback.id) {
            return Err(StoreError::Conflict);
        }
        kept.insert(feedback.id, feedback);
        Ok(())
    }

    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>> {
        let state = self.state();
        let older = state.feedback.values().rev().filter(|one| before.is_none_or(|before| one.id < before));
        Ok(older.take(limit).cloned().collect())
    }

    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>> {
        Ok(self.state().feedback.get(&id).cloned())
    }

    async fn remove(&self, id: FeedbackId) -> Result<()> {
        self.writing()?.feedback.remove(&id).map(drop).ok_or(StoreError::NotFound)
    }
}
