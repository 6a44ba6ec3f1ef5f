//! Starts on damaged folders. All of a damaged index comes back. What can't be read of the commit log or
//! the keys is named, and everything else is there. A folder that can't be opened is left as it
//! was, and the error says why and what to do.
//!
//! `ANNON_TORTURE=1` (`make torture-folder`) tries every place, otherwise a few are tried.

use std::fs::{self, OpenOptions};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support::files::{contents, copy};
use crate::support::mounted::Disk;
use crate::support::population::{Started, live, start, try_open_quickly};
use crate::support::{is_torture, keys_of};

mod campaign;
mod keys;
mod refused;

const PEOPLE: Range<u64> = 0..6;
const SECTOR: usize = 512;

/// Folders whose copies are damaged.
struct Folders {
    parent: TempDir,
}

impl Folders {
    /// Makes the folder of a killed process (`killed`), the folder of a stopped process
    /// (`stopped`), an earlier state of both (`older`) and the folder of another store (`other`).
    fn new() -> Self {
        let this = Self { parent: tempfile::tempdir().unwrap() };
        Runtime::new().unwrap().block_on(async {
            let living = this.at("living");
            let store = try_open_quickly(&living).unwrap();
            live(&store, 0..2).await;
            store.close().await.unwrap();
            copy(&living, &this.at("older"));
            let store = try_open_quickly(&living).unwrap();
            live(&store, 2..3).await;
            store.export().unwrap();
            live(&store, 3..5).await;
            store.close().await.unwrap();
            let store = try_open_quickly(&living).unwrap();
            live(&store, 5..6).await;
            copy(&living, &this.at("killed"));
            store.close().await.unwrap();
            fs::rename(living, this.at("stopped")).unwrap();
            let store = try_open_quickly(&this.at("other")).unwrap();
            live(&store, 50..52).await;
            store.close().await.unwrap();
        });
        this
    }

    fn at(&self, name: &str) -> PathBuf {
        self.parent.path().join(name)
    }

    /// Copies a folder, damages the copy and starts it.
    fn start(&self, name: &str, harm: impl FnOnce(&Path)) -> Result<Started, String> {
        let folder = self.at("damaged");
        copy(&self.at(name), &folder);
        harm(&folder);
        let started = start(&folder, PEOPLE);
        fs::remove_dir_all(&folder).unwrap();
        started
    }
}

fn replace(folder: &Path, other: &Path, name: &str) {
    fs::remove_dir_all(folder.join(name)).unwrap();
    copy(&other.join(name), &folder.join(name));
}

fn noise(length: usize) -> Vec<u8> {
    let next = |seed: &u32| Some(seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(7), next).map(|seed| (seed >> 24) as u8).take(length).collect()
}

fn of_index(folder: &Path) -> Vec<PathBuf> {
    contents(&folder.join("index")).into_keys().map(|name| folder.join("index").join(name)).collect()
}

fn edit(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(file).unwrap();
    change(&mut bytes);
    fs::write(file, bytes).unwrap();
}

fn edit_index(folder: &Path, change: fn(&mut Vec<u8>)) {
    of_index(folder).iter().for_each(|file| edit(file, change));
}

type Harm = fn(&Path, &Folders);

