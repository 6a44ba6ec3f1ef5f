//! Files that are not as the commit log left them, and files that can't be written.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use super::super::disk::Call;
use super::super::format::{HEADER_LEN, Header};
use super::*;

fn path(folder: &Path, number: u32) -> PathBuf {
    disk(folder).path(number)
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

/// Makes five closed files.
fn filled(folder: &Path) -> Model {
    let (mut commit_log, mut model) = (open(folder), Model::default());
    for hour in 0..5 {
        model.commit(&mut commit_log, &[next_record(room(1), hour + 1)], hour);
    }
    commit_log.close().unwrap();
    model
}

#[test]
fn a_folder_whose_files_do_not_belong_together_is_refused_with_a_sentence() {
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 6] = [
        ("0000000003.log: the file is missing", |at| fs::remove_file(path(at, 3)).unwrap()),
        ("says that it is number 5", |at| copy(&path(at, 5), &path(at, 6))),
        ("says that it is number 3", |at| copy(&path(at, 3), &path(at, 2))),
        ("no name of a file of the commit log", |at| copy(&path(at, 5), &at.join("5.log"))),
        ("belongs to another data folder", |at| {
            let other = tempfile::tempdir().unwrap();
            let disk = Disk::new(other.path().to_owned(), [9; 16], false);
            drop(Found::read_disk(disk).unwrap().begin(0).unwrap());
            copy(&path(other.path(), 1), &path(at, 4));
        }),
        ("one of the two is another copy", |at| {
            let (other, mut commit_log) = fresh();
            for _ in 0..9 {
                commit(&mut commit_log, &[], 0).unwrap();
            }
            commit_log.close().unwrap();
            copy(&path(other.path(), 1), &path(at, 1));
        }),
    ];
    for (says, harm) in harms {
        let parent = tempfile::tempdir().unwrap();
        filled(parent.path());
        harm(parent.path());
        let refusal = Found::read_disk(disk(parent.path())).err().unwrap().to_string();
        assert!(refusal.contains(says), "{refusal}");
    }
}

#[test]
fn missing_files_at_both_ends_are_named_at_each_start() {
    let parent = tempfile::tempdir().unwrap();
    let model = filled(parent.path());
    for number in [1, 2, 5] {
        fs::remove_file(path(parent.path(), number)).unwrap();
    }
    let mut found = found(parent.path());
    let front = found.damage[0].to_string();
    assert!(
        front.contains("1.log to ") && front.ends_with("2.log: missing; commits 1 to 2 are missing; a room has a gap")
    );
    assert_eq!(found.lost_through, Some(5), "one commit at least");
    found.expect(9);
    let end = found.skip_lost_end(9, [7; 16]).to_string();
    assert!(end.ends_with("5.log: missing; commits 5 to 9 are missing"), "{end}");
    let mut commit_log = found.begin(0).unwrap();
    let mut there = Vec::new();
    for link in commit_log.reader().chain(&room(1)) {
        match link {
            Ok(ChainLink::Record(_, record)) => there.push(record.head.first),
            Ok(ChainLink::Gap(..)) => panic!("nothing is damaged"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound),
        }
    }
    assert_eq!(there, [4, 3]);
    assert_eq!(commit(&mut commit_log, &[next_record(room(2), 1)], 0).unwrap().commit, 10);
    commit_log.close().unwrap();
    let named: Vec<_> = super::found(parent.path()).damage.iter().map(ToString::to_string).collect();
    assert!(named.iter().any(|why| why.contains("commits 5 to 9 are missing")) && named.contains(&front), "{named:?}");
    assert_eq!(model.commit, 5);
}

#[test]
fn a_file_that_was_being_made_is_made_again() {
    for left in [0, 10, 64] {
        let parent = tempfile::tempdir().unwrap();
        let model = filled(parent.path());
        fs::write(path(parent.path(), 6), vec![0; left]).unwrap();
        let commit_log = open(parent.path());
        assert_eq!(commit_log.growing.file.number, 6);
        assert_eq!(Model::of_commit_log(&commit_log), model);
    }
}

