//! The file of keys, for the one thread that writes.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use zeroize::Zeroizing;

use super::slot::{FIRST_LINE, SLOT_LEN, Slot, SlotBytes, is_first_line, newer_version, render};
use super::{Keyring, Owner};
use crate::files::read_what_can_be;
use crate::seals::erasing;
use crate::seals::{KeyId, SealKey};

/// The size of a new file, most of it free slots. btrfs keeps a shorter file
/// within its own records, which it copies with each change.
const FIRST_LEN: usize = 8 * 1024;

/// A file of keys that is locked, and in which nothing was changed yet.
pub(crate) struct HeldKeys {
    file: File,
    bytes: Zeroizing<Vec<u8>>,
    /// Whether the device could read all of it.
    is_readable: bool,
}

/// The file. It is locked, so no other process can use it.
#[derive(Debug)]
pub(crate) struct KeyFile {
    file: File,
    slots: HashMap<KeyId, u32>,
    /// How many slots the file has: used, free and damaged ones.
    len: u32,
    free: Vec<u32>,
    /// How many slots can't be read. They stay as they are until their owner, if
    /// they still tell it, is deleted.
    pub(crate) damaged: usize,
}

impl KeyFile {
    /// Locks the file for this process and reads it, or makes a new one. The error is
    /// of the kind `WouldBlock` when another process has it.
    pub(crate) fn hold(path: &Path, may_be_new: bool) -> io::Result<HeldKeys> {
        let file = OpenOptions::new().read(true).write(true).create(may_be_new).mode(0o600).open(path)?;
        hold(&file, path)?;
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let mut bytes = Zeroizing::new(vec![0; length]);
        let (length, is_readable) = read_what_can_be(&file, &mut bytes);
        bytes.truncate(length);
        if may_be_new && bytes.len() < SLOT_LEN {
            file.set_len(0)?;
            bytes = fill(&file, FIRST_LINE)?;
        }
        check_first_line(&bytes)?;
        Ok(HeldKeys { file, bytes, is_readable })
    }

    /// Takes the keys of a file, and repairs flipped bits in it. The file must have
    /// at least `slots` slots. Slots that the device can't read are damaged, and nothing
    /// is written there.
    pub(crate) fn open(held: HeldKeys, path: &Path, slots: u64) -> io::Result<(Self, Keyring)> {
        let HeldKeys { mut file, bytes, is_readable } = held;
        let found = (bytes.len() / SLOT_LEN - 1) as u64;
        if found < slots {
            return Err(refused(format!(
                "it was cut short: there were {slots} places for keys in it, and now there are {found}. It was left as \
                 it is, and nothing is lost by this start"
            )));
        }
        if is_readable && erasing::can_be_kept_in_place(&file)? {
            file = rewrite(path, &bytes)?;
        }
        let mut this = Self { file, slots: HashMap::new(), len: 0, free: Vec::new(), damaged: 0 };
        let ring = this.read_slots(&bytes)?;
        if is_readable && bytes[..SLOT_LEN] != *FIRST_LINE {
            this.file.write_all_at(FIRST_LINE, 0)?;
            this.file.sync_all()?;
            tracing::error!("the first line of the file of keys was damaged and is repaired; nothing is lost");
        }
        Ok((this, ring))
    }

    /// Reads every slot, and repairs flipped bits. Other damage stays as it is.
    fn read_slots(&mut self, bytes: &[u8]) -> io::Result<Keyring> {
        let mut ring = Keyring::default();
        let mut mended = 0_usize;
        // After a power cut the last slot may be too short. Nothing was sealed with
        // its key yet.
        for bytes in bytes[SLOT_LEN..].as_chunks::<SLOT_LEN>().0 {
            let at = self.len;
            self.len += 1;
            match Slot::read(bytes) {
                Slot::Free => {
                    if *bytes != [0; SLOT_LEN] {
                        self.write(at, &[0; SLOT_LEN])?;
                    }
                    self.free.push(at);
                }
                // A device has written these bytes to another place, too, and the key that was here
                // is lost. No copy stays behind when the key is destroyed.
                Slot::Used { key, .. } if self.slots.contains_key(&key.id) => {
                    self.damaged += 1;
                    self.write(at, &[0; SLOT_LEN])?;
                    self.free.push(at);
                }
                Slot::Used { owner, key, is_mended } => {
                    if is_mended {
                        mended += 1;
                        self.write(at, &render(owner, &key))?;
                    }
                    self.slots.insert(key.id, at);
                    ring.hold(owner, key);
                }
                Slot::Damaged(claim) => {
                    self.damaged += 1;
                    if let Some((owner, id)) = claim.filter(|(_, id)| !self.slots.contains_key(id)) {
                        self.slots.insert(id, at);
                        ring.damaged.insert(id, owner);
                    }
                }
            }
        }
        // `pop` takes the first slots first.
        self.free.reverse();
        self.file.sync_all()?;
        if mended > 0 {
            tracing::error!(
                keys = mended,
                "a bit was flipped in a key: it was repaired, and nothing is lost. Check the disk and the \
                 memory: it may happen again"
            );
        }
        Ok(ring)
    }

