//! A machine whose clock is ahead of ours.

use crate::support::database;
use crate::support::server::{Folder, Server, annon};

/// A server on a folder, so many days later. The clock of its database, if it has one, is ahead with it.
pub(crate) fn days_later(folder: &Folder, days: u32, flags: &[&str]) -> Server {
    database::set_clock_ahead(folder, days);
    let mut command = annon();
    // The loader puts the machine's own folder in the place of `$LIB`.
    command.env("LD_PRELOAD", "/usr/$LIB/faketime/libfaketime.so.1");
    command.env("FAKETIME", format!("+{days}d")).env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Server::run(command, folder, flags)
}
