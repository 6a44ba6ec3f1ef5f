//! Notes for the history: people write to two inboxes, each note at another server, while each server is read by a reader
//! of its own. Owners block some of the senders, and somebody's page is suspended and restored again and again.

use std::rc::Rc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::history::{Step, What};
use crate::load::{Call, Client, Person, Who};
use crate::scenarios::cluster::chaos::Chaos;
use crate::scenarios::cluster::guests::{PATIENCE, ask};

/// How many write to each inbox at a time.
const SENDERS: u32 = 3;
/// The longest time between two things that somebody does.
const PAUSE: Duration = Duration::from_secs(2);
/// The notes of senders of an inbox, among which one is blocked.
const UNTIL_BLOCKED: u32 = 12;

/// An inbox, and what was sent to it.
struct Inbox {
    chaos: Rc<Chaos>,
    room: usize,
    target: String,
    token: String,
}

/// Lets notes be written to somebody and read until the run ends.
pub(super) fn write_and_read(chaos: &Rc<Chaos>, owner: &Person, token: String, tasks: &mut JoinSet<()>) {
    let (chaos, room, target) = (chaos.clone(), chaos.another_room(), owner.target.clone());
    let inbox = Rc::new(Inbox { chaos, room, target, token });
    for at in 0..SENDERS {
        tasks.spawn_local(inbox.clone().write(at));
    }
    for node in 0..inbox.chaos.nodes.all.len() {
        tasks.spawn_local(inbox.clone().read_for_ever(node));
    }
}

impl Inbox {
    /// Writes as one sender until that one is blocked, and a little longer; then as another one.
    async fn write(self: Rc<Self>, at: u32) {
        let mut number = at << 24;
        for sender in (at..).step_by(SENDERS as usize) {
            for count in 0..UNTIL_BLOCKED * 3 / 2 {
                number += 1;
                self.note(number, sender).await;
                if count == UNTIL_BLOCKED {
                    self.block(number, sender).await;
                }
                sleep(self.chaos.chance.between(Duration::ZERO, PAUSE)).await;
            }
        }
    }

    async fn note(&self, number: u32, sender: u32) {
        let chaos = &self.chaos;
        let what = || What::Note(number, sender);
        let tag = BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(format!("{} {sender}", self.room))[..16]);
        let body =
            json!({"id": self.target, "message": format!("{number} {sender} is what somebody wrote"), "tag": tag});
        let op = chaos.history.invoke(chaos.another_process(), self.room, what());
        let reply = ask(chaos, &Call::post("/api/annon-message", Who::Nobody, body)).await;
        chaos.history.end(&op, step_of(reply.map(|reply| reply.status), 201), what());
    }

    /// The owner blocks whoever sent a note, if it is there.
    async fn block(&self, number: u32, sender: u32) {
        let chaos = &self.chaos;
        let Some((_, address)) = chaos.nodes.next() else { return };
        let notes = timeout(PATIENCE, Client::new(address).inbox(&self.token)).await;
        let Ok(Ok(notes)) = notes else { return };
        let Some(note) = notes.iter().find(|note| number_in(&note.message) == Some(number)) else { return };
        let op = chaos.history.invoke(chaos.another_process(), self.room, What::Block(sender));
        let call = Call::post(&format!("/api/message/{}/block", note.id), Who::Token(&self.token), "");
        let reply = ask(chaos, &call).await;
        chaos.history.end(&op, step_of(reply.map(|reply| reply.status), 200), What::Block(sender));
    }

    /// Reads the inbox at one server.
    async fn read_for_ever(self: Rc<Self>, node: usize) {
        let (chaos, process) = (&self.chaos, self.chaos.another_process());
        loop {
            sleep(chaos.chance.between(Duration::ZERO, PAUSE / 2)).await;
            let Some(address) = chaos.nodes.all[node].address.get() else { continue };
            let op = chaos.history.invoke(process, self.room, What::Inbox(None));
            let notes = timeout(PATIENCE, Client::new(address).inbox(&self.token)).await;
            let Ok(Ok(notes)) = notes else {
                chaos.history.end(&op, Step::Unknown, What::Inbox(None));
                continue;
            };
            // A note of which nobody knows has a number that nobody has.
            let numbers = notes.iter().map(|note| number_in(&note.message).unwrap_or(u32::MAX)).collect();
            chaos.history.end(&op, Step::Ok, What::Inbox(Some(numbers)));
        }
    }
}

fn number_in(message: &str) -> Option<u32> {
    message.split(' ').next()?.parse().ok()
}

/// What a status says. A no of the server's is final.
pub(super) fn step_of(status: Option<u16>, yes: u16) -> Step {
    match status {
        Some(status) if status == yes => Step::Ok,
        Some(_) => Step::Fail,
        None => Step::Unknown,
    }
}

/// Suspends somebody and restores them, at one server after the other, while their page is visited at all of them.
pub(super) fn suspend_and_visit(chaos: &Rc<Chaos>, whom: &Person, tasks: &mut JoinSet<()>) {
    let room = chaos.another_room();
    for node in 0..chaos.nodes.all.len() {
        let (chaos, page) = (chaos.clone(), Call::get(&format!("/api/annon/{}", whom.name), Who::Nobody));
        tasks.spawn_local(async move {
            let process = chaos.another_process();
            loop {
                sleep(chaos.chance.between(Duration::ZERO, PAUSE / 4)).await;
                let Some(address) = chaos.nodes.all[node].address.get() else { continue };
                let op = chaos.history.invoke(process, room, What::Visit(None));
                let reply = timeout(PATIENCE, Client::new(address).ask(&page)).await;
                let seen = match reply.map(|reply| reply.map(|reply| reply.status)) {
                    Ok(Ok(200)) => Some(true),
                    Ok(Ok(403)) => Some(false),
                    _ => None,
                };
                let step = if seen.is_some() { Step::Ok } else { Step::Unknown };
                chaos.history.end(&op, step, What::Visit(seen));
            }
        });
    }
    let (chaos, name) = (chaos.clone(), whom.name.clone());
    tasks.spawn_local(async move {
        let process = chaos.another_process();
        let (mut suspends, mut node) = (true, 0);
        loop {
            sleep(chaos.chance.between(Duration::ZERO, 2 * PAUSE)).await;
            let flags: &[&str] = if suspends { &["--days", "1", "--reason", "a run"] } else { &[] };
            let command = ["user", if suspends { "suspend" } else { "restore" }, &name];
            let op = chaos.history.invoke(process, room, What::Suspend(suspends));
            let is_done = chaos.nodes.all[node].obeys(&[&command[..], flags].concat()).await;
            chaos.history.end(&op, if is_done { Step::Ok } else { Step::Unknown }, What::Suspend(suspends));
            // It is tried again elsewhere: nobody knows what became of it here.
            suspends ^= is_done;
            node = (node + 1) % chaos.nodes.all.len();
        }
    });
}
