//! The file `keys`: one sealing key for whatever dies as a whole, in slots
//! that are overwritten in place.
//!
//! It stands beside the database and not in it, since a log-structured
//! database keeps what was deleted until its space is needed again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use uuid::Uuid;

use crate::seal::{KeyId, SealKey};

const MAGIC: &[u8; SLOT_LEN] = b"annon keys, version 1. Without this file nothing can be read.\n\0\0";
const SLOT_LEN: usize = 64;

/// Whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The account itself.
    Account(Uuid),
    /// The notes in its inbox. They have a key of their own, as it changes
    /// with every note that is deleted: the account itself can then be read
    /// also where an older copy of it is all that is left.
    Inbox(Uuid),
    Feedback(Uuid),
    /// A room: its card and its log.
    Room(Uuid),
}

/// The keys in memory, for whoever reads or seals.
#[derive(Default)]
pub(crate) struct Keyring {
    by_id: HashMap<KeyId, (Owner, SealKey)>,
    /// Usually one; two while an owner's records move to a new key. The
    /// last is the one to seal with.
    by_owner: HashMap<Owner, Vec<KeyId>>,
}

impl Keyring {
    /// The key a record was sealed with, while it exists.
    pub(crate) fn key(&self, id: KeyId) -> Option<&SealKey> {
        self.by_id.get(&id).map(|(_, key)| key)
    }

    /// The key to seal an owner's next record with.
    pub(crate) fn current(&self, owner: Owner) -> Option<&SealKey> {
        self.key(*self.by_owner.get(&owner)?.last()?)
    }

    /// Every key of an owner, the current one last.
    pub(crate) fn keys_of(&self, owner: Owner) -> Vec<KeyId> {
        self.by_owner.get(&owner).cloned().unwrap_or_default()
    }

    /// Everybody who has a key.
    pub(crate) fn owners(&self) -> impl Iterator<Item = Owner> {
        self.by_owner.keys().copied()
    }

    /// A copy of all keys, in the form of the file.
    pub(crate) fn copy(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.by_id.values().flat_map(|(owner, key)| render(*owner, key)));
        bytes
    }

    pub(crate) fn hold(&mut self, owner: Owner, key: SealKey) {
        let ids = self.by_owner.entry(owner).or_default();
        ids.push(key.id);
        ids.sort_unstable();
        self.by_id.insert(key.id, (owner, key));
    }

    pub(crate) fn forget(&mut self, id: KeyId) {
        let Some((owner, _)) = self.by_id.remove(&id) else { return };
        if let Some(ids) = self.by_owner.get_mut(&owner) {
            ids.retain(|&other| other != id);
            if ids.is_empty() {
                self.by_owner.remove(&owner);
            }
        }
    }
}

/// The keys on disk, for the one thread that writes.
pub(crate) struct KeyFile {
    file: File,
    slots: HashMap<KeyId, u32>,
    /// Slots in the file, used and free.
    len: u32,
    free: Vec<u32>,
}

impl KeyFile {
    /// Opens the file, or makes an empty one unless it must have at least so
    /// many slots.
    pub(crate) fn open(path: &Path, slots: Option<u64>) -> io::Result<(Self, Keyring)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if slots.is_some_and(|slots| ((bytes.len() / SLOT_LEN) as u64) <= slots) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "there were more keys in this file"));
        }
        if bytes.len() < SLOT_LEN {
            file.write_all_at(MAGIC, 0)?;
            file.sync_all()?;
        } else if bytes[..SLOT_LEN] != *MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is not a file of keys"));
        }
        let mut ring = Keyring::default();
        let mut this = Self { file, slots: HashMap::new(), len: 0, free: Vec::new() };
        // A last slot that was being written when the power went is shorter
        // than the others; nothing was sealed with it yet.
        for bytes in bytes.get(SLOT_LEN..).unwrap_or_default().as_chunks::<SLOT_LEN>().0 {
            match parse(bytes) {
                Some((owner, key)) => {
                    this.slots.insert(key.id, this.len);
                    ring.hold(owner, key);
                }
                None => this.free.push(this.len),
            }
            this.len += 1;
        }
        Ok((this, ring))
    }

    /// Slots in the file, used and free. They never get fewer.
    pub(crate) fn slots(&self) -> u64 {
        self.len.into()
    }

    /// Writes new keys, and waits until they are on disk.
    pub(crate) fn add(&mut self, keys: &[(Owner, SealKey)]) -> io::Result<()> {
        for (owner, key) in keys {
            let at = self.free.pop().unwrap_or(self.len);
            self.len = self.len.max(at + 1);
            self.write(at, &render(*owner, key))?;
            self.slots.insert(key.id, at);
        }
        self.file.sync_all()
    }

    /// Overwrites keys, and waits until that is on disk.
    pub(crate) fn destroy(&mut self, ids: &[KeyId]) -> io::Result<()> {
        for id in ids {
            let Some(at) = self.slots.remove(id) else { continue };
            self.write(at, &[0; SLOT_LEN])?;
            self.free.push(at);
        }
        self.file.sync_all()
    }

    fn write(&self, at: u32, bytes: &[u8; SLOT_LEN]) -> io::Result<()> {
        self.file.write_all_at(bytes, (u64::from(at) + 1) * SLOT_LEN as u64)
    }
}

