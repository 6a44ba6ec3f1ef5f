//! The ten seats of a group: who gets one, who keeps it, and who is refused.

use std::collections::BTreeSet;

use annon_contract::code::Code;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;

use crate::rooms::group::{FULL, Group, LOCKED, NO_SEAT, REMOVED, Seat, seated, server};
use crate::rooms::member::{Member, try_open};
use crate::support::client::Call;
use crate::support::patience::at_once;
use crate::support::person::Person;

#[test]
fn twenty_race_for_ten_seats_in_thirty_groups_at_once() {
    let server = server(&[]);
    let creator = Person::new(&server);
    let groups: Vec<_> = (0..30).map(|_| Group::of(&server, creator.clone())).collect();
    // Each visitor asks for a seat in every group, beginning with another group.
    let doors = &groups;
    let visitors = (0..20).map(|n| {
        let server = &server;
        move || {
            let doors_in_turn = (0..30).map(|k| (n * 7 + k) % 30);
            doors_in_turn.map(|at| (at, seated(&doors[at].try_seat(server, None)))).collect::<Vec<_>>()
        }
    });
    let mut outcomes: Vec<Vec<_>> = vec![Vec::new(); 30];
    for (at, outcome) in at_once(visitors).into_iter().flatten() {
        outcomes[at].push(outcome);
    }
    for (group, outcomes) in groups.iter().zip(outcomes) {
        let seats: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
        assert_eq!((seats.len(), outcomes.len()), (10, 20));
        assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|why| *why == (403, FULL.to_owned())));
        let shown = group.data(&server, seats[0]);
        let members: BTreeSet<_> =
            shown["members"].as_array().unwrap().iter().filter_map(|emoji| emoji.as_str()).collect();
        assert_eq!(members, seats.iter().map(|seat| seat.emoji.as_str()).collect());
        assert_eq!(members.len(), 10, "ten different emojis");
    }
}

#[test]
fn one_visitor_who_asks_many_times_at_once_has_one_seat() {
    let server = server(&[]);
    let (first, group) = (Group::new(&server), Group::new(&server));
    let cookie = first.seat(&server).cookie;
    let emojis = at_once((0..20).map(|_| || seated(&group.try_seat(&server, Some(&cookie))).unwrap().emoji));
    assert!(emojis.iter().all(|emoji| *emoji == emojis[0]), "{emojis:?}");
    let seat = Seat { cookie, emoji: emojis[0].clone() };
    assert_eq!(group.data(&server, &seat)["members"], json!([emojis[0]]));
}

#[test]
fn a_cookie_is_the_visitors_alone_and_no_script_reads_it() {
    let (server, group) = Group::with(&[]);
    let answer = group.try_seat(&server, None);
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/api", "Max-Age=691200"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
    for bad in ["annon_seat=x", "annon_seat=", "annon_seat=AAAA", "other=1", "annon_seat=%00"] {
        let fresh = seated(&group.try_seat(&server, Some(bad))).unwrap();
        assert!(fresh.cookie.starts_with("annon_seat=") && fresh.cookie != bad, "{bad}");
    }
    let foreign = server.get(&format!("/api/room-emoji/{}", group.id)).header("Sec-Fetch-Site", "cross-site");
    foreign.send().assert(403, "A seat is taken from this site's own pages.");
}

