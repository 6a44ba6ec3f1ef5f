//! Makes a data folder from a backup.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::account::Access;
use crate::clock;
use crate::error::Result as StoreResult;
use crate::files::{if_there, make_private, write_whole};
use crate::folder::parts::{Part, PartReader};
use crate::folder::{DataFolder, UNFINISHED};
use crate::image::picture::Picture;
use crate::local::commit_log::{Change, CommitError, CommitLog, Found};
use crate::local::exports::Exports;
use crate::local::images::files::PictureFiles;
use crate::local::index::Index;
use crate::local::index_state::IndexState;
use crate::local::room_records::{from_backup, room_and_place};
use crate::progress::{Counting, Progress, Unit};
use crate::seals::keyring::KeyFile;
use crate::seals::secret::Secret;
use crate::shapes::{decode, encode};
use crate::table::{Table, key};

/// Records that go to the commit log at once.
const CHUNK: usize = 256;
/// How many versions of an account's tokens are skipped, so that no token that
/// was made after the backup has a valid version.
const VERSIONS_SKIPPED: u32 = 1 << 20;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// Records of the backup, without pictures and keys.
    pub records: u64,
    pub pictures: u64,
}

/// Why a backup could not be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("{} is not empty; a backup is restored into an empty folder only", .0.display())]
    NotEmpty(PathBuf),
    #[error("{} is not a whole backup: {why}", path.display())]
    NotABackup { path: PathBuf, why: String },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// Reads a backup to its end, and checks that it is whole and has keys.
pub fn check_backup(file: &Path, progress: &Progress) -> Result<(), RestoreError> {
    check(parts_of(file, "checking the backup", progress)?, file)
}

fn check(parts: PartReader<impl Read>, file: &Path) -> Result<(), RestoreError> {
    let (mut has_secret, mut has_keys) = (false, false);
    for part in parts {
        match part.map_err(not_a_backup(file))? {
            Part::Secret(bytes) => has_secret = bytes.len() == 32,
            Part::Keys(_) => has_keys = true,
            Part::Picture(name, _) if Picture::named(&name).is_none() => {
                return Err(not_a_backup(file)("a picture has an odd name"));
            }
            _ => {}
        }
    }
    if has_secret && has_keys { Ok(()) } else { Err(not_a_backup(file)("it has no keys")) }
}

/// Copies a backup that comes from a server, and says in the end whether it was
/// whole.
pub fn hand_on_backup(from: impl Read, to: impl Write) -> Result<(), RestoreError> {
    let name = Path::new("the backup");
    let mut copied = Copied { from, to: BufWriter::new(to) };
    let parts = PartReader::begin(&mut copied).map_err(not_a_backup(name))?;
    check(parts, name)?;
    // What was in the writer's hands may still fail, and a dropped one is silent.
    copied.to.flush().map_err(who_takes_it).map_err(io_at(name))
}

/// An error of whoever gets a backup that is handed on.
fn who_takes_it(error: io::Error) -> io::Error {
    let is_closed = error.kind() == ErrorKind::BrokenPipe;
    let why = "what it was handed to has closed the pipe before its end";
    if is_closed { io::Error::new(ErrorKind::BrokenPipe, why) } else { error }
}

/// A reader that also writes what it reads.
struct Copied<R, W> {
    from: R,
    to: W,
}

impl<R: Read, W: Write> Read for Copied<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(buffer)?;
        self.to.write_all(&buffer[..length]).map_err(who_takes_it)?;
        Ok(length)
    }
}

/// Puts a backup into an empty folder. The file is checked to its end before
/// anything is written.
pub fn restore(file: &Path, folder: &Path, progress: &Progress) -> Result<Restored, RestoreError> {
    check_backup(file, progress)?;
    for entry in if_there(fs::read_dir(folder)).map_err(io_at(folder))?.into_iter().flatten() {
        // A new ext4 file system is not quite empty.
        if entry.map_err(io_at(folder))?.file_name() != "lost+found" {
            return Err(RestoreError::NotEmpty(folder.to_owned()));
        }
    }
    make_private(folder).map_err(io_at(folder))?;
    put_back(parts_of(file, "restoring", progress)?, folder, progress).map_err(io_at(folder))
}

