//! Feedback: what people tell the operator, with a picture if they like.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::Timestamp;
use crate::error::Result;
use crate::text::FeedbackText;

/// One piece of feedback. Ids grow with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeedbackId(pub Uuid);

/// What somebody wrote. There is nothing about who.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub id: FeedbackId,
    pub text: FeedbackText,
    pub date: Timestamp,
    /// Whether a picture of the same id is among the images.
    pub has_picture: bool,
}

/// Everything that is kept of feedback.
#[async_trait]
pub trait FeedbackBox: Send + Sync {
    /// Files it. `Full` when too much is waiting to be read, `Conflict` when
    /// there is one of this id.
    async fn add(&self, feedback: Feedback) -> Result<()>;
    /// Feedback older than `before`, newest first.
    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>>;
    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>>;
    /// Removes it and destroys its key. `NotFound` when it is gone already.
    async fn remove(&self, id: FeedbackId) -> Result<()>;
}
