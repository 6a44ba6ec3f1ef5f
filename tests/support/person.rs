//! A person with an account.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::support::client::{Answer, Call, Connection};
use crate::support::patience::at_once;
use crate::support::server::Server;

/// A name that nobody has used yet in this run.
pub(crate) fn fresh_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("person-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A person who has signed up and in.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) username: String,
    pub(crate) email: String,
    pub(crate) password: String,
    pub(crate) token: String,
}

impl Person {
    /// A person on a new server with these flags.
    pub(crate) fn with(flags: &[&str]) -> (Server, Self) {
        let server = Server::with(flags);
        let person = Self::new(&server);
        (server, person)
    }

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

    /// Signs in once more.
    pub(crate) fn sign_in(&self, server: &Server) -> String {
        sign_in(server, &self.username, &self.password)
    }

    /// Whether a note with these words is held back from their inbox.
    pub(crate) fn holds_back(&self, server: &Server, words: &str) -> bool {
        let mut before = String::new();
        loop {
            let held = self.get(server, &format!("/api/messages?held=true&limit=200{before}"));
            assert_eq!(held.status, 200, "{held:?}");
            if held.text().contains(words) {
                return true;
            }
            match held.json()["data"].as_array().unwrap().last() {
                Some(last) => before = format!("&before={}", last["id"].as_str().unwrap()),
                None => return false,
            }
        }
    }

    /// The id to which notes to this person are sent.
    pub(crate) fn target(&self, server: &Server) -> String {
        server.get(&format!("/api/annon/{}", self.username)).send().message()
    }

    /// A call with this person's token.
    pub(crate) fn call(&self, server: &Server, method: &str, path: &str) -> Call {
        server.call(method, path).bearer(&self.token)
    }

    pub(crate) fn send(&self, server: &Server, method: &str, path: &str, body: &Value) -> Answer {
        self.call(server, method, path).json(body).send()
    }

    pub(crate) fn change_password(&self, server: &Server, old: &str, new: &str) -> Answer {
        let form = json!({ "old_password": old, "new_password": new });
        self.send(server, "POST", "/api/user/change-password", &form)
    }

    pub(crate) fn delete(&self, server: &Server, password: &str) -> Answer {
        self.send(server, "DELETE", "/api/user/delete", &json!({ "password": password }))
    }

    pub(crate) fn get(&self, server: &Server, path: &str) -> Answer {
        self.call(server, "GET", path).send()
    }

    /// The newest page of this person's inbox.
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

/// Asks for a mail with a reset link.
pub(crate) fn forget_password(server: &Server, email: &str) -> Answer {
    server.post("/api/password-reset").json(&json!({ "email": email })).send()
}

/// Sets a password by a reset link's token.
pub(crate) fn reset_password(server: &Server, token: &str, password: &str) -> Answer {
    let form = json!({ "token": token, "new_password": password });
    server.post("/api/password-reset/confirm").json(&form).send()
}

/// Checks that the password is set, and returns the words by which this browser is known.
#[track_caller]
pub(crate) fn password_is_set(answer: &Answer) -> String {
    assert_eq!((answer.status, answer.message().as_str()), (200, "Password Changed!"));
    answer.json()["device"].as_str().unwrap().to_owned()
}

pub(crate) fn send_note(server: &Server, target: &str, message: &str) -> Answer {
    server.post("/api/annon-message").json(&json!({ "id": target, "message": message })).send()
}

/// Sends this many notes to a person, over eight connections at once.
pub(crate) fn flood(server: &Server, person: &Person, notes: usize, message: &str) {
    let note = json!({ "id": person.target(server), "message": message });
    let note = &server.post("/api/annon-message").json(&note);
    at_once((0..8).map(|_| {
        move || {
            let mut connection = Connection::open(server.address);
            let sends = 0..notes / 8;
            sends.for_each(|_| note.clone().send_on(&mut connection).assert(201, "Anonymous Message Sent"));
        }
    }));
}

/// The refusal of a call without a good token.
pub(crate) const SIGNED_OUT: &str = "Sign in to continue.";

/// Whether a token still opens the dashboard.
pub(crate) fn is_alive(server: &Server, token: &str) -> bool {
    let answer = server.get("/api/dashboard").bearer(token).send();
    match answer.status {
        200 => true,
        401 => {
            answer.assert(401, SIGNED_OUT);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            false
        }
        _ => panic!("{answer:?}"),
    }
}
