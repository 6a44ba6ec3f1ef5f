//! A member's session without a socket around it: it says frames and keeps
//! what it hears, through a mailbox as small as a real one's.

use std::sync::{Arc, Mutex};

use actix::{Actor, ActorContext, Addr, AsyncContext, Context, Handler, Message, Running};
use annon_store::limits::SOCKET_MAILBOX;
use annon_store::room::{MemberId, RoomId};
use serde_json::{Value, json};

use super::{RoomError, Rooms, id};
use crate::room::Member;
use crate::session::{Goodbye, Line, Outbox, Role, Wake};

#[derive(Default)]
struct Heard {
    frames: Vec<Value>,
    /// How often it was woken for them.
    wakes: usize,
    end: Option<(Option<&'static str>, Goodbye)>,
}

struct Session {
    role: Member,
    line: Line,
    heard: Arc<Mutex<Heard>>,
}

#[derive(Message)]
#[rtype(result = "()")]
struct Say(String);

impl Actor for Session {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(SOCKET_MAILBOX);
        self.role.opened(Outbox::new(&self.line, context.address().recipient()));
    }

    fn stopping(&mut self, _: &mut Self::Context) -> Running {
        self.role.closed();
        Running::Stop
    }
}

impl Session {
    fn hear(&self, text: &str) {
        self.heard.lock().unwrap().frames.push(serde_json::from_str(text).unwrap());
    }
}

impl Handler<Wake> for Session {
    type Result = ();

    fn handle(&mut self, _: Wake, context: &mut Self::Context) {
        let due = self.line.take();
        self.heard.lock().unwrap().wakes += 1;
        due.texts.iter().for_each(|text| self.hear(text));
        if let Some(end) = due.end {
            self.heard.lock().unwrap().end = Some((end.reason, end.why));
            context.stop();
        }
    }
}

impl Handler<Say> for Session {
    type Result = ();

    fn handle(&mut self, Say(text): Say, _: &mut Self::Context) {
        if let Some(answer) = self.role.heard(&text) {
            self.hear(&answer);
        }
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct TearAway;

impl Handler<TearAway> for Session {
    type Result = ();

    fn handle(&mut self, _: TearAway, context: &mut Self::Context) {
        context.stop();
    }
}

pub(super) struct Guest {
    room: RoomId,
    session: Addr<Session>,
    heard: Arc<Mutex<Heard>>,
}

impl Guest {
    pub(super) async fn open(rooms: &Rooms, room: RoomId, member: MemberId) -> Result<Self, RoomError> {
        Ok(Self::start(Member::new(rooms, room, member).await?, room))
    }

    /// The socket, some time after its handshake was let in.
    pub(super) fn start(role: Member, room: RoomId) -> Self {
        let heard = Arc::<Mutex<Heard>>::default();
        let session = Session { role, line: Line::default(), heard: heard.clone() }.start();
        Self { room, session, heard }
    }

    pub(super) fn say(&self, event: &str, fields: &[(&str, Value)]) {
        let mut message = json!({ "event": event });
        for (name, value) in fields {
            message[*name] = value.clone();
        }
        let frame = json!({ "action": "sendMessage", "room_id": self.room.0.to_string(), "message": message });
        self.session.do_send(Say(frame.to_string()));
    }

    /// Posts message `n`, which says so.
    pub(super) fn post(&self, n: usize) {
        self.say("event.chat", &[("id", id(n).into()), ("message", format!("words {n}").into())]);
    }

    pub(super) fn connect(&self, since: u64) {
        self.say("event.connect", &[("since", since.into())]);
    }

    /// The connection is gone, without a word.
    pub(super) fn tear_away(&self) {
        self.session.do_send(TearAway);
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

    /// The words heard, in order.
    pub(super) fn words(&self) -> Vec<String> {
        self.of("event.chat").iter().map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
    }

    pub(super) fn refusals(&self) -> Vec<String> {
        self.of("event.error").iter().map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
    }

    pub(super) fn end(&self) -> Option<(Option<&'static str>, Goodbye)> {
        self.heard.lock().unwrap().end
    }
}

/// What message `n` says.
pub(super) fn words(of: impl IntoIterator<Item = usize>) -> Vec<String> {
    of.into_iter().map(|n| format!("words {n}")).collect()
}
