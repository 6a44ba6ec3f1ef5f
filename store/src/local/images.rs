//! Pictures as sealed files, each with a key of its own in the file of keys.
//!
//! A picture's file is written first and its key next. After a crash in between
//! nobody can open the file, and the sweeper removes it. When a picture is
//! removed, its key is overwritten first.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use async_trait::async_trait;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::files::if_there;
use crate::image::picture::Picture;
use crate::image::{Album, ImageId, Images, StoredImage};
use crate::local::Local;
use crate::local::rooms::siblings;
use crate::local::transaction::Transaction;
use crate::room::{RoomId, Seq};
use crate::rows::Effect::{Grows, Shrinks};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};
use crate::table::home;

pub(crate) mod files;
use files::PictureFiles;

/// Keys destroyed in one transaction.
const CHUNK: usize = 256;

impl Local {
    fn picture_key(&self, picture: Picture) -> Option<SealKey> {
        self.keyring.read().key(picture.key_id()).cloned()
    }

    async fn destroy_keys(&self, keys: Vec<KeyId>) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        self.change(Shrinks, |transaction| keys.into_iter().for_each(|key| transaction.destroy_key(key))).await
    }

    /// Removes pictures from before `until` whose room or feedback is not there,
    /// and what a crash left: files without a key, keys without a file. Returns
    /// how many pictures were removed.
    pub(crate) async fn sweep_pictures(&self, until: SystemTime) -> Result<usize> {
        // Keys are listed before the files, since a file is written before its
        // key: so every key of this list has its file.
        let keys: Vec<_> = self.keyring.read().of_pictures().collect();
        let (albums, files) = self.files.work(|files| Ok((files.albums()?, files.all()?))).await?;
        let mut dropped = 0;
        for (album, changed) in &albums {
            if let Album::Room(room) = album
                && *changed < until
                && !self.index.has(&home(Owner::RoomPictures(*room)))?
            {
                dropped += self.list(*album).await?.len();
                self.remove_album(*album).await?;
            }
        }
        for &picture in &files {
            let is_wanted = match picture.album {
                Album::Feedback => self.index.has(&home(picture.owner()))?,
                Album::Room(_) => true,
            };
            let is_whole = self.keyring.read().may_open(picture.key_id());
            if (!is_whole || !is_wanted) && is_older(&self.files.path(picture), until) {
                self.remove(picture.album, &[picture.id], None).await?;
                dropped += 1;
            }
        }
        // If a whole album is missing, its keys stay: perhaps only a disk is not
        // mounted.
        let rooms: HashSet<_> = albums.iter().map(|(album, _)| *album).collect();
        let there: HashSet<_> = files.iter().map(|picture| picture.key_id()).collect();
        let is_lost = |(owner, key): &(Owner, KeyId)| {
            let album = if let Owner::RoomPictures(room) = owner { Album::Room(*room) } else { Album::Feedback };
            rooms.contains(&album) && !there.contains(key)
        };
        let lost: Vec<_> = keys.into_iter().filter(is_lost).map(|(_, key)| key).collect();
        for some in lost.chunks(CHUNK) {
            self.destroy_keys(some.to_vec()).await?;
        }
        Ok(dropped)
    }
}

fn damaged() -> StoreError {
    tracing::error!("a picture is damaged or missing, and can't be shown");
    StoreError::Corrupt
}

fn is_older(path: &Path, until: SystemTime) -> bool {
    fs::metadata(path).and_then(|about| about.modified()).is_ok_and(|modified| modified < until)
}

/// A time before 1970 counts as 1970.
fn seconds(moment: SystemTime) -> Timestamp {
    moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[async_trait]
impl Images for Local {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        if self.space.refuses_pictures() {
            return Err(StoreError::DiskFull);
        }
        let rooms: Vec<_> = match album {
            Album::Room(room) => siblings(self, RoomId(room))?.iter().map(|room| Album::Room(room.0)).collect(),
            Album::Feedback => Vec::new(),
        };
        let bytes = (jpeg.len() + SealKey::OVERHEAD) as u64;
        self.files.reserve(album, bytes, &rooms, self.space.most_pictures())?;
        let picture = Picture { album, id };
        let known = self.picture_key(picture);
        let key = known.clone().map_or_else(|| picture.new_key(), Ok)?;
        let sealing = key.clone();
        self.files
            .work(move |files| {
                let sealed = sealing.seal(&picture.place(), &jpeg).map_err(io::Error::other);
                let written = sealed.and_then(|sealed| files.write(picture, &sealed));
                written.inspect_err(|_| files.release(album, bytes))
            })
            .await?;
        if known.is_some() {
            return Ok(());
        }
        let add_key = move |transaction: &mut Transaction<'_>| transaction.add_key(picture.owner(), key);
        let stored = self.committer.write(Grows, add_key).await;
        if stored.is_err() {
            self.files.work(move |files| files.remove(picture)).await?;
        }
        stored
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        let picture = Picture { album, id };
        let Some(key) = self.picture_key(picture) else {
            return if self.keyring.read().may_open(picture.key_id()) { Err(damaged()) } else { Ok(None) };
        };
        let read = move |files: &PictureFiles| {
            let sealed = if_there(fs::read(files.path(picture)))?.ok_or(StoreError::Corrupt);
            Ok(sealed.and_then(|sealed| key.open_in_place(&picture.place(), sealed)))
        };
        match self.files.work(read).await? {
            Ok(jpeg) => Ok(Some(jpeg)),
            // It has just been removed.
            Err(_) if self.picture_key(picture).is_none() => Ok(None),
            Err(_) => Err(damaged()),
        }
    }

    async fn list(&self, album: Album) -> Result<Vec<StoredImage>> {
        let list = move |files: &PictureFiles| {
            let mut found = Vec::new();
            for picture in files.files(album)? {
                let Some(about) = if_there(fs::metadata(files.path(picture)))? else { continue };
                let bytes = usize::try_from(about.len()).unwrap_or(usize::MAX).saturating_sub(SealKey::OVERHEAD);
                found.push(StoredImage { id: picture.id, bytes, since: seconds(about.modified()?) });
            }
            Ok(found)
        };
        let mut found = self.files.work(list).await?;
        found.retain(|kept| self.picture_key(Picture { album, id: kept.id }).is_some());
        Ok(found)
    }

    async fn remove(&self, album: Album, ids: &[ImageId], _: Option<Seq>) -> Result<()> {
        let pictures: Vec<_> = ids.iter().map(|&id| Picture { album, id }).collect();
        let keys = pictures.iter().map(|picture| picture.key_id()).filter(|key| self.keyring.read().may_open(*key));
        self.destroy_keys(keys.collect()).await?;
        self.files.work(move |files| files.remove_all(&pictures)).await
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        let keys = {
            let keyring = self.keyring.read();
            match album {
                Album::Room(room) => keyring.keys_of(Owner::RoomPictures(room)),
                Album::Feedback => {
                    let all = keyring.of_pictures();
                    all.filter(|(owner, _)| matches!(owner, Owner::FeedbackPicture(_))).map(|(_, key)| key).collect()
                }
            }
        };
        self.destroy_keys(keys).await?;
        self.files.work(move |files| files.remove_album(album)).await
    }
}
