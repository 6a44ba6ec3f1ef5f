//! Everything as one file: the operator's backup, and the export that
//! opening falls back on.
//!
//! The database can't be frozen while it is copied. So the writer tells every
//! change made meanwhile, and the copy ends with those, in order: whatever
//! the walk saw of a record, the last change to it comes after.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::base::Base;
use crate::folder::make_private;
use crate::image::file::FileImages;
use crate::sled::{Changes, Disk};

mod fall_back;
mod frame;
mod restore;

pub(crate) use fall_back::fall_back;
use frame::{Frame, FrameWriter};
pub use restore::{RestoreError, Restored, check_backup, restore};

/// Changes put into the database at once when one is rebuilt.
const CHUNK: usize = 4096;
/// How much of the file of keys is one piece of a backup.
const KEYS_AT_ONCE: usize = 1024 * 1024;
/// A folder with this file in it was not restored to the end.
pub(crate) const UNFINISHED: &str = "restore-unfinished";

/// Writes a backup that stands on its own.
pub(crate) fn backup(out: &mut dyn Write, base: &Base, images: &FileImages) -> io::Result<()> {
    let mut frames = FrameWriter::begin(BufWriter::new(out))?;
    frames.write(&Frame::Secret(base.folder.secret().to_vec()))?;
    let keys = write_records(&mut frames, base)?;
    for some in keys.chunks(KEYS_AT_ONCE) {
        frames.write(&Frame::Keys(some.to_vec()))?;
    }
    for name in images.names()? {
        match fs::read(images.folder().join(&name)) {
            Ok(bytes) => frames.write(&Frame::Picture(name.to_string_lossy().into_owned(), bytes))?,
            // Deleted since the list was made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    frames.end()
}

/// Writes the records alone to `export/last`.
pub(crate) fn export(base: &Base) -> io::Result<()> {
    let path = base.folder.join("export");
    make_private(&path)?;
    let part = path.join("last.part");
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    let mut frames = FrameWriter::begin(BufWriter::new(&file))?;
    write_records(&mut frames, base)?;
    frames.end()?;
    file.sync_all()?;
    fs::rename(&part, path.join("last"))?;
    File::open(&path)?.sync_all()
}

/// All records, and the keys that belong to the state they end in.
fn write_records(frames: &mut FrameWriter<impl Write>, base: &Base) -> io::Result<Vec<u8>> {
    let tap = base.writer.open_tap().map_err(io::Error::other)?;
    let walked = base.reader.all().try_for_each(|pair| {
        let (key, value) = pair.map_err(io::Error::other)?;
        frames.write(&Frame::Put(key, value))
    });
    // Closed also when the walk failed, or the writer would go on telling.
    let keys = base.writer.close_tap().map_err(io::Error::other)?;
    walked?;
    for changes in tap {
        for (key, value) in changes.iter() {
            frames.write(&match value {
                Some(value) => Frame::Put(key.clone(), value.clone()),
                None => Frame::Remove(key.clone()),
            })?;
        }
    }
    Ok(keys)
}

/// A database being filled.
struct Rebuild {
    disk: Disk,
    changes: Changes,
}

impl Rebuild {
    fn begin(folder: &Path, sync: bool) -> io::Result<Self> {
        Ok(Self { disk: Disk::open(folder, sync)?, changes: Changes::new() })
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
