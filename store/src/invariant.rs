//! What must hold. An impossible state is a bug, and the code that meets it
//! reports it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

static BROKEN: AtomicU64 = AtomicU64::new(0);
static LOGGED: Mutex<Option<HashSet<(&str, u32)>>> = Mutex::new(None);

/// States a condition that must be true. If it is false, a test fails; a server
/// logs that once for each place in the code, and counts it.
///
/// The value is the condition's. Where durability or erasure hangs on it, the caller
/// refuses when it is false; elsewhere the server goes on.
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

#[cfg(test)]
thread_local! {
    static GOES_ON: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Lets this thread do what a server does when a condition is false.
#[cfg(test)]
pub(crate) fn go_on_in_this_thread() {
    GOES_ON.set(true);
}

/// What [`invariant!`] does when its condition is false.
///
/// # Panics
///
/// In this crate's own tests, and where `ANNON_INVARIANTS` is `panic`:
/// `.cargo/config.toml` sets this for every program that cargo starts.
pub fn invariant_broken(what: &str, file: &'static str, line: u32) {
    let panics = cfg!(test) || std::env::var_os("ANNON_INVARIANTS").is_some_and(|value| value == "panic");
    #[cfg(test)]
    let panics = panics && !GOES_ON.get();
    report(what, file, line, panics);
}

fn report(what: &str, file: &'static str, line: u32, panics: bool) {
    BROKEN.fetch_add(1, Ordering::Relaxed);
    assert!(!panics, "a condition that must be true is false: {what} ({file}:{line})");
    let mut logged = LOGGED.lock();
    if logged.get_or_insert_default().insert((file, line)) {
        tracing::error!(what, file, line, "this is a bug: a condition that must be true is false");
    }
}

/// How often a condition was false since the process began.
pub fn broken_invariants() -> u64 {
    BROKEN.load(Ordering::Relaxed)
}

#[test]
fn a_false_condition_is_counted_each_time_and_logged_once_for_its_place() {
    let before = broken_invariants();
    let ((), lines) =
        crate::logged::logged(|| [1, 1, 2, 1].iter().for_each(|&line| report("a bug", file!(), line, false)));
    assert_eq!(lines.matches(" ERROR ").count(), 2, "{lines}");
    assert!(invariant!(true, "this is so"));
    assert!(std::panic::catch_unwind(|| invariant!(false, "this is not so")).is_err());
    assert_eq!(broken_invariants() - before, 5);
}
