//! Files and connections the process may have open.

use rustix::process::{Resource, getrlimit, setrlimit};

/// More than any machine serves from one process.
const MOST: u64 = 1 << 20;
/// At most so many are kept for files, and no more than a quarter of all.
const FOR_FILES: usize = 512;

/// Asks for as many as the system grants, and tells how many of them may be
/// connections: a store that finds no descriptor for a file of its own has
/// failed.
pub fn for_connections() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let granted = limit.maximum.unwrap_or(MOST).min(MOST);
    if limit.current.is_some_and(|now| now < granted) {
        limit.current = Some(granted);
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "no more open files can be had");
        }
    }
    let open = getrlimit(Resource::Nofile).current.unwrap_or(MOST).min(MOST);
    let open = usize::try_from(open).unwrap_or(usize::MAX);
    open - FOR_FILES.min(open / 4)
}
