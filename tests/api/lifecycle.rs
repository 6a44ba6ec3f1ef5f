//! How a server stops, fails and starts again.

use std::collections::BTreeSet;
use std::io::{BufRead as _, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::Duration;

use image::ImageFormat;
use rustix::process::Signal;
use serde_json::json;

use crate::support::client::Connection;
use crate::support::form::{Form, picture};
use crate::support::patience::{at_once, timed, wait_until};
use crate::support::person::{Person, flood, is_alive, password_is_set, register, send_note};
use crate::support::server::{ANNON, Folder, NO_LIMITS, Server};
use crate::support::test_socket::{Received, TestSocket};

const SENT: &str = "Anonymous Message Sent";

/// All texts in a person's inbox.
fn texts(server: &Server, person: &Person) -> BTreeSet<String> {
    let (mut texts, mut before) = (BTreeSet::new(), String::new());
    loop {
        let page = person.get(server, &format!("/api/messages?limit=200{before}")).json();
        let notes = page["data"].as_array().unwrap();
        let Some(last) = notes.last() else { return texts };
        before = format!("&before={}", last["id"].as_str().unwrap());
        texts.extend(notes.iter().map(|note| note["message"].as_str().unwrap().to_owned()));
    }
}

/// A terminal that is closed sends the first, and tools send the others to ask for something.
#[test]
fn a_signal_that_asks_for_nothing_ends_nothing() {
    let mut server = Server::start();
    for signal in [Signal::HUP, Signal::USR1, Signal::USR2] {
        server.signal(signal);
        server.get("/healthz").send().assert(200, "alive");
    }
    assert!(server.stop().success());
}

/// Browsers keep idle connections open for a minute, and operators leave a console open.
#[test]
fn told_to_end_a_server_says_goodbye_and_waits_for_nobody_who_asks_nothing() {
    at_once([Signal::TERM, Signal::INT, Signal::QUIT].map(|signal| {
        move || {
            let (mut server, person) = Person::with(NO_LIMITS);
            let mut sockets: Vec<_> = (0..3).map(|_| TestSocket::of(&server, &person)).collect();
            // An unfinished request, unfinished heads, and connections that are only open.
            let mut kept: Vec<_> = (0..5).map(|_| Connection::open(server.address)).collect();
            kept[..2].iter_mut().for_each(|idle| server.get("/healthz").send_on(idle).assert(200, "alive"));
            kept[0].send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n").unwrap();
            kept[2].send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n").unwrap();
            kept[3].send(b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{").unwrap();
            let mut door = UnixStream::connect(server.folder.data().join("control.sock")).unwrap();
            door.write_all(br#"{"user":"list"}"#).unwrap();
            server.get("/healthz").send().assert(200, "alive");

            server.signal(signal);
            let (status, took) = timed(|| server.wait());
            assert_eq!(status.code(), Some(0), "{:?}", server.log.lines());
            // The server takes at most 4 seconds; a busy machine may take ten times that.
            assert!(took < Duration::from_secs(40), "{took:?}");
            for socket in &mut sockets {
                assert_eq!(socket.next(), Received::closed(1012, "restarting"));
            }
            assert!(server.log.wait_for("stopped").is_some());
            assert!(!server.folder.data().join("control.sock").exists());
            let again = Server::on(&server.folder, &[]);
            assert!(is_alive(&again, &person.token), "a restart signs nobody out");
        }
    }));
}

/// Told to drain, a server says so to its balancer and takes no new sockets, until it is told again.
#[test]
fn a_server_that_drains_is_not_ready_and_ends_at_once_when_it_is_told_again() {
    let (mut server, person) = Person::with(&["--address-limits", "off", "--drain-seconds", "3600"]);
    let mut socket = TestSocket::of(&server, &person);
    server.signal(Signal::TERM);
    wait_until("it isn't ready", || server.get("/readyz").send().status == 503);
    let answer = server.get("/readyz").send().json();
    assert_eq!(answer, json!({ "status": 503, "code": "busy", "message": "draining" }));
    server.get("/healthz").send().assert(200, "alive");
    send_note(&server, &person.target(&server), "a note meanwhile").assert(201, SENT);
    assert_eq!(socket.next_frame()["note"]["message"], "a note meanwhile", "it is still open");
    assert_eq!(TestSocket::try_open(&server, &person.token, &[]).map(drop), Err(503));
    server.signal(Signal::INT);
    assert_eq!(socket.next(), Received::closed(1012, "restarting"));
    assert_eq!(server.wait().code(), Some(0));
}

/// When it is told to stop, the server still answers a request that it is receiving.
#[test]
fn a_request_that_is_under_way_is_answered_before_the_end() {
    let mut server = Server::with(NO_LIMITS);
    let mut slow = Connection::open(server.address);
    let head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
    slow.send(format!("{head}Expect: 100-continue\r\n\r\n").as_bytes()).unwrap();
    // The server answers `100 Continue` when the request is under way.
    slow.stream.fill_buf().unwrap();
    slow.send(b"{").unwrap();
    server.signal(Signal::TERM);
    assert!(server.log.wait_for("stopping").is_some());
    slow.send(b"}").unwrap();
    assert_eq!(slow.read("POST").unwrap().status, 400);
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn a_server_can_be_told_to_end_from_its_first_moment() {
    for _ in 0..10 {
        let mut server = Server::start();
        assert_eq!(server.stop().code(), Some(0), "{:?}", server.log.lines());
    }
}

/// An operator whose terminal hangs during a backup must not keep the server from stopping.
#[test]
fn a_backup_nobody_reads_does_not_hold_up_the_end() {
    let (mut server, person) = Person::with(&["--address-limits", "off", "--sync", "off"]);
    // This is more than the socket between the two processes can hold.
    flood(&server, &person, 800, &"🙂".repeat(280));
    let mut door = UnixStream::connect(server.folder.data().join("control.sock")).unwrap();
    door.write_all(b"{\"backup\":{\"file\":\"it\"}}\n").unwrap();
    let mut begun = [0; 8];
    std::io::Read::read_exact(&mut door, &mut begun).unwrap();
    server.signal(Signal::TERM);
    let (status, took) = timed(|| server.wait());
    assert_eq!(status.code(), Some(0));
    assert!(took < Duration::from_secs(20), "it would wait for thirty: {took:?}");
}

#[test]
fn after_a_write_that_fails_a_server_takes_no_more_and_ends_by_itself() {
    let folder = Folder::new();
    let mut limited = Command::new("/bin/sh");
    // A file may have 4096 blocks of 512 bytes. The signal is ignored, so the write fails.
    limited.env_clear().args(["-c", r#"ulimit -f 4096; trap "" XFSZ; exec "$0" "$@""#, ANNON]);
    let mut server = Server::run(limited, &folder, NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    let mut acknowledged = BTreeSet::new();
    let refusal = loop {
        let text = format!("{:05} {}", acknowledged.len(), "🙂".repeat(270));
        let answer = send_note(&server, &target, &text);
        if answer.status != 201 {
            break answer;
        }
        acknowledged.insert(text);
        assert!(acknowledged.len() < 10_000, "nothing ever failed");
    };
    let unavailable = "The server can't store anything right now. Try again later.";
    refusal.assert(503, unavailable);
    // The server stops within half a second, and may have stopped already.
    if let Ok(mut probe) = TcpStream::connect(server.address).map(Connection::over)
        && probe.send(&server.get("/readyz").bytes()).is_ok()
        && let Ok(answer) = probe.read("GET")
    {
        answer.assert(503, unavailable);
    }
    let status = server.wait();
    assert!(status.code().is_some_and(|code| code != 0), "{status:?}");
    assert!(server.log.wait_for("the store has failed; ending").is_some());

    let again = Server::on(&folder, NO_LIMITS);
    assert!(acknowledged.is_subset(&texts(&again, &person)));
    send_note(&again, &target, "and life goes on").assert(201, SENT);
}

/// Free MiB on the disk of a folder.
fn free_mib(folder: &Folder) -> u64 {
    let disk = rustix::fs::statvfs(folder.file("")).unwrap();
    disk.f_bavail * disk.f_frsize / (1024 * 1024)
}

#[test]
fn on_a_full_disk_pictures_go_first_then_what_grows_and_reading_stays() {
    let no_space = "The server has no space left for this. Try again later.";
    let folder = Folder::new();
    let mut server = Server::on(&folder, NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    for n in 0..3 {
        send_note(&server, &target, &format!("note number {n}")).assert(201, SENT);
    }
    assert!(server.stop().success());
    let with_picture = Form::with_text("it works, mostly").picture(&picture(8, 8, ImageFormat::Png));

    let nearly = (free_mib(&folder) * 3 / 2).to_string();
    let mut server = Server::on(&folder, &["--address-limits", "off", "--disk-reserve-mb", &nearly]);
    with_picture.send(&server).assert(507, no_space);
    Form::with_text("it works, mostly").send(&server).assert(201, "Feedback sent");
    send_note(&server, &target, "there is room for words").assert(201, SENT);
    assert!(server.stop().success());

    let full = (free_mib(&folder) * 10).to_string();
    let server = Server::on(&folder, &["--address-limits", "off", "--disk-reserve-mb", &full]);
    with_picture.send(&server).assert(507, no_space);
    Form::with_text("it works, mostly").send(&server).assert(507, no_space);
    send_note(&server, &target, "there is no room for words").assert(507, no_space);
    register(&server, "latecomer", "late@mail.example", "correct horse").assert(507, no_space);
    server.get("/readyz").send().assert(200, "ready");

    let inbox = person.inbox(&server);
    assert_eq!(inbox["message"], 4);
    let id = |n: usize| inbox["data"][n]["id"].as_str().unwrap();
    assert_eq!(person.get(&server, &format!("/api/mark_as_seen/{}", id(0))).json()["message"], 3);
    assert_eq!(person.call(&server, "DELETE", &format!("/api/message/{}", id(1))).send().json()["message"], 2);
    let token = person.sign_in(&server);
    server.post("/api/logout").bearer(&token).send().assert(200, "User Logged Out");
    password_is_set(&person.change_password(&server, &person.password, "another password"));
    person.delete(&server, "another password").assert(200, "Account Deleted");
}
