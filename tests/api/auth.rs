//! Tokens: only a whole, unaltered and living token opens anything, and only where it belongs.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde_json::{Value, json};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::support::contract::{needs_token, operations};
use crate::support::patience::since_1970;
use crate::support::person::{Person, SIGNED_OUT, is_alive, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::{SOCKET, TestSocket, handshake};

/// Every call that needs a token, with an id where its path has one.
fn guarded() -> Vec<(String, String)> {
    let calls = operations().into_iter().filter(|&(path, method)| needs_token(path, method));
    calls
        .map(|(path, method)| (method.to_uppercase(), path.replace("{id}", "0193b0a0-0000-7000-8000-000000000000")))
        .collect()
}

#[test]
fn a_call_that_needs_a_token_is_refused_without_a_whole_one() {
    let (server, person) = Person::with(&[]);
    assert!(guarded().len() >= 7, "{:?}", guarded());
    let (token, half) = (&person.token, &person.token[..person.token.len() / 2]);
    let headers = [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        "Bearer null".to_owned(),
        "Bearer a.b.c".to_owned(),
        format!("Basic {token}"),
        format!("Token {token}"),
        format!("Bearer{token}"),
        token.clone(),
        format!("Bearer {half}"),
        format!("Bearer {token}x"),
        format!("Bearer {token} {token}"),
        format!("Bearer \"{token}\""),
        format!("Bearer {}", "x".repeat(20_000)),
    ];
    for (method, path) in guarded() {
        let call = || server.call(&method, &path).json(&json!({}));
        call().send().assert(401, SIGNED_OUT);
        for header in &headers {
            let answer = call().header("Authorization", header).send();
            answer.assert(401, SIGNED_OUT);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{method} {path}");
        }
    }
    for scheme in ["bearer", "BEARER", "Bearer "] {
        let answer = server.get("/api/dashboard").header("Authorization", &format!("{scheme} {token}")).send();
        assert_eq!(answer.status, 200, "{scheme}");
    }
}

/// What a good token claims, so that a test can change it.
fn claims(server: &Server, token: &str) -> Value {
    let key = DecodingKey::from_secret(&server.key("tokens"));
    decode::<Value>(token, &key, &Validation::new(Algorithm::HS256)).unwrap().claims
}

/// A token that is signed like the server's, with other claims.
pub(crate) fn forge(server: &Server, token: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut claims = claims(server, token);
    change(&mut claims);
    let key = EncodingKey::from_secret(&server.key("tokens"));
    encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap()
}

#[test]
fn a_forged_token_opens_nothing() {
    let (server, person) = Person::with(&[]);
    let key = server.key("tokens");
    let claims = claims(&server, &person.token);
    let sign = |algorithm, claims: &Value, key: &[u8]| {
        encode(&Header::new(algorithm), claims, &EncodingKey::from_secret(key)).unwrap()
    };
    let own = |claims: &Value| sign(Algorithm::HS256, claims, &key);
    let with = |name: &str, value: Value| forge(&server, &person.token, |claims| claims[name] = value);
    let without =
        |name: &str| forge(&server, &person.token, |claims| drop(claims.as_object_mut().unwrap().remove(name)));
    assert!(is_alive(&server, &own(&claims)), "what is forged below would otherwise be good");
    let now = claims["exp"].as_u64().unwrap() - 7200;

    let mut none: Vec<&str> = person.token.split('.').collect();
    let header = BASE64_URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    none[0] = &header;
    let mut altered: Vec<&str> = person.token.split('.').collect();
    let later = with("exp", json!(now + 999_999));
    altered[1] = later.split('.').nth(1).unwrap();
    let forged = [
        ("another key", sign(Algorithm::HS256, &claims, b"another key")),
        (
            "the secret itself",
            sign(Algorithm::HS256, &claims, &std::fs::read(server.folder.data().join("secret")).unwrap()[..32]),
        ),
        ("an empty key", sign(Algorithm::HS256, &claims, b"")),
        ("HS384", sign(Algorithm::HS384, &claims, &key)),
        ("HS512", sign(Algorithm::HS512, &claims, &key)),
        ("alg none, signed", none.join(".")),
        ("alg none, unsigned", format!("{}.{}.", none[0], none[1])),
        ("an altered payload", altered.join(".")),
        ("expired", with("exp", json!(now - 1))),
        ("expired just now", with("exp", json!(now))),
        ("no exp", without("exp")),
        ("exp as a text", with("exp", json!("4000000000"))),
        ("a negative exp", with("exp", json!(-1))),
        ("no sub", without("sub")),
        ("nobody's sub", with("sub", json!("3f2504e0-4f89-41d3-9a0c-0305e82c3301"))),
        ("a sub that is no id", with("sub", json!(person.username))),
        ("no jti", without("jti")),
        ("no version", without("ver")),
        ("another version", with("ver", json!(1))),
        ("claims that are a list", own(&json!([claims]))),
    ];
    for (what, token) in forged {
        assert!(!is_alive(&server, &token), "{what}");
        handshake(&server, SOCKET, &format!("bearer, {token}")).send().assert(401, SIGNED_OUT);
    }
    assert!(is_alive(&server, &person.token));
}

#[test]
fn a_token_lasts_two_hours_and_tells_nothing_but_an_id() {
    let (server, person) = Person::with(&[]);
    let claims = claims(&server, &person.token);
    let names: Vec<_> = claims.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["exp", "jti", "sub", "ver"]);
    assert_ne!(claims["sub"], person.target(&server), "the target would tell the account");
    let lifetime = claims["exp"].as_u64().unwrap() - since_1970().as_secs();
    assert!((7200 - 60..=7200).contains(&lifetime), "{lifetime}");
}

