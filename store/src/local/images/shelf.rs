//! The folder of pictures: `images/feedback/<id>.sealed`,
//! `images/<room>/<id>.sealed`.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::ledger::Ledger;
use super::picture::{Picture, album_name, album_named};
use crate::folder::{if_there, make_private, write_whole};
use crate::image::Album;

/// The folder of pictures. A clone is another handle.
#[derive(Debug, Clone)]
pub(crate) struct Shelf {
    folder: PathBuf,
    pub(super) ledger: Arc<Ledger>,
}

impl Shelf {
    /// Counts what is there, and removes what a crash left half written.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        make_private(&folder)?;
        let shelf = Self { folder, ledger: Arc::default() };
        for (album, _) in shelf.albums()? {
            for file in entries(&shelf.album(album))? {
                if file.path().extension().is_some_and(|it| it == "part") {
                    fs::remove_file(file.path())?;
                }
            }
            for picture in shelf.files(album)? {
                shelf.ledger.add(album, fs::metadata(shelf.path(picture))?.len());
            }
        }
        Ok(shelf)
    }

    /// Bytes of all pictures.
    pub(crate) fn bytes(&self) -> u64 {
        self.ledger.all()
    }

    fn album(&self, album: Album) -> PathBuf {
        self.folder.join(album_name(album))
    }

    pub(crate) fn path(&self, picture: Picture) -> PathBuf {
        self.folder.join(picture.name())
    }

    /// Every album there is, and when a picture last came or went.
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

    /// Every file.
    pub(crate) fn all(&self) -> io::Result<Vec<Picture>> {
        let albums = self.albums()?.into_iter().map(|(album, _)| self.files(album));
        Ok(albums.collect::<io::Result<Vec<_>>>()?.concat())
    }

    /// Writes a picture's file, in the place of one that is there.
    pub(crate) fn write(&self, picture: Picture, sealed: &[u8]) -> io::Result<()> {
        let (folder, path) = (self.album(picture.album), self.path(picture));
        let is_new = !folder.exists();
        make_private(&folder)?;
        let before = if_there(fs::metadata(&path))?;
        write_whole(&path, sealed)?;
        before.inspect(|before| self.ledger.release(picture.album, before.len()));
        if is_new { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }

    /// Removes a picture's file, which can't be read any more.
    pub(crate) fn remove(&self, picture: Picture) -> io::Result<()> {
        let path = self.path(picture);
        let Some(about) = if_there(fs::metadata(&path))? else { return Ok(()) };
        let removed = if_there(fs::remove_file(&path))?;
        removed.inspect(|()| self.ledger.release(picture.album, about.len()));
        Ok(())
    }

    pub(crate) fn remove_album(&self, album: Album) -> io::Result<()> {
        if_there(fs::remove_dir_all(self.album(album)))?;
        self.ledger.release_album(album);
        Ok(())
    }
}

fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    match fs::read_dir(folder).and_then(Iterator::collect) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        entries => entries,
    }
}
