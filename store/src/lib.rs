//! What Annon keeps: accounts, inboxes, feedback and pictures.
//!
//! This crate knows nouns. It parses them at the door (`text`, `account`),
//! says in a trait per noun what can be done with them, and puts them on
//! disk. It decides nothing and knows neither HTTP nor actors.
//!
//! The contract of every trait: **what a call has answered is on disk**, and
//! what a read has shown is, too. One at a time writes, in groups that share a
//! sync (`sled/writer.rs`). What is kept of a person is sealed with a key of
//! their own (`seals.rs`, `seals/keyring.rs`); deleting destroys the key.

mod base;
mod clock;
mod engine;
mod error;
mod export;
mod folder;
mod gauges;
mod local;
mod lost;
mod seals;
mod shapes;
mod sled;
mod store;
mod sweep;
#[cfg(test)]
mod unreadable;

pub mod account;
pub mod feedback;
pub mod image;
pub mod inbox;
pub mod memory;
pub mod room;
pub mod room_log;
pub mod text;

pub use engine::{Engine, Swept};
pub use error::{Result, StoreError};
pub use export::{RestoreError, Restored, check_backup, restore};
pub use folder::OpenError;
pub use gauges::Figures;
pub use seals::erasing::Erasing;
pub use store::{Options, Store};
