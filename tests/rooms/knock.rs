//! Groups that ask first, over HTTP: visitors who knock, and creators who answer them.

use std::thread;
use std::time::Duration;

use annon_contract::code::Code;
use serde_json::{Value, json};

use crate::rooms::group::{FULL, GONE, Group, LOCKED, NOT_YOURS, REMOVED, Seat, create, seated, server};
use crate::rooms::member::Member;
use crate::support::client::{Answer, Call};
use crate::support::patience::{at_once, timed, wait_for};
use crate::support::person::{Person, SIGNED_OUT};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

/// A visitor who has knocked: their browser's cookie, and the knock.
#[derive(Clone)]
pub(crate) struct Visitor {
    cookie: String,
    pub(crate) knock: String,
    emoji: String,
}

impl Group {
    /// A group that asks first.
    pub(crate) fn asking(server: &Server, creator: Person) -> Self {
        let answer = create(server, &creator, &json!({ "name": "midnight tacos", "ask_first": true }));
        assert_eq!(answer.status, 201, "{answer:?}");
        Self { id: answer.json()["room_id"].as_str().unwrap().to_owned(), creator }
    }

    fn knock(&self, server: &Server, cookie: Option<&str>) -> Answer {
        server.post(&self.path("/knock")).cookie(cookie).send()
    }

    pub(crate) fn visitor(&self, server: &Server) -> Visitor {
        let answer = self.knock(server, None);
        assert_eq!(answer.status, 201, "{answer:?}");
        let word = |name: &str| answer.json()[name].as_str().unwrap().to_owned();
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Visitor { cookie, knock: word("knock"), emoji: word("emoji") }
    }

    /// How a knock stands, after at most `wait` seconds.
    pub(crate) fn stands(&self, server: &Server, visitor: &Visitor, wait: u64) -> String {
        let answer = server.get(&self.path(&format!("/knock/{}?wait={wait}", visitor.knock))).send();
        assert_eq!((answer.status, &answer.json()["data"]["emoji"]), (200, &json!(visitor.emoji)), "{answer:?}");
        answer.json()["data"]["state"].as_str().unwrap().to_owned()
    }

    pub(crate) fn answer(&self, server: &Server, visitor: &Visitor, admit: bool) -> Answer {
        let rest = format!("/knock/{}", visitor.knock);
        self.command(server, "POST", &rest).json(&json!({ "admit": admit })).send()
    }

    pub(crate) fn enters(&self, server: &Server, visitor: &Visitor) -> Result<Seat, (u16, String)> {
        seated(&self.try_seat(server, Some(&visitor.cookie)))
    }

    fn waiting(&self, server: &Server) -> Value {
        let answer = self.command(server, "GET", "/knocks").send();
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["data"].clone()
    }

    fn set_up(&self, server: &Server, body: &Value) -> Answer {
        self.command(server, "PATCH", "").json(body).send()
    }
}

fn refused(answer: &Answer, status: u16, code: Code) {
    answer.assert(status, code.sentence());
}

#[test]
fn who_knocks_waits_and_enters_when_the_creator_admits_them() {
    let server = server(&[]);
    let group = Group::asking(&server, Person::new(&server));
    let mut window = TestSocket::of(&server, &group.creator);
    refused(&group.try_seat(&server, None), 403, Code::AsksFirst);
    assert_eq!(group.view(&server, None, "").json()["data"]["name"], "midnight tacos", "but the card is there");
    let visitor = group.visitor(&server);
    assert_eq!(visitor.knock.len(), 32);
    let told =
        wait_for("the creator's window", || Some(window.next_frame()).filter(|frame| frame["event"] == "event.knocks"));
    assert_eq!((&told["id"], &told["knocks"][0]["knock"]), (&json!(group.id), &group.waiting(&server)[0]["knock"]));
    assert_eq!(
        (&told["knocks"][0]["knock"], &told["knocks"][0]["emoji"]),
        (&json!(visitor.knock), &json!(visitor.emoji))
    );
    assert_eq!(group.enters(&server, &visitor), Err((403, Code::AsksFirst.sentence().to_owned())));
    assert_eq!(group.stands(&server, &visitor, 0), "waiting");

    let heard = thread::scope(|scope| {
        let waits = scope.spawn(|| timed(|| group.stands(&server, &visitor, 25)));
        // The call waits: another one is answered meanwhile.
        assert_eq!(group.stands(&server, &visitor, 1), "waiting");
        group.answer(&server, &visitor, true).assert(200, "Admitted");
        waits.join().unwrap()
    });
    assert!(heard.0 == "admitted" && heard.1 < Duration::from_secs(20), "{heard:?}");
    group.answer(&server, &visitor, true).assert(200, "Admitted");
    refused(&group.answer(&server, &visitor, false), 404, Code::NoSuchKnock);
    let seat = group.enters(&server, &visitor).unwrap();
    assert_eq!(seat.emoji, visitor.emoji);
    assert_eq!((group.data(&server, &seat)["ask_first"].clone(), group.waiting(&server)), (json!(true), json!([])));
    refused(&group.knock(&server, Some(&visitor.cookie)), 409, Code::NoNeedToKnock);
}

