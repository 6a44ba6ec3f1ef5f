//! Every byte is damaged once, and every file is cut at every length: everything is there, or what
//! is missing is named.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;

use super::super::frame::{RedactHead, SectionHead};
use super::*;

/// Makes two closed files, and one that a killed process left.
fn killed(folder: &Path) -> (Model, Vec<(u32, u64)>) {
    let (mut commit_log, mut model, mut random) = (open(folder), Model::default(), Random::new(4711));
    for round in 0..36 {
        let wishes = random.wishes(&model);
        model.commit(&mut commit_log, &wishes, round / 12);
    }
    let written = |number| {
        if number == 3 { commit_log.growing.end as u64 } else { fs::metadata(disk(folder).path(number)).unwrap().len() }
    };
    (model, (1..=3).map(|number| (number, written(number))).collect())
}

/// The distance between two places that are tried.
fn stride(short: usize) -> usize {
    if std::env::var_os("ANNON_TORTURE").is_some() { 1 } else { short }
}

fn check(folder: &Path, model: &Model, what: &str) {
    Model::of(found(folder)).assert_told(model, what);
}

#[test]
fn a_damaged_byte_costs_what_is_named_and_nothing_else() {
    let parent = tempfile::tempdir().unwrap();
    let (model, files) = killed(parent.path());
    assert!(Model::of(found(parent.path())).named.is_empty());
    check(parent.path(), &model, "whole");
    for (number, length) in files {
        let file = OpenOptions::new().read(true).write(true).open(disk(parent.path()).path(number)).unwrap();
        for at in (0..length).step_by(stride(3)) {
            let mut byte = [0];
            file.read_exact_at(&mut byte, at).unwrap();
            file.write_all_at(&[byte[0] ^ 0x20], at).unwrap();
            check(parent.path(), &model, &format!("file {number}, byte {at}"));
            file.write_all_at(&byte, at).unwrap();
        }
    }
}

#[test]
fn a_file_that_was_cut_or_lost_a_part_costs_what_is_named() {
    let parent = tempfile::tempdir().unwrap();
    let (model, files) = killed(parent.path());
    for (number, length) in files {
        let path = disk(parent.path()).path(number);
        let whole = fs::read(&path).unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        for at in (0..length).step_by(stride(7)) {
            file.set_len(at).unwrap();
            // If the newest file is cut between two frames, it looks like a file that ended there.
            if number < 3 {
                check(parent.path(), &model, &format!("file {number} cut at {at}"));
            } else {
                drop(found(parent.path()));
            }
            file.write_all_at(&whole[at as usize..], at).unwrap();
            let lost = whole.len().min(at as usize + 512) - at as usize;
            file.write_all_at(&vec![0xD5; lost], at).unwrap();
            check(parent.path(), &model, &format!("file {number}, 512 bytes lost at {at}"));
            file.write_all_at(&whole[at as usize..][..lost], at).unwrap();
        }
    }
}

#[test]
fn a_start_goes_on_behind_damage_and_keeps_it_as_it_is() {
    let parent = tempfile::tempdir().unwrap();
    let (model, files) = killed(parent.path());
    let wholes: Vec<_> = files.iter().map(|(number, _)| fs::read(disk(parent.path()).path(*number)).unwrap()).collect();
    for (number, length) in &files {
        for at in (0..*length).step_by(stride(61)) {
            let folder = tempfile::tempdir().unwrap();
            for ((other, _), whole) in files.iter().zip(&wholes) {
                let mut bytes = whole.clone();
                if other == number {
                    bytes[at as usize] ^= 1;
                }
                fs::write(disk(folder.path()).path(*other), bytes).unwrap();
            }
            let (before, what) = (Model::of(found(folder.path())), format!("file {number}, byte {at}"));
            let mut commit_log = open(folder.path());
            // The start has written the interrupted redaction again.
            let mut now = Model::of_commit_log(&commit_log);
            let is_kept = |(room, records): (_, &Vec<_>)| records.iter().all(|record| now.rooms[room].contains(record));
            assert!(before.rooms.iter().all(is_kept) && before.states == now.states, "{what}");
            Model { named: before.named, gaps: before.gaps, ..now.clone() }.assert_told(&model, &what);
            commit(&mut commit_log, &[next_record(room(9), 1)], 0).unwrap();
            now.apply(&[next_record(room(9), 1)]);
            drop(commit_log);
            let later = Model::of(found(folder.path()));
            assert!(later.rooms == now.rooms && later.states == now.states, "{what}");
        }
    }
}

