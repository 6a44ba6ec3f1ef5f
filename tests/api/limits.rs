//! How much one address, one account and one inbox may ask for.

use std::time::Instant;

use serde_json::json;

use crate::rooms::group::Group;
use crate::rooms::member::try_open;
use crate::support::client::{Answer, Call};
use crate::support::form::Form;
use crate::support::patience::{at_once, now};
use crate::support::person::{Person, flood, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

/// Calls that are counted: the name, how many may come at once, after how many seconds another may
/// come, and the call.
fn counted(server: &Server) -> Vec<(&'static str, usize, f64, Call)> {
    let person = Person::new(server);
    let login = json!({ "email_or_username": "nobody-here", "password": "password" });
    let taken = json!({ "username": person.username, "email": "a@mail.example", "password": "correct horse" });
    let note = json!({ "id": person.target(server), "message": "0123456789" });
    // So many notes are a flood, for which the shield asks for work.
    person.send(server, "PATCH", "/api/inbox", &json!({ "shield": "off" }));
    let about = json!({ "about": "page", "id": person.username, "words": "it should not be here" });
    let unknown = json!({ "email": "nobody@mail.example" });
    vec![
        // The person above has signed in and up once, too.
        ("signing in", 20 - 1, 3.0, server.post("/api/login").json(&login)),
        ("signing up", 30 - 1, 60.0, server.post("/api/register").json(&taken)),
        ("asking for a reset", 10, 180.0, server.post("/api/password-reset").json(&unknown)),
        ("sending notes to one person", 30, 120.0, server.post("/api/annon-message").json(&note)),
        ("sending feedback", 10, 180.0, Form::with_text("it works, mostly").call(server)),
        ("reporting", 10, 180.0, server.post("/api/report").json(&about)),
        ("asking for nobody", 60, 1.0, server.get("/api/annon/nobody-here")),
    ]
}

/// How often a call goes through before it is refused as too much.
fn tries(most: usize, mut call: impl FnMut() -> Answer) -> usize {
    (0..most)
        .take_while(|_| {
            let answer = call();
            if answer.status == 429 {
                assert_limit(&answer);
            }
            answer.status != 429
        })
        .count()
}

/// How many calls may go through: `burst` at once, and another one every `each` seconds.
fn with_those_back(burst: usize, since: Instant, each: f64) -> usize {
    burst + (since.elapsed().as_secs_f64() / each) as usize + 1
}

fn assert_limit(answer: &Answer) {
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3600).contains(&seconds), "{answer:?}");
    let message = answer.message();
    let begins = ["Too many attempts. Wait ", "You've sent a lot of notes here. Wait "];
    let wait = begins.iter().find_map(|begin| message.strip_prefix(begin));
    let wait = wait.and_then(|rest| rest.strip_suffix(" and try again."));
    let wait = wait.unwrap_or_else(|| panic!("{message}"));
    assert!(["a second", " seconds", " minutes"].iter().any(|unit| wait.ends_with(unit)), "{wait}");
}

#[test]
fn an_address_that_asks_too_often_is_told_to_wait() {
    let server = Server::start();
    let begun = now();
    for (what, burst, each, call) in counted(&server) {
        let went = tries(burst * 4, || call.clone().send());
        assert!((burst..=with_those_back(burst, begun, each)).contains(&went), "{what}: {went} of {burst}");
    }
    let confirm = json!({ "token": "x", "new_password": "correct horse" });
    let answer = server.post("/api/password-reset/confirm").json(&confirm).send();
    assert_eq!(answer.status, 429, "using a link counts as asking for one");
    server.get("/healthz").send().assert(200, "alive");
}

#[test]
fn trying_passwords_elsewhere_counts_as_signing_in() {
    let server = Server::start();
    let begun = now();
    let person = Person::new(&server);
    let went = tries(80, || person.change_password(&server, "not the one", "correct horse"));
    assert!((19..=with_those_back(19, begun, 3.0)).contains(&went), "{went}");
    assert!(tries(5, || person.delete(&server, "not the one")) < 5);
    assert!(tries(5, || crate::support::person::login(&server, &person.username, &person.password)) < 5);
    assert_eq!(person.get(&server, "/api/dashboard").status, 200, "reading goes on");
}

/// A form that is refused costs nothing, so it is not counted.
#[test]
fn a_mistake_in_a_form_is_not_counted() {
    let (server, person) = Person::with(&[]);
    let target = person.target(&server);
    for _ in 0..70 {
        assert_eq!(send_note(&server, &target, "short").status, 422);
        assert_eq!(crate::support::person::login(&server, "x", "y").status, 422);
        assert_eq!(crate::support::person::register(&server, "x", "y", "z").status, 422);
        assert_eq!(server.get(&format!("/api/annon/{}", person.username)).send().status, 200);
    }
    send_note(&server, &target, "a note that is long enough").assert(201, "Anonymous Message Sent");
    person.sign_in(&server);
}