/// Nobody inside hears of it, live or later, and whoever was declined stays out.
#[test]
fn nobody_inside_hears_of_somebody_who_was_declined() {
    let (server, group) = Group::with(&[]);
    let [mut member] = group.members(&server);
    let page = group.data(&server, &member.seat);
    group.set_up(&server, &json!({ "ask_first": true })).assert(200, "Newcomers knock now");
    let visitor = group.visitor(&server);
    group.answer(&server, &visitor, false).assert(200, "Declined");
    assert_eq!(group.stands(&server, &visitor, 25), "declined");
    assert_eq!(group.enters(&server, &visitor), Err((403, Code::AsksFirst.sentence().to_owned())));
    assert_eq!(member.so_far(), [] as [Value; 0]);
    let later = group.data(&server, &member.seat);
    assert_eq!((&later["messages"], &later["members"]), (&page["messages"], &page["members"]));
    let (_, missed) = Member::resume(&server, &group, &member.seat, page["last_seq"].as_u64().unwrap());
    assert!(
        missed.iter().all(|frame| frame["event"] == "event.ready" || frame["event"] == "event.active-users"),
        "{missed:?}"
    );
    assert!(!later.to_string().contains(&visitor.emoji));
    // A crash changes nothing of it, and the visitor's page finds its knock again.
    let mut server = server;
    let second = group.visitor(&server);
    server.signal(rustix::process::Signal::KILL);
    server.wait();
    let server = Server::on(&server.folder.clone(), NO_LIMITS);
    assert_eq!(group.stands(&server, &second, 0), "waiting");
    assert_eq!(group.waiting(&server)[0]["knock"], json!(second.knock));
    assert_eq!(group.knock(&server, Some(&second.cookie)).json()["knock"], json!(second.knock), "the same one");
    assert_eq!(group.stands(&server, &visitor, 0), "declined");
}

#[test]
fn each_reason_not_to_be_let_in_has_its_code() {
    let server = server(&[]);
    let group = Group::asking(&server, Person::new(&server));
    let visitor = group.visitor(&server);
    let other = Person::new(&server);
    let answers = |person: Option<&Person>, body: &Value| -> Answer {
        let call = server.post(&group.path(&format!("/knock/{}", visitor.knock))).json(body);
        person.map_or_else(|| call.clone(), |person| call.clone().bearer(&person.token)).send()
    };
    answers(None, &json!({ "admit": true })).assert(401, SIGNED_OUT);
    answers(Some(&other), &json!({ "admit": true })).assert(403, NOT_YOURS);
    assert_eq!(answers(Some(&group.creator), &json!({})).status, 400);
    server.get(&group.path("/knocks")).send().assert(401, SIGNED_OUT);
    other.get(&server, &group.path("/knocks")).assert(403, NOT_YOURS);
    for none in ["nonsense", "00000000000000000000000000000000"] {
        refused(&server.get(&group.path(&format!("/knock/{none}"))).send(), 404, Code::NoSuchKnock);
        let call = group.command(&server, "POST", &format!("/knock/{none}"));
        refused(&call.json(&json!({ "admit": true })).send(), 404, Code::NoSuchKnock);
    }
    for odd in ["26", "-1", "x", ""] {
        let call = server.get(&group.path(&format!("/knock/{}?wait={odd}", visitor.knock)));
        refused(&call.send(), 400, Code::WaitInvalid);
    }
    let elsewhere = server.post(&group.path("/knock")).header("Sec-Fetch-Site", "cross-site");
    refused(&elsewhere.send(), 403, Code::SeatFromElsewhere);
    for odd in [json!({}), json!({ "ask_first": 1 }), json!({ "locked": null, "ask_first": null })] {
        assert_eq!(group.set_up(&server, &odd).status, 400);
    }

    group.set_up(&server, &json!({ "locked": true })).assert(200, "Group locked");
    group.knock(&server, None).assert(403, LOCKED);
    group.answer(&server, &visitor, true).assert(403, LOCKED);
    group.set_up(&server, &json!({ "locked": false, "ask_first": false })).assert(200, "Group unlocked");
    refused(&group.knock(&server, None), 409, Code::NoNeedToKnock);
    // Whoever waited is in, and nine more come.
    assert_eq!(group.stands(&server, &visitor, 25), "admitted");
    let seat = group.enters(&server, &visitor).unwrap();
    group.set_up(&server, &json!({ "ask_first": true })).assert(200, "Newcomers knock now");
    let last = group.visitor(&server);
    group.set_up(&server, &json!({ "ask_first": false })).assert(200, "Newcomers come in without knocking");
    let others: [Seat; 9] = group.seats(&server);
    group.set_up(&server, &json!({ "ask_first": true })).assert(200, "Newcomers knock now");
    group.knock(&server, None).assert(403, FULL);
    assert_eq!(group.enters(&server, &last), Err((403, FULL.to_owned())), "an eleventh is never in");
    assert_eq!(group.try_seat(&server, Some(&others[0].cookie)).status, 200, "a member comes back");
    group.kick(&server, &seat, "").assert(200, "Member removed");
    group.knock(&server, Some(&visitor.cookie)).assert(403, REMOVED);
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    group.knock(&server, None).assert(404, GONE);
    server.get(&group.path(&format!("/knock/{}?wait=25", last.knock))).send().assert(404, GONE);
}

