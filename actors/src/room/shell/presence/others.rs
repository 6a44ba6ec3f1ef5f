//! Who is connected to a room at other nodes. Each node says who is connected to it: when
//! that changes, when somebody asks, and every few seconds. On one machine there is none
//! of this.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use annon_store::room::{MemberId, RoomId, Seq};
use annon_store::wire::{Heard, Listening, NodeId, Subject, Wire};
use futures_util::future::ready;
use futures_util::stream::select_all;
use futures_util::{FutureExt, StreamExt};
use serde::{Deserialize, Serialize};

use crate::clock::{SharedClock, Sleep};
use crate::ids::random_shuffle;
use crate::room::machine::{Room, Seat};

/// Changes in this time are said together, and who asks waits so long for answers.
const GATHERS: Duration = Duration::from_millis(50);
/// How often a node says who is connected to it, as long as somebody is.
const EVERY: Duration = Duration::from_secs(15);
/// What a node has said is forgotten after this time.
const KEPT: Duration = Duration::from_secs(40);
/// Replicas of a room don't do at the same moment what is due: each waits up to so many
/// milliseconds.
const JITTER: u64 = 500;

/// What a node tells the others of a room. What can't be read is of a later version.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Whisper {
    /// These members are connected here.
    Here {
        members: HashSet<MemberId>,
        /// Whether the others are to say who is connected to them.
        asks: bool,
        /// How far the log is known here, and what that led to; `None` while something
        /// waits for it.
        known: Option<(Seq, u64)>,
    },
    /// This member is typing.
    Typing(MemberId),
}

impl Whisper {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    fn say(&self, wire: &dyn Wire, room: RoomId) {
        if let Ok(bytes) = serde_json::to_vec(self) {
            wire.say(Subject::Room(room), bytes);
        }
    }
}

/// A number that two nodes have in common if they know the same of a room's seats and its
/// lock.
pub(crate) fn sum_of(room: &Room) -> u64 {
    let number = |Seat { number, member, emoji, .. }: &Seat| {
        let member = member.0.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()));
        member.wrapping_mul(31).wrapping_add((u64::from(number.0) << 16) + u64::from(emoji.0))
    };
    room.seats().iter().map(number).fold(u64::from(room.is_locked()), u64::wrapping_add)
}

/// What a room is to do for or because of other nodes.
pub(in crate::room::shell) enum OthersNext {
    Heard(Heard),
    /// It is time to say who is here.
    Say,
}

/// The other nodes, as one room knows them.
pub(in crate::room::shell) struct Others {
    wire: Arc<dyn Wire>,
    room: RoomId,
    clock: SharedClock,
    listening: Listening,
    /// Who is connected to each node, and when it said so.
    here: HashMap<NodeId, (HashSet<MemberId>, Instant)>,
    /// What was said last of who is connected here.
    said: HashSet<MemberId>,
    asks: bool,
    /// When to say it again.
    timer: Sleep,
    is_due: bool,
    gaps: Option<u64>,
    /// How much later this node does what is due, in milliseconds.
    pub(in crate::room::shell) jitter: u64,
}

impl Others {
    pub(in crate::room::shell) fn new(wire: Arc<dyn Wire>, room: RoomId, clock: SharedClock) -> Self {
        let (listening, gaps) = (wire.listen(Subject::Room(room)), wire.gaps());
        // Whoever comes to a room asks who is there.
        let timer: Sleep = Box::pin(ready(()));
        let jitter = random_shuffle() % JITTER;
        let (here, said) = (HashMap::new(), HashSet::new());
        Self { wire, room, clock, listening, here, said, asks: true, timer, is_due: true, gaps, jitter }
    }

    pub(in crate::room::shell) fn poll(&mut self, task: &mut Context<'_>) -> Poll<OthersNext> {
        if let Poll::Ready(Some(heard)) = self.listening.poll_next_unpin(task) {
            return Poll::Ready(OthersNext::Heard(heard));
        }
        self.timer.poll_unpin(task).map(|()| OthersNext::Say)
    }

