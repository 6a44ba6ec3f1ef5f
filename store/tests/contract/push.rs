//! Subscriptions to web push: how many there are, and with what they end.

use annon_contract::limits::SUBSCRIPTIONS;
use annon_store::StoreError;
use annon_store::account::PasswordHash;
use annon_store::conversation::{Change, Door, Side};
use annon_store::push::{Endpoint, Kind, Kinds, Seated, Subscriber, Subscription};
use annon_store::room::{MemberId, RoomId, Seq};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    one_more_takes_the_place_of_the_oldest_and_one_of_the_same_address_that_of_itself,
    one_address_may_be_two_accounts_and_each_ends_its_own,
    those_of_an_account_end_with_it_and_with_its_password,
    those_of_a_seat_end_with_it_with_the_room_and_with_the_account,
    those_of_a_sender_end_with_the_conversation_and_stay_when_a_line_is_unsent,
}

fn of(n: u64) -> Subscriber {
    Subscriber::Account(account_id(n))
}

async fn numbers(engine: &Engine, subscriber: Subscriber) -> Vec<String> {
    let all = engine.pushes().of(subscriber).await.unwrap();
    all.all().iter().map(|one| one.endpoint.0.clone()).collect()
}

fn endpoints(numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    numbers.into_iter().map(|n| subscription(n).endpoint.0).collect()
}

async fn one_more_takes_the_place_of_the_oldest_and_one_of_the_same_address_that_of_itself(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let many = SUBSCRIPTIONS as u64;
    for n in 0..=many {
        engine.pushes().subscribe(account_id(ONE), subscription(n)).await.unwrap();
        engine.step().await;
    }
    assert_eq!(numbers(&engine, of(ONE)).await, endpoints(1..=many));
    let again = Subscription { kinds: Kinds::from_iter([Kind::Answer]), quiet: None, ..subscription(3) };
    engine.pushes().subscribe(account_id(ONE), again.clone()).await.unwrap();
    engine.step().await;
    let all = engine.pushes().of(of(ONE)).await.unwrap();
    assert_eq!(all.by_id(again.endpoint.id()), Some(&again));
    assert_eq!(numbers(&engine, of(ONE)).await, endpoints((1..=many).filter(|n| *n != 3).chain([3])));
    assert_eq!(engine.pushes().subscribe(account_id(7), subscription(1)).await, Err(StoreError::NotFound));
}

async fn one_address_may_be_two_accounts_and_each_ends_its_own(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in [ONE, 2] {
        engine.pushes().subscribe(account_id(n), subscription(5)).await.unwrap();
    }
    let id = subscription(5).endpoint.id();
    engine.pushes().unsubscribe(of(ONE), id).await.unwrap();
    engine.step().await;
    assert_eq!(engine.pushes().unsubscribe(of(ONE), id).await, Err(StoreError::NotFound));
    assert_eq!(engine.pushes().unsubscribe(of(7), id).await, Err(StoreError::NotFound));
    assert_eq!(numbers(&engine, of(ONE)).await, endpoints([]));
    assert_eq!(numbers(&engine, of(2)).await, endpoints([5]));
    assert!(engine.pushes().of(of(2)).await.unwrap().by_id(subscription(6).endpoint.id()).is_none());
}

async fn those_of_an_account_end_with_it_and_with_its_password(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in [ONE, 2] {
        engine.pushes().subscribe(account_id(n), subscription(n)).await.unwrap();
    }
    engine.step().await;
    let (was, new) = (account(ONE).password, PasswordHash("another".into()));
    engine.accounts().change_password(account_id(ONE), was, new, None).await.unwrap();
    engine.accounts().delete(account_id(2)).await.unwrap();
    engine.step().await;
    for n in [ONE, 2] {
        assert_eq!(numbers(&engine, of(n)).await, endpoints([]), "{n}");
    }
    // The account is there, and may be told again.
    engine.pushes().subscribe(account_id(ONE), subscription(3)).await.unwrap();
    assert_eq!(numbers(&engine, of(ONE)).await, endpoints([3]));
}

