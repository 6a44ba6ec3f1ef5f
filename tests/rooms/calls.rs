//! The calls about groups: what they answer, and what they refuse.

use serde_json::{Value, json};

use crate::rooms::group::{FULL, GONE, Group, NO_SEAT, NOT_YOURS, create, seated, server};
use crate::rooms::member::Member;
use crate::support::person::{Person, SIGNED_OUT};
use crate::support::server::{NO_LIMITS, Server};

const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";

#[test]
fn a_group_is_made_listed_shown_and_deleted() {
    let server = server(&[]);
    let creator = Person::new(&server);
    let name = "ten characters and sixteen";
    let first = create(&server, &creator, &json!({ "name": format!("  {name} "), "else": 1 })).json();
    // A group's name must not turn round the text that stands beside it.
    let turned = "\u{202e}fo\u{200f}ur\u{2069}";
    let second = create(&server, &creator, &json!({ "name": turned, "lifetime_hours": 2 })).json();
    let listed = creator.get(&server, "/api/rooms").json()["data"].clone();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|room| room["name"].as_str().unwrap()).collect();
    assert!(names == ["four", name] || names == [name, "four"], "{names:?}");
    assert_eq!(Person::new(&server).get(&server, "/api/rooms").json()["data"], json!([]));

    let hours = |room: &Value| {
        let group = Group { id: room["room_id"].as_str().unwrap().to_owned(), creator: creator.clone() };
        let shown = group.view(&server, None, "").json()["data"].clone();
        assert_eq!((&shown["creator"], &shown["locked"]), (&json!(creator.username), &json!(false)));
        assert_eq!((&shown["members"], &shown["messages"], &shown["last_seq"]), (&json!([]), &json!([]), &json!(0)));
        let date = shown["date"].as_str().unwrap();
        assert!(date.len() == 19 && date.as_bytes()[10] == b' ', "{date}");
        let alive = server.get(&format!("/api/room/valid/{}", group.id)).send();
        assert_eq!(alive.json(), json!({ "status": 200, "message": "This group is alive.", "free_seats": 10 }));
        shown["expire_at"].as_u64().unwrap()
    };
    let apart = hours(&first) - hours(&second);
    assert!((22 * 3600 - 5..=22 * 3600).contains(&apart), "{apart}");

    let group = Group { id: second["room_id"].as_str().unwrap().to_owned(), creator: creator.clone() };
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    assert_eq!(creator.get(&server, "/api/rooms").json()["data"].as_array().unwrap().len(), 1);
    group.command(&server, "DELETE", "").send().assert(404, GONE);
}

#[test]
fn a_list_tells_how_ones_groups_stand_and_nothing_of_who_sits_where() {
    let (mut server, group) = Group::with(&[]);
    let listed = |server: &Server| group.creator.get(server, "/api/rooms").json()["data"][0].clone();
    let first = listed(&server);
    assert!((86_390..=86_400).contains(&first["seconds_left"].as_u64().unwrap()), "{first}");
    assert_eq!(first["standing"], json!({ "seats": 0, "active": 0, "message_count": 0 }));

    let [stays, goes, away] = group.seats(&server);
    let (mut staying, mut going) = (Member::open(&server, &group, &stays), Member::open(&server, &group, &goes));
    staying.chat("zebra-one");
    going.chat("zebra-two");
    assert_eq!(listed(&server)["standing"], json!({ "seats": 3, "active": 2, "message_count": 2 }));
    assert_eq!(group.data(&server, &away)["message_count"], 2);
    assert_eq!(group.view(&server, None, "").json()["data"]["message_count"], 0, "nobody outside is told");
    let shown = listed(&server).to_string();
    for secret in ["zebra", stays.emoji.as_str(), goes.emoji.as_str(), away.emoji.as_str()] {
        assert!(!shown.contains(secret), "{shown}");
    }
    drop((staying, going));

    assert!(server.stop().success());
    let server = Server::on(&server.folder.clone(), NO_LIMITS);
    assert_eq!(listed(&server)["standing"], json!({ "seats": 3, "active": 0, "message_count": 2 }));
}

