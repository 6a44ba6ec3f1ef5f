//! Who may open a group's socket. Every refusal comes before the upgrade.

use crate::rooms::group::{GONE, Group, NO_SEAT};
use crate::rooms::member::try_open;
use crate::support::test_socket::handshake;

const FOREIGN: &str = "This socket is not open to pages from elsewhere.";
const NO_UPGRADE: &str = "This call is a WebSocket; ask for an upgrade.";

#[test]
fn a_socket_needs_a_seat_in_this_very_group() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let elsewhere = Group::new(&server).seat(&server);
    let socket = group.path("/socket");
    handshake(&server, &socket, "").send().assert(403, NO_SEAT);
    for cookie in [&*elsewhere.cookie, "annon_seat=x", &seat.cookie.replace("annon_seat", "other")] {
        handshake(&server, &socket, "").header("Cookie", cookie).send().assert(403, NO_SEAT);
    }
    let mine = |path: &str| handshake(&server, path, "").header("Cookie", &seat.cookie).send();
    mine("/api/room/00000000-0000-4000-8000-000000000000/socket").assert(404, GONE);
    mine("/api/room/nonsense/socket").assert(404, GONE);
    server.get(&socket).header("Cookie", &seat.cookie).send().assert(400, NO_UPGRADE);
    group.creator.call(&server, "GET", &socket).send().assert(403, NO_SEAT);
    assert!(try_open(&server, &group.id, &[("Cookie", &seat.cookie)]).is_ok());
}

/// The test of the inbox's socket shows which origins are allowed; this one makes the same check.
#[test]
fn a_page_from_elsewhere_opens_no_socket_in_its_visitors_name() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let from = |origin: &str| {
        let call = handshake(&server, &group.path("/socket"), "").header("Cookie", &seat.cookie);
        call.header("Origin", origin).send()
    };
    assert_eq!(from(&format!("http://{}", server.address)).status, 101);
    from("https://evil.example").assert(403, FOREIGN);
}
