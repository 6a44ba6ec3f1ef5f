//! What Annon decides, in actors: so far the live inboxes.
//!
//! An actor owns its state alone and is reached by typed messages. This
//! crate knows the store's nouns and the frames that travel on a socket; it
//! knows nothing of routes, headers or who may call what. Time, ids and
//! randomness come in through [`clock`] and [`ids`].
//!
//! Of the rooms there is the part that decides, `room/machine.rs`; what will
//! run it is still to come.

pub mod bucket;
pub mod clock;
pub mod ids;
pub mod inbox;
pub mod room;
pub mod session;