const TO_THE_INDEX: [(&str, Harm); 13] = [
    ("nothing", |_, _| {}),
    ("it is removed", |at, _| fs::remove_dir_all(at.join("index")).unwrap()),
    ("it is emptied", |at, _| of_index(at).iter().for_each(|file| fs::remove_file(file).unwrap())),
    ("a file stands in its place", |at, _| {
        fs::remove_dir_all(at.join("index")).unwrap();
        fs::write(at.join("index"), "a file").unwrap();
    }),
    ("its files are empty", |at, _| edit_index(at, Vec::clear)),
    ("its files are noise", |at, _| edit_index(at, |bytes| *bytes = noise(bytes.len()))),
    ("its files are zeros", |at, _| edit_index(at, |bytes| bytes.fill(0))),
    ("its files are cut", |at, _| edit_index(at, |bytes| bytes.truncate(bytes.len() / 2))),
    ("it is another folder's", |at, folders| replace(at, &folders.at("other"), "index")),
    ("it is older", |at, folders| replace(at, &folders.at("older"), "index")),
    ("it is older, and so is the export", |at, folders| {
        replace(at, &folders.at("older"), "index");
        fs::remove_dir_all(at.join("export")).unwrap();
    }),
    ("the system has failed since", |at, _| {
        fs::write(at.join("index.state"), "in use since the system started as another\n").unwrap();
        of_index(at).iter().for_each(|file| fs::write(file, noise(5000)).unwrap());
    }),
    ("it is removed, and the export is damaged", |at, _| {
        fs::remove_dir_all(at.join("index")).unwrap();
        fs::write(at.join("export/last"), noise(5000)).unwrap();
    }),
];

#[test]
fn whatever_happens_to_the_index_all_of_it_comes_back() {
    let folders = Folders::new();
    for name in ["stopped", "killed"] {
        for (what, harm) in TO_THE_INDEX {
            let started = folders.start(name, |at| harm(at, &folders));
            let Started { missing, lines, .. } = started.unwrap_or_else(|error| panic!("{name}, {what}: {error}"));
            assert!(missing.is_empty(), "{name}, {what}: {missing:?}\n{lines}");
            assert!(!lines.contains("panicked"), "{name}, {what}: {lines}");
            // An index that is only older catches up with the commit log.
            let is_of_use = what == "nothing" || what.starts_with("it is older");
            assert_eq!(lines.contains("the index is rebuilt"), !is_of_use, "{name}, {what}: {lines}");
        }
    }
}

/// Overwrites a sector with noise or with zeros.
fn ruin(file: &Path, at: usize, length: usize) {
    let bytes = if (at / length).is_multiple_of(2) { noise(length) } else { vec![0; length] };
    OpenOptions::new().write(true).open(file).unwrap().write_all_at(&bytes, at as u64).unwrap();
}

/// The places of a file to damage, up to its last byte that is not zero.
fn places(file: &Path, length: usize, short: usize) -> impl Iterator<Item = usize> + use<> {
    let bytes = fs::read(file).unwrap();
    let written = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    (0..written).step_by(length * if is_torture() { 1 } else { written / length / short + 1 })
}

#[test]
fn a_lost_sector_of_the_index_costs_nothing() {
    let folders = Folders::new();
    for name in ["stopped", "killed"] {
        for file in of_index(&folders.at(name)) {
            let file = file.strip_prefix(folders.at(name)).unwrap().to_owned();
            for at in places(&folders.at(name).join(&file), 8 * SECTOR, 12) {
                let started = folders.start(name, |folder| ruin(&folder.join(&file), at, 8 * SECTOR));
                let Started { missing, lines, .. } =
                    started.unwrap_or_else(|error| panic!("{name}, {file:?}: {error}"));
                assert!(missing.is_empty(), "{name}, {file:?} at {at}: {missing:?}\n{lines}");
            }
        }
    }
}

