//! The folder of pictures, by names: `images/feedback/<id>.sealed`,
//! `images/<room>/<id>.sealed`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uuid::Uuid;

use crate::folder::make_private;
use crate::image::{Album, ImageId};

/// What a picture's file is called after.
const SEALED: &str = "sealed";
/// The ending of a file that is still being written.
const PART: &str = "part";

/// The folder of pictures.
#[derive(Debug, Clone)]
pub(crate) struct Shelf(PathBuf);

/// A picture's file.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) album: Album,
    pub(crate) id: ImageId,
    pub(crate) path: PathBuf,
}

impl Shelf {
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        make_private(&folder)?;
        Ok(Self(folder))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    pub(crate) fn album(&self, album: Album) -> PathBuf {
        match album {
            Album::Feedback => self.0.join("feedback"),
            Album::Room(id) => self.0.join(id.to_string()),
        }
    }

    pub(crate) fn path(&self, album: Album, id: ImageId) -> PathBuf {
        self.album(album).join(format!("{}.{SEALED}", id.0))
    }

    /// Every album there is, and when a picture last came or went.
    pub(crate) fn albums(&self) -> io::Result<Vec<(Album, SystemTime)>> {
        let mut albums = Vec::new();
        for entry in read_dir_if_there(&self.0)? {
            let entry = entry?;
            if let Some(album) = album_named(&entry.file_name().to_string_lossy()) {
                albums.push((album, entry.metadata()?.modified()?));
            }
        }
        Ok(albums)
    }

    pub(crate) fn files(&self, album: Album) -> io::Result<Vec<Found>> {
        let mut files = Vec::new();
        for entry in read_dir_if_there(&self.album(album))? {
            let path = entry?.path();
            let id = path.file_stem().and_then(|stem| Uuid::try_parse(&stem.to_string_lossy()).ok());
            if let Some(id) = id.filter(|_| path.extension().is_some_and(|it| it == SEALED)) {
                files.push(Found { album, id: ImageId(id), path });
            }
        }
        Ok(files)
    }

    /// Every file.
    pub(crate) fn all(&self) -> io::Result<Vec<Found>> {
        let mut all = Vec::new();
        for (album, _) in self.albums()? {
            all.extend(self.files(album)?);
        }
        Ok(all)
    }

    /// Files that were being written when the process ended.
    pub(crate) fn unfinished(&self) -> io::Result<Vec<PathBuf>> {
        let mut unfinished = Vec::new();
        for (album, _) in self.albums()? {
            for entry in read_dir_if_there(&self.album(album))? {
                let path = entry?.path();
                unfinished.extend(Some(path).filter(|path| path.extension().is_some_and(|it| it == PART)));
            }
        }
        Ok(unfinished)
    }
}

fn album_named(name: &str) -> Option<Album> {
    if name == "feedback" { Some(Album::Feedback) } else { Uuid::try_parse(name).ok().map(Album::Room) }
}

/// What a picture's name in a backup says, `<album>/<id>.sealed`, if it leads
/// nowhere else.
pub(crate) fn named(name: &str) -> Option<(Album, ImageId)> {
    let (album, file) = name.split_once('/')?;
    let (id, extension) = file.split_once('.')?;
    let id = Uuid::try_parse(id).ok().map(ImageId).filter(|_| extension == SEALED)?;
    Some((album_named(album)?, id))
}

fn read_dir_if_there(path: &Path) -> io::Result<Vec<io::Result<fs::DirEntry>>> {
    match fs::read_dir(path) {
        Ok(entries) => Ok(entries.collect()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pictures_name_is_one() {
        let id = "5f2c1c9e-0000-4000-8000-000000000001";
        let room = Uuid::try_parse(id).unwrap();
        assert_eq!(named(&format!("feedback/{id}.sealed")), Some((Album::Feedback, ImageId(room))));
        assert_eq!(named(&format!("{id}/{id}.sealed")), Some((Album::Room(room), ImageId(room))));
        for odd in ["", "/", "feedback/x.sealed", "../feedback/a.sealed", "feedback/../../keys", "keys", "feedback"] {
            assert_eq!(named(odd), None, "{odd}");
        }
        assert_eq!(named(&format!("feedback/{id}.jpg")), None);
        assert_eq!(named(&format!("feedback/{id}.sealed.part")), None);
        assert_eq!(named(&format!("elsewhere/{id}.sealed")), None);
    }
}
