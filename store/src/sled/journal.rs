//! The journal: every commit since sled was last brought up to date.
//!
//! sled wakes eight threads for each flush, and what it has written is not
//! on the device until we sync its file, too. So a commit is one write and
//! one sync here, and sled follows in the background, many commits at once.
//! There are two files: while sled takes over what is in one, commits go to
//! the other.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::sled::{Changes, Disk};

const FILES: [&str; 2] = ["journal.0", "journal.1"];
/// What a file takes before it is the other's turn: about what is kept in
/// memory besides, twice.
const FULL: u64 = 1024 * 1024;
/// By how much a file grows. The sync of a commit that stays within its file
/// has no new length to write down.
const GROWS_BY: u64 = 256 * 1024;

/// How much of a file is read at once: a sector that can't be read costs no
/// more than this.
const BLOCK: usize = 4096;

const VERSION: u8 = 1;
/// The length of what follows it, and a checksum of that.
const HEAD: usize = 8;
/// Then the version and the commit's number.
const NUMBER: usize = 9;
/// In place of a value's length: the key was removed.
const REMOVED: u32 = u32::MAX;

/// The end that is written to.
pub(crate) struct Journal {
    files: [Part; 2],
    current: usize,
    sync: bool,
    buffer: Vec<u8>,
    /// What a test wants to happen between the write and the sync.
    #[cfg(test)]
    pub(crate) before_sync: Option<Box<dyn FnMut() -> io::Result<()> + Send>>,
}

struct Part {
    file: File,
    /// Where the next commit goes. What is behind it is older, and ends there.
    end: u64,
    length: u64,
    /// Whether it may hold something that was removed since.
    has_removed: bool,
}

/// One of the two files.
#[derive(Clone, Copy)]
pub(crate) enum Which {
    /// The one that commits go to.
    Current,
    /// The one that sled has taken over.
    Other,
}

/// A file of the journal that is to be overwritten. Until that is done
/// nothing may be written to it.
pub(crate) struct Wipe {
    file: File,
    length: u64,
    sync: bool,
}

impl Wipe {
    /// Puts nothing in the place of what was there.
    pub(crate) fn overwrite(self) -> io::Result<()> {
        let nothing = [0; BLOCK];
        for at in (0..self.length).step_by(BLOCK) {
            let length = nothing.len().min(usize::try_from(self.length - at).unwrap_or(BLOCK));
            self.file.write_all_at(&nothing[..length], at)?;
        }
        if self.sync { self.file.sync_data() } else { Ok(()) }
    }
}

impl Journal {
    /// Begins an empty one: sled must have everything.
    pub(crate) fn begin(folder: &Path, sync: bool) -> io::Result<Self> {
        let begin = |name: &str| {
            let path = folder.join(name);
            let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
            // What was deleted is not to be found in free blocks either.
            Wipe { file: file.try_clone()?, length: file.metadata()?.len(), sync }.overwrite()?;
            file.set_len(0)?;
            if sync {
                file.sync_all()?;
            }
            Ok::<_, io::Error>(Part { file, end: 0, length: 0, has_removed: false })
        };
        let files = [begin(FILES[0])?, begin(FILES[1])?];
        if sync {
            File::open(folder)?.sync_all()?;
        }
        Ok(Self {
            files,
            current: 0,
            sync,
            buffer: Vec::new(),
            #[cfg(test)]
            before_sync: None,
        })
    }

    /// Puts a commit on disk. After an error nobody can tell what of it is
    /// there, and nothing more must be written.
    pub(crate) fn append(&mut self, number: u64, changes: &Changes) -> io::Result<()> {
        self.buffer.clear();
        encode(&mut self.buffer, number, changes)?;
        let part = &mut self.files[self.current];
        let end = part.end + self.buffer.len() as u64;
        if end > part.length {
            let length = end.next_multiple_of(GROWS_BY);
            self.buffer.resize(usize::try_from(length - part.end).map_err(io::Error::other)?, 0);
            part.length = length;
        }
        part.file.write_all_at(&self.buffer, part.end)?;
        part.end = end;
        #[cfg(test)]
        if let Some(happens) = &mut self.before_sync {
            happens()?;
        }
        if self.sync { part.file.sync_data() } else { Ok(()) }
    }

    /// How many times over the current file is full.
    pub(crate) fn fullness(&self) -> u64 {
        self.files[self.current].end / FULL
    }

    /// Empties it: sled must have everything.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let sync = self.sync;
        self.files.iter().try_for_each(|part| {
            Wipe { file: part.file.try_clone()?, length: part.length, sync }.overwrite()?;
            part.file.set_len(0)
        })
    }

    /// Something was removed that may stand in any of the files.
    pub(crate) fn holds_removed(&mut self) {
        self.files.iter_mut().for_each(|part| part.has_removed = true);
    }

    /// Whether one of the files may hold something that was removed.
    pub(crate) fn has_removed(&self) -> bool {
        self.files.iter().any(|part| part.has_removed)
    }

    /// A file to overwrite, if it may hold something that was removed.
    pub(crate) fn wipe(&mut self, which: Which) -> io::Result<Option<Wipe>> {
        let at = match which {
            Which::Current => self.current,
            Which::Other => 1 - self.current,
        };
        let part = &mut self.files[at];
        if !std::mem::take(&mut part.has_removed) {
            return Ok(None);
        }
        Ok(Some(Wipe { file: part.file.try_clone()?, length: part.length, sync: self.sync }))
    }

    /// Goes on in the other file, whose commits sled must have.
    pub(crate) fn turn(&mut self) {
        self.current = 1 - self.current;
        self.files[self.current].end = 0;
    }
}

