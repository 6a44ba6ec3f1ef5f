//! How fast, and for how long.

use std::time::Duration;

use crate::turns::Rate;

/// When a room sends its next message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pace {
    /// Each room has so many messages on their way, and sends the next when
    /// one has reached everybody: a server that stalls is asked less.
    Closed { on_their_way: usize },
    /// So many a second over all rooms, whatever the server does. Latency
    /// counts from when a message should have been sent.
    Open(Rate),
}

/// The course of a stage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    pub(crate) pace: Pace,
    /// Before the measuring.
    pub(crate) warm_up: Duration,
    pub(crate) length: Duration,
    /// Bytes of the words of a message.
    pub(crate) length_of_text: usize,
}
