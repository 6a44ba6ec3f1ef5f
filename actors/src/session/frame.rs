//! Frames every kind of session may send. Their types are also the schemas
//! in the API's description.

use serde::Serialize;
use utoipa::ToSchema;

use super::Text;

/// What the client sent was refused, and why.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorFrame<'a> {
    /// Always `event.error`.
    #[schema(example = "event.error")]
    pub event: &'static str,
    /// A sentence to show to the user.
    pub message: &'a str,
}

/// The server is about to close the socket.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClosedFrame {
    /// Always `event.closed`.
    #[schema(example = "event.closed")]
    pub event: &'static str,
    /// Why: `signed-out` in an inbox; `expired`, `deleted`, `kicked` or
    /// `left` in a group.
    #[schema(example = "expired")]
    pub reason: &'static str,
}

pub(crate) fn error(message: &str) -> Text {
    Text::of(&ErrorFrame { event: "event.error", message })
}

pub(crate) fn closed(reason: &'static str) -> Text {
    Text::of(&ClosedFrame { event: "event.closed", reason })
}
