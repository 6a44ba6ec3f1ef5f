//! A member at their socket.

use std::sync::atomic::{AtomicU64, Ordering};

use annon_contract::code::Code;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::rooms::group::{Group, Seat};
use crate::support::client::dial;
use crate::support::far_end::{self, Received, Socket};
use crate::support::server::Server;

pub(crate) struct Member {
    pub(crate) socket: Socket,
    pub(crate) seat: Seat,
    room: String,
}

/// A fresh message id.
pub(crate) fn fresh_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("msg{:012}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Tries to open a group's socket; the error is the HTTP status.
pub(crate) fn try_open(server: &Server, room: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
    let request = far_end::request(server, &format!("/api/room/{room}/socket"), headers);
    far_end::upgrade(dial(server.address), request).map(|(socket, _)| socket)
}

impl Member {
    /// A socket on which nothing was said yet.
    pub(crate) fn silent(server: &Server, group: &Group, seat: &Seat) -> Self {
        let socket = try_open(server, &group.id, &[("Cookie", &seat.cookie)]).unwrap();
        Self { socket, seat: seat.clone(), room: group.id.clone() }
    }

    /// One that is connected from now on.
    pub(crate) fn open(server: &Server, group: &Group, seat: &Seat) -> Self {
        let mut member = Self::silent(server, group, seat);
        assert_eq!(member.connect(None)["resumed"], false);
        member
    }

    /// Resumes, and gives what was missed.
    pub(crate) fn resume(server: &Server, group: &Group, seat: &Seat, since: u64) -> (Self, Vec<Value>) {
        let mut member = Self::silent(server, group, seat);
        member.say("event.connect", &json!({ "since": since }));
        let missed = member.until("event.ready");
        assert_eq!(member.next_frame()["event"], "event.active-users");
        (member, missed)
    }

    /// Says `event.connect` and gives `event.ready`.
    pub(crate) fn connect(&mut self, since: Option<u64>) -> Value {
        self.say("event.connect", &since.map_or(json!({}), |since| json!({ "since": since })));
        let ready = self.await_event("event.ready");
        self.await_event("event.active-users");
        ready
    }

    pub(crate) fn say(&mut self, event: &str, fields: &Value) {
        self.say_to(&self.room.clone(), event, fields);
    }

    pub(crate) fn say_to(&mut self, room: &str, event: &str, fields: &Value) {
        let mut message = fields.clone();
        message["event"] = event.into();
        self.say_raw(&json!({ "action": "sendMessage", "room_id": room, "message": message }).to_string());
    }

    pub(crate) fn room(&self) -> &str {
        &self.room
    }

    pub(crate) fn say_raw(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    pub(crate) fn say_bytes(&mut self, pieces: &[&[u8]], is_whole: bool) {
        far_end::say_bytes(&mut self.socket, pieces, is_whole);
    }

    /// Posts words under a fresh id, which is given back.
    pub(crate) fn post(&mut self, words: &str) -> String {
        let id = fresh_id();
        self.say("event.chat", &json!({ "id": id, "message": words }));
        id
    }

    /// Posts, and waits for the echo.
    pub(crate) fn chat(&mut self, words: &str) -> Value {
        let id = self.post(words);
        self.await_where(|frame| frame["id"] == id)
    }

    pub(crate) fn next(&mut self) -> Received {
        far_end::next(&mut self.socket)
    }

    pub(crate) fn next_frame(&mut self) -> Value {
        self.next().frame()
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

    /// Everything up to and with such an event.
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

    /// What has come so far: everything before the answer to a question.
    pub(crate) fn so_far(&mut self) -> Vec<Value> {
        // An answer that is never confused with news: a send without an id.
        self.say("event.chat", &json!({ "message": "a question" }));
        let mut frames = Vec::new();
        loop {
            let frame = self.next_frame();
            if frame["event"] == "event.error" && frame["id"].is_null() {
                return frames;
            }
            frames.push(frame);
        }
    }

    /// Everything up to the end, whatever it is.
    pub(crate) fn rest(&mut self) -> Vec<Received> {
        let mut heard = Vec::new();
        loop {
            match self.next() {
                Received::Ended => return heard,
                other => heard.push(other),
            }
        }
    }

    /// The server's last words.
    #[track_caller]
    pub(crate) fn is_closed(&mut self, code: Code, close_code: u16, why: &str) {
        let rest = self.rest();
        let closed = json!({ "event": "event.closed", "code": code.name(), "message": code.sentence() });
        assert!(rest.ends_with(&[Received::Frame(closed), Received::closed(close_code, why)]), "{rest:?}");
    }
}
