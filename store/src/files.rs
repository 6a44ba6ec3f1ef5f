//! Folders and files that are private, and are whole after a crash.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Files are read in blocks of this size, which a device can read or not.
const BLOCK: usize = 4096;
/// A block that can't be read is filled with this. Zeros would mean that nothing was
/// written there.
const UNREADABLE: u8 = 0xEE;

/// Reads a file from its beginning, and fills blocks that the device can't read.
/// Returns how many bytes there are, and whether all of them could be read.
pub(crate) fn read_what_can_be(file: &File, bytes: &mut [u8]) -> (usize, bool) {
    let (mut read, mut is_whole) = (0, true);
    for block in bytes.chunks_mut(BLOCK) {
        match read_at(file, block, read as u64) {
            Ok(length) => {
                read += length;
                if length < block.len() {
                    break;
                }
            }
            Err(_) => {
                block.fill(UNREADABLE);
                (read, is_whole) = (read + block.len(), false);
            }
        }
    }
    (read, is_whole)
}

/// Reads the bytes at a place, or fewer if the file ends before.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Makes a folder that only its owner may enter.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o700))
}

/// Has only the owner of a folder's files open them, also of those in folders within.
pub(crate) fn make_files_private(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            make_files_private(&path)?;
        } else {
            // The index removes old files by itself.
            if_there(fs::set_permissions(&path, Permissions::from_mode(0o600)))?;
        }
    }
    Ok(())
}

/// Turns the error that there is no such file into `None`.
pub(crate) fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file. After a crash it is whole, or as it was before.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let named = path.parent().zip(path.file_name());
    let (folder, name) = named.ok_or_else(|| io::Error::other("a file needs a folder and a name"))?;
    let mut part_name = name.to_owned();
    part_name.push(".part");
    let part = folder.join(part_name);
    let written = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    // On a full disk half a file must not take space.
    written().inspect_err(|_| drop(fs::remove_file(&part)))?;
    File::open(folder)?.sync_all()
}
