//! Groups over real sockets, as their creators, members and strangers see them.

mod calls;
mod crash;
mod creator;
mod door;
mod events;
pub(crate) mod group;
mod handshake;
mod knock;
mod limits;
mod link;
pub(crate) mod member;
pub(crate) mod pictures;
mod preview;
mod push;
mod reactions;
mod readers;
mod sealed;
mod slow_pictures;
mod the_end;