    /// Makes a file with keys, from what [`Keyring::copy`] returns.
    pub(crate) fn make(path: &Path, bytes: &[u8]) -> io::Result<File> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(path)?;
        fill(&file, bytes)?;
        Ok(file)
    }

    /// How many slots the file has. They never get fewer.
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

    fn write(&self, at: u32, bytes: &SlotBytes) -> io::Result<()> {
        self.file.write_all_at(bytes, (u64::from(at) + 1) * SLOT_LEN as u64)
    }
}

/// Locks the file for this process. This stops a second server even if somebody
/// has removed the file `lock`.
fn hold(file: &File, path: &Path) -> io::Result<()> {
    file.try_lock()?;
    // Another process may just have replaced the file.
    let (ours, theirs) = (file.metadata()?, fs::metadata(path)?);
    if (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()) { Ok(()) } else { Err(ErrorKind::WouldBlock.into()) }
}

/// Writes these bytes and free slots to an empty file, which is overwritten in
/// place from then on.
fn fill(file: &File, bytes: &[u8]) -> io::Result<Zeroizing<Vec<u8>>> {
    erasing::keep_in_place(file)?;
    // If the buffer had to grow, copies of keys would stay in memory.
    let mut whole = Zeroizing::new(vec![0; bytes.len().max(FIRST_LEN)]);
    whole[..bytes.len()].copy_from_slice(bytes);
    file.write_all_at(&whole, 0)?;
    file.sync_all()?;
    Ok(whole)
}

/// Replaces the file by a copy that is overwritten in place.
fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let part = path.with_extension("part");
    let file = KeyFile::make(&part, bytes).inspect_err(|_| drop(fs::remove_file(&part)))?;
    hold(&file, &part)?;
    fs::rename(&part, path)?;
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
    tracing::error!(
        "the file of keys was one that this file system copies with each change; from now on it is overwritten in \
         place. Copies of older keys, and of those in use, may still be on the device until it needs the space: what \
         was deleted before may still be readable there by anyone who takes the device apart"
    );
    Ok(file)
}

/// Whether this is a file of keys, also where its first line is damaged.
fn check_first_line(bytes: &[u8]) -> io::Result<()> {
    let Some((first, slots)) = bytes.as_chunks::<SLOT_LEN>().0.split_first() else {
        return Err(refused("it is cut short: not even its first line is whole. Nothing was changed"));
    };
    // Nothing of it may be repaired, though one flipped bit may have made it so.
    if let Some(version) = newer_version(first) {
        let why = format!("it was written by a newer annon (version {version})");
        return Err(io::Error::new(ErrorKind::Unsupported, why));
    }
    let is_used = |slot: &SlotBytes| matches!(Slot::read(slot), Slot::Used { is_mended: false, .. });
    // Only a slot of such a file has the right checksum.
    if is_first_line(first) || slots.iter().any(is_used) {
        return Ok(());
    }
    Err(refused("its first line says that it is no file of keys: it is damaged, or another file. Nothing was changed"))
}

fn refused(why: impl fmt::Display) -> io::Error {
    let advice = "Put the file back as it was, or restore a backup into an empty folder (annon restore)";
    io::Error::new(ErrorKind::InvalidData, format!("{why}. {advice}"))
}

#[cfg(test)]
mod tests;
