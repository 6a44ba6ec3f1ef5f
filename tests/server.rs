//! Black-box tests: the real binary on a free port, used as strangers, users, pages, mail servers
//! and operators use it. The tests are one binary, because linking one is faster than linking one
//! for each file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends at the first thing that isn't as it should be, and says where"
)]

mod api;
mod database;
mod rooms;
mod support;
mod worlds;
