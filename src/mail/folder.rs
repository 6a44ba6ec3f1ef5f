//! Mails as `.eml` files, where the operator asked for them by
//! `--mail-folder`. They hold addresses and links in plain text, so they are
//! overwritten before they are unlinked, and soon.

use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime};

use annon_actors::ids::growing_id;
use annon_contract::limits::RESET_LIFETIME;
use uuid::Uuid;

/// Writes one mail to a file of its own.
pub(super) fn put(folder: &Path, bytes: &[u8]) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let name = growing_id();
    let part = folder.join(format!("{name}.part"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(bytes)?;
    fs::rename(part, folder.join(format!("{name}.eml")))
}

/// Removes mails that are older than a reset link works. Other files stay: the
/// folder is the operator's.
pub(super) fn clear_old(folder: &Path, now: Duration) -> io::Result<()> {
    let until = SystemTime::UNIX_EPOCH + now.saturating_sub(RESET_LIFETIME);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let (path, known) = (entry.path(), entry.metadata()?);
        if is_ours(&path) && known.modified()? < until {
            destroy(&path, &known)?;
        }
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    let is_mail = path.extension().is_some_and(|extension| extension == "eml" || extension == "part");
    is_mail && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| Uuid::try_parse(stem).is_ok())
}

/// Overwrites a file where it lies, syncs, and then unlinks it. What is not a
/// plain file (a link to one, say) is only unlinked.
fn destroy(path: &Path, known: &Metadata) -> io::Result<()> {
    if known.is_file() {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let nothing = vec![0; usize::try_from(known.len()).map_err(io::Error::other)?];
        file.write_all(&nothing)?;
        file.sync_all()?;
    }
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Read, Seek, SeekFrom};

    /// The bytes of a file that has no name any more.
    fn reread(file: &mut File) -> Vec<u8> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn only_old_mails_of_ours_are_cleared_from_a_folder_somebody_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        put(folder.path(), b"To: some@body.example").unwrap();
        let mail = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        for name in ["thesis.eml", "photo.jpg"] {
            fs::write(at(name), "mine").unwrap();
        }
        let mut held_open = File::open(&mail).unwrap();
        let written = fs::metadata(&mail).unwrap().modified().unwrap();
        let written = written.duration_since(SystemTime::UNIX_EPOCH).unwrap();

        clear_old(folder.path(), written + RESET_LIFETIME).unwrap();
        assert!(mail.exists());
        clear_old(folder.path(), written + RESET_LIFETIME + Duration::from_secs(1)).unwrap();
        assert!(!mail.exists() && at("thesis.eml").exists() && at("photo.jpg").exists());
        assert_eq!(reread(&mut held_open), [0; 21]);
        clear_old(&at("nowhere"), written).unwrap();
    }
}
