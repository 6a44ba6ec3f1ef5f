//! Rooms: a machine that decides, and the shell that gives it a mailbox, a
//! timer, sockets and a log.

pub(crate) mod actor;
mod book;
pub mod command;
pub mod face;
pub mod frame;
pub mod line;
mod lines;
pub mod machine;
mod member;

pub use actor::View;
pub use member::{ClientFrame, ClientMessage, Member};
