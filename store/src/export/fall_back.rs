//! When the database is beyond repair: one is made from the last export, and
//! the broken one is set aside.
//!
//! An export is an older state, and what has been taken back since must not
//! come back with it: what was deleted has no key any more and stays away,
//! mailed links are dropped, and everybody has to sign in again.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::account::Access;
use crate::codec::{Record, decode, encode};
use crate::error::Result as StoreResult;
use crate::export::Rebuild;
use crate::export::frame::{Frame, FrameReader};
use crate::folder::{DataFolder, OpenError, make_private};
use crate::keyring::Keyring;
use crate::record::{AccessRecord, Count, IdRecord, InboxCount, NoteRecord};
use crate::seal::sealed_with;
use crate::sled::{Disk, Reader, Table, key};

/// How many versions of an account's tokens are skipped: more than there can
/// have been since the export.
const VERSIONS_SKIPPED: u32 = 1 << 20;

/// Rebuilds the database, which is to have more commits than it ever had.
pub(crate) fn fall_back(
    folder: &DataFolder,
    keyring: &Keyring,
    sync: bool,
    commits: u64,
    why: &io::Error,
) -> Result<Disk, OpenError> {
    let database = folder.join("db");
    let damaged = |why: &io::Error| OpenError::Damaged { path: database.clone(), why: why.to_string() };
    let last = folder.join("export").join("last");
    let check = |file| FrameReader::begin(BufReader::new(file))?.try_for_each(|frame| frame.map(drop));
    if File::open(&last).and_then(check).is_err() {
        return Err(damaged(why));
    }
    tracing::error!(error = %why, "the database does not open: going back to the last export, what came after it is lost");
    let fresh = folder.join("db.rebuilt");
    if let Err(error) = rebuild(&last, &fresh, keyring, sync, commits) {
        let _ = fs::remove_dir_all(&fresh);
        return Err(damaged(&error));
    }
    let swapped = swap(folder, &database, &fresh);
    swapped
        .and_then(|()| Disk::open(&database, sync))
        .map_err(|source| OpenError::Io { path: database.clone(), source })
}

fn swap(folder: &DataFolder, database: &Path, fresh: &Path) -> io::Result<()> {
    let broken = free_name(folder);
    fs::rename(database, &broken)?;
    fs::rename(fresh, database)?;
    folder.sync()?;
    tracing::error!("the broken database is in {}; delete it when nobody needs it", broken.display());
    Ok(())
}

/// Where nothing is yet: an earlier broken one may be the better one.
fn free_name(folder: &DataFolder) -> PathBuf {
    let names = std::iter::once("db.broken".to_owned()).chain((2..).map(|n: u32| format!("db.broken.{n}")));
    names.map(|name| folder.join(&name)).find(|path| !path.exists()).unwrap_or_else(|| folder.join("db.broken"))
}

fn rebuild(export: &Path, fresh: &Path, keyring: &Keyring, sync: bool, commits: u64) -> io::Result<()> {
    if fresh.exists() {
        fs::remove_dir_all(fresh)?;
    }
    make_private(fresh)?;
    let mut rebuild = Rebuild::begin(fresh, sync)?;
    for frame in FrameReader::begin(BufReader::new(File::open(export)?))? {
        match frame? {
            Frame::Put(key, value) => rebuild.change(key, Some(value))?,
            Frame::Remove(key) => rebuild.change(key, None)?,
            _ => {}
        }
    }
    rebuild.commit()?;
    let reader = rebuild.disk.reader();
    let mut living = Living::among(&reader, keyring).map_err(io::Error::other)?;
    for pair in reader.all() {
        let (key, value) = pair.map_err(io::Error::other)?;
        match living.becomes(&key, &value).map_err(io::Error::other)? {
            Some(now) if now == value => {}
            now => rebuild.change(key, now)?,
        }
    }
    for (owner, count) in &living.inboxes {
        rebuild.change(key(Table::InboxCount, &[owner.as_bytes()]), Some(encode(count).map_err(io::Error::other)?))?;
    }
    let feedback = encode(&Count(living.feedback)).map_err(io::Error::other)?;
    rebuild.change(key(Table::FeedbackCount, &[]), Some(feedback))?;
    // The mark is now behind this database, whatever happens next.
    rebuild.change(key(Table::Commits, &[]), Some((commits + 1).to_be_bytes().to_vec()))?;
    rebuild.finish()?;
    Ok(())
}

/// Who and what is still there, going by the keys.
struct Living<'a> {
    keyring: &'a Keyring,
    accounts: HashSet<Uuid>,
    rooms: HashSet<Uuid>,
    inboxes: HashMap<Uuid, InboxCount>,
    feedback: u32,
}

