//! The description itself. That every answer anywhere in these tests is as
//! it says is seen to in `contract.rs`, as they come in.

use std::collections::BTreeSet;

use image::ImageFormat;
use serde_json::{Value, json};

use crate::api::confirm::House;
use crate::support::contract::{document, hold_against, operations};
use crate::support::form::{Form, picture};
use crate::support::patience::wait_for;
use crate::support::person::{Person, send_note};
use crate::support::server::Server;
use crate::support::window::Window;

/// Every string under `$ref`.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get("$ref") {
                found.insert(to.clone());
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_one() {
    let mut found = BTreeSet::new();
    references(document(), &mut found);
    assert!(found.len() > 10);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document().pointer(pointer).is_some(), "{reference}");
    }
    for (name, schema) in document()["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
        let examples = schema["properties"].as_object().into_iter().flatten();
        for (field, schema) in examples {
            let Some(example) = schema.get("example") else { continue };
            assert!(jsonschema::draft202012::is_valid(schema, example), "{name}.{field}: {example}");
        }
    }
}

#[test]
fn every_call_describes_what_it_can_be_refused_with() {
    for (path, method) in operations() {
        let operation = &document()["paths"][path][method];
        let describes = |status: &str| operation["responses"].get(status).is_some();
        assert!(operation["summary"].is_string() || operation["description"].is_string(), "{method} {path}");
        assert!(["200", "201", "101"].iter().any(|status| describes(status)), "{method} {path}");
        if operation["security"].is_array() {
            assert!(describes("401"), "{method} {path}");
        }
        if operation["requestBody"].is_object() {
            for status in ["400", "408", "413", "415"] {
                assert!(describes(status), "{method} {path} {status}");
            }
        }
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let is_refusal = status.starts_with(['4', '5']);
            let schema = &answer["content"]["application/json"]["schema"]["$ref"];
            assert!(!is_refusal || schema == "#/components/schemas/Refusal", "{method} {path} {status}");
        }
    }
}

/// Once through everything but the rooms, so that no success goes by
/// without having been held against its description.
#[test]
fn a_walk_through_every_call_sees_every_success_described() {
    let server = Server::start();
    let mut seen = BTreeSet::new();
    let mut saw =
        |method: &str, path: &str, status: u16| seen.insert((path.to_owned(), method.to_owned(), status.to_string()));
    let person = Person::new(&server);
    saw("post", "/api/register", 201);
    saw("post", "/api/login", 200);
    let own = |method: &str, path: &str| person.call(&server, method, path);
    let target = person.target(&server);
    saw("get", "/api/annon/{username}", 200);
    let mut window = Window::of(&server, &person);
    saw("get", "/api/inbox/socket", 101);
    saw("post", "/api/annon-message", send_note(&server, &target, "seen and described").status);
    let frame = window.next_frame();
    hold_against("InboxFrame", &frame);
    let id = frame["note"]["id"].as_str().unwrap();
    for (method, path) in [("GET", "/api/dashboard"), ("GET", "/api/messages"), ("POST", "/api/logout")] {
        let token = person.sign_in(&server);
        saw(&method.to_lowercase(), path, server.call(method, path).bearer(&token).send().status);
    }
    saw("get", "/api/mark_as_seen/{id}", own("GET", &format!("/api/mark_as_seen/{id}")).send().status);
    saw("get", "/api/inbox", own("GET", "/api/inbox").send().status);
    saw("patch", "/api/inbox", own("PATCH", "/api/inbox").json(&json!({ "batches": false })).send().status);
    assert_eq!(window.next_frame()["unread"], 0);
    hold_against("InboxFrame", &window.next_frame());
    saw("post", "/api/user/new-link", own("POST", "/api/user/new-link").send().status);
    saw("delete", "/api/message/{id}", own("DELETE", &format!("/api/message/{id}")).send().status);
    saw("delete", "/api/messages", own("DELETE", "/api/messages").send().status);
    let form = Form::saying("seen and described").picture(&picture(8, 8, ImageFormat::Png));
    saw("post", "/api/feedback", form.send(&server).status);

    saw("post", "/api/user/send-confirmation", own("POST", "/api/user/send-confirmation").send().status);
    let house = House::new();
    assert_eq!(house.sign_up("by-mail", "by@mail.example").status, 201);
    let token = house.token("by@mail.example", "by-mail");
    saw("post", "/api/confirm-email/account", house.whose(&token).status);
    saw("post", "/api/confirm-email", house.confirm(&token).status);
    assert_eq!(house.sign_up("by-mail-2", "by-2@mail.example").status, 201);
    saw("delete", "/api/confirm-email", house.refuse(&house.token("by-2@mail.example", "by-mail-2")).status);
    let change = json!({ "old_password": person.password, "new_password": "another password" });
    saw("post", "/api/user/change-password", own("POST", "/api/user/change-password").json(&change).send().status);
    let ask = json!({ "email": person.email });
    saw("post", "/api/password-reset", server.post("/api/password-reset").json(&ask).send().status);
    let mail = wait_for("a mail", || server.folder.mails().pop());
    let token = mail.split("/reset/").nth(1).unwrap().split_whitespace().next().unwrap();
    let confirm = json!({ "token": token, "new_password": "a third password" });
    let path = "/api/password-reset/confirm";
    saw("post", path, server.post(path).json(&confirm).send().status);
    let token = crate::support::person::sign_in(&server, &person.username, "a third password");
    let delete = server.delete("/api/user/delete").bearer(&token).json(&json!({ "password": "a third password" }));
    saw("delete", "/api/user/delete", delete.send().status);
    for path in ["/healthz", "/readyz", "/api/openapi.json"] {
        saw("get", path, server.get(path).send().status);
    }

    let is_a_room = |path: &str| path.starts_with("/api/room");
    let expected = operations().into_iter().filter(|(path, _)| !is_a_room(path)).flat_map(|(path, method)| {
        let responses = document()["paths"][path][method]["responses"].as_object().unwrap();
        let successes = responses.keys().filter(|status| status.as_str() < "400");
        successes.map(move |status| (path.to_owned(), method.to_owned(), status.clone()))
    });
    assert_eq!(seen, expected.collect());
}