/// Another host of the domain can set cookies for it, but no `__Host-` cookies.
#[test]
fn over_https_a_cookie_that_another_host_could_have_set_is_none() {
    let (server, group) = Group::with(&["--public-url", "https://annon.example"]);
    let answer = group.try_seat(&server, None);
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["__Host-annon_seat=", "Secure", "HttpOnly", "SameSite=Lax", "Path=/;"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    let seat = seated(&answer).unwrap();
    assert_eq!(seated(&group.try_seat(&server, Some(&seat.cookie))).unwrap(), seat);
    let planted = seat.cookie.replace("__Host-", "");
    let made_up = format!("__Host-annon_seat={}", BASE64_URL_SAFE_NO_PAD.encode([7; 48]));
    for cookie in [&planted, &made_up] {
        let other = seated(&group.try_seat(&server, Some(cookie))).unwrap();
        assert!(other.emoji != seat.emoji && other.cookie.split_once('=') != cookie.split_once('='), "{cookie}");
    }
}

#[test]
fn one_call_gives_a_seat_and_what_is_seen_from_it() {
    let (server, group) = Group::with(&[]);
    let come_in =
        |cookie: Option<&str>, query: &str| server.post(&group.path(&format!("/seat{query}"))).cookie(cookie).send();
    let first = group.seat(&server);
    let mut member = Member::open(&server, &group, &first);
    for words in ["one", "two", "three"] {
        member.chat(words);
    }

    let answer = come_in(None, "");
    let (body, cookie) = (answer.json(), answer.header("set-cookie").unwrap());
    assert_eq!(body["status"], 200);
    let seat = Seat {
        cookie: cookie.split(';').next().unwrap().to_owned(),
        emoji: body["emoji"].as_str().unwrap().to_owned(),
    };
    let notice = member.await_event("event.notify");
    assert_eq!(notice["message"], format!("{} joined", seat.emoji), "who reads is seen, without a socket, too");
    assert_eq!((&notice["code"], &notice["emoji"]), (&json!("joined"), &json!(seat.emoji)));
    assert_eq!(body["data"]["messages"].as_array().unwrap().last(), Some(&notice));
    assert_eq!(body["data"], group.data(&server, &seat));
    assert_eq!(body["data"]["members"], json!([first.emoji, seat.emoji]));
    assert_eq!(group.words(&server, &seat), ["one", "two", "three"]);

    // A visitor with a seat keeps it, and gets as many lines as asked for.
    let again = come_in(Some(&seat.cookie), "?limit=1");
    assert_eq!((again.json()["emoji"].as_str(), again.header("set-cookie")), (Some(&*seat.emoji), Some(cookie)));
    assert_eq!(again.json()["data"]["messages"].as_array().map(Vec::len), Some(1));
    assert_eq!(come_in(None, "?limit=501").status, 400);
    assert_eq!(group.data(&server, &seat)["members"].as_array().map(Vec::len), Some(2), "a bad call took a seat");

    for (header, elsewhere) in
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Origin", "https://evil.example")]
    {
        let foreign = server.post(&group.path("/seat")).header(header, elsewhere);
        foreign.send().assert(403, "A seat is taken from this site's own pages.");
        let foreign = server.get(&format!("/api/room-emoji/{}", group.id)).header(header, elsewhere);
        foreign.send().assert(403, "A seat is taken from this site's own pages.");
    }
    let _: [_; 8] = group.seats(&server);
    let full = come_in(None, "");
    full.assert(403, FULL);
    assert_eq!(full.header("set-cookie"), None);
    group.command(&server, "PATCH", "").json(&json!({ "locked": true })).send().assert(200, "Group locked");
    assert_eq!(come_in(Some(&seat.cookie), "").status, 200);
    group.kick(&server, &seat, "").assert(200, "Member removed");
    come_in(Some(&seat.cookie), "").assert(403, REMOVED);
}

/// In a browser without cookies the page sends its seat in a header.
#[test]
fn a_page_can_carry_its_seat_and_then_no_cookie_counts() {
    let (server, group) = Group::with(&[]);
    let take = |seat: &str| server.post(&group.path("/seat")).header("Annon-Seat", seat).send();
    let first = take("new");
    let seat = first.header("annon-seat").unwrap().to_owned();
    let emoji = first.json()["emoji"].clone();
    assert_eq!(first.header("set-cookie"), None);
    let again = take(&seat);
    assert_eq!((&again.json()["emoji"], again.header("annon-seat")), (&emoji, Some(&*seat)), "the same seat");
    let by_emoji = server.get(&format!("/api/room-emoji/{}", group.id)).header("Annon-Seat", &seat).send();
    assert_eq!((by_emoji.json(), by_emoji.header("annon-seat")), (emoji, Some(&*seat)));

    // Opens a socket with its seat; without a seat, or with a made-up one, the server refuses.
    let protocol = format!("annon-seat, {seat}");
    let socket = try_open(&server, &group.id, &[("Sec-WebSocket-Protocol", &protocol)]).unwrap();
    for none in ["annon-seat", "annon-seat, ", "annon-seat, new", &*format!("bearer, {seat}")] {
        let opened = try_open(&server, &group.id, &[("Sec-WebSocket-Protocol", none)]).map(drop);
        assert_eq!(opened, Err(403), "{none}");
    }
    let made_up = BASE64_URL_SAFE_NO_PAD.encode([7; 48]);
    for bad in ["", "new", &*made_up, &seat[..seat.len() - 4]] {
        let page = server.get(&group.path("")).header("Annon-Seat", bad).send();
        assert_eq!(page.json()["data"]["members"], json!([]), "{bad}");
        server.delete(&group.path("/seat")).header("Annon-Seat", bad).send().assert(403, NO_SEAT);
    }

    // The seat in the header counts, whatever cookies come with it.
    let cookie = group.seat(&server).cookie;
    let both = |call: Call| call.header("Cookie", &cookie).header("Annon-Seat", &seat).send();
    assert_eq!(both(server.get(&group.path(""))).json()["data"]["members"].as_array().map(Vec::len), Some(2));
    assert_ne!(both(server.post(&group.path("/seat"))).json()["emoji"], group.try_seat(&server, Some(&cookie)).json());
    let picture = server.get(&group.path("/image/00000000-0000-4000-8000-000000000000"));
    both(picture).assert(404, "There is no such photo.");
    let upload = server.post("/api/room/upload-image").json(&json!({ "room_id": group.id, "image_b64": "!" }));
    both(upload).assert(400, "image_b64 is not base64.");
    drop(socket);
    both(server.delete(&group.path("/seat"))).assert(200, "You left the group");
    both(server.delete(&group.path("/seat"))).assert(403, NO_SEAT);
    assert_eq!(group.try_seat(&server, Some(&cookie)).status, 200, "the cookie's seat is there");
}

#[test]
fn opening_the_page_takes_no_seat() {
    let (server, group) = Group::with(&[]);
    for path in [format!("/room/{}", group.id), group.path(""), format!("/api/room/valid/{}", group.id)] {
        let answer = server.get(&path).send();
        assert_eq!(answer.header("set-cookie"), None, "{path}");
    }
    let free = || server.get(&format!("/api/room/valid/{}", group.id)).send().json()["free_seats"].clone();
    assert_eq!(free(), 10);
    assert_eq!(group.seats::<10>(&server).len(), 10);
    assert_eq!(free(), 0, "who has no seat is told, as the preview of the link tells");
}

#[test]
fn who_leaves_gives_the_seat_to_somebody_else() {
    let (server, group) = Group::with(&[]);
    let seats: [_; 10] = group.seats(&server);
    let (mut stays, mut goes) = (Member::open(&server, &group, &seats[0]), Member::open(&server, &group, &seats[1]));
    goes.chat("goodbye");
    let leave = || server.delete(&group.path("/seat")).header("Cookie", &seats[1].cookie).send();
    leave().assert(200, "You left the group");
    goes.assert_closed(Code::LeftGroup, 4404, "left the group");
    let notice = stays.await_where(|frame| frame["message"].as_str().is_some_and(|text| text.ends_with(" left")));
    assert_eq!(notice["message"], format!("{} left", seats[1].emoji));
    assert_eq!(stays.await_event("event.active-users")["active_users"], json!([seats[0].emoji]));
    leave().assert(403, NO_SEAT);
    assert_eq!(crate::rooms::member::try_open(&server, &group.id, &[("Cookie", &seats[1].cookie)]).map(drop), Err(403));
    let newcomer = group.seat(&server);
    assert!(seats.iter().all(|seat| seat.emoji != newcomer.emoji), "nobody is taken for who left");
    assert_eq!(group.words(&server, &newcomer), ["goodbye"], "what they said stays");
    group.try_seat(&server, Some(&seats[1].cookie)).assert(403, FULL);
}

#[test]
fn a_locked_door_is_closed_to_the_new_and_open_to_members() {
    let (server, group) = Group::with(&[]);
    let [mut member] = group.members(&server);
    let seat = member.seat.clone();
    let lock = |locked: bool| group.command(&server, "PATCH", "").json(&json!({ "locked": locked })).send();
    for _ in 0..2 {
        lock(true).assert(200, "Group locked");
    }
    group.try_seat(&server, None).assert(403, LOCKED);
    assert_eq!(seated(&group.try_seat(&server, Some(&seat.cookie))).unwrap().emoji, seat.emoji);
    assert_eq!(group.data(&server, &seat)["locked"], true);
    lock(false).assert(200, "Group unlocked");
    group.seat(&server);
    let frames = member.so_far();
    let texts: Vec<_> = frames.iter().filter(|frame| frame["message"].is_string()).collect();
    let codes: Vec<_> = texts.iter().map(|frame| &frame["code"]).collect();
    assert_eq!(codes, ["locked", "unlocked"], "once each");
    for odd in [json!({}), json!({ "locked": "yes" }), json!({ "locked": 1 })] {
        assert_eq!(group.command(&server, "PATCH", "").json(&odd).send().status, 400);
    }
}

#[test]
fn who_was_sent_out_stays_out_and_says_no_more() {
    let (server, group) = Group::with(&[]);
    let [mut staying, mut going] = group.members(&server);
    let [stays, goes] = [&staying, &going].map(|member| member.seat.clone());
    let mut other_window = Member::open(&server, &group, &goes);
    going.chat("rude words");
    group.kick(&server, &goes, "").assert(200, "Member removed");
    going.assert_closed(Code::RemovedFromGroup, 4403, "removed from the group");
    other_window.assert_closed(Code::RemovedFromGroup, 4403, "removed from the group");
    let notice = staying.await_where(|frame| frame["message"] == format!("{} was removed", goes.emoji));
    assert_eq!((&notice["code"], &notice["emoji"]), (&json!("removed"), &json!(goes.emoji)));
    group.try_seat(&server, Some(&goes.cookie)).assert(403, REMOVED);
    let leave = server.delete(&group.path("/seat")).header("Cookie", &goes.cookie);
    leave.send().assert(403, REMOVED);
    group.kick(&server, &goes, "").assert(404, "There is no such member.");
    group.kick(&server, &Seat { emoji: "🧨".to_owned(), ..goes }, "").assert(404, "There is no such member.");
    assert_eq!(group.words(&server, &stays), ["rude words"]);
}
