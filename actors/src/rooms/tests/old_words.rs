//! Old messages, whose text is in the log only.

use annon_store::StoreError;
use serde_json::{Value, json};

use super::*;

/// How many lines keep their text in memory.
const STAYS: usize = 5;
const POSTED: usize = 100;

impl RoomSetup {
    /// A room with a hundred messages. The text of most of them is in the log only.
    async fn with_old_words() -> (Self, [Guest; 2]) {
        let setup = Self::of_memory(usize::MAX, STAYS);
        let guests: [Guest; 2] = setup.guests().await;
        guests[0].post_all(0..POSTED).await;
        setup.make_way().await;
        guests.iter().for_each(Guest::forget);
        (setup, guests)
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

fn texts(page: &[Value]) -> Vec<String> {
    let chats = page.iter().filter(|frame| frame["event"] == "event.chat");
    chats.map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
}

#[actix::test]
async fn pages_of_long_ago_are_read_from_the_log_and_new_ones_are_not() {
    let (setup, [_, b]) = RoomSetup::with_old_words().await;
    setup.store.faults().seen();
    assert_eq!(texts(&setup.page(None, STAYS).await), words(POSTED - STAYS..POSTED));
    assert_eq!(setup.store.faults().seen().picks, 0);
    assert_eq!(texts(&setup.page(None, 500).await), words(0..POSTED));
    let (before, since) = (setup.place(50), setup.place(3));
    setup.store.faults().seen();
    assert_eq!(texts(&setup.page(Some(before), 10).await), words(40..50));
    b.tear_away();
    let b = setup.guest_again(2).await;
    b.connect(since).await;
    assert_eq!((b.words(), &b.of("event.ready")[0]["resumed"]), (words(4..POSTED), &json!(true)));
    setup.pass(Duration::from_secs(30)).await;
    let seen = setup.store.faults().seen();
    assert_eq!((seen.picks, seen.reads), (2, 0), "the log is not read as a whole again");
}

#[actix::test]
async fn an_old_message_is_repeated_to_its_sender_and_goes_with_those_who_are_sent_out() {
    let (setup, [a, b]) = RoomSetup::with_old_words().await;
    a.post(7).await;
    assert_eq!((a.words(), b.words(), setup.words().len()), (words([7]), words([]), POSTED), "it is not there twice");
    let emoji = setup.rooms.seat(room(1), member(1)).await.unwrap();
    setup.command(Command::Kick { emoji, with_messages: true }).await.unwrap();
    assert_eq!((b.of("event.unsend").len(), setup.words().len()), (POSTED, 0));
    let page = setup.page(None, 500).await;
    assert_eq!(page.iter().filter(|frame| frame["unsent"] == true).count(), POSTED);
}

#[actix::test]
async fn when_the_log_can_not_be_read_only_that_fails() {
    let (setup, [a, b]) = RoomSetup::with_old_words().await;
    setup.store.faults().fails_picks = true;
    let seen = setup.rooms.view(room(1), Some(member(2)), None, 500).await;
    assert_eq!(seen.err(), Some(StoreError::Unavailable.into()));
    let reply = json!([null, null, setup.place(1), null]);
    b.send_and_wait("event.chat", &[("id", id(200).into()), ("message", "so true".into()), ("reply", reply)]).await;
    a.post(201).await;
    assert_eq!((b.refusals().len(), b.words()), (1, words([201])));
    setup.store.faults().fails_picks = false;
    assert_eq!(texts(&setup.page(None, 500).await).len(), POSTED + 1);
}

#[actix::test]
async fn the_largest_room_lets_go_of_old_words_when_rooms_hold_too_much() {
    let setup = RoomSetup::of_memory(120_000, STAYS);
    let long = |count: usize| (0..count).map(|n| (n, "w".repeat(250)));
    let (small, large) = (setup.guest_of(1, 1).await, setup.guest_of(2, 1).await);
    small.post_each(long(20)).await;
    large.post_each(long(600)).await;
    assert!(setup.rooms.memory() < 120_000, "{}", setup.rooms.memory());
    for (of, lines, picks) in [(1, 21, 0), (2, 500, 1)] {
        let view = setup.rooms.view(room(of), Some(member(1)), None, 500).await.unwrap();
        assert_eq!(view.lines.len(), lines);
        assert_eq!(setup.store.faults().seen().picks, picks, "the small one keeps its words");
    }
    assert_eq!((small.end(), large.end(), setup.rooms.open()), (None, None, 2));
}
