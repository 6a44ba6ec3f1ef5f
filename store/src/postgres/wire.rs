//! The wire of nodes on PostgreSQL. After a commit the others are poked: told which rooms
//! have something new, which they then read in the record. A notification inside the
//! append's own transaction would hold a lock of all databases until the standby has the
//! commit.
//!
//! What is said is carried by PostgreSQL (`notifications.rs`) or by NATS (`nats.rs`).
//! `hearing.rs` says and hears, `reading.rs` reads what others have written, and
//! `message.rs` says what is sent.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::unfold;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use uuid::Uuid;

use crate::clock::Stopwatch;
use crate::postgres::{Postgres, PostgresError, ServerPlace};
use crate::room::{RoomId, Seq};
use crate::room_log::{Tail, TailItem};
use crate::wire::{Heard, Listening, NodeId, Subject, Wire};

mod hearing;
mod message;
mod nats;
mod notifications;
mod reading;

pub(super) use message::Marks;
use message::{Kind, Mark};
use nats::Nats;

/// What may wait for one listener. What is more is dropped, and read or said again.
const WAITING: usize = 256;
/// What may wait to be said.
const UNSAID: usize = 4096;
/// What was written in this time is announced again after the connection was lost.
const RECENT: Duration = Duration::from_secs(10);
/// How long the farewell may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// What carries the wire.
pub(super) enum Line {
    Notifications,
    Nats(Box<Nats>),
}

impl Line {
    pub(super) fn of(
        nats: Option<&ServerPlace>,
        tls: impl FnOnce() -> Result<rustls::ClientConfig, PostgresError>,
    ) -> Result<Self, PostgresError> {
        nats.map_or(Ok(Self::Notifications), |place| Ok(Self::Nats(Box::new(Nats::of(place, tls()?)?))))
    }

    /// Looks whether it can be used by a cluster, which has no name before its first start.
    pub(super) async fn look(&self, cluster: Option<String>) -> Result<(), PostgresError> {
        match self {
            Self::Notifications => Ok(()),
            Self::Nats(nats) => nats.look(cluster.as_deref()).await,
        }
    }
}

/// A listener of one room's log.
struct TailEnd {
    room: RoomId,
    /// Up to here it knows the log: what it has itself, and what it was sent.
    known: Arc<AtomicU64>,
    sent: Seq,
    items: Sender<TailItem>,
}

/// What waits to be said.
#[derive(Default)]
struct Unsaid {
    pokes: HashSet<Mark>,
    /// What each is about, and what is sent.
    messages: VecDeque<(Mark, String)>,
}

impl Unsaid {
    fn is_empty(&self) -> bool {
        self.pokes.is_empty() && self.messages.is_empty()
    }
}

/// Which nodes are heard.
#[derive(Default)]
struct Others {
    /// When each was heard last, and whether it counts as silent.
    heard: HashMap<NodeId, (Stopwatch, bool)>,
    /// The other nodes that beat in the record, and whether that is known now.
    alive: Vec<NodeId>,
    is_alive_known: bool,
    /// Whether all nodes that beat in the record are heard.
    is_whole: bool,
    /// How often that was not so any more.
    gaps: u64,
    /// Whether a node that beats in the record may have written what is not said here.
    is_behind: bool,
}

impl Others {
    fn note(&mut self, is_whole: bool) {
        self.gaps += u64::from(self.is_whole && !is_whole);
        self.is_whole = is_whole;
    }
}

#[derive(Default)]
struct Listeners {
    tails: HashMap<Mark, Vec<TailEnd>>,
    /// Rooms whose record has to be read.
    unread: HashSet<Mark>,
    subjects: HashMap<Mark, Vec<Sender<Heard>>>,
    /// What somebody has begun to listen to, and what is heard since.
    begun: HashSet<Mark>,
    heard: HashSet<Mark>,
}

impl Listeners {
    fn has(&self, mark: &Mark) -> bool {
        self.tails.contains_key(mark) || self.subjects.contains_key(mark)
    }

    /// On a new connection nothing is heard yet.
    fn begin_again(&mut self) {
        self.begun.extend(self.tails.keys().chain(self.subjects.keys()));
    }
}

/// One node's end of the wire.
pub(super) struct NodeWire {
    node: NodeId,
    /// What the cluster is called.
    cluster: String,
    line: Line,
    marks: Marks,
    unsaid: Mutex<Unsaid>,
    /// When the others were last to be poked for a room.
    recent: Mutex<HashMap<Mark, Stopwatch>>,
    listeners: Mutex<Listeners>,
    others: Mutex<Others>,
    /// Wake who says, who reads, and who looks at the heads of all rooms.
    says: Notify,
    reads: Notify,
    looks: Notify,
    closes: Notify,
}

impl NodeWire {
    fn new(node: Uuid, marks: Marks, cluster: Uuid, line: Line) -> Self {
        Self {
            node: NodeId(node),
            cluster: marks.cluster(cluster),
            line,
            marks,
            unsaid: Mutex::default(),
            recent: Mutex::default(),
            listeners: Mutex::default(),
            others: Mutex::default(),
            says: Notify::new(),
            reads: Notify::new(),
            looks: Notify::new(),
            closes: Notify::new(),
        }
    }

