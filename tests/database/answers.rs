//! Public answers at two servers on one database.

use serde_json::json;

use crate::support::database::{Databases, with};
use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, Server};
use crate::support::test_socket::TestSocket;

#[test]
fn what_is_published_at_one_server_is_read_at_the_other_and_gone_there_too() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let flags = databases.flags();
    let (one, other) = (databases.serve(), Server::on(&elsewhere, &with(&flags, "--node-name", Some("the second"))));
    let owner = Person::new(&one);
    send_note(&one, &owner.target(&one), "a question for everybody").assert(201, "Anonymous Message Sent");
    let id = owner.inbox(&other)["data"][0]["id"].as_str().unwrap().to_owned();
    let mut window = TestSocket::of(&other, &owner);
    let path = format!("/api/message/{id}/answer");
    let said = owner.send(&one, "PUT", &path, &json!({ "answer": "an answer" }));
    assert_eq!(said.status, 200, "{said:?}");
    let public = format!("/api/annon/{}/answers", owner.username);
    assert_eq!(other.get(&public).send().json()["data"], json!([said.json()["data"]]));
    // A window at the other server is told to read its list.
    while window.next_frame()["reload"] != true {}
    assert_eq!(owner.inbox(&other)["data"][0]["answer"]["answer"], "an answer");
    assert_eq!(owner.send(&other, "PATCH", "/api/page", &json!({ "line": "a line", "prompts": ["one?"] })).status, 200);
    let page = one.get(&format!("/api/annon/{}", owner.username)).send().json();
    assert_eq!((&page["line"], &page["prompts"], &page["answers"]), (&json!("a line"), &json!(["one?"]), &json!(true)));
    owner.call(&other, "DELETE", &path).send().assert(200, "Answer taken down");
    assert_eq!(one.get(&public).send().json()["data"], json!([]));
    let id = said.json()["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(one.get(&format!("{public}/{id}")).send().status, 404);
}
