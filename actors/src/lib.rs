//! What Annon decides, in actors: rooms and live inboxes.
//!
//! An actor owns its state alone and is reached by typed messages. This
//! crate knows the store's nouns and the frames that travel on a socket; it
//! knows nothing of routes, headers or who may call what. Time, ids and
//! randomness come in through [`clock`] and [`ids`].
//!
pub mod bucket;
pub mod clock;
pub mod ids;
pub mod inbox;
pub mod room;
pub mod rooms;
pub mod session;
