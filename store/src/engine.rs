//! An engine: one way to keep everything, on a disk or elsewhere.
//!
//! Handlers and actors know this trait and the nouns' traits. Which engine it
//! is, only the server's start and the operator's commands know.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::account::{Accounts, Timestamp};
use crate::answer::Answers;
use crate::conversation::Conversations;
use crate::digest::Digests;
use crate::error::Result;
use crate::feedback::FeedbackBox;
use crate::image::Images;
use crate::inbox::Inbox;
use crate::inbox_seal::InboxSeals;
use crate::invitation::Invitations;
use crate::lapse::Lapses;
use crate::nouns::Nouns;
use crate::pause::Pauses;
use crate::personal_page::PersonalPages;
use crate::push::Pushes;
use crate::report::Reports;
use crate::room::RoomDirectory;
use crate::room_link::RoomLinks;
use crate::room_log::RoomLog;
use crate::rows::Keep;
use crate::shield::Shields;
use crate::sign_in::SignIns;
use crate::suspension::Suspensions;
use crate::telling::Tellings;
use crate::wire::Wire;

/// What several nodes share, as one of them sees it. The server that it reads from may be one
/// that the others have left: that one shows what is old, and nothing tells so but `confirm`.
#[async_trait]
pub trait Record: Send + Sync {
    /// The number of the server that is read from. Another one that takes over has another.
    fn server(&self) -> u64;
    /// Waits until it is known that what was read since `server` had this number is kept for
    /// good, and was the newest there was. `Unreachable` if nobody can know.
    async fn confirm(&self, server: u64) -> Result<()>;
    /// Lets the other nodes know that this one obeys the pause that began then; 0: that there is none.
    async fn obey(&self, _pause: Timestamp) -> Result<()> {
        Ok(())
    }
    /// The names of the living nodes that don't say that they obey this pause.
    async fn not_obeying(&self, _pause: Timestamp) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// One machine reads what it has written, and nobody else writes.
struct OneMachine;

#[async_trait]
impl Record for OneMachine {
    fn server(&self) -> u64 {
        0
    }

