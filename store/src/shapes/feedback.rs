//! Feedback as it is on disk. The order of fields is on disk, too: a record with
//! another field needs a new version.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::Timestamp;
use crate::feedback::Feedback;
use crate::text::FeedbackText;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeedbackRecord {
    pub(crate) text: FeedbackText,
    pub(crate) date: Timestamp,
    pub(crate) has_picture: bool,
}

impl FeedbackRecord {
    pub(crate) fn into_feedback(self, id: Uuid) -> Feedback {
        let Self { text, date, has_picture } = self;
        Feedback { id: crate::feedback::FeedbackId(id), text, date, has_picture }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Count(pub(crate) u32);
