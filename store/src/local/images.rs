//! Pictures as sealed files, each with a key of its own in the file of keys.
//!
//! The file is on disk first and its key next: what is cut short in between
//! is a file that nobody can open, and the sweeper removes it. A picture's
//! end goes the other way about: its key is overwritten first.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use uuid::Uuid;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::folder::{if_there, make_private, write_whole};
use crate::image::{Album, ImageId, Images, StoredImage};
use crate::local::base::Base;
use crate::local::committer::Effect::{Grows, Shrinks};
use crate::local::rooms::siblings;
use crate::local::transaction::Transaction;
use crate::room::RoomId;
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};

mod ledger;
pub(crate) mod sealed;
pub(crate) mod shelf;
use ledger::Ledger;
use shelf::{Found, Shelf};

/// Keys destroyed in one transaction.
const CHUNK: usize = 256;

pub(crate) struct LocalImages {
    base: Arc<Base>,
    shelf: Shelf,
    ledger: Arc<Ledger>,
}

impl LocalImages {
    /// Counts what is there, and removes what a crash left half written.
    pub(crate) fn open(shelf: Shelf, base: Arc<Base>) -> io::Result<Self> {
        shelf.unfinished()?.iter().try_for_each(fs::remove_file)?;
        let ledger = Ledger::default();
        for Found { album, path, .. } in shelf.all()? {
            ledger.add(album, fs::metadata(path)?.len());
        }
        Ok(Self { base, shelf, ledger: Arc::new(ledger) })
    }

    /// Bytes of all pictures.
    pub(crate) fn bytes(&self) -> u64 {
        self.ledger.all()
    }

    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    fn key(&self, album: Album, id: ImageId) -> Option<SealKey> {
        self.base.keys().key(sealed::key_id(album, id)).cloned()
    }

    /// Whether a picture has a key, or one that somebody might put right.
    fn may_open(&self, album: Album, id: ImageId) -> bool {
        self.base.keys().may_open(sealed::key_id(album, id))
    }

    async fn destroy(&self, keys: Vec<KeyId>) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let work = move |transaction: &mut Transaction<'_>| {
            keys.into_iter().for_each(|key| transaction.destroy_key(key));
            Ok::<_, StoreError>(())
        };
        self.base.committer.write(Shrinks, work).await
    }

    /// Removes a picture's file, which can't be read any more.
    async fn unlink(&self, album: Album, id: ImageId) -> Result<()> {
        let (path, ledger) = (self.shelf.path(album, id), self.ledger.clone());
        blocking(move || {
            let Some(about) = if_there(fs::metadata(&path))? else { return Ok(()) };
            if if_there(fs::remove_file(&path))?.is_some() {
                ledger.release(album, about.len());
            }
            Ok(())
        })
        .await
    }

    /// Pictures that were there before `until` and belong to nothing that is
    /// there, as `has_home` tells; and what a crash left of others: a file
    /// without a key, a key without a file. How many were cleared away.
    pub(crate) async fn sweep(
        &self,
        until: SystemTime,
        has_home: impl Fn(Owner) -> Result<bool> + Send,
    ) -> Result<usize> {
        // Before the files are looked for: a file is there before its key.
        let keys: Vec<_> = self.base.keys().of_pictures().collect();
        let shelf = self.shelf.clone();
        let (albums, files) = blocking(move || Ok((shelf.albums()?, shelf.all()?))).await?;
        let mut dropped = 0;
        for (album, changed) in &albums {
            match album {
                Album::Room(room) if *changed < until && !has_home(Owner::RoomPictures(*room))? => {
                    dropped += self.list(*album).await?.len();
                    self.remove_album(*album).await?;
                }
                _ => {}
            }
        }
        for Found { album, id, path } in &files {
            let is_whole = self.may_open(*album, *id);
            let is_wanted = match album {
                Album::Feedback => has_home(Owner::FeedbackPicture(id.0))?,
                Album::Room(_) => true,
            };
            if (!is_whole || !is_wanted) && is_older(path, until) {
                self.remove(*album, &[*id]).await?;
                dropped += 1;
            }
        }
        // When a whole album is missing, its disk may not be there.
        let rooms: HashSet<_> = albums.iter().map(|(album, _)| *album).collect();
        let there: HashSet<_> = files.iter().map(|it| sealed::key_id(it.album, it.id)).collect();
        let is_lost = |(owner, key): &(Owner, KeyId)| {
            let album = if let Owner::RoomPictures(room) = owner { Album::Room(*room) } else { Album::Feedback };
            rooms.contains(&album) && !there.contains(key)
        };
        let lost: Vec<_> = keys.into_iter().filter(is_lost).map(|(_, key)| key).collect();
        for some in lost.chunks(CHUNK) {
            self.destroy(some.to_vec()).await?;
        }
        Ok(dropped)
    }
}

fn damaged() -> StoreError {
    tracing::error!("a picture is damaged or missing, and can't be shown");
    StoreError::Corrupt
}