impl<'a> Living<'a> {
    fn among(reader: &Reader, keyring: &'a Keyring) -> StoreResult<Self> {
        let mut this =
            Self { keyring, accounts: HashSet::new(), rooms: HashSet::new(), inboxes: HashMap::new(), feedback: 0 };
        for pair in reader.under(&key(Table::Account, &[])) {
            let (key, sealed) = pair?;
            if this.has_key(&sealed) {
                this.accounts.extend(first_id(&key));
            }
        }
        for pair in reader.under(&key(Table::Room, &[])) {
            let (key, sealed) = pair?;
            if this.has_key(&sealed) {
                this.rooms.extend(first_id(&key));
            }
        }
        Ok(this)
    }

    /// Whether there is a key, or a damaged one that somebody might put
    /// right: what that one sealed is not dropped.
    fn has_key(&self, sealed: &[u8]) -> bool {
        sealed_with(sealed).is_ok_and(|id| self.keyring.may_open(id))
    }

    fn has_damaged_key(&self, sealed: &[u8]) -> bool {
        self.has_key(sealed) && sealed_with(sealed).is_ok_and(|id| self.keyring.key(id).is_none())
    }

    fn opened<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Option<T> {
        let plain = self.keyring.key(sealed_with(sealed).ok()?)?.open(key, sealed).ok()?;
        decode(&plain).ok()
    }

    /// What a record of the export is to be now; `None` if it is to go.
    fn becomes(&mut self, key: &[u8], value: &[u8]) -> StoreResult<Option<Vec<u8>>> {
        const ACCOUNT: u8 = Table::Account as u8;
        const ACCESS: u8 = Table::Access as u8;
        const USERNAME: u8 = Table::Username as u8;
        const EMAIL: u8 = Table::Email as u8;
        const TARGET: u8 = Table::Target as u8;
        const RESET: u8 = Table::Reset as u8;
        const RESET_OF: u8 = Table::ResetOf as u8;
        const CONFIRM: u8 = Table::Confirm as u8;
        const CONFIRM_OF: u8 = Table::ConfirmOf as u8;
        const NOTE: u8 = Table::Note as u8;
        const INBOX_COUNT: u8 = Table::InboxCount as u8;
        const STALE: u8 = Table::Stale as u8;
        const GONE: u8 = Table::Gone as u8;
        const FEEDBACK: u8 = Table::Feedback as u8;
        const FEEDBACK_COUNT: u8 = Table::FeedbackCount as u8;
        const ROOM: u8 = Table::Room as u8;
        const ROOM_LOG: u8 = Table::RoomLog as u8;
        const ROOM_OF: u8 = Table::RoomOf as u8;
        const ROOM_EXPIRY: u8 = Table::RoomExpiry as u8;
        const STALE_ROOM: u8 = Table::StaleRoom as u8;
        let lives = || first_id(key).filter(|id| self.accounts.contains(id));
        let stays = match key.first().copied().unwrap_or_default() {
            ACCOUNT | STALE => lives().is_some(),
            USERNAME | EMAIL | TARGET => {
                decode::<IdRecord>(value).is_ok_and(|IdRecord(id)| self.accounts.contains(&id.0))
            }
            ACCESS if lives().is_some() => return signed_out(value).map(Some),
            NOTE => match (lives(), self.opened::<NoteRecord>(key, value)) {
                (Some(owner), Some(note)) => {
                    let count = self.inboxes.entry(owner).or_default();
                    count.total += 1;
                    count.unread += u32::from(!note.seen);
                    true
                }
                (Some(_), None) => self.has_damaged_key(value),
                _ => false,
            },
            FEEDBACK => {
                let lives = self.has_key(value);
                self.feedback += u32::from(lives);
                lives
            }
            ROOM | STALE_ROOM => first_id(key).is_some_and(|id| self.rooms.contains(&id)),
            ROOM_LOG => self.has_key(value),
            ROOM_OF | ROOM_EXPIRY => last_id(key).is_some_and(|id| self.rooms.contains(&id)),
            // The counts are made anew. The notes of those who were already
            // gone have just been dropped.
            ACCESS | RESET | RESET_OF | CONFIRM | CONFIRM_OF | INBOX_COUNT | GONE | FEEDBACK_COUNT => false,
            _ => true,
        };
        Ok(stays.then(|| value.to_vec()))
    }
}

/// An account's record of who is signed in, as one that nobody is.
pub(super) fn signed_out(value: &[u8]) -> StoreResult<Vec<u8>> {
    let mut access = Access::from(decode::<AccessRecord>(value)?);
    access.revoke_all_but(None);
    access.version = access.version.wrapping_add(VERSIONS_SKIPPED);
    encode(&AccessRecord::from(access))
}

/// The id a key begins with, after the table's byte.
fn first_id(key: &[u8]) -> Option<Uuid> {
    key.get(1..17).and_then(|id| Uuid::from_slice(id).ok())
}

/// The id a key ends with.
fn last_id(key: &[u8]) -> Option<Uuid> {
    key.last_chunk().copied().map(Uuid::from_bytes)
}