    /// Has it said soon who is here, together with what changes meanwhile.
    fn say_soon(&mut self) {
        if !std::mem::replace(&mut self.is_due, true) {
            self.timer = self.clock.sleep(GATHERS);
        }
    }

    /// These members are connected here now.
    pub(in crate::room::shell) fn are_here(&mut self, members: &HashSet<MemberId>) {
        if self.said != *members {
            self.say_soon();
        }
    }

    /// Says who is connected here, if anybody is or was, or if something is asked.
    pub(in crate::room::shell) fn say(&mut self, members: HashSet<MemberId>, known: Option<(Seq, u64)>) {
        if self.is_due || !members.is_empty() {
            let asks = std::mem::take(&mut self.asks);
            Whisper::Here { members: members.clone(), asks, known }.say(&*self.wire, self.room);
        }
        (self.said, self.is_due) = (members, false);
        self.timer = self.clock.sleep(EVERY);
    }

    pub(in crate::room::shell) fn say_typing(&self, member: MemberId) {
        Whisper::Typing(member).say(&*self.wire, self.room);
    }

    /// A node has said who is connected to it.
    pub(in crate::room::shell) fn hear(&mut self, from: NodeId, members: HashSet<MemberId>, asks: bool) {
        self.here.insert(from, (members, self.clock.moment()));
        if asks {
            self.say_soon();
        }
    }

    /// Asks the others again: something was missed.
    pub(in crate::room::shell) fn ask(&mut self) {
        self.asks = true;
        self.say_soon();
    }

    pub(in crate::room::shell) fn forget(&mut self, node: NodeId) {
        self.here.remove(&node);
    }

    pub(in crate::room::shell) fn forget_old(&mut self) {
        let now = self.clock.moment();
        self.here.retain(|_, (_, since)| now.duration_since(*since) < KEPT);
    }

    /// Who is connected to other nodes.
    pub(in crate::room::shell) fn members(&self) -> impl Iterator<Item = MemberId> {
        self.here.values().flat_map(|(members, _)| members.iter().copied())
    }

    /// Whether every node was heard since the last call.
    pub(in crate::room::shell) fn heard_all(&mut self) -> bool {
        let gaps = self.wire.gaps();
        gaps.is_some() && std::mem::replace(&mut self.gaps, gaps) == gaps
    }
}

impl Drop for Others {
    /// Nobody is connected to an actor that has ended.
    fn drop(&mut self) {
        if !self.said.is_empty() {
            let members = HashSet::new();
            Whisper::Here { members, asks: false, known: None }.say(&*self.wire, self.room);
        }
    }
}

/// Asks the other nodes who is connected to rooms that have no actor here.
pub(crate) async fn who_is_elsewhere(
    wire: &dyn Wire,
    rooms: Vec<RoomId>,
    clock: &SharedClock,
) -> HashMap<RoomId, HashSet<MemberId>> {
    let mut members: HashMap<_, HashSet<MemberId>> = HashMap::new();
    if rooms.is_empty() || wire.nodes() == 1 {
        return members;
    }
    let listening = rooms.iter().map(|room| {
        let room = *room;
        wire.listen(Subject::Room(room)).map(move |heard| (room, heard))
    });
    let mut listening = select_all(listening);
    for room in rooms {
        Whisper::Here { members: HashSet::new(), asks: true, known: None }.say(wire, room);
    }
    // Each of them gathers what changes before it answers.
    let mut is_over = clock.sleep(2 * GATHERS);
    loop {
        tokio::select! {
            () = &mut is_over => return members,
            heard = listening.next() => match heard {
                Some((room, Heard::Said { bytes, .. })) => {
                    if let Some(Whisper::Here { members: theirs, .. }) = Whisper::read(&bytes) {
                        members.entry(room).or_default().extend(theirs);
                    }
                }
                Some((_, Heard::Stale | Heard::Silent(_))) => {}
                None => return members,
            },
        }
    }
}
