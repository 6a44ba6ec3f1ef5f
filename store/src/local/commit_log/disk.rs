//! The files of the commit log, and every system call that changes one; the newest file, to
//! which frames are appended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{Footer, HEADER_LEN, Header, Seed, TRAILER_LEN, Trailer};
use super::frame::ALIGNMENT;
use crate::files::{if_there, read_at, read_what_can_be, write_whole};
use crate::seals::erasing;

/// The file that says which files there are.
pub(super) const NOTE: &str = "files";

/// The folder that the files are in.
#[derive(Clone)]
pub(super) struct Disk(Arc<Folder>);

struct Folder {
    path: PathBuf,
    id: [u8; 16],
    sync: bool,
    /// Called before each call, which it can make fail.
    #[cfg(test)]
    watch: parking_lot::Mutex<Option<Watch>>,
}

#[cfg(test)]
pub(super) type Watch = Box<dyn FnMut(Call<'_>) -> io::Result<()> + Send>;

/// A system call that changes a file of this number.
#[cfg_attr(not(test), expect(dead_code, reason = "only tests look into it"))]
#[derive(Debug, Clone, Copy)]
pub(super) enum Call<'a> {
    Create(u32),
    Write(u32, usize, &'a [u8]),
    Resize(u32, usize),
    Sync(u32),
    SyncFolder,
    Remove(u32),
    Note(u32, u32),
}

impl Disk {
    pub(super) fn new(path: PathBuf, id: [u8; 16], sync: bool) -> Self {
        Self(Arc::new(Folder {
            path,
            id,
            sync,
            #[cfg(test)]
            watch: parking_lot::Mutex::default(),
        }))
    }

    #[cfg(test)]
    pub(super) fn watch(&self, watch: Option<Watch>) {
        *self.0.watch.lock() = watch;
    }

    #[cfg(test)]
    fn observe(&self, call: Call<'_>) -> io::Result<()> {
        self.0.watch.lock().as_mut().map_or(Ok(()), |watch| watch(call))
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "tests watch the calls here")]
    fn observe(&self, _: Call<'_>) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn id(&self) -> &[u8; 16] {
        &self.0.id
    }

    pub(super) fn seed(&self, number: u32) -> Seed {
        let mut seed = Seed::new();
        seed.update(&self.0.id);
        seed.update(&number.to_le_bytes());
        seed
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0.path
    }

    pub(super) fn path(&self, number: u32) -> PathBuf {
        self.0.path.join(format!("{number:010}.log"))
    }

    /// Makes an empty file, which will be overwritten in place.
    pub(super) fn create(&self, number: u32) -> io::Result<LogFile> {
        self.observe(Call::Create(number))?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).mode(0o600).open(self.path(number))?;
        erasing::keep_in_place(&file)?;
        Ok(LogFile { disk: self.clone(), number, file })
    }

    pub(super) fn open(&self, number: u32) -> io::Result<LogFile> {
        let file = OpenOptions::new().read(true).write(true).open(self.path(number))?;
        Ok(LogFile { disk: self.clone(), number, file })
    }

    pub(super) fn remove(&self, number: u32) -> io::Result<()> {
        self.observe(Call::Remove(number))?;
        fs::remove_file(self.path(number))
    }

    /// Notes the numbers of the oldest and the newest file, so that a start knows
    /// whether one is missing.
    pub(super) fn note(&self, oldest: u32, newest: u32) -> io::Result<()> {
        self.observe(Call::Note(oldest, newest))?;
        write_whole(&self.0.path.join(NOTE), format!("{oldest} to {newest}\n").as_bytes())
    }

    /// The numbers that were noted last. Before the first note, the commit log begins
    /// with file 1.
    pub(super) fn noted(&self) -> io::Result<(u32, u32)> {
        let Some(line) = if_there(fs::read_to_string(self.0.path.join(NOTE)))? else { return Ok((1, 0)) };
        let numbers = line.trim_end().split_once(" to ");
        let numbers = numbers.and_then(|(oldest, newest)| Some((oldest.parse().ok()?, newest.parse().ok()?)));
        numbers.ok_or_else(|| ErrorKind::InvalidData.into())
    }

    /// Syncs the folder, after files were made or removed.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.observe(Call::SyncFolder)?;
        if self.0.sync { File::open(&self.0.path)?.sync_all() } else { Ok(()) }
    }
}

pub(super) struct LogFile {
    disk: Disk,
    pub(super) number: u32,
    file: File,
}

impl LogFile {
    pub(super) fn len(&self) -> io::Result<usize> {
        usize::try_from(self.file.metadata()?.len()).map_err(io::Error::other)
    }

