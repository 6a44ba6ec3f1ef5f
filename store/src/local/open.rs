//! Opens the folder: locks it, repairs what a crash left, and starts the committer.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use crate::clock;
use crate::files::make_private;
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::folder::{At, DataFolder, OpenError};
use crate::local::commit_log::{CommitLog, Found};
use crate::local::committer::{Committer, Pace, Parts};
use crate::local::exports::Exports;
use crate::local::images::files::PictureFiles;
use crate::local::index::Index;
use crate::local::index_state::IndexState;
use crate::local::lost::{are_of_another_folder, lost, pictures_without_file};
use crate::local::recent::Recent;
use crate::local::room_records::RoomRecords;
use crate::local::{Local, Open, Options, erasing, room_log, starting};
use crate::nouns::Common;
use crate::seals::erasing::Erasing;
use crate::seals::keyring::{HeldKeys, KeyFile, Keyring};
use crate::table::{Table, key};

/// How long a commit may take before the disk is given up.
const COMMIT_PATIENCE: Duration = Duration::from_secs(60);

impl Local {
    /// Locks the folder, repairs what a crash left, and starts the committer.
    pub fn open(options: &Options) -> Result<Self, OpenError> {
        // Without syncs, there is no sync that calls could share.
        let pause = if options.sync { options.commit_pause } else { Duration::ZERO };
        let pace = Pace { pause, patience: COMMIT_PATIENCE };
        Self::open_with(options, pace)
    }

    pub(super) fn open_with(options: &Options, pace: Pace) -> Result<Self, OpenError> {
        let mut folder = DataFolder::take(&options.folder)?;
        let space = DiskSpace::new(options.folder.clone(), options.disk_reserve, options.picture_bytes);
        let space = Arc::new(space);
        let ballast = Ballast::of(&options.folder, space.clone());
        // It is taken on again when this function returns.
        let _thrown_off = ballast.throw_off().at(&ballast.path)?;
        // Keys and commit log are read before the index is opened, which changes its files.
        let held = hold_keys(&folder)?;
        let mut found = starting::read_commit_log(&folder, options.sync)?;
        let index = starting::open_index(&folder, &mut found, &space)?;
        let (key_file, keyring) = open_keys(&folder, held, &index, found.damage.is_empty())?;
        folder.write_mended_secret()?;
        let exports = Exports::of(&folder);
        exports.clear().at(folder.path())?;
        let mut findings: Vec<_> = found.damage.iter().map(ToString::to_string).collect();
        let commit_log = begin_commit_log(&folder, found, &index, &keyring)?;
        let images = folder.join("images");
        let files = PictureFiles::open(images.clone()).at(&images)?;
        folder.sync().at(folder.path())?;
        let keyring = Arc::new(RwLock::new(keyring));
        findings.extend(log_damage(key_file.damaged, &index, &keyring, &files));
        findings.extend(log_missing_pictures(&keyring, &files));
        log_erasing(folder.path());
        let damaged_keys = key_file.damaged > 0;
        let (folder, commits) = (Arc::new(folder), Arc::default());
        let (rooms, recent) = (RoomRecords::new(commit_log.reader()), Recent::default());
        let parts = Parts {
            commit_log,
            index: index.clone(),
            rooms: rooms.clone(),
            recent: recent.clone(),
            key_file,
            keyring: keyring.clone(),
            folder: folder.clone(),
            space: space.clone(),
            ballast: ballast.clone(),
            commits: Arc::clone(&commits),
        };
        let committer = start_committer(parts, pace)?;
        starting::walk_behind(index.clone()).at(folder.path())?;
        let common = Common::new(|purpose| folder.secret.derive(purpose)).map_err(io::Error::other).at(folder.path())?;
        Ok(Self(Arc::new(Open {
            index,
            rooms,
            recent,
            files,
            committer,
            keyring,
            commits,
            resealed: AtomicU64::new(0),
            space,
            ballast,
            common: Arc::new(common),
            folder,
            exports: Mutex::new(exports),
            moves: tokio::sync::Mutex::default(),
            most_accounts: options.most_accounts,
            damaged_keys,
            findings: Mutex::new(findings),
        })))
    }
}

/// Locks and reads the file of keys. This second lock comes before any change: somebody
/// may have removed the file `lock`.
fn hold_keys(folder: &DataFolder) -> Result<HeldKeys, OpenError> {
    let keys = folder.join("keys");
    match KeyFile::hold(&keys, !folder.was_in_use) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(OpenError::Locked(folder.path().to_owned())),
        held => held.at(&keys),
    }
}

