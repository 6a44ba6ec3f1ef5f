//! Damage to the small files, the keys and the secret.

use std::fs;
use std::ops::Range;

use tokio::runtime::Runtime;

use super::refused::refused;
use super::{Folders, flip};
use crate::support::files::{contents, copy, differences};
use crate::support::mounted::Disk;
use crate::support::population::{Started, live, start, try_open_quickly};
use crate::support::{SLOT, is_torture, slots};

#[test]
fn a_flipped_bit_of_a_small_file_costs_nothing_and_several_are_named() {
    let folders = Folders::new();
    let used = slots(&fs::read(folders.at("stopped/keys")).unwrap()).take_while(|slot| slot[0] != 0).count();
    let stride = if is_torture() { 1 } else { 131 };
    for (file, length) in [("keys", (used + 2) * SLOT), ("secret", 36)] {
        for at in (0..length).step_by(stride) {
            let Started { missing, lines, .. } =
                folders.start("stopped", |folder| flip(&folder.join(file), at, 1 << (at % 8))).unwrap();
            assert!(missing.is_empty(), "{file}, byte {at}: {missing:?}\n{lines}");
            let is_free = file == "keys" && at >= (used + 1) * SLOT;
            assert!(lines.contains("repaired") || is_free, "{file}, byte {at}: {lines}");
        }
    }
    const KINDS: [&str; 7] = ["", "account", "feedback", "inbox", "room", "", "picture"];
    let kinds: Vec<_> = slots(&fs::read(folders.at("stopped/keys")).unwrap()).map(|slot| slot[0]).take(used).collect();
    for at in (SLOT..(used + 1) * SLOT).step_by(stride) {
        let Started { missing, lines, .. } =
            folders.start("stopped", |folder| flip(&folder.join("keys"), at, 0b0101_1010)).unwrap();
        let kind = KINDS[usize::from(kinds[at / SLOT - 1])];
        assert!(missing.iter().any(|what| what.starts_with(kind)), "byte {at}, {kind}: {missing:?}\n{lines}");
        assert!(missing.len() <= 2 && lines.contains("are damaged") && lines.contains("lost=1 "), "byte {at}: {lines}");
    }
    for at in (0..36).step_by(stride) {
        let error = refused(&folders, "stopped", |folder| flip(&folder.join("secret"), at, 0b0101_1010));
        assert!(error.contains("it is damaged") && error.contains("annon restore"), "{error}");
    }
}

/// What can't be read without the key of a slot.
fn sealed_with(slot: &[u8]) -> Vec<String> {
    let kinds: &[&str] = match slot[0] {
        1 => &["account"],
        2 => &["feedback"],
        3 => &["inbox"],
        4 => &["room", "chat"],
        6 => &["picture"],
        _ => &[],
    };
    let owner = u64::from_be_bytes(slot[16..24].try_into().unwrap());
    kinds.iter().map(|kind| format!("{kind} {owner}")).collect()
}

#[test]
fn a_block_of_the_keys_that_the_device_cant_read_costs_its_keys_and_no_others() {
    const BLOCK: usize = 4096;
    const MANY: Range<u64> = 0..24;
    let made = tempfile::tempdir().unwrap();
    Runtime::new().unwrap().block_on(async {
        let store = try_open_quickly(made.path()).unwrap();
        live(&store, MANY).await;
        store.close().await.unwrap();
    });
    let whole = fs::read(made.path().join("keys")).unwrap();
    for block in whole.chunks(BLOCK) {
        let Some(disk) = Disk::of("btrfs", 192) else { return };
        let folder = disk.at().join("data");
        // The copy has checksums; the file of keys itself has none.
        copy(made.path(), &folder);
        disk.spoil(block).unwrap();
        let Started { mut missing, lines, findings } = start(&folder, MANY).unwrap();
        let mut expected: Vec<_> = block.chunks(SLOT).flat_map(sealed_with).collect();
        expected.sort();
        missing.sort();
        assert!(missing == expected && !expected.is_empty(), "{missing:?}, not {expected:?}\n{lines}");
        assert!(lines.contains("are damaged") && findings[0].starts_with("keys: "), "{lines}{findings:?}");
    }
}

#[test]
fn keys_that_are_zeros_or_older_are_named_and_those_of_another_folder_are_refused() {
    let folders = Folders::new();
    for harm in ["a sector of zeros", "all zeros", "older"] {
        let Started { missing, lines, findings } = folders
            .start("stopped", |folder| {
                let path = folder.join("keys");
                let mut bytes = fs::read(&path).unwrap();
                match harm {
                    "older" => {
                        bytes = fs::read(folders.at("older/keys")).unwrap();
                    }
                    "all zeros" => bytes[SLOT..].fill(0),
                    _ => bytes[SLOT..9 * SLOT].fill(0),
                }
                fs::write(path, bytes).unwrap();
            })
            .unwrap();
        let is_named = lines.contains("has no key in the file «keys»");
        assert!(is_named && !missing.is_empty(), "{harm}: {missing:?}\n{lines}");
        assert!(findings.iter().any(|found| found.starts_with("lost with its key: ")), "{harm}: {findings:?}");
    }

    let folder = folders.at("foreign");
    copy(&folders.at("stopped"), &folder);
    fs::copy(folders.at("other/keys"), folder.join("keys")).unwrap();
    let before = contents(&folder);
    let error = try_open_quickly(&folder).map(drop).unwrap_err().to_string();
    assert!(error.contains("it is another folder's") && error.contains("annon restore"), "{error}");
    let mut changes = differences(&before, &contents(&folder));
    // sled changes files of the index when it opens them.
    changes.retain(|change| !change.starts_with("index"));
    assert!(changes.is_empty(), "{changes:?}");
}
