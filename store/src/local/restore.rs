//! Makes a data folder from a backup.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use zeroize::Zeroizing;

use crate::backup::{RestoreError, check_backup, io_at, parts_of, restored_value};
use crate::clock;
use crate::files::{if_there, make_private, write_whole};
use crate::folder::parts::{Part, PartReader};
use crate::folder::{DataFolder, UNFINISHED};
use crate::image::picture::Picture;
use crate::local::commit_log::{Change, CommitError, CommitLog, Found};
use crate::local::exports::Exports;
use crate::local::images::files::PictureFiles;
use crate::local::index::Index;
use crate::local::index_state::IndexState;
use crate::local::room_records::{from_backup, room_and_place};
use crate::progress::{Progress, Unit};
use crate::seals::keyring::KeyFile;
use crate::seals::secret::Secret;
use crate::table::{Table, key};

/// Records that go to the commit log at once.
const CHUNK: usize = 256;

/// What was put back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restored {
    /// Records of the backup, without pictures and keys.
    pub records: u64,
    pub pictures: u64,
}

/// Puts a backup into an empty folder. The file is checked to its end before
/// anything is written.
pub fn restore(file: &Path, folder: &Path, progress: &Progress) -> Result<Restored, RestoreError> {
    check_backup(file, progress)?;
    for entry in if_there(fs::read_dir(folder)).map_err(io_at(folder))?.into_iter().flatten() {
        // A new ext4 file system is not quite empty.
        if entry.map_err(io_at(folder))?.file_name() != "lost+found" {
            return Err(RestoreError::NotEmpty(folder.to_owned()));
        }
    }
    make_private(folder).map_err(io_at(folder))?;
    put_back(parts_of(file, "restoring", progress)?, folder, progress).map_err(io_at(folder))
}

fn put_back(parts: PartReader<impl Read>, folder: &Path, progress: &Progress) -> io::Result<Restored> {
    let unfinished = folder.join(UNFINISHED);
    write_whole(&unfinished, b"")?;
    let index_path = folder.join("index");
    make_private(&index_path)?;
    let index = Index::open(&index_path).map_err(io::Error::other)?;
    let (mut restored, mut keys) = (Restored::default(), Zeroizing::new(Vec::new()));
    let files = PictureFiles::open(folder.join("images"))?;
    for part in parts {
        match part? {
            Part::Secret(bytes) => Secret::restore(&folder.join("secret"), &bytes)?,
            Part::Keys(bytes) => keys.extend(bytes),
            Part::Picture(name, bytes) => {
                let Some(picture) = Picture::named(&name) else { continue };
                files.write(picture, &bytes)?;
                restored.pictures += 1;
            }
            Part::Put(key, value) => {
                let value = restored_value(&key, value)?;
                index.change(&key, value.as_deref()).map_err(io::Error::other)?;
            }
            Part::Remove(key) => index.change(&key, None).map_err(io::Error::other)?,
        }
    }
    KeyFile::make(&folder.join("keys"), &keys)?;
    let data = DataFolder::restored(folder)?;
    progress.begin("moving the groups to their log", Unit::Records, None);
    let events = rooms_to_log(&data, &index, progress)?;
    restored.records = index.index_sum().pairs + events;
    // The new commit log has only the rooms, so a later start needs an export to build
    // the index from.
    progress.begin("writing the first export", Unit::Records, Some(index.index_sum().pairs));
    Exports::of(&data).write_from(&index, progress)?;
    index.flush()?;
    IndexState::Clean.put(folder)?;
    File::open(folder)?.sync_all()?;
    fs::remove_file(unfinished)?;
    File::open(folder)?.sync_all()?;
    Ok(restored)
}

/// Moves the rooms' records from the index, where a backup has them, to a new
/// commit log. Returns how many there were.
fn rooms_to_log(folder: &DataFolder, index: &Index, progress: &Progress) -> io::Result<u64> {
    let keys = folder.join("keys");
    let (key_file, keyring) = KeyFile::open(KeyFile::hold(&keys, false)?, &keys, 0)?;
    let slots = key_file.slots().to_be_bytes();
    index.change(&key(Table::KeySlots, &[]), Some(&slots)).map_err(io::Error::other)?;
    let path = folder.join("commit-log");
    make_private(&path)?;
    let found = Found::read(path, folder.id(), true)?;
    let mut commit_log = found.goes_on_from_an_export().begin(clock::hour())?;
    let (mut changes, mut records, mut moved) = (Vec::new(), Vec::new(), 0);
    let mut before = None;
    for pair in index.under(&key(Table::RoomLog, &[])) {
        let (at, sealed) = pair.map_err(io::Error::other)?;
        let (id, last) = room_and_place(&at).ok_or_else(|| io::Error::other("a record has an odd name"))?;
        let end = before.map_or(0, |(room, end)| if room == id { end } else { 0 });
        before = Some((id, last));
        // If events before this record were forgotten, its places begin where
        // theirs did.
        let record = from_backup(&keyring, id, end, last, &sealed).map_err(io::Error::other)?;
        changes.extend(record.inspect(|_| moved += 1));
        records.push(at);
        progress.add(1);
        if changes.len() >= CHUNK {
            commit(&mut commit_log, std::mem::take(&mut changes), index)?;
        }
    }
    // They go all at once, also those of rooms without a key, which have ended.
    records.iter().try_for_each(|at| index.change(at, None)).map_err(io::Error::other)?;
    commit(&mut commit_log, changes, index)?;
    index.begin(folder.id(), commit_log.last_commit()).map_err(io::Error::other)?;
    commit_log.close()?;
    Ok(moved)
}

fn commit(commit_log: &mut CommitLog, changes: Vec<Change>, index: &Index) -> io::Result<()> {
    match commit_log.commit(changes, index.index_sum().bytes(), clock::hour()) {
        Ok(_) => Ok(()),
        Err(CommitError::Dead(error) | CommitError::Refused(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::parts::PartWriter;
    use crate::seals::SealKey;
    use crate::seals::keyring::{Keyring, Owner};

    #[test]
    fn keys_in_several_pieces_are_one_file() {
        let parent = tempfile::tempdir().unwrap();
        let (file, folder) = (parent.path().join("backup"), parent.path().join("data"));
        let mut parts = PartWriter::begin(File::create(&file).unwrap()).unwrap();
        let mut keyring = Keyring::default();
        keyring.hold(Owner::Feedback(uuid::Uuid::from_u128(7)), SealKey::random(None).unwrap());
        let all = keyring.copy();
        let pieces = [all[..100].to_vec(), all[100..].to_vec()];
        parts.write(&Part::Secret(vec![7; 32])).unwrap();
        pieces.iter().for_each(|piece| parts.write(&Part::Keys(piece.clone())).unwrap());
        parts.end().unwrap();
        assert_eq!(restore(&file, &folder, &Progress::default()).unwrap(), Restored { records: 1, pictures: 0 });
        let keys = fs::read(folder.join("keys")).unwrap();
        let (there, free) = keys.split_at(128);
        assert!(there == pieces.concat() && free.iter().all(|byte| *byte == 0));
    }
}
