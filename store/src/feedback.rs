//! Feedback: what people write to the operator, with or without a picture.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::Timestamp;
use crate::error::Result;
use crate::text::FeedbackText;

/// The id of a piece of feedback. Ids grow with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeedbackId(pub Uuid);

/// A piece of feedback. Nothing in it tells who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub id: FeedbackId,
    pub text: FeedbackText,
    pub date: Timestamp,
    /// Whether there is a picture of the same id.
    pub has_picture: bool,
}

/// The feedback.
#[async_trait]
pub trait FeedbackBox: Send + Sync {
    /// Stores feedback. `Full` when too much is waiting to be read, `Conflict`
    /// when the id exists.
    async fn add(&self, feedback: Feedback) -> Result<()>;
    /// How much there is.
    async fn kept(&self) -> Result<u32>;
    /// Feedback older than `before`, newest first.
    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>>;
    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>>;
    /// Removes feedback, and destroys its key. `NotFound` when it is gone.
    async fn remove(&self, id: FeedbackId) -> Result<()>;
}
