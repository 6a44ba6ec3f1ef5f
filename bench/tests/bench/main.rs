//! Runs the load tester against the real server and against wrong servers, and stops it early.

#![expect(clippy::panic, clippy::unwrap_used, reason = "also in a test's own functions a failure is a panic")]

mod ends;
mod faults;
mod faulty_server;
mod judged;
mod measures;
mod program;
mod proxy;
mod relay;
