//! One of two worlds, who is in it, and how two are compared.

use std::sync::atomic::{AtomicU32, Ordering};

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::{Value, json};

use crate::support::client::{Answer, Call};
use crate::support::patience::since_1970;
use crate::support::person::Person;
use crate::support::server::Server;
use crate::support::talk::{Talk, base64url};
use crate::worlds::table;
use crate::worlds::watcher::Watcher;

/// The flags of a server with the limits that everybody has. Callers name the address they come from.
pub(crate) const LIMITED: &[&str] = &["--trusted-proxies", "127.0.0.1"];

/// A number that nobody in this run had.
fn fresh() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// An address that nobody in this run had. All are equally long.
pub(crate) fn address() -> String {
    let n = fresh();
    format!("203.{}.{}.{}", 100 + n / 10_000 % 100, 100 + n / 100 % 100, 100 + n % 100)
}

/// A world in which the secret is so, or otherwise.
pub(crate) struct World<'a> {
    pub(crate) secret: bool,
    /// Where everybody is but the watcher.
    pub(crate) here: &'a Server,
    pub(crate) owner: Person,
    pub(crate) target: String,
}

impl<'a> World<'a> {
    /// A world at another server, for a script that has one of its own.
    pub(crate) fn at(here: &'a Server, secret: bool) -> Self {
        let owner = person(here);
        let target = owner.target(here);
        Self { secret, here, owner, target }
    }
}

impl World<'_> {
    /// Has the owner set something.
    pub(crate) fn set(&self, settings: &Value) {
        let answer = self.owner.send(self.here, "PATCH", "/api/inbox", settings);
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// The ids of the owner's notes, the newest first.
    pub(crate) fn notes(&self) -> Vec<String> {
        let inbox = self.owner.inbox(self.here);
        inbox["data"].as_array().unwrap().iter().map(|note| note["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Has the owner block whoever sent the newest note.
    pub(crate) fn block_newest(&self) {
        let note = &self.notes()[0];
        let answer = self.owner.call(self.here, "POST", &format!("/api/message/{note}/block")).send();
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// Delivers notes of many senders without tags, who have addresses of their own.
    pub(crate) fn crowd(&self, notes: usize) {
        for n in 0..notes {
            Hand::new().note(self.here, &self.target, &format!("note number {n:03} of a crowd"), &json!({}));
        }
    }

    /// Somebody with an account who isn't the owner. All usernames are equally long.
    pub(crate) fn person(&self) -> Person {
        person(self.here)
    }
}

fn person(server: &Server) -> Person {
    Person::named(server, &format!("worlds-{:08}", fresh()))
}

/// A sender with a browser and an address of their own.
#[derive(Clone)]
pub(crate) struct Hand {
    pub(crate) tag: String,
    pub(crate) address: String,
}

impl Hand {
    pub(crate) fn new() -> Self {
        Self { tag: fresh_tag(), address: address() }
    }

    /// A call that sends a note, with the sender's tag.
    pub(crate) fn call(&self, server: &Server, target: &str, words: &str, more: &Value) -> Call {
        let mut note = json!({ "id": target, "message": words, "tag": self.tag });
        note.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/annon-message").json(&note)
    }

    /// A note with the sender's tag, which nobody looks at.
    pub(crate) fn sends(&self, world: &World<'_>, words: &str) {
        self.note(world.here, &world.target, words, &json!({ "tag": self.tag }));
    }

    /// A note that begins a conversation.
    pub(crate) fn begins(&self, world: &World<'_>, words: &str) -> Talk {
        let talk = Talk::new();
        self.note(world.here, &world.target, words, &json!({ "tag": self.tag, "conversation": talk.beginning() }));
        talk
    }

    fn note(&self, server: &Server, target: &str, words: &str, more: &Value) -> Answer {
        let mut note = json!({ "id": target, "message": words });
        note.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let call = server.post("/api/annon-message").json(&note).header("X-Forwarded-For", &self.address);
        let answer = call.send();
        answer.assert(201, "Anonymous Message Sent");
        answer
    }
}

/// What a browser sends that was never here.
pub(crate) fn fresh_tag() -> String {
    base64url(&digest(&SHA256, &fresh().to_be_bytes()).as_ref()[..16])
}

/// The form of a personal page, as a browser without scripts sends it.
pub(crate) fn form(server: &Server, username: &str, words: &str) -> Call {
    let call = server.post(&format!("/{username}")).header("Content-Type", "application/x-www-form-urlencoded");
    call.body(format!("message={}", words.replace(' ', "+")))
}

/// Runs a script in two worlds, and compares all that its watcher sees.
#[track_caller]
pub(crate) fn worlds(row: &str, server: &Server, script: impl Fn(&World<'_>, &mut Watcher<'_>)) {
    worlds_at(row, server, server, script);
}

/// Runs a script in two worlds whose watcher is at another node than everybody else.
#[track_caller]
pub(crate) fn worlds_at(row: &str, here: &Server, there: &Server, script: impl Fn(&World<'_>, &mut Watcher<'_>)) {
    let row = table::row(row);
    let run = |secret| {
        let (world, mut watcher) = (World::at(here, secret), Watcher::new(there, address()));
        watcher.knows(&world.owner.username, "owner");
        script(&world, &mut watcher);
        watcher
    };
    let quarter = || since_1970().as_secs() / (15 * 60);
    let both = loop {
        let begun = quarter();
        let both = [false, true].map(run);
        // A batch that was delivered meanwhile would be in one of them alone.
        if quarter() == begun {
            break both;
        }
    };
    let [one, other] = both;
    for (n, (one, other)) in one.seen.iter().zip(&other.seen).enumerate() {
        assert_eq!(one, other, "{} learns {}, after {n} other things", row.watcher, row.secret);
    }
    assert_eq!(one.seen.len(), other.seen.len(), "{} learns {}: one world has more to see", row.watcher, row.secret);
    table::holds(row, &one.looked_at);
}
