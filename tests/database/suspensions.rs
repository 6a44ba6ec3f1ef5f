//! Suspensions at two servers on one database.

use serde_json::json;

use crate::api::operator::done;
use crate::support::database::{Databases, with};
use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, Server};
use crate::support::talk::{Talk, TalkSocket};

const NOT_AVAILABLE: &str = "This page isn't available right now.";
const SUSPENDED: &str = "Your account is suspended. Your home page says why, and until when.";

#[test]
fn a_suspension_at_one_server_holds_at_the_other_at_once_and_so_does_its_end() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let flags = databases.flags();
    let (one, other) = (databases.serve(), Server::on(&elsewhere, &with(&flags, "--node-name", Some("the second"))));
    let (owner, bystander) = (Person::new(&one), Person::new(&one));
    let target = owner.target(&one);
    send_note(&one, &target, "a question for everybody").assert(201, "Anonymous Message Sent");
    let note = owner.inbox(&other)["data"][0]["id"].as_str().unwrap().to_owned();
    let answer = format!("/api/message/{note}/answer");
    assert_eq!(owner.send(&other, "PUT", &answer, &json!({ "answer": "an answer" })).status, 200);
    let talk = Talk::begun(&other, &owner, "a note that asks for an answer");
    let mut window = TalkSocket::connected(&other, &talk, Some(&owner), None, 0);
    let page = format!("/api/annon/{}", owner.username);
    // The other server has read all of it, and keeps nothing of it.
    for path in [&page, &format!("{page}/answers")] {
        assert_eq!(other.get(path).send().status, 200);
    }
    for round in 1..=2 {
        done(&one.folder, &["user", "suspend", &owner.username, "--days", "1", "--reason", "spam"]);
        for path in [&page, &format!("{page}/answers")] {
            other.get(path).send().assert(403, NOT_AVAILABLE);
        }
        send_note(&other, &target, "a note that comes too late").assert(403, NOT_AVAILABLE);
        Talk::new().begin_at(&other, &target, "another one").assert(403, NOT_AVAILABLE);
        owner.send(&other, "PUT", &answer, &json!({ "answer": "another answer" })).assert(403, SUSPENDED);
        talk.say(&other, Some(&owner), round, "a line").assert(403, SUSPENDED);
        let line = json!({ "event": "event.line", "id": format!("{round:015}"), "message": "a line" });
        window.socket.send_text(&line.to_string());
        assert_eq!(window.next_frame()["code"], "suspended");
        send_note(&other, &bystander.target(&other), "others get theirs").assert(201, "Anonymous Message Sent");

        done(&one.folder, &["user", "restore", &owner.username]);
        for path in [&page, &format!("{page}/answers")] {
            assert_eq!(other.get(path).send().status, 200);
        }
        send_note(&other, &target, "a note that comes again").assert(201, "Anonymous Message Sent");
        window.socket.send_text(&line.to_string());
        assert_eq!(window.next_frame()["message"], "a line");
    }
    assert_eq!(owner.inbox(&one)["data"].as_array().unwrap().len(), 4);
    assert_eq!(talk.read(&one, None)["lines"].as_array().unwrap().len(), 2);
}

#[test]
fn a_conversation_is_claimed_once_and_a_link_is_opened_by_two_at_two_servers() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let flags = databases.flags();
    let servers = [databases.serve(), Server::on(&elsewhere, &with(&flags, "--node-name", Some("the second")))];
    let owners = [Person::new(&servers[0]), Person::new(&servers[1])];
    for round in 0..5 {
        // Two notes that come at once, to two people at two servers, claim one conversation.
        let talk = Talk::new();
        let claims = std::thread::scope(|scope| {
            let claim = |n: usize| talk.begin(&servers[n], &owners[n], "a note that asks for an answer");
            let claims = [0, 1].map(|n| scope.spawn(move || claim(n)));
            claims.map(|claim| claim.join().unwrap())
        });
        let mut statuses = claims.each_ref().map(|answer| answer.status);
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409], "{claims:?}");
        let whose = usize::from(claims[0].status == 409);
        let loser = &owners[1 - whose];
        assert!(claims[1 - whose].text().contains("conversation_taken"), "{claims:?}");
        talk.call(&servers[whose], Some(loser), "GET", "").send().assert(404, crate::support::talk::GONE);
        // Whoever has the link has the conversation: two of them see and say one thing.
        let mut both = [0, 1].map(|n| TalkSocket::connected(&servers[n], &talk, None, None, 0));
        for (n, window) in both.iter_mut().enumerate() {
            let line = json!({ "event": "event.line", "id": format!("{n:015}"), "message": format!("{round} {n}") });
            window.socket.send_text(&line.to_string());
            window.next_where(|frame| frame["message"] == format!("{round} {n}"));
        }
        both[0].next_where(|frame| frame["message"] == format!("{round} 1"));
        talk.call(&servers[1], None, "DELETE", "").send().assert(200, "Conversation ended");
        both[0].next_where(|frame| frame["code"] == "conversation_ended");
        talk.assert_gone(&servers[0], &owners[whose]);
        // An id that has ended may begin again, and the old key with another proof opens nothing.
        let again = Talk { id: talk.id.clone(), ..Talk::new() };
        again.begin(&servers[0], &owners[0], "a note that asks for an answer").assert(201, "Anonymous Message Sent");
        talk.call(&servers[1], None, "GET", "").send().assert(404, crate::support::talk::GONE);
        assert_eq!(again.read(&servers[1], None)["lines"], json!([]));
    }
}
