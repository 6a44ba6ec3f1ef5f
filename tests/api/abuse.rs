//! Those who take their time. It lasts a third of a minute and is mostly
//! waiting; so it is one test, in a module that comes first, and the others
//! run beside it.

use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::json;
use socket2::{Domain, Socket, Type};

use crate::support::client::Connection;
use crate::support::far_end::Heard;
use crate::support::form::Form;
use crate::support::patience::{HANG, at_once, timed, wait_until};
use crate::support::person::{Person, login, send_note};
use crate::support::server::Server;
use crate::support::window::Window;

const TOO_SLOW: &str = "The request took too long to arrive. Try again.";
/// Notes of the largest size: several times what the kernel holds for a
/// reader that doesn't read.
const NOTES: usize = 3_000;
const AT_ONCE: usize = 100;
const SENDERS: usize = 4;
const FAST: &[&str] = &["--address-limits", "off", "--sync", "off", "--commit-pause-ms", "0"];

#[test]
fn the_slow_are_cut_off_and_hold_up_nobody() {
    let server = &Server::with(FAST);
    at_once([
        Box::new(|| slow_bodies(server)) as Box<dyn FnOnce() + Send>,
        Box::new(|| a_trickle(server)),
        Box::new(|| a_slow_form(server)),
        Box::new(|| slow_heads(server)),
        Box::new(slow_readers),
        Box::new(|| slow_pictures(server)),
    ]);
    server.get("/healthz").send().says(200, "alive");
}

/// Twenty bodies that stop in the middle, and everybody else as if nothing
/// were.
fn slow_bodies(server: &Server) {
    let head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let mut held: Vec<_> = (0..20).map(|_| Connection::open(server.address)).collect();
    held.iter_mut().for_each(|connection| connection.send(head.as_bytes()).unwrap());
    let beside = (0..20).filter(|_| {
        server.get("/readyz").send().says(200, "ready");
        assert_eq!(login(server, "nobody-here", "password").status, 401);
        held.iter().all(Connection::is_silent)
    });
    assert!(beside.count() > 2, "they were waited for");
    for connection in &mut held {
        connection.answer_to("POST", "/api/login").says(408, TOO_SLOW);
    }
}

/// A byte every second is no progress either.
fn a_trickle(server: &Server) {
    let mut connection = Connection::open(server.address);
    let head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    connection.send(head.as_bytes()).unwrap();
    let writing = connection.stream.get_ref().try_clone().unwrap();
    thread::spawn(move || {
        while std::io::Write::write_all(&mut &writing, b" ").is_ok() {
            thread::sleep(Duration::from_secs(1));
        }
    });
    let (answer, took) = timed(|| connection.answer_to("POST", "/api/login"));
    answer.says(408, TOO_SLOW);
    assert!(took > Duration::from_secs(10), "it is given its time: {took:?}");
}

fn a_slow_form(server: &Server) {
    let bytes = Form::saying("it works, mostly").call(server).bytes();
    let mut connection = Connection::open(server.address);
    connection.send(&bytes[..bytes.len() - 20]).unwrap();
    let answer = connection.answer_to("POST", "/api/feedback");
    answer.says(408, "The form took too long to arrive. Try again.");
}

/// Somebody who never gets to the end of the head isn't waited for.
fn slow_heads(server: &Server) {
    for head in ["", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
        let mut connection = Connection::open(server.address);
        connection.send(head.as_bytes()).unwrap();
        match connection.read("GET") {
            Ok(answer) => assert_eq!(answer.status, 408),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof, "{error}"),
        }
    }
}

/// Megabytes of nobody in particular: so many at once, and no more. Who has
/// begun and sends nothing keeps nobody waiting who sends little or says for
/// which group, and gives way to others.
fn slow_pictures(server: &Server) {
    let head = "POST /api/room/upload-image HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
        Content-Length: 6900000\r\n\r\n";
    let upload = |body: String| {
        let call = server.post("/api/room/upload-image").header("Content-Type", "application/json");
        call.body(body).send().status
    };
    let mut held: Vec<_> = (0..16).map(|_| Connection::open(server.address)).collect();
    for connection in &mut held {
        connection.send(head.as_bytes()).unwrap();
        connection.send(&[b' '; 70_000]).unwrap();
    }
    assert_eq!(upload(json!({ "room_id": "x", "image_b64": "A".repeat(10) }).to_string()), 404);
    assert_eq!(upload(format!(r#"{{"room_id":"x","image_b64":"{}"}}"#, "A".repeat(100_000))), 404);
    assert!(held.iter().all(Connection::is_silent), "they were waited for");
    for connection in &mut held {
        let answer = connection.answer_to("POST", "/api/room/upload-image");
        let said = (answer.status, answer.message());
        let slow = (408, "The picture took too long to arrive. Try again.".to_owned());
        let gave_way = (408, "Others were waiting, and this picture took long. Try again.".to_owned());
        let no_turn = (503, "The server is busy. Try again in a moment.".to_owned());
        assert!([slow, gave_way, no_turn].contains(&said), "{answer:?}");
    }
}

/// A connection whose own end takes next to nothing.
fn tight(address: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(&address.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream.set_write_timeout(Some(HANG)).unwrap();
    stream
}

/// Windows that stop reading, beside one that doesn't, of one person. On a
/// server of their own, since its memory is looked at.
fn slow_readers() {
    let server = &Server::with(FAST);
    let person = Person::new(server);
    let target = &person.target(server);
    let mut reading = Window::of(server, &person);
    // Once without them, so that the store's own caches are full.
    tell(server, target, &mut reading, 0);
    let (sockets, memory) = (server.open_sockets(), server.resident_kib());
    let open = || Window::over(tight(server.address), server, &person.token, &[]).unwrap();
    let stuck: Vec<_> = (0..14).map(|_| open()).collect();
    let mut returning = open();
    tell(server, target, &mut reading, NOTES);
    let grown = server.resident_kib().saturating_sub(memory);
    // Fifteen windows with all they were told would be 59 MiB. The store's
    // own caches move by ten, and more on a busy machine.
    assert!(grown < 30 * 1024, "{grown} KiB");

    // One that reads again gets what had been queued, and the reason.
    let rest = returning.rest();
    assert_eq!(rest.last(), Some(&Heard::closed(1013, "reading too slowly")));
    assert!(rest.len() < NOTES, "it was cut off in between");
    wait_until("the kernel giving up on those that never read", || server.open_sockets() <= sockets);
    drop(stuck);
    send_note(server, target, "and life goes on").says(201, "Anonymous Message Sent");
    assert_eq!(reading.next_frame()["unread"], 2 * NOTES + 1);
}

/// Sends many notes, a few at a time, so that a window that reads keeps up on
/// any machine.
fn tell(server: &Server, target: &str, reading: &mut Window, unread_before: usize) {
    let note = &server.post("/api/annon-message").json(&json!({ "id": target, "message": "🙂".repeat(280) }));
    let mut senders: Vec<_> = (0..SENDERS).map(|_| Connection::open(server.address)).collect();
    let mut unread = 0;
    for _ in 0..NOTES / AT_ONCE {
        thread::scope(|scope| {
            for connection in &mut senders {
                scope.spawn(|| {
                    for _ in 0..AT_ONCE / SENDERS {
                        assert_eq!(note.clone().send_on(connection).status, 201);
                    }
                });
            }
        });
        for _ in 0..AT_ONCE {
            unread = unread.max(reading.next_frame()["unread"].as_u64().unwrap());
        }
    }
    assert_eq!(unread, (unread_before + NOTES) as u64, "the one that reads is told of every note");
}
