//! Whoever must not learn a secret, and all that they get to see.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::client::{Answer, Call};
use crate::support::contract::pattern_of;
use crate::support::server::Server;
use crate::support::test_socket::TestSocket;
use crate::worlds::names::Names;

/// An event, and what tells its last frame.
pub(crate) type LastOf<'a> = (&'a str, &'a dyn Fn(&Value) -> bool);

/// What a watcher has seen in one world.
pub(crate) struct Watcher<'a> {
    /// Where the watcher is.
    pub(crate) server: &'a Server,
    /// The address that the watcher calls from.
    address: String,
    names: Names,
    /// What was seen, in its order.
    pub(super) seen: Vec<String>,
    /// The calls and the events of the API among it.
    pub(super) looked_at: BTreeSet<String>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(server: &'a Server, address: String) -> Self {
        let (names, seen, looked_at) = Default::default();
        Self { server, address, names, seen, looked_at }
    }

    /// Says what has no form of its own: a username, an emoji.
    pub(crate) fn knows(&mut self, what: &str, name: &str) {
        self.names.know(what, name);
    }

    /// Says which fields have numbers that tell only an order.
    pub(crate) fn numbers(&mut self, fields: &[&str]) {
        self.names.know_numbers(fields);
    }

    /// Makes a call from the watcher's address, and notes all of the answer.
    pub(crate) fn sees(&mut self, call: Call) -> Answer {
        let address = self.address.clone();
        self.sees_from(&address, call)
    }

    /// Makes a call from another of the watcher's addresses, and notes all of the answer.
    pub(crate) fn sees_from(&mut self, address: &str, call: Call) -> Answer {
        let (method, path) = call.what();
        let answer = call.header("X-Forwarded-For", address).send();
        if let Some(pattern) = pattern_of(&path) {
            self.looked_at.insert(format!("{method} {pattern}"));
        }
        let mut headers: Vec<_> = answer.stable_headers().into_iter().collect();
        let mut body = String::from_utf8_lossy(&answer.body).into_owned();
        // What has a name may be shorter or longer; whether the rest is as long, the body itself says.
        let is_its_length =
            |(name, length): &(String, String)| name == "content-length" && *length == body.len().to_string();
        headers.retain(|header| !is_its_length(header));
        if answer.status == 429 {
            // How long to wait, and with it the length, differs with every second. An id has a name before.
            body = self.names.named(&body);
            body.retain(|c| !c.is_ascii_digit());
            headers.iter_mut().filter(|(name, _)| name == "retry-after").for_each(|(_, wait)| wait.clear());
        }
        let seen = format!("{method} {path}\n{} {headers:?}\n{body}", answer.status);
        self.notes(&seen);
        answer
    }

    /// Notes every frame of a socket up to one that the script has caused.
    pub(crate) fn hears(&mut self, socket: &mut TestSocket, is_last: impl Fn(&Value) -> bool) {
        loop {
            let frame = socket.next_frame();
            self.heard(&frame);
            if is_last(&frame) {
                return;
            }
        }
    }

    /// Notes the frames of a socket up to those that the script has caused, the last one of each of these
    /// events. Nothing orders events of two kinds, so each kind has an order of its own. What else is said of the inbox is
    /// left out.
    pub(crate) fn hears_each(&mut self, socket: &mut TestSocket, lasts: &[LastOf<'_>]) {
        let mut heard = vec![Vec::new(); lasts.len()];
        let is_there = |(frames, (_, is_last)): (&Vec<Value>, &LastOf<'_>)| frames.iter().any(is_last);
        while !heard.iter().zip(lasts).all(is_there) {
            let frame = socket.next_frame();
            match lasts.iter().position(|(event, _)| frame["event"] == *event) {
                Some(kind) => heard[kind].push(frame),
                None => assert_eq!(frame["event"], "event.inbox", "a frame that nobody waits for"),
            }
        }
        heard.iter().flatten().for_each(|frame| self.heard(frame));
    }

    fn heard(&mut self, frame: &Value) {
        self.looked_at.insert(frame["event"].as_str().unwrap_or_default().to_owned());
        self.notes(&format!("frame {frame}"));
    }

    /// Notes something that was seen in another way.
    pub(crate) fn notes(&mut self, seen: &str) {
        let seen = self.names.named(seen);
        self.seen.push(seen);
    }
}
