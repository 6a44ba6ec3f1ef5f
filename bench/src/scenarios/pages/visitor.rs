//! Somebody who makes every call that a user makes and the store answers,
//! and takes back what that has written, so that all stages meet the same
//! inboxes. One connection, one call after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::load::api::{Api, expected, no_answer, odd, word};
use crate::load::clock;
use crate::load::http::{Call, Client, Who};
use crate::load::latency::{Latencies, Summary};
use crate::load::people::{self, Person};
use crate::load::process::{Threads, each};
use crate::load::subject::Subject;
use crate::scenarios::pages::inbox::{SHOWN, newest_page, oldest_page};
use crate::trouble::Trouble;

/// How often each call is made before it is the next one's turn: fewer than
/// the rooms one account may have, and than the notes on a page.
pub(super) const BATCH: usize = 25;
/// What a call leaves to do after its answer belongs to it, and not to the
/// next one.
const AFTERMATH: Duration = Duration::from_millis(2);

/// What each kind of call took.
pub(super) type Costs = BTreeMap<&'static str, Cost>;

#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) latency: Summary,
    /// Microseconds of the server's processor time.
    pub(super) server: Option<f64>,
}

/// What a call was answered with.
struct Told {
    json: Value,
    cookie: Option<String>,
}

/// An inbox that is visited, and the names of the calls on it.
struct Mailbox<'a> {
    person: &'a Person,
    token: String,
    send: &'static str,
    newest: &'static str,
    delete: &'static str,
}

pub(super) struct Visitor<'a> {
    subject: &'a Subject,
    client: Client,
    /// One that is well filled, and one that is nearly empty.
    mailboxes: [Mailbox<'a>; 2],
    /// The last page of the first.
    oldest: String,
    /// For an account that comes and goes.
    newcomer: String,
    tallies: BTreeMap<&'static str, (Latencies, Option<Duration>)>,
}

impl<'a> Visitor<'a> {
    /// The first of the people has a well-filled inbox, the last a nearly
    /// empty one.
    pub(super) async fn new(subject: &'a Subject, people: &'a [Person]) -> Result<Self, Trouble> {
        let (full, empty) = (&people[0], &people[people.len() - 1]);
        let mailboxes = [
            Mailbox {
                person: full,
                token: full.token(subject.address).await?,
                send: "send a note, well filled",
                newest: "newest page, well filled",
                delete: "delete a note, well filled",
            },
            Mailbox {
                person: empty,
                token: empty.token(subject.address).await?,
                send: "send a note, nearly empty",
                newest: "newest page, nearly empty",
                delete: "delete a note, nearly empty",
            },
        ];
        let oldest = oldest_page(&Api::new(subject.address).inbox(&mailboxes[0].token).await?, SHOWN);
        let (client, newcomer) = (Client::new(subject.address), format!("{}x", &empty.name[..empty.name.len() - 1]));
        let mut this = Self { subject, client, mailboxes, oldest, newcomer, tallies: BTreeMap::new() };
        // What is done for the first time takes longer.
        this.round().await?;
        this.tallies.clear();
        Ok(this)
    }

    /// What each kind of call came to.
    pub(super) fn costs(self) -> Costs {
        let cost = |(latencies, server): (Latencies, Option<Duration>)| {
            let latency = latencies.summary();
            Cost { latency, server: each(server, latency.count) }
        };
        self.tallies.into_iter().map(|(call, tally)| (call, cost(tally))).collect()
    }

    /// Makes every call some times.
    pub(super) async fn round(&mut self) -> Result<(), Trouble> {
        let mut sent = Vec::new();
        for at in 0..self.mailboxes.len() {
            sent.push(self.send(at).await?);
        }
        let (token, oldest) = (self.mailboxes[0].token.clone(), self.oldest.clone());
        let owner = Who::Token(&token);
        let marks = sent[0].iter().map(|id| Call::new("GET", &format!("/api/mark_as_seen/{id}"), owner, None));
        self.make("mark a note as seen", 200, &marks.collect::<Vec<_>>()).await?;
        let target = format!("/api/annon/{}", self.mailboxes[0].person.name);
        for (name, path, who) in [
            ("oldest page, well filled", oldest.as_str(), owner),
            ("unread count and newest note", &newest_page(1), owner),
            ("look up where notes go", &target, Who::Nobody),
            ("dashboard", "/api/dashboard", owner),
        ] {
            self.make(name, 200, &vec![Call::new("GET", path, who, None); BATCH]).await?;
        }
        self.rooms().await?;
        self.account().await?;
        for (at, ids) in sent.iter().enumerate() {
            let (name, token) = (self.mailboxes[at].delete, self.mailboxes[at].token.clone());
            let delete = |id: &String| Call::new("DELETE", &format!("/api/message/{id}"), Who::Token(&token), None);
            self.make(name, 200, &ids.iter().map(delete).collect::<Vec<_>>()).await?;
        }
        Ok(())
    }

