//! What the database's folder was like before it was opened.
//!
//! Opening repairs, and a repair that does not help has then thrown away
//! what somebody could still have used. sled overwrites the end of its log
//! (the segments after the last one known to be whole) and what it takes for
//! no segment at all, replaces snapshots, and removes blobs; all that is
//! kept here until opening has worked. It also blanks segments that nothing
//! refers to any more, and those stay blank.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::folder::make_private;

/// sled's own, and never changed by us.
const SEGMENT: u64 = 512 * 1024;
const HEADER: usize = 20;
/// What is given up around a place that can't be read.
const BLOCK: usize = 4096;
/// The kept segments, among the kept files.
const SAVED: &str = "segments";

pub(crate) struct Before {
    folder: PathBuf,
    /// Links to every file but the log. Beside the folder, so that sled does
    /// not take them for its own.
    kept: PathBuf,
    log: Option<Log>,
}

/// What may be overwritten of the log.
struct Log {
    length: u64,
    /// How many segments sled would recognise.
    segments: usize,
    /// Where those begin that are kept, in the order they have in `saved`.
    at: Vec<u64>,
    saved: File,
    /// Where blocks begin that can't be read, and so can't be kept.
    unreadable: BTreeSet<u64>,
}

impl Before {
    pub(crate) fn keep(folder: &Path) -> io::Result<Self> {
        let kept = folder.with_extension("before");
        if kept.exists() {
            fs::remove_dir_all(&kept)?;
        }
        make_private(&kept)?;
        // Where it can't all be kept, nothing of it stays.
        let mut this = Self { folder: folder.to_owned(), kept, log: None };
        let kept = &this.kept;
        for name in files(folder)? {
            let (from, to) = (folder.join(&name), kept.join(&name));
            to.parent().map_or(Ok(()), fs::create_dir_all)?;
            link(&from, &to)?;
        }
        this.log = match File::open(folder.join("db")) {
            Ok(file) => Some(Log::keep(&file, &kept.join(SAVED))?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(this)
    }

    /// Whether there is anything in the log that sled would recognise.
    pub(crate) fn has_log(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.segments > 0)
    }

    /// Makes the folder what it was.
    pub(crate) fn put_back(&self) -> io::Result<()> {
        for name in files(&self.folder)? {
            fs::remove_file(self.folder.join(name))?;
        }
        for name in files(&self.kept)?.into_iter().filter(|name| name != SAVED) {
            link(&self.kept.join(&name), &self.folder.join(&name))?;
        }
        let path = self.folder.join("db");
        match &self.log {
            Some(log) => {
                let file = OpenOptions::new().write(true).open(&path)?;
                log.put_back(&file)?;
                file.sync_all()
            }
            None if path.exists() => fs::remove_file(&path),
            None => Ok(()),
        }
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.kept) {
            tracing::warn!(%error, "can't remove {}", self.kept.display());
        }
    }
}

