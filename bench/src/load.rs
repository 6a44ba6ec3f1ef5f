//! What puts load on a server, and checks what comes back. One thread does
//! all of it, because the cores belong to the server that is measured.
//!
//! - A [`Subject`](subject::Subject) is the server, [`People`](people::People)
//!   are the accounts made on it; [`rooms`] makes rooms of theirs and fills them.
//! - A [`Pace`](pace::Pace) says when requests are due, in an open or a closed
//!   loop, and counts how each went; its [`stage`](pace::Pace::stage) runs clients
//!   that make them, and comes to an [`Outcome`](outcome::Outcome).
//! - A [`Hall`](chat::Hall) is rooms full of members; [`chat::run`] is a stage in
//!   which they chat, and a [`Check`](check::Check) for each room finds what is
//!   lost, doubled or out of order.

pub(crate) mod api;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod clock;
pub(crate) mod faults;
pub(crate) mod frames;
pub(crate) mod http;
pub(crate) mod latency;
pub(crate) mod outcome;
pub(crate) mod pace;
pub(crate) mod people;
pub(crate) mod process;
pub(crate) mod rooms;
pub(crate) mod server;
pub(crate) mod socket;
pub(crate) mod stop;
pub(crate) mod subject;
pub(crate) mod target;