#[test]
fn signing_out_ends_one_token_with_its_windows_and_no_other() {
    let (server, person) = Person::with(&[]);
    let other = person.sign_in(&server);
    assert_ne!(other, person.token);
    let (mut ended, mut spared) = (TestSocket::of(&server, &person), TestSocket::with_token(&server, &other));
    person.call(&server, "POST", "/api/logout").send().assert(200, "User Logged Out");
    ended.assert_signed_out();
    assert!(!is_alive(&server, &person.token) && is_alive(&server, &other));
    assert_eq!(TestSocket::try_open(&server, &person.token, &[]).map(drop), Err(401));
    send_note(&server, &person.target(&server), "for the other window").assert(201, "Anonymous Message Sent");
    assert_eq!(spared.next_frame()["unread"], 1);
    assert!(is_alive(&server, &person.sign_in(&server)));
}

/// Browsers send the web app's cookies with every call, and the server ignores them.
#[test]
fn cookies_are_never_read() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let cookies = format!(
        "annon_token={}; _cache_=%7B%22username%22%3A%22{}%22%7D; annon_token=nonsense",
        person.token, person.username
    );
    for (method, path) in guarded() {
        server.call(&method, &path).header("Cookie", &cookies).json(&json!({})).send().assert(401, SIGNED_OUT);
    }
    let anonymous = [
        server.get(&format!("/api/annon/{}", person.username)),
        server.get("/api/annon/nobody-here"),
        server.post("/api/annon-message").json(&json!({ "id": target, "message": "0123456789" })),
        server.post("/api/annon-message").json(&json!({ "id": target, "message": "short" })),
        server.post("/api/password-reset").json(&json!({ "email": "nobody@mail.example" })),
        server.post("/api/login").json(&json!({ "email_or_username": "nobody-here", "password": "password" })),
        server.get("/api/inbox/socket"),
    ];
    for call in anonymous {
        let (plain, with_cookies) = (call.clone().send(), call.header("Cookie", &cookies).send());
        assert_eq!(plain.body, with_cookies.body);
        assert_eq!(plain.status, with_cookies.status);
        assert_eq!(with_cookies.header("set-cookie"), None);
    }
    send_note(&server, &target, "0123456789").assert(201, "Anonymous Message Sent");
    assert_eq!(person.inbox(&server)["message"], 3);
}