    async fn confirm(&self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// Names the nouns that are kept in rows. Every engine that keeps rows has them all.
macro_rules! kept {
    ($($noun:ident: $what:ident),* $(,)?) => {
        /// Hands out the nouns that are kept in rows.
        pub trait Kept: Send + Sync {
            $(fn $noun(&self) -> Arc<dyn $what>;)*
        }

        impl<K: Keep> Kept for K {
            $(fn $noun(&self) -> Arc<dyn $what> {
                Arc::new(Nouns(self.clone()))
            })*
        }
    };
}

kept! {
    accounts: Accounts,
    inbox: Inbox,
    answers: Answers,
    personal_pages: PersonalPages,
    inbox_seals: InboxSeals,
    pushes: Pushes,
    digests: Digests,
    conversations: Conversations,
    shields: Shields,
    feedback: FeedbackBox,
    reports: Reports,
    invitations: Invitations,
    pauses: Pauses,
    sign_ins: SignIns,
    lapses: Lapses,
    tellings: Tellings,
    suspensions: Suspensions,
    room_links: RoomLinks,
}

/// Hands out the nouns, and does what they have in common.
#[async_trait]
pub trait Engine: Kept {
    fn images(&self) -> Arc<dyn Images>;
    fn rooms(&self) -> Arc<dyn RoomDirectory>;
    /// What happened in the rooms.
    fn room_log(&self) -> Arc<dyn RoomLog>;
    /// How this node and the others hear of each other; `None` if there are no others.
    fn wire(&self) -> Option<Arc<dyn Wire>> {
        None
    }
    /// Whether what was read can be believed when a no rests on it.
    fn record(&self) -> Arc<dyn Record> {
        Arc::new(OneMachine)
    }
    /// A secret for one purpose. It stays the same as long as the data lives.
    fn secret(&self, purpose: &str) -> [u8; 32];
    /// Why it takes no writes now, in words for the operator; `None` while it takes them.
    fn trouble(&self) -> Option<&'static str>;
    /// Whether it takes writes.
    fn is_healthy(&self) -> bool {
        self.trouble().is_none()
    }
    /// What is damaged or missing of all that was stored, as far as it is known: a
    /// sentence each.
    fn findings(&self) -> Vec<String>;
    /// Resolves when a write has failed so that no later one can succeed, and never
    /// otherwise.
    async fn failed(&self);
    /// Whether space is so short that only deletions are written.
    fn is_full(&self) -> bool;
    /// Removes what has expired or lost its owner. It is called every few
    /// minutes.
    async fn sweep(&self, now: Timestamp) -> Result<Swept>;
    /// Does what `sweep` does, and removes what a crash may have left.
    async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept>;
    /// Counters and sizes, for the operator's metrics.
    fn figures(&self) -> Figures;
    /// Writes a backup that needs nothing else: everything, keys included, as of
    /// one moment while this runs. Other calls go on.
    async fn backup(&self, out: Box<dyn Write + Send>) -> io::Result<()>;
    /// Waits until everything is written, and stops writing. Later writes get
    /// `Unavailable`, and so does this call if a write has failed before.
    async fn stop(&self) -> Result<()>;
}

/// What a sweep has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Mailed links that were too old.
    pub links: usize,
    /// Notes of deleted accounts and of emptied inboxes, and those that have lapsed.
    pub notes: usize,
    /// Rooms whose time was up.
    pub rooms: usize,
    /// Conversations whose time was up.
    pub conversations: usize,
    /// Reports that were closed long ago.
    pub reports: usize,
    /// Feedback that has lapsed.
    pub feedback: usize,
    /// Suspensions that were over.
    pub suspensions: usize,
    /// Invitations that were too old.
    pub invitations: usize,
    /// Inboxes whose notes were encrypted anew, with a new key.
    pub resealed: usize,
    /// Owners that are not there, and whose keys a crash had left.
    pub keys: usize,
    /// Pictures of rooms and feedback that are not there.
    pub pictures: usize,
}

/// Counters since the engine was opened, and sizes as they are now. `None` is what
/// this engine doesn't know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub accounts: usize,
    /// Notes that were encrypted anew, because another one of their inbox was
    /// deleted.
    pub resealed: u64,
    pub commits: Option<Commits>,
    /// The size of everything except pictures, in bytes.
    pub data_bytes: Option<u64>,
    /// The size of all pictures, in bytes.
    pub picture_bytes: Option<u64>,
    /// How much more can be stored, in bytes.
    pub free_bytes: Option<u64>,
    /// Of one node of several.
    pub node: Option<NodeFigures>,
}

/// What a node has met since it was opened, and what it sees now.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NodeFigures {
    /// Appends that found the log further than they knew it.
    pub conflicts: u64,
    /// Appends that found somebody else at the room, and were tried again.
    pub locked: u64,
    /// Commits of which nobody knew whether they were done and kept.
    pub unknown: u64,
    /// Beats, and what their commits took.
    pub beats: u64,
    pub beating: Duration,
    /// Whether every node that is alive is heard, and how often that ended.
    pub hears_all: bool,
    pub gaps: u64,
    /// How many nodes are alive.
    pub nodes: usize,
    /// How far the clocks of this machine and of the record are apart, at least, in seconds.
    pub skew: f64,
    /// How long the room that waits longest for another key has waited, and the oldest key
    /// that died and is still in the files of the keys' database.
    pub oldest_stale: Duration,
    pub oldest_dead_key: Duration,
    /// How long somebody has been reading one moment of a database, as far as its user may see that.
    pub oldest_snapshot: Duration,
}

/// The commits of an engine that joins calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Commits {
    /// How many there were. Each makes the changes of one call or more durable.
    pub count: u64,
    /// Calls that were answered by them.
    pub calls: u64,
    /// Time that they took.
    pub time: Duration,
}