/// What a process that has ended left in its journal: whole commits, in
/// their order. Before the last there may be some missing.
#[derive(Default)]
pub(crate) struct Left(Vec<(u64, Changes)>);

impl Left {
    /// Reads both files. What comes after a place that can't be read is left
    /// out, and nothing is changed.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut files = FILES.iter().map(|name| read(folder.join(name))).collect::<io::Result<Vec<_>>>()?;
        files.sort_by_key(|file| file.first().map(|(number, _)| *number));
        Ok(Self(files.into_iter().flatten().collect()))
    }

    #[cfg(test)]
    pub(crate) fn of(commits: impl IntoIterator<Item = (u64, Changes)>) -> Self {
        Self(commits.into_iter().collect())
    }

    /// Commits that come after so many.
    pub(crate) fn after(&self, commits: u64) -> impl Iterator<Item = (u64, &Changes)> {
        self.0.iter().filter(move |(number, _)| *number > commits).map(|(number, changes)| (*number, changes))
    }

    /// The keys that some commits changed: those after the first of these
    /// numbers, up to the second.
    pub(crate) fn touched(&self, after: u64, through: u64) -> BTreeSet<Vec<u8>> {
        let those = self.after(after).take_while(|(number, _)| *number <= through);
        those.flat_map(|(_, changes)| changes.keys().cloned()).collect()
    }
}

/// Brings sled up to date with what is left in the journal, whose files stay
/// as they are. The answer is how many commits there were.
pub(crate) fn replay(disk: &mut Disk, left: &Left) -> io::Result<u64> {
    let mut commits = disk.commits().map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string()))?;
    let mut changes = Changes::new();
    for (number, later) in left.after(commits) {
        if number != commits + 1 {
            let why = format!("the journal goes on with commit {number}, and the database ends with {commits}");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        commits = number;
        changes.extend(later.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    if !changes.is_empty() {
        disk.take_over(&changes, |_| {})?;
    }
    Ok(commits)
}

/// Whole commits, in their order, up to the first that isn't.
fn read(path: PathBuf) -> io::Result<Vec<(u64, Changes)>> {
    let bytes = match readable(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut rest = bytes.as_slice();
    let mut commits: Vec<(u64, Changes)> = Vec::new();
    while let Some((version, number, changes)) = next(&mut rest) {
        // A file that was used before has older ones behind its end.
        if commits.last().is_some_and(|(last, _)| number != last + 1) {
            break;
        }
        if version != VERSION {
            let why = format!("the journal was written by a newer annon (version {version})");
            return Err(io::Error::new(ErrorKind::Unsupported, why));
        }
        let changes = decode(changes).ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "a journal with a bug"))?;
        commits.push((number, changes));
    }
    Ok(commits)
}

/// What is in a file, up to the first block of it that can't be read.
fn readable(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    let mut block = vec![0; BLOCK];
    loop {
        match file.read_at(&mut block, bytes.len() as u64) {
            Ok(0) => return Ok(bytes),
            Ok(length) => bytes.extend_from_slice(&block[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                tracing::error!(%error, "a part of the journal can't be read");
                return Ok(bytes);
            }
        }
    }
}

fn encode(out: &mut Vec<u8>, number: u64, changes: &Changes) -> io::Result<()> {
    out.extend_from_slice(&[0; HEAD]);
    out.push(VERSION);
    out.extend_from_slice(&number.to_le_bytes());
    for (key, value) in changes {
        out.extend_from_slice(&u16::try_from(key.len()).map_err(io::Error::other)?.to_le_bytes());
        out.extend_from_slice(key);
        let length = match value {
            Some(value) => u32::try_from(value.len()).ok().filter(|length| *length != REMOVED),
            None => Some(REMOVED),
        };
        out.extend_from_slice(&length.ok_or_else(|| io::Error::other("too large a value"))?.to_le_bytes());
        out.extend_from_slice(value.as_deref().unwrap_or_default());
    }
    let length = u32::try_from(out.len() - HEAD).map_err(io::Error::other)?;
    let sum = crc32fast::hash(&out[HEAD..]);
    out[..4].copy_from_slice(&length.to_le_bytes());
    out[4..HEAD].copy_from_slice(&sum.to_le_bytes());
    Ok(())
}

/// Takes one commit off the front, if a whole one is there.
fn next<'a>(rest: &mut &'a [u8]) -> Option<(u8, u64, &'a [u8])> {
    let mut bytes = *rest;
    let length = u32::from_le_bytes(take(&mut bytes)?) as usize;
    let sum = u32::from_le_bytes(take(&mut bytes)?);
    let (commit, rest_of_it) = bytes.split_at_checked(length).filter(|_| length >= NUMBER)?;
    if crc32fast::hash(commit) != sum {
        return None;
    }
    *rest = rest_of_it;
    let mut commit = commit;
    let [version] = take(&mut commit)?;
    Some((version, u64::from_le_bytes(take(&mut commit)?), commit))
}

fn decode(mut bytes: &[u8]) -> Option<Changes> {
    let mut changes = Changes::new();
    while !bytes.is_empty() {
        let length = u16::from_le_bytes(take(&mut bytes)?);
        let key = bytes.split_off(..usize::from(length))?.to_vec();
        let value = match u32::from_le_bytes(take(&mut bytes)?) {
            REMOVED => None,
            length => Some(bytes.split_off(..length as usize)?.to_vec()),
        };
        changes.insert(key, value);
    }
    Some(changes)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests;
