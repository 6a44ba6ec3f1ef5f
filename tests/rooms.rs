//! Groups from outside: everybody who could be in a group or want to be, over
//! real sockets.

mod calls;
mod crash;
mod creator;
mod door;
mod events;
pub(crate) mod group;
mod handshake;
mod limits;
pub(crate) mod member;
mod pictures;
mod readers;
mod slow_pictures;
mod the_end;
