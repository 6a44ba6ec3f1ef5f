//! Live conversations: a window is a socket through which one side sees a conversation. Each
//! window knows the number of the last change that it was told. Whenever the conversation has
//! changed, it is told what came after, whatever was lost on the way. That never waits: a
//! window that can't keep up is disconnected, and connects again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use annon_contract::code::Code;
use annon_contract::limits::{CHAT_ID_LEN, CONVERSATION_SOCKETS_PER_SIDE};
use annon_store::account::{AccountId, TokenId};
use annon_store::conversation::{
    Change, Conversation, ConversationChange, ConversationId, Conversations as Kept, Door, Found, LineText, Side,
};
use annon_store::inbox::{Inbox, NoteId};
use annon_store::push::{Kind, Subscriber};
use annon_store::room::{ChatId, Seq, Sign};
use annon_store::suspension::Suspensions;
use annon_store::wire::Wire;
use annon_store::{Engine, Record, Result};
use parking_lot::Mutex;
use serde::Deserialize;
use tokio::sync::Mutex as Turns;
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::bucket::{Bucket, Rate};
use crate::clock::SharedClock;
use crate::ids::random_id;
use crate::inbox::Inboxes;
use crate::room::frame::{ready, refused};
use crate::session::{self, CloseReason, EncodedFrame, Farewell, Outbox, Role};

pub mod frame;
mod news;
mod others;
mod saying;
mod writing;

use news::news;

/// All conversations that have an open window.
#[derive(Clone)]
pub struct Conversations {
    /// The windows of each, in the order in which they came.
    open: Arc<Mutex<HashMap<ConversationId, Vec<Window>>>>,
    kept: Arc<dyn Kept>,
    notes: Arc<dyn Inbox>,
    suspensions: Arc<dyn Suspensions>,
    inboxes: Inboxes,
    record: Arc<dyn Record>,
    /// The other nodes; `None` if there are none.
    wire: Option<Arc<dyn Wire>>,
    clock: SharedClock,
}

/// One socket.
struct Window {
    id: Uuid,
    side: Side,
    /// Through which door it came in: another conversation may have the id after this one has ended.
    door: Door,
    /// The number of the last change that it was told; `None` before it has connected.
    known: Option<Seq>,
    /// The newest state that came before it had connected: what is read for it may be older.
    newest: Option<Found>,
    outbox: Arc<Outbox>,
}

impl Window {
    /// Tells what came after what it knows; `told` is what the window before it was told after
    /// which change. Returns whether it still takes that.
    fn tell(&mut self, found: &Found, now: u64, told: &mut Option<(Seq, Vec<EncodedFrame>)>) -> bool {
        let Some(known) = self.known else {
            self.newest = Some(found.clone());
            return true;
        };
        if known >= found.conversation.last {
            return true;
        }
        self.known = Some(found.conversation.last);
        let (_, frames) = match told.take().filter(|(since, _)| *since == known) {
            Some(same) => told.insert(same),
            None => told.insert((known, news(&found.conversation, known, now))),
        };
        self.outbox.push_all(frames).is_continue()
    }
}

impl Conversations {
    pub fn new(store: &dyn Engine, inboxes: Inboxes, clock: SharedClock) -> Self {
        let (kept, notes, suspensions) = (store.conversations(), store.inbox(), store.suspensions());
        let (record, wire) = (store.record(), store.wire());
        Self { open: Arc::default(), kept, notes, suspensions, inboxes, record, wire, clock }
    }

    /// A conversation as it is now; `None` if it has ended.
    async fn find(&self, id: ConversationId) -> Result<Option<Found>> {
        let server = self.record.server();
        let found = self.kept.find(vec![id], self.clock.timestamp()).await?.pop();
        if found.is_none() {
            // A page that is told this forgets the conversation.
            self.record.confirm(server).await?;
        }
        Ok(found)
    }

