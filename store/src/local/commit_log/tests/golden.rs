//! An old folder can be read, and the same commits would write the same bytes today.

use std::fs;

use super::*;
use crate::shapes::golden::committed;

fn write(folder: &Path) {
    let mut commit_log = open(folder);
    commit_log.checkpoint(1);
    let (first, other) = (room(1), room(2));
    let place = commit(&mut commit_log, &[next_record(first, 1)], 0).unwrap().places[0];
    commit(&mut commit_log, &[Wish::State(b"key".to_vec(), Some(b"value".to_vec()))], 0).unwrap();
    commit(&mut commit_log, &[Wish::State(b"key".to_vec(), None), next_record(other, 1)], 0).unwrap();
    commit_log.commit(vec![Change::Redact { place, body: words(&first, 1, 1) }], [3; 16], 0).unwrap();
    commit(&mut commit_log, &[Wish::Ended(other), next_record(first, 2)], 1).unwrap();
    commit_log.close().unwrap();
}

#[test]
fn a_commit_log_written_long_ago_is_read_and_would_be_written_alike_today() {
    let parent = tempfile::tempdir().unwrap();
    let (today, old) = (parent.path().join("today"), parent.path().join("old"));
    [&today, &old].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
    write(&today);
    for number in [1, 2] {
        let bytes = fs::read(disk(&today).path(number)).unwrap();
        let golden = committed(&format!("commit-log-{number}"), || bytes.clone());
        assert!(golden == bytes, "file {number}");
        fs::write(disk(&old).path(number), golden).unwrap();
    }
    let model = Model::of(found(&old));
    assert_eq!(model.rooms, BTreeMap::from([(room(1), vec![(1, words(&room(1), 1, 1)), (2, words(&room(1), 2, 0))])]));
    assert_eq!((model.commit, model.states, model.named), (5, BTreeMap::new(), Vec::new()));
}
