//! Rooms: their directory and their logs.

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use annon_store::StoreError;
use annon_store::room::{Body, Emoji, KnockId, MemberId, Millis, RoomEvent, SeatNumber, Seq, Sign};
use annon_store::room_log::Erasure;

use crate::contract::engine::Engine;
use crate::support::people::{NOW, account, account_id, came, metadata, posted, room, take_back};

on_every_engine! {
    a_room_is_found_by_its_id_and_by_its_owner_until_it_is_removed,
    all_rooms_are_listed_page_by_page,
    an_owner_who_makes_many_rooms_at_once_has_so_many_living_ones_and_no_more,
    rooms_go_with_their_owner,
    of_many_who_append_at_one_place_one_does,
    appends_that_wait_for_each_other_stand_in_the_order_of_the_calls,
    what_is_refused_takes_all_with_it_that_were_to_stand_behind_it,
    single_places_of_a_log_are_picked_wherever_they_stand,
    words_are_taken_back_and_messages_forgotten_and_no_place_is_given_twice,
    words_go_with_the_event_that_takes_them_back_and_stay_if_that_is_refused,
    a_reaction_is_taken_back_by_itself_and_with_its_message_and_forgotten_with_it,
    knocks_and_answers_stay_in_the_log_when_messages_are_forgotten,
}

async fn with_a_room(engine: Engine) -> Engine {
    let mut engine = engine;
    engine.accounts().create(account(1)).await.unwrap();
    engine.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    engine.step().await;
    engine
}

async fn a_room_is_found_by_its_id_and_by_its_owner_until_it_is_removed(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    engine.room_log().append(room(1), Seq(0), vec![came(1)]).await.unwrap();
    engine.rooms().create(metadata(2, 1, NOW + 200), NOW).await.unwrap();
    assert_eq!(engine.rooms().create(metadata(2, 1, NOW + 300), NOW).await, Err(StoreError::Conflict));
    assert_eq!(engine.rooms().create(metadata(3, 9, NOW + 300), NOW).await, Err(StoreError::NotFound), "nobody's room");
    engine.step().await;
    assert_eq!(engine.rooms().by_id(room(1)).await.unwrap(), Some(metadata(1, 1, NOW + 100)));
    assert_eq!(engine.rooms().by_id(room(3)).await.unwrap(), None);
    let theirs = engine.rooms().of_owner(account_id(1)).await.unwrap();
    assert_eq!(theirs, [metadata(2, 1, NOW + 200), metadata(1, 1, NOW + 100)]);
    for (now, limit, expected) in [
        (NOW + 99, 10, vec![]),
        (NOW + 100, 10, vec![room(1)]),
        (NOW + 500, 10, vec![room(1), room(2)]),
        (NOW + 500, 1, vec![room(1)]),
    ] {
        assert_eq!(engine.rooms().expired(now, limit).await.unwrap(), expected, "{now} {limit}");
    }
    for _ in 0..2 {
        engine.rooms().remove(room(1)).await.unwrap();
        engine.step().await;
        assert_eq!(engine.rooms().by_id(room(1)).await.unwrap(), None);
        assert_eq!(engine.rooms().of_owner(account_id(1)).await.unwrap(), [metadata(2, 1, NOW + 200)]);
        assert_eq!(engine.rooms().expired(NOW + 500, 10).await.unwrap(), [room(2)]);
        let late = engine.room_log().append(room(1), Seq(1), vec![came(1)]).await;
        assert_eq!(late, Err(StoreError::NotFound));
        assert_eq!(engine.room_log().read(room(1), Seq(0)).await.unwrap_or_default(), []);
    }
    let again = engine.rooms().create(metadata(1, 1, NOW + 300), NOW).await;
    assert_eq!(again, Err(StoreError::Conflict), "before it is cleared away");
}

async fn all_rooms_are_listed_page_by_page(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    engine.accounts().create(account(2)).await.unwrap();
    for (n, owner) in [(2, 2), (3, 1), (4, 2)] {
        engine.rooms().create(metadata(n, owner, NOW + 100), NOW).await.unwrap();
    }
    engine.rooms().remove(room(3)).await.unwrap();
    engine.step().await;
    let first = engine.rooms().page(None, 2).await.unwrap();
    assert_eq!(first, [metadata(1, 1, NOW + 100), metadata(2, 2, NOW + 100)]);
    assert_eq!(engine.rooms().page(Some(room(2)), 2).await.unwrap(), [metadata(4, 2, NOW + 100)]);
    assert_eq!(
        engine.rooms().page(Some(room(3)), 2).await.unwrap(),
        [metadata(4, 2, NOW + 100)],
        "after one that is gone"
    );
    assert_eq!(engine.rooms().page(Some(room(4)), 2).await.unwrap(), []);
}

