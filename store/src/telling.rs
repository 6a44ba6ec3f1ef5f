//! What the operator was told of: a mail says it, once for all nodes.

use std::time::Duration;

use annon_contract::limits::OPERATOR_MAILS_EVERY;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::Timestamp;
use crate::error::Result;
use crate::feedback::FeedbackId;
use crate::report::ReportId;

/// After so long the operator is told again of reports that still wait.
const AGAIN: Duration = Duration::from_secs(24 * 60 * 60);

/// The newest of what waits for the operator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub report: Option<ReportId>,
    pub feedback: Option<FeedbackId>,
    /// How much is damaged or missing.
    pub damage: u32,
}

/// What the last mail told, and when it was. It isn't sealed. The order of fields is on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Told {
    pub(crate) at: Timestamp,
    pub(crate) waiting: Waiting,
}

impl Told {
    /// Whether the operator is to be told at `now` of what waits.
    pub(crate) fn calls_for_more(&self, waiting: Waiting, now: Timestamp) -> bool {
        let Self { at, waiting: was } = self;
        let is_over = |time: Duration| now >= at.saturating_add(time.as_secs());
        let has_news = waiting.report > was.report || waiting.feedback > was.feedback || waiting.damage > was.damage;
        is_over(OPERATOR_MAILS_EVERY) && (has_news || waiting.report.is_some() && is_over(AGAIN))
    }
}

/// Whether the operator has been told.
#[async_trait]
pub trait Tellings: Send + Sync {
    /// Whether a mail is to be sent now. Of all who ask, on all nodes, one hears yes, and sends it.
    async fn is_due(&self, waiting: Waiting, now: Timestamp) -> Result<bool>;
}
