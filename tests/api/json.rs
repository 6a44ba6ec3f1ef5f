//! Invalid JSON, and wrong types in every field of every call, as the description lists them.

use serde_json::{Map, Value, json};

use crate::support::client::Call;
use crate::support::contract::{document, operations};
use crate::support::person::Person;
use crate::support::reused_connection::ReusedConnection;
use crate::support::server::{NO_LIMITS, Server};

pub(crate) const WRONG_FIELDS: &str = "A field is missing, or holds something of the wrong type.";
pub(crate) const NOT_JSON: &str = "That is not valid JSON.";

/// A call that takes JSON, and its body's schema in the description.
struct Taker {
    method: String,
    path: String,
    schema: &'static Value,
}

fn takers() -> Vec<Taker> {
    let mut takers = Vec::new();
    for (path, method) in operations() {
        let body = &document()["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"];
        let Some(name) = body["$ref"].as_str().and_then(|name| name.rsplit('/').next()) else { continue };
        let schema = &document()["components"]["schemas"][name];
        let path = path.replace("{id}", "3f2504e0-4f89-41d3-9a0c-0305e82c3301");
        takers.push(Taker { method: method.to_uppercase(), path, schema });
    }
    assert!(takers.len() >= 7);
    takers
}

impl Taker {
    fn call(&self, server: &Server, person: &Person) -> Call {
        person.call(server, &self.method, &self.path)
    }

    fn fields(&self) -> impl Iterator<Item = (&'static String, &'static Value)> {
        self.schema["properties"].as_object().unwrap().iter()
    }

    fn requires(&self, field: &str) -> bool {
        self.schema["required"].as_array().is_some_and(|all| all.iter().any(|required| required == field))
    }

    /// A body in which each field has the right type. A field that may be null is left out if it is an object.
    fn filled(&self) -> Map<String, Value> {
        filled(self.schema)
    }
}

fn filled(schema: &Value) -> Map<String, Value> {
    // Some strings have to be a UUID.
    let samples = [json!("5e0c6c8e-24c5-4e53-8f0e-1b1a9f3f7a11"), json!(2), json!(true), json!([]), json!(null)];
    let fits = |schema: &Value| match (&meant(schema)["enum"][0], &meant(schema)["type"]) {
        (Value::Null, kind) if kind == "object" => filled(meant(schema)).into(),
        (Value::Null, _) => samples.iter().find(|sample| is_of_type(sample, schema)).unwrap().clone(),
        (one, _) => one.clone(),
    };
    let fields = schema["properties"].as_object().unwrap();
    fields.iter().map(|(field, schema)| (field.clone(), fits(schema))).collect()
}

/// The schema itself, or the one that it refers to.
fn meant(schema: &Value) -> &Value {
    let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    name.map_or(schema, |name| &document()["components"]["schemas"][name])
}

fn is_of_type(value: &Value, schema: &Value) -> bool {
    let schema = meant(schema);
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if let Some(ways) = schema["oneOf"].as_array() {
        return ways.iter().any(|way| is_of_type(value, way));
    }
    match &schema["type"] {
        Value::Array(names) => names.iter().any(|known| known == name),
        known => known == name,
    }
}

#[test]
fn a_wrong_type_in_any_field_of_any_call_is_refused_in_words() {
    let (server, person) = Person::with(NO_LIMITS);
    let mut connection = ReusedConnection::open(&server);
    for taker in takers() {
        let filled = taker.filled();
        let mut refused = |body: Value| {
            let answer = connection.send(taker.call(&server, &person).json(&body));
            assert_eq!(answer.header("connection"), None, "a small body is read, and the connection goes on");
            assert_eq!((answer.status, answer.message()), (400, WRONG_FIELDS.to_owned()), "{} {body}", taker.path);
        };
        for body in [json!([]), json!(null), json!(7), json!("text"), json!([filled])] {
            refused(body);
        }
        if taker.fields().any(|(field, _)| taker.requires(field)) {
            refused(json!({}));
        }
        refused(filled.values().cloned().collect());
        for (field, schema) in taker.fields() {
            if taker.requires(field) {
                let mut missing = filled.clone();
                missing.remove(field);
                refused(missing.into());
            }
            let values = json!([null, "text", 7, -1, 1.5, 1e300, true, [], {}, ["text"], { "a": 1 }]);
            for value in values.as_array().unwrap().clone() {
                if !is_of_type(&value, schema) {
                    let mut wrong = filled.clone();
                    wrong.insert(field.clone(), value);
                    refused(wrong.into());
                }
            }
        }
    }
    assert_eq!(person.get(&server, "/api/dashboard").status, 200, "nothing of it did anything");
}

#[test]
fn an_unknown_field_changes_nothing() {
    let (server, person) = Person::with(NO_LIMITS);
    // The answer to a new room is different each time.
    for taker in takers().into_iter().filter(|taker| taker.path != "/api/room/create") {
        let mut more = taker.filled();
        let plain = taker.call(&server, &person).json(&more.clone().into()).send();
        more.insert("is_admin".to_owned(), json!({ "$ne": null }));
        let unknown = taker.call(&server, &person).json(&more.into()).send();
        assert_eq!(unknown.body, plain.body, "{}", taker.path);
    }
}

#[test]
fn a_body_that_is_no_json_is_refused_in_words() {
    let (server, person) = Person::with(NO_LIMITS);
    let mut connection = ReusedConnection::open(&server);
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(2_500), close.repeat(2_500)).into_bytes();
    for taker in takers() {
        let whole = Value::from(taker.filled()).to_string();
        let call = |kind: &str, body: &[u8]| taker.call(&server, &person).header("Content-Type", kind).body(body);
        for (body, message) in [
            (&b""[..], NOT_JSON),
            (b"{", NOT_JSON),
            (b"nonsense", NOT_JSON),
            (b"{\"a\":}", NOT_JSON),
            (b"{'a':'x'}", NOT_JSON),
            (b"{\"a\":NaN}", NOT_JSON),
            (b"\xef\xbb\xbf{}", NOT_JSON),
            (b"{\"a\":\"\x01\"}", NOT_JSON),
            (b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--", NOT_JSON),
            (b"\0\0\0\0", NOT_JSON),
            (format!("{whole}{whole}").as_bytes(), NOT_JSON),
            (&whole.as_bytes()[..whole.len() - 1], NOT_JSON),
            (b"\xff\xfe{\0}\0", "The JSON is not UTF-8."),
            (b"{\"a\":\"\xff\"}", "The JSON is not UTF-8."),
            (&deep("[", "]"), WRONG_FIELDS),
            (&deep("{\"a\":", "}"), NOT_JSON),
        ] {
            connection.send(call("application/json", body)).assert(400, message);
        }
        let not_json = "Send JSON, with Content-Type: application/json.";
        for kind in [
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/xml",
        ] {
            connection.send(call(kind, whole.as_bytes())).assert(415, not_json);
        }
        connection.send(taker.call(&server, &person).body(whole.as_str())).assert(415, not_json);
        for kind in ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"] {
            connection.send(call(kind, b"[]")).assert(400, WRONG_FIELDS);
        }
    }
    let half_a_pair = br#"{"email_or_username":"\ud800-person","password":"password"}"#;
    connection
        .send(server.post("/api/login").header("Content-Type", "application/json").body(half_a_pair))
        .assert(400, NOT_JSON);
}