    /// Tells the others that something was written to a room, or that it is gone.
    pub(super) fn poke(&self, room: RoomId) {
        let mark = self.marks.mark(Subject::Room(room));
        self.recent.lock().insert(mark, Stopwatch::start());
        self.unsaid.lock().pokes.insert(mark);
        self.says.notify_one();
    }

    /// What others write to a room from now on.
    pub(super) fn tail(&self, room: RoomId) -> Tail {
        let (items, heard) = channel(WAITING);
        let known = Arc::new(AtomicU64::new(0));
        let mark = self.marks.mark(Subject::Room(room));
        let end = TailEnd { room, known: known.clone(), sent: Seq(0), items };
        let mut listeners = self.listeners.lock();
        self.begin(&mut listeners, mark);
        listeners.tails.entry(mark).or_default().push(end);
        drop(listeners);
        Tail::after(known, unfold(heard, next))
    }

    /// Somebody is about to listen to this.
    fn begin(&self, listeners: &mut Listeners, mark: Mark) {
        if !listeners.has(&mark) {
            listeners.begun.insert(mark);
            self.says.notify_one();
        }
    }

    /// Whether every node that is alive is heard, how often that ended, and how many are alive.
    pub(super) fn figures(&self) -> (bool, u64, usize) {
        let others = self.others.lock();
        (others.is_whole, others.gaps, 1 + others.alive.len())
    }

    fn send(&self, kind: Kind, mark: Mark, plain: &[u8]) {
        let Some(payload) = self.marks.payload(self.node, kind, mark, plain) else { return };
        let mut unsaid = self.unsaid.lock();
        if unsaid.messages.len() < UNSAID {
            unsaid.messages.push_back((mark, payload));
        } else {
            // The last one becomes a note that some are missing.
            let missed = self.marks.payload(self.node, Kind::Missed, Mark::default(), &[]);
            unsaid.messages.pop_back();
            unsaid.messages.extend(missed.map(|payload| (Mark::default(), payload)));
        }
        self.says.notify_one();
    }
}

async fn next<T>(mut heard: Receiver<T>) -> Option<(T, Receiver<T>)> {
    heard.recv().await.map(|item| (item, heard))
}

impl Wire for NodeWire {
    fn say(&self, subject: Subject, bytes: Vec<u8>) {
        self.send(Kind::Said, self.marks.mark(subject), &bytes);
    }

    fn listen(&self, subject: Subject) -> Listening {
        let (items, heard) = channel(WAITING);
        let mut listeners = self.listeners.lock();
        let mark = self.marks.mark(subject);
        self.begin(&mut listeners, mark);
        let theirs = listeners.subjects.entry(mark).or_default();
        theirs.retain(|listener| !listener.is_closed());
        theirs.push(items);
        unfold(heard, next).boxed()
    }

    fn gaps(&self) -> Option<u64> {
        let others = self.others.lock();
        others.is_whole.then_some(others.gaps)
    }

    fn nodes(&self) -> usize {
        1 + self.others.lock().alive.len()
    }
}

/// The engine's hold of its wire, which ends with it.
pub(super) struct WireEnd {
    wire: Arc<NodeWire>,
    working: Mutex<Option<JoinHandle<()>>>,
}

impl WireEnd {
    pub(super) fn new(node: Uuid, secret: &[u8; 32], cluster: Uuid, line: Line) -> Self {
        let wire = Arc::new(NodeWire::new(node, Marks::new(secret), cluster, line));
        Self { wire, working: Mutex::default() }
    }

    pub(super) fn wire(&self) -> &Arc<NodeWire> {
        &self.wire
    }

    /// Says farewell, and ends.
    pub(super) async fn close(&self) {
        self.wire.closes.notify_one();
        let working = self.working.lock().take();
        if let Some(working) = working {
            // It ends by itself, later, if the server doesn't answer.
            let _ = timeout(FAREWELL * 2, working).await;
        }
    }
}

impl Drop for WireEnd {
    fn drop(&mut self) {
        self.wire.closes.notify_one();
    }
}

impl Postgres {
    /// Hears and says, until nobody has the engine any more or it is stopped.
    pub(super) fn keep_hearing(&self) {
        let (wire, open) = (self.wire.wire().clone(), Arc::downgrade(&self.0));
        *self.wire.working.lock() = Some(self.runtime.spawn(async move {
            tokio::select! {
                () = wire.closes.notified() => {}
                () = wire.hear(&open) => {}
            }
            if let Some(open) = open.upgrade() {
                let _ = timeout(FAREWELL, wire.say_farewell(&open)).await;
            }
        }));
    }
}

impl TailEnd {
    /// Up to where the listener knows the log, or will when it has read what it was sent.
    fn knows(&self) -> Seq {
        self.sent.max(Seq(self.known.load(Ordering::Relaxed)))
    }
}
