//! Groups from outside: the real binary on port 0, and everybody who could
//! be in a group or want to be, over real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends at the first thing that isn't as it should be, and says where"
)]

#[path = "api/client.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod client;
#[path = "api/contract.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod contract;
#[path = "api/far_end.rs"]
mod far_end;
#[path = "api/form.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod form;
#[path = "api/log.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod log;
#[path = "api/patience.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod patience;
#[path = "api/person.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod person;
#[path = "api/server.rs"]
#[allow(dead_code, reason = "shared with the other calls' tests")]
mod server;

#[path = "rooms/group.rs"]
mod group;
#[path = "rooms/member.rs"]
mod member;

#[path = "rooms/calls.rs"]
mod calls;
#[path = "rooms/crash.rs"]
mod crash;
#[path = "rooms/creator.rs"]
mod creator;
#[path = "rooms/door.rs"]
mod door;
#[path = "rooms/events.rs"]
mod events;
#[path = "rooms/handshake.rs"]
mod handshake;
#[path = "rooms/limits.rs"]
mod limits;
#[path = "rooms/pictures.rs"]
mod pictures;
#[path = "rooms/readers.rs"]
mod readers;
#[path = "rooms/resume.rs"]
mod resume;
#[path = "rooms/slow_pictures.rs"]
mod slow_pictures;
#[path = "rooms/the_end.rs"]
mod the_end;