async fn an_owner_who_makes_many_rooms_at_once_has_so_many_living_ones_and_no_more(mut engine: Engine) {
    engine.accounts().create(account(1)).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..2 * ROOMS_PER_ACCOUNT as u128 {
        let rooms = engine.rooms();
        tasks.spawn(async move { rooms.create(metadata(n + 10, 1, NOW + 100), NOW).await });
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|made| made.is_ok()).count(), ROOMS_PER_ACCOUNT);
    assert!(outcomes.iter().all(|made| matches!(made, Ok(()) | Err(StoreError::Full))));
    engine.step().await;
    assert_eq!(engine.rooms().create(metadata(1, 1, NOW + 200), NOW).await, Err(StoreError::Full));
    engine.rooms().create(metadata(1, 1, NOW + 200), NOW + 100).await.unwrap();
}

async fn rooms_go_with_their_owner(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    engine.accounts().create(account(2)).await.unwrap();
    engine.rooms().create(metadata(2, 2, NOW + 100), NOW).await.unwrap();
    engine.accounts().delete(account_id(1)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.rooms().by_id(room(1)).await.unwrap(), None);
    assert_eq!(engine.room_log().append(room(1), Seq(0), vec![came(1)]).await, Err(StoreError::NotFound));
    assert_eq!(engine.rooms().by_id(room(2)).await.unwrap(), Some(metadata(2, 2, NOW + 100)));
}

