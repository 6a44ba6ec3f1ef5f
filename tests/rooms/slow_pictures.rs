//! Those who send a picture slowly, to keep others from sending theirs.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::rooms::group::{GONE, Group, NO_SEAT, Seat, server};
use crate::rooms::pictures::png;
use crate::support::client::Connection;
use crate::support::form::Form;
use crate::support::server::Server;

const SLOW: usize = 16;
const UPLOAD: &str = "/api/room/upload-image";

/// The beginning of an upload that says it will be long.
fn begun(server: &Server, cookie: Option<&str>, body: &str) -> Connection {
    let mut connection = Connection::open(server.address);
    let cookie = cookie.map_or(String::new(), |cookie| format!("Cookie: {cookie}\r\n"));
    let head = format!(
        "POST {UPLOAD} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{cookie}Content-Length: 6900000\r\n\r\n"
    );
    connection.send(head.as_bytes()).unwrap();
    // A refusal may come before all of it was taken.
    let _ = connection.send(body.as_bytes());
    connection
}

/// What comes before a picture, and some of it.
fn room_first(room: &str) -> String {
    format!(r#"{{"room_id":"{room}","image_b64":"{}"#, "A".repeat(70_000))
}

/// A picture of the usual size, sent as the web app sends it.
fn usual(server: &Server, group: &Group, seat: &Seat) -> u16 {
    let base64 = BASE64_STANDARD.encode(png(300, 300));
    let body = format!(r#"{{"room_id":"{}","image_b64":"{}{base64}"}}"#, group.id, " ".repeat(200_000));
    let call = server.post(UPLOAD).header("Cookie", &seat.cookie).header("Content-Type", "application/json");
    call.body(body).send().status
}

/// Has each of them send a little now and then, as fast as is asked of them,
/// while something else is done.
fn while_they_trickle<T>(slow: &[Connection], work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for connection in slow {
                    let _ = Write::write_all(&mut connection.stream.get_ref(), &[b'A'; 1500]);
                }
                thread::sleep(Duration::from_millis(80));
            }
        });
        let done = work();
        is_over.store(true, Ordering::Relaxed);
        done
    })
}

#[test]
fn who_has_no_seat_is_told_so_before_the_picture_is_taken_in() {
    let server = server(&[]);
    let group = Group::new(&server);
    let (member, stranger) = (group.seat(&server), Group::new(&server).seat(&server));
    let nowhere = "00000000-0000-4000-8000-000000000000";
    for (cookie, room, status, says) in [
        (None, group.id.as_str(), 403, NO_SEAT),
        (Some(&stranger), &group.id, 403, NO_SEAT),
        (Some(&member), nowhere, 404, GONE),
        (None, "nonsense", 404, GONE),
    ] {
        let mut connection = begun(&server, cookie.map(|seat| seat.cookie.as_str()), &room_first(room));
        connection.answer_to("POST", UPLOAD).says(status, says);
    }
    // With a seat, the rest is waited for.
    let connection = begun(&server, Some(&member.cookie), &room_first(&group.id));
    assert_eq!(usual(&server, &group, &member), 201);
    assert!(connection.is_silent());
}

#[test]
fn slow_pictures_of_members_give_way_to_others() {
    let server = server(&[]);
    let (group, theirs) = (Group::new(&server), [(); 2].map(|()| Group::new(&server)));
    let seat = group.seat(&server);
    let begin = |n: usize| {
        let theirs = &theirs[n % 2];
        begun(&server, Some(&theirs.seat(&server).cookie), &room_first(&theirs.id))
    };
    let mut slow: Vec<_> = (0..SLOW).map(begin).collect();
    let answered = while_they_trickle(&slow, || [(); 3].map(|()| usual(&server, &group, &seat)));
    assert_eq!(answered, [201; 3]);
    let gone = slow.iter_mut().filter(|connection| !connection.is_silent());
    let answer = gone.map(|connection| connection.answer_to("POST", UPLOAD)).next().unwrap();
    assert!(matches!(answer.status, 408 | 503), "{answer:?}");
}

#[test]
fn slow_pictures_of_nobody_in_particular_keep_no_member_waiting() {
    let server = server(&[]);
    let group = Group::new(&server);
    let seat = group.seat(&server);
    let nameless = format!(r#"{{"image_b64":"{}"#, "A".repeat(70_000));
    let slow: Vec<_> = (0..SLOW).map(|_| begun(&server, None, &nameless)).collect();
    while_they_trickle(&slow, || {
        assert_eq!(usual(&server, &group, &seat), 201);
        assert!(slow.iter().all(Connection::is_silent), "they were waited for");
        // Words alone take no turn.
        Form::saying("it works, mostly").send(&server).says(201, "Feedback sent");
    });
}
