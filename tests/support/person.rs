//! Somebody with an account.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::support::client::{Answer, Call};
use crate::support::server::Server;

/// A name nobody has used yet in this run.
pub(crate) fn fresh_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("person-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Somebody who signed up and has signed in.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) username: String,
    pub(crate) email: String,
    pub(crate) password: String,
    pub(crate) token: String,
}

impl Person {
    pub(crate) fn new(server: &Server) -> Self {
        Self::named(server, &fresh_name())
    }

    pub(crate) fn named(server: &Server, username: &str) -> Self {
        let email = format!("{username}@mail.example");
        let password = format!("password of {username}");
        let answer = register(server, username, &email, &password);
        assert_eq!((answer.status, answer.message().as_str()), (201, "User Account Created"));
        let token = sign_in(server, username, &password);
        Self { username: username.to_owned(), email, password, token }
    }

    /// A second sign-in.
    pub(crate) fn sign_in(&self, server: &Server) -> String {
        sign_in(server, &self.username, &self.password)
    }

    /// Where notes to them go.
    pub(crate) fn target(&self, server: &Server) -> String {
        server.get(&format!("/api/annon/{}", self.username)).send().message()
    }

    /// A call with their token.
    pub(crate) fn call(&self, server: &Server, method: &str, path: &str) -> Call {
        server.call(method, path).bearer(&self.token)
    }

    pub(crate) fn get(&self, server: &Server, path: &str) -> Answer {
        self.call(server, "GET", path).send()
    }

    /// Their inbox's newest page, as the server tells it.
    pub(crate) fn inbox(&self, server: &Server) -> Value {
        self.get(server, "/api/messages").json()
    }
}

pub(crate) fn register(server: &Server, username: &str, email: &str, password: &str) -> Answer {
    let form = json!({ "username": username, "email": email, "password": password });
    server.post("/api/register").json(&form).send()
}

pub(crate) fn login(server: &Server, name: &str, password: &str) -> Answer {
    server.post("/api/login").json(&json!({ "email_or_username": name, "password": password })).send()
}

pub(crate) fn sign_in(server: &Server, name: &str, password: &str) -> String {
    let answer = login(server, name, password);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["access_token"].as_str().unwrap().to_owned()
}

/// The password is set. What this browser shows from now on to be known.
#[track_caller]
pub(crate) fn password_is_set(answer: &Answer) -> String {
    assert_eq!((answer.status, answer.message().as_str()), (200, "Password Changed!"));
    answer.json()["device"].as_str().unwrap().to_owned()
}

pub(crate) fn send_note(server: &Server, target: &str, message: &str) -> Answer {
    server.post("/api/annon-message").json(&json!({ "id": target, "message": message })).send()
}

/// What a call that needs a token says to somebody without a good one.
pub(crate) const SIGNED_OUT: &str = "Sign in to continue.";

/// Whether a token still opens the dashboard.
pub(crate) fn is_alive(server: &Server, token: &str) -> bool {
    let answer = server.get("/api/dashboard").bearer(token).send();
    match answer.status {
        200 => true,
        401 => {
            answer.says(401, SIGNED_OUT);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            false
        }
        _ => panic!("{answer:?}"),
    }
}
