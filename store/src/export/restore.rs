//! A backup becomes a data folder.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::export::Rebuild;
use crate::export::fall_back::signed_out;
use crate::folder::frame::{Frame, FrameReader};
use crate::folder::{UNFINISHED, make_private, write_whole};
use crate::image::shelf::{self, Shelf};
use crate::seals::keyring::KeyFile;
use crate::seals::secret::Secret;
use crate::sled::Table;

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
        /// Its path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Reads a backup to its end: whether it is whole, unchanged, and stands on
/// its own.
pub fn check_backup(file: &Path) -> Result<(), RestoreError> {
    let not_a_backup = |why: io::Error| not_a_backup(file, &why);
    let (mut has_secret, mut has_keys) = (false, false);
    for frame in FrameReader::begin(open(file)?).map_err(not_a_backup)? {
        match frame.map_err(not_a_backup)? {
            Frame::Secret(bytes) => has_secret = bytes.len() == 32,
            Frame::Keys(_) => has_keys = true,
            Frame::Picture(name, _) if shelf::named(&name).is_none() => {
                return Err(not_a_backup(io::Error::other("a picture has an odd name")));
            }
            _ => {}
        }
    }
    if has_secret && has_keys { Ok(()) } else { Err(not_a_backup(io::Error::other("it has no keys"))) }
}

/// Puts a backup into an empty folder. The file is checked to its end before
/// anything is written.
pub fn restore(file: &Path, folder: &Path) -> Result<Restored, RestoreError> {
    check_backup(file)?;
    make_private(folder).map_err(io_at(folder))?;
    if fs::read_dir(folder).map_err(io_at(folder))?.next().is_some() {
        return Err(RestoreError::NotEmpty(folder.to_owned()));
    }
    let frames = FrameReader::begin(open(file)?).map_err(|why| not_a_backup(file, &why))?;
    put_back(frames, folder).map_err(io_at(folder))
}

fn open(file: &Path) -> Result<BufReader<File>, RestoreError> {
    File::open(file).map(BufReader::new).map_err(io_at(file))
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> RestoreError {
    let path = path.to_owned();
    move |source| RestoreError::Io { path, source }
}

fn not_a_backup(file: &Path, why: &io::Error) -> RestoreError {
    RestoreError::NotABackup { path: file.to_owned(), why: why.to_string() }
}

fn put_back(frames: FrameReader<impl io::Read>, folder: &Path) -> io::Result<Restored> {
    let unfinished = folder.join(UNFINISHED);
    write_whole(&unfinished, b"")?;
    let database = folder.join("db");
    make_private(&database)?;
    let mut rebuild = Rebuild::begin(&database, true)?;
    let (mut restored, mut keys) = (Restored::default(), Zeroizing::new(Vec::new()));
    let shelf = Shelf::open(folder.join("images"))?;
    for frame in frames {
        match frame? {
            Frame::Secret(bytes) => Secret::restore(&folder.join("secret"), &bytes)?,
            Frame::Keys(bytes) => keys.extend(bytes),
            Frame::Picture(name, bytes) => {
                let Some((album, id)) = shelf::named(&name) else { continue };
                make_private(&shelf.album(album))?;
                write_whole(&shelf.path(album, id), &bytes)?;
                restored.pictures += 1;
            }
            Frame::Put(key, value) => {
                let value = restored_value(&key, value)?;
                rebuild.change(key, value)?;
            }
            Frame::Remove(key) => rebuild.change(key, None)?,
        }
    }
    KeyFile::restore(&folder.join("keys"), &keys)?;
    restored.records = rebuild.finish()?.reader().records().count() as u64;
    File::open(folder)?.sync_all()?;
    fs::remove_file(unfinished)?;
    File::open(folder)?.sync_all()?;
    Ok(restored)
}

/// A token that was signed out after the backup, or a mailed link that was
/// used, must not work again: everybody signs in again and asks for new links.
fn restored_value(key: &[u8], value: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    const ACCESS: u8 = Table::Access as u8;
    const RESET: u8 = Table::Reset as u8;
    const RESET_OF: u8 = Table::ResetOf as u8;
    const CONFIRM: u8 = Table::Confirm as u8;
    const CONFIRM_OF: u8 = Table::ConfirmOf as u8;
    match key.first() {
        Some(&ACCESS) => signed_out(&value).map(Some).map_err(io::Error::other),
        Some(&(RESET | RESET_OF | CONFIRM | CONFIRM_OF)) => Ok(None),
        _ => Ok(Some(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::frame::FrameWriter;

    #[test]
    fn keys_in_several_pieces_are_one_file() {
        let parent = tempfile::tempdir().unwrap();
        let (file, folder) = (parent.path().join("backup"), parent.path().join("data"));
        let mut frames = FrameWriter::begin(File::create(&file).unwrap()).unwrap();
        let pieces = [vec![1; 100], vec![2; 28]];
        frames.write(&Frame::Secret(vec![7; 32])).unwrap();
        pieces.iter().for_each(|piece| frames.write(&Frame::Keys(piece.clone())).unwrap());
        frames.end().unwrap();
        assert_eq!(restore(&file, &folder).unwrap(), Restored::default());
        let keys = fs::read(folder.join("keys")).unwrap();
        let (there, free) = keys.split_at(128);
        assert!(there == pieces.concat() && free.iter().all(|byte| *byte == 0));
    }
}