async fn of_many_who_append_at_one_place_one_does(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..50 {
        let log = engine.room_log();
        tasks.spawn(async move { log.append(room(1), Seq(0), vec![came(n), came(n)]).await });
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Err(StoreError::Conflict)).count(), 49);
    engine.step().await;
    let log = engine.room_log();
    assert_eq!(log.append(room(1), Seq(1), vec![came(99)]).await, Err(StoreError::Conflict));
    assert_eq!(log.append(room(1), Seq(2), Vec::new()).await, Ok(()), "nothing to add");
    assert_eq!(log.append(room(1), Seq(2), vec![came(99)]).await, Ok(()));
    assert_eq!(log.append(room(2), Seq(0), vec![came(99)]).await, Err(StoreError::NotFound));
    let read = log.read(room(1), Seq(0)).await.unwrap();
    assert_eq!(read.iter().map(|(seq, _)| seq.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(log.read(room(1), Seq(1)).await.unwrap(), read[1..], "from the middle of what came at once");
    assert_eq!(log.read(room(1), Seq(3)).await.unwrap(), []);
}

async fn appends_that_wait_for_each_other_stand_in_the_order_of_the_calls(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    engine.rooms().create(metadata(2, 1, NOW + 100), NOW).await.unwrap();
    let log = engine.room_log();
    let mut waiting = Vec::new();
    for n in 0..100 {
        // No append is awaited before the next one is begun.
        waiting.push(log.append(room(1), Seq(2 * n), vec![came(n as u32), posted(&n.to_string())]));
        waiting.push(log.append(room(2), Seq(n), vec![came(n as u32)]));
    }
    // They are awaited in the reverse order.
    for append in waiting.into_iter().rev() {
        append.await.unwrap();
    }
    drop(log);
    engine.step().await;
    let read = engine.room_log().read(room(1), Seq(0)).await.unwrap();
    let all = (0..100).flat_map(|n: u32| [came(n), posted(&n.to_string())]);
    assert_eq!(read, (1..).map(Seq).zip(all).collect::<Vec<_>>());
    assert_eq!(engine.room_log().read(room(2), Seq(0)).await.unwrap().len(), 100);
}

async fn what_is_refused_takes_all_with_it_that_were_to_stand_behind_it(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let log = engine.room_log();
    let asked = [0, 2, 2, 3].map(|at| log.append(room(1), Seq(at), vec![came(at as u32)]));
    let mut outcomes = Vec::new();
    for append in asked {
        outcomes.push(append.await);
    }
    let conflict = Err(StoreError::Conflict);
    assert_eq!(outcomes, [Ok(()), conflict, conflict, conflict]);
    log.append(room(1), Seq(1), vec![came(7)]).await.unwrap();
    drop(log);
    engine.step().await;
    assert_eq!(engine.room_log().read(room(1), Seq(0)).await.unwrap(), [(Seq(1), came(0)), (Seq(2), came(7))]);
}

async fn single_places_of_a_log_are_picked_wherever_they_stand(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let mut end = 0;
    for several in [1, 3, 1, 1, 5, 2, 1] {
        let events: Vec<_> = (0..several).map(|n| posted(&format!("words {}", end + n + 1))).collect();
        engine.room_log().append(room(1), Seq(end), events).await.unwrap();
        end += several;
    }
    engine.step().await;
    let log = engine.room_log();
    let all = log.read(room(1), Seq(0)).await.unwrap();
    for places in [vec![], vec![1], vec![3], vec![14], vec![1, 14], vec![2, 3, 4], vec![4, 6, 9, 11], vec![15, 16]] {
        let picked = log.pick(room(1), places.iter().copied().map(Seq).collect()).await.unwrap();
        let expected: Vec<_> = all.iter().filter(|(seq, _)| places.contains(&seq.0)).cloned().collect();
        assert_eq!(picked, expected, "{places:?}");
    }
    let every = (1..=end).map(Seq).collect();
    assert_eq!(log.pick(room(1), every).await.unwrap(), all);
    log.forget(room(1), Seq(6)).await.unwrap();
    let places = vec![Seq(2), Seq(6), Seq(7), Seq(20)];
    assert_eq!(log.pick(room(1), places).await.unwrap(), all[6..7], "what was forgotten is not there");
    assert_eq!(log.pick(room(2), vec![Seq(1)]).await.unwrap_or_default(), []);
}

async fn words_are_taken_back_and_messages_forgotten_and_no_place_is_given_twice(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let retracted = || match posted("some words") {
        RoomEvent::Posted { seat, id, reply_to, at, .. } => {
            RoomEvent::Posted { seat, id, body: Body::Gone, reply_to, at }
        }
        other => other,
    };
    let log = engine.room_log();
    log.append(room(1), Seq(0), vec![came(1), posted("some words"), posted("this one stays")]).await.unwrap();
    log.append(room(1), Seq(3), vec![posted("some words")]).await.unwrap();
    for end in [4, 5] {
        take_back(&*log, room(1), Seq(end), vec![Seq(4), Seq(2), Seq(1), Seq(9)]).await.unwrap();
    }
    drop(log);
    engine.step().await;
    let mut read = engine.room_log().read(room(1), Seq(0)).await.unwrap();
    let events = read.split_off(4);
    let read: Vec<_> = read.into_iter().map(|(_, event)| event).collect();
    assert_eq!(read, [came(1), retracted(), posted("this one stays"), retracted()]);
    assert!(matches!(events[..], [(Seq(5), RoomEvent::Retracted { .. }), (Seq(6), RoomEvent::Retracted { .. })]));
    for _ in 0..2 {
        engine.room_log().forget(room(1), Seq(6)).await.unwrap();
        engine.step().await;
        assert_eq!(engine.room_log().read(room(1), Seq(0)).await.unwrap(), [(Seq(1), came(1))]);
    }
    let late = engine.room_log().append(room(1), Seq(1), vec![came(2)]).await;
    assert_eq!(late, Err(StoreError::Conflict), "no place is given twice");
    engine.room_log().append(room(1), Seq(6), vec![came(2)]).await.unwrap();
    engine.step().await;
    assert_eq!(engine.room_log().read(room(1), Seq(1)).await.unwrap(), [(Seq(7), came(2))]);
}

async fn words_go_with_the_event_that_takes_them_back_and_stay_if_that_is_refused(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let words = async |engine: &Engine| {
        let log = engine.room_log().read(room(1), Seq(0)).await.unwrap();
        let is_there = |event: &RoomEvent| matches!(event, RoomEvent::Posted { body, .. } if *body != Body::Gone);
        log.iter().filter(|(_, event)| is_there(event)).map(|(seq, _)| seq.0).collect::<Vec<_>>()
    };
    engine.room_log().append(room(1), Seq(0), vec![posted("one"), posted("two")]).await.unwrap();
    let erased = || Erasure { messages: vec![Seq(2), Seq(3)], ..Erasure::default() };
    let retracted = || vec![RoomEvent::Retracted { seat: SeatNumber(1), message: Seq(2), at: Millis(3) }];
    let refused = engine.room_log().append_and_erase(room(1), Seq(9), retracted(), erased()).await;
    assert_eq!(refused, Err(StoreError::Conflict));
    assert_eq!(words(&engine).await, [1, 2]);
    // The first of these waits when the second is asked for.
    let log = engine.room_log();
    let [said, taken_back] = [
        log.append(room(1), Seq(2), vec![posted("three")]),
        log.append_and_erase(room(1), Seq(3), retracted(), erased()),
    ];
    taken_back.await.unwrap();
    said.await.unwrap();
    drop(log);
    for _ in 0..2 {
        assert_eq!(words(&engine).await, [1]);
        engine.step().await;
        engine.sweep_after_start(NOW).await.unwrap();
    }
    assert_eq!(engine.room_log().read(room(1), Seq(0)).await.unwrap().len(), 4);
}

async fn a_reaction_is_taken_back_by_itself_and_with_its_message_and_forgotten_with_it(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let (seat, message, at) = (SeatNumber(1), Seq(1), Millis(3));
    let reacted = |raw: Option<&str>| {
        let sign = raw.map(|raw| Sign::try_from(raw).unwrap());
        RoomEvent::Reacted { seat, message, sign, at }
    };
    let unreacted = |reaction| RoomEvent::Unreacted { seat, message, reaction: Seq(reaction), at };
    let retracted = RoomEvent::Retracted { seat, message, at };
    let erased = |places: &[u64]| Erasure { messages: places.iter().copied().map(Seq).collect(), ..Erasure::default() };
    let events = vec![posted("one"), reacted(Some("❤️")), reacted(Some("🎉")), posted("two")];
    engine.room_log().append(room(1), Seq(0), events).await.unwrap();
    // One reaction is in an older record, one comes in the same record as the event that takes it back.
    let log = engine.room_log();
    let [in_time, taken_back, again] = [
        log.append(room(1), Seq(4), vec![reacted(Some("😂"))]),
        log.append_and_erase(room(1), Seq(5), vec![unreacted(5)], erased(&[5])),
        log.append_and_erase(room(1), Seq(6), vec![unreacted(2)], erased(&[2])),
    ];
    in_time.await.unwrap();
    taken_back.await.unwrap();
    again.await.unwrap();
    drop(log);
    engine.step().await;
    let read = async |engine: &Engine| {
        let log = engine.room_log().read(room(1), Seq(0)).await.unwrap();
        log.into_iter().map(|(_, event)| event).collect::<Vec<_>>()
    };
    let left = [posted("one"), reacted(None), reacted(Some("🎉")), posted("two"), reacted(None)];
    let ends = [unreacted(5), unreacted(2)];
    assert_eq!(read(&engine).await, [&left[..], &ends].concat());
    let done = engine.room_log().append_and_erase(room(1), Seq(7), vec![retracted], erased(&[1, 3])).await;
    assert_eq!(done, Ok(()));
    engine.step().await;
    assert!(read(&engine).await.iter().all(|event| !matches!(event, RoomEvent::Reacted { sign: Some(_), .. })));
    engine.room_log().forget(room(1), Seq(7)).await.unwrap();
    engine.step().await;
    assert!(matches!(read(&engine).await[..], [RoomEvent::Retracted { .. }]), "the last of it is not forgotten");
}

async fn knocks_and_answers_stay_in_the_log_when_messages_are_forgotten(engine: Engine) {
    let mut engine = with_a_room(engine).await;
    let (knock, at) = (KnockId([7; 16]), Millis(3));
    let at_the_door = [
        RoomEvent::AskFirst { on: true, at },
        RoomEvent::Knocked { knock, member: MemberId([1; 16]), emoji: Emoji(5), at },
        RoomEvent::Admitted { knock, at },
        RoomEvent::Declined { knock, at },
    ];
    let events = [&[posted("one")], &at_the_door[..], &[posted("two")]].concat();
    engine.room_log().append(room(1), Seq(0), events).await.unwrap();
    engine.room_log().append(room(1), Seq(6), vec![posted("three")]).await.unwrap();
    engine.step().await;
    engine.room_log().forget(room(1), Seq(6)).await.unwrap();
    engine.step().await;
    let read = engine.room_log().read(room(1), Seq(0)).await.unwrap();
    let kept = (2..).map(Seq).zip(at_the_door).chain([(Seq(7), posted("three"))]);
    assert_eq!(read, kept.collect::<Vec<_>>());
}
