//! Reactions to messages, as members send and see them.

use annon_contract::code::Code;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::rooms::group::Group;
use crate::rooms::member::{Member, fresh_id};
use crate::support::test_socket::Received;

impl Member {
    fn react(&mut self, message: &Value, emoji: &str, on: bool) {
        self.send_event("event.react", &json!({ "message": message, "emoji": emoji, "on": on }));
    }

    fn reacted(&mut self) -> Value {
        self.await_event("event.react")
    }
}

/// The line of a page at this place.
fn line(page: &Value, seq: &Value) -> Value {
    page["messages"].as_array().unwrap().iter().find(|line| line["seq"] == *seq).unwrap().clone()
}

#[test]
fn everybody_sees_who_reacts_and_a_newcomer_and_who_was_away_see_it_too() {
    let (server, group) = Group::with(&[]);
    let [mut a, mut b] = group.members(&server);
    let (mine, theirs) = (a.seat.emoji.clone(), b.seat.emoji.clone());
    let seq = a.chat("a good idea")["seq"].clone();
    b.react(&seq, "❤", true);
    let first = a.reacted();
    let hearts = json!([{ "emoji": "❤️", "count": 1, "from": [theirs] }]);
    assert_eq!(
        first,
        json!({ "event": "event.react", "message": seq, "sender": theirs, "emoji": "❤️", "on": true,
            "reactions": hearts, "seq": seq.as_u64().unwrap() + 1 })
    );
    assert_eq!(b.reacted(), first, "the echo is what everybody sees");
    a.react(&seq, "❤️", true);
    let both = json!([{ "emoji": "❤️", "count": 2, "from": [theirs, mine] }]);
    assert_eq!(b.reacted()["reactions"], both);
    a.reacted();
    // The same once more changes nothing, and is acknowledged to its sender.
    let before = group.data(&server, &b.seat)["last_seq"].clone();
    a.react(&seq, "❤️", true);
    assert_eq!(a.reacted()["reactions"], both);
    assert_eq!(group.data(&server, &b.seat)["last_seq"], before);
    assert_eq!(line(&group.data(&server, &b.seat), &seq)["reactions"], both);
    // Who was away is told once what has become of it.
    a.react(&seq, "😂", true);
    a.reacted();
    a.react(&seq, "❤️", false);
    let taken_back = a.reacted();
    assert_eq!((&taken_back["emoji"], &taken_back["on"]), (&json!("❤️"), &json!(false)));
    let now = json!([{ "emoji": "❤️", "count": 1, "from": [theirs] }, { "emoji": "😂", "count": 1, "from": [mine] }]);
    let (_, missed) = Member::resume(&server, &group, &b.seat, seq.as_u64().unwrap());
    let changed = json!({ "event": "event.react", "message": seq, "reactions": now, "seq": taken_back["seq"] });
    assert_eq!(missed[..missed.len() - 1], [changed]);
    let (_, missed) = Member::resume(&server, &group, &b.seat, seq.as_u64().unwrap() - 1);
    assert_eq!((missed.len(), &missed[0]["reactions"]), (2, &now), "a missed message comes with them");
    let plain = a.chat("nobody minds this one");
    assert!(plain.get("reactions").is_none());
}