fn parts_of(
    file: &Path,
    what: &'static str,
    progress: &Progress,
) -> Result<PartReader<BufReader<Counting<File>>>, RestoreError> {
    let opened = File::open(file).map_err(io_at(file))?;
    progress.begin(what, Unit::Bytes, opened.metadata().ok().map(|about| about.len()));
    let parts = PartReader::begin(BufReader::new(progress.counting(opened)));
    parts.map_err(|error| match error.kind() {
        io::ErrorKind::Unsupported => io_at(file)(error),
        _ => not_a_backup(file)(error),
    })
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> RestoreError {
    move |source| RestoreError::Io { path: path.to_owned(), source }
}

fn not_a_backup<W: ToString>(file: &Path) -> impl FnOnce(W) -> RestoreError {
    move |why| RestoreError::NotABackup { path: file.to_owned(), why: why.to_string() }
}

fn put_back(parts: PartReader<impl Read>, folder: &Path, progress: &Progress) -> io::Result<Restored> {
    let unfinished = folder.join(UNFINISHED);
    write_whole(&unfinished, b"")?;
    let index_path = folder.join("index");
    make_private(&index_path)?;
    let index = Index::open(&index_path).map_err(io::Error::other)?;
    let (mut restored, mut keys) = (Restored::default(), Zeroizing::new(Vec::new()));
    let files = PictureFiles::open(folder.join("images"))?;
    for part in parts {
        match part? {
            Part::Secret(bytes) => Secret::restore(&folder.join("secret"), &bytes)?,
            Part::Keys(bytes) => keys.extend(bytes),
            Part::Picture(name, bytes) => {
                let Some(picture) = Picture::named(&name) else { continue };
                files.write(picture, &bytes)?;
                restored.pictures += 1;
            }
            Part::Put(key, value) => {
                let value = restored_value(&key, value)?;
                index.change(&key, value.as_deref()).map_err(io::Error::other)?;
            }
            Part::Remove(key) => index.change(&key, None).map_err(io::Error::other)?,
        }
    }
    KeyFile::make(&folder.join("keys"), &keys)?;
    let data = DataFolder::restored(folder)?;
    progress.begin("moving the groups to their log", Unit::Records, None);
    let events = rooms_to_log(&data, &index, progress)?;
    restored.records = index.index_sum().pairs + events;
    // The new commit log has only the rooms, so a later start needs an export to build
    // the index from.
    progress.begin("writing the first export", Unit::Records, Some(index.index_sum().pairs));
    Exports::of(&data).write_from(&index, progress)?;
    index.flush()?;
    IndexState::Clean.put(folder)?;
    File::open(folder)?.sync_all()?;
    fs::remove_file(unfinished)?;
    File::open(folder)?.sync_all()?;
    Ok(restored)
}

/// Moves the rooms' records from the index, where a backup has them, to a new
/// commit log. Returns how many there were.
fn rooms_to_log(folder: &DataFolder, index: &Index, progress: &Progress) -> io::Result<u64> {
    let keys = folder.join("keys");
    let (key_file, keyring) = KeyFile::open(KeyFile::hold(&keys, false)?, &keys, 0)?;
    let slots = key_file.slots().to_be_bytes();
    index.change(&key(Table::KeySlots, &[]), Some(&slots)).map_err(io::Error::other)?;
    let path = folder.join("commit-log");
    make_private(&path)?;
    let found = Found::read(path, folder.id(), true)?;
    let mut commit_log = found.goes_on_from_an_export().begin(clock::hour())?;
    let (mut changes, mut records, mut moved) = (Vec::new(), Vec::new(), 0);
    let mut before = None;
    for pair in index.under(&key(Table::RoomLog, &[])) {
        let (at, sealed) = pair.map_err(io::Error::other)?;
        let (id, last) = room_and_place(&at).ok_or_else(|| io::Error::other("a record has an odd name"))?;
        let end = before.map_or(0, |(room, end)| if room == id { end } else { 0 });
        before = Some((id, last));
        // If events before this record were forgotten, its places begin where
        // theirs did.
        let record = from_backup(&keyring, id, end, last, &sealed).map_err(io::Error::other)?;
        changes.extend(record.inspect(|_| moved += 1));
        records.push(at);
        progress.add(1);
        if changes.len() >= CHUNK {
            commit(&mut commit_log, std::mem::take(&mut changes), index)?;
        }
    }
    // They go all at once, also those of rooms without a key, which have ended.
    records.iter().try_for_each(|at| index.change(at, None)).map_err(io::Error::other)?;
    commit(&mut commit_log, changes, index)?;
    index.begin(folder.id(), commit_log.last_commit()).map_err(io::Error::other)?;
    commit_log.close()?;
    Ok(moved)
}

fn commit(commit_log: &mut CommitLog, changes: Vec<Change>, index: &Index) -> io::Result<()> {
    match commit_log.commit(changes, index.index_sum().bytes(), clock::hour()) {
        Ok(_) => Ok(()),
        Err(CommitError::Dead(error) | CommitError::Refused(error)) => Err(error),
    }
}

/// The value to restore, or `None`. A token that was signed out after the backup,
/// or a mailed link that was used, must not work again: so everybody has to sign
/// in again and ask for new links.
pub(crate) fn restored_value(key: &[u8], value: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    const LINKS: [Table; 4] = [Table::Reset, Table::ResetOf, Table::Confirm, Table::ConfirmOf];
    const SIGN_INS: [Table; 2] = [Table::SignIns, Table::SignInsEnd];
    // These are about the folder of the backup.
    const FOLDERS_OWN: [Table; 3] = [Table::At, Table::Folder, Table::KeySlots];
    let is_of = |table: Table| key.first() == Some(&(table as u8));
    if LINKS.into_iter().chain(SIGN_INS).chain(FOLDERS_OWN).any(is_of) {
        return Ok(None);
    }
    if is_of(Table::Access) { signed_out(&value).map(Some).map_err(io::Error::other) } else { Ok(Some(value)) }
}

/// An account's valid tokens, changed so that no token is valid.
pub(crate) fn signed_out(value: &[u8]) -> StoreResult<Vec<u8>> {
    let mut access: Access = decode(value)?;
    access.revoke_all_but(None);
    access.version = access.version.wrapping_add(VERSIONS_SKIPPED);
    encode(&access)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::parts::PartWriter;
    use crate::seals::SealKey;
    use crate::seals::keyring::{Keyring, Owner};

    #[test]
    fn keys_in_several_pieces_are_one_file() {
        let parent = tempfile::tempdir().unwrap();
        let (file, folder) = (parent.path().join("backup"), parent.path().join("data"));
        let mut parts = PartWriter::begin(File::create(&file).unwrap()).unwrap();
        let mut keyring = Keyring::default();
        keyring.hold(Owner::Feedback(uuid::Uuid::from_u128(7)), SealKey::random(None).unwrap());
        let all = keyring.copy();
        let pieces = [all[..100].to_vec(), all[100..].to_vec()];
        parts.write(&Part::Secret(vec![7; 32])).unwrap();
        pieces.iter().for_each(|piece| parts.write(&Part::Keys(piece.clone())).unwrap());
        parts.end().unwrap();
        assert_eq!(restore(&file, &folder, &Progress::default()).unwrap(), Restored { records: 1, pictures: 0 });
        let keys = fs::read(folder.join("keys")).unwrap();
        let (there, free) = keys.split_at(128);
        assert!(there == pieces.concat() && free.iter().all(|byte| *byte == 0));
    }
}
