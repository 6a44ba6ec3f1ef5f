//! Web push by two servers on one database.

use serde_json::Value;

use crate::support::database::{Databases, with};
use crate::support::patience::wait_until;
use crate::support::person::{Person, send_note};
use crate::support::push::{Browser, PushService, outcomes};
use crate::support::server::{Folder, Server};

#[test]
fn of_two_servers_the_one_that_took_a_note_tells_of_it_once() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let service = PushService::start(&elsewhere);
    let flags = [databases.flags(), service.flags().map(str::to_owned).to_vec()].concat();
    let flags: Vec<_> = flags.iter().map(|flag| &**flag).collect();
    let one = Server::on(&databases.folder, &flags);
    let other = databases.flags();
    let other = [other, service.flags().map(str::to_owned).to_vec()].concat();
    let other = Server::on(&elsewhere, &with(&other, "--node-name", Some("the second")));
    let [person, last] = [(); 2].map(|()| Person::new(&one));
    let keys = [&one, &other].map(|server| person.get(server, "/api/push").json()["data"]["key"].clone());
    assert!(keys[0].is_string() && keys[0] == keys[1]);
    let [browser, end] = [(); 2].map(|()| Browser::new(&service));
    browser.subscribe(&one, &person, &["note"]);
    end.subscribe(&other, &last, &["note"]);
    send_note(&other, &person.target(&one), "a note that one server takes").assert(201, "Anonymous Message Sent");
    let sent = service.wait_for(&browser.name, 1);
    assert_eq!(browser.read(&sent[0])["kind"], Value::from("note"));
    for n in 1..=2 {
        let server = if n == 1 { &one } else { &other };
        send_note(server, &last.target(&one), "a note to somebody else").assert(201, "Anonymous Message Sent");
        service.wait_for(&end.name, n);
    }
    assert_eq!(service.sent_to(&browser.name).len(), 1);
    wait_until("all is counted", || (outcomes(&one, "taken"), outcomes(&other, "taken")) == (1, 2));
}
