//! Sealed groups: what the server takes, keeps and passes on without being able to read it.

use annon_contract::code::Code;
use annon_contract::limits::{
    CHAT_MAX, REPORT_LINES, REPORT_MAX, SEALED_AROUND, SEALED_PICTURE_STEP, SEALED_ROOM_NAME, SEALED_SIZES,
};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rooms::group::{Group, Seat, create, server};
use crate::rooms::member::{Member, fresh_id};
use crate::rooms::pictures::{fetch, png, upload};
use crate::support::client::Answer;
use crate::support::person::Person;
use crate::support::server::{Folder, NO_LIMITS, Server, printed};

/// Bytes of the form that sealed words have, which nobody can open.
fn sealed(size: usize, fill: u8) -> String {
    let mut bytes = vec![fill; SEALED_AROUND + size];
    bytes[0] = 1;
    BASE64URL.encode(bytes)
}

fn form() -> Value {
    json!({ "name": sealed(64, 9), "sealed": true, "check": BASE64URL.encode([5; 8]) })
}

fn sealed_group(server: &Server) -> Group {
    let creator = Person::new(server);
    let answer = create(server, &creator, &form());
    assert_eq!(answer.status, 201, "{answer:?}");
    Group { id: answer.json()["room_id"].as_str().unwrap().to_owned(), creator }
}

fn refusal(member: &mut Member, fields: &Value) -> Value {
    member.send_event("event.chat", fields);
    member.await_event("event.error")["code"].clone()
}

fn upload_sealed(server: &Server, group: &Group, seat: &Seat, (id, bytes): (&str, &str)) -> Answer {
    let body = json!({ "room_id": group.id, "image_b64": bytes, "image_id": id });
    server.post("/api/room/upload-image").header("Cookie", &seat.cookie).json(&body).send()
}

#[test]
fn a_sealed_group_is_named_by_its_members_browsers_only() {
    let server = server(&[]);
    let group = sealed_group(&server);
    let head = json!({ "name": sealed(64, 9), "check": BASE64URL.encode([5; 8]) });
    let seat = group.seat(&server);
    for seat in [None, Some(&seat)] {
        let data = group.view(&server, seat, "").json()["data"].clone();
        assert_eq!((&data["name"], &data["sealed"]), (&json!(SEALED_ROOM_NAME), &head));
    }
    let listed = group.creator.get(&server, "/api/rooms").json()["data"][0].clone();
    assert_eq!((&listed["name"], &listed["sealed"]), (&json!(SEALED_ROOM_NAME), &head));
    let open = Group::new(&server);
    assert!(open.view(&server, None, "").json()["data"]["sealed"].is_null());
    let wrong = |field: &str, value: Value| {
        let mut form = form();
        form[field] = value;
        create(&server, &group.creator, &form)
    };
    for answer in [
        wrong("name", json!("midnight tacos")),
        wrong("name", json!(sealed(1024, 9))),
        wrong("check", json!("AAAA")),
        wrong("check", Value::Null),
    ] {
        answer.assert(422, Code::SealedInvalid.sentence());
    }
}

