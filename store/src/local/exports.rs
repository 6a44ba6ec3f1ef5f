//! Exports, from which the index can be rebuilt, and the operator's backups.
//! Each is one file.
//!
//! The index goes on changing while it is copied. But the commit log has every change
//! since the copy began, and to make a change twice does no harm. So the copy with
//! these changes is right.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::files::{if_there, make_private};
use crate::folder::DataFolder;
use crate::folder::parts::{Part, PartReader, PartWriter};
use crate::local::Local;
use crate::local::commit_log::{Found, Replayed};
use crate::local::index::Index;
use crate::local::starting::bytes_in;
use crate::progress::{Progress, Unit};
use crate::room::{RoomId, Seq};
use crate::rows::Pair;
use crate::seals::keyring::Owner;
use crate::shapes::encode;
use crate::shapes::room::LogRecord;
use crate::table::{Table, is_about_itself, key, log_key};

/// How many bytes of the file of keys are one part of a backup.
const KEYS_AT_ONCE: usize = 1024 * 1024;

/// The exports of a data folder: the last, and the one before it.
pub(crate) struct Exports {
    folder: PathBuf,
    /// The last commit that the index has on disk, and the last commit that is not
    /// needed in the commit log any more.
    flushed: u64,
    unneeded: u64,
}

impl Exports {
    pub(crate) fn of(folder: &DataFolder) -> Self {
        Self { folder: folder.join("export"), flushed: 0, unneeded: 0 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// One of the exports and the commit it begins with, if it can be read and the commit log
    /// goes on from it; or why it can't be used.
    pub(crate) fn base(&self, name: &str, found: &mut Found) -> Result<(PathBuf, u64), String> {
        let export = self.path(name);
        let start = Self::check(&export).map_err(|error| format!("{}: {error}", export.display()))?;
        found.expect(start);
        if start > found.end() || start.saturating_add(1) < found.first_commit() {
            return Err(format!("{}: the commit log doesn't go on where it ends", export.display()));
        }
        Ok((export, start))
    }

    /// Whether any was written.
    pub(crate) fn exist(&self) -> bool {
        self.path("last").exists()
    }

    /// Opens an export: the commit that it begins with, and its records.
    pub(crate) fn open(
        export: &Path,
        progress: &Progress,
    ) -> io::Result<(u64, impl Iterator<Item = io::Result<Pair>> + use<>)> {
        let opened = File::open(export)?;
        progress.begin("the export", Unit::Bytes, opened.metadata().ok().map(|about| about.len()));
        let mut parts = PartReader::begin(BufReader::new(progress.counting(opened)))?;
        let start = match parts.next().transpose()? {
            Some(Part::Put(at, commit)) if at == key(Table::At, &[]) => {
                commit.try_into().map(u64::from_be_bytes).map_err(|_| io::ErrorKind::InvalidData)?
            }
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "it does not say with which commit it begins")),
        };
        let records = parts.filter_map(|part| match part {
            Ok(Part::Put(key, value)) if !is_about_itself(&key) => Some(Ok((key, value))),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        });
        Ok((start, records))
    }

    /// Reads an export to its end, and returns the commit that it begins with.
    fn check(export: &Path) -> io::Result<u64> {
        let (start, mut records) = Self::open(export, &Progress::default())?;
        records.try_for_each(|pair| pair.map(drop))?;
        Ok(start)
    }

    /// Writes an export. After that, older files of the commit log may go.
    pub(crate) fn write(&mut self, local: &Local) -> io::Result<()> {
        // The export must leave the space that callers need.
        if !local.space.has_room_for(local.index.size()) {
            return Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "the disk has no room for another copy of the index",
            ));
        }
        self.write_from(&local.index, &Progress::default())?;
        let before = Self::open(&self.path("before"), &Progress::default()).map_or(0, |(start, _)| start);
        let at = local.index.stands_at().map_err(io::Error::other)?.map_or(0, |(at, _)| at);
        local.index.flush()?;
        (self.flushed, self.unneeded) = (at, before);
        self.let_commit_log_retire(local);
        Ok(())
    }

    /// Tells the committer which files of the commit log may go.
    pub(crate) fn let_commit_log_retire(&self, local: &Local) {
        if self.flushed > 0 {
            local.committer.retire_commit_log(self.flushed, self.unneeded);
        }
    }

    pub(crate) fn write_from(&self, index: &Index, progress: &Progress) -> io::Result<()> {
        make_private(&self.folder)?;
        let part = self.path("last.part");
        let written = export_to(&part, index, progress).and_then(|()| {
            // The export is read back before it takes the place of another.
            Self::check(&part)?;
            if_there(fs::rename(self.path("last"), self.path("before")))?;
            fs::rename(&part, self.path("last"))
        });
        written.inspect_err(|_| drop(fs::remove_file(&part)))?;
        File::open(&self.folder)?.sync_all()
    }

    /// Removes the file of an export that was not finished.
    pub(crate) fn clear(&self) -> io::Result<()> {
        if_there(fs::remove_file(self.path("last.part"))).map(drop)
    }
}

