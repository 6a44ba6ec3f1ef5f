//! The pause: nothing is written, everything is read, and all sockets end until it is over.

use serde_json::json;

use crate::api::operator::{done, failed};
use crate::rooms::group::{Group, seated};
use crate::rooms::member::Member;
use crate::support::client::Answer;
use crate::support::database::{Databases, with};
use crate::support::patience::wait_until;
use crate::support::person::{Person, login, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server, annon, printed};
use crate::support::test_socket::{Received, TestSocket};

const WORDS: &str = "Back at ten, says “Zoë”";

#[track_caller]
fn assert_held(answer: &Answer) {
    let said = json!({ "status": 503, "code": "paused_for_maintenance", "message": WORDS });
    assert_eq!((answer.status, answer.json()), (503, said));
    assert_eq!(answer.header("retry-after"), Some("60"));
}

#[test]
fn nothing_is_written_and_everything_is_read_until_it_is_over() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    send_note(&server, &target, "a note from before").assert(201, "Anonymous Message Sent");
    assert_eq!(done(&folder, &["pause"]), "there is no pause\n");
    assert!(done(&folder, &["pause", WORDS]).starts_with("paused since "));
    for again in [false, true] {
        if again {
            server.stop();
            server = Server::on(&folder, NO_LIMITS);
        }
        assert_held(&send_note(&server, &target, "a note that is too early"));
        assert_held(&person.call(&server, "POST", "/api/room/create").json(&json!({ "name": "tacos" })).send());
        assert_held(&person.call(&server, "DELETE", "/api/messages").send());
        assert_held(&person.get(&server, "/api/mark_as_seen/1-2"));
        let form = server.post(&format!("/{}", person.username));
        let form = form.header("Content-Type", "application/x-www-form-urlencoded");
        let answer = form.header("Sec-Fetch-Site", "same-origin").body("message=a+note+from+a+form").send();
        assert_eq!(answer.status, 503);
        assert!(answer.text().contains("a note from a form"), "what was written is still in the form");

        assert_eq!(login(&server, &person.username, &person.password).status, 200);
        let inbox = person.get(&server, "/api/messages");
        assert_eq!(inbox.status, 200);
        assert_eq!(inbox.json()["data"].as_array().unwrap().len(), 1);
        assert_eq!(TestSocket::try_open(&server, &person.token, &[]).err(), Some(503));
        assert_held(&person.get(&server, "/api/inbox/socket"));
        let page = server.get("/").send();
        assert!(page.text().contains(" data-paused=\"Back at ten, says “Zoë”\">"), "{:.300}", page.text());
        server.get("/readyz").send().assert(200, "ready to read, but paused for maintenance");
        assert!(done(&folder, &["pause"]).ends_with(&format!(": {WORDS}\n")));
    }
    let check = annon().args(["healthcheck", "--strict", "--listen", &server.address.to_string()]).output().unwrap();
    assert_eq!(check.status.code(), Some(1), "{}", printed(&check.stderr));
    assert_eq!(done(&folder, &["pause", "off"]), "the pause is over\n");
    let sent = send_note(&server, &target, "a note from after");
    sent.assert(201, "Anonymous Message Sent");
    assert!(!server.get("/").send().text().contains(" data-paused="));
    server.get("/readyz").send().assert(200, "ready");
    assert_eq!(person.inbox(&server)["data"].as_array().unwrap().len(), 2);
    let long = "x".repeat(201);
    assert_eq!(failed(&folder, &["pause", &long]), "say what people shall read, in at most 200 characters");
}

#[test]
fn the_sockets_of_a_group_end_who_has_a_seat_reads_and_nobody_gets_one() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let mut member = Member::open(&server, &group, &seat);
    let mut inbox = TestSocket::of(&server, &group.creator);
    member.chat("from before");
    done(&server.folder, &["pause", WORDS]);
    let restarting = Received::closed(1012, "restarting");
    assert_eq!(inbox.read_to_end().last(), Some(&restarting));
    assert_eq!(member.read_to_end().last(), Some(&restarting));
    assert_eq!(group.words(&server, &seat), ["from before"]);
    let again = server.post(&group.path("/seat")).cookie(Some(&seat.cookie)).send();
    assert_eq!((again.status, &again.json()["emoji"]), (200, &json!(seat.emoji)));
    let stranger = server.post(&group.path("/seat")).send();
    assert_eq!((stranger.status, &stranger.json()["code"]), (503, &json!("paused_for_maintenance")));
    assert!(seated(&group.try_seat(&server, None)).is_err());
    done(&server.folder, &["pause", "off"]);
    Member::open(&server, &group, &seat).chat("from after");
    assert!(seated(&group.try_seat(&server, None)).is_ok());
}

#[test]
fn all_servers_of_a_database_pause_and_go_on() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let one = databases.serve();
    let other = Server::on(&elsewhere, &with(&databases.flags(), "--node-name", Some("the second")));
    let person = Person::new(&one);
    let target = person.target(&other);
    let _socket = TestSocket::of(&other, &person);
    done(&one.folder, &["pause", WORDS]);
    wait_until("the other pauses", || send_note(&other, &target, "a note that waits").status == 503);
    assert_held(&send_note(&other, &target, "a note that is too early"));
    done(&elsewhere, &["pause", "off"]);
    wait_until("the first goes on", || send_note(&one, &target, "a note from after").status == 201);
}
