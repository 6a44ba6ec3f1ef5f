//! A folder as bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;

pub(crate) type Contents = BTreeMap<PathBuf, Vec<u8>>;

pub(crate) fn contents(folder: &Path) -> Contents {
    let mut files = Contents::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// The files of the commit log in a data folder.
pub(crate) fn commit_log_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("commit-log")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "log")).collect()
}

/// Names where two folders differ, without the bytes.
pub(crate) fn differences(one: &Contents, other: &Contents) -> Vec<String> {
    let mut found = Vec::new();
    for (path, bytes) in one {
        match other.get(path) {
            None => found.push(format!("{} is gone", path.display())),
            Some(now) if now != bytes => {
                let at = bytes.iter().zip(now).position(|(a, b)| a != b);
                found.push(format!("{} changed at {at:?}, {} → {}", path.display(), bytes.len(), now.len()));
            }
            Some(_) => {}
        }
    }
    found.extend(other.keys().filter(|path| !one.contains_key(*path)).map(|path| format!("{} is new", path.display())));
    found
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for (name, bytes) in contents(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

pub(crate) fn holds(bytes: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && memmem::find(bytes, part).is_some()
}

/// The bytes of the commit log's files that were overwritten since `before`. Asserts that
/// there are some, and that no file has them now.
pub(crate) fn overwritten(folder: &Path, before: &Contents) -> Vec<Vec<u8>> {
    let now = contents(folder);
    let first_change = |(path, was): (&PathBuf, &Vec<u8>)| {
        let is = &now[path];
        // Zeros at the end of a file are for frames to come.
        let changed = (0..was.len()).filter(|&at| was[at] != is[at]);
        changed.map(|at| &was[at..at + 24]).find(|bytes| !bytes.contains(&0)).map(<[u8]>::to_vec)
    };
    let gone: Vec<_> = before
        .iter()
        .filter(|(path, _)| path.extension().is_some_and(|it| it == "log"))
        .filter_map(first_change)
        .collect();
    assert!(!gone.is_empty());
    assert!(now.values().all(|bytes| gone.iter().all(|part| !holds(bytes, part))));
    gone
}
