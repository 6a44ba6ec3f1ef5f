use std::sync::Arc;

use uuid::Uuid;

use super::*;
use crate::people::came;

/// Who has asked, until it is dropped.
struct Answered {
    answer: oneshot::Receiver<Result<()>>,
    _caller: Arc<()>,
}

impl Answered {
    fn try_recv(&mut self) -> std::result::Result<Result<()>, oneshot::error::TryRecvError> {
        self.answer.try_recv()
    }
}

/// Asks for so many events.
fn ask(queue: &Queue, room: u128, expected: u64, count: usize) -> Answered {
    let ((answer, answered), caller) = (oneshot::channel(), Arc::new(()));
    let (expected, events) = (Seq(expected), vec![came(1); count]);
    let waiting = Waiting { expected, events, erased: Erasure::default(), answer, caller: Arc::downgrade(&caller) };
    queue.add(RoomId(Uuid::from_u128(room)), waiting).unwrap();
    Answered { answer: answered, _caller: caller }
}

/// The room, the place and the length of each record of the next group.
fn taken(group: &[Joined]) -> Vec<(u128, u64, u64)> {
    group.iter().map(|one| (one.room.0.as_u128(), one.expected().0, one.last().0 - one.expected().0)).collect()
}

const REFUSED: std::result::Result<Result<()>, oneshot::error::TryRecvError> = Ok(Err(StoreError::Conflict));

#[test]
fn a_room_has_one_record_under_way_and_the_next_one_grows_meanwhile() {
    let queue = Queue::new(0);
    let _answers = [ask(&queue, 1, 0, 2), ask(&queue, 1, 2, 1), ask(&queue, 2, 7, 1)];
    let mut group = queue.take().unwrap();
    assert_eq!(taken(&group), [(1, 0, 3), (2, 7, 1)]);
    let _more = [ask(&queue, 1, 3, 1), ask(&queue, 1, 4, 1), ask(&queue, 3, 0, 1)];
    assert_eq!(taken(&queue.take().unwrap()), [(3, 0, 1)]);
    // It is tried again, and no other record of its room before it.
    queue.put_back(group.remove(0));
    let mut again = queue.take().unwrap();
    assert_eq!(taken(&again), [(1, 0, 3)]);
    queue.finish(again.remove(0), Ok(()));
    assert_eq!(taken(&queue.take().unwrap()), [(1, 3, 2)]);
}

#[test]
fn a_record_has_so_many_events_and_ends_where_the_next_call_does_not_begin() {
    let queue = Queue::new(0);
    let _answers = [ask(&queue, 1, 0, TOGETHER - 1), ask(&queue, 1, TOGETHER as u64 - 1, 2)];
    let _more = [ask(&queue, 2, 0, 1), ask(&queue, 2, 2, 1)];
    let group = queue.take().unwrap();
    assert_eq!(taken(&group), [(1, 0, TOGETHER as u64 - 1), (2, 0, 1)]);
    assert_eq!(group.iter().map(|one| one.attempt).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn what_stands_behind_a_refusal_or_a_dropped_call_is_refused() {
    let queue = Queue::new(0);
    let first = ask(&queue, 1, 0, 1);
    let mut refused = queue.take().unwrap();
    let mut behind = ask(&queue, 1, 1, 1);
    queue.finish(refused.remove(0), Err(StoreError::DiskFull));
    assert_eq!(behind.try_recv(), REFUSED);
    drop((first, behind));

    drop(ask(&queue, 1, 0, 1));
    let [mut behind, mut further] = [ask(&queue, 1, 1, 1), ask(&queue, 1, 2, 1)];
    let _another = ask(&queue, 1, 0, 1);
    let mut group = queue.take().unwrap();
    assert_eq!(taken(&group), [(1, 0, 1)], "whoever asks anew is not refused");
    assert_eq!((behind.try_recv(), further.try_recv()), (REFUSED, REFUSED));
    drop((behind, further));
    queue.finish(group.remove(0), Ok(()));

    // The same, if the record was tried in vain.
    let (_kept, dropped) = (ask(&queue, 1, 1, 1), ask(&queue, 1, 2, 1));
    let mut behind = ask(&queue, 1, 3, 1);
    let mut group = queue.take().unwrap();
    drop(dropped);
    let mut later = ask(&queue, 1, 4, 1);
    queue.put_back(group.remove(0));
    assert_eq!(taken(&queue.take().unwrap()), [(1, 1, 1)]);
    assert_eq!((behind.try_recv(), later.try_recv()), (REFUSED, REFUSED));
}

#[test]
fn a_record_that_may_be_written_stays_as_it_is() {
    let queue = Queue::new(0);
    let (_kept, dropped) = (ask(&queue, 1, 0, 1), ask(&queue, 1, 1, 1));
    let mut group = queue.take().unwrap();
    drop(dropped);
    group[0].may_be_done = true;
    queue.put_back(group.remove(0));
    assert_eq!(taken(&queue.take().unwrap()), [(1, 0, 2)]);
}

#[test]
fn what_is_asked_before_a_refusal_is_known_is_refused_if_it_was_to_stand_behind_that() {
    let queue = Queue::new(0);
    let mut first = ask(&queue, 1, 4, 1);
    let mut group = queue.take().unwrap();
    queue.finish(group.remove(0), Err(StoreError::Conflict));
    // Another node has written one event, so the log ends where these two expect it.
    let [mut second, mut third] = [ask(&queue, 1, 5, 1), ask(&queue, 1, 6, 1)];
    assert_eq!([first.try_recv(), second.try_recv(), third.try_recv()], [REFUSED, REFUSED, REFUSED]);
    assert!(queue.take().is_none());
    drop((first, second, third));
    let _again = ask(&queue, 1, 5, 1);
    assert_eq!(taken(&queue.take().unwrap()), [(1, 5, 1)]);
}
