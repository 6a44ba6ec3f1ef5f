//! One connection that sends notes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use crate::load::http::{Call, Client, Who};
use crate::load::pace::Pace;
use crate::load::people::Person;
use crate::scenarios::notes::ledger::{Fate, Note, text};

/// A server that takes no connections is not asked a thousand times a second.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// What the senders of a run share.
pub(crate) struct Post {
    pub(crate) people: Vec<Person>,
    pub(crate) tag: String,
    /// All notes of the run, by their numbers.
    pub(crate) notes: RefCell<Vec<Note>>,
    /// Inboxes that took no more.
    full: Vec<Cell<bool>>,
}

impl Post {
    pub(crate) fn new(people: Vec<Person>, tag: &str) -> Rc<Self> {
        let full = vec![Cell::new(false); people.len()];
        Rc::new(Self { people, tag: tag.to_owned(), notes: RefCell::default(), full })
    }

    /// An inbox with room, beginning the search at `first`.
    fn inbox(&self, first: usize) -> Option<usize> {
        let count = self.full.len();
        (0..count).map(|n| (first + n) % count).find(|inbox| !self.full[*inbox].get())
    }

    pub(crate) fn full(&self) -> usize {
        self.full.iter().filter(|full| full.get()).count()
    }

    /// The call that sends a note to an inbox, and its number.
    pub(crate) fn note(&self, client: (usize, usize), inbox: usize) -> (usize, Call) {
        let number = self.notes.borrow().len();
        self.notes.borrow_mut().push(Note { client, inbox, fate: Fate::Unknown });
        let text = text(&self.tag, number, inbox);
        // Neither the id nor the words hold anything that JSON would escape.
        let body = format!(r#"{{"id":"{}","message":"{text}"}}"#, self.people[inbox].target);
        (number, Call::post("/api/annon-message", Who::Nobody, body))
    }

    /// What became of a note, by its answer. A 5xx can come after it was
    /// written.
    pub(crate) fn answered(&self, number: usize, status: u16) {
        self.notes.borrow_mut()[number].fate = match status {
            201 => Fate::Acknowledged,
            500.. => Fate::Unknown,
            _ => Fate::Refused,
        };
    }
}

/// A sender, connected before its stage begins.
pub(crate) struct Sender {
    pub(crate) post: Rc<Post>,
    /// The stage, and which client of it.
    pub(crate) client: (usize, usize),
    pub(crate) connection: Client,
}

impl Sender {
    /// Sends until the stage is over.
    pub(crate) async fn run(mut self, pace: Rc<Pace>) {
        let mut next = self.client.1;
        while let Some(due) = pace.next().await {
            let Some(inbox) = self.post.inbox(next) else {
                pace.record(due, Err("not sent: every inbox is full; use more --accounts"));
                break;
            };
            next += 1;
            let (number, call) = self.post.note(self.client, inbox);
            match self.connection.call(&call).await {
                Ok(reply) => {
                    self.post.answered(number, reply.status);
                    if reply.status == 409 {
                        self.post.full[inbox].set(true);
                    }
                    pace.record(due, reply.expect(201).map(drop));
                }
                Err(error) => {
                    pace.record(due, Err(error));
                    sleep(AFTER_FAILURE).await;
                }
            }
        }
    }
}