/// Takes the keys. The index says how many slots their file must have, at least, and whose
/// they must be. If a part of the commit log is missing, the index may name keys that are
/// destroyed, and not those that are new.
fn open_keys(
    folder: &DataFolder,
    held: HeldKeys,
    index: &Index,
    is_whole: bool,
) -> Result<(KeyFile, Keyring), OpenError> {
    let keys = folder.join("keys");
    let slots = match index.read(&key(Table::KeySlots, &[])).map_err(io::Error::other).at(&keys)? {
        Some(slots) => u64::from_be_bytes(slots.try_into().map_err(|_| ErrorKind::InvalidData.into()).at(&keys)?),
        None => 0,
    };
    let (mut key_file, mut keyring) = KeyFile::open(held, &keys, slots).at(&keys)?;
    let is_complete = is_whole && !index.has(&key(Table::Incomplete, &[])).map_err(io::Error::other).at(&keys)?;
    // The first sweep would destroy them, as keys of nobody.
    let can_be_told = is_complete && key_file.damaged == 0;
    if can_be_told && are_of_another_folder(index, &keyring).map_err(io::Error::other).at(&keys)? {
        let why = "it opens nothing of what is here, and nobody who is here has a key in it: it is another folder's. \
                   Nothing was changed. Put the file back as it was, or restore a backup into an empty folder \
                   (annon restore)";
        return Err(io::Error::new(ErrorKind::InvalidData, why)).at(&keys);
    }
    // Their pictures were taken back, and must not be served again.
    let dying = erasing::dying_keys(index).map_err(io::Error::other).at(&keys)?;
    for id in &dying {
        keyring.forget(*id);
    }
    key_file.destroy(&dying).at(&keys)?;
    Ok((key_file, keyring))
}

/// Makes the commit log ready for commits. From then on the folder is in use.
fn begin_commit_log(
    folder: &DataFolder,
    mut found: Found,
    index: &Index,
    keyring: &Keyring,
) -> Result<CommitLog, OpenError> {
    let path = folder.join("commit-log");
    let (is_new, doubt) = (found.is_empty(), std::mem::take(&mut found.doubt));
    make_private(&path).at(&path)?;
    let mut commit_log = found.begin(clock::hour()).at(&path)?;
    room_log::skip_doubtful(&mut commit_log, index, keyring, &doubt).at(&path)?;
    if is_new {
        IndexState::InUse.put(folder.path()).at(folder.path())?;
    }
    Ok(commit_log)
}

/// Starts the committer, which stops writing when the index is found damaged.
fn start_committer(parts: Parts, pace: Pace) -> Result<Committer, OpenError> {
    let (index, folder) = (parts.index.clone(), parts.folder.path().to_owned());
    let (committer, failure) = Committer::start(parts, pace).at(&folder)?;
    let fail = failure.raise_later();
    index.when_damaged(move || {
        if let Err(error) = IndexState::Damaged.put(&folder) {
            tracing::error!(%error, "can't note for the next start that the index is damaged");
        }
        fail("the index is damaged");
    });
    Ok(committer)
}

/// Logs what can't be read because of damaged keys, and returns it. The server goes on.
fn log_damage(keys: usize, index: &Index, keyring: &RwLock<Keyring>, files: &PictureFiles) -> Option<String> {
    if keys == 0 {
        return None;
    }
    match lost(index, keyring, Some(files)) {
        Ok(lost) => {
            let lost = lost.unwrap_or_else(|| "nothing".to_owned());
            tracing::error!(
                keys,
                %lost,
                "keys in the file «keys» are damaged, and what they sealed can't be read. They are left as they are, and \
                 everything else goes on. To have it back, stop the server and restore the last backup into an empty \
                 folder (annon restore), which has nothing that came after it; and check the disk and the memory"
            );
            Some(format!("keys: {keys} are damaged, and what they sealed can't be read: {lost}"))
        }
        Err(error) => {
            tracing::error!(keys, %error, "keys in the file «keys» are damaged, and it is not known whose");
            Some(format!("keys: {keys} are damaged, and it is not known whose"))
        }
    }
}

/// Logs how many pictures have lost their file, and returns it.
fn log_missing_pictures(keyring: &RwLock<Keyring>, files: &PictureFiles) -> Option<String> {
    // An error is logged.
    let pictures = pictures_without_file(keyring, files).unwrap_or(0);
    if pictures == 0 {
        return None;
    }
    tracing::error!(
        pictures,
        "pictures are missing in the folder «images», and can't be shown. A backup has them if it was made while they \
         were there"
    );
    Some(format!("images: the files of {pictures} pictures are missing"))
}

/// Logs whether the folder's file system really overwrites deleted keys.
fn log_erasing(folder: &Path) {
    match Erasing::at(folder) {
        Ok(erasing) if erasing.is_sure() => tracing::info!("{erasing}"),
        Ok(erasing) => tracing::warn!("{erasing}"),
        Err(error) => tracing::warn!(%error, "it is not known whether deleted data is gone on this file system"),
    }
}
