//! When the database is beyond repair: one is made from the last export and
//! from what the journal has, and the broken one is set aside.
//!
//! An export is an older state, and what has been taken back since must not
//! come back with it: what was deleted has no key any more and stays away,
//! mailed links are dropped, and everybody has to sign in again. The journal
//! has the newest commits. Those between the two are lost.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use uuid::Uuid;

use crate::account::{Access, AccountId};
use crate::error::{Result as StoreResult, StoreError};
use crate::export::Rebuild;
use crate::folder::frame::{Frame, FrameReader};
use crate::folder::{DataFolder, OpenError, make_private};
use crate::inbox::sled::place_in;
use crate::seals::keyring::Keyring;
use crate::seals::{Blinder, sealed_with};
use crate::shapes::account::{AccessRecord, AccountRecord, IdRecord};
use crate::shapes::feedback::Count;
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::shapes::{Record, decode, encode};
use crate::sled::journal::Left;
use crate::sled::mend;
use crate::sled::{Disk, Reader, Table, key};

/// How many versions of an account's tokens are skipped: more than there can
/// have been since the export.
const VERSIONS_SKIPPED: u32 = 1 << 20;
/// Where a database is rebuilt before it takes the place of the broken one.
const REBUILT: &str = "db.rebuilt";

/// Rebuilds the database, which is to have more commits than it ever had.
pub(crate) fn fall_back(
    folder: &DataFolder,
    keyring: &Keyring,
    sync: bool,
    commits: u64,
    why: &io::Error,
) -> Result<Disk, OpenError> {
    let database = folder.join("db");
    let damaged = |source: &io::Error, export: &io::Error| OpenError::Damaged {
        path: database.clone(),
        why: source.to_string(),
        export: export.to_string(),
    };
    let last = folder.join("export").join("last");
    let check = |file| FrameReader::begin(BufReader::new(file))?.try_for_each(|frame| frame.map(drop));
    File::open(&last).and_then(check).map_err(|export| damaged(why, &export))?;
    // Without the owners in this database nobody could tell what is lost: then
    // the start refuses.
    let left = Left::read(&database).map_err(|error| damaged(why, &error))?;
    tracing::error!(error = %why, "the database is damaged: going back to the last export, and to what the journal has");
    let fresh = folder.join(REBUILT);
    let rebuilt = rebuild(&last, &left, &fresh, keyring, &Blinder::new(&folder.derive("index")), sync, commits);
    let lost = rebuilt.map_err(|error| {
        let _ = fs::remove_dir_all(&fresh);
        damaged(why, &error)
    })?;
    tracing::error!("{lost}");
    let opened = swap(folder, &database, &fresh).and_then(|()| {
        let mut disk = Disk::open(&database, sync)?;
        disk.read_whole(&Left::default(), true, Duration::MAX)?;
        mend::trust(&database)?;
        Ok(disk)
    });
    opened.map_err(|source| OpenError::Io { path: database.clone(), source })
}

/// Finishes the exchange of a broken database for a rebuilt one, if that was
/// cut short: the broken one is set aside only when the other is whole.
pub(crate) fn finish_swap(folder: &DataFolder) -> io::Result<()> {
    let (database, fresh) = (folder.join("db"), folder.join(REBUILT));
    if !database.exists() && fresh.exists() {
        fs::rename(fresh, database)?;
        folder.sync()?;
        tracing::warn!("the database that was rebuilt at the last start is put in its place");
    }
    Ok(())
}

fn swap(folder: &DataFolder, database: &Path, fresh: &Path) -> io::Result<()> {
    let broken = free_name(folder);
    fs::rename(database, &broken)?;
    fs::rename(fresh, database)?;
    folder.sync()?;
    tracing::error!("the broken database is in {}; delete it when nobody needs it", broken.display());
    Ok(())
}

/// Which commits are in the rebuilt database, and which are not, for the log.
#[derive(Debug, PartialEq, Eq)]
struct Lost {
    /// The last that the export has.
    exported: u64,
    /// The first and the last that came out of the journal.
    replayed: Option<(u64, u64)>,
    /// The last there was, as far as anybody knows.
    last: u64,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { exported, replayed, last } = *self;
        write!(f, "the database is rebuilt: commits up to {exported} from the export")?;
        let (before, after) = match replayed {
            Some((from, to)) => {
                write!(f, ", {from} to {to} from the journal")?;
                (from - exported - 1, last.saturating_sub(to))
            }
            None => (last.saturating_sub(exported), 0),
        };
        match before + after {
            0 => write!(f, "; nothing is lost"),
            lost => write!(f, "; what {lost} commits between and after those changed is lost"),
        }
    }
}

/// Where nothing is yet: an earlier broken one may be the better one.
fn free_name(folder: &DataFolder) -> PathBuf {
    let names = std::iter::once("db.broken".to_owned()).chain((2..).map(|n: u32| format!("db.broken.{n}")));
    names.map(|name| folder.join(&name)).find(|path| !path.exists()).unwrap_or_else(|| folder.join("db.broken"))
}

