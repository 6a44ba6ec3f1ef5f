//! Everything as one file: the operator's backup, and the exports that an
//! index is built anew from.
//!
//! The index can't be frozen while it is copied. But all changes are absolute,
//! so what the tape has of them since the copying began makes it whole.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::folder::frame::{Frame, FrameReader, FrameWriter};
use crate::folder::{DataFolder, if_there, make_private};
use crate::local::base::Base;
use crate::local::images::LocalImages;
use crate::local::index::{Index, Pair};
use crate::local::room_records::log_key;
use crate::local::table::{Table, is_about_itself, key};
use crate::local::tape::{Found, Replayed};
use crate::room::{RoomId, Seq};
use crate::seals::keyring::Owner;
use crate::shapes::encode;
use crate::shapes::room::LogRecord;

/// How much of the file of keys is one piece of a backup.
const KEYS_AT_ONCE: usize = 1024 * 1024;

/// The exports of a data folder: the last, and the one before it.
pub(crate) struct Exports {
    folder: PathBuf,
    /// The last group that the index has on disk, and the last that nobody
    /// needs on the tape any more.
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

    /// What an index can be built on: the newest export that reads whole and
    /// that the tape goes on from, and the group it begins with; or nothing if
    /// the tape is complete.
    pub(crate) fn base(&self, found: &Found) -> Result<Option<(PathBuf, u64)>, String> {
        let mut missing = Vec::new();
        for name in ["last", "before"] {
            let export = self.path(name);
            match Self::check(&export) {
                Ok(start) if start <= found.end() && start.saturating_add(1) >= found.first_group() => {
                    return Ok(Some((export, start)));
                }
                Ok(_) => missing.push(format!("{name}: the tape doesn't go on where it ends")),
                Err(error) => missing.push(format!("{name}: {error}")),
            }
        }
        if found.first_group() <= 1 { Ok(None) } else { Err(missing.join("; ")) }
    }

    /// The group an export begins with, and the records that follow.
    pub(crate) fn open(export: &Path) -> io::Result<(u64, impl Iterator<Item = io::Result<Pair>> + use<>)> {
        let mut frames = FrameReader::begin(BufReader::new(File::open(export)?))?;
        let start = match frames.next().transpose()? {
            Some(Frame::Put(at, group)) if at == key(Table::At, &[]) => {
                group.try_into().map(u64::from_be_bytes).map_err(|_| io::ErrorKind::InvalidData)?
            }
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "it was written by an older build")),
        };
        let records = frames.filter_map(|frame| match frame {
            Ok(Frame::Put(key, value)) if !is_about_itself(&key) => Some(Ok((key, value))),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        });
        Ok((start, records))
    }

    /// Reads an export to its end. The group it begins with.
    fn check(export: &Path) -> io::Result<u64> {
        let (start, mut records) = Self::open(export)?;
        records.try_for_each(|pair| pair.map(drop))?;
        Ok(start)
    }

    /// Writes an export, after which older parts of the tape may go.
    pub(crate) fn write(&mut self, base: &Base) -> io::Result<()> {
        // An export must not use up the space that callers need.
        if !base.space.has_room_for(base.index.size()) {
            return Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "the disk has no room for another copy of the index",
            ));
        }
        self.write_from(&base.index)?;
        let before = Self::open(&self.path("before")).map_or(0, |(start, _)| start);
        let at = base.index.stands_at().map_err(io::Error::other)?.map_or(0, |(at, _)| at);
        base.index.flush()?;
        (self.flushed, self.unneeded) = (at, before);
        self.let_tape_retire(base);
        Ok(())
    }

    /// Sends the committer which parts of the tape may go.
    pub(crate) fn let_tape_retire(&self, base: &Base) {
        if self.flushed > 0 {
            base.committer.retire_tape(self.flushed, self.unneeded);
        }
    }

    pub(crate) fn write_from(&self, index: &Index) -> io::Result<()> {
        make_private(&self.folder)?;
        let part = self.path("last.part");
        let written = export_to(&part, index).and_then(|()| {
            // It is read back before anybody relies on it.
            Self::check(&part)?;
            if_there(fs::rename(self.path("last"), self.path("before")))?;
            fs::rename(&part, self.path("last"))
        });
        written.inspect_err(|_| drop(fs::remove_file(&part)))?;
        File::open(&self.folder)?.sync_all()
    }

    /// Removes what an export that was cut off has left.
    pub(crate) fn clear(&self) -> io::Result<()> {
        if_there(fs::remove_file(self.path("last.part"))).map(drop)
    }
}

