//! Where an account is signed in: what its owner sees, and how they end it.

use serde_json::{Value, json};

use crate::support::person::{Person, is_alive};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

const FIREFOX: &str = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";

/// Signs in with a browser of this name; what is returned is the answer.
fn sign_in_with(server: &Server, person: &Person, browser: &str, device: Option<&str>) -> Value {
    let form = json!({ "email_or_username": person.username, "password": person.password, "device": device });
    let answer = server.post("/api/login").header("User-Agent", browser).json(&form).send();
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

fn token_of(answer: &Value) -> String {
    answer["access_token"].as_str().unwrap().to_owned()
}

fn sessions(server: &Server, token: &str) -> Vec<Value> {
    let answer = server.get("/api/sessions").bearer(token).send();
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["data"].as_array().unwrap().clone()
}

fn unknown_of(server: &Server, token: &str) -> Value {
    server.get("/api/dashboard").bearer(token).send().json()["user"]["unknown_sign_ins"].clone()
}

#[test]
fn an_owner_sees_where_they_are_signed_in_and_ends_one_or_all_others() {
    let (server, person) = Person::with(NO_LIMITS);
    let own = person.token.clone();
    let phone = token_of(&sign_in_with(&server, &person, FIREFOX, None));
    let other = token_of(&sign_in_with(&server, &person, "curl/8.5.0", None));
    let all = sessions(&server, &own);
    let names: Vec<_> = all.iter().map(|one| (&one["browser"], &one["system"], one["current"] == true)).collect();
    let null = &Value::Null;
    assert_eq!(names, [(null, null, false), (&json!("Firefox"), &json!("Android"), false), (null, null, true)]);
    for one in &all {
        assert_eq!((&one["open"], &one["unknown"]), (&json!(true), &json!(false)), "whoever has just signed up");
        assert_eq!((one["began"].as_str().unwrap().len(), &one["began"]), (10, &one["used"]));
    }

    let mut window = TestSocket::with_token(&server, &phone);
    let path = format!("/api/session/{}", all[1]["id"].as_str().unwrap());
    let stranger = Person::new(&server);
    for nobody in ["/api/session/0193b0a0-0000-7000-8000-000000000000", "/api/session/none"] {
        assert_eq!(person.call(&server, "DELETE", nobody).send().status, 404);
    }
    assert_eq!(stranger.call(&server, "DELETE", &path).send().status, 404, "another's sign-in");
    assert!(is_alive(&server, &phone));
    person.call(&server, "DELETE", &path).send().assert(200, "Signed out there");
    window.assert_signed_out();
    assert!(!is_alive(&server, &phone) && is_alive(&server, &other));
    assert_eq!(person.call(&server, "DELETE", &path).send().status, 404, "it has ended");
    assert_eq!(sessions(&server, &own).len(), 2);

    let mut window = TestSocket::with_token(&server, &other);
    person.call(&server, "DELETE", "/api/sessions").send().assert(200, "Signed out everywhere else");
    window.assert_signed_out();
    assert!(!is_alive(&server, &other) && is_alive(&server, &own) && is_alive(&server, &stranger.token));
    assert_eq!(sessions(&server, &own).len(), 1);
    person.call(&server, "POST", "/api/logout").send().assert(200, "User Logged Out");
    assert_eq!(server.get("/api/sessions").bearer(&own).send().status, 401);
}

#[test]
fn a_sign_in_from_an_unknown_browser_is_told_until_another_says_that_it_is_known() {
    let (server, person) = Person::with(NO_LIMITS);
    let device = sign_in_with(&server, &person, FIREFOX, None)["device"].as_str().unwrap().to_owned();
    let folder = server.folder.clone();
    drop(server);
    let server = Server::days_later(&folder, 1, NO_LIMITS);
    // A browser that was here before is known.
    let own = token_of(&sign_in_with(&server, &person, FIREFOX, Some(&device)));
    assert_eq!(unknown_of(&server, &own), Value::Null);
    let all = sessions(&server, &own);
    assert_eq!((all.len(), &all[0]["unknown"]), (1, &json!(false)), "yesterday's are over");

    let strange = token_of(&sign_in_with(&server, &person, "curl/8.5.0", None));
    assert_eq!(unknown_of(&server, &own), 1);
    assert_eq!(unknown_of(&server, &strange), Value::Null, "it isn't told of itself");
    let found = sessions(&server, &own).into_iter().find(|one| one["unknown"] == true).unwrap();
    let known = format!("/api/session/{}/known", found["id"].as_str().unwrap());
    assert_eq!(server.post(&known).bearer(&strange).send().status, 404, "a sign-in can't say it of itself");
    // Who leaves by themselves hides nothing.
    server.post("/api/logout").bearer(&strange).send().assert(200, "User Logged Out");
    let found = sessions(&server, &own).into_iter().find(|one| one["unknown"] == true).unwrap();
    assert_eq!((&found["open"], &found["current"]), (&json!(false), &json!(false)));
    server.post(&known).bearer(&own).send().assert(200, "Known");
    assert_eq!(unknown_of(&server, &own), Value::Null);
    assert_eq!(server.post(&known).bearer(&own).send().status, 404);
    assert_eq!(sessions(&server, &own).len(), 1);

    // A new password ends all: there is nothing left to tell.
    let strange = token_of(&sign_in_with(&server, &person, "curl/8.5.0", None));
    assert_eq!(unknown_of(&server, &own), 1);
    let person = Person { token: own.clone(), ..person };
    assert_eq!(person.change_password(&server, &person.password, "another password").status, 200);
    assert!(!is_alive(&server, &strange));
    assert_eq!(unknown_of(&server, &own), Value::Null);
}
