//! A user who makes every call that the store answers, and takes back what the calls have written,
//! so that all stages meet the same inboxes. It makes one call after the other on one connection.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use tokio::time::sleep;

use crate::load::{
    Call, Client, Latencies, Person, Reply, Subject, Summary, Threads, Who, api, clock, people, process,
};
use crate::scenarios::pages::{PAGE_NOTES, newest_page, oldest_page};
use crate::trouble::Fallible;

/// How often each call is made before the next one: less often than one account may have rooms, and
/// than a page has notes.
pub(super) const BATCH: usize = 25;
/// The pause after a call. What the server does after its answer belongs to this call, and not to
/// the next one.
const AFTERMATH: Duration = Duration::from_millis(2);

/// The cost of each kind of call.
pub(super) type Costs = BTreeMap<String, Cost>;

#[derive(Clone, Copy, Serialize)]
pub(super) struct Cost {
    pub(super) latency: Summary,
    /// Microseconds of the server's processor time.
    pub(super) server_cpu_each: Option<f64>,
}

/// An inbox that is visited.
#[derive(Clone)]
struct Mailbox {
    target: String,
    token: String,
    /// How full the inbox is, for the names of its calls.
    fill: &'static str,
}

pub(super) struct Visitor<'a> {
    subject: &'a Subject,
    client: Client,
    /// A well-filled inbox, and one that is nearly empty.
    mailboxes: [Mailbox; 2],
    /// The last page of the first inbox, and the inbox's owner.
    oldest: String,
    owner: String,
    /// The name of an account that is made and deleted.
    newcomer: String,
    totals: BTreeMap<String, (Latencies, Option<Duration>)>,
}

impl<'a> Visitor<'a> {
    /// Visits the inbox of the first person, which is well filled, and of the last person, which is
    /// nearly empty.
    pub(super) async fn new(subject: &'a Subject, people: &[Person]) -> Fallible<Self> {
        let (full, empty) = (&people[0], &people[people.len() - 1]);
        let mailbox = async |person: &Person, fill| -> Fallible<Mailbox> {
            Ok(Mailbox { target: person.target.clone(), token: person.token(subject.address).await?, fill })
        };
        let mailboxes = [mailbox(full, "well filled").await?, mailbox(empty, "nearly empty").await?];
        let mut client = Client::new(subject.address);
        let oldest = oldest_page(&client.inbox(&mailboxes[0].token).await?);
        let newcomer = format!("{}x", &empty.name[..empty.name.len() - 1]);
        let (owner, totals) = (full.name.clone(), BTreeMap::new());
        let mut this = Self { subject, client, mailboxes, oldest, owner, newcomer, totals };
        // The first round is not counted, because calls take longer the first time.
        this.round().await?;
        this.totals.clear();
        Ok(this)
    }

    pub(super) fn costs(self) -> Costs {
        let cost = |(latencies, server): (Latencies, Option<Duration>)| {
            let latency = latencies.summary();
            Cost { latency, server_cpu_each: process::each(server, latency.count) }
        };
        self.totals.into_iter().map(|(call, total)| (call, cost(total))).collect()
    }

    /// Makes every call a few times.
    pub(super) async fn round(&mut self) -> Fallible {
        let [full, empty] = self.mailboxes.clone();
        let (full_ids, empty_ids) = (self.send(&full).await?, self.send(&empty).await?);
        let owner = Who::Token(&full.token);
        let marks = full_ids.iter().map(|id| Call::get(&format!("/api/mark_as_seen/{id}"), owner));
        self.make("mark a note as seen", 200, marks).await?;
        for (name, path, who) in [
            ("oldest page, well filled", self.oldest.clone(), owner),
            ("unread count and newest note", newest_page(1), owner),
            ("look up where notes go", format!("/api/annon/{}", self.owner), Who::Nobody),
            ("dashboard", "/api/dashboard".to_owned(), owner),
        ] {
            self.make(name, 200, vec![Call::get(&path, who); BATCH]).await?;
        }
        self.rooms(&empty.token).await?;
        self.account().await?;
        for (ids, Mailbox { token, fill, .. }) in [(&full_ids, &full), (&empty_ids, &empty)] {
            let deletes = ids.iter().map(|id| Call::delete(&format!("/api/message/{id}"), Who::Token(token)));
            self.make(&format!("delete a note, {fill}"), 200, deletes).await?;
        }
        Ok(())
    }