fn export_to(part: &Path, index: &Index) -> io::Result<()> {
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(part)?;
    let mut frames = FrameWriter::begin(BufWriter::new(&file))?;
    let at = index.stands_at().map_err(io::Error::other)?.map_or(0, |(at, _)| at);
    frames.write(&Frame::Put(key(Table::At, &[]), at.to_be_bytes().to_vec()))?;
    write_records(&mut frames, index)?;
    frames.end()?;
    file.sync_all()
}

fn write_records(frames: &mut FrameWriter<impl Write>, index: &Index) -> io::Result<()> {
    index.records().try_for_each(|pair| {
        let (key, value) = pair.map_err(io::Error::other)?;
        frames.write(&Frame::Put(key, value))
    })
}

/// Writes a backup that stands on its own.
pub(crate) fn backup(out: &mut dyn Write, base: &Base, images: &LocalImages) -> io::Result<()> {
    let mut frames = FrameWriter::begin(BufWriter::new(out))?;
    frames.write(&Frame::Secret(base.folder.secret.bytes().to_vec()))?;
    let start = base.index.stands_at().map_err(io::Error::other)?.map_or(0, |(at, _)| at);
    write_records(&mut frames, &base.index)?;
    let moment = base.committer.moment().map_err(io::Error::other)?;
    for replayed in base.rooms.reader.replay(start) {
        let states = match replayed? {
            Replayed::Group { group, states } if group <= moment.group => states,
            Replayed::Group { .. } => break,
            Replayed::Missing(damage) => return Err(io::Error::other(format!("the tape is damaged: {damage}"))),
        };
        for (key, value) in states {
            frames.write(&match value {
                Some(value) => Frame::Put(key, value),
                None => Frame::Remove(key),
            })?;
        }
    }
    for room in base.rooms.reader.rooms() {
        write_room(&mut frames, base, RoomId(uuid::Uuid::from_bytes(room)))?;
    }
    for some in moment.keys.chunks(KEYS_AT_ONCE) {
        frames.write(&Frame::Keys(some.to_vec()))?;
    }
    // Sealed, as they are. One that has come since the keys were copied is of
    // no use to anybody.
    for picture in images.shelf.all()? {
        // If it isn't there, it was deleted since the list was made.
        if let Some(bytes) = if_there(fs::read(images.shelf.path(picture)))? {
            frames.write(&Frame::Picture(picture.name(), bytes))?;
        }
    }
    frames.end()
}

/// Writes the records of a room, in the form they have in backups.
fn write_room(frames: &mut FrameWriter<impl Write>, base: &Base, room: RoomId) -> io::Result<()> {
    for (_, record) in base.rooms.back_to(room, Seq(0)).map_err(io::Error::other)? {
        // One that has ended a moment ago has no key.
        let Some(key) = base.key_of(Owner::Room(room.0)) else { return Ok(()) };
        let at = log_key(room, Seq(record.head.last()));
        let Ok(events) = base.rooms.open(Some(key.clone()), room, &record) else { continue };
        let plain = encode(&LogRecord::new(events)).map_err(io::Error::other)?;
        frames.write(&Frame::Put(at.clone(), key.seal(&at, &plain).map_err(io::Error::other)?))?;
    }
    Ok(())
}