fn is_older(path: &PathBuf, until: SystemTime) -> bool {
    fs::metadata(path).and_then(|about| about.modified()).is_ok_and(|modified| modified < until)
}

/// A clock set before 1970 is as good as one that says 1970.
fn seconds(moment: SystemTime) -> Timestamp {
    moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
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

#[async_trait]
impl Images for LocalImages {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        if self.base.space.refuses_pictures() {
            return Err(StoreError::DiskFull);
        }
        let rooms = match album {
            Album::Room(room) => siblings(&self.base, RoomId(room))?,
            Album::Feedback => Vec::new(),
        };
        let rooms: Vec<_> = rooms.into_iter().map(|room| Album::Room(room.0)).collect();
        let bytes = (jpeg.len() + SealKey::OVERHEAD) as u64;
        self.ledger.reserve(album, bytes, &rooms, self.base.space.most_pictures())?;
        let known = self.key(album, id);
        let key = known.clone().map_or_else(|| sealed::new_key(album, id), Ok)?;
        let (folder, path, ledger) = (self.shelf.album(album), self.shelf.path(album, id), self.ledger.clone());
        let (parent, sealing) = (self.shelf.folder().to_owned(), key.clone());
        // The work goes on to its end, even if its caller has gone.
        blocking(move || {
            let written = (|| {
                let sealed = sealing.seal(&sealed::place(album, id), &jpeg).map_err(io::Error::other)?;
                let is_new = !folder.exists();
                make_private(&folder)?;
                let before = if_there(fs::metadata(&path))?;
                write_whole(&path, &sealed)?;
                if let Some(before) = before {
                    ledger.release(album, before.len());
                }
                if is_new { fs::File::open(parent)?.sync_all() } else { Ok(()) }
            })();
            written.inspect_err(|_| ledger.release(album, bytes))
        })
        .await?;
        if known.is_some() {
            return Ok(());
        }
        let owner = sealed::owner(album, id);
        let stored = self
            .base
            .committer
            .write(Grows, move |transaction: &mut Transaction<'_>| transaction.add_key(owner, key))
            .await;
        if stored.is_err() {
            self.unlink(album, id).await?;
        }
        stored
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        let Some(key) = self.key(album, id) else {
            return if self.may_open(album, id) { Err(damaged()) } else { Ok(None) };
        };
        let path = self.shelf.path(album, id);
        let opened = blocking(move || {
            let sealed = if_there(fs::read(path))?;
            Ok(sealed
                .ok_or(StoreError::Corrupt)
                .and_then(|sealed| key.open_in_place(&sealed::place(album, id), sealed)))
        })
        .await?;
        match opened {
            Ok(jpeg) => Ok(Some(jpeg)),
            // Removed a moment ago.
            Err(_) if self.key(album, id).is_none() => Ok(None),
            Err(_) => Err(damaged()),
        }
    }

    async fn list(&self, album: Album) -> Result<Vec<StoredImage>> {
        let shelf = self.shelf.clone();
        let found = blocking(move || {
            let mut found = Vec::new();
            for Found { id, path, .. } in shelf.files(album)? {
                let Some(about) = if_there(fs::metadata(path))? else { continue };
                let bytes = usize::try_from(about.len()).unwrap_or(usize::MAX).saturating_sub(SealKey::OVERHEAD);
                found.push(StoredImage { id, bytes, since: seconds(about.modified()?) });
            }
            Ok(found)
        });
        Ok(found.await?.into_iter().filter(|kept| self.key(album, kept.id).is_some()).collect())
    }

    async fn albums(&self) -> Result<Vec<(Uuid, Timestamp)>> {
        let shelf = self.shelf.clone();
        let albums = blocking(move || shelf.albums()).await?.into_iter();
        Ok(albums
            .filter_map(|(album, changed)| match album {
                Album::Room(room) => Some((room, seconds(changed))),
                Album::Feedback => None,
            })
            .collect())
    }

    async fn remove(&self, album: Album, ids: &[ImageId]) -> Result<()> {
        let keys = ids.iter().filter(|id| self.may_open(album, **id)).map(|id| sealed::key_id(album, *id));
        self.destroy(keys.collect()).await?;
        for id in ids {
            self.unlink(album, *id).await?;
        }
        Ok(())
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        let keys = {
            let keyring = self.base.keys();
            match album {
                Album::Room(room) => keyring.keys_of(Owner::RoomPictures(room)),
                Album::Feedback => {
                    let all = keyring.of_pictures();
                    all.filter(|(owner, _)| matches!(owner, Owner::FeedbackPicture(_))).map(|(_, key)| key).collect()
                }
            }
        };
        self.destroy(keys).await?;
        let (path, ledger) = (self.shelf.album(album), self.ledger.clone());
        blocking(move || {
            if_there(fs::remove_dir_all(path))?;
            ledger.release_album(album);
            Ok(())
        })
        .await
    }
}
