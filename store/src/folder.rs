//! The data folder: its lock, its secret, and why it can be refused.

use std::fs::{self, DirEntry, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::files::make_private;
use crate::seals::secret::Secret;

pub(crate) mod ballast;
pub(crate) mod parts;
pub(crate) mod space;

/// A folder with this file was not restored to the end.
pub(crate) const UNFINISHED: &str = "restore-unfinished";

/// Why a data folder can't be used, for the person who tried to start.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("another annon is running on the data folder {}: stop it first, or name another folder with --data-dir", .0.display())]
    Locked(PathBuf),
    #[error("can't use {}: {source}{}", path.display(), advice(source))]
    Io { path: PathBuf, source: io::Error },
    #[error(
        "{} is missing from a data folder that is in use: without it nothing in there can be read. \
         Put the file back, or restore a backup into an empty folder",
        .0.display()
    )]
    Missing(PathBuf),
    #[error("a restore into {} did not finish: empty the folder and restore again", .0.display())]
    Unfinished(PathBuf),
    #[error(
        "the commit log in {}: {why}. Nothing was changed. Put its files back as they were, or restore a backup into an empty \
         folder (annon restore), and keep this one",
        path.display()
    )]
    CommitLog { path: PathBuf, why: String },
    /// The index is damaged, and there is nothing to rebuild it from.
    #[error(
        "the index in {} can't be used ({why}), and there is nothing to rebuild it from ({export}). Restore a backup \
         into an empty folder (annon restore), and keep this one",
        path.display()
    )]
    Damaged { path: PathBuf, why: String, export: String },
}

/// What somebody can do about an error of the system.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            ". The data folder and all that is in it has to belong to the user who runs annon (chown -R)"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ". Nothing is lost. A start takes a few megabytes: free some on this disk, but not in annon's folder, \
             and start again"
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            ". Nothing was changed. Systems do that to a file system whose disk has failed: see what the kernel says \
             (dmesg), copy the folder to another disk, and start there"
        }
        io::ErrorKind::NotADirectory => ". Name a folder with --data-dir",
        // An error of the system of this kind is about something else.
        io::ErrorKind::Unsupported if error.raw_os_error().is_none() => {
            ". Nothing was changed. Start the newer annon that wrote this"
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => {
            ". This start has lost nothing. The disk can't read or write this place: copy what can be read of the \
             folder to another disk and start there, or restore a backup into an empty folder (annon restore)"
        }
        _ => "",
    }
}

pub(crate) trait At<T> {
    /// Adds the path to an error.
    fn at(self, path: &Path) -> Result<T, OpenError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, OpenError> {
        self.map_err(|source| OpenError::Io { path: path.to_owned(), source })
    }
}

/// The folder, which is locked for this process until this is dropped.
#[derive(Debug)]
pub(crate) struct DataFolder {
    path: PathBuf,
    pub(crate) secret: Secret,
    /// Whether the folder was in use before it was taken.
    pub(crate) was_in_use: bool,
    _lock: File,
}

impl DataFolder {
    /// Locks the folder. If it is not there, it is made, with its secret.
    pub(crate) fn take(path: &Path) -> Result<Self, OpenError> {
        make_private(path).at(path)?;
        let lock_path = path.join("lock");
        let lock =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&lock_path).at(&lock_path)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(OpenError::Io { path: lock_path, source }),
        }
        if path.join(UNFINISHED).exists() {
            return Err(OpenError::Unfinished(path.to_owned()));
        }
        let has = |name: &str| path.join(name).exists();
        // If one of these is there, the folder was in use. A file of the commit log that has
        // no more than a header may be left by a first start that was cut off.
        let has_frames = |file: &DirEntry| file.metadata().is_ok_and(|about| about.len() > 64);
        let has_commit_log =
            fs::read_dir(path.join("commit-log")).is_ok_and(|files| files.flatten().any(|file| has_frames(&file)));
        let was_in_use = has_commit_log || has("index.state") || path.join("export").join("last").exists();
        for needed in ["secret", "keys"] {
            let needed = path.join(needed);
            if was_in_use && !needed.exists() {
                return Err(OpenError::Missing(needed));
            }
        }
        let secret_path = path.join("secret");
        let secret = Secret::at(&secret_path).at(&secret_path)?;
        Ok(Self { path: path.to_owned(), secret, was_in_use, _lock: lock })
    }

    /// A folder that is being restored.
    pub(crate) fn restored(path: &Path) -> io::Result<Self> {
        let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path.join("lock"))?;
        let secret = Secret::at(&path.join("secret"))?;
        Ok(Self { path: path.to_owned(), secret, was_in_use: true, _lock: lock })
    }

    /// The id that its files have in them.
    pub(crate) fn id(&self) -> [u8; 16] {
        let mut id = [0; 16];
        id.copy_from_slice(&self.secret.derive("folder id")[..16]);
        id
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the folder, so that new files are found after a power cut.
    pub(crate) fn sync(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()?;
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
            _ => Ok(()),
        }
    }

    /// Writes the secret's file again, if a bit of it was repaired.
    pub(crate) fn write_mended_secret(&mut self) -> Result<(), OpenError> {
        let path = self.join("secret");
        self.secret.write_if_mended(&path).at(&path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_can_be_done() {
        use rustix::io::Errno;
        let sentence = |errno: Errno| {
            let source = io::Error::from_raw_os_error(errno.raw_os_error());
            OpenError::Io { path: "/somewhere".into(), source }.to_string()
        };
        for (errno, advice) in [
            (Errno::ACCESS, "chown"),
            (Errno::NOSPC, "free some"),
            (Errno::DQUOT, "free some"),
            (Errno::ROFS, "dmesg"),
            (Errno::IO, "annon restore"),
            (Errno::NOTDIR, "--data-dir"),
        ] {
            assert!(sentence(errno).contains(advice), "{}", sentence(errno));
        }
    }
}