#[test]
fn sealed_words_are_passed_on_as_they_are_and_nothing_else_is_taken() {
    let server = server(&[]);
    let group = sealed_group(&server);
    let [mut a, mut b] = group.members(&server);
    let key = fresh_id();
    a.send_event("event.chat", &json!({ "id": key, "message": sealed(256, 1), "kind": "key" }));
    let announced = b.await_event("event.chat");
    assert_eq!((&announced["kind"], &announced["message"]), (&json!("key"), &json!(sealed(256, 1))));
    for (at, size) in SEALED_SIZES.into_iter().enumerate() {
        let said = a.chat(&sealed(size, at as u8));
        assert_eq!(said["message"], json!(sealed(size, at as u8)));
        assert!(said["kind"].is_null() && said["answers"].is_null(), "{said}");
        assert_eq!(b.await_where(|frame| frame["id"] == said["id"]), said);
    }
    let said = a.chat(&sealed(64, 7));
    let reply =
        json!({ "id": fresh_id(), "message": sealed(64, 8), "answers": said["id"], "reply": [0, 0, said["seq"], 0] });
    b.send_event("event.chat", &reply);
    let answer = a.await_where(|frame| frame["id"] == reply["id"]);
    assert_eq!(answer["reply"], json!([a.seat.emoji, "Sealed", said["seq"], ""]));
    assert_eq!(answer["answers"], said["id"]);
    // What it answers stays sealed to it, also when that was taken back.
    a.send_event("event.unsend", &json!({ "id": said["id"] }));
    b.await_event("event.unsend");
    let data = group.data(&server, &b.seat);
    let last = data["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["answers"], &last["reply"]), (&said["id"], &json!([a.seat.emoji, "", said["seq"], ""])));
    assert_eq!(data["message_count"], 2 + SEALED_SIZES.len() as u64, "keys are no messages");
    for wrong in [
        json!({ "id": fresh_id(), "message": "words that nobody has sealed" }),
        json!({ "id": fresh_id(), "message": sealed(63, 1) }),
        json!({ "id": fresh_id(), "message": sealed(64, 1), "kind": "other" }),
        json!({ "id": fresh_id(), "message": "" }),
    ] {
        assert_eq!(refusal(&mut a, &wrong), Code::SealedInvalid.name(), "{wrong}");
    }
    let not_an_id = json!({ "id": fresh_id(), "message": sealed(64, 1), "answers": "no id" });
    assert_eq!(refusal(&mut a, &not_an_id), Code::MessageIdInvalid.name());
}

#[test]
fn a_sealed_picture_is_kept_as_it_came_under_the_id_that_it_is_sealed_to() {
    let server = server(&[]);
    let group = sealed_group(&server);
    let [mut a, mut b] = group.members(&server);
    let seat = a.seat.clone();
    let (id, bytes) =
        (Uuid::from_u128(0xf00d_cafe_dead_4eef_8aad_f00d_cafe_f00d).to_string(), sealed(SEALED_PICTURE_STEP, 3));
    let path = upload_sealed(&server, &group, &seat, (&id, &bytes)).message();
    assert_eq!(path, group.path(&format!("/image/{id}")));
    let message = json!({ "id": fresh_id(), "message": sealed(256, 4), "image_src": path, "image_low": path });
    a.send_event("event.image", &message);
    let shown = b.await_event("event.image");
    assert_eq!((&shown["image_src"], &shown["image_size"]), (&json!(path), &Value::Null));
    let answer = fetch(&server, &path, &b.seat.cookie);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/octet-stream")));
    assert_eq!(BASE64URL.encode(&answer.body), bytes);
    let other = Uuid::from_u128(0xf00d_cafe_dead_4eef_8aad_f00d_cafe_f00e).to_string();
    for (id, bytes) in [
        // Nobody puts a picture in the place of another one.
        (&*id, &*bytes),
        ("00000000-0000-1000-8000-000000000000", &*bytes),
        ("no id", &*bytes),
        (&*other, &*sealed(SEALED_PICTURE_STEP + 1, 3)),
        (&*other, "no base64url!"),
    ] {
        upload_sealed(&server, &group, &seat, (id, bytes)).assert(422, Code::SealedInvalid.sentence());
    }
    // What isn't sealed is not taken, and a sealed one not in an open group.
    upload(&server, &group, &seat, &png(3, 3)).assert(422, Code::SealedInvalid.sentence());
    let open = Group::new(&server);
    let answer = upload_sealed(&server, &open, &open.seat(&server), (&other, &bytes));
    assert_ne!(answer.status, 201, "{answer:?}");
    b.send_event("event.unsend", &json!({ "id": message["id"] }));
    a.send_event("event.unsend", &json!({ "id": message["id"] }));
    b.await_event("event.unsend");
    assert_eq!(fetch(&server, &path, &b.seat.cookie).status, 404);
}

#[test]
fn a_sealed_group_is_as_it_was_after_a_restart() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, NO_LIMITS);
    let group = sealed_group(&server);
    let [mut a] = group.members(&server);
    let said = a.chat(&sealed(1024, 6));
    let before = group.data(&server, &a.seat);
    server.stop();
    let server = Server::on(&folder, NO_LIMITS);
    let after = group.data(&server, &a.seat);
    assert_eq!(after["messages"].as_array().unwrap().last(), Some(&said));
    assert_eq!((&after["sealed"], &after["name"]), (&before["sealed"], &before["name"]));
}

#[test]
fn a_report_of_a_sealed_group_has_the_words_that_its_reporter_shows() {
    let folder = Folder::new();
    let server = Server::on(&folder, NO_LIMITS);
    let group = sealed_group(&server);
    let [mut a, b] = group.members(&server);
    let said = a.chat(&sealed(64, 6));
    let report = |opened: Value| {
        let form = json!({ "about": "room", "id": group.id, "lines": [said["seq"]], "opened": opened, "words": "" });
        server.post("/api/report").header("Cookie", &b.seat.cookie).json(&form).send()
    };
    for wrong in [json!([]), json!([{ "seq": said["seq"], "words": "x".repeat(256) }])] {
        report(wrong).assert(422, Code::ReportLinesInvalid.sentence());
    }
    let answer = report(json!([{ "seq": said["seq"], "words": "what was said" }]));
    assert_eq!(answer.status, 201, "{answer:?}");
    let listed = printed(&folder.annon(&["report", "list"]).stdout);
    let id = listed.split_whitespace().find(|word| word.len() == 36).unwrap_or_default().to_owned();
    let shown = printed(&folder.annon(&["report", "show", &id]).stdout);
    assert!(shown.contains("(sealed: as whoever reports it shows it) what was said"), "{listed} {shown}");
    assert!(!shown.contains(&sealed(64, 6)), "{shown}");
}

/// Characters of four bytes, as many as a message may have.
#[test]
fn fifty_long_messages_of_a_sealed_group_fit_into_one_report() {
    let server = server(&["--sends-per-second", "0"]);
    let group = sealed_group(&server);
    let [mut a, b] = group.members(&server);
    let seqs: Vec<_> = (0..REPORT_LINES).map(|n| a.chat(&sealed(2048, n as u8))["seq"].clone()).collect();
    let report = |words: &str, also: &str| {
        let opened: Vec<_> = seqs.iter().map(|seq| json!({ "seq": seq, "words": words })).collect();
        let form = json!({ "about": "room", "id": group.id, "lines": seqs, "opened": opened, "words": also });
        server.post("/api/report").header("Cookie", &b.seat.cookie).json(&form).send()
    };
    report(&"🦊".repeat(CHAT_MAX), &"🦊".repeat(REPORT_MAX)).assert_reported();
    report(&"x".repeat(2 * 1024), "").assert(413, Code::BodyTooLarge.sentence());
}
