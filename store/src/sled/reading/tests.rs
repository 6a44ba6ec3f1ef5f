use std::path::Path;

use super::*;
use crate::sled::{Changes, key};

fn name(n: u32) -> Vec<u8> {
    key(Table::Note, &[&n.to_be_bytes()])
}

/// What one commit changes, with its number.
fn commit(number: u64, names: std::ops::Range<u32>) -> Changes {
    let mut changes: Changes = names.map(|n| (name(n), Some(vec![number as u8; 100]))).collect();
    changes.insert(key(Table::Commits, &[]), Some(number.to_be_bytes().to_vec()));
    changes
}

fn opened(folder: &Path) -> Disk {
    Disk::open(folder, false).unwrap()
}

fn read(disk: &mut Disk, left: &Left) -> io::Result<()> {
    disk.read_whole(left, true, Duration::MAX)
}

/// A database with a tally.
fn filled(folder: &Path) -> Disk {
    let mut disk = opened(folder);
    read(&mut disk, &Left::default()).unwrap();
    disk.take_over(&commit(1, 0..3000), |_| {}).unwrap();
    disk.take_over(&commit(2, 1000..1500), |_| {}).unwrap();
    disk
}

#[test]
fn what_is_missing_or_older_or_more_is_noticed_when_all_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = filled(folder.path());
    let deeds: [fn(&Disk); 3] = [
        |disk| drop(disk.db.remove(name(700)).unwrap()),
        |disk| drop(disk.db.insert(name(1200), vec![1; 100]).unwrap()),
        |disk| drop(disk.db.insert(name(5000), vec![1; 100]).unwrap()),
    ];
    read(&mut disk, &Left::default()).unwrap();
    for deed in deeds {
        let was: Vec<_> = [700, 1200, 5000].map(|n| (n, disk.db.get(name(n)).unwrap())).into();
        deed(&disk);
        assert_eq!(read(&mut disk, &Left::default()).unwrap_err().kind(), io::ErrorKind::InvalidData);
        disk.read_whole(&Left::default(), false, Duration::MAX).unwrap();
        for (n, value) in was {
            value.map_or_else(|| disk.db.remove(name(n)), |value| disk.db.insert(name(n), value)).unwrap();
        }
        read(&mut disk, &Left::default()).unwrap();
    }
}

#[test]
fn what_was_being_written_is_told_apart_from_damage_by_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = filled(folder.path());
    let third = commit(3, 1400..1600);
    // As much of it as had been done when the process ended.
    let others: Vec<_> = third.iter().filter(|(key, _)| !is_about_itself(key)).collect();
    disk.announce(&others, Some(3), |_| {}).unwrap();
    others[..70].iter().for_each(|change| disk.apply(*change).unwrap());
    drop(disk);
    let left = Left::of([(3, third)]);
    assert!(read(&mut opened(folder.path()), &Left::default()).is_err(), "nobody knows what was touched");
    let mut disk = opened(folder.path());
    read(&mut disk, &left).unwrap();
    crate::sled::journal::replay(&mut disk, &left).unwrap();
    drop(disk);
    let disk = &mut opened(folder.path());
    read(disk, &Left::default()).unwrap();
    disk.db.remove(name(2)).unwrap();
    assert!(read(disk, &left).is_err());
}

#[test]
fn nothing_is_written_until_all_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = filled(folder.path());
    disk.db.remove(name(700)).unwrap();
    disk.read_whole(&Left::default(), true, Duration::ZERO).unwrap();
    assert!(!disk.is_read(), "nobody has waited for that");
    assert!(disk.take_over(&commit(3, 0..1), |_| {}).is_err());
    assert_eq!(disk.stored_commits().unwrap(), 2);
}

#[test]
fn a_database_that_another_annon_has_written_to_is_counted_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = filled(folder.path());
    // One that knows of no tally.
    disk.tally = None;
    disk.take_over(&commit(3, 4000..4010), |_| {}).unwrap();
    read(&mut disk, &Left::default()).unwrap();
    disk.take_over(&commit(4, 4010..4020), |_| {}).unwrap();
    read(&mut disk, &Left::default()).unwrap();
    disk.db.remove(name(4015)).unwrap();
    assert!(read(&mut disk, &Left::default()).is_err());
}
