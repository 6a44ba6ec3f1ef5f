//! The API's own description, and the comparison of every answer with it.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::server::annon;

/// The document, as `annon openapi` prints it.
pub(crate) fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let output = annon().arg("openapi").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    })
}

/// Whether a call is refused without a token. With an empty entry it is open to callers without one, too.
pub(crate) fn needs_token(path: &str, method: &str) -> bool {
    let ways = document()["paths"][path][method]["security"].as_array();
    ways.is_some_and(|ways| ways.iter().all(|way| *way != json!({})))
}

/// The path and method of every call that it describes.
pub(crate) fn operations() -> Vec<(&'static str, &'static str)> {
    let paths = document()["paths"].as_object().unwrap();
    let each = |(path, item): (&'static String, &'static Value)| {
        item.as_object().unwrap().keys().map(move |method| (path.as_str(), method.as_str()))
    };
    paths.iter().flat_map(each).collect()
}

/// The described path that fits this path.
pub(crate) fn pattern_of(path: &str) -> Option<&'static str> {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |pattern: &str| {
        let (mut of_pattern, mut of_path) = (pattern.split('/'), path.split('/'));
        loop {
            match (of_pattern.next(), of_path.next()) {
                (None, None) => return true,
                (Some(part), Some(piece)) if part == piece || (part.starts_with('{') && !piece.is_empty()) => {}
                _ => return false,
            }
        }
    };
    document()["paths"].as_object().unwrap().keys().map(String::as_str).find(|pattern| fits(pattern))
}

/// Checks that a JSON value matches the named schema.
pub(crate) fn hold_against(schema: &str, value: &Value) {
    hold_to(&json!({ "$ref": format!("#/components/schemas/{schema}") }), value, schema);
}

fn hold_to(schema: &Value, value: &Value, what: &str) {
    static KNOWN: OnceLock<Mutex<HashMap<String, Validator>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap();
    let validator = known.entry(schema.to_string()).or_insert_with(|| {
        let mut whole = schema.clone();
        whole["components"] = document()["components"].clone();
        jsonschema::draft202012::options().should_validate_formats(true).offline().build(&whole).unwrap()
    });
    let errors: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    drop(known);
    assert!(errors.is_empty(), "{what} is not as described: {errors:?} in {value}");
}

const HTML: &str = "text/html; charset=utf-8";

/// Checks every answer: the envelope, the headers, and that the description has its status.
pub(crate) fn hold(method: &str, path: &str, answer: &Answer) {
    let what = format!("{method} {path} -> {answer:?}");
    assert_ne!(answer.status, 500, "{what}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{what}");
    let referrer = answer.header("referrer-policy").unwrap_or_default();
    // Only a personal page, which is a form, may tell its own site where the form comes from.
    let plain = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let may_be_personal = plain.matches('/').count() == 1 && answer.header("content-type") == Some(HTML);
    assert!(referrer == "no-referrer" || (may_be_personal && referrer == "same-origin"), "{what}");
    assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{what}");
    for policy in ["cross-origin-opener-policy", "cross-origin-resource-policy"] {
        assert_eq!(answer.header(policy), Some("same-origin"), "{policy}: {what}");
    }
    assert!(answer.header("permissions-policy").is_some_and(|policy| policy.contains("geolocation=()")), "{what}");
    assert!(
        answer.header("content-security-policy").is_some_and(|policy| policy.contains("frame-ancestors 'none'")),
        "{what}"
    );
    assert_eq!(answer.header("access-control-allow-origin"), None, "{what}");
    let may_set_cookie = path.starts_with("/api/room") || path.contains("?language=");
    assert!(answer.header("set-cookie").is_none() || may_set_cookie, "{what}");
    let id = answer.header("x-request-id").unwrap_or_default();
    assert!(id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()), "no request id: {what}");
    if path.starts_with("/api/") {
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{what}");
    }
    let is_json = answer.header("content-type") == Some("application/json");
    if method == "HEAD" || answer.status == 101 {
        return;
    }
    let pattern = pattern_of(path);
    // Paths outside the API belong to the web app, which answers with pages.
    if answer.status >= 400 && (pattern.is_some() || path.starts_with("/api/")) {
        assert!(is_json, "{what}");
        assert_eq!(answer.json()["status"], answer.status, "{what}");
        assert!(answer.message().len() > 5, "{what}");
    }
    let Some(pattern) = pattern else { return };
    let operation = &document()["paths"][pattern][method.to_ascii_lowercase()];
    if operation.is_null() {
        assert_eq!(answer.status, 405, "{what}");
        return;
    }
    let described = &operation["responses"][answer.status.to_string()];
    assert!(!described.is_null(), "a status the description doesn't know: {what}");
    let kind = answer.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let content = &described["content"][kind];
    assert!(!content.is_null(), "a type the description doesn't know: {what}");
    if is_json {
        let body = answer.json();
        if body.get("status").is_some() {
            assert_eq!(body["status"], answer.status, "{what}");
        }
        hold_to(&content["schema"], &body, &what);
    }
}
