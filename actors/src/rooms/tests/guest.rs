//! A member's session without a socket: it sends frames and keeps the frames that come.

use std::cell::RefCell;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll};

use actix_http::ws::Frame;
use annon_store::room::{MemberId, RoomId};
use serde_json::{Value, json};

use super::{RoomError, Rooms, id};
use crate::clock::stopped::run_until_idle;
use crate::room::Member;
use crate::session::{CloseReason, Outbox, Role};

#[derive(Default)]
struct Received {
    frames: Vec<Value>,
    /// How often the guest was woken for frames.
    wakes: usize,
    code: Option<&'static str>,
    end: Option<(Option<&'static str>, CloseReason)>,
}

impl Received {
    /// Reads the frames that were written. Ready at the session's end.
    fn poll_read(&mut self, outbox: &Outbox, task: &mut Task<'_>) -> Poll<()> {
        let (frames, is_end) = outbox.poll_frames(task);
        self.wakes += usize::from(!frames.is_empty());
        for frame in frames {
            match frame {
                Frame::Text(text) => match serde_json::from_slice::<Value>(&text).unwrap() {
                    end if end["event"] == "event.closed" => {
                        self.code = Some(end["code"].as_str().unwrap().to_owned().leak());
                    }
                    frame => self.frames.push(frame),
                },
                Frame::Close(_) => self.end = Some((self.code, outbox.end().unwrap())),
                other => panic!("{other:?}"),
            }
        }
        if is_end { Poll::Ready(()) } else { Poll::Pending }
    }
}

pub(super) struct Guest {
    room: RoomId,
    role: RefCell<Member>,
    outbox: Arc<Outbox>,
    received: Arc<Mutex<Received>>,
}

impl Guest {
    pub(super) async fn open(rooms: &Rooms, room: RoomId, member: MemberId) -> Result<Self, RoomError> {
        Ok(Self::start(rooms.socket(room, member).await?, room))
    }

    /// A guest whose socket opens some time after its handshake.
    pub(super) fn start(role: Member, room: RoomId) -> Self {
        let guest = Self::asleep(role, room);
        let (outbox, received) = (guest.outbox.clone(), guest.received.clone());
        actix::spawn(poll_fn(move |task| received.lock().unwrap().poll_read(&outbox, task)));
        guest
    }

    /// A guest that never reads.
    pub(super) fn asleep(mut role: Member, room: RoomId) -> Self {
        let (outbox, received) = (Outbox::new(None), Arc::default());
        role.opened(outbox.clone());
        Self { room, role: RefCell::new(role), outbox, received }
    }

    /// Sends a frame, which the room has not handled yet.
    pub(super) fn send(&self, event: &str, fields: &[(&str, Value)]) {
        let mut message = json!({ "event": event });
        fields.iter().for_each(|(name, value)| message[*name] = value.clone());
        let frame = json!({ "action": "sendMessage", "room_id": self.room.0.to_string(), "message": message });
        if let Some(answer) = self.role.borrow_mut().received(&frame.to_string()) {
            let _ = self.outbox.push(&answer);
        }
    }

    /// Sends a frame, and waits until all its effects are over.
    pub(super) async fn send_and_wait(&self, event: &str, fields: &[(&str, Value)]) {
        self.send(event, fields);
        run_until_idle().await;
    }

    /// Posts message `n`, whose text is `words n`.
    pub(super) async fn post(&self, n: usize) {
        self.send_and_wait("event.chat", &[("id", id(n).into()), ("message", format!("words {n}").into())]).await;
    }

    /// Posts many messages, a few at a time.
    pub(super) async fn post_all(&self, range: std::ops::Range<usize>) {
        self.post_each(range.map(|n| (n, format!("words {n}")))).await;
    }

    /// Posts texts, a few at a time, with the ids of messages.
    pub(super) async fn post_each(&self, messages: impl IntoIterator<Item = (usize, String)>) {
        for (n, words) in messages {
            self.send("event.chat", &[("id", id(n).into()), ("message", words.into())]);
            if n % 10 == 0 {
                run_until_idle().await;
            }
        }
        run_until_idle().await;
    }

    pub(super) async fn retract(&self, n: usize) {
        self.send_and_wait("event.unsend", &[("id", id(n).into())]).await;
    }

    pub(super) async fn connect(&self, since: u64) {
        self.send_and_wait("event.connect", &[("since", since.into())]).await;
    }

    /// Cuts the connection, without a close frame.
    pub(super) fn tear_away(&self) {
        self.outbox.cut();
        self.role.borrow_mut().closed();
    }

    /// All frames that came since the last `forget`.
    pub(super) fn frames(&self) -> Vec<Value> {
        self.received.lock().unwrap().frames.clone()
    }

    pub(super) fn wakes(&self) -> usize {
        self.received.lock().unwrap().wakes
    }

    pub(super) fn forget(&self) {
        let mut received = self.received.lock().unwrap();
        received.frames.clear();
        received.wakes = 0;
    }

    pub(super) fn of(&self, event: &str) -> Vec<Value> {
        self.frames().into_iter().filter(|frame| frame["event"] == event).collect()
    }

    fn texts_of(&self, event: &str) -> Vec<String> {
        self.of(event).iter().map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
    }

    /// The texts of the messages that came, in order.
    pub(super) fn words(&self) -> Vec<String> {
        self.texts_of("event.chat")
    }

    /// The notices that came, in order.
    pub(super) fn news(&self) -> Vec<String> {
        self.texts_of("event.notify")
    }

    pub(super) fn refusals(&self) -> Vec<String> {
        self.texts_of("event.error")
    }

    pub(super) fn end(&self) -> Option<(Option<&'static str>, CloseReason)> {
        self.received.lock().unwrap().end
    }
}

pub(super) fn words(of: impl IntoIterator<Item = usize>) -> Vec<String> {
    of.into_iter().map(|n| format!("words {n}")).collect()
}
