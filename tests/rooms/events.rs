//! The events that members send, and what the server makes of them.

use serde_json::{Value, json};

use crate::rooms::group::Group;
use crate::rooms::member::{Member, fresh_id};
use crate::support::client::with_code;

const NO_FRAME: &str = "That is not a frame this server understands.";
const NOT_OURS: &str = "That photo is not one of this group's.";

#[test]
fn a_message_is_the_members_own_whatever_it_claims() {
    let (server, group) = Group::with(&[]);
    let [mut a, mut b] = group.members(&server);
    let claims = json!({ "id": fresh_id(), "message": "  it's <b>me</b>\u{0} ", "sender": b.seat.emoji, "time": "00:00:00.000",
        "seq": 9999, "caption": "no", "unsent": true, "member": [1], "event_": {} });
    a.send_event("event.chat", &claims);
    let received = b.await_event("event.chat");
    assert_eq!(received["sender"], a.seat.emoji);
    assert_eq!((&received["id"], &received["caption"]), (&claims["id"], &json!("")));
    assert!(received["message"].as_str().unwrap().starts_with("it's <b>me</b>"), "{received}");
    let time = received["time"].as_str().unwrap();
    assert!(time.len() == 12 && time != "00:00:00.000", "{time}");
    assert!(received["seq"].as_u64().unwrap() < 100 && received.get("unsent").is_none());
    assert_eq!(a.await_event("event.chat"), received, "the echo is what everybody hears");
}

#[test]
fn a_reply_quotes_what_was_really_said() {
    let (server, group) = Group::with(&[]);
    let [mut a, mut b] = group.members(&server);
    let first = a.chat("what I said");
    let seq = first["seq"].as_u64().unwrap();
    let mut replies = |reply: Value| {
        let id = fresh_id();
        b.send_event("event.chat", &json!({ "id": id, "message": "a reply", "reply": reply }));
        b.await_where(|frame| frame["id"] == id)["reply"].clone()
    };
    let quote = json!([a.seat.emoji, "what I said", seq, ""]);
    let evil = "https://evil.example/track.png";
    assert_eq!(replies(json!(["🤖", "what I never said", seq, evil])), quote);
    assert_eq!(replies(json!(["", "", seq.to_string(), ""])), quote);
    for nothing in [
        json!(["x", "y", seq + 1000, evil]),
        json!(["x", "y", 1, evil]),
        json!(["x"]),
        json!([]),
        json!("x"),
        json!(null),
        json!({ "2": 1 }),
    ] {
        assert_eq!(replies(nothing.clone()), Value::Null, "{nothing}");
    }
    a.send_event("event.unsend", &json!({ "id": first["id"] }));
    a.await_event("event.unsend");
    assert_eq!(
        replies(json!(["x", "what I said", seq, ""])),
        json!([a.seat.emoji, "", seq, ""]),
        "nobody quotes it any more"
    );
}

#[test]
fn what_is_refused_is_said_with_the_messages_id() {
    let (server, group) = Group::with(&["--sends-per-second", "0"]);
    let other = Group::new(&server);
    let [mut member] = group.members(&server);
    let id = fresh_id();
    let long = "x".repeat(256);
    let chat = |more: Value| {
        let mut message = json!({ "event": "event.chat", "id": id, "message": "words" });
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "action": "sendMessage", "room_id": group.id, "message": message })
    };
    let evil = "https://evil.example/x.jpg";
    let elsewhere = format!("/api/room/{}/image/{}", other.id, "00000000-0000-4000-8000-000000000000");
    let unknown = format!("/api/room/{}/image/{}", group.id, "00000000-0000-4000-8000-000000000000");
    let mut to_other = chat(json!({}));
    to_other["room_id"] = other.id.clone().into();
    let refused = [
        (chat(json!({ "message": "" })), &*id, "There is nothing in that message."),
        (chat(json!({ "message": " \n\t " })), &id, "There is nothing in that message."),
        (chat(json!({ "message": long })), &id, "Please shorten your message to 255 characters"),
        (chat(json!({ "image_src": evil })), &id, NOT_OURS),
        (chat(json!({ "image_src": elsewhere })), &id, NOT_OURS),
        (chat(json!({ "image_src": unknown, "event": "event.image" })), &id, NOT_OURS),
        (chat(json!({ "event": "event.unsend" })), &id, "This message is already gone"),
        (to_other, &id, "This socket belongs to another group."),
        (chat(json!({ "id": "short" })), "", "A message's id has to be 15 letters and digits."),
        (
            chat(json!({ "id": "fifteen-chars!!" })),
            "fifteen-chars!!",
            "A message's id has to be 15 letters and digits.",
        ),
        (chat(json!({ "id": null })), "", "A message's id has to be 15 letters and digits."),
        (chat(json!({ "message": 7 })), &id, NO_FRAME),
        (chat(json!({ "event": null })), &id, NO_FRAME),
        (chat(json!({ "id": "fifteen-letters-and-more", "message": 7 })), "", NO_FRAME),
        (json!({ "action": "sendMessage" }), "", NO_FRAME),
        (json!([]), "", NO_FRAME),
        (json!(null), "", NO_FRAME),
    ];
    for (frame, id, why) in refused {
        member.send_text(&frame.to_string());
        let id = if id.is_empty() { Value::Null } else { id.into() };
        assert_eq!(
            member.next_frame(),
            with_code(json!({ "event": "event.error", "id": id, "message": why })),
            "{frame}"
        );
    }
    for odd in ["", "nonsense", "{", "{} {}", "\u{0}"] {
        member.send_text(odd);
        assert_eq!(member.next_frame()["message"], NO_FRAME);
    }
    let mut member = Member::open(&server, &group, &member.seat.clone());
    assert_eq!(member.chat(&"🦊".repeat(255))["message"], "🦊".repeat(255), "255 characters are in order");
    assert_eq!(group.words(&server, &member.seat).len(), 1, "and nothing else was stored");
    let newcomer = other.seat(&server);
    let data = other.data(&server, &newcomer);
    let texts: Vec<_> = data["messages"].as_array().unwrap().iter().map(|line| &line["message"]).collect();
    assert_eq!(texts, [&json!(format!("{} joined", newcomer.emoji))], "and nothing in the other group");
}