#[test]
fn what_is_damaged_on_the_commit_log_is_named_and_everything_else_is_there() {
    let folders = Folders::new();
    let mut costs = 0;
    for name in ["stopped", "killed"] {
        for file in
            contents(&folders.at(name).join("commit-log")).into_keys().map(|file| Path::new("commit-log").join(file))
        {
            for at in places(&folders.at(name).join(&file), SECTOR, 12) {
                // Once with the index, and once with an index that has to be built anew.
                for is_built in [false, true] {
                    let harm = |folder: &Path| {
                        ruin(&folder.join(&file), at, SECTOR);
                        if is_built {
                            fs::remove_dir_all(folder.join("index")).unwrap();
                        }
                    };
                    let what = format!("{name}, {file:?} at {at}, built anew: {is_built}");
                    let Started { missing, lines, .. } =
                        folders.start(name, harm).unwrap_or_else(|error| panic!("{what}: {error}"));
                    let is_named = [" ERROR ", " WARN "].iter().any(|level| lines.contains(level));
                    assert!(missing.is_empty() || is_named, "{what}: {missing:?}\n{lines}");
                    // sled has not written the latest changes of a killed process; they come from
                    // the commit log.
                    let may_miss = |gone: &String| is_built || name == "killed" || gone.starts_with("chat");
                    assert!(missing.iter().all(may_miss), "{what}: {missing:?}\n{lines}");
                    costs += missing.len();
                }
            }
        }
    }
    println!("{costs} parts were missing, and named");
    assert!(costs > 0);
}

/// What else happens to a folder whose newest file of the commit log is missing.
const BESIDE_IT: [(&str, Harm, &str); 4] = [
    ("nothing", |_, _| {}, "the index has everything else"),
    ("the system has failed since", another_boot, "export/last"),
    (
        "the system has failed since, and there is no export",
        |at, folders| {
            another_boot(at, folders);
            fs::remove_dir_all(at.join("export")).unwrap();
        },
        "the commit log alone",
    ),
    (
        "the system has failed since, the first file is missing, too, and there is no export",
        |at, folders| {
            another_boot(at, folders);
            fs::remove_dir_all(at.join("export")).unwrap();
            fs::remove_file(commit_log(at, 1)).unwrap();
        },
        "the index has everything else",
    ),
];

fn another_boot(at: &Path, _: &Folders) {
    fs::write(at.join("index.state"), "in use since the system started as another\n").unwrap();
}

#[test]
fn a_newest_file_that_is_missing_is_named_with_what_it_costs() {
    let folders = Folders::new();
    for name in ["stopped", "killed"] {
        for (what, harm, says) in BESIDE_IT {
            let started = folders.start(name, |at| {
                fs::remove_file(commit_log(at, 3)).unwrap();
                harm(at, &folders);
            });
            let Started { missing, lines, findings } =
                started.unwrap_or_else(|error| panic!("{name}, {what}: {error}"));
            let what = format!("{name}, {what}: {missing:?}\n{lines}");
            assert!(missing.contains(&"chat 5".to_owned()), "{what}");
            let line = lines.lines().find(|line| line.contains(" ERROR ") && line.contains("3.log: missing; commit"));
            assert!(line.is_some_and(|line| line.contains("the end of the commit log is missing")), "{what}");
            // sled has written the latest changes of a process that stopped, and they say which was the last.
            assert!(name == "killed" || lines.contains("3.log: missing; commits "), "{what}");
            assert!(lines.contains(says) && !lines.contains("nothing is lost"), "{what}");
            assert!(findings.iter().any(|finding| finding.contains("3.log: missing; commit")), "{what}{findings:?}");
        }
    }
}

/// Owners whose records are missing may come back with a backup's or the lost file: no sweep takes
/// their keys for those of nobody.
#[test]
fn keys_of_owners_that_a_rebuilt_index_has_never_heard_of_stay() {
    let folders = Folders::new();
    let folder = folders.at("damaged");
    copy(&folders.at("stopped"), &folder);
    another_boot(&folder, &folders);
    fs::remove_dir_all(folder.join("export")).unwrap();
    fs::rename(commit_log(&folder, 3), folder.join("elsewhere")).unwrap();
    let before = keys_of(&folder, 1..=4);
    let Started { missing, lines, .. } = start(&folder, PEOPLE).unwrap();
    assert!(missing.contains(&"account 5".to_owned()), "{missing:?}\n{lines}");
    assert!(before.is_subset(&keys_of(&folder, 1..=4)), "{lines}");
}

