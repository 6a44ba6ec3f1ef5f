//! Clients that send a picture slowly, to keep others from sending theirs.

use std::io::Write;
use std::net::TcpStream;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::rooms::group::{GONE, Group, NO_SEAT, Seat};
use crate::rooms::pictures::png;
use crate::support::client::Connection;
use crate::support::form::Form;
use crate::support::server::Server;

const SLOW: usize = 16;
const UPLOAD: &str = "/api/room/upload-image";

/// The beginning of an upload that announces a long body.
fn begun(server: &Server, cookie: Option<&str>, body: &str) -> Connection {
    let mut connection = Connection::open(server.address);
    let cookie = cookie.map_or(String::new(), |cookie| format!("Cookie: {cookie}\r\n"));
    let head = format!(
        "POST {UPLOAD} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{cookie}Content-Length: 6900000\r\n\r\n"
    );
    connection.send(head.as_bytes()).unwrap();
    // The server may refuse before it has received everything.
    let _ = connection.send(body.as_bytes());
    connection
}

/// The fields before a picture, and the picture's beginning.
fn room_first(room: &str) -> String {
    format!(r#"{{"room_id":"{room}","image_b64":"{}"#, "A".repeat(70_000))
}

/// Sends a picture of the usual size, as the web app does.
fn usual(server: &Server, group: &Group, seat: &Seat) -> u16 {
    let base64 = BASE64_STANDARD.encode(png(300, 300));
    let body = format!(r#"{{"room_id":"{}","image_b64":"{}{base64}"}}"#, group.id, " ".repeat(200_000));
    let call = server.post(UPLOAD).header("Cookie", &seat.cookie).header("Content-Type", "application/json");
    call.body(body).send().status
}

#[test]
fn who_has_no_seat_is_told_so_before_the_picture_is_taken_in() {
    let (server, group) = Group::with(&[]);
    let (member, stranger) = (group.seat(&server), Group::new(&server).seat(&server));
    let nowhere = "00000000-0000-4000-8000-000000000000";
    for (cookie, room, status, says) in [
        (None, group.id.as_str(), 403, NO_SEAT),
        (Some(&stranger), &group.id, 403, NO_SEAT),
        (Some(&member), nowhere, 404, GONE),
        (None, "nonsense", 404, GONE),
    ] {
        let mut connection = begun(&server, cookie.map(|seat| seat.cookie.as_str()), &room_first(room));
        connection.answer_to("POST", UPLOAD).assert(status, says);
    }
    // The server waits for the rest from a member.
    let connection = begun(&server, Some(&member.cookie), &room_first(&group.id));
    assert_eq!(usual(&server, &group, &member), 201);
    assert!(connection.is_silent());
}

#[test]
fn slow_pictures_of_nobody_in_particular_keep_no_member_waiting() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let nameless = format!(r#"{{"image_b64":"{}"#, "A".repeat(70_000));
    let slow: Vec<_> = (0..SLOW).map(|_| begun(&server, None, &nameless)).collect();
    // Each upload continues as fast as the server demands.
    let go_on = |mut one: &TcpStream| one.write_all(&[b'A'; 40_000]).unwrap();
    slow.iter().for_each(|one| go_on(one.stream.get_ref()));
    assert_eq!(usual(&server, &group, &seat), 201);
    slow.iter().for_each(|one| go_on(one.stream.get_ref()));
    // Feedback without a picture takes no slot.
    Form::with_text("it works, mostly").send(&server).assert(201, "Feedback sent");
    assert!(slow.iter().all(Connection::is_silent), "they were waited for");
}