#[test]
fn a_name_has_four_to_thirty_characters_and_a_life_two_lengths() {
    let server = server(&[]);
    let creator = Person::new(&server);
    let refused = |body: Value| {
        let answer = create(&server, &creator, &body);
        (answer.status, answer.message())
    };
    for short in ["", "abc", "  abc   ", "äöü"] {
        assert_eq!(refused(json!({ "name": short })), (422, "Group name must be 4 characters or above".into()));
    }
    assert_eq!(refused(json!({ "name": "ä".repeat(31) })), (422, "Group name must be 30 characters or below".into()));
    assert_eq!(create(&server, &creator, &json!({ "name": "ä".repeat(30) })).status, 201);
    assert_eq!(refused(json!({ "name": "\u{202e}abc\u{2066}\u{200f}" })).0, 422, "marks of direction are no letters");
    for hours in [0, 1, 3, 25] {
        let body = json!({ "name": "name", "lifetime_hours": hours });
        assert_eq!(refused(body), (422, "A group lasts 24 hours or 2.".into()));
    }
    for odd in [json!({}), json!({ "name": 7 }), json!([]), json!({ "name": "name", "lifetime_hours": "2" })] {
        assert_eq!(refused(odd).0, 400);
    }
    server.post("/api/room/create").json(&json!({ "name": "name" })).send().assert(401, SIGNED_OUT);
    server.get("/api/rooms").send().assert(401, SIGNED_OUT);
}

#[test]
fn the_fifty_first_group_of_an_account_is_refused_until_one_is_deleted() {
    let server = server(&[]);
    let creator = Person::new(&server);
    let groups: Vec<_> = (0..50).map(|_| Group::of(&server, creator.clone())).collect();
    let another = || create(&server, &creator, &json!({ "name": "one more" }));
    another().assert(409, "You have as many groups as one account can have. Delete one first.");
    groups[7].command(&server, "DELETE", "").send().assert(200, "Group deleted");
    assert_eq!(another().status, 201);
    Group::new(&server);
}

#[test]
fn a_group_that_is_not_there_is_the_same_404_for_every_call() {
    let server = server(&[]);
    let creator = Person::new(&server);
    for id in [NOWHERE, "nonsense", "%F0%9F%A6%8A", "..%2f.."] {
        let calls = [
            server.get(&format!("/api/room/{id}")),
            server.get(&format!("/api/room/valid/{id}")),
            server.get(&format!("/api/room-emoji/{id}")),
            server.get(&format!("/api/room/{id}/image/{NOWHERE}")),
            server.get(&format!("/api/room/{id}/socket")),
            server.post(&format!("/api/room/{id}/seat")),
            server.delete(&format!("/api/room/{id}/seat")),
            creator.call(&server, "DELETE", &format!("/api/room/{id}")),
            creator.call(&server, "PATCH", &format!("/api/room/{id}")).json(&json!({ "locked": true })),
            creator.call(&server, "DELETE", &format!("/api/room/{id}/message/1")),
            creator.call(&server, "DELETE", &format!("/api/room/{id}/member/%F0%9F%A6%8A")),
            server.post("/api/room/upload-image").json(&json!({ "room_id": id, "image_b64": "" })),
        ];
        calls.into_iter().for_each(|call| call.send().assert(404, GONE));
    }
}

