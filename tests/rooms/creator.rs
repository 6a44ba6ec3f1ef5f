//! What a group's creator may do, and what it leaves behind.

use std::path::Path;

use annon_contract::code::Code;
use serde_json::json;

use crate::rooms::group::{GONE, Group};
use crate::rooms::member::{Member, try_open};
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::server::{Server, files_below, holds};
use crate::support::test_socket::TestSocket;

/// Checks that no file of the folder and no line of the log has these words.
pub(super) fn nowhere(server: &Server, folder: &Path, words: &[&str]) {
    for (path, bytes) in files_below(folder) {
        for word in words {
            assert!(!holds(&bytes, word), "{word} is in {}", path.display());
        }
    }
    assert!(server.log.lines().iter().all(|line| words.iter().all(|word| !line.contains(word))), "nor the log");
}

#[test]
fn who_is_sent_out_with_their_messages_leaves_none_in_any_view() {
    let (server, group) = Group::with(&[]);
    let [stays, goes] = group.seats(&server);
    let (mut staying, mut going) = (Member::open(&server, &group, &stays), Member::open(&server, &group, &goes));
    let first = staying.chat("zebra-mine");
    let ids = [going.chat("zebra-rude-one")["id"].clone(), going.chat("zebra-rude-two")["id"].clone()];
    nowhere(&server, &server.folder.data(), &["zebra-"]);
    for unknown in ["?messages=true", "?messages=", "?messages=remove&messages=keep"] {
        group.kick(&server, &goes, unknown).assert(400, "messages has to be remove, or has to be left out.");
    }
    group.kick(&server, &goes, "?messages=remove").assert(200, "Member removed");
    let frames = staying.until("event.notify");
    let gone: Vec<_> =
        frames.iter().filter(|frame| frame["event"] == "event.unsend").map(|frame| frame["id"].clone()).collect();
    assert_eq!(gone, ids);
    assert_eq!(frames.last().unwrap()["message"], format!("{} was removed", goes.emoji));
    assert_eq!(group.words(&server, &stays), ["zebra-mine", "", ""]);
    let (_, missed) = Member::resume(&server, &group, &stays, first["seq"].as_u64().unwrap());
    assert!(
        missed
            .iter()
            .filter(|frame| frame["event"] == "event.chat")
            .all(|frame| frame["message"] == "" && frame["unsent"] == true)
    );
    assert_eq!(missed.iter().filter(|frame| frame["event"] == "event.unsend").count(), 2);
    nowhere(&server, &server.folder.data(), &["zebra-"]);
}

#[test]
fn the_creator_retracts_a_message_of_somebody_who_has_left() {
    let (server, group) = Group::with(&[]);
    let [stays, goes] = group.seats(&server);
    let (mut staying, mut going) = (Member::open(&server, &group, &stays), Member::open(&server, &group, &goes));
    let rude = going.chat("zebra-rude");
    staying.chat("zebra-kind");
    let place = rude["seq"].as_u64().unwrap();
    server.delete(&group.path("/seat")).header("Cookie", &goes.cookie).send().assert(200, "You left the group");
    let rest = format!("/message/{place}");
    group.command(&server, "DELETE", &rest).send().assert(200, "Message removed");
    let received = staying.await_event("event.unsend");
    assert_eq!((&received["id"], &received["message_seq"]), (&rude["id"], &rude["seq"]));
    assert_eq!(group.words(&server, &stays), ["", "zebra-kind"]);
    for none in ["/message/0", "/message/-1", "/message/x", "/message/99999999999999999999", rest.as_str()] {
        group.command(&server, "DELETE", none).send().assert(404, "This message is already gone");
    }
    assert_eq!(group.words(&server, &stays), ["", "zebra-kind"]);
}

#[test]
fn what_is_said_taken_back_or_closed_is_readable_in_no_file() {
    let (mut server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let secret = seat.cookie.split_once('=').unwrap().1.to_owned();
    let mut member = Member::open(&server, &group, &seat);
    let echo = member.chat("zebra-said");
    member.send_event("event.unsend", &json!({ "id": echo["id"] }));
    member.await_event("event.unsend");
    member.chat("zebra-said-too");
    let words = ["zebra-", "midnight tacos", secret.as_str()];
    nowhere(&server, &server.folder.data(), &words);
    let [mut other] = group.members(&server);
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    for member in [&mut member, &mut other] {
        member.assert_closed(Code::GroupDeleted, 4410, "the group was deleted");
    }
    group.view(&server, Some(&seat), "").assert(404, GONE);
    group.try_seat(&server, Some(&seat.cookie)).assert(404, GONE);
    assert_eq!(try_open(&server, &group.id, &[("Cookie", &seat.cookie)]).map(drop), Err(404));
    assert!(server.stop().success());
    nowhere(&server, &server.folder.data(), &words);
}

#[test]
fn an_open_list_of_groups_hears_of_them_and_nobody_elses_does() {
    let (server, group) = Group::with(&[]);
    let stranger = Person::new(&server);
    let [mut window, mut other] = [&group.creator, &stranger].map(|person| TestSocket::of(&server, person));
    let [mut member] = group.members(&server);
    member.chat("hello");
    let now = json!({ "seats": 1, "active": 1, "message_count": 1 });
    wait_until("the newest numbers", || {
        let frame = window.next_frame();
        assert_eq!((&frame["event"], &frame["id"]), (&json!("event.room"), &json!(group.id)));
        frame["standing"] == now
    });
    assert_eq!(group.creator.get(&server, "/api/rooms").json()["data"][0]["standing"], now);
    let new = Group::of(&server, group.creator.clone());
    let none = json!({ "seats": 0, "active": 0, "message_count": 0 });
    assert_eq!(window.next_frame(), json!({ "event": "event.room", "id": new.id, "standing": none }));
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    assert_eq!(window.next_frame(), json!({ "event": "event.room", "id": group.id }));
    other.send_text(&json!({ "event": "event.connect" }).to_string());
    assert_eq!(other.next_frame(), json!({ "event": "event.ready" }), "and nothing before that");
}

#[test]
fn who_deletes_their_account_closes_its_groups() {
    let (server, group) = Group::with(&[]);
    let empty = Group::of(&server, group.creator.clone());
    let other = Group::new(&server);
    let [mut member] = group.members(&server);
    let mut elsewhere = Member::open(&server, &other, &other.seat(&server));
    let creator = &group.creator;
    creator.delete(&server, &creator.password).assert(200, "Account Deleted");
    member.assert_closed(Code::GroupDeleted, 4410, "the group was deleted");
    for id in [&group.id, &empty.id] {
        server.get(&format!("/api/room/valid/{id}")).send().assert(404, GONE);
    }
    elsewhere.chat("still here");
}