/// The file is there, and nothing notes how many commits it had. Whoever knows a later one says so.
#[test]
fn an_end_that_is_missing_is_named_by_the_index_or_else_by_the_export() {
    let folders = Folders::new();
    let cut = |file: &Path| {
        edit(file, |bytes| {
            let written = bytes.iter().rposition(|byte| *byte != 0).unwrap();
            bytes[written / 2..].fill(0);
        });
    };
    let by_the_index = folders.start("stopped", |at| cut(&commit_log(at, 3)));
    let by_the_export = folders.start("stopped", |at| {
        fs::remove_dir_all(at.join("index")).unwrap();
        fs::remove_file(commit_log(at, 3)).unwrap();
        fs::remove_file(commit_log(at, 2)).unwrap();
        fs::remove_file(at.join("commit-log/files")).unwrap();
    });
    for (started, file) in [(by_the_index, "3.log"), (by_the_export, "1.log")] {
        let Started { missing, lines, findings } = started.unwrap();
        assert!(missing.iter().any(|gone| gone.starts_with("chat")), "{missing:?}\n{lines}");
        let is_it = |line: &str| line.contains(file) && line.contains("this can't be read; commits ");
        let line = lines.lines().find(|line| line.contains(" ERROR ") && is_it(line));
        assert!(line.is_some_and(|line| line.contains("the end of the commit log is missing")), "{file}: {lines}");
        assert!(!lines.contains("nothing is lost") && findings.iter().any(|it| is_it(it)), "{lines}{findings:?}");
    }
}

#[test]
fn oldest_files_that_are_missing_are_named_with_the_rooms_that_were_in_them() {
    let folders = Folders::new();
    for (name, files, says) in [
        ("stopped", 1..2, "0000000001.log: missing; commits 1 to "),
        ("killed", 1..2, "0000000001.log: missing; commits 1 to "),
        ("stopped", 1..3, "0000000002.log: missing; commits 1 to "),
    ] {
        let harm = |at: &Path| files.clone().for_each(|file| fs::remove_file(commit_log(at, file)).unwrap());
        let Started { missing, lines, findings } = folders.start(name, harm).unwrap();
        let rooms = if files.end == 2 { 2 } else { 5 };
        let gone: Vec<_> = (0..rooms).map(|n| format!("chat {n}")).collect();
        assert_eq!(missing, gone, "{name}: {lines}");
        let line = lines.lines().find(|line| line.contains(" ERROR ") && line.contains(says)).unwrap_or_default();
        assert!(line.contains(&format!("{rooms} rooms have a gap")), "{name}: {lines}");
        assert!(findings.len() == 1 && findings[0].contains(says), "{name}: {findings:?}");
    }
}

fn commit_log(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("commit-log/{number:010}.log"))
}

fn flip(file: &Path, at: usize, bits: u8) {
    edit(file, |bytes| bytes[at] ^= bits);
}

/// The kernel itself refuses to read, as btrfs does where a block does not match its checksum.
/// Files that are overwritten in place have no checksum, so a file of the index is damaged. Where
/// the test may not mount, it checks nothing.
#[test]
fn a_sector_that_the_device_cant_read_is_damage_like_any_other() {
    let folders = Folders::new();
    let Some(disk) = Disk::of("btrfs", 192) else { return };
    let folder = disk.at().join("data");
    copy(&folders.at("stopped"), &folder);
    let whole = fs::read(folder.join("index/db")).unwrap();
    for at in places(&folder.join("index/db"), 8 * SECTOR, 3) {
        let Some(_) = disk.spoil(&whole[at..][..8 * SECTOR]) else { continue };
        let Started { missing, lines, .. } = start(&folder, PEOPLE).unwrap();
        assert!(missing.is_empty(), "at {at}: {missing:?}\n{lines}");
        fs::remove_dir_all(&folder).unwrap();
        copy(&folders.at("stopped"), &folder);
    }
}