#[test]
fn what_is_the_creators_is_nobody_elses() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let posted = Member::open(&server, &group, &seat).chat("mine to take back, and the creator's");
    let stranger = Person::new(&server);
    let emoji = "%F0%9F%A6%8A";
    let calls = |token: Option<&str>| {
        let calls = [
            server.delete(&group.path("")),
            server.call("PATCH", &group.path("")).json(&json!({ "locked": true })),
            server.delete(&group.path(&format!("/member/{emoji}"))),
            server.delete(&group.path(&format!("/message/{}", posted["seq"]))),
        ];
        calls.map(|call| {
            let call = call.header("Cookie", &seat.cookie);
            if let Some(token) = token { call.bearer(token).send() } else { call.send() }
        })
    };
    calls(Some(&stranger.token)).iter().for_each(|answer| answer.assert(403, NOT_YOURS));
    calls(None).iter().for_each(|answer| answer.assert(401, SIGNED_OUT));
    assert_eq!(group.data(&server, &seat)["locked"], false);
    assert_eq!(group.words(&server, &seat).len(), 1);
}

#[test]
fn without_a_seat_one_reads_nothing() {
    let (server, group) = Group::with(&[]);
    let seats: [_; 10] = group.seats(&server);
    let mut member = Member::open(&server, &group, &seats[0]);
    member.chat("for the ten of us");
    assert_eq!(seated(&group.try_seat(&server, None)), Err((403, FULL.to_owned())));
    assert_eq!(group.command(&server, "PATCH", "").json(&json!({ "locked": true })).send().status, 200);
    let elsewhere = Group::new(&server).seat(&server);
    for seat in [None, Some(&elsewhere)] {
        let shown = group.view(&server, seat, "").json()["data"].clone();
        assert_eq!((&shown["members"], &shown["messages"]), (&json!([]), &json!([])));
        assert_eq!((&shown["last_seq"], &shown["locked"]), (&json!(0), &json!(false)), "nor how busy they are");
        let leave = server.delete(&group.path("/seat")).cookie(seat.map(|seat| &*seat.cookie));
        leave.send().assert(403, NO_SEAT);
    }
    assert_eq!(group.words(&server, &seats[9]), ["for the ten of us"]);
    assert_eq!(group.data(&server, &seats[9])["members"].as_array().unwrap().len(), 10);
}

#[test]
fn a_long_history_is_read_page_by_page() {
    let (server, group) = Group::with(&["--sends-per-second", "0"]);
    let [mut member] = group.members(&server);
    let seat = member.seat.clone();
    for n in 0..20 {
        (0..30).for_each(|_| drop(member.post("words")));
        member.chat(&format!("and {n}"));
    }
    let data = |query: &str| group.view(&server, Some(&seat), query).json()["data"].clone();
    let page = |query: &str| {
        let messages = data(query)["messages"].clone();
        messages.as_array().unwrap().iter().map(|line| line["seq"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let last = page("");
    assert_eq!((last.len(), *last.last().unwrap()), (200, group.data(&server, &seat)["last_seq"].as_u64().unwrap()));
    let (mut all, mut before) = (last.clone(), last[0]);
    loop {
        let more = page(&format!("?before={before}&limit=77"));
        let Some(first) = more.first() else { break };
        before = *first;
        all = [more, all].concat();
    }
    assert_eq!(all.len(), 621, "and who joined");
    assert!(all.is_sorted_by(|a, b| a < b));
    for (first, has_older) in [(all[0], false), (all[1], true), (all[420], true)] {
        let query = format!("?limit=20&before={}", first + 20);
        assert_eq!(page(&query)[0], first);
        assert_eq!(data(&query)["has_older"], has_older, "before {first}");
    }
    assert_eq!(group.view(&server, None, "").json()["data"]["has_older"], false, "nothing is said without a seat");
    assert_eq!(page("?limit=500").len(), 500);
    assert_eq!(page("?before=0"), [] as [u64; 0]);
    assert_eq!(page("?before=18446744073709551615").len(), 200);
    for (query, says) in [
        ("?limit=0", "limit has to be 1 to 500."),
        ("?limit=501", "limit has to be 1 to 500."),
        ("?limit=x", "limit has to be 1 to 500."),
        ("?before=-1", "before has to be a place in the log."),
        ("?before=99999999999999999999", "before has to be a place in the log."),
    ] {
        group.view(&server, Some(&seat), query).assert(400, says);
    }
}