#[test]
fn what_nobody_can_react_to_or_with_is_refused_with_its_code_and_changes_nothing() {
    let (server, group) = Group::with(&["--sends-per-second", "0"]);
    let [mut a, mut b] = group.members(&server);
    let joined = group.data(&server, &a.seat)["messages"][0]["seq"].clone();
    let message = a.chat("words");
    let seq = message["seq"].clone();
    for emoji in ["👍", "❤️", "😂"] {
        a.react(&seq, emoji, true);
        a.reacted();
        b.reacted();
    }
    let before = group.data(&server, &a.seat);
    let id = fresh_id();
    let beyond = json!(u64::MAX);
    let next = json!(seq.as_u64().unwrap() + 9);
    for (fields, code) in [
        (json!({ "message": seq, "emoji": "🎉" }), Code::TooManyReactions),
        (json!({ "message": seq, "emoji": "🧨!" }), Code::NoSuchSign),
        (json!({ "message": seq, "emoji": "<b>" }), Code::NoSuchSign),
        (json!({ "message": seq, "emoji": "" }), Code::NoSuchSign),
        (json!({ "message": seq }), Code::NoSuchSign),
        (json!({ "message": next, "emoji": "👍" }), Code::MessageGone),
        (json!({ "message": beyond, "emoji": "👍" }), Code::MessageGone),
        (json!({ "message": 0, "emoji": "👍" }), Code::MessageGone),
        (json!({ "message": joined, "emoji": "👍" }), Code::MessageGone),
        (json!({ "emoji": "👍" }), Code::FrameNotUnderstood),
        (json!({ "message": "12", "emoji": "👍" }), Code::FrameNotUnderstood),
    ] {
        let mut fields = fields;
        fields["id"] = json!(id);
        a.send_event("event.react", &fields);
        let refused = a.await_event("event.error");
        assert_eq!((&refused["code"], &refused["id"]), (&json!(code.name()), &json!(id)), "{fields}");
    }
    for unreadable in [json!(-1), json!(1.5), json!([1]), json!({})] {
        a.send_event("event.react", &json!({ "message": unreadable, "emoji": "👍", "id": id }));
        assert_eq!(a.await_event("event.error")["code"], Code::FrameNotUnderstood.name());
    }
    let after = group.data(&server, &a.seat);
    assert_eq!((&after["last_seq"], line(&after, &seq)), (&before["last_seq"], line(&before, &seq)));
    // Unsending takes them along.
    a.send_event("event.unsend", &json!({ "id": message["id"] }));
    b.await_event("event.unsend");
    b.react(&seq, "👍", true);
    assert_eq!(b.await_event("event.error")["code"], Code::MessageGone.name());
    assert!(line(&group.data(&server, &b.seat), &seq).get("reactions").is_none());
}

#[test]
fn who_is_removed_with_their_messages_leaves_no_reaction_and_can_not_react() {
    let (server, group) = Group::with(&[]);
    let [stays, goes] = group.seats(&server);
    let (mut staying, mut going) = (Member::open(&server, &group, &stays), Member::open(&server, &group, &goes));
    let seq = staying.chat("mine")["seq"].clone();
    for (who, emoji) in [(&mut going, "👎"), (&mut staying, "👎")] {
        who.react(&seq, emoji, true);
        who.reacted();
    }
    staying.until("event.react");
    group.kick(&server, &goes, "?messages=remove").assert(200, "Member removed");
    let frames = staying.until("event.notify");
    // Their socket may be closed already.
    let more = going.frame("event.react", &json!({ "message": seq, "emoji": "🎉", "on": true, "id": fresh_id() }));
    let _ = going.web_socket.send(Message::text(more));
    assert!(going.read_to_end().iter().any(|told| matches!(told, Received::Closed(..))), "it ends");
    let left = json!([{ "emoji": "👎", "count": 1, "from": [stays.emoji] }]);
    let told: Vec<_> = frames.iter().filter(|frame| frame["event"] == "event.react").collect();
    assert_eq!(told.iter().map(|frame| &frame["reactions"]).collect::<Vec<_>>(), [&left]);
    assert_eq!(line(&group.data(&server, &stays), &seq)["reactions"], left);
    let (_, missed) = Member::resume(&server, &group, &stays, seq.as_u64().unwrap() + 2);
    assert_eq!(missed.iter().map(|frame| frame["event"].as_str().unwrap()).collect::<Vec<_>>()[0], "event.react");
}

#[test]
fn reactions_count_for_how_fast_a_member_may_send() {
    let (server, group) = Group::with(&["--sends-per-second", "2"]);
    let [mut a, mut b] = group.members(&server);
    let seq = a.chat("words")["seq"].clone();
    let id = fresh_id();
    for n in 0..1_000 {
        let fields = json!({ "message": seq, "emoji": "👍", "on": n % 2 == 0, "id": id });
        a.send_event("event.react", &fields);
    }
    let refused = a.await_event("event.error");
    assert_eq!((&refused["code"], &refused["id"]), (&json!(Code::SendingTooFast.name()), &json!(id)));
    let next = b.chat("the others go on")["seq"].as_u64().unwrap();
    let counted = next - seq.as_u64().unwrap();
    assert!((2..50).contains(&counted), "{counted} of a thousand");
}
