//! What the store's tests share.

pub(crate) mod cluster;
pub(crate) mod files;
pub(crate) mod logged;
pub(crate) mod mounted;
pub(crate) mod nats;
pub(crate) mod people;
pub(crate) mod population;
pub(crate) mod postgres;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use annon_store::{Engine as _, Local, OpenError, Options};
use files::{contents, holds};

/// Whether a test tries every case (`make torture-folder`) or a few.
pub(crate) fn is_torture() -> bool {
    std::env::var_os("ANNON_TORTURE").is_some()
}

/// A nearly full disk must not make a test fail.
pub(crate) fn options(folder: &Path) -> Options {
    Options { disk_reserve: 0, ..Options::new(folder) }
}

pub(crate) fn try_open(folder: &Path) -> Result<Local, OpenError> {
    try_open_with(&options(folder))
}

/// Opens a folder. A child process of another test holds the lock between fork and exec.
pub(crate) fn try_open_with(options: &Options) -> Result<Local, OpenError> {
    for _ in 0..100 {
        match Local::open(options) {
            Err(OpenError::Locked(_)) => sleep(Duration::from_millis(20)),
            opened => return opened,
        }
    }
    Local::open(options)
}

pub(crate) fn open(folder: &Path) -> Local {
    open_with(&options(folder))
}

pub(crate) fn open_with(options: &Options) -> Local {
    try_open_with(options).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) const SLOT: usize = 64;

/// The slots of a key file, also the unused ones.
pub(crate) fn slots(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    file.chunks(SLOT).skip(1)
}

/// The keys in a folder's key file, by their bytes.
pub(crate) fn keys(folder: &Path) -> BTreeSet<Vec<u8>> {
    keys_of(folder, 1..=u8::MAX)
}

/// The keys of these kinds.
pub(crate) fn keys_of(folder: &Path, kinds: RangeInclusive<u8>) -> BTreeSet<Vec<u8>> {
    let file = fs::read(folder.join("keys")).unwrap();
    slots(&file).filter(|slot| kinds.contains(&slot[0])).map(|slot| slot[32..].to_vec()).collect()
}

/// Checks that `count` of these keys are gone and stand in no file.
#[track_caller]
pub(crate) fn destroyed(folder: &Path, before: &BTreeSet<Vec<u8>>, count: usize) {
    let gone: Vec<_> = before.difference(&keys(folder)).cloned().collect();
    assert_eq!(gone.len(), count);
    assert!(contents(folder).values().all(|bytes| gone.iter().all(|key| !holds(bytes, key))));
}

pub(crate) async fn back_up(store: &Local, file: &Path) {
    store.backup(Box::new(File::create(file).unwrap())).await.unwrap();
}

/// How many commits a store has made.
pub(crate) fn commits_of(store: &Local) -> u64 {
    store.figures().commits.unwrap().count
}
