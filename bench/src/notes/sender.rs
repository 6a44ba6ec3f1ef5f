//! One connection that sends notes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use tokio::time::sleep;

use crate::api::{self, SEND_NOTE, Who};
use crate::clock;
use crate::http::{Connection, HttpError};
use crate::load::Meter;
use crate::notes::ledger::{Fate, NoteName};
use crate::people::People;
use crate::target::Address;
use crate::turns::Turns;

/// A server that takes no connections is not asked a thousand times a second.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// What the senders of a run share.
pub(crate) struct Post {
    pub(crate) address: Address,
    pub(crate) people: People,
    /// Inboxes that took no more.
    pub(crate) full: Vec<AtomicBool>,
    pub(crate) length: usize,
}

impl Post {
    /// An inbox with room, beginning the search at `first`.
    fn inbox(&self, first: usize) -> Option<usize> {
        let count = self.full.len();
        (0..count).map(|n| (first + n) % count).find(|inbox| !self.full[*inbox].load(Relaxed))
    }

    pub(crate) fn request(&self, name: &NoteName) -> Vec<u8> {
        let text = name.text(&self.people.tag, self.length);
        // Neither the id nor the words hold anything that JSON would escape.
        let body = format!(r#"{{"id":"{}","message":"{text}"}}"#, self.people.all[name.inbox].target);
        api::request("POST", SEND_NOTE, self.address, Who::Nobody, Some(&body))
    }
}

/// A sender, connected before its stage begins.
pub(crate) struct Sender {
    pub(crate) post: Arc<Post>,
    pub(crate) stage: usize,
    pub(crate) client: usize,
    pub(crate) connection: Option<Connection>,
}

impl Sender {
    /// Sends until the turns are over; returns who it is and the fate of
    /// each note.
    pub(crate) async fn run(mut self, turns: Arc<Turns>, meter: Arc<Meter>) -> (usize, Vec<Fate>) {
        let mut fates = Vec::new();
        while let Some(due) = turns.next().await {
            let number = fates.len();
            let Some(inbox) = self.post.inbox(self.client + number) else {
                meter.failed("not sent: every inbox is full; use more --accounts");
                break;
            };
            let name = NoteName { stage: self.stage, client: self.client, number, inbox };
            match self.send(&name).await {
                Ok(201) => {
                    meter.good(clock::now().saturating_duration_since(due));
                    fates.push(Fate::Acknowledged);
                }
                Ok(409) => {
                    meter.failed("409: an inbox was full");
                    self.post.full[inbox].store(true, Relaxed);
                    fates.push(Fate::Refused);
                }
                Ok(status) => {
                    meter.failed(status);
                    // A 5xx can come after the note was written.
                    fates.push(if status < 500 { Fate::Refused } else { Fate::Unknown });
                }
                Err(error) => {
                    meter.failed(error);
                    fates.push(Fate::Unknown);
                    sleep(AFTER_FAILURE).await;
                }
            }
        }
        (self.client, fates)
    }

    async fn send(&mut self, name: &NoteName) -> Result<u16, HttpError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.post.address).await?,
        };
        let reply = connection.call(&self.post.request(name)).await?;
        let (status, is_kept) = (reply.status, reply.is_kept);
        self.connection = is_kept.then_some(connection);
        Ok(status)
    }
}
