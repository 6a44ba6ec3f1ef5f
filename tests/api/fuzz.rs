//! Random calls. `ANNON_FUZZ_SEED` repeats a run, and `ANNON_FUZZ_CALLS` makes a longer one.

use std::hash::{BuildHasher, RandomState};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::support::client::Connection;
use crate::support::contract::{document, operations};
use crate::support::person::Person;
use crate::support::server::NO_LIMITS;

#[derive(Debug, Clone)]
struct Made {
    method: String,
    path: String,
    kind: String,
    has_token: bool,
    body: Vec<u8>,
}

fn method() -> impl Strategy<Value = String> {
    prop_oneof!["GET", "POST", "DELETE", "PATCH", "[A-Z]{1,12}"]
}

/// What may stand between two slashes: everything that HTTP allows.
fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9-]{1,20}",
        "(%[0-9A-F]{2}){1,12}",
        "[!$%&'()*+,./:;=?@~-]{0,12}",
        "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"
    ]
}

fn path() -> impl Strategy<Value = String> {
    let known: Vec<_> = operations().into_iter().map(|(path, _)| path.to_owned()).collect();
    let (known, pieces) = (prop::sample::select(known), vec(segment(), 3));
    let filled = (known, pieces, prop::option::of("[a-z]{0,8}=[A-Za-z0-9._~!$%&'()*+,;=:@/?-]{0,20}")).prop_map(
        |(path, pieces, query)| {
            let fill =
                |(n, part): (usize, &str)| if part.starts_with('{') { pieces[n % 3].clone() } else { part.to_owned() };
            let path = path.split('/').enumerate().map(fill).collect::<Vec<_>>().join("/");
            query.map_or(path.clone(), |query| format!("{path}?{query}"))
        },
    );
    prop_oneof![4 => filled, 1 => vec(segment(), 0..6).prop_map(|parts| format!("/{}", parts.join("/")))]
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z@.]{6,20}".prop_map(Value::from),
    ];
    let schemas = document()["components"]["schemas"].as_object().unwrap().values();
    let fields: Vec<_> = schemas
        .flat_map(|schema| schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()))
        .collect();
    leaf.prop_recursive(4, 24, 6, move |inner| {
        let name = prop_oneof![4 => prop::sample::select(fields.clone()), 1 => any::<String>()];
        let object = btree_map(name, inner.clone(), 0..5);
        prop_oneof![
            vec(inner, 0..5).prop_map(Value::from),
            object.prop_map(|fields| Value::Object(fields.into_iter().collect()))
        ]
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => json().prop_map(|value| value.to_string().into_bytes()), 1 => vec(any::<u8>(), 0..300)]
}

fn call() -> impl Strategy<Value = Made> {
    let kind = prop_oneof![4 => Just("application/json".to_owned()), 1 => "[ -~]{0,30}", 1 => Just("multipart/form-data; boundary=x".to_owned())];
    (method(), path(), kind, any::<bool>(), body()).prop_map(|(method, path, kind, has_token, body)| Made {
        method,
        path,
        kind,
        has_token,
        body,
    })
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whatever_is_sent_is_answered_as_described() {
    let (server, person) = Person::with(NO_LIMITS);
    let seed = number("ANNON_FUZZ_SEED").unwrap_or_else(|| RandomState::new().hash_one(0));
    eprintln!("ANNON_FUZZ_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let calls = number("ANNON_FUZZ_CALLS").and_then(|calls| u32::try_from(calls).ok()).unwrap_or(3_000);
    let config = ProptestConfig { cases: calls, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let outcome = runner.run(&call(), |made| {
        let mut call = server.call(&made.method, &made.path).header("Content-Type", &made.kind).body(made.body);
        if made.has_token {
            call = call.bearer(&person.token);
        }
        let mut connection = Connection::open(server.address);
        // The client compares the answer with the API's description.
        let answer = call.send_on(&mut connection);
        prop_assert!(answer.status < 500, "{answer:?}");
        Ok(())
    });
    outcome.unwrap_or_else(|found| panic!("with ANNON_FUZZ_SEED={seed}: {found}"));
    server.get("/readyz").send().assert(200, "ready");
    assert_eq!(server.log.count("a bug: something panicked"), 0);
}