    /// Sends notes to an inbox, reads its newest page, and returns the notes' ids.
    async fn send(&mut self, Mailbox { target, token, fill }: &Mailbox) -> Fallible<Vec<String>> {
        const WORDS: &str = "This note is one of those that come and go, while";
        let body = |n| json!({"id": target, "message": format!("{WORDS} {n}")});
        let sends = (0..BATCH).map(|n| Call::post("/api/annon-message", Who::Nobody, body(n)));
        self.make(&format!("send a note, {fill}"), 201, sends).await?;
        let read = Call::get(&newest_page(PAGE_NOTES), Who::Token(token));
        let pages = self.make(&format!("newest page, {fill}"), 200, vec![read.clone(); BATCH]).await?;
        let page = pages[0].json();
        let notes = page["data"].as_array().into_iter().flatten().take(BATCH);
        let ours = notes.filter(|note| note["message"].as_str().is_some_and(|message| message.starts_with(WORDS)));
        let ids: Vec<_> = ours.filter_map(|note| note["id"].as_str().map(str::to_owned)).collect();
        if ids.len() == BATCH { Ok(ids) } else { api::odd(&read, "it doesn't begin with the notes just acknowledged") }
    }

    /// Makes rooms, visits each, and closes them.
    async fn rooms(&mut self, token: &str) -> Fallible {
        let owner = Who::Token(token);
        let make = Call::post("/api/room/create", owner, json!({"name": "growth"}));
        let made = self.make("make a room", 201, vec![make.clone(); BATCH]).await?;
        let ids = made.iter().map(|reply| api::word(&reply.json(), "room_id", &make)).collect::<Result<Vec<_>, _>>()?;
        self.make("list one's rooms", 200, vec![Call::get("/api/rooms", owner); BATCH]).await?;
        let seats = ids.iter().map(|id| Call::get(&format!("/api/room-emoji/{id}"), Who::Nobody));
        let seated = self.make("take a seat", 200, seats).await?;
        let cookies: Vec<_> = seated.into_iter().filter_map(|reply| reply.cookie).collect();
        let seats = || ids.iter().zip(&cookies).map(|(id, cookie)| (format!("/api/room/{id}"), Who::Seat(cookie)));
        self.make("show a room", 200, seats().map(|(room, who)| Call::get(&room, who))).await?;
        let leaves = seats().map(|(room, who)| Call::delete(&format!("{room}/seat"), who));
        self.make("give a seat back", 200, leaves).await?;
        let closes = ids.iter().map(|id| Call::delete(&format!("/api/room/{id}"), owner));
        self.make("close a room", 200, closes).await.map(drop)
    }

    /// A new user signs up, in and out, and deletes the account: once, because hashing takes longer
    /// than all other calls together.
    async fn account(&mut self) -> Fallible {
        let sign_in = people::sign_in(&self.newcomer);
        self.make("sign up (hashes)", 201, [people::sign_up(&self.newcomer)]).await?;
        let signed_in = self.make("sign in (hashes)", 200, [sign_in.clone(), sign_in.clone()]).await?;
        let tokens = signed_in.iter().map(|reply| api::word(&reply.json(), "access_token", &sign_in));
        let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
        self.make("sign out", 200, [Call::new("POST", "/api/logout", Who::Token(&tokens[0]), None)]).await?;
        self.make("delete an account (hashes)", 200, [people::delete(&tokens[1])]).await.map(drop)
    }

    /// Makes calls of one kind, and returns their replies. A reply with another status ends the
    /// run.
    async fn make(&mut self, name: &str, status: u16, calls: impl IntoIterator<Item = Call>) -> Fallible<Vec<Reply>> {
        let calls: Vec<_> = calls.into_iter().collect();
        let threads = || Threads::of(self.subject.pid?);
        let (before, mut replies, mut took) = (threads(), Vec::with_capacity(calls.len()), Vec::new());
        for call in &calls {
            let sent = clock::now();
            let reply = self.client.ask(call).await?;
            took.push(sent.elapsed());
            api::expected(status, call, &reply)?;
            replies.push(reply);
        }
        sleep(AFTERMATH).await;
        let used = threads().zip(before).map(|(now, before)| now.since(&before));
        let total = self.totals.entry(name.to_owned());
        let (latencies, server) = total.or_insert_with(|| (Latencies::default(), Some(Duration::ZERO)));
        took.into_iter().for_each(|took| latencies.record(took));
        *server = server.zip(used).map(|(sum, used)| sum + used);
        Ok(replies)
    }
}
