//! The folder of pictures: `images/feedback/<id>.sealed`,
//! `images/<room>/<id>.sealed`.

use std::collections::HashMap;
use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use annon_contract::limits::ACCOUNT_PICTURE_BYTES;
use parking_lot::Mutex;

use crate::error::{Result, StoreError};
use crate::files::{if_there, make_private, write_whole};
use crate::image::Album;
use crate::image::picture::{Picture, album_name, album_named};

/// The folder of pictures. A clone is another handle.
#[derive(Debug, Clone)]
pub(crate) struct PictureFiles {
    folder: PathBuf,
    /// How many bytes the files of each album have.
    held: Arc<Mutex<HashMap<Album, u64>>>,
}

impl PictureFiles {
    /// Counts the files, and removes those that a crash left half written.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        make_private(&folder)?;
        let files = Self { folder, held: Arc::default() };
        for (album, _) in files.albums()? {
            for file in entries(&files.album(album))? {
                if file.path().extension().is_some_and(|it| it == "part") {
                    fs::remove_file(file.path())?;
                }
            }
            for picture in files.files(album)? {
                let bytes = if_there(fs::metadata(files.path(picture)))?.map_or(0, |about| about.len());
                *files.held.lock().entry(album).or_default() += bytes;
            }
        }
        Ok(files)
    }

    /// Works with the files on another thread. The work is done to its end even if
    /// the caller does not wait any more.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let files = self.clone();
        match tokio::task::spawn_blocking(move || work(&files)).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) if error.kind() == io::ErrorKind::StorageFull => Err(StoreError::DiskFull),
            Ok(Err(error)) => {
                tracing::error!(kind = ?error.kind(), "a picture's file can't be used");
                Err(StoreError::Unavailable)
            }
            Err(_) => Err(StoreError::Unavailable),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.held.lock().values().sum()
    }

    /// Counts a picture that is to be written. `DiskFull` when all pictures would
    /// have more than `most` bytes, `Full` when those of one creator's rooms would
    /// have more than an account may have.
    pub(crate) fn reserve(&self, album: Album, bytes: u64, rooms_of_creator: &[Album], most: u64) -> Result<()> {
        let mut held = self.held.lock();
        let all: u64 = held.values().sum();
        if all.saturating_add(bytes) > most {
            return Err(StoreError::DiskFull);
        }
        let theirs: u64 = rooms_of_creator.iter().filter_map(|room| held.get(room)).sum();
        if theirs.saturating_add(bytes) > ACCOUNT_PICTURE_BYTES && !rooms_of_creator.is_empty() {
            return Err(StoreError::Full);
        }
        *held.entry(album).or_default() += bytes;
        Ok(())
    }

    /// Counts a picture that is gone, or was not written.
    pub(crate) fn release(&self, album: Album, bytes: u64) {
        if let Some(held) = self.held.lock().get_mut(&album) {
            *held = held.saturating_sub(bytes);
        }
    }

    fn album(&self, album: Album) -> PathBuf {
        self.folder.join(album_name(album))
    }

    pub(crate) fn path(&self, picture: Picture) -> PathBuf {
        self.folder.join(picture.name())
    }

    /// Every album, and when a picture was last added or removed.
    pub(crate) fn albums(&self) -> io::Result<Vec<(Album, SystemTime)>> {
        let mut albums = Vec::new();
        for entry in entries(&self.folder)? {
            if let Some(album) = album_named(&entry.file_name().to_string_lossy()) {
                albums.push((album, entry.metadata()?.modified()?));
            }
        }
        Ok(albums)
    }

    pub(crate) fn files(&self, album: Album) -> io::Result<Vec<Picture>> {
        let folder = album_name(album);
        let picture = |entry: DirEntry| Picture::named(&format!("{folder}/{}", entry.file_name().to_string_lossy()));
        Ok(entries(&self.album(album))?.into_iter().filter_map(picture).collect())
    }

    pub(crate) fn all(&self) -> io::Result<Vec<Picture>> {
        let albums = self.albums()?.into_iter().map(|(album, _)| self.files(album));
        Ok(albums.collect::<io::Result<Vec<_>>>()?.concat())
    }

    /// Writes a picture's file, or replaces it.
    pub(crate) fn write(&self, picture: Picture, sealed: &[u8]) -> io::Result<()> {
        let (folder, path) = (self.album(picture.album), self.path(picture));
        let is_new = !folder.exists();
        make_private(&folder)?;
        let before = if_there(fs::metadata(&path))?;
        write_whole(&path, sealed)?;
        before.inspect(|before| self.release(picture.album, before.len()));
        if is_new { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }

    /// Removes a picture's file. Its key is destroyed before.
    pub(crate) fn remove(&self, picture: Picture) -> io::Result<()> {
        let path = self.path(picture);
        let Some(about) = if_there(fs::metadata(&path))? else { return Ok(()) };
        let removed = if_there(fs::remove_file(&path))?;
        removed.inspect(|()| self.release(picture.album, about.len()));
        Ok(())
    }

    pub(crate) fn remove_all(&self, pictures: &[Picture]) -> io::Result<()> {
        pictures.iter().try_for_each(|picture| self.remove(*picture))
    }

    pub(crate) fn remove_album(&self, album: Album) -> io::Result<()> {
        if_there(fs::remove_dir_all(self.album(album)))?;
        self.held.lock().remove(&album);
        Ok(())
    }
}

fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    match fs::read_dir(folder).and_then(Iterator::collect) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        entries => entries,
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use uuid::Uuid;

    use super::*;

    const PLENTY: u64 = u64::MAX;

    fn files() -> (TempDir, PictureFiles) {
        let folder = tempfile::tempdir().unwrap();
        let files = PictureFiles::open(folder.path().to_owned()).unwrap();
        (folder, files)
    }

    fn room(n: u128) -> Album {
        Album::Room(Uuid::from_u128(n))
    }

    #[test]
    fn a_creator_and_all_together_have_so_much_and_no_more() {
        let (_folder, files) = files();
        let theirs = [room(1), room(2)];
        assert_eq!(files.reserve(room(1), ACCOUNT_PICTURE_BYTES - 10, &theirs, PLENTY), Ok(()));
        assert_eq!(files.reserve(room(2), 11, &theirs, PLENTY), Err(StoreError::Full));
        assert_eq!(files.reserve(room(2), 10, &theirs, PLENTY), Ok(()));
        assert_eq!(files.reserve(room(3), 11, &[room(3)], PLENTY), Ok(()), "somebody else's");
        assert_eq!(files.reserve(Album::Feedback, ACCOUNT_PICTURE_BYTES, &[], PLENTY), Ok(()), "nobody's");
        assert_eq!(files.bytes(), 2 * ACCOUNT_PICTURE_BYTES + 11);
        assert_eq!(files.reserve(room(3), 1, &[room(3)], files.bytes()), Err(StoreError::DiskFull));
    }

    #[test]
    fn what_goes_makes_room_once() {
        let (_folder, files) = files();
        files.reserve(room(1), 100, &[], PLENTY).unwrap();
        files.reserve(room(2), 50, &[], PLENTY).unwrap();
        files.release(room(1), 40);
        assert_eq!(files.bytes(), 110);
        files.remove_album(room(1)).unwrap();
        // A picture was being stored when its album was removed.
        files.release(room(1), 60);
        files.remove_album(room(1)).unwrap();
        assert_eq!(files.bytes(), 50);
    }
}
