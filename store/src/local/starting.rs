//! Starting: reads the commit log, and opens the index or rebuilds it.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::error::StoreError;
use crate::files::{if_there, make_private};
use crate::folder::space::{DiskSpace, REMOVES_ABOVE};
use crate::folder::{At, DataFolder, OpenError};
use crate::local::commit_log::{Found, Replayed};
use crate::local::exports::{Exports, log_unused};
use crate::local::index::Index;
use crate::local::index_state::IndexState;
use crate::local::index_sum::IndexSum;
use crate::progress::{Progress, Step, Unit};
use crate::table::{Table, key};

/// How long a start checks the index before it serves. In this time a hundred
/// thousand notes are read. The rest is checked while the server serves.
const WALK_FIRST: Duration = Duration::from_millis(250);
/// How often a long start logs how far it is, and when it first does.
const LOG_EVERY: Duration = Duration::from_secs(10);
const LOG_AFTER: Duration = Duration::from_secs(1);
/// The thread of the walk has a lower priority than those that serve.
const NICE: i32 = 5;

/// What somebody can do about a damaged commit log.
pub(super) const ADVICE: &str = "To have back what is missing, stop the server and restore the last backup into an empty folder \
                      (annon restore), which has nothing of what came after it; and have the disk checked";

/// Reads the commit log. Nothing is changed.
pub(crate) fn read_commit_log(folder: &DataFolder, sync: bool) -> Result<Found, OpenError> {
    let path = folder.join("commit-log");
    let refused = |why: io::Error| match why.kind() {
        ErrorKind::Unsupported => OpenError::Io { path: path.clone(), source: why },
        _ => OpenError::CommitLog { path: path.clone(), why: why.to_string() },
    };
    let found = Found::read(path.clone(), folder.id(), sync).map_err(refused)?;
    if found.is_empty() && folder.was_in_use {
        return Err(refused(io::Error::other("there is none of its files")));
    }
    for damage in &found.damage {
        tracing::error!(%damage, "the commit log is damaged: the rest is served, and nothing is overwritten. {ADVICE}");
    }
    if let Some(torn) = &found.torn {
        tracing::warn!(
            %torn,
            "the commit log ends with an unfinished write, of which nobody was told; it is left out. After a power cut or a \
             kill nothing has to be done. Otherwise have the disk checked"
        );
    }
    Ok(found)
}

/// Opens the index, with every change of the commit log.
pub(crate) fn open_index(folder: &DataFolder, found: &mut Found, space: &DiskSpace) -> Result<Index, OpenError> {
    let path = folder.join("index");
    check_space(folder, space)?;
    if found.is_empty() {
        // The caller marks the folder as in use when it has a commit log.
        return rebuild(&path, folder, found, space).at(&path)?.map_err(|why| OpenError::Damaged {
            path: path.clone(),
            why: "it is new".to_owned(),
            export: why,
        });
    }
    let holds = IndexState::holds(folder.path());
    if holds {
        IndexState::InUse.put(folder.path()).at(folder.path())?;
    }
    let believed = open_there(&path, folder, found).and_then(|there| {
        if holds {
            believe(there, found, WALK_FIRST)
        } else {
            Err("the system has failed since, or its last user found it damaged".to_owned())
        }
    });
    let why = match believed {
        Ok(index) => return Ok(index),
        Err(why) => why,
    };
    // sled may report a full disk as damage.
    check_space(folder, space)?;
    tracing::info!(why, "the index can't be used as it is");
    IndexState::Damaged.put(folder.path()).at(folder.path())?;
    let index = match rebuild(&path, folder, found, space).at(&path)? {
        Ok(index) => index,
        // It can't be rebuilt, so it is used if a check finds all of it there.
        Err(export) => {
            let believed = open_there(&path, folder, found).and_then(|there| believe(there, found, Duration::MAX));
            let index = believed.map_err(|why| OpenError::Damaged { path, why, export: export.clone() })?;
            log_unused(&export, "the index that was there");
            index
        }
    };
    IndexState::InUse.put(folder.path()).at(folder.path())?;
    Ok(index)
}

/// Refuses a start for which the disk has too little space, before anything is
/// written.
fn check_space(folder: &DataFolder, space: &DiskSpace) -> Result<(), OpenError> {
    if space.ask() >= REMOVES_ABOVE {
        return Ok(());
    }
    // On btrfs deleted space is free after the next transaction.
    let freed = File::open(folder.path()).and_then(|folder| Ok(rustix::fs::syncfs(folder)?));
    freed.at(folder.path())?;
    if space.ask() >= REMOVES_ABOVE { Ok(()) } else { Err(ErrorKind::StorageFull.into()).at(folder.path()) }
}

