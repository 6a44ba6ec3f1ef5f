//! The file `ballast`: space that is set aside for a start on a full disk, and
//! for deleting on one.
//!
//! A start writes before it serves: the parts of the database that it may
//! have to put back, what only the journal has, a new snapshot. Where the disk
//! has no room for that, the ballast is thrown off until the start is over,
//! and as much of it as is left is taken on again. Nothing is in it.
//!
//! What deletes has to be written down, too. It may use the rest of the disk,
//! and then a part of the ballast that a start can do without.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

use crate::disk_space::{DiskSpace, FULL_BELOW, REMOVES_ABOVE};
use crate::seal;

/// What a start takes with a small database.
const LEAST: u64 = 4 * MIB;
/// For a large one it takes one part in so many of it more.
const SHARE: u64 = 32;
/// What deletions may use of it: some ten thousand of them.
const FOR_DELETIONS: u64 = 4 * MIB;
/// What is left to everybody else of a full disk.
const SLACK: u64 = 512 * 1024;
const MIB: u64 = 1024 * 1024;
/// What is written at once where a file system can't be asked for space.
const BLOCK: usize = 4096;

#[derive(Clone)]
pub(crate) struct Ballast {
    path: PathBuf,
    database: PathBuf,
    space: Arc<DiskSpace>,
}

/// Taken on again when dropped, as much of it as is left.
pub(crate) struct ThrownOff(Ballast);

impl Ballast {
    /// The ballast of a data folder, which need not have any.
    pub(crate) fn of(folder: &Path, space: Arc<DiskSpace>) -> Self {
        Self { path: folder.join("ballast"), database: folder.join("db").join("db"), space }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes room for a start, if there is too little and there is ballast.
    pub(crate) fn throw_off(&self) -> io::Result<Option<ThrownOff>> {
        let Ok(about) = fs::metadata(&self.path) else { return Ok(None) };
        // What a start that was cut off has thrown off is not there now.
        let is_off = about.len() == 0;
        if !is_off && self.space.ask() >= self.for_a_start() {
            return Ok(None);
        }
        let thrown_off = ThrownOff(self.clone());
        if self.keep_but(0)? {
            tracing::warn!(
                bytes = about.len(),
                "the disk is too full to start on: the ballast is thrown off meanwhile"
            );
        }
        Ok(Some(thrown_off))
    }

    /// Takes on what is missing, as far as the disk has room for it.
    pub(crate) fn take_on(&self) {
        // That doesn't make a disk a full one.
        let is_full = self.space.ask() < FULL_BELOW;
        self.take_on_but(if is_full { REMOVES_ABOVE } else { FULL_BELOW });
    }

    /// Whether there is no room even for what deletes. Its part of the ballast
    /// is given up first.
    pub(crate) fn refuses_deletions(&self) -> bool {
        if !self.space.is_full() || self.space.ask() >= REMOVES_ABOVE {
            return false;
        }
        match self.keep_but(self.for_a_start()) {
            Ok(true) => tracing::warn!("the disk is full: a part of the ballast is given up for what deletes"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "the ballast can't be given up for what deletes"),
        }
        self.space.ask() < REMOVES_ABOVE
    }

    /// Gives up all of the ballast but so much, if it is more.
    fn keep_but(&self, least: u64) -> io::Result<bool> {
        let Ok(about) = fs::metadata(&self.path) else { return Ok(false) };
        if about.len() <= least {
            return Ok(false);
        }
        let file = OpenOptions::new().write(true).open(&self.path)?;
        file.set_len(least)?;
        // Only then the file system gives away what was in it.
        file.sync_all()?;
        Ok(true)
    }

    /// Takes on what is missing, but leaves so much of the disk free.
    fn take_on_but(&self, left: u64) {
        if let Err(error) = self.try_to_take_on(left) {
            tracing::warn!(%error, "no space can be set aside for a start on a full disk");
        }
    }

    fn try_to_take_on(&self, left: u64) -> io::Result<()> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&self.path)?;
        let has = file.metadata()?.len();
        let most = has.saturating_add(self.space.ask().saturating_sub(left));
        let takes = self.wanted().min(most) / BLOCK as u64 * BLOCK as u64;
        if takes <= has {
            return Ok(());
        }
        let taken = allocate(&file, has, takes).and_then(|()| file.sync_all());
        self.space.ask();
        taken.inspect_err(|_| drop(file.set_len(has)))
    }

    fn wanted(&self) -> u64 {
        self.for_a_start() + FOR_DELETIONS
    }

    fn for_a_start(&self) -> u64 {
        let database = fs::metadata(&self.database).map_or(0, |about| about.len());
        (LEAST + database / SHARE).next_multiple_of(MIB)
    }
}

impl Drop for ThrownOff {
    fn drop(&mut self) {
        let Self(ballast) = self;
        ballast.take_on_but(SLACK);
        ballast.space.tell();
    }
}

/// Has the file system keep blocks for all of a file, or fills it: with noise,
/// since nothing can be kept in less space than it takes.
fn allocate(file: &File, from: u64, to: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, to) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            for at in (from..to).step_by(BLOCK) {
                let noise: [u8; BLOCK] = seal::random().map_err(io::Error::other)?;
                file.write_all_at(&noise, at)?;
            }
            Ok(())
        }
        done => Ok(done?),
    }
}
