//! The process that is killed. Sixteen tasks, each with accounts of its own, print what they will
//! do, and print again when the store has acknowledged it. Two sweepers run beside them.

use std::sync::Arc;

use annon_store::Kept;
use annon_store::account::{Account, AccountId};
use annon_store::inbox::Note;
use annon_store::room::{RoomEvent, Seq};
use annon_store::{Local, StoreError};

use crate::crash::random::Random;
use crate::support::open;
use crate::support::people::*;

pub(crate) const FOLDER: &str = "ANNON_CRASH_CHILD_FOLDER";
pub(crate) const SEED: &str = "ANNON_CRASH_CHILD_SEED";
pub(crate) const ROUND: &str = "ANNON_CRASH_CHILD_ROUND";
const TASKS: u64 = 16;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).unwrap().parse().ok()
}

#[test]
fn the_process_that_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = Arc::new(open(folder.as_ref()));
        println!("\nopen");
        let present = store.accounts().list(None, usize::MAX).await.unwrap();
        for _ in 0..2 {
            let store = store.clone();
            tokio::spawn(async move {
                store.sweep_after_start(NOW).await.unwrap();
                loop {
                    store.sweep(NOW).await.unwrap();
                    tokio::task::yield_now().await;
                }
            });
        }
        let Some(round) = variable(ROUND) else { return std::future::pending().await };
        for task in 0..TASKS {
            let own = present.iter().filter(|account| number_of(account.id) % TASKS == task).cloned().collect();
            let random = Random::new(variable(SEED).unwrap() * 100 + task);
            let next = (round + 1) * 1_000_000 + task;
            tokio::spawn(Worker { store: store.clone(), task, random, own, next, reports: Vec::new() }.work());
        }
        std::future::pending::<()>().await
    });
}

pub(crate) fn message(n: u64, at: u64) -> RoomEvent {
    posted(&format!("message {at} in the room of {n}"))
}

pub(crate) fn number_of(id: AccountId) -> u64 {
    id.0.as_u128() as u64
}

pub(crate) struct Worker {
    pub(crate) store: Arc<Local>,
    task: u64,
    pub(crate) random: Random,
    own: Vec<Account>,
    next: u64,
    /// Reports that it has made and not closed.
    pub(crate) reports: Vec<u64>,
}

impl Worker {
    async fn work(mut self) {
        loop {
            self.step().await;
        }
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.next += TASKS;
        self.next
    }

    pub(crate) fn will(&self, what: &str) {
        println!("will {} {what}", self.task);
    }

    pub(crate) fn did(&self) {
        println!("did {}", self.task);
    }

    async fn step(&mut self) {
        let (accounts, inbox) = (self.store.accounts(), numbered(self.store.inbox()));
        let chance = self.random.below(100);
        if self.own.is_empty() || chance < 10 {
            let n = self.number();
            self.will(&format!("create {n}"));
            accounts.create(account(n)).await.unwrap();
            self.did();
            self.own.push(account(n));
            return;
        }
        let at = self.random.below(self.own.len() as u64) as usize;
        let (id, n) = (self.own[at].id, number_of(self.own[at].id));
        if chance < 16 {
            self.own.swap_remove(at);
            self.will(&format!("delete {n}"));
            accounts.delete(id).await.unwrap();
            self.did();
            return;
        }
        if chance < 20 {
            let to = self.number();
            self.will(&format!("password {n} {to}"));
            let was = self.own[at].password.clone();
            accounts.change_password(id, was, hash(to), None).await.unwrap();
            self.own[at].password = hash(to);
            self.did();
            return;
        }
        if chance < 35 {
            let (rooms, log) = (self.store.rooms(), self.store.room_log());
            let end = log.read(room(n.into()), Seq(0)).await.unwrap().len() as u64;
            self.will(&format!("post {n} {end}"));
            if end == 0 {
                // A kill may have come between the room's creation and its first message.
                let made = rooms.create(metadata(n.into(), n, NOW + 1000), NOW).await;
                assert!(matches!(made, Ok(()) | Err(StoreError::Conflict)), "{made:?}");
            }
            log.append(room(n.into()), Seq(end), vec![message(n, end)]).await.unwrap();
            self.did();
            return;
        }
        if chance < 70 {
            return self.talk(id, n).await;
        }
        if chance < 80 {
            let note = self.number();
            self.will(&format!("deliver {n} {note}"));
            inbox.deliver(id, crate::support::people::note(note)).await.unwrap();
            self.did();
            return;
        }
        let page = inbox.page(id, None, 20).await.unwrap();
        if page.notes.is_empty() {
            return;
        }
        let Note { id: note, .. } = page.notes[self.random.below(page.notes.len() as u64) as usize];
        let note_number = note.0.as_u128() as u64;
        if chance < 90 {
            self.will(&format!("see {n} {note_number}"));
            inbox.mark_seen(id, note).await.unwrap();
        } else {
            self.will(&format!("remove {n} {note_number}"));
            inbox.remove(id, note).await.unwrap();
        }
        self.did();
    }
}
