//! Conversations for the history: both sides say lines and unsend some, each at another server, while each server is read;
//! then one of them ends it, and another one begins.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::{sleep, timeout};

use crate::history::{Page, Step, What};
use crate::load::{Call, Client, Person, Who};
use crate::scenarios::cluster::chaos::Chaos;
use crate::scenarios::cluster::guests::{PATIENCE, ask};
use crate::scenarios::cluster::letters::step_of;

/// How many lines each side says.
const LINES: u32 = 12;
/// The longest time between two things that somebody does.
const PAUSE: Duration = Duration::from_millis(400);
/// A line in so many is unsent.
const UNSENT: usize = 5;

struct Talk<'a> {
    chaos: &'a Chaos,
    room: usize,
    path: String,
    /// What each side shows: the owner a token, the sender a key.
    shown: [&'a str; 2],
    is_over: Cell<bool>,
    /// Lines that were said and not unsent: their numbers and places.
    said: RefCell<Vec<(usize, u32, u64)>>,
}

/// Lets one conversation after the other be held until the run ends.
pub(super) async fn talk(chaos: Rc<Chaos>, owner: Person, token: String) {
    for count in 0_u32.. {
        let key = Sha256::digest(format!("the key of conversation {count} with {}", owner.name));
        let id = BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(format!("{count} {}", owner.name))[..16]);
        let proof = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(key));
        let conversation = json!({ "id": id, "proof": proof });
        let note = json!({ "id": owner.target, "message": "a note of the bench", "conversation": conversation });
        let begun = ask(&chaos, &Call::post("/api/annon-message", Who::Nobody, note)).await;
        if begun.is_none_or(|begun| begun.status != 201) {
            sleep(PAUSE).await;
            continue;
        }
        let key = BASE64_URL_SAFE_NO_PAD.encode(key);
        let talk = Talk {
            chaos: &chaos,
            room: chaos.another_room(),
            path: format!("/api/conversation/{id}"),
            shown: [&token, &key],
            is_over: Cell::new(false),
            said: RefCell::default(),
        };
        let said = async {
            join(talk.say(0), talk.say(1)).await;
            talk.end().await;
            // What is read now is read after the end.
            sleep(PAUSE).await;
            talk.is_over.set(true);
        };
        let reading = (0..2 * chaos.nodes.all.len()).map(|reader| talk.read(reader / 2, reader % 2));
        join(said, join_all(reading)).await;
    }
}

impl Talk<'_> {
    fn who(&self, side: usize) -> Who<'_> {
        if side == 0 { Who::Token(self.shown[0]) } else { Who::Key(self.shown[1]) }
    }

    async fn say(&self, side: usize) {
        let (chaos, process) = (self.chaos, self.chaos.another_process());
        for line in 1..=LINES {
            sleep(chaos.chance.between(Duration::ZERO, PAUSE)).await;
            let number = ((side as u32) << 24) + line;
            let body = json!({ "id": format!("{number:015}"), "message": format!("{number} is what somebody says") });
            let op = chaos.history.invoke(process, self.room, What::Say(number, None));
            let reply = ask(chaos, &Call::post(&self.path, self.who(side), body)).await;
            let place = reply.as_ref().and_then(|reply| reply.json()["seq"].as_u64());
            chaos.history.end(&op, step_of(reply.map(|reply| reply.status), 201), What::Say(number, place));
            self.said.borrow_mut().extend(place.map(|place| (side, number, place)));
            if chaos.chance.below(UNSENT) == 0 {
                self.unsend(process, side).await;
            }
        }
    }

    /// Unsends a line of one's own.
    async fn unsend(&self, process: usize, side: usize) {
        let at = self.said.borrow().iter().rposition(|(by, ..)| *by == side);
        let Some((_, number, place)) = at.map(|at| self.said.borrow_mut().remove(at)) else { return };
        let op = self.chaos.history.invoke(process, self.room, What::TakeBack(number));
        let reply = ask(self.chaos, &Call::delete(&format!("{}/line/{place}", self.path), self.who(side))).await;
        self.chaos.history.end(&op, step_of(reply.map(|reply| reply.status), 200), What::TakeBack(number));
    }

    /// Ends it, and asks again until that is certain.
    async fn end(&self) {
        let op = self.chaos.history.invoke(self.chaos.another_process(), self.room, What::End);
        for _ in 0..50 {
            let side = self.chaos.chance.below(2);
            let reply = ask(self.chaos, &Call::delete(&self.path, self.who(side))).await;
            // It isn't there if it has just ended, and nobody heard that.
            if reply.is_some_and(|reply| [200, 404].contains(&reply.status)) {
                return self.chaos.history.end(&op, Step::Ok, What::End);
            }
            sleep(PAUSE).await;
        }
        self.chaos.history.end(&op, Step::Unknown, What::End);
    }

    /// Reads it at one server, as one of the two.
    async fn read(&self, node: usize, side: usize) {
        let (chaos, process) = (self.chaos, self.chaos.another_process());
        while !self.is_over.get() {
            sleep(chaos.chance.between(Duration::ZERO, PAUSE)).await;
            let Some(address) = chaos.nodes.all[node].address.get() else { continue };
            let op = chaos.history.invoke(process, self.room, What::Read(None));
            let reply = timeout(PATIENCE, Client::new(address).ask(&Call::get(&self.path, self.who(side)))).await;
            match reply.map(|reply| reply.map(|reply| (reply.status, reply.json()))) {
                Ok(Ok((200, answer))) => {
                    chaos.history.end(&op, Step::Ok, What::Read(Some(page_of(&answer["data"]["lines"]))))
                }
                Ok(Ok((404, _))) => chaos.history.end(&op, Step::Fail, What::Read(None)),
                _ => chaos.history.end(&op, Step::Unknown, What::Read(None)),
            }
        }
    }
}

/// The lines that have words.
fn page_of(lines: &Value) -> Page {
    let number = |line: &Value| line["message"].as_str()?.split(' ').next()?.parse().ok();
    let chats = lines.as_array().into_iter().flatten().filter_map(|line| Some((line["seq"].as_u64()?, number(line)?)));
    Page { from: 0, chats: chats.collect() }
}
