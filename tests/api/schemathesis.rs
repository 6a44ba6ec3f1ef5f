//! Calls that a tool from outside makes of nothing but the description: schemathesis, which `make deps`
//! installs. `ANNON_CALLS_SEED` repeats a run, and `ANNON_CALLS` says how many calls it makes of each
//! operation.

use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::rooms::group::Group;
use crate::rooms::pictures::{png, upload};
use crate::support::contract::document;
use crate::support::person::{Person, send_note};
use crate::support::server::{NO_LIMITS, Server, printed, tester};
use crate::support::talk::Talk;

/// Calls that a run makes of each operation at random, besides those at each bound of its fields.
const CALLS: &str = "6";
/// The same run each time, unless another one is asked for.
const SEED: &str = "1";

/// What is on a server before the calls come, so that they find something. What a call takes away is
/// not the thing that others ask for.
struct Found {
    person: Person,
    group: Group,
    image: String,
    emoji: String,
    knock: (Group, String),
    notes: [String; 3],
    answer: String,
    talk: Talk,
    closing: Group,
    ending: Talk,
}

impl Found {
    fn on(server: &Server) -> Self {
        let person = Person::new(server);
        let note = |words: &str| {
            send_note(server, &person.target(server), words).assert(201, "Anonymous Message Sent");
            person.inbox(server)["data"][0]["id"].as_str().unwrap().to_owned()
        };
        let notes = ["a note to mark", "a note to delete", "a note to answer"].map(note);
        let answer = json!({ "answer": "Yes." });
        let answer = person.send(server, "PUT", &format!("/api/message/{}/answer", notes[2]), &answer).json();
        let [talk, ending] = ["the first of two", "the second of two"].map(|words| Talk::begun(server, &person, words));
        let [group, closing] = [(); 2].map(|()| Group::of(server, person.clone()));
        let [seat, other] = group.seats(server);
        let image = upload(server, &group, &seat, &png(8, 8)).message();
        let asking = Group::asking(server, person.clone());
        let knock = asking.visitor(server).knock;
        Self {
            group,
            image: image.rsplit('/').next().unwrap().to_owned(),
            emoji: other.emoji,
            knock: (asking, knock),
            notes,
            answer: answer["data"]["id"].as_str().unwrap().to_owned(),
            talk,
            closing,
            ending,
            person,
        }
    }

    /// The value of a parameter by which a call finds something.
    fn value(&self, path: &str, method: &str, name: &str) -> Option<&str> {
        let goes = method == "delete";
        Some(match (path, name) {
            (_, "username") => &self.person.username,
            ("/api/annon/{username}/answers/{id}", "id") => &self.answer,
            ("/api/message/{id}/answer", "id") => &self.notes[2],
            ("/api/message/{id}", "id") => &self.notes[1],
            (path, "id") if path.starts_with("/api/message/") || path.starts_with("/api/mark") => &self.notes[0],
            ("/api/conversation/{id}", "id") if goes => &self.ending.id,
            (path, "id") if path.starts_with("/api/conversation/") => &self.talk.id,
            ("/api/room/{id}", "id") if goes => &self.closing.id,
            (path, "id") if path.contains("knock") => &self.knock.0.id,
            (path, "id") if path.starts_with("/api/room") => &self.group.id,
            (_, "knock") => &self.knock.1,
            (_, "emoji") => &self.emoji,
            (_, "image") => &self.image,
            _ => return None,
        })
    }

    /// The description, with examples that are there.
    fn described(&self, server: &Server) -> Value {
        let mut document = document().clone();
        for (path, calls) in document["paths"].as_object_mut().unwrap() {
            for (method, call) in calls.as_object_mut().unwrap() {
                let asked = call.get_mut("parameters").and_then(Value::as_array_mut);
                for asked in asked.into_iter().flatten() {
                    if let Some(value) = self.value(path, method, asked["name"].as_str().unwrap()) {
                        asked["example"] = value.into();
                    }
                }
            }
        }
        for (schema, field, value) in [
            ("SendNote", "id", self.person.target(server)),
            ("Upload", "room_id", self.group.id.clone()),
            ("SendReport", "id", format!("/{}", self.person.username)),
        ] {
            document["components"]["schemas"][schema]["properties"][field]["example"] = value.into();
        }
        document
    }
}

/// Has the tool call a server, with a token or without.
fn calls(server: &Server, found: &Found, token: Option<&str>) {
    let folder = server.folder.file("calls");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("openapi.json"), found.described(server).to_string()).unwrap();
    fs::write(folder.join("schemathesis.toml"), include_str!("schemathesis.toml")).unwrap();
    let wish = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
    let seed = match &*wish("ANNON_CALLS_SEED", SEED) {
        "any" => (RandomState::new().hash_one(0) >> 33).to_string(),
        seed => seed.to_owned(),
    };
    eprintln!("ANNON_CALLS_SEED={seed}");
    let mut command = tester("schemathesis/bin/schemathesis");
    command.current_dir(&folder).stdin(Stdio::null()).args(["--config-file", "schemathesis.toml", "--no-color"]);
    command.args(["run", "openapi.json", "--seed", &seed, "--max-examples", &wish("ANNON_CALLS", CALLS)]);
    command.args(["--url", &format!("http://{}", server.address)]);
    if let Some(token) = token {
        // Their token would be worth nothing afterwards.
        command.args(["--exclude-path", "/api/logout", "--header", &format!("Authorization: Bearer {token}")]);
    }
    let output = command.output().unwrap();
    let told = printed(&output.stdout);
    assert!(output.status.success(), "with ANNON_CALLS_SEED={seed}: {told}{}", printed(&output.stderr));
    let (_, summary) = told.split_once("= SUMMARY =").expect("a summary");
    eprintln!("{summary}");
    server.get("/readyz").send().assert(200, "ready");
    assert_eq!(server.log.count("a bug: something panicked"), 0);
}

#[test]
fn a_tool_that_knows_the_description_finds_a_strangers_calls_answered_so() {
    let server = Server::with(NO_LIMITS);
    let found = Found::on(&server);
    calls(&server, &found, None);
}

#[test]
fn a_tool_that_knows_the_description_finds_a_persons_calls_answered_so() {
    let server = Server::with(NO_LIMITS);
    let found = Found::on(&server);
    let token = found.person.token.clone();
    calls(&server, &found, Some(&token));
}
