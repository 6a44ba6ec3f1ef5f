//! Opening a database that a crash has left behind.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;

use crate::sled::before::Before;
use crate::sled::journal::{self, Left};
use crate::sled::mark::Told;
use crate::sled::{Disk, LOCK_PAUSE, LOCK_TRIES};

/// How long a start waits for the whole database to be read. A hundred
/// thousand notes are read in this time, more of them while others are served.
const READ_FIRST: Duration = Duration::from_millis(250);

/// What the system says of a sector that can't be read, and of a file
/// system's block that does not agree with its checksum.
const UNREADABLE: [Errno; 3] = [Errno::IO, Errno::BADMSG, Errno::UCLEAN];

/// Whether another process has the database open. One that has just let go of
/// it may still have its file for a moment.
pub(crate) fn is_in_use(folder: &Path) -> io::Result<bool> {
    let log = match File::open(folder.join("db")) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        log => log?,
    };
    for _ in 0..LOCK_TRIES {
        match log.try_lock() {
            Ok(()) => return Ok(false),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(true)
}

/// Opens the database, mending what is known to be mendable. It must have
/// the commits that its mark tells of. On failure the folder is left as it
/// was found; also when another process has the database, which is an error
/// of the kind `WouldBlock`.
pub(crate) fn open(folder: &Path, sync: bool, told: Told) -> io::Result<Disk> {
    let before = Before::keep(folder)?;
    // sled would take such a file for a new one, and begin at its front.
    if told.commits > 0 && !before.has_log() {
        return Err(io::Error::new(ErrorKind::InvalidData, "there is no log in it"));
    }
    // A snapshot that was being written makes sled report corruption, and
    // holds nothing that the log doesn't.
    for unfinished in snapshots(folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "generating"))
    {
        tracing::warn!("removing a snapshot that was never finished");
        fs::remove_file(unfinished)?;
    }
    // The settings are the same in every folder. sled would read damaged ones
    // and refuse; it writes new ones where there are none.
    let settings = folder.join("conf");
    if fs::read(&settings).is_ok_and(|bytes| !are_settings(&bytes)) {
        tracing::warn!("replacing damaged settings of the database");
        fs::remove_file(settings)?;
    }
    let outcome = match attempt(folder, sync, told) {
        // The log can be read without a snapshot; it only takes longer.
        Err(first) if is_damage(&first) => without_snapshot(folder, sync, told, &before).ok_or(first),
        other => other,
    };
    match &outcome {
        // Another process has the database and may have written to it: putting
        // the old files back would lose that.
        Err(error) if error.kind() == ErrorKind::WouldBlock => {}
        Err(_) => before.put_back()?,
        Ok(_) => {}
    }
    outcome
}

/// Where it is said that a database which was in use had damage. The next
/// start then reads all of it before anybody is told that it is open.
fn suspicion(folder: &Path) -> PathBuf {
    folder.with_extension("damaged")
}

fn is_suspected(folder: &Path) -> bool {
    suspicion(folder).exists()
}

/// Says that a database has damage, as well as that can be said.
pub(crate) fn suspect(folder: &Path) {
    if let Err(error) = fs::write(suspicion(folder), "") {
        tracing::error!(%error, "the next start can't be told of the damage");
    }
}

/// Says that all of a database was read.
pub(crate) fn trust(folder: &Path) -> io::Result<()> {
    match fs::remove_file(suspicion(folder)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether an error is about what is in the files, or was, and not about
/// getting at them. What the device itself can't read is lost as what it
/// reads wrongly.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    let is_unreadable = error.raw_os_error().is_some_and(|code| UNREADABLE.iter().any(|it| it.raw_os_error() == code));
    is_unreadable || matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::NotFound)
}

/// Lines of text, and their checksum.
fn are_settings(bytes: &[u8]) -> bool {
    bytes.split_last_chunk::<4>().is_some_and(|(lines, sum)| crc32fast::hash(lines) == u32::from_le_bytes(*sum))
}

/// All of it is read, the first part before anybody is told that it is open:
/// what is missing would otherwise be missed only when a commit has to be put
/// beside it.
fn attempt(folder: &Path, sync: bool, told: Told) -> io::Result<Disk> {
    let left = Left::read(folder)?;
    let mut disk = Disk::open(folder, sync)?;
    let patience = if is_suspected(folder) { Duration::MAX } else { READ_FIRST };
    // Without a mark it is opened as it is.
    disk.read_whole(&left, told.commits > 0, patience)?;
    if disk.is_read() {
        trust(folder)?;
    }
    // sled may panic where it finds something else than it expects.
    let found = catch_unwind(AssertUnwindSafe(|| journal::replay(&mut disk, &left)))
        .unwrap_or_else(|_| Err(io::Error::new(ErrorKind::InvalidData, "writing to it panicked")))?;
    let said = told.commits;
    if found >= said {
        return Ok(disk);
    }
    Err(io::Error::new(
        ErrorKind::InvalidData,
        format!("it ends after {found} commits, and there were {said}; without the file «mark» it is opened as it is"),
    ))
}

fn without_snapshot(folder: &Path, sync: bool, told: Told, before: &Before) -> Option<Disk> {
    before.put_back().ok()?;
    let found = snapshots(folder).ok().filter(|found| !found.is_empty())?;
    tracing::warn!("the database does not open; trying again without its snapshots");
    found.iter().try_for_each(fs::remove_file).ok()?;
    attempt(folder, sync, told).ok()
}

fn snapshots(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    let is_snapshot = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("snap."));
    Ok(paths.into_iter().filter(is_snapshot).collect())
}
