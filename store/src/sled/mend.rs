//! Opening a database that a crash has left behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::sled::Disk;

/// Opens the database, mending what is known to be mendable. On failure the
/// folder is left as it was found.
pub(crate) fn open(folder: &Path, sync: bool) -> io::Result<Disk> {
    // A snapshot that was being written makes sled report corruption, and
    // holds nothing that the log doesn't.
    for unfinished in snapshots(folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "generating")) {
        tracing::warn!("removing a snapshot that was never finished");
        fs::remove_file(unfinished)?;
    }
    let first = match Disk::open(folder, sync) {
        Ok(disk) => return Ok(disk),
        Err(error) => error,
    };
    // The log can be read without a snapshot; it only takes longer.
    let Some(newest) = snapshots(folder)?.pop() else { return Err(first) };
    let aside = folder.join("set-aside");
    tracing::warn!(error = %first, "the database does not open; trying again without its newest snapshot");
    fs::rename(&newest, &aside)?;
    match Disk::open(folder, sync) {
        Ok(disk) => {
            fs::remove_file(&aside)?;
            Ok(disk)
        }
        Err(_) => {
            fs::rename(&aside, &newest)?;
            Err(first)
        }
    }
}

/// The snapshots of a folder, the newest last.
fn snapshots(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("snap.") {
            found.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}
