//! What must hold. A state that is impossible is a bug, and is reported where
//! it would be passed over.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

static BROKEN: AtomicU64 = AtomicU64::new(0);
static LOGGED: Mutex<Option<HashSet<(&str, u32)>>> = Mutex::new(None);

/// Says what must hold. Where it doesn't, a test fails; a server says so once
/// for each place in the code, counts it, and goes on.
///
/// The value is whether it holds.
#[macro_export]
macro_rules! invariant {
    ($holds:expr, $what:expr) => {
        if $holds {
            true
        } else {
            $crate::invariant_broken($what, file!(), line!());
            false
        }
    };
}

/// What [`invariant!`] does when something doesn't hold.
///
/// # Panics
///
/// In this crate's own tests, and wherever `ANNON_INVARIANTS` says `panic`, as
/// it does for all that cargo starts (`.cargo/config.toml`).
pub fn invariant_broken(what: &str, file: &'static str, line: u32) {
    BROKEN.fetch_add(1, Ordering::Relaxed);
    let panics = cfg!(test) || std::env::var_os("ANNON_INVARIANTS").is_some_and(|value| value == "panic");
    assert!(!panics, "what must hold doesn't: {what} ({file}:{line})");
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.get_or_insert_default().insert((file, line)) {
        tracing::error!(what, file, line, "this is a bug: what must hold doesn't");
    }
}

/// How often something did not hold since the process began.
pub fn broken_invariants() -> u64 {
    BROKEN.load(Ordering::Relaxed)
}
