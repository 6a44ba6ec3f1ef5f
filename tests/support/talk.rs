//! A sender's end of a conversation.

use std::sync::atomic::{AtomicU64, Ordering};

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::support::client::{Answer, Call};
use crate::support::person::Person;
use crate::support::server::Server;
use crate::support::test_socket::{TestSocket, request};

/// What a browser has drawn.
#[derive(Clone)]
pub(crate) struct Talk {
    pub(crate) id: String,
    pub(crate) key: String,
}

/// Bytes that no other conversation of this run has. Later ones are greater, so that lists have the order of time.
fn fresh<const N: usize>() -> [u8; N] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut bytes = [7; N];
    bytes[..8].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    bytes
}

pub(crate) fn base64url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self { id: base64url(&fresh::<16>()), key: base64url(&fresh::<32>()) }
    }

    /// A conversation that has begun with this note.
    pub(crate) fn begun(server: &Server, with: &Person, note: &str) -> Self {
        let this = Self::new();
        this.begin(server, with, note).assert(201, "Anonymous Message Sent");
        this
    }

    pub(crate) fn begin(&self, server: &Server, with: &Person, note: &str) -> Answer {
        self.begin_at(server, &with.target(server), note)
    }

    /// Begins it with a note to this target.
    pub(crate) fn begin_at(&self, server: &Server, target: &str, note: &str) -> Answer {
        let form = json!({ "id": target, "message": note, "conversation": self.beginning() });
        server.post("/api/annon-message").json(&form).send()
    }

    /// What a note has that begins it.
    pub(crate) fn beginning(&self) -> Value {
        json!({ "id": self.id, "proof": self.proof() })
    }

    pub(crate) fn proof(&self) -> String {
        base64url(digest(&SHA256, &BASE64_URL_SAFE_NO_PAD.decode(&self.key).unwrap()).as_ref())
    }

    pub(crate) fn path(&self) -> String {
        format!("/api/conversation/{}", self.id)
    }

    /// A call of the sender, or of the owner.
    pub(crate) fn call(&self, server: &Server, who: Option<&Person>, method: &str, below: &str) -> Call {
        let call = server.call(method, &format!("{}{below}", self.path()));
        match who {
            None => call.header("Authorization", &format!("Annon {}", self.key)),
            Some(owner) => call.bearer(&owner.token),
        }
    }

    /// Says something, under an id that is made of a number.
    pub(crate) fn say(&self, server: &Server, who: Option<&Person>, n: u64, message: &str) -> Answer {
        self.call(server, who, "POST", "").json(&json!({ "id": format!("{n:015}"), "message": message })).send()
    }

    /// Says something, and returns its `seq`.
    pub(crate) fn said(&self, server: &Server, who: Option<&Person>, n: u64, message: &str) -> u64 {
        let answer = self.say(server, who, n, message);
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["seq"].as_u64().unwrap()
    }

    pub(crate) fn read(&self, server: &Server, who: Option<&Person>) -> Value {
        let answer = self.call(server, who, "GET", "").send();
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["data"].clone()
    }

    /// Checks that nobody finds it any more.
    #[track_caller]
    pub(crate) fn assert_gone(&self, server: &Server, owner: &Person) {
        for who in [None, Some(owner)] {
            self.call(server, who, "GET", "").send().assert(404, GONE);
        }
    }
}

pub(crate) const GONE: &str = "There is no such conversation. It may have ended.";

/// A window of one side.
pub(crate) struct TalkSocket {
    pub(crate) socket: TestSocket,
}

impl TalkSocket {
    pub(crate) fn open(server: &Server, talk: &Talk, who: Option<&Person>) -> Self {
        let (protocol, shown) = who.map_or(("annon-key", &talk.key), |owner| ("bearer", &owner.token));
        let request = request(server, &format!("{}/socket", talk.path()), &[]);
        let request = request.with_sub_protocol(protocol).with_sub_protocol(shown.as_str());
        let (socket, response) = TestSocket::upgrade(server, request).unwrap();
        let agreed: Vec<_> = response.headers().get_all("sec-websocket-protocol").iter().collect();
        assert_eq!(agreed, [protocol], "and not the secret");
        Self { socket }
    }

    /// A window that has nothing to catch up with.
    pub(crate) fn connected(server: &Server, talk: &Talk, who: Option<&Person>, since: Option<u64>, last: u64) -> Self {
        let mut this = Self::open(server, talk, who);
        this.connect(since);
        let ready = json!({ "event": "event.ready", "last_seq": last, "resumed": since.is_some() });
        assert_eq!(this.next_frame(), ready);
        this
    }

    pub(crate) fn connect(&mut self, since: Option<u64>) {
        self.socket.send_text(&json!({ "event": "event.connect", "since": since }).to_string());
    }

    /// The next frame of which this is so.
    pub(crate) fn next_where(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = self.next_frame();
            if is_it(&frame) {
                return frame;
            }
        }
    }

    /// The next frame, without times.
    pub(crate) fn next_frame(&mut self) -> Value {
        let mut frame = self.socket.next_frame();
        if let Some(frame) = frame.as_object_mut() {
            frame.remove("time");
            frame.remove("expires");
        }
        frame
    }
}
