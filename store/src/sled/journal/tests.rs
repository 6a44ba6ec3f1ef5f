use std::fs;

use super::*;
use crate::sled::{Table, key};

fn commit(number: u64) -> Changes {
    let name = |n: u64| key(Table::Note, &[&n.to_be_bytes()]);
    let mut changes = Changes::from([
        (key(Table::Commits, &[]), Some(number.to_be_bytes().to_vec())),
        (name(number), Some(vec![number as u8; 40])),
        (name(number + 1000), Some(Vec::new())),
    ]);
    if number > 3 {
        changes.insert(name(number - 3), None);
    }
    changes
}

/// Everything after so many commits.
fn state(commits: u64) -> Changes {
    let mut state = Changes::new();
    (1..=commits).for_each(|number| state.extend(commit(number)));
    state.retain(|_, value| value.is_some());
    state
}

fn found(disk: &Disk) -> Changes {
    disk.reader().all().map(|pair| pair.unwrap()).map(|(key, value)| (key, Some(value))).collect()
}

/// A folder of a process that was killed after so many commits, of which
/// sled had got none, and how long its journal was after each.
fn killed_after(commits: u64) -> (tempfile::TempDir, Vec<u64>) {
    let folder = tempfile::tempdir().unwrap();
    drop(Disk::open(folder.path(), false).unwrap());
    let mut journal = Journal::begin(folder.path(), true).unwrap();
    let ends = (1..=commits).map(|number| {
        journal.append(number, &commit(number)).unwrap();
        journal.files[journal.current].end
    });
    let ends = ends.collect();
    (folder, ends)
}

fn opened(folder: &Path) -> io::Result<(u64, Changes)> {
    let mut disk = Disk::open(folder, false)?;
    let commits = replay(&mut disk, &Left::read(folder)?)?;
    Ok((commits, found(&disk)))
}

#[test]
fn sled_gets_what_it_had_not_and_getting_it_twice_changes_nothing() {
    let (folder, _) = killed_after(7);
    for _ in 0..2 {
        assert_eq!(opened(folder.path()).unwrap(), (7, state(7)));
    }
    drop(Journal::begin(folder.path(), true).unwrap());
    assert_eq!(opened(folder.path()).unwrap(), (7, state(7)));
}

#[test]
fn wherever_the_journal_is_cut_or_damaged_the_whole_commits_before_that_are_there() {
    let (folder, ends) = killed_after(4);
    let path = folder.path().join(FILES[0]);
    let whole = fs::read(&path).unwrap();
    let last = *ends.last().unwrap() as usize;
    assert!(whole.len() > last && whole[last..].iter().all(|byte| *byte == 0));
    for at in 0..last {
        let before = ends.iter().filter(|end| **end as usize <= at).count();
        fs::write(&path, &whole[..at]).unwrap();
        let commits =
            |path: &Path| read(path.to_owned()).unwrap().into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!(commits(&path), (1..=before as u64).collect::<Vec<_>>(), "cut at {at}");
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        fs::write(&path, &flipped).unwrap();
        assert_eq!(commits(&path), (1..=before as u64).collect::<Vec<_>>(), "a bit flipped at {at}");
    }
    fs::write(&path, &whole[..ends[2] as usize + 9]).unwrap();
    assert_eq!(opened(folder.path()).unwrap(), (3, state(3)));
}

#[test]
fn commits_go_on_in_the_other_file_and_what_was_there_before_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = Disk::open(folder.path(), false).unwrap();
    let mut journal = Journal::begin(folder.path(), true).unwrap();
    let mut number = 0;
    let mut append = |journal: &mut Journal, commits| {
        for _ in 0..commits {
            number += 1;
            journal.append(number, &commit(number)).unwrap();
        }
    };
    append(&mut journal, 5);
    journal.turn();
    append(&mut journal, 3);
    // sled has what is in the first, and that is used again.
    disk.take_over(&(1..=5).flat_map(commit).collect(), |_| {}).unwrap();
    journal.turn();
    append(&mut journal, 2);
    drop((disk, journal));
    assert_eq!(read(folder.path().join(FILES[0])).unwrap().len(), 2, "three older ones are behind them");
    assert_eq!(opened(folder.path()).unwrap(), (10, state(10)));
}

#[test]
fn a_gap_is_damage_and_a_newer_form_is_not_guessed_at() {
    let (folder, ends) = killed_after(4);
    let path = folder.path().join(FILES[0]);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[ends[0] as usize..]).unwrap();
    assert_eq!(opened(folder.path()).unwrap_err().kind(), ErrorKind::InvalidData);

    let mut newer = whole[..ends[0] as usize].to_vec();
    newer[HEAD] = VERSION + 1;
    let sum = crc32fast::hash(&newer[HEAD..]);
    newer[4..HEAD].copy_from_slice(&sum.to_le_bytes());
    fs::write(&path, newer).unwrap();
    assert_eq!(opened(folder.path()).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn a_commit_larger_than_a_file_is_one_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    drop(Disk::open(folder.path(), false).unwrap());
    let mut journal = Journal::begin(folder.path(), true).unwrap();
    let large = Changes::from([
        (key(Table::Commits, &[]), Some(1_u64.to_be_bytes().to_vec())),
        (b"large".to_vec(), Some(vec![7; 2 * FULL as usize + 3])),
    ]);
    journal.append(1, &large).unwrap();
    assert_eq!(journal.fullness(), 2);
    journal.append(2, &commit(2)).unwrap();
    let mut state = large;
    state.extend(commit(2));
    assert_eq!(opened(folder.path()).unwrap(), (2, state));
}
