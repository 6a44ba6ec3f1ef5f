//! Old messages, whose text is in the log only.

use annon_store::StoreError;
use serde_json::{Value, json};

use super::*;

/// How many lines keep their text in memory.
const STAYS: usize = 5;
const SAID: usize = 100;

impl House {
    /// A room with a hundred messages. The text of most of them is in the log only.
    async fn with_old_words() -> (Self, [Guest; 2]) {
        let house = Self::of_memory(usize::MAX, STAYS);
        let guests: [Guest; 2] = house.guests().await;
        guests[0].post_all(0..SAID).await;
        house.make_way().await;
        guests.iter().for_each(Guest::forget);
        (house, guests)
    }

    /// The `seq` of message `n`.
    fn place(&self, n: usize) -> u64 {
        let is_it = |event: &RoomEvent| matches!(event, RoomEvent::Posted { id: name, .. } if name.as_str() == id(n));
        self.log().iter().find(|(_, event)| is_it(event)).unwrap().0.0
    }

    async fn page(&self, before: Option<u64>, limit: usize) -> Vec<Value> {
        let view = self.rooms.view(room(1), Some(member(2)), before.map(Seq), limit).await.unwrap();
        view.lines.iter().map(|line| serde_json::to_value(line).unwrap()).collect()
    }
}

fn said(page: &[Value]) -> Vec<String> {
    let chats = page.iter().filter(|frame| frame["event"] == "event.chat");
    chats.map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
}

#[actix::test]
async fn pages_of_long_ago_are_read_from_the_log_and_new_ones_are_not() {
    let (house, [_, b]) = House::with_old_words().await;
    house.store.faults().seen();
    assert_eq!(said(&house.page(None, STAYS).await), words(SAID - STAYS..SAID));
    assert_eq!(house.store.faults().seen().picks, 0);
    assert_eq!(said(&house.page(None, 500).await), words(0..SAID));
    let (before, since) = (house.place(50), house.place(3));
    house.store.faults().seen();
    assert_eq!(said(&house.page(Some(before), 10).await), words(40..50));
    b.tear_away();
    let b = house.guest_again(2).await;
    b.connect(since).await;
    assert_eq!((b.words(), &b.of("event.ready")[0]["resumed"]), (words(4..SAID), &json!(true)));
    house.pass(Duration::from_secs(30)).await;
    let seen = house.store.faults().seen();
    assert_eq!((seen.picks, seen.reads), (2, 0), "the log is not read as a whole again");
}

#[actix::test]
async fn an_old_message_is_repeated_to_its_sender_and_goes_with_those_who_are_sent_out() {
    let (house, [a, b]) = House::with_old_words().await;
    a.post(7).await;
    assert_eq!((a.words(), b.words(), house.words().len()), (words([7]), words([]), SAID), "it is not there twice");
    let emoji = house.rooms.seat(room(1), member(1)).await.unwrap();
    house.command(Command::Kick { emoji, with_messages: true }).await.unwrap();
    assert_eq!((b.of("event.unsend").len(), house.words().len()), (SAID, 0));
    let page = house.page(None, 500).await;
    assert_eq!(page.iter().filter(|frame| frame["unsent"] == true).count(), SAID);
}

#[actix::test]
async fn when_the_log_can_not_be_read_only_that_fails() {
    let (house, [a, b]) = House::with_old_words().await;
    house.store.faults().fails_picks = true;
    let seen = house.rooms.view(room(1), Some(member(2)), None, 500).await;
    assert_eq!(seen.err(), Some(StoreError::Unavailable.into()));
    let reply = json!([null, null, house.place(1), null]);
    b.send_and_wait("event.chat", &[("id", id(200).into()), ("message", "so true".into()), ("reply", reply)]).await;
    a.post(201).await;
    assert_eq!((b.refusals().len(), b.words()), (1, words([201])));
    house.store.faults().fails_picks = false;
    assert_eq!(said(&house.page(None, 500).await).len(), SAID + 1);
}

#[actix::test]
async fn the_largest_room_lets_go_of_old_words_when_rooms_hold_too_much() {
    let house = House::of_memory(120_000, STAYS);
    let long = |count: usize| (0..count).map(|n| (n, "w".repeat(250)));
    let (small, large) = (house.guest_of(1, 1).await, house.guest_of(2, 1).await);
    small.post_each(long(20)).await;
    large.post_each(long(600)).await;
    assert!(house.rooms.memory() < 120_000, "{}", house.rooms.memory());
    for (of, lines, picks) in [(1, 21, 0), (2, 500, 1)] {
        let view = house.rooms.view(room(of), Some(member(1)), None, 500).await.unwrap();
        assert_eq!(view.lines.len(), lines);
        assert_eq!(house.store.faults().seen().picks, picks, "the small one keeps its words");
    }
    assert_eq!((small.end(), large.end(), house.rooms.open()), (None, None, 2));
}
