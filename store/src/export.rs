//! Everything as one file: the operator's backup, and the export that
//! opening falls back on.
//!
//! The database can't be frozen while it is copied. So the writer tells every
//! change made meanwhile, and the copy ends with those, in order: whatever
//! the walk saw of a record, the last change to it comes after.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use zeroize::Zeroizing;

use crate::base::Base;
use crate::folder::frame::{Frame, FrameReader, FrameWriter};
use crate::folder::space::DiskSpace;
use crate::folder::{DataFolder, make_private};
use crate::image::file::FileImages;
use crate::image::shelf::{Found, SEALED};
use crate::sled::journal::Left;
use crate::sled::{Changes, Disk};

mod fall_back;
mod restore;

pub(crate) use fall_back::{fall_back, finish_swap};
pub use restore::{RestoreError, Restored, check_backup, restore};

/// Changes put into the database at once when one is rebuilt.
const CHUNK: usize = 4096;
/// How much of the file of keys is one piece of a backup.
const KEYS_AT_ONCE: usize = 1024 * 1024;

/// Writes a backup that stands on its own.
pub(crate) fn backup(out: &mut dyn Write, base: &Base, images: &FileImages) -> io::Result<()> {
    let mut frames = FrameWriter::begin(BufWriter::new(out))?;
    frames.write(&Frame::Secret(base.folder.secret().to_vec()))?;
    let keys = write_records(&mut frames, base)?;
    for some in keys.chunks(KEYS_AT_ONCE) {
        frames.write(&Frame::Keys(some.to_vec()))?;
    }
    // Sealed, as they are. One that has come since the keys were copied is of
    // no use to anybody.
    for Found { path, .. } in images.shelf().all(SEALED)? {
        let name = path.strip_prefix(images.shelf().folder()).map_err(io::Error::other)?;
        match fs::read(&path) {
            Ok(bytes) => frames.write(&Frame::Picture(name.to_string_lossy().into_owned(), bytes))?,
            // Deleted since the list was made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    frames.end()
}

/// Writes the records alone to `export/last`.
pub(crate) fn export(base: &Base, space: &DiskSpace) -> io::Result<()> {
    // What it takes must not be missing where somebody waits for an answer.
    if !space.has_room_for(base.reader.size()) {
        return Err(io::Error::new(
            io::ErrorKind::StorageFull,
            "the disk has no room for another copy of the database",
        ));
    }
    let path = base.folder.join("export");
    make_private(&path)?;
    let part = path.join("last.part");
    let written = export_to(&part, base).and_then(|()| fs::rename(&part, path.join("last")));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written?;
    File::open(&path)?.sync_all()
}

/// Removes what an export that was cut off has left.
pub(crate) fn clear(folder: &DataFolder) -> io::Result<()> {
    match fs::remove_file(folder.join("export").join("last.part")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn export_to(part: &Path, base: &Base) -> io::Result<()> {
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(part)?;
    let mut frames = FrameWriter::begin(BufWriter::new(&file))?;
    write_records(&mut frames, base)?;
    frames.end()?;
    file.sync_all()
}

/// All records, and the keys that belong to the state they end in.
fn write_records(frames: &mut FrameWriter<impl Write>, base: &Base) -> io::Result<Zeroizing<Vec<u8>>> {
    let file = unnamed(&base.folder.join("export.meanwhile"))?;
    let mut meanwhile = FrameWriter::begin(BufWriter::new(&file))?;
    let tap = base.writer.open_tap().map_err(io::Error::other)?;
    let walked = base.reader.records().try_for_each(|pair| {
        let (key, value) = pair.map_err(io::Error::other)?;
        frames.write(&Frame::Put(key, value))?;
        write_changes(&mut meanwhile, tap.try_iter())
    });
    // Closed also when the walk failed, or the writer would go on telling.
    let keys = base.writer.close_tap().map_err(io::Error::other)?;
    walked?;
    write_changes(&mut meanwhile, tap.into_iter())?;
    meanwhile.end()?;
    (&file).rewind()?;
    for frame in FrameReader::begin(BufReader::new(&file))? {
        frames.write(&frame?)?;
    }
    Ok(keys)
}

/// A file that is gone when it is closed. Changes made while all records are
/// written have to come after them, and the reader may be slow: so they wait
/// here and not in memory.
fn unnamed(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).write(true).create(true).truncate(true).mode(0o600).open(path)?;
    fs::remove_file(path)?;
    Ok(file)
}

fn write_changes(to: &mut FrameWriter<impl Write>, commits: impl Iterator<Item = Changes>) -> io::Result<()> {
    for (key, value) in commits.flatten() {
        to.write(&match value {
            Some(value) => Frame::Put(key, value),
            None => Frame::Remove(key),
        })?;
    }
    Ok(())
}

/// A database being filled.
struct Rebuild {
    disk: Disk,
    changes: Changes,
}

impl Rebuild {
    fn begin(folder: &Path, sync: bool) -> io::Result<Self> {
        let mut disk = Disk::open(folder, sync)?;
        disk.read_whole(&Left::default(), true, Duration::MAX)?;
        Ok(Self { disk, changes: Changes::new() })
    }

    fn change(&mut self, key: Vec<u8>, value: Option<Vec<u8>>) -> io::Result<()> {
        self.changes.insert(key, value);
        if self.changes.len() >= CHUNK { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> io::Result<()> {
        self.disk.take_over(&std::mem::take(&mut self.changes), |_| {})
    }

    /// Ends the filling; what is there now can be read.
    fn finish(mut self) -> io::Result<Disk> {
        self.commit()?;
        Ok(self.disk)
    }
}
