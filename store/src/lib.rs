//! What Annon keeps: accounts, invitations and suspensions, inboxes, public answers, conversations, rooms, feedback, reports and
//! pictures.
//!
//! Each of these nouns has types, which parse their text (`text`, `account`),
//! and a trait that says what can be done with them. An engine implements the
//! traits. This crate decides nothing and knows neither HTTP nor actors.
//!
//! The contract of every trait: **what a call has answered is on disk**, and
//! what a read has shown is on disk, too. One thread writes, in groups of calls
//! that share a sync (`local/committer.rs`). What is kept of a person is sealed
//! with a key of their own (`seals`); deleting destroys the key.

#[macro_use]
mod invariant;
#[cfg(test)]
extern crate self as annon_store;

mod backup;
mod batch;
mod clock;
mod engine;
mod error;
mod files;
mod folder;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod known;
mod local;
#[cfg(test)]
#[path = "../tests/support/logged.rs"]
mod logged;
mod moves;
mod nouns;
#[cfg(test)]
#[path = "../tests/support/people.rs"]
#[allow(dead_code, reason = "what the tests of whole stores need, too")]
mod people;
mod postgres;
mod progress;
#[cfg(test)]
#[path = "../tests/crash/random.rs"]
mod random;
mod recent;
mod rows;
mod seals;
mod shapes;
mod shown;
mod table;

pub mod account;
pub mod answer;
pub mod conversation;
pub mod digest;
pub mod feedback;
pub mod image;
pub mod inbox;
pub mod inbox_seal;
pub mod invitation;
pub mod lapse;
#[cfg(feature = "left-out")]
pub mod left_out;
pub mod pause;
pub mod personal_page;
pub mod push;
pub mod report;
pub mod room;
pub mod room_link;
pub mod room_log;
pub mod sealed;
pub mod shield;
pub mod sign_in;
pub mod suspension;
pub mod telling;
pub mod text;
pub mod wire;

/// What engines are built from beside the nouns: the rules and records that are the
/// same in each of them, so that none stands twice. An engine in a crate of its own
/// takes them from here.
pub mod building_blocks {
    pub use crate::nouns::conversation::record::Stored;
    pub use crate::nouns::{Common, Nouns, sweep};
    pub use crate::room_log::{Events, forget_messages, goes_with_messages, take_words};
    pub use crate::rows::{Call, Effect, Keep, Pair, Reads, Rows, Span, Told, at_once};
    pub use crate::seals::Blinder;
    pub use crate::seals::keyring::Owner;
    pub use crate::table::{guard_of, home};
}

pub use backup::{RestoreError, check_backup, hand_on_backup};
pub use engine::{Commits, Engine, Figures, Kept, NodeFigures, Record, Swept};
pub use error::{Result, StoreError};
pub use folder::OpenError;
pub use invariant::{broken_invariants, invariant_broken};
pub use local::about_bytes_of_backup;
pub use local::{Local, Options, Restored, index_handles_panic, restore};
pub use postgres::{MigrateError, Migrated, Node, Postgres, PostgresError, PostgresOptions, ServerPlace, migrate};
pub use progress::{Counting, Progress, Step, Unit};
pub use seals::erasing::Erasing;
pub use seals::secret::make_secret;
