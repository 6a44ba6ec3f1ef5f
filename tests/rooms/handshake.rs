//! Who may open a group's socket. Every refusal comes before the upgrade.

use crate::rooms::group::{GONE, Group, NO_SEAT, Seat, server};
use crate::rooms::member::{Member, try_open};
use crate::support::client::Call;
use crate::support::server::Server;

const FOREIGN: &str = "This socket is not open to pages from elsewhere.";
const NO_UPGRADE: &str = "This call is a WebSocket; ask for an upgrade.";

fn upgrade(server: &Server, path: &str) -> Call {
    let call = server.get(path).header("Connection", "Upgrade").header("Upgrade", "websocket");
    call.header("Sec-WebSocket-Version", "13").header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
}

#[test]
fn a_socket_needs_a_seat_in_this_very_group() {
    let server = server(&[]);
    let group = Group::new(&server);
    let seat = group.seat(&server);
    let elsewhere = Group::new(&server).seat(&server);
    let socket = group.path("/socket");
    upgrade(&server, &socket).send().says(403, NO_SEAT);
    for cookie in [&*elsewhere.cookie, "annon_seat=x", &seat.cookie.replace("annon_seat", "other")] {
        upgrade(&server, &socket).header("Cookie", cookie).send().says(403, NO_SEAT);
    }
    let mine = |path: &str| upgrade(&server, path).header("Cookie", &seat.cookie).send();
    mine("/api/room/00000000-0000-4000-8000-000000000000/socket").says(404, GONE);
    mine("/api/room/nonsense/socket").says(404, GONE);
    server.get(&socket).header("Cookie", &seat.cookie).send().says(400, NO_UPGRADE);
    let token = group.creator.call(&server, "GET", &socket);
    token.send().says(403, NO_SEAT);
    assert!(try_open(&server, &group.id, &[("Cookie", &seat.cookie)]).is_ok());
}

#[test]
fn a_page_from_elsewhere_opens_no_socket_in_its_visitors_name() {
    let check = |server: &Server, good: &[&str], bad: &[&str]| {
        let group = Group::new(server);
        let seat = group.seat(server);
        let from =
            |origin: &str| try_open(server, &group.id, &[("Cookie", &seat.cookie), ("Origin", origin)]).map(drop);
        good.iter().for_each(|origin| assert_eq!(from(origin), Ok(()), "{origin}"));
        bad.iter().for_each(|origin| assert_eq!(from(origin), Err(403), "{origin}"));
        let call = upgrade(server, &group.path("/socket")).header("Cookie", &seat.cookie);
        call.header("Origin", "https://evil.example").send().says(403, FOREIGN);
        assert!(try_open(server, &group.id, &[("Cookie", &seat.cookie)]).is_ok(), "a program says no origin");
    };
    let server = server(&[]);
    let here = format!("http://{}", server.address);
    check(
        &server,
        &[&here],
        &["https://evil.example", "null", "", "file://", &format!("{here}.evil.example"), "http://127.0.0.1"],
    );
    let server = Server::with(&["--public-url", "https://annon.example"]);
    let here = format!("http://{}", server.address);
    check(&server, &["https://annon.example"], &[&here, "http://annon.example", "https://annon.example:8443"]);
}

#[test]
fn the_fifth_window_of_a_member_takes_the_place_of_the_oldest() {
    let server = server(&[]);
    let group = Group::new(&server);
    let seat = group.seat(&server);
    let mut windows: Vec<_> = (0..5).map(|_| Member::open(&server, &group, &seat)).collect();
    let last = windows[0].rest().pop();
    assert_eq!(last, Some(crate::support::far_end::Heard::closed(1008, "too many windows")));
    let echo = windows[4].chat("to all my windows");
    for window in &mut windows[1..4] {
        assert_eq!(window.await_event("event.chat"), echo);
    }
}

#[test]
fn an_address_has_so_many_sockets_and_no_more() {
    let server = Server::start();
    let group = Group::new(&server);
    let seats: Vec<Seat> = (0..10).map(|_| group.seat(&server)).collect();
    let groups: Vec<_> = (0..7).map(|_| Group::of(&server, group.creator.clone())).collect();
    let mut open = Vec::new();
    let all =
        std::iter::once((&group, seats)).chain(groups.iter().map(|group| (group, group.seats::<10>(&server).into())));
    for (group, seats) in all {
        for seat in seats {
            for _ in 0..4 {
                open.push(try_open(&server, &group.id, &[("Cookie", &seat.cookie)]));
            }
        }
    }
    assert_eq!(open.iter().filter(|open| open.is_ok()).count(), 256);
    assert!(open[256..].iter().all(|open| matches!(open, Err(429))));
}