fn rebuild(
    export: &Path,
    left: &Left,
    fresh: &Path,
    keyring: &Keyring,
    blinder: &Blinder,
    sync: bool,
    commits: u64,
) -> io::Result<Lost> {
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
    let exported = rebuild.disk.commits().map_err(io::Error::other)?;
    let mut replayed = None;
    for (number, changes) in left.after(exported) {
        replayed = Some((replayed.map_or(number, |(first, _)| first), number));
        for (key, value) in changes {
            rebuild.change(key.clone(), value.clone())?;
        }
    }
    rebuild.commit()?;
    let last = commits.max(exported).max(replayed.map_or(0, |(_, last)| last));
    make_whole(&mut rebuild, keyring, blinder).map_err(io::Error::other)?;
    // The mark is now behind this database, whatever happens next.
    rebuild.change(key(Table::Commits, &[]), Some((last + 1).to_be_bytes().to_vec()))?;
    rebuild.finish()?;
    Ok(Lost { exported, replayed, last })
}

/// Drops what belongs to nobody who is still there, and makes anew what is
/// told by other records: the commits that are missing may have held it.
fn make_whole(rebuild: &mut Rebuild, keyring: &Keyring, blinder: &Blinder) -> Result<(), Box<dyn Error + Send + Sync>> {
    let reader = rebuild.disk.reader();
    let mut living = Living::among(&reader, keyring)?;
    for pair in reader.records() {
        let (key, value) = pair?;
        match living.becomes(&key, &value)? {
            Some(now) if now == value => {}
            now => rebuild.change(key, now)?,
        }
    }
    for (owner, count) in &living.inboxes {
        rebuild.change(key(Table::Inbox, &[owner.as_bytes()]), Some(encode(count)?))?;
    }
    let feedback = encode(&Count(living.feedback))?;
    rebuild.change(key(Table::FeedbackCount, &[]), Some(feedback))?;
    restore_index(rebuild, &living, &reader, blinder)?;
    rebuild.commit()?;
    Ok(())
}

/// What leads to an account, and stands in none of the commits that are left
/// if only the account itself was changed since.
fn restore_index(rebuild: &mut Rebuild, living: &Living<'_>, reader: &Reader, blinder: &Blinder) -> StoreResult<()> {
    let (mut missing, mut fits) = (Vec::new(), false);
    for id in &living.accounts {
        let at = key(Table::Account, &[id.as_bytes()]);
        let Some(account) = reader.read(&at)?.and_then(|sealed| living.opened::<AccountRecord>(&at, &sealed)) else {
            continue;
        };
        let pointer = encode(&IdRecord(AccountId(*id)))?;
        let by_name = key(Table::Username, &[&blinder.blind(&account.username.folded())]);
        fits |= reader.has(&by_name)?;
        if account.confirmed {
            missing.push((key(Table::Email, &[&blinder.blind(&account.email.folded())]), pointer.clone()));
        }
        missing.extend([
            (by_name, pointer.clone()),
            (key(Table::Target, &[account.target.0.as_bytes()]), pointer),
            (key(Table::Access, &[id.as_bytes()]), signed_out(&encode(&AccessRecord::default())?)?),
        ]);
    }
    // With another secret than theirs every name would seem to be missing.
    for (key, value) in missing.into_iter().filter(|_| fits) {
        if !reader.has(&key)? {
            rebuild.change(key, Some(value)).map_err(|_| StoreError::Unavailable)?;
        }
    }
    Ok(())
}

/// The owners that still exist, judging by their keys.
struct Living<'a> {
    keyring: &'a Keyring,
    accounts: HashSet<Uuid>,
    rooms: HashSet<Uuid>,
    inboxes: HashMap<Uuid, InboxRecord>,
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
        const INBOX: u8 = Table::Inbox as u8;
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
                    self.inboxes.entry(owner).or_default().count(place_in(key)?, note.seen);
                    true
                }
                (Some(_), None) => self.has_damaged_key(value),
                _ => false,
            },
            // It comes before its notes, which are counted anew.
            INBOX => match lives() {
                Some(owner) => {
                    self.inboxes.insert(owner, decode::<InboxRecord>(value).unwrap_or_default().uncounted());
                    true
                }
                None => false,
            },
            FEEDBACK => {
                let lives = self.has_key(value);
                self.feedback += u32::from(lives);
                lives
            }
            ROOM | STALE_ROOM => first_id(key).is_some_and(|id| self.rooms.contains(&id)),
            ROOM_LOG => self.has_key(value) && first_id(key).is_some_and(|id| self.rooms.contains(&id)),
            ROOM_OF | ROOM_EXPIRY => last_id(key).is_some_and(|id| self.rooms.contains(&id)),
            // The counts are made anew. The notes of those who were already
            // gone have just been dropped.
            ACCESS | RESET | RESET_OF | CONFIRM | CONFIRM_OF | GONE | FEEDBACK_COUNT => false,
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
