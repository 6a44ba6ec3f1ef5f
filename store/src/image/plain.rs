//! Pictures that an earlier version left as plain files: they are sealed at
//! the next start, and what was readable is overwritten.
//!
//! A picture is sealed first, its key is on disk next, and only then the
//! plain file is filled with zeros and removed. Whatever moment a crash
//! chooses, the next start finds either a plain file that nothing has
//! happened to or a sealed one that opens, and goes on from there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::folder::write_whole;
use crate::image::shelf::{Found, PLAIN, Shelf};
use crate::image::{Album, ImageId, sealed};
use crate::keyring::{KeyFile, Keyring};

/// Pictures whose keys share a sync.
const AT_ONCE: usize = 64;
/// Zeros written at once.
const ZEROS: [u8; 16 * 1024] = [0; 16 * 1024];

/// Seals every plain picture that is still wanted, and overwrites all of
/// them. How many there were.
pub(crate) fn seal_all(
    shelf: &Shelf,
    keys: &mut KeyFile,
    ring: &mut Keyring,
    is_wanted: impl Fn(Album, ImageId) -> bool,
) -> io::Result<usize> {
    for path in shelf.unfinished()? {
        // Earlier versions wrote a picture as it was.
        shred(&path)?;
    }
    let plain = shelf.all(PLAIN)?;
    if plain.is_empty() {
        return Ok(0);
    }
    tracing::info!(pictures = plain.len(), "sealing the pictures that an earlier version left unsealed");
    for some in plain.chunks(AT_ONCE) {
        let mut new = Vec::new();
        for Found { album, id, path } in some.iter().filter(|it| is_wanted(it.album, it.id)) {
            let to = shelf.path(*album, *id);
            let opens =
                || Some(ring.key(sealed::key_id(*album, *id))?.open(&sealed::place(*album, *id), &fs::read(&to).ok()?));
            // This was begun before, and the plain file may be half zeros.
            if opens().is_some_and(|opened| opened.is_ok()) {
                continue;
            }
            let known = ring.key(sealed::key_id(*album, *id)).cloned();
            let key = known.clone().map_or_else(|| sealed::new_key(*album, *id), Ok).map_err(io::Error::other)?;
            let bytes = key.seal(&sealed::place(*album, *id), &fs::read(path)?).map_err(io::Error::other)?;
            write_whole(&to, &bytes)?;
            // It waits for a message no longer than it would have.
            File::open(&to)?.set_modified(fs::metadata(path)?.modified()?)?;
            if known.is_none() {
                new.push((sealed::owner(*album, *id), key));
            }
        }
        keys.add(&new)?;
        new.into_iter().for_each(|(owner, key)| ring.hold(owner, key));
        some.iter().try_for_each(|it| shred(&it.path))?;
    }
    Ok(plain.len())
}

/// Overwrites a file where it stands, and removes it.
fn shred(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let mut left = file.metadata()?.len();
    while left > 0 {
        let some = left.min(ZEROS.len() as u64);
        file.write_all(&ZEROS[..some as usize])?;
        left -= some;
    }
    file.sync_all()?;
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use uuid::Uuid;

    const ROOM: Album = Album::Room(Uuid::from_u128(7));
    const ONE: ImageId = ImageId(Uuid::from_u128(1));

    struct Place {
        _folder: tempfile::TempDir,
        shelf: Shelf,
        keys: PathBuf,
        plain: PathBuf,
    }

    impl Place {
        fn with(bytes: &[u8]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let shelf = Shelf::open(folder.path().join("images")).unwrap();
            fs::create_dir(shelf.album(ROOM)).unwrap();
            let plain = shelf.album(ROOM).join(format!("{}.jpg", ONE.0));
            fs::write(&plain, bytes).unwrap();
            Self { keys: folder.path().join("keys"), _folder: folder, shelf, plain }
        }

        fn seal_all(&self) -> usize {
            let (mut keys, mut ring) = KeyFile::open(&self.keys, None).unwrap();
            seal_all(&self.shelf, &mut keys, &mut ring, |_, _| true).unwrap()
        }

        fn holds(&self, bytes: &[u8]) {
            let (_, ring) = KeyFile::open(&self.keys, None).unwrap();
            let key = ring.key(sealed::key_id(ROOM, ONE)).unwrap();
            assert_eq!(ring.keys_of(sealed::owner(ROOM, ONE)).len(), 1);
            let file = fs::read(self.shelf.path(ROOM, ONE)).unwrap();
            assert_eq!(key.open_in_place(&sealed::place(ROOM, ONE), file).as_deref(), Ok(bytes));
            assert!(!self.plain.exists());
        }
    }

    #[test]
    fn a_plain_picture_becomes_a_sealed_one_once() {
        let place = Place::with(b"pixels");
        assert_eq!(place.seal_all(), 1);
        place.holds(b"pixels");
        assert_eq!(place.seal_all(), 0);
        place.holds(b"pixels");
    }

    #[test]
    fn it_goes_on_wherever_it_was_cut_short() {
        // Sealed, and no key: what is sealed is of no use to anybody.
        let place = Place::with(b"pixels");
        fs::write(place.shelf.path(ROOM, ONE), b"sealed with a key that is lost").unwrap();
        place.seal_all();
        place.holds(b"pixels");
        // Sealed, with its key, and the plain one half overwritten.
        fs::write(&place.plain, b"\0\0\0els").unwrap();
        place.seal_all();
        place.holds(b"pixels");
        // A key, and a sealed file that does not open.
        fs::write(&place.plain, b"pixels").unwrap();
        fs::write(place.shelf.path(ROOM, ONE), b"damaged").unwrap();
        place.seal_all();
        place.holds(b"pixels");
        // One that was being written.
        let part = place.shelf.album(ROOM).join("x.jpg.part");
        fs::write(&part, b"half").unwrap();
        place.seal_all();
        assert!(!part.exists());
    }

    #[test]
    fn what_was_readable_is_overwritten_and_not_only_removed() {
        let place = Place::with(&[7; 40_000]);
        // Another name for the same bytes on the disk.
        let other = place.keys.with_file_name("other");
        fs::hard_link(&place.plain, &other).unwrap();
        place.seal_all();
        assert_eq!(fs::read(other).unwrap(), [0; 40_000]);
    }

    #[test]
    fn what_nobody_refers_to_is_overwritten_and_not_sealed() {
        let place = Place::with(b"pixels");
        let (mut keys, mut ring) = KeyFile::open(&place.keys, None).unwrap();
        seal_all(&place.shelf, &mut keys, &mut ring, |_, _| false).unwrap();
        assert!(!place.plain.exists() && !place.shelf.path(ROOM, ONE).exists());
        assert_eq!(ring.owners().count(), 0);
    }
}
