//! Log lines: what the server does, and nothing about its users.
//!
//! Only our own lines are written. What libraries log can quote addresses and
//! texts, so it is dropped.

use std::io::IsTerminal;

use annon_store::index_handles_panic;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// Starts writing log lines to standard error.
pub fn start(format: LogFormat, level: LevelFilter) {
    let ours =
        Targets::new().with_target("annon", level).with_target("annon_store", level).with_target("annon_actors", level);
    // Colours are for a terminal. In a file or a journal they are only odd characters.
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry().with(ours);
    // A second start (in tests) changes nothing.
    let _ = match format {
        LogFormat::Pretty => registry.with(lines.compact()).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    };
    // A panic's message may hold what somebody sent; its location can't.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        if index_handles_panic() {
            tracing::warn!(target: "annon", place, "sled panicked over the index; the store handles that");
        } else {
            tracing::error!(target: "annon", place, "a bug: something panicked");
        }
    }));
}
