//! A new link for a running group: who comes in by it, and what the one before leads to.

use annon_contract::limits::ROOM_LINKS;
use serde_json::{Value, json};

use crate::rooms::group::{GONE, Group, NOT_YOURS, server};
use crate::rooms::member::{Member, try_open};
use crate::support::person::{Person, SIGNED_OUT};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::handshake;

impl Group {
    /// The group, under a new link.
    pub(crate) fn renewed(&self, server: &Server) -> Self {
        let answer = self.command(server, "POST", "/link").send();
        assert_eq!((answer.status, &answer.json()["status"]), (201, &json!(201)), "{answer:?}");
        Self { id: answer.json()["id"].as_str().unwrap().to_owned(), creator: self.creator.clone() }
    }

    /// What a stranger is answered who comes by this link.
    fn to_strangers(&self, server: &Server) -> Vec<(u16, String)> {
        let calls = [
            server.get(&self.path("")),
            server.get(&format!("/api/room/valid/{}", self.id)),
            server.get(&format!("/api/room-emoji/{}", self.id)),
            server.post(&self.path("/seat")),
            server.delete(&self.path("/seat")),
            server.post(&self.path("/knock")),
            server.get(&self.path("/knock/0123456789abcdef0123456789abcdef")),
            handshake(server, &self.path("/socket"), ""),
            Person::new(server).call(server, "POST", &self.path("/link")),
            Person::new(server).call(server, "PATCH", &self.path("")).json(&json!({ "locked": true })),
        ];
        calls.map(|call| call.send()).into_iter().map(|answer| (answer.status, answer.message())).collect()
    }
}

#[test]
fn a_new_link_ends_the_one_before_for_whoever_has_no_seat() {
    let (server, first) = Group::with(&[]);
    let seat = first.seat(&server);
    let mut member = Member::open(&server, &first, &seat);
    member.chat("before");

    let second = first.renewed(&server);
    let third = second.renewed(&server);
    let nowhere = Group { id: "00000000-0000-4000-8000-000000000000".to_owned(), ..first.clone() };
    let gone = nowhere.to_strangers(&server);
    assert!(gone.iter().all(|answer| *answer == (404, GONE.to_owned())), "{gone:?}");
    for ended in [&first, &second] {
        assert_eq!(ended.to_strangers(&server), gone);
    }
    let preview = |group: &Group| server.get(&format!("/room/{}", group.id)).send().text().contains("seats free");
    assert_eq!([&first, &second, &third].map(preview), [false, false, true]);
    assert_eq!(server.get(&format!("/api/room/valid/{}", third.id)).send().status, 200);

    // The newest link shows a stranger neither the id nor another link.
    let outside = third.view(&server, None, "");
    assert_eq!(
        (outside.status, &outside.json()["data"]["id"], &outside.json()["data"]["link"]),
        (200, &json!(third.id), &json!(third.id))
    );
    assert!(!outside.text().contains(&first.id) && !outside.text().contains(&second.id));

    // Who has a seat keeps it, and comes by all of them.
    member.chat("after");
    for way in [&first, &second, &third] {
        let data = way.data(&server, &seat);
        assert_eq!((&data["id"], &data["link"]), (&json!(first.id), &json!(third.id)));
        assert_eq!(way.words(&server, &seat), ["before", "after"]);
        assert!(try_open(&server, &way.id, &[("Cookie", &seat.cookie)]).is_ok());
        let again = server.post(&way.path("/seat")).cookie(Some(&seat.cookie)).send();
        assert_eq!(again.json()["emoji"], json!(seat.emoji));
    }
    // Who has one elsewhere has none here.
    let elsewhere = Group::new(&server).seat(&server);
    first.view(&server, Some(&elsewhere), "").assert(404, GONE);
    // A newcomer comes by the newest, and then also by the others.
    let newcomer = third.seat(&server);
    assert_eq!(first.words(&server, &newcomer), ["before", "after"]);
    // Who is removed has none any more.
    second.kick(&server, &seat, "").assert(200, "Member removed");
    first.view(&server, Some(&seat), "").assert(404, GONE);
}

#[test]
fn the_creators_list_has_the_newest_link_and_the_creator_comes_by_any() {
    let (server, first) = Group::with(&[]);
    let listed = || -> Vec<(Value, Value)> {
        let rooms = first.creator.call(&server, "GET", "/api/rooms").send().json();
        let rooms = rooms["data"].as_array().unwrap().clone();
        rooms.into_iter().map(|room| (room["id"].clone(), room["link"].clone())).collect()
    };
    assert_eq!(listed(), [(json!(first.id), json!(first.id))]);
    let second = first.renewed(&server);
    assert_eq!(listed(), [(json!(first.id), json!(second.id))]);
    first.command(&server, "PATCH", "").json(&json!({ "locked": true })).send().assert(200, "Group locked");
    second.command(&server, "PATCH", "").json(&json!({ "locked": false })).send().assert(200, "Group unlocked");

    second.creator.call(&server, "POST", &second.path("/link")).send();
    let other = Person::new(&server);
    let third = Group { id: listed()[0].1.as_str().unwrap().to_owned(), ..first.clone() };
    other.call(&server, "POST", &third.path("/link")).send().assert(403, NOT_YOURS);
    server.post(&third.path("/link")).send().assert(401, SIGNED_OUT);
}

#[test]
fn who_waits_at_the_old_link_is_declined() {
    let server = server(&[]);
    let first = Group::asking(&server, Person::new(&server));
    let visitor = first.visitor(&server);
    let second = first.renewed(&server);
    let knocks = second.command(&server, "GET", "/knocks").send().json();
    assert_eq!(knocks["data"], json!([]));
    server.get(&first.path(&format!("/knock/{}", visitor.knock))).send().assert(404, GONE);
    assert_eq!(second.stands(&server, &visitor, 0), "declined");
}

#[test]
fn a_group_gets_so_many_links_and_loses_all_of_them_when_it_ends() {
    let (mut server, first) = Group::with(&[]);
    let mut newest = first.clone();
    for _ in 0..ROOM_LINKS {
        newest = newest.renewed(&server);
    }
    newest.command(&server, "POST", "/link").send().assert(409, "This group can't get another new link.");
    let seat = newest.seat(&server);
    server.stop();
    let server = Server::on(&server.folder.clone(), NO_LIMITS);
    assert_eq!(newest.view(&server, None, "").status, 200);
    first.view(&server, None, "").assert(404, GONE);
    assert_eq!(first.view(&server, Some(&seat), "").status, 200);

    first.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    newest.view(&server, Some(&seat), "").assert(404, GONE);
    first.view(&server, Some(&seat), "").assert(404, GONE);
    newest.command(&server, "POST", "/link").send().assert(404, GONE);
}