    /// Reads all of the file. Blocks that can't be read are filled. The file may
    /// become shorter meanwhile, when the committer closes it.
    pub(super) fn read_all(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.len()?];
        let (length, _) = read_what_can_be(&self.file, &mut bytes);
        bytes.truncate(length);
        Ok(bytes)
    }

    /// The trailer, if it is whole.
    pub(super) fn trailer(&self) -> io::Result<Option<Trailer>> {
        let at = self.len()?.saturating_sub(TRAILER_LEN);
        // A sector that can't be read counts as a bad trailer.
        let bytes = self.read(at, TRAILER_LEN).unwrap_or_default();
        Ok(Trailer::decode(&bytes, &self.seed()).filter(|trailer| (trailer.offset as usize) < at))
    }

    /// The footer, if it is whole and has the same commit as the trailer.
    pub(super) fn footer(&self, trailer: Trailer) -> Option<Footer> {
        let offset = trailer.offset as usize;
        let section = self.read(offset, self.len().ok()?.checked_sub(offset)?).ok()?;
        Footer::decode(&section, &self.seed()).filter(|footer| footer.commit == trailer.commit)
    }

    /// Reads `length` bytes at `at`, or fewer if the file ends before.
    pub(super) fn read(&self, at: usize, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let filled = read_at(&self.file, &mut bytes, at as u64)?;
        bytes.truncate(filled);
        Ok(bytes)
    }

    pub(super) fn write_at(&self, bytes: &[u8], at: usize) -> io::Result<()> {
        self.disk.observe(Call::Write(self.number, at, bytes))?;
        self.file.write_all_at(bytes, at as u64)
    }

    pub(super) fn resize(&self, length: usize) -> io::Result<()> {
        self.disk.observe(Call::Resize(self.number, length))?;
        self.file.set_len(length as u64)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.disk.observe(Call::Sync(self.number))?;
        if self.disk.0.sync { self.file.sync_data() } else { Ok(()) }
    }

    /// Closes the file: the footer comes after the frames, which end at `end`, and
    /// the file ends with it.
    pub(super) fn close(&self, end: usize, footer: &Footer) -> io::Result<()> {
        let end = end.next_multiple_of(ALIGNMENT);
        let bytes = footer.encode(end, &self.seed()).ok_or(ErrorKind::FileTooLarge)?;
        self.write_at(&bytes, end)?;
        self.resize(end + bytes.len())?;
        self.sync()
    }

    pub(super) fn seed(&self) -> Seed {
        self.disk.seed(self.number)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.disk.path(self.number)
    }
}

/// A file grows by this many bytes. As long as frames stay within its length, a
/// sync need not write a new length.
const STEP: usize = 256 * 1024;
/// When a file has this many bytes, the next one is begun.
pub(super) const FULL: usize = 64 * 1024 * 1024;

/// The newest file. After its last frame it has zeros.
pub(super) struct Growing {
    pub(super) file: Arc<LogFile>,
    /// Where the next frame begins.
    pub(super) end: usize,
    length: usize,
    pub(super) hour: u64,
    /// Whether all its frames are on disk.
    pub(super) is_synced: bool,
}

impl Growing {
    /// Makes a file, and notes that the files from `oldest` on are there. If this fails,
    /// the file is removed. If even that fails, a start may find the file, so no frame may
    /// follow in the file before it: then the error is not that the disk is full.
    pub(super) fn begin(disk: &Disk, header: Header, oldest: u32, hour: u64) -> io::Result<Self> {
        let number = header.number;
        let begin = || {
            let file = disk.create(number)?;
            // The header is on disk before there is a frame. So if a longer file
            // has a bad header, it is damaged; in a shorter one nothing is missing.
            file.write_at(&header.encode(), 0)?;
            file.sync()?;
            disk.sync()?;
            disk.note(oldest, number)?;
            Ok(Self { file: Arc::new(file), end: HEADER_LEN, length: HEADER_LEN, hour, is_synced: true })
        };
        begin().map_err(|error| match disk.remove(number).and_then(|()| disk.sync()) {
            Err(left) if left.kind() != ErrorKind::NotFound => io::Error::other(left),
            _ => error,
        })
    }

    /// Whether the next frame goes to another file.
    pub(super) fn is_over(&self, hour: u64) -> bool {
        self.end >= FULL || (hour != self.hour && self.end > HEADER_LEN)
    }

    /// Makes space for `length` bytes. If the disk is full, this fails before any of
    /// the frame is written, and the commit log can go on.
    pub(super) fn reserve(&mut self, length: usize) -> io::Result<()> {
        let needed = self.end + length;
        if needed <= self.length {
            return Ok(());
        }
        let grown = needed.next_multiple_of(STEP);
        let zeros = vec![0; STEP];
        let mut steps = (self.length..grown).step_by(STEP);
        let grow = steps.try_for_each(|at| self.file.write_at(&zeros[..STEP.min(grown - at)], at));
        if let Err(error) = grow {
            self.file.resize(self.length)?;
            return Err(error);
        }
        self.length = grown;
        Ok(())
    }

    /// Writes a frame, for which there is space, and syncs it. After an error nobody
    /// knows what is on disk.
    pub(super) fn append(&mut self, frame: &[u8]) -> io::Result<()> {
        self.is_synced = false;
        self.file.write_at(frame, self.end)?;
        self.end += frame.len();
        self.file.sync()?;
        self.is_synced = true;
        Ok(())
    }
}
