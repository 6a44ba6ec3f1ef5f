//! What stands in a room: messages, and what everybody should know.

use annon_store::room::{Body, ChatId, Face, Millis, SeatNumber, Seq};

/// A line of the room: something said, or something everybody should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its place in the log.
    pub seq: Seq,
    /// When.
    pub at: Millis,
    /// What.
    pub kind: LineKind,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineKind {
    /// A message.
    Message {
        /// Whose seat.
        seat: SeatNumber,
        /// Their face.
        face: Face,
        /// The sender's own name for it.
        id: ChatId,
        /// What.
        body: Body,
        /// The message it answers.
        reply_to: Option<Seq>,
    },
    /// A message was taken back: for those who have read it already.
    TakenBack(Seq),
    /// A notice.
    Notice(Notice),
}

/// What everybody should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Somebody came.
    Joined(Face),
    /// Somebody left.
    Left(Face),
    /// Somebody was sent out.
    Kicked {
        /// Their seat.
        seat: SeatNumber,
        /// Their face.
        face: Face,
        /// Whether what they said went with them.
        with_messages: bool,
    },
    /// The door is locked, or open again.
    Locked(bool),
}