#[test]
fn the_limits_per_address_can_be_lifted() {
    let server = Server::with(NO_LIMITS);
    for (what, burst, _, call) in counted(&server) {
        assert_eq!(tries(burst + 5, || call.clone().send()), burst + 5, "{what}");
    }
}

#[test]
fn a_forwarded_address_counts_only_when_a_trusted_proxy_says_so() {
    let from = |server: &Server, forwarded: &dyn Fn(usize) -> String| {
        let refused = |n: &usize| {
            let call = server.get("/api/annon/nobody-here").header("X-Forwarded-For", &forwarded(*n));
            call.send().status == 429
        };
        (0..90).filter(refused).count()
    };
    let server = Server::with(&["--trusted-proxies", "10.0.0.0/8"]);
    assert!(from(&server, &|n| format!("203.0.113.{n}")) > 0, "we aren't that proxy");

    let server = Server::with(&["--trusted-proxies", "10.0.0.0/8,127.0.0.1"]);
    assert_eq!(from(&server, &|n| format!("203.0.113.{n}")), 0, "many people");
    assert!(from(&server, &|n| format!("203.0.113.{n}, 198.51.100.1")) > 0, "one who says to be many");
    assert!(from(&server, &|n| format!("198.51.100.2, 10.0.0.{n}")) > 0, "one behind many proxies");
    assert!(from(&server, &|n| format!("2001:db8::{n}")) > 0, "one household");
}

#[test]
fn an_address_may_hold_so_many_sockets_and_no_more() {
    let server = Server::start();
    let people: Vec<_> = (0..17).map(|_| Person::new(&server)).collect();
    let mut sockets = Vec::new();
    for person in &people[..16] {
        sockets.extend((0..16).map(|_| TestSocket::of(&server, person)));
    }
    assert_eq!(sockets.len(), 256);
    assert_eq!(TestSocket::try_open(&server, &people[16].token, &[]).map(drop), Err(429));
    let group = Group::of(&server, people[0].clone());
    let seat = group.seat(&server);
    assert_eq!(try_open(&server, &group.id, &[("Cookie", &seat.cookie)]).map(drop), Err(429), "groups' count as well");
    drop(sockets.pop());
    crate::support::patience::wait_until("a free socket", || {
        TestSocket::try_open(&server, &people[16].token, &[]).is_ok()
    });
}

#[test]
fn more_passwords_than_the_pool_can_take_are_turned_away_and_nobody_else_waits() {
    // One thread for hashing, however many cores this machine has.
    let (server, person) = Person::with(&["--address-limits", "off", "--workers", "2"]);
    let (server, target) = (&server, &person.target(&server));
    let mut works: Vec<Box<dyn FnOnce() -> Answer + Send>> = Vec::new();
    for n in 0..120 {
        works.push(Box::new(move || crate::support::person::login(server, "nobody-here", &format!("password {n}"))));
    }
    for _ in 0..8 {
        works.push(Box::new(move || send_note(server, target, "a note in the middle of it")));
    }
    let answers = at_once(works);
    let (logins, notes) = answers.split_at(120);
    let busy: Vec<_> = logins.iter().filter(|answer| answer.status == 503).collect();
    assert!(!busy.is_empty() && busy.len() < 120, "{} of 120", busy.len());
    for answer in busy {
        answer.assert(503, "The server is busy. Try again in a moment.");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    assert!(logins.iter().all(|answer| matches!(answer.status, 401 | 503)));
    assert!(notes.iter().all(|answer| answer.status == 201));
    person.sign_in(server);
}

#[test]
fn a_full_inbox_takes_no_more_until_something_is_deleted() {
    let (server, person) = Person::with(&["--address-limits", "off", "--sync", "off", "--commit-pause-ms", "0"]);
    flood(&server, &person, 10_000, "one of ten thousand");
    let inbox = person.get(&server, "/api/messages?limit=1").json();
    assert_eq!(inbox["message"], 10_000);
    let send = || send_note(&server, &person.target(&server), "one more of them");
    send().assert(409, "This inbox is full. Try again another day.");
    let path = format!("/api/message/{}", inbox["data"][0]["id"].as_str().unwrap());
    assert_eq!(person.call(&server, "DELETE", &path).send().json()["message"], 9_999);
    send().assert(201, "Anonymous Message Sent");
    send().assert(409, "This inbox is full. Try again another day.");
}

#[test]
fn one_address_sends_many_notes_to_many_and_so_many_in_all() {
    let server = Server::start();
    let begun = now();
    let targets: Vec<_> = (0..4).map(|_| Person::new(&server).target(&server)).collect();
    let mut next = targets.iter().cycle();
    let went = tries(300, || send_note(&server, next.next().unwrap(), "a note to one of four"));
    assert!((60..=with_those_back(60, begun, 1.0)).contains(&went), "{went}");
}