/// Opens the index that is there, and returns it with its last commit. The error says
/// why it can't be used.
fn open_there(path: &Path, folder: &DataFolder, found: &mut Found) -> Result<(Index, u64), String> {
    if !path.exists() {
        return Err("there is none".to_owned());
    }
    let index = Index::open(path)?;
    let (at, whose) = index.stands_at().map_err(unreadable)?.ok_or("it says nothing of itself")?;
    if whose != folder.id() {
        return Err("it belongs to another folder".to_owned());
    }
    found.expect(at);
    Ok((index, at))
}

fn unreadable(_: StoreError) -> String {
    "it can't be read".to_owned()
}

/// Makes the changes that an index lacks, and checks the index. The error says why it
/// can't be used.
fn believe((index, at): (Index, u64), found: &mut Found, patience: Duration) -> Result<Index, String> {
    if at < found.checkpoint || at.saturating_add(1) < found.first_commit() {
        return Err(format!("it ends with commit {at}, and the commit log goes on elsewhere"));
    }
    // If the commit log has lost its end, it does not say what should be in the index.
    let more = if at > found.end() { Some(index.count().map_err(unreadable)?) } else { None };
    if !replay(&index, found, at).map_err(|error| error.to_string())? {
        return Err("a part of the commit log that it needs can't be read".to_owned());
    }
    let index_sum = more.unwrap_or_else(|| IndexSum::from_bytes(found.index_sum()));
    index.begin_walk(index_sum);
    let begun = Stopwatch::start();
    while begun.elapsed() < patience {
        match index.walk_on().map_err(unreadable)? {
            Some(true) => break,
            Some(false) => return Err("something that was in it is missing".to_owned()),
            None => {}
        }
    }
    if let Some(through) = found.lost_through {
        index.put_at(through).map_err(unreadable)?;
        let damage = found.skip_lost_end(through, index_sum.bytes());
        tracing::error!(
            %damage,
            "the end of the commit log is missing: rooms may have a gap, and the index has everything else. {ADVICE}"
        );
    }
    Ok(index)
}

/// Makes the changes that the commit log has after a commit. Returns whether the commit log
/// could be read to its end.
fn replay(index: &Index, found: &mut Found, after: u64) -> io::Result<bool> {
    let mut is_whole = true;
    let progress = Progress::default();
    progress.begin("the commit log", Unit::Records, Some(found.end().saturating_sub(after)));
    let mut log = ProgressLog::of(&progress);
    for replayed in found.replay(after) {
        match replayed? {
            Replayed::Commit { commit, states } => {
                for (key, value) in &states {
                    index.change(key, value.as_deref()).map_err(io::Error::other)?;
                }
                index.put_at(commit).map_err(io::Error::other)?;
                progress.add(1);
                log.look();
            }
            Replayed::Missing(damage) => {
                tracing::error!(%damage, "changes that can't be read are left out. {ADVICE}");
                is_whole = false;
                if !found.damage.iter().any(|known| (&known.path, &known.at) == (&damage.path, &damage.at)) {
                    found.damage.push(damage);
                }
            }
        }
    }
    Ok(is_whole)
}

/// Builds the index from the newest export that will do, or from the commit log alone if
/// that has every commit, and puts it in the place of the old one. If the disk has no
/// space for both, the old one goes first. The inner error says why it can't be built.
fn rebuild(
    path: &Path,
    folder: &DataFolder,
    found: &mut Found,
    space: &DiskSpace,
) -> io::Result<Result<Index, String>> {
    let fresh = folder.join("index.new");
    let exports = Exports::of(folder);
    let mut why_not = Vec::new();
    for export in [Some("last"), Some("before"), None] {
        let base = match export {
            Some(name) => exports.base(name, found).map(|(export, start)| (Some(export), start)),
            None if found.first_commit() <= 1 => Ok((None, 0)),
            None => break,
        };
        let (export, start) = match base {
            Ok(base) => base,
            Err(why) => {
                why_not.push(why);
                continue;
            }
        };
        let from = export.as_ref().map_or("the commit log alone".to_owned(), |export| export.display().to_string());
        // A rebuild must not fail for an index that is of no use.
        if space.ask() < bytes_in(path) + REMOVES_ABOVE {
            remove(path)?;
        }
        let Some(index_sum) = build(&fresh, folder, found, export.as_deref(), start)? else {
            why_not.push(format!("{from}: something is missing in it"));
            continue;
        };
        remove(path)?;
        fs::rename(&fresh, path)?;
        folder.sync()?;
        // A folder without exports may be younger than the first.
        if exports.exist() {
            log_unused(&why_not.join("; "), &from);
        }
        if !found.is_empty() {
            log_rebuilt(found, &from, index_sum);
        }
        let index = Index::open(path).map_err(io::Error::other)?;
        index.begin_walk(index_sum);
        return Ok(Ok(index));
    }
    remove(&fresh)?;
    Ok(Err(why_not.join("; ")))
}