/// The checksum is right: only the number shows it.
#[test]
fn a_header_with_a_number_that_no_commit_has_counts_as_damaged() {
    let parent = tempfile::tempdir().unwrap();
    let model = filled(parent.path());
    let file = fs::OpenOptions::new().read(true).write(true).open(path(parent.path(), 1)).unwrap();
    let mut bytes = [0; HEADER_LEN];
    file.read_exact_at(&mut bytes, 0).unwrap();
    let header = Header::decode(&bytes).unwrap();
    for first_commit in [0, u64::MAX] {
        file.write_all_at(&Header { first_commit, ..header }.encode(), 0).unwrap();
        let mut found = Model::of(found(parent.path()));
        let [why] = &found.named[..] else { panic!("{:?}", found.named) };
        assert!(why.ends_with("the beginning of the file is damaged, but nothing is missing"), "{why}");
        found.named.clear();
        assert_eq!(found, model);
    }
}

/// Then nothing tells which commit the second one begins with.
#[test]
fn a_damaged_end_of_a_file_and_a_damaged_header_after_it_cost_nothing() {
    let (parent, mut commit_log) = fresh();
    let mut model = Model::default();
    for first in 1..=3 {
        model.commit(&mut commit_log, &[next_record(room(1), first)], 0);
    }
    drop(commit_log);
    let mut commit_log = open(parent.path());
    model.commit(&mut commit_log, &[next_record(room(1), 4), next_record(room(2), 1)], 0);
    drop(commit_log);
    let end = fs::metadata(path(parent.path(), 1)).unwrap().len() as usize;
    for (number, at) in [(1, end - 1), (2, 3)] {
        write_over(parent.path(), number, at, &[0xD5]);
    }
    let mut found = Model::of(found(parent.path()));
    assert!(!found.named.is_empty(), "it is named");
    assert!(found.named.iter().all(|why| !why.contains("are missing")), "{:?}", found.named);
    found.named.clear();
    assert_eq!(found, model);
}

#[test]
fn a_frame_of_another_place_is_not_shown_and_what_stood_there_is_named() {
    let filled = |id: [u8; 16]| {
        let parent = tempfile::tempdir().unwrap();
        let disk = Disk::new(parent.path().to_owned(), id, false);
        let (mut commit_log, mut model) = (Found::read_disk(disk).unwrap().begin(0).unwrap(), Model::default());
        for n in 1..=7 {
            let said = Wish::Room(room(1), n.into(), vec![n, id[0]]);
            model.commit(&mut commit_log, &[said, Wish::State(vec![n.max(4)], Some(vec![n, id[0]]))], u64::from(n > 2));
        }
        (parent, model, (commit_log.growing.end - HEADER_LEN) / 5)
    };
    let rows = [("folder", 2, 2), ("file", 1, 1), ("place", 2, 0), ("place, with damage behind it", 2, 0)];
    for (which, number, nth) in rows {
        let ((parent, mut model, length), (other, ..)) = (filled(ID), filled([9; 16]));
        let from = fs::read(path(if which == "folder" { &other } else { &parent }.path(), number)).unwrap();
        // Over the fifth commit.
        let at = |nth| HEADER_LEN + nth * length;
        write_over(parent.path(), 2, at(2), &from[at(nth)..at(nth + 1)]);
        model.rooms.get_mut(&room(1)).unwrap().remove(4);
        model.states.remove(&vec![5]);
        if which.contains("damage") {
            write_over(parent.path(), 2, at(3) + 88, &[0]);
            model.rooms.get_mut(&room(1)).unwrap().remove(4);
        }
        for now in [Model::of(found(parent.path())), Model::of_commit_log(&open(parent.path()))] {
            assert!(now.rooms == model.rooms && now.states == model.states, "another {which}: {now:?}");
            assert!(now.named.iter().any(|why| why.contains("commit 5 is missing")), "another {which}: {now:?}");
        }
    }
}

/// Makes the n-th call fail, once or from then on. A failed write leaves half of its sectors.
fn fail(disk: &Disk, nth: usize, kind: ErrorKind, for_ever: bool) {
    let (mut calls, folder) = (0, disk.clone());
    disk.watch(Some(Box::new(move |call| {
        calls += 1;
        if calls != nth && !(for_ever && calls > nth) {
            return Ok(());
        }
        if let Call::Write(number, at, bytes) = call {
            let file = fs::File::options().write(true).open(folder.path(number))?;
            let half = (at + bytes.len() / 2) / 512 * 512;
            file.write_all_at(&bytes[..half.saturating_sub(at)], at as u64)?;
        }
        Err(kind.into())
    })));
}

