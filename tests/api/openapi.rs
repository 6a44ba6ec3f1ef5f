//! The API's description itself. `contract.rs` compares every answer in these tests with it.

use crate::support::contract::{document, needs_token, operations};

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