/// Logs what an index was built from, and what is missing in it.
fn log_rebuilt(found: &mut Found, from: &str, index_sum: IndexSum) {
    let price = if found.lost_through.is_some() {
        "the next line says what is missing"
    } else if !found.damage.is_empty() {
        "the lines above say what is damaged"
    } else {
        "nothing is lost"
    };
    tracing::warn!(from, price, "the index is rebuilt");
    if let Some(through) = found.lost_through {
        let damage = found.skip_lost_end(through, index_sum.bytes());
        tracing::error!(
            %damage,
            "the end of the commit log is missing, and all that was written then is gone. {ADVICE}"
        );
    }
}

/// Builds an index in a folder of its own, and returns its sum; `None` if the index
/// lacks something that the commit log has counted.
fn build(
    fresh: &Path,
    folder: &DataFolder,
    found: &mut Found,
    export: Option<&Path>,
    start: u64,
) -> io::Result<Option<IndexSum>> {
    remove(fresh)?;
    make_private(fresh)?;
    let index = Index::open(fresh).map_err(io::Error::other)?;
    if let Some(export) = export {
        let progress = Progress::default();
        let mut log = ProgressLog::of(&progress);
        for pair in Exports::open(export, &progress)?.1 {
            let (key, value) = pair?;
            index.change(&key, Some(&value)).map_err(io::Error::other)?;
            log.look();
        }
    }
    let incomplete = key(Table::Incomplete, &[]);
    let is_whole = replay(&index, found, start)?;
    // If it is incomplete already, something was lost, and a start has said so.
    let is_incomplete = !is_whole || index.has(&incomplete).map_err(io::Error::other)?;
    if !is_incomplete && index.index_sum() != IndexSum::from_bytes(found.index_sum()) {
        return Ok(None);
    }
    if is_incomplete || found.lost_through.is_some() {
        index.change(&incomplete, Some(&[])).map_err(io::Error::other)?;
    }
    index.begin(folder.id(), found.lost_through.unwrap_or(found.end())).map_err(io::Error::other)?;
    let index_sum = index.index_sum();
    index.flush()?;
    Ok(Some(index_sum))
}

/// The bytes of a folder, such as an index, that has files and folders of files.
pub(crate) fn bytes_in(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_in(&entry.path()),
        about => about.map_or(0, |about| about.len()),
    };
    entries.map(bytes).sum()
}

/// Removes an index, whatever it is.
fn remove(path: &Path) -> io::Result<()> {
    let removed = if_there(match fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::NotADirectory => fs::remove_file(path),
        removed => removed,
    });
    removed.map(drop)
}

/// Starts a thread that checks the rest of the index while the server serves.
pub(crate) fn walk_behind(index: Index) -> io::Result<()> {
    let work = move || {
        // On Linux this is for the thread alone. If it fails, the thread has the
        // usual priority.
        let _ = rustix::process::nice(NICE);
        loop {
            match index.walk_on() {
                Ok(None) => thread::yield_now(),
                Ok(Some(_)) | Err(_) => return,
            }
        }
    };
    thread::Builder::new().name("store-walk".into()).spawn(work).map(drop)
}

/// Logs now and then how far the index is.
struct ProgressLog<'a> {
    progress: &'a Progress,
    since_logged: Stopwatch,
    wait: Duration,
}

impl<'a> ProgressLog<'a> {
    fn of(progress: &'a Progress) -> Self {
        Self { progress, since_logged: Stopwatch::start(), wait: LOG_AFTER }
    }

    fn look(&mut self) {
        if self.since_logged.elapsed() < self.wait {
            return;
        }
        if let Some(Step { what, unit, done, of, since }) = self.progress.now() {
            let per_second = u128::from(done) * 1000 / since.as_millis().max(1);
            tracing::info!(from = what, ?unit, done, of, per_second, "the index is being brought up to date");
        }
        (self.since_logged, self.wait) = (Stopwatch::start(), LOG_EVERY);
    }
}