#[test]
fn what_a_newer_page_may_say_is_ignored() {
    let (server, group) = Group::with(&[]);
    let [mut member] = group.members(&server);
    for event in ["event.unheard-of", "", "event.ready", "event.closed", "event.notify"] {
        member.send_event(event, &json!({ "message": "x", "id": fresh_id(), "new": [] }));
    }
    let message = json!({ "event": "event.chat", "id": fresh_id(), "message": "x" });
    member.send_text(&json!({ "action": "shout", "room_id": group.id, "message": message }).to_string());
    assert_eq!(member.so_far(), [] as [Value; 0]);
}

#[test]
fn everybody_sees_who_is_connected_and_who_types() {
    let (server, group) = Group::with(&[]);
    let [a, b] = group.seats(&server);
    let mut a = Member::open(&server, &group, &a);
    let mut second = Member::open(&server, &group, &b);
    let both = json!([a.seat.emoji, b.emoji]);
    a.await_where(|frame| frame["active_users"] == both);
    second.send_event("event.active-users", &json!({}));
    assert_eq!(second.await_event("event.active-users")["active_users"], both);
    second.send_event("event.typing", &json!({ "sender": a.seat.emoji }));
    assert_eq!(a.await_event("event.typing"), json!({ "event": "event.typing", "sender": b.emoji }));
    drop(second);
    let alone = json!([a.seat.emoji]);
    a.await_where(|frame| frame["active_users"] == alone);
    assert_eq!(group.data(&server, &b)["members"], both, "a seat is kept");
}

#[test]
fn a_message_is_taken_back_by_its_sender_and_nobody_else() {
    let (server, group) = Group::with(&[]);
    let [mut a, mut b] = group.members(&server);
    let kept = a.chat("this one stays");
    let echo = a.chat("zebra-words-taken-back");
    b.send_event("event.unsend", &json!({ "id": echo["id"] }));
    let refused = b.await_event("event.error");
    assert_eq!(
        refused,
        with_code(json!({ "event": "event.error", "id": echo["id"], "message": "This message is already gone" }))
    );
    a.send_event("event.unsend", &json!({ "id": echo["id"] }));
    let retract = b.await_event("event.unsend");
    assert_eq!((&retract["id"], &retract["message_seq"]), (&echo["id"], &echo["seq"]));
    assert_eq!(a.await_event("event.unsend"), retract);
    a.send_event("event.unsend", &json!({ "id": echo["id"] }));
    assert_eq!(a.await_event("event.error")["message"], "This message is already gone");
    let lines = group.data(&server, &b.seat)["messages"].clone();
    let gone = lines.as_array().unwrap().iter().find(|line| line["seq"] == echo["seq"]).unwrap().clone();
    assert_eq!((&gone["message"], &gone["unsent"]), (&json!(""), &json!(true)));
    // A member who was away gets the message without its words, and the event of its deletion.
    let (_, missed) = Member::resume(&server, &group, &b.seat, kept["seq"].as_u64().unwrap());
    assert_eq!((&missed[0]["unsent"], &missed[1]), (&json!(true), &retract));
    a.send_event("event.chat", &json!({ "id": echo["id"], "message": "zebra-words-taken-back" }));
    assert_eq!(a.await_event("event.chat")["unsent"], true, "the same id brings nothing back");
    assert_eq!(group.words(&server, &b.seat), ["this one stays", ""]);
}

#[test]
fn who_was_away_gets_exactly_what_they_missed() {
    let (server, group) = Group::with(&[]);
    let [a, b] = group.seats(&server);
    let (mut a, away) = (Member::open(&server, &group, &a), Member::open(&server, &group, &b));
    drop(away);
    let lines: Vec<_> = (0..5).map(|n| a.chat(&format!("words {n}"))).collect();
    let seqs: Vec<_> = lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    for (n, since) in seqs.iter().enumerate() {
        let (_, missed) = Member::resume(&server, &group, &b, *since);
        let (ready, missed) = missed.split_last().unwrap();
        assert_eq!(missed, &lines[n + 1..]);
        assert_eq!(*ready, json!({ "event": "event.ready", "last_seq": seqs[4], "resumed": true }));
    }
    for since in [json!(seqs[4] + 1), json!(u64::MAX)] {
        let mut back = Member::silent(&server, &group, &b);
        back.send_event("event.connect", &json!({ "since": since }));
        assert_eq!(back.until("event.ready").pop().unwrap()["resumed"], false, "a place that isn't there yet");
    }
    for odd in [json!(-1), json!("1"), json!(1.5)] {
        let mut back = Member::silent(&server, &group, &b);
        back.send_event("event.connect", &json!({ "since": odd }));
        assert_eq!(back.next_frame()["event"], "event.error");
    }
}
