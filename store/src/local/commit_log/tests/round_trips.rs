//! What is committed can be read: at once, after a start, and by other readers meanwhile.

use super::*;

#[test]
fn random_commits_are_read_again_after_any_kind_of_end() {
    for seed in 1..=20 {
        let (parent, mut commit_log) = fresh();
        let (mut model, mut random) = (Model::default(), Random::new(seed * 7919));
        for round in 0..120 {
            let wishes = random.wishes(&model);
            model.commit(&mut commit_log, &wishes, random.below(30) / 29);
            if round % 10 == 0 {
                assert!(Model::of_commit_log(&commit_log) == model, "seed {seed}, round {round}");
            }
            if random.below(15) == 0 {
                if random.below(2) == 0 {
                    model.commit += u64::from(!commit_log.done.is_empty());
                    commit_log.close().unwrap();
                }
                let found = found(parent.path());
                assert!(found.torn.is_none() && found.damage.is_empty());
                commit_log = found.begin(0).unwrap();
                assert!(Model::of_commit_log(&commit_log) == model, "seed {seed}, round {round}");
            }
        }
    }
}

#[test]
fn a_closed_commit_log_is_opened_by_its_footer_alone() {
    let (parent, mut commit_log) = fresh();
    let (room, end) = (room(1), 40);
    for first in 1..=end {
        commit(&mut commit_log, &[next_record(room, first)], first / 9).unwrap();
    }
    commit_log.close().unwrap();
    let found = found(parent.path());
    assert!(found.unclosed.is_empty());
    assert_eq!((found.end(), found.index_sum(), found.first_commit()), (end, [7; 16], 1));
    let seqs: Vec<_> = Model::of(found).rooms[&room].iter().map(|(first, _)| *first).collect();
    assert_eq!(seqs, (1..=end).collect::<Vec<_>>());
}

#[test]
fn changes_after_a_commit_are_replayed() {
    let (parent, mut commit_log) = fresh();
    for n in 1..=30_u8 {
        let wish = if n % 3 == 0 { Wish::Ended(room(n)) } else { Wish::State(vec![n], Some(vec![n])) };
        commit(&mut commit_log, &[wish], u64::from(n) / 7).unwrap();
    }
    let commit = |replayed: io::Result<Replayed>| match replayed.unwrap() {
        Replayed::Commit { commit, .. } => commit,
        Replayed::Missing(damage) => panic!("{damage}"),
    };
    for after in 0..=31 {
        let expected: Vec<_> = (after + 1..=30).filter(|n| n % 3 != 0).collect();
        assert_eq!(commit_log.reader().replay(after).map(commit).collect::<Vec<_>>(), expected, "after {after}");
        assert_eq!(found(parent.path()).replay(after).map(commit).collect::<Vec<_>>(), expected, "after {after}");
    }
}

#[test]
fn files_go_when_nobody_needs_them() {
    let (parent, mut commit_log) = fresh();
    for hour in 0..6_u8 {
        commit(&mut commit_log, &[next_record(room(hour), 1)], hour.into()).unwrap();
    }
    assert_eq!(commit_log.retire(u64::MAX).unwrap(), 0);
    commit(&mut commit_log, &[Wish::Ended(room(0)), Wish::Ended(room(1)), Wish::Ended(room(3))], 5).unwrap();
    assert_eq!(commit_log.retire(1).unwrap(), 1);
    assert_eq!(commit_log.retire(u64::MAX).unwrap(), 1);
    let place = commit_log.reader().head(&room(2)).unwrap().last;
    let gone = commit_log.reader().read(Place { file: 1, ..place }).unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    drop(commit_log);
    let found = found(parent.path());
    assert_eq!((found.first_commit(), found.damage.len()), (3, 0));
    assert_eq!(Model::of(found).rooms.keys().copied().collect::<Vec<_>>(), [room(2), room(4), room(5)]);
}

#[test]
fn a_frame_may_be_larger_than_what_is_left_and_not_than_a_frame() {
    let (parent, mut commit_log) = fresh();
    let large = |n: u8, size| Change::State { key: vec![n], value: Some(vec![n; size]) };
    commit_log.commit(vec![large(1, 60 << 20)], [0; 16], 0).unwrap();
    commit_log.commit(vec![large(2, 60 << 20)], [0; 16], 0).unwrap();
    assert_eq!(commit_log.growing.file.number, 1);
    let refused = commit_log.commit(vec![large(3, 65 << 20)], [0; 16], 0).unwrap_err();
    assert!(matches!(refused, CommitError::Refused(error) if error.kind() == ErrorKind::FileTooLarge));
    commit_log.commit(vec![large(4, 10)], [0; 16], 0).unwrap();
    assert_eq!(commit_log.growing.file.number, 2);
    drop(commit_log);
    let states: Vec<_> = found(parent.path()).replay(0).map(Result::unwrap).collect();
    assert_eq!(states.len(), 3);
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_written() {
    let (_parent, mut commit_log) = fresh();
    let room = room(1);
    let append = |first, count| Change::Room { room, first, count, body: vec![1; 9] };
    let place = commit_log.commit(vec![append(1, 3)], [0; 16], 0).unwrap().places[0];
    let nowhere = Place { offset: place.offset + 1, ..place };
    let redact = |place, length| Change::Redact { place, body: vec![2; length] };
    for change in [append(3, 1), append(6, 1), append(5, 0), redact(place, 8), redact(nowhere, 9)] {
        let refused = commit_log.commit(vec![append(4, 1), change], [0; 16], 0);
        assert!(matches!(refused, Err(CommitError::Refused(_))));
    }
    commit_log.commit(vec![append(4, 2), append(6, 1)], [0; 16], 0).unwrap();
    assert_eq!(commit_log.reader().head(&room).unwrap().seq, 6);
}

#[test]
fn who_reads_sees_a_body_or_the_one_in_its_place() {
    let (_parent, mut commit_log) = fresh();
    let body = |n: u8| vec![n; 20_000];
    let room = room(1);
    let place =
        commit_log.commit(vec![Change::Room { room, first: 1, count: 1, body: body(0) }], [0; 16], 0).unwrap().places
            [0];
    let reader = commit_log.reader();
    let reading = std::thread::spawn(move || {
        let mut last = 0;
        while last < 200 {
            let now = reader.read(place).unwrap().body;
            assert!(now == body(now[0]) && now[0] >= last);
            last = now[0];
        }
    });
    for n in 1..=200 {
        commit_log.commit(vec![Change::Redact { place, body: body(n) }], [0; 16], 0).unwrap();
    }
    reading.join().unwrap();
}