/// Logs which exports can't be used, if any, and what is used instead.
pub(crate) fn log_unused(exports: &str, instead: impl fmt::Display) {
    if !exports.is_empty() {
        tracing::warn!(
            exports,
            %instead,
            "an export can't be used, and something else is. The next one is written within twelve hours. If nobody \
             has changed the file, have the disk checked"
        );
    }
}

fn export_to(part: &Path, index: &Index, progress: &Progress) -> io::Result<()> {
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(part)?;
    let mut parts = PartWriter::begin(BufWriter::new(&file))?;
    let at = index.stands_at().map_err(io::Error::other)?.map_or(0, |(at, _)| at);
    parts.write(&Part::Put(key(Table::At, &[]), at.to_be_bytes().to_vec()))?;
    write_records(&mut parts, index, progress)?;
    parts.end()?;
    file.sync_all()
}

fn write_records(parts: &mut PartWriter<impl Write>, index: &Index, progress: &Progress) -> io::Result<()> {
    index.records().try_for_each(|pair| {
        let (key, value) = pair.map_err(io::Error::other)?;
        progress.add(1);
        parts.write(&Part::Put(key, value))
    })
}

/// About how many bytes a backup of a data folder will have: those of the last export, and
/// of the pictures. `None` if there are neither.
pub fn about_bytes_of_backup(data_folder: &Path) -> Option<u64> {
    let export = fs::metadata(data_folder.join("export/last")).map_or(0, |file| file.len());
    Some(export + bytes_in(&data_folder.join("images"))).filter(|&bytes| bytes > 0)
}

/// Writes a backup, which needs no other file.
pub(crate) fn backup(out: &mut dyn Write, local: &Local) -> io::Result<()> {
    let mut parts = PartWriter::begin(BufWriter::new(out))?;
    parts.write(&Part::Secret(local.folder.secret.bytes().to_vec()))?;
    let start = local.index.stands_at().map_err(io::Error::other)?.map_or(0, |(at, _)| at);
    write_records(&mut parts, &local.index, &Progress::default())?;
    let moment = local.committer.moment().map_err(io::Error::other)?;
    for replayed in local.rooms.reader.replay(start) {
        let states = match replayed? {
            Replayed::Commit { commit, states } if commit <= moment.commit => states,
            Replayed::Commit { .. } => break,
            Replayed::Missing(damage) => return Err(io::Error::other(format!("the commit log is damaged: {damage}"))),
        };
        for (key, value) in states {
            parts.write(&match value {
                Some(value) => Part::Put(key, value),
                None => Part::Remove(key),
            })?;
        }
    }
    for room in local.rooms.reader.rooms() {
        write_room(&mut parts, local, RoomId(uuid::Uuid::from_bytes(room)))?;
    }
    for some in moment.keys.chunks(KEYS_AT_ONCE) {
        parts.write(&Part::Keys(some.to_vec()))?;
    }
    // Pictures stay sealed. A picture that was added after the keys were copied
    // can't be opened by anybody.
    for picture in local.files.all()? {
        // It may have been deleted since the list was made.
        if let Some(bytes) = if_there(fs::read(local.files.path(picture)))? {
            parts.write(&Part::Picture(picture.name(), bytes))?;
        }
    }
    parts.end()
}

/// Writes the records of a room, as backups have them.
fn write_room(parts: &mut PartWriter<impl Write>, local: &Local, room: RoomId) -> io::Result<()> {
    // A room that has just ended has no key.
    let Some(key) = local.key_of(Owner::Room(room.0)) else { return Ok(()) };
    for (last, events) in local.room_records(room, Seq(0)).map_err(io::Error::other)? {
        let at = log_key(room, last);
        let plain = encode(&LogRecord(events)).map_err(io::Error::other)?;
        parts.write(&Part::Put(at.clone(), key.seal(&at, &plain).map_err(io::Error::other)?))?;
    }
    Ok(())
}