#[test]
fn after_any_call_that_fails_nothing_acknowledged_is_missing() {
    for (kind, for_ever) in [(ErrorKind::Other, false), (ErrorKind::StorageFull, false), (ErrorKind::StorageFull, true)]
    {
        for nth in 1..120 {
            let parent = tempfile::tempdir().unwrap();
            let disk = disk(parent.path());
            let (mut model, mut random) = (Model::default(), Random::new(nth as u64 + 99));
            fail(&disk, nth, kind, for_ever);
            let mut might_be = None;
            if let Ok(mut commit_log) = Found::read_disk(disk.clone()).unwrap().begin(0) {
                for hour in 0..40 {
                    let wishes = random.wishes(&model);
                    match commit(&mut commit_log, &wishes, hour / 5) {
                        Ok(_) => model.apply(&wishes),
                        Err(CommitError::Refused(_)) => assert_eq!(Model::of_commit_log(&commit_log), model),
                        Err(CommitError::Dead(_)) => {
                            might_be.insert(model.clone()).apply(&wishes);
                            assert!(matches!(commit(&mut commit_log, &[], 0), Err(CommitError::Dead(_))));
                            break;
                        }
                    }
                }
            }
            disk.watch(None);
            let now = Model::of_commit_log(&open(parent.path()));
            assert!(now == model || Some(&now) == might_be.as_ref(), "call {nth}, {kind:?}");
        }
    }
}

#[test]
fn a_disk_with_no_place_for_another_file_goes_on_in_this_one() {
    let (parent, mut commit_log) = fresh();
    let (mut model, disk) = (Model::default(), commit_log.reader.open_files.disk.clone());
    model.commit(&mut commit_log, &[next_record(room(1), 1)], 0);
    disk.watch(Some(Box::new(|call| match call {
        Call::Create(_) => Err(ErrorKind::StorageFull.into()),
        _ => Ok(()),
    })));
    model.commit(&mut commit_log, &[next_record(room(1), 2)], 1);
    assert_eq!(commit_log.growing.file.number, 1);
    disk.watch(None);
    model.commit(&mut commit_log, &[next_record(room(1), 3)], 1);
    assert_eq!(commit_log.growing.file.number, 2);
    drop(commit_log);
    assert_eq!(Model::of(found(parent.path())), model);
}

#[test]
fn a_redaction_of_what_is_missing_is_no_reason_not_to_start() {
    let (parent, mut commit_log) = fresh();
    let mut model = Model::default();
    model.commit(&mut commit_log, &[next_record(room(1), 1)], 0);
    model.commit(&mut commit_log, &[next_record(room(2), 1)], 1);
    // A start does it once more.
    model.commit(&mut commit_log, &[Wish::Redact(room(1), 1, words(&room(1), 1, 1))], 1);
    drop(commit_log);
    fs::remove_file(path(parent.path(), 1)).unwrap();
    let now = Model::of_commit_log(&open(parent.path()));
    assert_eq!(now.rooms[&room(2)], model.rooms[&room(2)]);
    assert!(!path(parent.path(), 1).exists());
}

#[test]
fn of_what_damage_has_cut_the_rest_is_overwritten_and_the_file_does_not_grow() {
    let (parent, commit_log) = fresh();
    let open_files = &commit_log.reader.open_files;
    let before = fs::read(path(parent.path(), 1)).unwrap();
    let end = before.len() as u32;
    assert!(open_files.overwrite(Place { file: 1, offset: end - 4 }, &[7; 10]).unwrap());
    assert!(!open_files.overwrite(Place { file: 1, offset: end }, &[7; 10]).unwrap());
    let after = fs::read(path(parent.path(), 1)).unwrap();
    assert_eq!(after, [&before[..before.len() - 4], &[7; 4]].concat());
    assert!(!open_files.overwrite(Place { file: 2, offset: 0 }, &[7]).unwrap(), "it is missing");
    fs::create_dir(path(parent.path(), 2)).unwrap();
    assert!(open_files.overwrite(Place { file: 2, offset: 0 }, &[7]).is_err(), "it can't be opened");
}