async fn those_of_a_sender_end_with_the_conversation_and_stay_when_a_line_is_unsent(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (id, sender) = (conversation_id(1), Subscriber::Sender(conversation_id(1)));
    let door = |n| Door { owner: account_id(ONE), proof: beginning(n).proof };
    let early = engine.pushes().subscribe_sender(id, door(1), subscription(1)).await;
    assert_eq!(early, Err(StoreError::NotFound), "nothing has begun");
    engine.conversations().begin(account_id(ONE), arrival(1, NOW), beginning(1)).await.unwrap();
    let other = engine.pushes().subscribe_sender(id, door(2), subscription(1)).await;
    assert_eq!(other, Err(StoreError::NotFound), "another one has this door");
    for n in [1, 2] {
        engine.pushes().subscribe_sender(id, door(1), subscription(n)).await.unwrap();
    }
    engine.step().await;
    engine.conversations().change(id, say(Side::Owner, 1), NOW + 1).await.unwrap();
    engine.conversations().change(id, Change::Unsend { from: Side::Owner, line: Seq(1) }, NOW + 2).await.unwrap();
    engine.step().await;
    assert_eq!(numbers(&engine, sender).await, endpoints([1, 2]), "they are sealed with the new key");
    engine.pushes().unsubscribe(sender, subscription(1).endpoint.id()).await.unwrap();
    assert_eq!(numbers(&engine, sender).await, endpoints([2]));
    engine.conversations().remove(id, NOW + 3).await.unwrap();
    engine.step().await;
    // Whoever begins another one under this id has nothing of it.
    engine.conversations().begin(account_id(ONE), arrival(2, NOW), beginning(1)).await.unwrap();
    assert_eq!(numbers(&engine, sender).await, endpoints([]));
    let gone = engine.pushes().unsubscribe(sender, Endpoint("https://push.example/2".to_owned()).id()).await;
    assert_eq!(gone, Err(StoreError::NotFound));
}

async fn those_of_a_seat_end_with_it_with_the_room_and_with_the_account(engine: Engine) {
    const DAY: u64 = 24 * 60 * 60;
    let mut engine = with_accounts(engine).await;
    let [one, two] = [ONE, 2].map(account_id);
    let room = |n| RoomId(uuid::Uuid::from_u128(n));
    let seat = |owner, n, member| Subscriber::Seat { owner, room: room(n), member: MemberId([member; 16]) };
    for (owner, n, member, ends) in
        [(one, 1, 1, NOW), (one, 1, 2, NOW), (one, 2, 1, NOW - DAY), (one, 3, 1, NOW), (two, 4, 1, NOW)]
    {
        let seated = Seated { owner, room: room(n), member: MemberId([member; 16]), ends };
        engine.pushes().subscribe_seat(seated, subscription(n as u64)).await.unwrap();
    }
    engine.step().await;
    let nobodys = Seated { owner: account_id(7), room: room(5), member: MemberId([1; 16]), ends: NOW };
    assert_eq!(engine.pushes().subscribe_seat(nobodys, subscription(1)).await, Err(StoreError::NotFound));
    assert_eq!(numbers(&engine, seat(one, 1, 1)).await, endpoints([1]));
    engine.pushes().end(seat(one, 1, 1)).await.unwrap();
    engine.pushes().end(seat(one, 1, 1)).await.unwrap();
    engine.step().await;
    assert_eq!(numbers(&engine, seat(one, 1, 1)).await, endpoints([]));
    assert_eq!(numbers(&engine, seat(one, 1, 2)).await, endpoints([1]));
    // A day is over, and with it the rooms that have ended on it.
    engine.sweep(NOW).await.unwrap();
    engine.step().await;
    assert_eq!(numbers(&engine, seat(one, 2, 1)).await, endpoints([]));
    assert_eq!(numbers(&engine, seat(one, 1, 2)).await, endpoints([1]));
    engine.pushes().end_seats(one, room(1)).await.unwrap();
    engine.accounts().delete(two).await.unwrap();
    engine.step().await;
    for (owner, n, member) in [(one, 1, 2), (two, 4, 1)] {
        assert_eq!(numbers(&engine, seat(owner, n, member)).await, endpoints([]), "{n}");
    }
    assert_eq!(numbers(&engine, seat(one, 3, 1)).await, endpoints([3]));
}