impl Log {
    fn keep(file: &File, saved: &Path) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut found = Vec::new();
        for at in (0..length).step_by(SEGMENT as usize) {
            let mut bytes = [0; HEADER];
            // One that can't be read is in danger like one that is none.
            let is_read = at + HEADER as u64 <= length && file.read_exact_at(&mut bytes, at).is_ok();
            found.push((at, lsns(&bytes).filter(|_| is_read)));
        }
        // Recovery looks for tears in what follows the highest position that
        // any header calls stable, and overwrites nothing before it.
        let headers = || found.iter().filter_map(|&(_, header)| header);
        let stable = headers().map(|(_, stable)| stable).max().unwrap_or(0);
        let from = stable - stable.rem_euclid(SEGMENT as i64);
        let in_danger = found.iter().filter(|(_, header)| header.is_none_or(|(lsn, _)| lsn >= from));
        let saved = OpenOptions::new().read(true).write(true).create_new(true).open(saved)?;
        let at = in_danger.map(|&(at, _)| at).collect();
        let mut unreadable = BTreeSet::new();
        let log = Self { length, segments: headers().count(), at, saved, unreadable: BTreeSet::new() };
        log.segments_kept(|at, kept, bytes| {
            if file.read_exact_at(bytes, at).is_err() {
                for (block, at) in bytes.chunks_mut(BLOCK).zip((at..).step_by(BLOCK)) {
                    if file.read_exact_at(block, at).is_err() {
                        unreadable.insert(at);
                    }
                }
            }
            log.saved.write_all_at(bytes, kept)
        })?;
        Ok(Self { unreadable, ..log })
    }

    fn put_back(&self, file: &File) -> io::Result<()> {
        file.set_len(self.length)?;
        self.segments_kept(|at, kept, bytes| {
            self.saved.read_exact_at(bytes, kept)?;
            let mut blocks = bytes.chunks(BLOCK).zip((at..).step_by(BLOCK));
            blocks.try_for_each(
                |(block, at)| {
                    if self.unreadable.contains(&at) { Ok(()) } else { file.write_all_at(block, at) }
                },
            )
        })
    }

    /// Does something with each segment that is kept: its place in the log,
    /// its place in `saved`, and a buffer of its length.
    fn segments_kept(&self, mut each: impl FnMut(u64, u64, &mut [u8]) -> io::Result<()>) -> io::Result<()> {
        let mut buffer = vec![0; SEGMENT as usize];
        for (&at, kept) in self.at.iter().zip((0..).step_by(SEGMENT as usize)) {
            let length = SEGMENT.min(self.length - at) as usize;
            each(at, kept, &mut buffer[..length])?;
        }
        Ok(())
    }
}

/// A second name for a file, or a copy where there are no second names. The
/// settings are the only one of these files that is changed in place.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    if from.ends_with("conf") || fs::hard_link(from, to).is_err() {
        fs::copy(from, to)?;
    }
    Ok(())
}

/// Names, below the folder, of every file but the log itself.
fn files(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for (entries, prefix) in [(fs::read_dir(folder), ""), (fs::read_dir(folder.join("blobs")), "blobs")] {
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_file() && !(prefix.is_empty() && entry.file_name() == "db") {
                names.push(Path::new(prefix).join(entry.file_name()).into_os_string());
            }
        }
    }
    Ok(names)
}

/// A segment's position in the log and the highest position known to be on
/// disk when it was begun; `None` if this is no header.
fn lsns(header: &[u8; HEADER]) -> Option<(i64, i64)> {
    let (sum, rest) = header.split_first_chunk::<4>()?;
    let (lsn, stable) = rest.split_first_chunk::<8>()?;
    let plain = |bytes: [u8; 8]| i64::from_le_bytes(bytes) ^ i64::MAX;
    (u32::from_le_bytes(*sum) == !crc32fast::hash(rest)).then_some((plain(*lsn), plain(*stable.first_chunk()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sled::Disk;

    /// Every file but the log, and of that what is kept.
    fn contents(folder: &Path, log: &Log) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        for name in files(folder).unwrap() {
            found.push((name.to_string_lossy().into_owned(), fs::read(folder.join(name)).unwrap()));
        }
        let bytes = fs::read(folder.join("db")).unwrap();
        for &at in &log.at {
            let segment = &bytes[at as usize..bytes.len().min((at + SEGMENT) as usize)];
            found.push((format!("db at {at} of {}", bytes.len()), segment.to_vec()));
        }
        found.sort();
        found
    }

    #[test]
    fn the_headers_of_a_real_log_are_recognised_and_its_end_is_put_back() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("db");
        for round in 0..3_u8 {
            let mut disk = Disk::open(&folder, false).unwrap();
            let key = |n: u32| [&[round], &n.to_be_bytes()[..]].concat();
            disk.take_over(&(0..3_000).map(|n| (key(n), Some(vec![round; 300]))).collect(), |_| {}).unwrap();
        }
        let before = Before::keep(&folder).unwrap();
        let log = before.log.as_ref().unwrap();
        assert!(log.segments > 3 && log.at.len() < log.segments, "{} of {}", log.at.len(), log.segments);
        assert!(before.has_log());
        let was = contents(&folder, log);
        // What opening does at least: a new snapshot in place of the old one.
        drop(Disk::open(&folder, false).unwrap());
        assert!(contents(&folder, log) != was);
        before.put_back().unwrap();
        assert!(contents(&folder, log) == was);
        drop(before);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
