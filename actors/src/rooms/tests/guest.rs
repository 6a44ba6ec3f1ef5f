//! A member's session without a socket around it: it says frames and keeps
//! what it hears, through a mailbox as small as a real one's.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll};

use actix::fut::wrap_future;
use actix::{Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, Message, Running};
use actix_http::ws::Frame;
use annon_store::room::{MemberId, RoomId};
use serde_json::{Value, json};

use super::{RoomError, Rooms, id};
use crate::clock::stopped::settle;
use crate::room::Member;
use crate::session::{Goodbye, Outbox, OutgoingBuffer, Role};

#[derive(Default)]
struct Received {
    frames: Vec<Value>,
    /// How often it was woken for them.
    wakes: usize,
    code: Option<&'static str>,
    end: Option<(Option<&'static str>, Goodbye)>,
}

impl Received {
    fn hear(&mut self, text: &[u8]) {
        let frame: Value = serde_json::from_slice(text).unwrap();
        if frame["event"] == "event.closed" {
            self.code = Some(frame["code"].as_str().unwrap().to_owned().leak());
        } else {
            self.frames.push(frame);
        }
    }

    /// Reads what was written. Ready when that was all.
    fn poll_read(&mut self, outgoing: &OutgoingBuffer, task: &mut Task<'_>) -> Poll<()> {
        let (frames, is_end) = outgoing.poll_frames(task);
        self.wakes += usize::from(!frames.is_empty());
        for frame in frames {
            match frame {
                Frame::Text(text) => self.hear(&text),
                Frame::Close(_) => self.end = Some((self.code, outgoing.end().unwrap())),
                other => panic!("{other:?}"),
            }
        }
        if is_end { Poll::Ready(()) } else { Poll::Pending }
    }
}

struct Session {
    role: Member,
    outgoing: Arc<OutgoingBuffer>,
    heard: Arc<Mutex<Received>>,
}

/// What a client does: it says something, or is gone without a word.
#[derive(Message)]
#[rtype(result = "()")]
enum Client {
    Says(String),
    IsGone,
}

impl Actor for Session {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.role.opened(Outbox::new(&self.outgoing));
        let (outgoing, heard) = (self.outgoing.clone(), self.heard.clone());
        let read = poll_fn(move |task| heard.lock().unwrap().poll_read(&outgoing, task));
        context.spawn(wrap_future(read).map(|(), _, context: &mut Context<Self>| context.stop()));
    }

    fn stopping(&mut self, _: &mut Self::Context) -> Running {
        self.outgoing.cut();
        self.role.closed();
        Running::Stop
    }
}

impl Handler<Client> for Session {
    type Result = ();

    fn handle(&mut self, client: Client, context: &mut Self::Context) {
        match client {
            Client::IsGone => context.stop(),
            Client::Says(text) => {
                if let Some(answer) = self.role.received(&text) {
                    let _ = Outbox::new(&self.outgoing).push(&answer);
                }
            }
        }
    }
}

pub(super) struct Guest {
    room: RoomId,
    session: Addr<Session>,
    heard: Arc<Mutex<Received>>,
}

impl Guest {
    pub(super) async fn open(rooms: &Rooms, room: RoomId, member: MemberId) -> Result<Self, RoomError> {
        Ok(Self::start(rooms.socket(room, member).await?, room))
    }

    /// The socket, some time after its handshake was let in.
    pub(super) fn start(role: Member, room: RoomId) -> Self {
        let heard = Arc::<Mutex<Received>>::default();
        let session = Session { role, outgoing: OutgoingBuffer::new(None), heard: heard.clone() }.start();
        Self { room, session, heard }
    }

    pub(super) fn say(&self, event: &str, fields: &[(&str, Value)]) {
        let mut message = json!({ "event": event });
        for (name, value) in fields {
            message[*name] = value.clone();
        }
        let frame = json!({ "action": "sendMessage", "room_id": self.room.0.to_string(), "message": message });
        self.session.do_send(Client::Says(frame.to_string()));
    }

    /// Posts message `n`, which says so.
    pub(super) fn post(&self, n: usize) {
        self.say("event.chat", &[("id", id(n).into()), ("message", format!("words {n}").into())]);
    }

    /// Posts many, not all at once.
    pub(super) async fn post_all(&self, range: std::ops::Range<usize>) {
        self.post_each(range.map(|n| (n, format!("words {n}")))).await;
    }

    /// Posts words under the ids of messages, not all at once.
    pub(super) async fn post_each(&self, messages: impl IntoIterator<Item = (usize, String)>) {
        for (n, words) in messages {
            self.say("event.chat", &[("id", id(n).into()), ("message", words.into())]);
            if n % 10 == 0 {
                settle().await;
            }
        }
        settle().await;
    }

    pub(super) fn connect(&self, since: u64) {
        self.say("event.connect", &[("since", since.into())]);
    }

    /// The connection is gone, without a word.
    pub(super) fn tear_away(&self) {
        self.session.do_send(Client::IsGone);
    }

    /// Everything heard and not forgotten.
    pub(super) fn frames(&self) -> Vec<Value> {
        self.heard.lock().unwrap().frames.clone()
    }

    pub(super) fn wakes(&self) -> usize {
        self.heard.lock().unwrap().wakes
    }

    pub(super) fn forget(&self) {
        let mut heard = self.heard.lock().unwrap();
        heard.frames.clear();
        heard.wakes = 0;
    }

    pub(super) fn of(&self, event: &str) -> Vec<Value> {
        self.frames().into_iter().filter(|frame| frame["event"] == event).collect()
    }

    fn told(&self, event: &str) -> Vec<String> {
        self.of(event).iter().map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
    }

    /// The words heard, in order.
    pub(super) fn words(&self) -> Vec<String> {
        self.told("event.chat")
    }

    /// What stands between them.
    pub(super) fn news(&self) -> Vec<String> {
        self.told("event.notify")
    }

    pub(super) fn refusals(&self) -> Vec<String> {
        self.told("event.error")
    }

    pub(super) fn end(&self) -> Option<(Option<&'static str>, Goodbye)> {
        self.heard.lock().unwrap().end
    }
}

/// What message `n` says.
pub(super) fn words(of: impl IntoIterator<Item = usize>) -> Vec<String> {
    of.into_iter().map(|n| format!("words {n}")).collect()
}