/// A slot: one byte for the kind of owner (0 is a free slot), seven of
/// nothing, then owner, key id and key.
fn render(owner: Owner, key: &SealKey) -> [u8; SLOT_LEN] {
    let (kind, id) = match owner {
        Owner::Account(id) => (1, id),
        Owner::Feedback(id) => (2, id),
        Owner::Inbox(id) => (3, id),
        Owner::Room(id) => (4, id),
    };
    let mut bytes = [0; SLOT_LEN];
    bytes[0] = kind;
    bytes[8..24].copy_from_slice(id.as_bytes());
    bytes[24..32].copy_from_slice(&key.id.0.to_be_bytes());
    bytes[32..].copy_from_slice(&key.bytes);
    bytes
}

fn parse(bytes: &[u8; SLOT_LEN]) -> Option<(Owner, SealKey)> {
    let id = Uuid::from_slice(&bytes[8..24]).ok()?;
    let owner = match bytes[0] {
        1 => Owner::Account(id),
        2 => Owner::Feedback(id),
        3 => Owner::Inbox(id),
        4 => Owner::Room(id),
        _ => return None,
    };
    let key_id = KeyId(u64::from_be_bytes(*bytes[24..].first_chunk()?));
    Some((owner, SealKey { id: key_id, bytes: *bytes[32..].first_chunk()? }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::committed;

    fn contains(path: &Path, key: &SealKey) -> bool {
        std::fs::read(path).unwrap().windows(32).any(|w| w == key.bytes)
    }

    #[test]
    fn keys_are_there_again_after_opening_and_gone_after_destroying() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let (one, two) = (Owner::Account(Uuid::from_u128(1)), Owner::Feedback(Uuid::from_u128(1)));
        let (a, b) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
        let c = SealKey::random(Some(a.id)).unwrap();

        let (mut file, _) = KeyFile::open(&path, None).unwrap();
        file.add(&[(one, a.clone()), (two, b.clone()), (one, c.clone())]).unwrap();
        drop(file);

        let (mut file, mut ring) = KeyFile::open(&path, None).unwrap();
        assert_eq!(ring.keys_of(one), [a.id, c.id]);
        assert_eq!(ring.current(one), Some(&c));
        assert_eq!(ring.current(two), Some(&b));
        file.destroy(&[a.id]).unwrap();
        ring.forget(a.id);
        assert_eq!((ring.key(a.id), ring.current(one)), (None, Some(&c)));
        assert!(!contains(&path, &a) && contains(&path, &c));
        drop(file);

        let (mut file, ring) = KeyFile::open(&path, None).unwrap();
        assert_eq!((ring.key(a.id), ring.current(one)), (None, Some(&c)));
        let size = std::fs::metadata(&path).unwrap().len();
        let d = SealKey::random(Some(c.id)).unwrap();
        file.add(&[(one, d.clone())]).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), size, "a free slot is used again");
        assert_eq!(KeyFile::open(&path, None).unwrap().1.current(one), Some(&d), "the newest, wherever it stands");
    }

    #[test]
    fn a_file_written_long_ago_opens_and_would_be_written_alike_today() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let key = |n: u8| SealKey { id: KeyId(u64::from(n)), bytes: [n; 32] };
        let id = Uuid::from_u128;
        let all = [
            (Owner::Account(id(1)), key(1)),
            (Owner::Feedback(id(2)), key(2)),
            (Owner::Inbox(id(1)), key(3)),
            (Owner::Account(id(4)), key(4)),
            (Owner::Inbox(id(1)), key(5)),
        ];
        let (mut file, _) = KeyFile::open(&path, None).unwrap();
        file.add(&all).unwrap();
        file.destroy(&[KeyId(4)]).unwrap();
        let today = std::fs::read(&path).unwrap();
        let committed = committed("keys", || today.clone());
        assert_eq!(committed, today);
        std::fs::write(&path, committed).unwrap();
        let (_, ring) = KeyFile::open(&path, Some(5)).unwrap();
        assert_eq!(ring.current(Owner::Account(id(1))), Some(&key(1)));
        assert_eq!(ring.current(Owner::Feedback(id(2))), Some(&key(2)));
        assert_eq!(ring.keys_of(Owner::Inbox(id(1))), [KeyId(3), KeyId(5)]);
        assert_eq!(ring.owners().count(), 3);
    }

    #[test]
    fn a_copy_opens_like_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let owner = Owner::Account(Uuid::from_u128(1));
        let key = SealKey::random(None).unwrap();
        let mut ring = Keyring::default();
        ring.hold(owner, key.clone());
        std::fs::write(folder.path().join("copy"), ring.copy()).unwrap();
        assert_eq!(KeyFile::open(&folder.path().join("copy"), None).unwrap().1.current(owner), Some(&key));
    }

    #[test]
    fn a_slot_cut_short_is_ignored_and_a_foreign_file_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let owner = Owner::Account(Uuid::from_u128(1));
        let (a, b) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
        KeyFile::open(&path, None).unwrap().0.add(&[(owner, a.clone()), (owner, b.clone())]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
        let (mut file, ring) = KeyFile::open(&path, None).unwrap();
        assert_eq!(ring.keys_of(owner), [a.id]);
        assert!(KeyFile::open(&path, Some(1)).is_ok());
        assert!(KeyFile::open(&path, Some(2)).is_err(), "there were two");
        file.add(&[(owner, b)]).unwrap();
        assert_eq!(KeyFile::open(&path, None).unwrap().1.keys_of(owner).len(), 2);

        std::fs::write(&path, [7; 200]).unwrap();
        assert!(KeyFile::open(&path, None).is_err());
    }
}
