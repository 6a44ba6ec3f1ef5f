//! The API's description itself. `contract.rs` compares every answer in these tests with it.

use serde_json::{Value, json};

use crate::support::contract::{document, needs_token, operations};
use crate::support::person::{Person, fresh_name, register, send_note};
use crate::support::server::NO_LIMITS;

#[test]
fn every_schema_is_one_and_every_example_is_as_it_says() {
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
        if needs_token(path, method) {
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

/// Whether a schema allows a body.
fn allows_body(schema: &str, body: &Value) -> bool {
    let reference = format!("#/components/schemas/{schema}");
    let whole = json!({ "$ref": reference, "components": document()["components"] });
    jsonschema::draft202012::is_valid(&whole, body)
}

#[test]
fn a_body_that_is_refused_for_what_it_lacks_is_not_described_as_right() {
    let (server, person) = Person::with(NO_LIMITS);
    let mut looked_at = 0;
    for (path, method) in operations() {
        let body = &document()["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let Some(schema) = body.as_str().and_then(|reference| reference.rsplit('/').next()) else { continue };
        looked_at += 1;
        if allows_body(schema, &json!({})) {
            let path = path.replace("{id}", "AAAAAAAAehwAAAAAAAAAAQ");
            let answer = person.send(&server, &method.to_uppercase(), &path, &json!({}));
            assert_ne!(
                answer.json()["code"],
                "fields_invalid",
                "{method} {path} refuses {{}}, and is described as taking it"
            );
        }
    }
    assert!(looked_at > 10, "{looked_at}");
    for (about, is_right) in [("note", false), ("page", false), ("room", true), ("conversation", true)] {
        assert_eq!(allows_body("SendReport", &json!({ "about": about, "id": "x", "lines": [1] })), is_right, "{about}");
        assert!(allows_body("SendReport", &json!({ "about": about, "id": "x", "lines": [] })), "{about}");
    }
}

/// Whether a field's schema allows a text.
fn allows(schema: &str, field: &str, text: &str) -> bool {
    // What a field may be can depend on the others, which are left out here.
    let mut whole = document()["components"]["schemas"][schema].clone();
    whole["required"] = json!([]);
    whole["components"] = document()["components"].clone();
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&whole).unwrap();
    validator.is_valid(&json!({ field: text }))
}

#[test]
fn a_text_is_taken_if_its_schema_allows_it_and_only_then() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let (note, least, name) = ("é".repeat(280), "é".repeat(9), "x".repeat(30));
    // What nobody sees is counted at the top, and not at the bottom.
    for unseen in ["", "x", "\u{7}", "\u{85}", " ", "\n", "\u{3000}", "x\u{7}x"] {
        for text in [format!("{note}{unseen}"), format!("{unseen}{least}"), format!("{least}{unseen}é")] {
            let is_taken = send_note(&server, &target, &text).status == 201;
            assert_eq!(is_taken, allows("SendNote", "message", &text), "{text:?}");
        }
        for text in
            [format!("{name}{unseen}"), format!("{unseen}xxx"), format!("xx{unseen}x"), format!("x\u{202e}{unseen}")]
        {
            let form = json!({ "name": text });
            let is_taken = person.send(&server, "POST", "/api/room/create", &form).status != 422;
            assert_eq!(is_taken, allows("CreateRoom", "name", &text), "{text:?}");
        }
    }
    let long = format!("{}@mail.example", "a".repeat(300));
    for address in ["a@b.co", "first.last+tag@sub.example.org", "a@b", "a@b.c", "a@.co", "a b@c.de", "é@b.co", &long] {
        let is_taken = register(&server, &fresh_name(), address, "correct horse").status != 422;
        assert_eq!(is_taken, allows("Register", "email", address), "{address}");
    }
    for length in [7, 8, 128, 129] {
        let password = "ü🙂".repeat(length).chars().take(length).collect::<String>();
        let is_taken = register(&server, &fresh_name(), "a@mail.example", &password).status != 422;
        assert_eq!(is_taken, allows("Register", "password", &password), "{length}");
    }
}