/// A later record of the same room is what tells it.
#[test]
fn a_missing_frame_names_how_many_rooms_have_a_gap() {
    let (parent, mut commit_log) = fresh();
    let mut model = Model::default();
    let rooms = [room(1), room(2), room(3)];
    let mut begin = 0;
    for first in 1..=3 {
        let wishes = rooms.map(|room| next_record(room, first));
        begin = if first == 2 { commit_log.growing.end } else { begin };
        // The third room says nothing more.
        model.commit(&mut commit_log, if first == 3 { &wishes[..2] } else { &wishes }, 0);
    }
    drop(commit_log);
    write_over(parent.path(), 1, begin, &[0xD5; 64]);
    let found = found(parent.path());
    let [missing] = &found.damage[..] else { panic!("{:?}", found.damage) };
    assert!(missing.to_string().ends_with("commit 2 is missing; 2 rooms have a gap"), "{missing}");
}

#[test]
fn a_body_that_a_redaction_is_about_to_write_is_no_damage() {
    let (parent, mut commit_log) = fresh();
    let (room, mut model) = (room(1), Model::default());
    model.commit(&mut commit_log, &[next_record(room, 1)], 0);
    let said_at = commit_log.reader().head(&room).unwrap().last.offset as usize + RoomHead::LEN;
    let redacted_at = commit_log.growing.end + SectionHead::LEN + RedactHead::LEN;
    for version in [1, 2] {
        model.commit(&mut commit_log, &[Wish::Redact(room, 1, words(&room, 1, version))], 0);
    }
    drop(commit_log);
    // The power was cut while the second redaction was done and the first was wiped.
    [said_at, redacted_at].into_iter().for_each(|at| write_over(parent.path(), 1, at, &[0xD5; 8]));
    let found = found(parent.path());
    assert!(found.damage.is_empty(), "{:?}", found.damage);
    assert_eq!(Model::of_commit_log(&found.begin(0).unwrap()), model);
}

/// Closed files are not read at a start. A redaction that was wiped is known to have been done.
#[test]
fn a_redaction_that_is_damaged_and_not_wiped_has_a_look_at_what_it_wrote() {
    let (parent, mut commit_log) = fresh();
    let mut model = Model::default();
    model.commit(&mut commit_log, &[next_record(room(1), 1)], 0);
    let said_at = commit_log.reader().head(&room(1)).unwrap().last.offset as usize + RoomHead::LEN;
    model.commit(&mut commit_log, &[next_record(room(2), 1)], 1);
    let redacted_at = commit_log.growing.end + SectionHead::LEN + RedactHead::LEN;
    model.commit(&mut commit_log, &[Wish::Redact(room(1), 1, words(&room(1), 1, 1))], 1);
    model.commit(&mut commit_log, &[], 1);
    drop(commit_log);
    let harm = |number, at| {
        write_over(parent.path(), number, at, &[0xD5; 8]);
        found(parent.path()).damage.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(harm(1, said_at).is_empty());
    let [named] = &harm(2, redacted_at)[..] else { panic!("only the record is damage") };
    assert!(named.contains("0000000001.log"), "{named}");
}

/// A frame of which a sector is missing was never acknowledged; one whose sector became something else was.
#[test]
fn a_body_at_the_end_is_torn_if_a_sector_was_never_written_and_damaged_otherwise() {
    let (parent, mut commit_log) = fresh();
    let mut model = Model::default();
    model.commit(&mut commit_log, &[next_record(room(1), 1)], 0);
    let before = model.clone();
    let begin = commit_log.growing.end;
    model.commit(&mut commit_log, &[Wish::Room(room(1), 2, vec![7; 2000])], 0);
    drop(commit_log);
    // The first sector that is wholly in the body.
    let sector = (begin + SectionHead::LEN + RoomHead::LEN).next_multiple_of(512);
    let path = disk(parent.path()).path(1);
    let whole = fs::read(&path).unwrap();
    for (byte, is_torn) in [(0xD5, false), (0, true)] {
        write_over(parent.path(), 1, sector, &[byte; 512]);
        let found = found(parent.path());
        assert_eq!((found.torn.is_some(), found.damage.is_empty()), (is_torn, is_torn), "{byte:x}");
        assert_eq!(found.end(), if is_torn { before.commit } else { model.commit });
        let rooms = Model::of(found).rooms;
        assert_eq!(rooms[&room(1)], before.rooms[&room(1)]);
        fs::write(&path, &whole).unwrap();
    }
}
