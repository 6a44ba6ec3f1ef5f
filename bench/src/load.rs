//! Puts load on a server, and checks the answers. One thread does all of it, because the cores
//! belong to the server that is measured.
//!
//! - A [`Subject`](subject::Subject) is the server, [`People`](people::People) are the accounts
//!   made on it; [`rooms`] makes their rooms and fills them.
//! - A [`Pace`](pace::Pace) says when requests are due, in an open or a closed loop, and counts how
//!   each went; its [`stage`](pace::Pace::stage) runs clients that make them, and returns a
//!   [`StageOutcome`](outcome::StageOutcome).
//! - [`ConnectedMembers`](chat::ConnectedMembers) are rooms full of members; [`chat::run`] is a
//!   stage in which they chat, and a [`Check`](check::Check) for each room finds what is lost,
//!   doubled or out of order.

pub(crate) mod api;
pub(crate) mod chat;
mod check;
pub(crate) mod clock;
mod faults;
pub(crate) mod frames;
mod http;
pub(crate) mod latency;
mod outcome;
mod pace;
pub(crate) mod people;
pub(crate) mod process;
mod reacting;
pub(crate) mod rooms;
mod server;
mod socket;
mod stop;
mod subject;

pub(crate) use api::{INBOX_NOTES, NoteItem, PAGE, Seat};
pub(crate) use chat::{ChatSchedule, ConnectedMembers, Member};
pub(crate) use check::{Check, Delivery};
pub(crate) use clock::Timer;
pub(crate) use faults::{CUT, DISORDERED, DOUBLED, Faults, GARBLED, LOST, STRANGE};
pub(crate) use frames::{ChatMessage, Frame, MessageId, ReactFrame};
pub(crate) use http::{Address, Call, Client, NetError, Reply, Who, target};
pub(crate) use latency::{Latencies, Summary, Tick};
pub(crate) use outcome::StageOutcome;
pub(crate) use pace::{Pace, PerSecond, StageCounts};
pub(crate) use people::{People, Person};
pub(crate) use process::{Cost, Threads};
pub(crate) use reacting::Reacting;
pub(crate) use server::{Server, log_field};
pub(crate) use socket::Socket;
pub(crate) use stop::Stop;
pub(crate) use subject::{Subject, allow_connections};
