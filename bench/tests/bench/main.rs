//! The load tester as somebody runs it: against the real server, against
//! servers that lie, and ended early.

#![expect(clippy::panic, clippy::unwrap_used, reason = "also in a test's own functions a failure is a panic")]

mod ends;
mod liar;
mod lies;
mod measures;
mod program;
mod proxy;
mod relay;
