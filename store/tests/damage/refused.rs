//! Folders that can't be started.

use std::fs;
use std::path::Path;

use super::{Folders, Harm, commit_log, edit, flip, noise};
use crate::support::SLOT;
use crate::support::files::{contents, copy, differences};
use crate::support::population::try_open_quickly;

const NEWER: &str = "Nothing was changed. Start the newer annon that wrote this";

const REFUSED: [(&str, Harm, &[&str]); 16] = [
    ("no keys", |at, _| fs::remove_file(at.join("keys")).unwrap(), &["keys is missing", "restore a backup"]),
    ("empty keys", |at, _| fs::write(at.join("keys"), "").unwrap(), &["keys", "cut short", "annon restore"]),
    (
        "keys cut short",
        |at, _| edit(&at.join("keys"), |keys| keys.truncate(keys.len() - SLOT)),
        &["cut short", "places for keys", "annon restore"],
    ),
    ("noise for keys", |at, _| fs::write(at.join("keys"), noise(SLOT * 200)).unwrap(), &["no file of keys"]),
    ("keys of a newer annon", |at, _| flip(&at.join("keys"), 27, 2), &["(version 3)", NEWER]),
    (
        "a commit log of a newer annon",
        |at, _| {
            edit(&commit_log(at, 3), |bytes| {
                bytes[8] = 2;
                let sum = crc32fast::hash(&bytes[..60]);
                bytes[60..64].copy_from_slice(&sum.to_le_bytes());
            });
        },
        &["3.log: the file was written by a newer annon (version 2)", NEWER],
    ),
    ("no secret", |at, _| fs::remove_file(at.join("secret")).unwrap(), &["secret is missing"]),
    ("a secret cut short", |at, _| fs::write(at.join("secret"), noise(31)).unwrap(), &["not the secret annon made"]),
    (
        "another's secret",
        |at, folders| {
            fs::copy(folders.at("other/secret"), at.join("secret")).unwrap();
        },
        &["another data folder"],
    ),
    ("no commit log", |at, _| fs::remove_dir_all(at.join("commit-log")).unwrap(), &["commit-log"]),
    (
        "no file of the commit log",
        |at, _| {
            fs::remove_dir_all(at.join("commit-log")).unwrap();
            fs::create_dir(at.join("commit-log")).unwrap();
        },
        &["there is none of its files"],
    ),
    (
        "a file in the middle of the commit log is missing",
        |at, _| fs::remove_file(commit_log(at, 2)).unwrap(),
        &["2.log", "missing"],
    ),
    (
        "a file of the commit log was copied",
        |at, _| {
            fs::copy(commit_log(at, 3), commit_log(at, 4)).unwrap();
        },
        &["says that it is number 3"],
    ),
    (
        "a file of the commit log has an odd name",
        |at, _| fs::rename(commit_log(at, 3), at.join("commit-log/3.log")).unwrap(),
        &["name"],
    ),
    (
        "a file of the commit log is another folder's",
        |at, folders| {
            fs::copy(commit_log(&folders.at("other"), 1), commit_log(at, 1)).unwrap();
        },
        &["belongs to another data folder"],
    ),
    (
        "a restore was cut off",
        |at, _| fs::write(at.join("restore-unfinished"), "").unwrap(),
        &["did not finish", "empty the folder and restore again"],
    ),
];

#[test]
fn what_cant_be_started_says_why_and_is_left_as_it_was() {
    let folders = Folders::new();
    for (what, harm, says) in REFUSED {
        let error = refused(&folders, "stopped", |at| harm(at, &folders));
        assert!(says.iter().all(|words| error.contains(words)), "{what}: {error}");
    }
}

/// Returns the error of a start. The next start must return the same, and change nothing.
pub(super) fn refused(folders: &Folders, name: &str, harm: impl FnOnce(&Path)) -> String {
    let folder = folders.at("refused");
    copy(&folders.at(name), &folder);
    harm(&folder);
    let before = contents(&folder);
    let [first, again] = [0, 1].map(|_| match try_open_quickly(&folder) {
        Ok(_) => "it opened".to_owned(),
        Err(error) => error.to_string(),
    });
    assert_eq!(first, again);
    let mut changes = differences(&before, &contents(&folder));
    // The index has the number of keys, and sled changes files when it opens them.
    changes.retain(|change| !first.contains("places for keys") || !change.starts_with("index"));
    assert!(changes.is_empty(), "{first}: {changes:?}");
    fs::remove_dir_all(folder).unwrap();
    first
}
