//! A server on PostgreSQL does what any server does, and a machine's own folder can take its place.

use serde_json::json;

use crate::rooms::group::Group;
use crate::rooms::member::{Member, fresh_id};
use crate::rooms::pictures::{png, upload};
use crate::support::client::Connection;
use crate::support::database::Databases;
use crate::support::form::Form;
use crate::support::person::{Person, login, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server, files_below, printed};

#[test]
fn people_notes_groups_and_pictures_are_there_after_a_restart_and_in_a_folder_made_of_a_backup() {
    let databases = Databases::start();
    let mut server = databases.serve();
    server.get("/readyz").send().assert(200, "ready");
    assert!(server.log.lines().iter().any(|line| line.contains("the database is on one machine")));
    let person = Person::new(&server);
    send_note(&server, &person.target(&server), "a note in PostgreSQL").assert(201, "Anonymous Message Sent");
    let group = Group::of(&server, person.clone());
    let seats: [_; 2] = group.seats(&server);
    let [mut one, mut other] = [&seats[0], &seats[1]].map(|seat| Member::open(&server, &group, seat));
    one.chat("the first words");
    assert_eq!(other.await_event("event.chat")["message"], "the first words");
    let path = upload(&server, &group, &seats[0], &png(40, 30)).message();
    let fields = json!({ "id": fresh_id(), "image_src": path, "image_low": path, "caption": "look" });
    one.send_event("event.image", &fields);
    assert_eq!(other.await_event("event.image")["caption"], "look");
    assert_eq!(Form::with_text("it could be on more machines").send(&server).status, 201);

    let check = |server: &Server, token: &str| {
        let inbox = server.get("/api/messages").bearer(token).send();
        assert!(inbox.text().contains("a note in PostgreSQL"), "{inbox:?}");
        assert_eq!(group.words(server, &seats[1]), ["the first words"]);
        let mut connection = Connection::open(server.address);
        connection.send(&server.get(&path).header("Cookie", &seats[1].cookie).bytes()).unwrap();
        assert_eq!(connection.read("GET").unwrap().status, 200, "the picture");
    };
    drop((one, other));
    assert!(server.stop().success());
    assert_eq!(databases.ask("record", "SELECT count(*) FROM node"), "0");
    server = databases.serve();
    check(&server, &person.token);
    let (file, elsewhere) = (databases.folder.file("backup"), Folder::new());
    let backup = databases.folder.annon(&["backup", file.to_str().unwrap()]);
    assert!(backup.status.success(), "{backup:?}");
    assert!(printed(&databases.folder.annon(&["stats"]).stdout).contains("accounts              1"));
    assert!(server.stop().success());
    let left = files_below(&databases.folder.data());
    let empty = (databases.folder.data().join("last-backup"), Vec::new());
    assert_eq!(left, [empty], "nothing else is in the folder");

    let restored = elsewhere.annon(&["restore", file.to_str().unwrap()]);
    assert!(restored.status.success(), "{restored:?}");
    let local = Server::on(&elsewhere, NO_LIMITS);
    assert_eq!(local.get("/api/messages").bearer(&person.token).send().status, 401, "everybody signs in anew");
    let answer = login(&local, &person.username, &person.password);
    check(&local, answer.json()["access_token"].as_str().unwrap());
    let feedback = printed(&elsewhere.annon(&["feedback", "list"]).stdout);
    assert!(feedback.contains("it could be on more machines"), "{feedback}");
    Member::open(&local, &group, &seats[0]).chat("life goes on");
}
