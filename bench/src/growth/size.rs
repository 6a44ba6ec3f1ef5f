//! How large the server is at a stage, and how soon it is back after a kill.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

use crate::cpu;
use crate::latency::millis;
use crate::report::cell;
use crate::start::ready;
use crate::subject::Subject;
use crate::trouble::Trouble;

/// What a filling leaves to do is waited for, but not for ever.
const QUIET_TRIES: u32 = 40;
const QUIET_LOOK: Duration = Duration::from_millis(250);
/// Processor time in that while of a server that has nothing to do.
const QUIET: Duration = Duration::from_millis(20);
const MIB: f64 = 1024.0 * 1024.0;

/// One stage, as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) notes: u64,
    pub(super) filled_per_second: f64,
    /// Bytes of the server in memory.
    pub(super) memory: Option<u64>,
    /// Bytes its folder takes on the disk.
    pub(super) on_disk: Option<u64>,
    /// Microseconds from its start, after it was killed, to its first answer.
    pub(super) ready_after: Option<u64>,
}

impl Size {
    pub(super) fn of(notes: u64, filled: u64, took: Duration, subject: &Subject) -> Self {
        Self {
            notes,
            filled_per_second: filled as f64 / took.as_secs_f64(),
            memory: subject.pid().and_then(cpu::memory_of),
            on_disk: subject.folder().and_then(|folder| on_disk(folder).ok()),
            ready_after: None,
        }
    }

    pub(super) fn line(&self) -> String {
        let mib = |bytes: Option<u64>| cell(bytes.map(|bytes| bytes as f64 / MIB), 0);
        let back = self.ready_after.map_or_else(|| "–".to_owned(), millis);
        format!(
            "{} notes, the last ones at {:.0} a second: {} MiB in memory, {} MiB on disk, {back} ms from a start after \
             a kill to the first answer",
            self.notes,
            self.filled_per_second,
            mib(self.memory),
            mib(self.on_disk)
        )
    }
}

/// Waits until the server has nothing left to do.
pub(super) async fn quiet(subject: &Subject) {
    for _ in 0..QUIET_TRIES {
        let before = subject.cpu();
        sleep(QUIET_LOOK).await;
        let used = subject.cpu().zip(before).and_then(|(now, before)| now.checked_sub(before));
        if used.is_none_or(|used| used <= QUIET) {
            break;
        }
    }
}

/// Kills the server that was started for the run, starts it on the same
/// folder, and tells how long that took, in microseconds.
pub(super) async fn kill_and_wait(subject: &mut Subject) -> Result<u64, Trouble> {
    subject.restart().await?;
    ready(subject.address).await?;
    Ok(subject.since_start().map_or(0, |since| u64::try_from(since.as_micros()).unwrap_or(u64::MAX)))
}

/// What is taken, which is not always how long the files say they are.
fn on_disk(folder: &Path) -> io::Result<u64> {
    const BLOCK: u64 = 512;
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        sum += if about.is_dir() { on_disk(&entry.path())? } else { about.blocks() * BLOCK };
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_folders_count() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        for file in [folder.path().join("a"), inner.join("b")] {
            fs::write(file, vec![7; 100_000]).unwrap();
        }
        assert!((200_000..300_000).contains(&on_disk(folder.path()).unwrap()));
    }
}
