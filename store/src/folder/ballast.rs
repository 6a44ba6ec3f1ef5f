//! The file `ballast`: disk space that is kept for a start on a full disk. It has
//! no data.
//!
//! Before it serves, a start has to write: changes to the index, and a new file of
//! the commit log. If the disk has no space for that, the file is emptied until the start
//! is over, and then filled again as far as there is space.
//!
//! Deletions have to be written, too. The space for them is a file of its own,
//! `ballast.deleting`, since btrfs does not free a part of a file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

use crate::folder::space::{DiskSpace, FULL_BELOW, REMOVES_ABOVE};
use crate::seals;

/// The space for a start with a small index.
const LEAST: u64 = 4 * MIB;
/// A start with a large index needs the size of the index divided by this, too.
const SHARE: u64 = 32;
/// The space for deletions, some ten thousand of them. When it is freed, the disk
/// is still full for everything else.
const FOR_DELETIONS: u64 = FULL_BELOW - REMOVES_ABOVE;
/// Space on a full disk that is left to other programs.
const SLACK: u64 = 512 * 1024;
const MIB: u64 = 1024 * 1024;
/// How much is written at once if the file system can't reserve space.
const BLOCK: usize = 4096;

#[derive(Clone)]
pub(crate) struct Ballast {
    pub(crate) path: PathBuf,
    for_deletions: PathBuf,
    index: PathBuf,
    space: Arc<DiskSpace>,
}

/// The ballast while its file is empty. When this is dropped, the file is filled
/// again, as far as the disk has space.
pub(crate) struct ThrownOff(Ballast);

impl Ballast {
    /// The ballast of a data folder. Its files need not be there.
    pub(crate) fn of(folder: &Path, space: Arc<DiskSpace>) -> Self {
        let [path, for_deletions] = ["ballast", "ballast.deleting"].map(|name| folder.join(name));
        Self { path, for_deletions, index: folder.join("index").join("db"), space }
    }

    /// Frees space for a start, if there is too little.
    pub(crate) fn throw_off(&self) -> io::Result<Option<ThrownOff>> {
        let Ok(about) = fs::metadata(&self.path) else { return Ok(None) };
        // After a start that was killed the file may be empty.
        let is_off = about.len() == 0;
        if !is_off && self.space.ask() >= self.wanted() {
            return Ok(None);
        }
        let thrown_off = ThrownOff(self.clone());
        if !is_off {
            empty(&self.path)?;
            tracing::warn!(bytes = about.len(), "the disk is too full to start on: the ballast is freed for the start");
        }
        Ok(Some(thrown_off))
    }

    /// Fills the files, as far as the disk has space.
    pub(crate) fn take_on(&self) {
        // This must not make the disk full.
        let is_full = self.space.ask() < FULL_BELOW;
        let left = if is_full { REMOVES_ABOVE } else { FULL_BELOW };
        self.take_on_but(&self.path, self.wanted(), left);
        self.take_on_but(&self.for_deletions, FOR_DELETIONS, left);
    }

    /// Whether there is no space even for deletions. The space that is kept for
    /// them is freed first.
    pub(crate) fn refuses_deletions(&self) -> bool {
        if !self.space.is_full() || self.space.ask() >= REMOVES_ABOVE {
            return false;
        }
        if fs::metadata(&self.for_deletions).is_ok_and(|about| about.len() > 0) {
            tracing::warn!("the disk is full: ballast is freed for deletions");
            empty(&self.for_deletions).unwrap_or_else(|error| tracing::warn!(%error, "the ballast could not be freed"));
        }
        self.space.ask() < REMOVES_ABOVE
    }

    /// Fills a file up to `wanted` bytes, but leaves `left` bytes of the disk free.
    fn take_on_but(&self, path: &Path, wanted: u64, left: u64) {
        let take_on = || {
            let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
            let has = file.metadata()?.len();
            let most = has.saturating_add(self.space.ask().saturating_sub(left));
            let takes = wanted.min(most) / BLOCK as u64 * BLOCK as u64;
            if takes <= has {
                return Ok(());
            }
            let taken = allocate(&file, has, takes).and_then(|()| file.sync_all());
            self.space.ask();
            taken.inspect_err(|_| drop(file.set_len(has)))
        };
        take_on().unwrap_or_else(|error| tracing::warn!(%error, "no space can be set aside for a full disk"));
    }

    fn wanted(&self) -> u64 {
        let index = fs::metadata(&self.index).map_or(0, |about| about.len());
        (LEAST + index / SHARE).next_multiple_of(MIB)
    }
}

impl Drop for ThrownOff {
    fn drop(&mut self) {
        let Self(ballast) = self;
        ballast.take_on_but(&ballast.path, ballast.wanted(), SLACK);
        ballast.space.log_change();
    }
}

fn empty(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(0)?;
    // The file system frees the space only with a sync.
    file.sync_all()
}

/// Reserves space for a whole file, or fills the file if the file system can't
/// reserve: with random bytes, which can't be compressed.
fn allocate(file: &File, from: u64, to: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, to) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            for at in (from..to).step_by(BLOCK) {
                let noise: [u8; BLOCK] = seals::random().map_err(io::Error::other)?;
                file.write_all_at(&noise, at)?;
            }
            Ok(())
        }
        done => Ok(done?),
    }
}
