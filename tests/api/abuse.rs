//! Clients that send slowly. This test waits 20 seconds, so it starts first.

use std::thread;
use std::time::Duration;

use crate::support::client::Connection;
use crate::support::form::Form;
use crate::support::patience::{at_once, timed};
use crate::support::person::login;
use crate::support::server::{NO_LIMITS, Server};

const TOO_SLOW: &str = "The request took too long to arrive. Try again.";

#[test]
fn the_slow_are_cut_off_and_hold_up_nobody() {
    let server = &Server::with(NO_LIMITS);
    at_once([
        Box::new(|| slow_bodies(server)) as Box<dyn FnOnce() + Send>,
        Box::new(|| a_trickle(server)),
        Box::new(|| a_slow_form(server)),
        Box::new(|| slow_heads(server)),
    ]);
    server.get("/healthz").send().assert(200, "alive");
}

/// Twenty clients stop in the middle of a body. Other clients notice nothing.
fn slow_bodies(server: &Server) {
    let head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let mut held: Vec<_> = (0..20).map(|_| Connection::open(server.address)).collect();
    held.iter_mut().for_each(|connection| connection.send(head.as_bytes()).unwrap());
    let beside = (0..20).filter(|_| {
        server.get("/readyz").send().assert(200, "ready");
        assert_eq!(login(server, "nobody-here", "password").status, 401);
        held.iter().all(Connection::is_silent)
    });
    assert!(beside.count() > 2, "they were waited for");
    for connection in &mut held {
        connection.answer_to("POST", "/api/login").assert(408, TOO_SLOW);
    }
}

/// A client that sends a byte every second is cut off, too.
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
    answer.assert(408, TOO_SLOW);
    assert!(took > Duration::from_secs(10), "it is given its time: {took:?}");
}

fn a_slow_form(server: &Server) {
    let bytes = Form::with_text("it works, mostly").call(server).bytes();
    let mut connection = Connection::open(server.address);
    connection.send(&bytes[..bytes.len() - 20]).unwrap();
    let answer = connection.answer_to("POST", "/api/feedback");
    answer.assert(408, "The form took too long to arrive. Try again.");
}

/// A client that never finishes the head of its request is cut off.
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