    /// Tells each change to the windows of its conversation and to its owner's, for as long as
    /// the server runs.
    pub async fn tell_changes(self, mut changes: UnboundedReceiver<ConversationChange>) {
        while let Some(ConversationChange { id, owner, now, is_shown }) = changes.recv().await {
            self.say_changed(id, owner, is_shown);
            self.show(id, owner, now.as_ref(), is_shown);
            if now.as_ref().is_some_and(|found| is_news_of(&found.conversation, Side::Owner)) {
                self.inboxes.away.tell(Subscriber::Sender(id), Kind::Answer);
            }
            if let Some(found) = now.filter(|found| is_shown && is_news_of(&found.conversation, Side::Sender)) {
                self.inboxes.away.tell(Subscriber::Account(owner), Kind::Answer);
                drop(actix::spawn(self.clone().bring_back(owner, found.conversation.note)));
            }
        }
    }

    /// Takes the note of a conversation out of the archive, because its sender has said something. Nobody waits for
    /// it: the time in which a sender is answered must not tell whether their note was archived.
    async fn bring_back(self, owner: AccountId, note: NoteId) {
        if let Err(error) = self.notes.bring_back(owner, note, self.clock.timestamp()).await {
            tracing::warn!(%error, "a note stays in the archive, although its sender has said something");
        }
    }

    /// Shows the windows here how a conversation is now; `None` if it has ended. Its owner's inbox is told only
    /// if they may know of it.
    fn show(&self, id: ConversationId, owner: AccountId, found: Option<&Found>, is_shown: bool) {
        let (now, mut told) = (self.clock.timestamp(), None);
        self.change(id, |windows| match found {
            Some(found) => {
                end_others(windows, found.door());
                windows.retain_mut(|window| window.tell(found, now, &mut told));
            }
            None => end(windows),
        });
        if is_shown {
            self.inboxes.tell_conversation(owner, id, found, now);
        }
    }

    fn is_open(&self, id: ConversationId) -> bool {
        self.open.lock().contains_key(&id)
    }

    /// Each ends the windows of one conversation, because the server ends.
    pub fn farewells(&self) -> Vec<Farewell> {
        let farewell = |id| {
            let this = self.clone();
            let finish = |window: Window| window.outbox.finish(CloseReason::ShuttingDown);
            Box::new(move || this.change(id, |windows| windows.drain(..).for_each(finish))) as Farewell
        };
        let open: Vec<_> = self.open.lock().keys().copied().collect();
        open.into_iter().map(farewell).collect()
    }

    /// Adds a window. It is told nothing before it has connected.
    fn enter(&self, id: ConversationId, window: Window) {
        let mut open = self.open.lock();
        let windows = open.entry(id).or_default();
        let side = window.side;
        windows.push(window);
        if windows.iter().filter(|window| window.side == side).count() > CONVERSATION_SOCKETS_PER_SIDE
            && let Some(oldest) = windows.iter().position(|window| window.side == side)
        {
            windows.remove(oldest).outbox.finish(CloseReason::Replaced);
        }
    }

    /// Tells a window what came after `since`, and from then on everything as it happens.
    async fn connect(self, id: ConversationId, window: Uuid, since: Option<Seq>) {
        let (found, now) = (self.find(id).await, self.clock.timestamp());
        self.change(id, |windows| {
            let Some(at) = windows.iter().position(|other| other.id == window) else { return };
            let Ok(found) = &found else {
                // A window that is full is ending now.
                let _ = windows[at].outbox.push(&session::frame::error(Code::CannotStore));
                return;
            };
            let Some(found) = found.as_ref().filter(|found| found.door() == windows[at].door) else {
                return windows.remove(at).outbox.finish(CloseReason::Ended);
            };
            let newest = windows[at].newest.take();
            let newest = newest.filter(|newest| newest.conversation.last > found.conversation.last);
            let found = newest.as_ref().unwrap_or(found);
            let last = found.conversation.last;
            let resumed = since.is_some_and(|since| since <= last);
            let this = &mut windows[at];
            // What it was told meanwhile is newer than what was read.
            let known = this.known.into_iter().chain(since.filter(|_| resumed)).max().unwrap_or(last);
            this.known = Some(known);
            let takes = this.tell(found, now, &mut None);
            let told = this.known.unwrap_or(last);
            if !takes || this.outbox.push(&ready(told, resumed)).is_break() {
                windows.remove(at);
            }
        });
    }

