//! Frames every kind of session may send. Their types are also the schemas
//! in the API's description.

use annon_contract::code::Code;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Ref;

use super::EncodedFrame;

/// What the client sent was refused, and why.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorFrame {
    /// Always `event.error`.
    #[schema(example = "event.error")]
    pub event: &'static str,
    /// Why.
    #[schema(schema_with = code_schema)]
    pub code: Code,
    /// A sentence to show to the user.
    pub message: &'static str,
}

/// The server is about to close the socket: `signed_out` in an inbox; `signed_out` or
/// `conversation_ended` in a conversation; `group_expired`, `group_deleted`,
/// `removed_from_group` or `left_group` in a group.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClosedFrame {
    /// Always `event.closed`.
    #[schema(example = "event.closed")]
    pub event: &'static str,
    /// Why.
    #[schema(schema_with = code_schema)]
    pub code: Code,
    /// A sentence to show to the user.
    pub message: &'static str,
}

/// A reference to the schema `Code`, which the API's description has once.
pub fn code_schema() -> Ref {
    Ref::from_schema_name("Code")
}

pub(crate) fn error(code: Code) -> EncodedFrame {
    EncodedFrame::of(&ErrorFrame { event: "event.error", code, message: code.sentence() })
}

pub(crate) fn closed(code: Code) -> EncodedFrame {
    EncodedFrame::of(&ClosedFrame { event: "event.closed", code, message: code.sentence() })
}