    /// Sends notes to an inbox, and looks; their ids.
    async fn send(&mut self, at: usize) -> Result<Vec<String>, Trouble> {
        const WORDS: &str = "This note is one of those that come and go, while";
        let Mailbox { person, send, newest, .. } = self.mailboxes[at];
        let token = self.mailboxes[at].token.clone();
        let body = |n| json!({"id": person.target, "message": format!("{WORDS} {n}")}).to_string();
        let sends = (0..BATCH).map(|n| Call::new("POST", "/api/annon-message", Who::Nobody, Some(body(n))));
        self.make(send, 201, &sends.collect::<Vec<_>>()).await?;
        let look = Call::new("GET", &newest_page(SHOWN), Who::Token(&token), None);
        let pages = self.make(newest, 200, &vec![look.clone(); BATCH]).await?;
        let notes = pages.first().and_then(|page| page.json["data"].as_array()).into_iter().flatten().take(BATCH);
        let ours = notes.filter(|note| note["message"].as_str().is_some_and(|message| message.starts_with(WORDS)));
        let ids: Vec<_> = ours.filter_map(|note| note["id"].as_str().map(str::to_owned)).collect();
        if ids.len() == BATCH {
            return Ok(ids);
        }
        Err(odd(&look, "it doesn't begin with the notes just acknowledged"))
    }

    /// Makes rooms, visits each, and closes them.
    async fn rooms(&mut self) -> Result<(), Trouble> {
        let token = self.mailboxes[1].token.clone();
        let owner = Who::Token(&token);
        let make = Call::new("POST", "/api/room/create", owner, Some(json!({"name": "growth"}).to_string()));
        let made = self.make("make a room", 201, &vec![make.clone(); BATCH]).await?;
        let ids = made.iter().map(|told| word(&told.json, "room_id", &make)).collect::<Result<Vec<_>, _>>()?;
        let calls = |method: &str, path: fn(&str) -> String, who| -> Vec<_> {
            ids.iter().map(|id| Call::new(method, &path(id), who, None)).collect()
        };
        self.make("list one's rooms", 200, &vec![Call::new("GET", "/api/rooms", owner, None); BATCH]).await?;
        let seats = calls("GET", |id| format!("/api/room-emoji/{id}"), Who::Nobody);
        let seated = self.make("take a seat", 200, &seats).await?;
        let cookies: Vec<_> = seated.into_iter().filter_map(|told| told.cookie).collect();
        for (name, method, behind) in [("show a room", "GET", ""), ("give a seat back", "DELETE", "/seat")] {
            let call = |(id, cookie): (&String, &String)| {
                Call::new(method, &format!("/api/room/{id}{behind}"), Who::Seat(cookie), None)
            };
            self.make(name, 200, &ids.iter().zip(&cookies).map(call).collect::<Vec<_>>()).await?;
        }
        let closes = calls("DELETE", |id| format!("/api/room/{id}"), owner);
        self.make("close a room", 200, &closes).await.map(drop)
    }

    /// Somebody new signs up, in and out, and goes: once, because hashing
    /// takes longer than all else together.
    async fn account(&mut self) -> Result<(), Trouble> {
        let sign_in = people::sign_in(&self.newcomer);
        self.make("sign up (hashes)", 201, &[people::sign_up(&self.newcomer)]).await?;
        let signed_in = self.make("sign in (hashes)", 200, &[sign_in.clone(), sign_in.clone()]).await?;
        let tokens = signed_in.iter().map(|told| word(&told.json, "access_token", &sign_in));
        let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
        let sign_out = Call::new("POST", "/api/logout", Who::Token(&tokens[0]), None);
        self.make("sign out", 200, &[sign_out]).await?;
        self.make("delete an account (hashes)", 200, &[people::delete(&tokens[1])]).await.map(drop)
    }

    /// Makes calls of one kind, and returns what they were answered with. Any
    /// other answer than a good one ends the run.
    async fn make(&mut self, name: &'static str, wanted: u16, calls: &[Call]) -> Result<Vec<Told>, Trouble> {
        let threads = || Threads::of(self.subject.pid()?);
        let (before, mut told, mut took) = (threads(), Vec::with_capacity(calls.len()), Vec::new());
        for call in calls {
            let sent = clock::now();
            let reply = self.client.call(call).await;
            took.push(sent.elapsed());
            let reply = reply.map_err(|error| no_answer(self.subject.address, call, &error))?;
            told.push(Told { json: expected(wanted, call, &reply)?, cookie: reply.cookie });
        }
        sleep(AFTERMATH).await;
        let used = threads().zip(before).map(|(now, before)| now.since(&before));
        let (latencies, server) = self.tallies.entry(name).or_insert_with(|| (Latencies::new(), Some(Duration::ZERO)));
        took.into_iter().for_each(|took| latencies.record(took));
        *server = server.zip(used).map(|(sum, used)| sum + used);
        Ok(told)
    }
}
