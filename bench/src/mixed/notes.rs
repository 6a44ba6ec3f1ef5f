//! The notes of a day, which have to be in their inboxes afterwards, once.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use crate::mixed::{CALLERS, Work};
use crate::notes::check::{Verdict, check};
use crate::notes::ledger::{Fate, Ledger};
use crate::notes::sender::{Post, Sender};
use crate::people::People;
use crate::target::Address;
use crate::trouble::Trouble;

/// Characters of a note.
const LENGTH: usize = 100;

/// The senders of notes, and the result of each note.
pub(super) struct Notes {
    post: Arc<Post>,
    fates: Arc<Mutex<Vec<Returned>>>,
}

/// A sender, and the fate of each of its notes.
type Returned = (usize, Vec<Fate>);

impl Notes {
    pub(super) fn new(address: Address, people: &People) -> Self {
        let full = people.all.iter().map(|_| AtomicBool::new(false)).collect();
        Self { post: Arc::new(Post { address, people: people.clone(), full, length: LENGTH }), fates: Arc::default() }
    }

    pub(super) fn senders(&self) -> Vec<Work> {
        let one = |client: usize| -> Work {
            let (post, fates) = (self.post.clone(), self.fates.clone());
            Box::new(move |turns, meter| {
                Box::pin(async move {
                    let sent = Sender { post, stage: 0, client, connection: None }.run(turns, meter).await;
                    fates.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
                })
            })
        };
        (0..CALLERS).map(one).collect()
    }

    /// Reads all inboxes, when everybody has come back.
    pub(super) async fn check(&self) -> Result<Verdict, Trouble> {
        let mut clients = std::mem::take(&mut *self.fates.lock().unwrap_or_else(PoisonError::into_inner));
        clients.sort_by_key(|(client, _)| *client);
        let mut ledger = Ledger::default();
        ledger.add_stage(clients.into_iter().map(|(_, fates)| fates).collect());
        check(&self.post, &ledger).await
    }
}
