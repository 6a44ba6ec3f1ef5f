//! The store from outside, on real folders. The tests are one binary, because
//! linking one is faster than linking one for each file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test ends at the first thing that isn't as it should be, and says where"
)]

mod backup;
mod contract;
mod crash;
mod damage;
mod erasure;
mod full_disk;
mod index;
mod io_error;
mod pictures;
mod postgres;
mod raw_device;
mod rooms;
mod support;
mod told;
mod two_servers;
