//! Log lines: what the server does, and nothing about its users.
//!
//! Only our own lines are written. What libraries log can quote addresses and
//! texts, so it is dropped.

use std::io::IsTerminal;
use std::sync::OnceLock;

use annon_store::index_handles_panic;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, fmt, reload};

use crate::config::LogFormat;

/// What is logged. The subscriber is the process's, and so is this.
static WHAT: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Starts writing log lines to standard error.
pub fn start(format: LogFormat, level: LevelFilter) {
    let (what, handle) = reload::Layer::new(ours(level));
    let _ = WHAT.set(handle);
    // Colours are for a terminal. In a file or a journal they are only odd characters.
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry().with(what);
    // A second start (in tests) changes nothing.
    let _ = match format {
        LogFormat::Pretty => registry.with(lines.compact()).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init(),
    };
    // A panic's message may hold what somebody sent; its location can't.
    std::panic::set_hook(Box::new(|panic| {
        log_panic(panic.location().map(ToString::to_string), index_handles_panic());
    }));
}

/// Logs as much as this level says from now on. True if that is another one than before.
pub fn set_level(level: LevelFilter) -> bool {
    let Some(what) = WHAT.get() else { return false };
    let new = ours(level);
    let is_new = what.with_current(|now| *now != new).unwrap_or(false);
    is_new && what.reload(new).is_ok()
}

fn ours(level: LevelFilter) -> Targets {
    Targets::new().with_target("annon", level).with_target("annon_store", level).with_target("annon_actors", level)
}

fn log_panic(place: Option<String>, is_handled: bool) {
    if is_handled {
        tracing::warn!(target: "annon", place, "sled panicked over the index; the store handles that");
    } else {
        tracing::error!(target: "annon", place, "a bug: something panicked");
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::sync::Arc;

    use super::*;

    #[test]
    fn only_a_panic_that_nobody_handles_is_called_a_bug() {
        for (is_handled, level, says) in [(true, " WARN ", "the store handles that"), (false, "ERROR ", "a bug: ")] {
            let folder = tempfile::tempdir().unwrap();
            let log = folder.path().join("log");
            let subscriber = fmt().with_writer(Arc::new(File::create(&log).unwrap())).with_ansi(false).finish();
            tracing::subscriber::with_default(subscriber, || log_panic(Some("index.rs:1".to_owned()), is_handled));
            let line = fs::read_to_string(&log).unwrap();
            assert!(line.contains(level) && line.contains(says) && line.contains("index.rs:1"), "{line}");
        }
    }
}
