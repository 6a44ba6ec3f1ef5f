//! What Annon decides: rooms, live inboxes and live conversations.
//!
//! A room is an actor: it alone owns its state, and others send it typed messages. This crate knows
//! the store's nouns and the frames on a socket; it knows nothing of routes, headers or who may
//! call what. Time, ids and randomness come in through [`clock`] and [`ids`].

pub mod away;
pub mod bucket;
pub mod clock;
pub mod conversation;
pub mod ids;
pub mod inbox;
pub mod room;
pub mod rooms;
pub mod session;
