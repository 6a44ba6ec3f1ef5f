//! Everything as one file: the operator's backup, and the export that
//! opening falls back on.
//!
//! The database can't be frozen while it is copied. So the writer tells every
//! change made meanwhile, and the copy ends with those, in order: whatever
//! the walk saw of a record, the last change to it comes after.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::base::Base;
use crate::codec::decode;
use crate::folder::{DataFolder, OpenError, make_private, write_whole};
use crate::image::file::FileImages;
use crate::keyring::{Keyring, Owner};
use crate::record::{Count, IdRecord, ResetRecord};
use crate::sled::{Changes, Disk, Table, key};

mod frame;
use frame::{Frame, FrameReader, FrameWriter};

/// Changes put into the database at once when one is rebuilt.
const CHUNK: usize = 4096;
/// A folder with this file in it was not restored to the end.
pub(crate) const UNFINISHED: &str = "restore-unfinished";

/// What a restore has put back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// Records of the database.
    pub records: u64,
    /// Pictures.
    pub pictures: u64,
}

/// Why a backup could not be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// There is something in the folder.
    #[error("{} is not empty; a backup is restored into an empty folder only", .0.display())]
    NotEmpty(PathBuf),
    /// The file is not a whole backup.
    #[error("{} is not a whole backup: {why}", path.display())]
    NotABackup {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Something can't be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Writes a backup that stands on its own.
pub(crate) fn backup(out: &mut dyn Write, base: &Base, folder: &DataFolder, images: &FileImages) -> io::Result<()> {
    let mut frames = FrameWriter::begin(BufWriter::new(out))?;
    frames.write(&Frame::Secret(folder.secret().to_vec()))?;
    let keys = write_records(&mut frames, base)?;
    frames.write(&Frame::Keys(keys))?;
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
pub(crate) fn export(base: &Base, folder: &DataFolder) -> io::Result<()> {
    let path = folder.join("export");
    make_private(&path)?;
    let part = path.join("last.part");
    let file = File::options().write(true).create(true).truncate(true).open(&part)?;
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

/// Puts a backup into an empty folder. The file is checked to its end before
/// anything is written.
pub fn restore(file: &Path, folder: &Path) -> Result<Restored, RestoreError> {
    let not_a_backup = |why: io::Error| RestoreError::NotABackup { path: file.to_owned(), why: why.to_string() };
    let io_at = |path: &Path| {
        let path = path.to_owned();
        move |source| RestoreError::Io { path, source }
    };
    let source = || File::open(file).map(BufReader::new).map_err(io_at(file));

    let (mut has_secret, mut has_keys) = (false, false);
    for frame in FrameReader::begin(source()?).map_err(not_a_backup)? {
        match frame.map_err(not_a_backup)? {
            Frame::Secret(bytes) => has_secret = bytes.len() == 32,
            Frame::Keys(_) => has_keys = true,
            Frame::Picture(name, _) if !is_picture_name(&name) => {
                return Err(not_a_backup(io::Error::other("a picture has an odd name")));
            }
            _ => {}
        }
    }
    if !(has_secret && has_keys) {
        return Err(not_a_backup(io::Error::other("it has no keys")));
    }

    make_private(folder).map_err(io_at(folder))?;
    if fs::read_dir(folder).map_err(io_at(folder))?.next().is_some() {
        return Err(RestoreError::NotEmpty(folder.to_owned()));
    }
    let frames = FrameReader::begin(source()?).map_err(not_a_backup)?;
    put_back(frames, folder).map_err(io_at(folder))
}

/// `<album>/<id>.jpg` and nothing that leads elsewhere.
fn is_picture_name(name: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    name.strip_suffix(".jpg").and_then(|name| name.split_once('/')).is_some_and(|(a, b)| plain(a) && plain(b))
}

fn put_back(frames: FrameReader<impl io::Read>, folder: &Path) -> io::Result<Restored> {
    let unfinished = folder.join(UNFINISHED);
    write_whole(&unfinished, b"")?;
    let database = folder.join("db");
    make_private(&database)?;
    let mut rebuild = Rebuild::begin(&database, true)?;
    let mut restored = Restored::default();
    for frame in frames {
        match frame? {
            Frame::Secret(bytes) => write_whole(&folder.join("secret"), &bytes)?,
            Frame::Keys(bytes) => write_whole(&folder.join("keys"), &bytes)?,
            Frame::Picture(name, bytes) => {
                let path = folder.join("images").join(name);
                path.parent().map_or(Ok(()), make_private)?;
                write_whole(&path, &bytes)?;
                restored.pictures += 1;
            }
            Frame::Put(key, value) => rebuild.change(key, Some(value))?,
            Frame::Remove(key) => rebuild.change(key, None)?,
        }
    }
    restored.records = rebuild.finish()?;
    fs::remove_file(unfinished)?;
    File::open(folder)?.sync_all()?;
    Ok(restored)
}

/// When the database is beyond repair: rebuilds it from the last export, and
/// sets the broken one aside.
pub(crate) fn fall_back(folder: &DataFolder, keyring: &Keyring, sync: bool, why: &io::Error) -> Result<Disk, OpenError> {
    let database = folder.join("db");
    let damaged = |why: &dyn std::fmt::Display| OpenError::Damaged { path: database.clone(), why: why.to_string() };
    let last = folder.join("export").join("last");
    let check = |file: File| -> io::Result<()> { FrameReader::begin(BufReader::new(file))?.try_for_each(|frame| frame.map(drop)) };
    if File::open(&last).and_then(check).is_err() {
        return Err(damaged(why));
    }
    tracing::error!(error = %why, "the database does not open: going back to the last export, what came after it is lost");
    let fresh = folder.join("db.rebuilt");
    let rebuilt = rebuild_from(&last, &fresh, keyring, sync).and_then(|()| {
        let broken = folder.join("db.broken");
        if broken.exists() {
            fs::remove_dir_all(&broken)?;
        }
        fs::copy(folder.join("keys"), database.join("keys"))?;
        fs::rename(&database, &broken)?;
        fs::rename(&fresh, &database)?;
        File::open(folder.path())?.sync_all()?;
        tracing::error!("the broken database is in db.broken, with a copy of the keys; delete it when nobody needs it");
        Disk::open(&database, sync)
    });
    rebuilt.map_err(|error| damaged(&error))
}

fn rebuild_from(export: &Path, fresh: &Path, keyring: &Keyring, sync: bool) -> io::Result<()> {
    if fresh.exists() {
        fs::remove_dir_all(fresh)?;
    }
    make_private(fresh)?;
    let mut rebuild = Rebuild::begin(fresh, sync)?;
    let mut feedback = 0;
    for frame in FrameReader::begin(BufReader::new(File::open(export)?))? {
        match frame? {
            Frame::Put(key, value) if lives(keyring, &key, &value) => {
                feedback += u32::from(key[0] == Table::Feedback as u8);
                rebuild.change(key, Some(value))?;
            }
            Frame::Put(key, _) | Frame::Remove(key) => rebuild.change(key, None)?,
            _ => {}
        }
    }
    let count = crate::codec::encode(&Count(feedback)).map_err(io::Error::other)?;
    rebuild.change(key(Table::FeedbackCount, &[]), Some(count))?;
    rebuild.finish()?;
    Ok(())
}

/// Whether a record's owner still has a key. What was deleted after the
/// export does not come back.
fn lives(keyring: &Keyring, key: &[u8], value: &[u8]) -> bool {
    let account = |id: uuid::Uuid| keyring.current(Owner::Account(id)).is_some();
    let first_id = || key.get(1..17).and_then(|id| uuid::Uuid::from_slice(id).ok());
    const USERNAME: u8 = Table::Username as u8;
    const EMAIL: u8 = Table::Email as u8;
    const TARGET: u8 = Table::Target as u8;
    const RESET: u8 = Table::Reset as u8;
    const FEEDBACK: u8 = Table::Feedback as u8;
    const FEEDBACK_COUNT: u8 = Table::FeedbackCount as u8;
    const GONE: u8 = Table::Gone as u8;
    match key.first().copied() {
        Some(USERNAME | EMAIL | TARGET) => decode::<IdRecord>(value).is_ok_and(|IdRecord(id)| account(id.0)),
        Some(RESET) => decode::<ResetRecord>(value).is_ok_and(|reset| account(reset.account.0)),
        Some(FEEDBACK) => first_id().is_some_and(|id| keyring.current(Owner::Feedback(id)).is_some()),
        Some(GONE) => true,
        Some(FEEDBACK_COUNT) | None => false,
        Some(_) => first_id().is_some_and(account),
    }
}

/// A database being filled.
struct Rebuild {
    disk: Disk,
    changes: Changes,
    written: u64,
}

impl Rebuild {
    fn begin(folder: &Path, sync: bool) -> io::Result<Self> {
        Ok(Self { disk: Disk::open(folder, sync)?, changes: Changes::new(), written: 0 })
    }

    fn change(&mut self, key: Vec<u8>, value: Option<Vec<u8>>) -> io::Result<()> {
        self.written += u64::from(value.is_some());
        self.changes.insert(key, value);
        if self.changes.len() >= CHUNK { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> io::Result<()> {
        self.disk.commit(&std::mem::take(&mut self.changes))
    }

    fn finish(mut self) -> io::Result<u64> {
        self.commit()?;
        Ok(self.written)
    }
}
