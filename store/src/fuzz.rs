//! What fuzzing calls (`fuzz/`). Each function takes bytes that may be anything, as a damaged disk or a
//! foreign file has them, and must come to an end without a panic. When fuzzing, every checksum counts
//! as right, so that what stands behind it is reached.

use std::fs;
use std::io::sink;
use std::path::Path;

use crate::folder::parts::{Part, PartReader};
use crate::local::commit_log::Found;
use crate::{hand_on_backup, shapes};

/// The id of the data folder that the golden files are of.
const ID: [u8; 16] = *b"one data folder.";
/// The first bytes of each file of a commit log.
const FILE: &[u8] = b"annonlog";
/// No record of a room has fewer bytes.
const RECORD_MIN: usize = 48;

/// A stored record of any kind.
pub fn record(bytes: &[u8]) {
    shapes::read_as_each_kind(bytes);
}

/// A backup.
pub fn backup(bytes: &[u8]) {
    let _ = hand_on_backup(bytes, sink());
    let Ok(parts) = PartReader::begin(bytes) else { return };
    for part in parts.flatten() {
        if let Part::Put(_, value) = part {
            record(&value);
        }
    }
}

/// The files of a commit log, one after the other.
pub fn commit_log(bytes: &[u8]) {
    // A folder in memory, where there is one.
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = parent.join(format!("annon-fuzz-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    if fs::create_dir(&folder).is_ok() {
        for (number, file) in (1..).zip(files(bytes)) {
            let _ = fs::write(folder.join(format!("{number:010}.log")), file);
        }
        start_twice(&folder, bytes.len() / RECORD_MIN);
    }
    let _ = fs::remove_dir_all(&folder);
}

fn files(bytes: &[u8]) -> Vec<&[u8]> {
    let begins = |at: &usize| bytes[*at..].starts_with(FILE);
    let mut starts: Vec<_> = (0..bytes.len()).filter(begins).take(4).collect();
    starts.push(bytes.len());
    starts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect()
}

/// Reads a folder as a start does, goes on in it, and reads it once more. It has at most so many records.
fn start_twice(folder: &Path, records: usize) {
    for _ in 0..2 {
        let Ok(found) = Found::read(folder.to_owned(), ID, false) else { return };
        let Ok(commit_log) = found.begin(0) else { return };
        let reader = commit_log.reader();
        for room in reader.rooms() {
            // It ends, whatever the places say: each record has an earlier seq, and each gap
            // between two records an earlier place.
            let links_max = (records + 1) * (records + 2);
            let links = reader.chain(&room).take(links_max + 1).count();
            invariant!(links <= links_max, "a room's chain has an end");
        }
        reader.replay(0).for_each(drop);
    }
}

/// Feeds a function what `fuzz/corpus/` has for it, whole and cut short.
#[cfg(test)]
fn feed(name: &str, read: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
    assert!(!files.is_empty());
    for file in files {
        read(&file);
        read(&file[..file.len() / 2]);
    }
}

#[test]
fn what_fuzzing_has_found_is_read() {
    feed("record", record);
    feed("backup", backup);
    feed("commit_log", commit_log);
}