#[test]
fn the_creator_comes_in_by_their_token_and_nobody_else_does() {
    let server = server(&[]);
    let group = Group::asking(&server, Person::new(&server));
    let come_in = |call: Call| call.send().status;
    let (seat, emoji) = (group.path("/seat"), format!("/api/room-emoji/{}", group.id));
    assert_eq!(come_in(server.post(&seat).bearer(&Person::new(&server).token)), 403);
    assert_eq!(come_in(server.post(&seat).bearer("nonsense")), 403);
    assert_eq!(come_in(server.post(&seat).bearer(&group.creator.token)), 200);
    assert_eq!(come_in(server.get(&emoji).bearer(&group.creator.token)), 200);
    assert_eq!(group.creator.get(&server, "/api/rooms").json()["data"][0]["standing"]["asks_first"], true);
}

/// Each knock is kept until the group ends, so nobody may fill the disk with them.
#[test]
fn a_flood_of_knocks_is_bounded_for_a_visitor_an_address_and_a_group() {
    let limited = Server::start();
    let group = Group::asking(&limited, Person::new(&limited));
    let visitor = group.visitor(&limited);
    for _ in 0..2 {
        group.answer(&limited, &visitor, false).assert(200, "Declined");
        let again = group.knock(&limited, Some(&visitor.cookie));
        assert_eq!(again.status, 201);
        let again = Visitor { knock: again.json()["knock"].as_str().unwrap().to_owned(), ..visitor.clone() };
        group.answer(&limited, &again, false).assert(200, "Declined");
    }
    refused(&group.knock(&limited, Some(&visitor.cookie)), 429, Code::KnockedTooOften);
    let slowed = (0..30).map(|_| group.knock(&limited, None)).find(|answer| answer.status == 429);
    assert!(slowed.expect("slowed").header("retry-after").is_some(), "who forgets the cookie each time");

    let server = server(&[]);
    let group = &Group::asking(&server, Person::new(&server));
    let server = &server;
    let statuses =
        at_once((0..8).map(|_| move || (0..125).map(|_| group.knock(server, None).status).collect::<Vec<_>>()));
    let statuses = statuses.concat();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 50);
    assert!(statuses.iter().all(|status| matches!(status, 201 | 409)));
    refused(&group.knock(server, None), 409, Code::TooManyKnocks);
    assert_eq!(group.waiting(server).as_array().map(Vec::len), Some(50));
}

/// Strangers decide how many knock, so declining them must not use up what keeps them out.
#[test]
fn a_creator_who_declines_a_flood_can_still_lock_and_remove() {
    let server = server(&[]);
    let group = Group::asking(&server, Person::new(&server));
    let inside = group.visitor(&server);
    group.answer(&server, &inside, true).assert(200, "Admitted");
    let seat = group.enters(&server, &inside).unwrap();
    for _ in 0..49 {
        let visitor = group.visitor(&server);
        group.answer(&server, &visitor, false).assert(200, "Declined");
    }
    group.set_up(&server, &json!({ "locked": true })).assert(200, "Group locked");
    group.kick(&server, &seat, "").assert(200, "Member removed");
    group.set_up(&server, &json!({ "locked": false })).assert(200, "Group unlocked");
    let slowed = (0..60).map(|_| {
        let visitor = group.visitor(&server);
        group.answer(&server, &visitor, false)
    });
    assert!(slowed.into_iter().any(|answer| answer.status == 429), "each answer is kept until the group ends");
}

/// The knock is secret, and nothing of the visitor is in a file or a line of the log.
#[test]
fn nothing_of_a_visitor_is_kept() {
    let server = server(&[]);
    let group = Group::asking(&server, Person::new(&server));
    let call = server.post(&group.path("/knock")).header("User-Agent", "zebra-agent");
    let answer = call.send();
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let (knock, cookie) =
        (answer.json()["knock"].as_str().unwrap().to_owned(), cookie.split_once('=').unwrap().1.to_owned());
    server.get(&group.path(&format!("/knock/{knock}"))).send();
    crate::rooms::creator::nowhere(&server, &server.folder.data(), &["zebra-agent", &knock, &cookie]);
}
