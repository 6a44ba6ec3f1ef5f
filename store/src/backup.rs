//! A backup as a file: whether it is whole, and what of it is put back. Every engine writes such a file, and takes one.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::account::Access;
use crate::error::Result as StoreResult;
use crate::folder::parts::{Part, PartReader};
use crate::image::picture::Picture;
use crate::progress::{Counting, Progress, Unit};
use crate::shapes::{decode, encode};
use crate::table::Table;

/// How many versions of an account's tokens are skipped, so that no token that
/// was made after the backup has a valid version.
const VERSIONS_SKIPPED: u32 = 1 << 20;

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

/// The parts of a backup, whose progress is shown with these words.
pub(crate) fn parts_of(
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

pub(crate) fn io_at(path: &Path) -> impl FnOnce(io::Error) -> RestoreError {
    move |source| RestoreError::Io { path: path.to_owned(), source }
}

fn not_a_backup<W: ToString>(file: &Path) -> impl FnOnce(W) -> RestoreError {
    move |why| RestoreError::NotABackup { path: file.to_owned(), why: why.to_string() }
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
fn signed_out(value: &[u8]) -> StoreResult<Vec<u8>> {
    let mut access: Access = decode(value)?;
    access.revoke_all_but(None);
    access.version = access.version.wrapping_add(VERSIONS_SKIPPED);
    encode(&access)
}
