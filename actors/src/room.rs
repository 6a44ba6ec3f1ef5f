//! Rooms: a machine that decides, and the shell that gives it a mailbox, a
//! timer, sockets and a log.

pub(crate) mod budget;
pub mod command;
pub mod door;
pub mod error;
pub mod frame;
pub mod line;
mod lines;
pub mod machine;
mod member;
pub(crate) mod page;
pub mod reactions;
pub(crate) mod services;
pub(crate) mod shell;
pub(crate) mod status;
mod transcript;

pub use member::{ClientFrame, ClientMessage, Member};
pub use page::View;
pub use services::Settings;
pub use shell::knocks::KnockSeen;
pub use status::Standing;
