//! A member of a group with a socket.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use annon_contract::code::Code;
use serde_json::{Value, json};

use crate::rooms::group::{Group, Seat};
use crate::support::server::Server;
use crate::support::test_socket::{Received, TestSocket, request};

pub(crate) struct Member {
    socket: TestSocket,
    pub(crate) seat: Seat,
    room: String,
}

impl Deref for Member {
    type Target = TestSocket;

    fn deref(&self) -> &TestSocket {
        &self.socket
    }
}

impl DerefMut for Member {
    fn deref_mut(&mut self) -> &mut TestSocket {
        &mut self.socket
    }
}

pub(crate) fn fresh_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("msg{:012}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Tries to open a group's socket; the error is the HTTP status.
pub(crate) fn try_open(server: &Server, room: &str, headers: &[(&str, &str)]) -> Result<TestSocket, u16> {
    let request = request(server, &format!("/api/room/{room}/socket"), headers);
    TestSocket::upgrade(server, request).map(|(socket, _)| socket)
}

impl Member {
    /// A member who has opened a socket and sent nothing.
    pub(crate) fn silent(server: &Server, group: &Group, seat: &Seat) -> Self {
        let socket = try_open(server, &group.id, &[("Cookie", &seat.cookie)]).unwrap();
        Self { socket, seat: seat.clone(), room: group.id.clone() }
    }

    /// A member who is connected.
    pub(crate) fn open(server: &Server, group: &Group, seat: &Seat) -> Self {
        let mut member = Self::silent(server, group, seat);
        assert_eq!(member.connect(None)["resumed"], false);
        member
    }

    /// Resumes, and returns the missed frames.
    pub(crate) fn resume(server: &Server, group: &Group, seat: &Seat, since: u64) -> (Self, Vec<Value>) {
        let mut member = Self::silent(server, group, seat);
        member.send_event("event.connect", &json!({ "since": since }));
        let missed = member.until("event.ready");
        assert_eq!(member.next_frame()["event"], "event.active-users");
        (member, missed)
    }

    /// Sends `event.connect` and returns `event.ready`.
    pub(crate) fn connect(&mut self, since: Option<u64>) -> Value {
        self.send_event("event.connect", &since.map_or(json!({}), |since| json!({ "since": since })));
        let ready = self.await_event("event.ready");
        self.await_event("event.active-users");
        ready
    }

    pub(crate) fn send_event(&mut self, event: &str, fields: &Value) {
        let frame = self.frame(event, fields);
        self.send_text(&frame);
    }

    /// The text of a frame.
    pub(crate) fn frame(&self, event: &str, fields: &Value) -> String {
        let mut message = fields.clone();
        message["event"] = event.into();
        json!({ "action": "sendMessage", "room_id": self.room, "message": message }).to_string()
    }

    /// Posts a message under a fresh id, and returns the id.
    pub(crate) fn post(&mut self, words: &str) -> String {
        let id = fresh_id();
        self.send_event("event.chat", &json!({ "id": id, "message": words }));
        id
    }

    /// Posts a message, and waits for its echo.
    pub(crate) fn chat(&mut self, words: &str) -> Value {
        let id = self.post(words);
        self.await_where(|frame| frame["id"] == id)
    }

    /// Reads on until such a frame comes.
    pub(crate) fn await_where(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = self.next_frame();
            if is_it(&frame) {
                return frame;
            }
        }
    }

    pub(crate) fn await_event(&mut self, event: &str) -> Value {
        self.await_where(|frame| frame["event"] == event)
    }

    /// All frames up to the next one with this event.
    pub(crate) fn until(&mut self, event: &str) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            let frame = self.next_frame();
            let is_it = frame["event"] == event;
            frames.push(frame);
            if is_it {
                return frames;
            }
        }
    }

    /// All frames that have come so far.
    pub(crate) fn so_far(&mut self) -> Vec<Value> {
        // The server refuses a message without an id, and other frames come before its refusal.
        self.send_event("event.chat", &json!({ "message": "a question" }));
        let mut frames = Vec::new();
        loop {
            let frame = self.next_frame();
            if frame["event"] == "event.error" && frame["id"].is_null() {
                return frames;
            }
            frames.push(frame);
        }
    }

    /// Checks that the socket ends with this event and this close frame.
    #[track_caller]
    pub(crate) fn assert_closed(&mut self, code: Code, close_code: u16, why: &str) {
        let rest = self.read_to_end();
        let closed = json!({ "event": "event.closed", "code": code.name(), "message": code.sentence() });
        assert!(rest.ends_with(&[Received::Frame(closed), Received::closed(close_code, why)]), "{rest:?}");
    }
}