    /// Ends a window whose conversation has ended before it was here: nobody has told it.
    async fn end_if_ended(self, id: ConversationId, window: Uuid, door: Door) {
        let server = self.record.server();
        // If it can't be read now, the window hears of it when it connects.
        let Ok(doors) = self.kept.doors(vec![id]).await else { return };
        if doors.get(&id) != Some(&door) && self.record.confirm(server).await.is_ok() {
            self.change(id, |windows| {
                windows
                    .extract_if(.., |other| other.id == window)
                    .for_each(|window| window.outbox.finish(CloseReason::Ended));
            });
        }
    }

    fn leave(&self, id: ConversationId, window: Uuid) {
        self.change(id, |windows| windows.retain(|other| other.id != window));
    }

    fn change(&self, id: ConversationId, change: impl FnOnce(&mut Vec<Window>)) {
        let mut open = self.open.lock();
        if let Some(windows) = open.get_mut(&id) {
            change(windows);
            if windows.is_empty() {
                open.remove(&id);
            }
        }
    }
}

/// Whether the last that has happened is a line of this side's.
fn is_news_of(conversation: &Conversation, side: Side) -> bool {
    let last = conversation.lines.last();
    last.is_some_and(|line| line.from == side && line.seq == conversation.last)
}

/// Ends windows, because their conversation has ended.
fn end(windows: &mut Vec<Window>) {
    windows.drain(..).for_each(|window| window.outbox.finish(CloseReason::Ended));
}

/// Ends those that have come in through another door: their conversation has ended, and another one
/// has its id.
fn end_others(windows: &mut Vec<Window>, door: Door) {
    let others = windows.extract_if(.., |window| window.door != door);
    others.for_each(|window| window.outbox.finish(CloseReason::Ended));
}

/// How often the other side is told that a window's side is writing: as often as in a group.
const WRITING: Rate = Rate { burst: 1, refill: 1, per: Duration::from_secs(2) };

/// A frame that a window sends.
#[derive(Debug, Deserialize)]
struct ClientFrame {
    event: String,
    /// With `event.connect`: the number of the last change that the page has.
    since: Option<u64>,
    /// With `event.seen`: all lines up to this one were seen.
    seq: Option<u64>,
    /// With `event.line`: the line's id, and what it says.
    id: Option<String>,
    message: Option<String>,
    /// Whether it is sealed.
    #[serde(default)]
    sealed: bool,
    /// The line that it answers.
    reply: Option<u64>,
    /// With `event.react`: its id, the line, and which reaction is to be there or not.
    line: Option<u64>,
    emoji: Option<String>,
    on: Option<bool>,
}

impl ClientFrame {
    /// Refuses what this frame asks for.
    fn refused(&self, code: Code) -> EncodedFrame {
        refused(self.id.as_deref().filter(|id| id.len() == CHAT_ID_LEN), code)
    }

    fn line(&self, from: Side) -> Result<(ChatId, Change), Code> {
        let id = ChatId::try_from(self.id.clone().unwrap_or_default())?;
        let text = LineText::sent(self.message.as_deref().unwrap_or_default(), self.sealed)?;
        Ok((id, Change::Say { from, id, text, reply_to: self.reply.map(Seq) }))
    }

    fn reaction(&self, by: Side) -> Result<(ChatId, Change), Code> {
        let id = ChatId::try_from(self.id.clone().unwrap_or_default())?;
        let sign = Sign::try_from(self.emoji.as_deref().unwrap_or_default())?;
        let line = Seq(self.line.unwrap_or_default());
        Ok((id, Change::React { by, line, sign, on: self.on.unwrap_or(true) }))
    }
}

