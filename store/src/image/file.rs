//! Pictures as files: `images/feedback/<id>.jpg`, `images/<room>/<id>.jpg`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use uuid::Uuid;

use crate::account::Timestamp;
use crate::disk_space::DiskSpace;
use crate::error::{Result, StoreError};
use crate::folder::{make_private, write_whole};
use crate::image::{Album, ImageId, Images, Kept};

pub(crate) struct FileImages {
    folder: PathBuf,
    space: Arc<DiskSpace>,
}

impl FileImages {
    pub(crate) fn open(folder: PathBuf, space: Arc<DiskSpace>) -> io::Result<Self> {
        make_private(&folder)?;
        Ok(Self { folder, space })
    }

    fn album(&self, album: Album) -> PathBuf {
        match album {
            Album::Feedback => self.folder.join("feedback"),
            Album::Room(id) => self.folder.join(id.to_string()),
        }
    }

    fn path(&self, album: Album, id: ImageId) -> PathBuf {
        self.album(album).join(format!("{}.jpg", id.0))
    }

    /// Every picture of an album that was there before `until`.
    pub(crate) fn ids(&self, album: Album, until: SystemTime) -> io::Result<Vec<ImageId>> {
        let mut ids = Vec::new();
        for entry in read_dir_if_there(&self.album(album))? {
            let entry = entry?;
            let id = entry.path().file_stem().and_then(|stem| Uuid::try_parse(&stem.to_string_lossy()).ok());
            match id {
                Some(id) if entry.metadata()?.modified()? < until => ids.push(ImageId(id)),
                _ => {}
            }
        }
        Ok(ids)
    }

    /// Every room with an album that did not change since `until`.
    pub(crate) fn rooms(&self, until: SystemTime) -> io::Result<Vec<Uuid>> {
        let mut rooms = Vec::new();
        for entry in read_dir_if_there(&self.folder)? {
            let entry = entry?;
            match Uuid::try_parse(&entry.file_name().to_string_lossy()) {
                Ok(room) if entry.metadata()?.modified()? < until => rooms.push(room),
                _ => {}
            }
        }
        Ok(rooms)
    }

    /// Removes files that were being written when the process ended.
    pub(crate) fn drop_unfinished(&self) -> io::Result<()> {
        for album in read_dir_if_there(&self.folder)? {
            for file in read_dir_if_there(&album?.path())? {
                let path = file?.path();
                if path.extension().is_some_and(|extension| extension == "part") {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }

    /// Every picture's name below the folder, for a backup.
    pub(crate) fn names(&self) -> io::Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        for album in read_dir_if_there(&self.folder)? {
            let album = album?;
            for file in read_dir_if_there(&album.path())? {
                let name = Path::new(&album.file_name()).join(file?.file_name());
                if name.extension().is_some_and(|extension| extension == "jpg") {
                    names.push(name);
                }
            }
        }
        Ok(names)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

fn read_dir_if_there(path: &Path) -> io::Result<Vec<io::Result<fs::DirEntry>>> {
    match fs::read_dir(path) {
        Ok(entries) => Ok(entries.collect()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// A clock set before 1970 is as good as one that says 1970.
fn changed(about: &fs::Metadata) -> io::Result<Timestamp> {
    Ok(about.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs())
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) if error.kind() == io::ErrorKind::StorageFull => Err(StoreError::DiskFull),
        Ok(Err(error)) => {
            tracing::error!(kind = ?error.kind(), "a picture's file can't be used");
            Err(StoreError::Unavailable)
        }
        Err(_) => Err(StoreError::Unavailable),
    }
}

fn if_there(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[async_trait]
impl Images for FileImages {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        if self.space.refuses_pictures() {
            return Err(StoreError::DiskFull);
        }
        let (folder, path) = (self.album(album), self.path(album, id));
        blocking(move || {
            let is_new = !folder.exists();
            make_private(&folder)?;
            write_whole(&path, &jpeg)?;
            match folder.parent() {
                Some(parent) if is_new => fs::File::open(parent)?.sync_all(),
                _ => Ok(()),
            }
        })
        .await
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        let path = self.path(album, id);
        blocking(move || match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    async fn list(&self, album: Album) -> Result<Vec<Kept>> {
        let folder = self.album(album);
        blocking(move || {
            let mut found = Vec::new();
            for entry in read_dir_if_there(&folder)? {
                let entry = entry?;
                let path = entry.path();
                let is_whole = path.extension().is_some_and(|extension| extension == "jpg");
                let id = path.file_stem().and_then(|stem| Uuid::try_parse(&stem.to_string_lossy()).ok());
                if let Some(id) = id.filter(|_| is_whole) {
                    let about = entry.metadata()?;
                    let bytes = usize::try_from(about.len()).unwrap_or(usize::MAX);
                    found.push(Kept { id: ImageId(id), bytes, since: changed(&about)? });
                }
            }
            Ok(found)
        })
        .await
    }

    async fn albums(&self) -> Result<Vec<(Uuid, Timestamp)>> {
        let folder = self.folder.clone();
        blocking(move || {
            let mut found = Vec::new();
            for entry in read_dir_if_there(&folder)? {
                let entry = entry?;
                if let Ok(room) = Uuid::try_parse(&entry.file_name().to_string_lossy()) {
                    found.push((room, changed(&entry.metadata()?)?));
                }
            }
            Ok(found)
        })
        .await
    }

    async fn remove(&self, album: Album, id: ImageId) -> Result<()> {
        let path = self.path(album, id);
        blocking(move || if_there(fs::remove_file(path))).await
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        let path = self.album(album);
        blocking(move || if_there(fs::remove_dir_all(path))).await
    }
}
