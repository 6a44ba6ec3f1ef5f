//! Folders and files that are private, and are whole after a crash.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes a folder that only its owner may enter.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o700))
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