/// Who looks through a window. The owner's ends with their token.
#[derive(Debug, Clone, Copy)]
pub enum Viewer {
    Owner { account: AccountId, token: TokenId, version: u32 },
    Sender,
}

impl Viewer {
    fn side(self) -> Side {
        match self {
            Self::Owner { .. } => Side::Owner,
            Self::Sender => Side::Sender,
        }
    }
}

/// The role of one socket of a conversation.
pub struct Talker {
    conversations: Conversations,
    id: ConversationId,
    door: Door,
    viewer: Viewer,
    window: Uuid,
    /// Has each line wait for the one before it, so that they keep their order.
    turns: Arc<Turns<()>>,
    /// Of how much writing the other side was told.
    told: Option<Bucket>,
}

impl Talker {
    /// A socket of somebody who has come in through this door.
    pub fn new(conversations: Conversations, id: ConversationId, door: Door, viewer: Viewer) -> Self {
        Self { conversations, id, door, viewer, window: random_id(), turns: Arc::default(), told: None }
    }

    async fn see(conversations: Conversations, id: ConversationId, door: Door, by: Side, upto: Seq) {
        let now = conversations.clock.timestamp();
        // If the conversation has ended, another frame says so; if this could not be stored, the page says it again.
        let _ = conversations.kept.change_through(id, Some(door), Change::See { by, upto }, now).await;
    }
}

impl Role for Talker {
    fn opened(&mut self, outbox: Arc<Outbox>) {
        if let Viewer::Owner { account, token, version } = self.viewer {
            self.conversations.inboxes.lodge(account, self.window, (token, version), outbox.clone());
        }
        let (side, door) = (self.viewer.side(), self.door);
        let window = Window { id: self.window, side, door, known: None, newest: None, outbox };
        self.conversations.enter(self.id, window);
        drop(actix::spawn(self.conversations.clone().end_if_ended(self.id, self.window, door)));
    }

    fn received(&mut self, text: &str) -> Option<EncodedFrame> {
        let frame: ClientFrame = match serde_json::from_str(text) {
            Ok(frame) => frame,
            Err(_) => return Some(session::frame::error(Code::FrameNotJson)),
        };
        let conversations = self.conversations.clone();
        match (&*frame.event, frame.seq) {
            ("event.connect", _) => {
                drop(actix::spawn(conversations.connect(self.id, self.window, frame.since.map(Seq))));
            }
            ("event.seen", Some(seq)) => {
                drop(actix::spawn(Self::see(conversations, self.id, self.door, self.viewer.side(), Seq(seq))));
            }
            (event @ ("event.line" | "event.react"), _) => {
                let side = self.viewer.side();
                let asked = if event == "event.line" { frame.line(side) } else { frame.reaction(side) };
                let (asked, change) = match asked {
                    Ok(asked) => asked,
                    Err(code) => return Some(frame.refused(code)),
                };
                let say = conversations.say(self.id, self.door, self.window, self.viewer, asked, change);
                let turns = self.turns.clone();
                drop(actix::spawn(async move {
                    let _turn = turns.lock().await;
                    say.await;
                }));
            }
            ("event.typing", _) => {
                let now = conversations.clock.moment();
                if self.told.get_or_insert_with(|| Bucket::new(now)).take(WRITING, now).is_ok() {
                    drop(actix::spawn(conversations.write(self.id, self.door, self.viewer)));
                }
            }
            // An unknown event is ignored, so that newer pages work with older servers.
            _ => tracing::debug!("a conversation's socket sent something; ignored"),
        }
        None
    }

    fn too_fast(&self, text: &str) -> EncodedFrame {
        let frame = serde_json::from_str::<ClientFrame>(text).ok();
        frame.map_or_else(|| session::frame::error(Code::SendingTooFast), |frame| frame.refused(Code::SendingTooFast))
    }

    fn closed(&mut self) {
        self.conversations.leave(self.id, self.window);
        if let Viewer::Owner { account, .. } = self.viewer {
            self.conversations.inboxes.leave(account, self.window);
        }
    }
}
