//! Filling the inboxes. Every note says which one it is, so that afterwards
//! each can be found again.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use futures_util::future::try_join_all;

use crate::clock;
use crate::http::Connection;
use crate::notes::ledger::{Fate, Ledger, NoteName};
use crate::notes::sender::Post;
use crate::people::{INBOX_NOTES, People};
use crate::report::say;
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;
use crate::view::watched;

/// Most notes that are sent to one inbox to be measured.
pub(crate) const MEASURED: u64 = 1_000;
/// Notes in a well-filled inbox: there is room for those that are measured.
pub(super) const INBOX: u64 = INBOX_NOTES - MEASURED;
/// Letters of a note.
const LENGTH: usize = 120;

/// Stores notes, more with each stage.
pub(super) struct Filler {
    clients: usize,
    inboxes: usize,
    /// Notes that were acknowledged.
    pub(super) stored: u64,
    pub(super) ledger: Ledger,
}

impl Filler {
    pub(super) fn new(clients: usize, inboxes: usize) -> Self {
        Self { clients, inboxes, stored: 0, ledger: Ledger::default() }
    }

    /// What the check needs to know about everybody.
    pub(super) fn post(&self, address: Address, people: &People) -> Post {
        Post { address, people: people.clone(), full: Vec::new(), length: LENGTH }
    }

    /// Sends notes until so many are stored. Ended by somebody it says how
    /// many are.
    pub(super) async fn fill(
        &mut self,
        address: Address,
        people: &People,
        until: u64,
        stop: &Stop,
    ) -> Result<(), Trouble> {
        let (post, next, stage) = (self.post(address, people), AtomicU64::new(self.stored), self.ledger.stages());
        let acknowledged = &AtomicU64::new(0);
        let (from, inboxes) = (self.stored, self.inboxes);
        let wanted = until - from;
        let clients = self.clients.min(usize::try_from(wanted).unwrap_or(self.clients));
        let (post, next) = (&post, &next);
        let lanes = (0..clients).map(|client| Lane { post, next, until, inboxes, stage, client }.run(acknowledged));
        let begun = clock::now();
        let told = || {
            let (stored, rate) = (acknowledged.load(Relaxed), acknowledged.load(Relaxed) as f64);
            let rate = rate / begun.elapsed().as_secs_f64();
            (stored as f64 / wanted as f64, format!("{stored} of {wanted} notes, {rate:.0} a second"))
        };
        let filled = watched(stop.or(try_join_all(lanes)), told).await;
        self.stored = from + acknowledged.load(Relaxed);
        if let Err(Trouble::Interrupted) = filled {
            say(&format!("    Unfinished: {}; no call was made with so many.", told().1));
        }
        self.ledger.add_stage(filled?.into_iter().map(|sent| vec![Fate::Acknowledged; sent]).collect());
        Ok(())
    }
}

/// One connection, which takes the next note until there is none left.
struct Lane<'a> {
    post: &'a Post,
    next: &'a AtomicU64,
    until: u64,
    inboxes: usize,
    stage: usize,
    client: usize,
}

impl Lane<'_> {
    /// Returns how many it sent.
    async fn run(self, acknowledged: &AtomicU64) -> Result<usize, Trouble> {
        let Self { post, stage, client, .. } = self;
        let broken = |error| Trouble::because(format!("filling the inboxes: {error}"));
        let mut connection = Connection::open(post.address).await.map_err(broken)?;
        let mut number = 0;
        loop {
            let note = self.next.fetch_add(1, Relaxed);
            if note >= self.until {
                return Ok(number);
            }
            let name = NoteName { stage, client, number, inbox: inbox_of(note, self.inboxes) };
            let reply = connection.call(&post.request(&name)).await.map_err(broken)?;
            if reply.status != 201 {
                let why = format!("filling the inboxes: a note was answered with {}", reply.status);
                return Err(Trouble::because(why));
            }
            acknowledged.fetch_add(1, Relaxed);
            number += 1;
        }
    }
}

/// The first inbox is filled first, because it is the one that is read; the
/// others fill evenly.
fn inbox_of(note: u64, inboxes: usize) -> usize {
    match note.checked_sub(INBOX) {
        Some(later) if inboxes > 1 => 1 + (later % (inboxes as u64 - 1)) as usize,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_inbox_gets_more_than_it_holds() {
        for notes in [1, INBOX, INBOX + 1, 100_000] {
            let inboxes = notes.div_ceil(INBOX) as usize;
            let mut counts = vec![0; inboxes];
            (0..notes).for_each(|note| counts[inbox_of(note, inboxes)] += 1);
            assert!(counts.iter().all(|count| *count <= INBOX), "{notes}: {counts:?}");
            assert_eq!(counts[0], notes.min(INBOX));
        }
    }
}
