//! A run, as its members see it: what fails now, and how they fare.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::history::{History, Op, Step, What};
use crate::load::{Client, Faults, Latencies, MessageId, STRANGE, clock};
use crate::scenarios::cluster::chance::Chance;
use crate::scenarios::cluster::member::SEATS;
use crate::scenarios::cluster::nodes::{Node, Nodes};

/// The number of whoever makes troubles, and of strangers.
pub(super) const NOBODY: usize = 0;
/// How often a stranger tries a full group's door.
const KNOCKS: Duration = Duration::from_millis(250);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trial {
    Calm,
    Kill,
    Pause,
    Partition,
    NatsKill,
    Deafness,
    Restart,
    KeysRestart,
    Promotion,
    Both,
    Cancels,
    SwitchOver,
    OldPrimary,
    Upgrade,
}

/// How people fared during one kind of trial.
#[derive(Default)]
pub(super) struct Fared {
    pub(super) times: usize,
    pub(super) back: Latencies,
    pub(super) ghosts: Latencies,
    pub(super) echo: Latencies,
    /// Until members at other servers have a message.
    pub(super) elsewhere: Latencies,
    pub(super) refused: BTreeMap<String, u64>,
}

/// When and where a message was sent. `None` for where means that its sender was not connected.
pub(super) struct Origin {
    begun: Instant,
    during: Trial,
    node: Option<usize>,
}

/// The run, as members see it.
pub(super) struct Chaos {
    pub(super) nodes: Nodes,
    pub(super) rooms: Vec<String>,
    /// The tokens of their owners.
    pub(super) owners: Vec<String>,
    pub(super) each_sends_every: Duration,
    pub(super) chance: Chance,
    pub(super) is_over: Cell<bool>,
    pub(super) now: Cell<Trial>,
    pub(super) fared: RefCell<BTreeMap<Trial, Fared>>,
    pub(super) origins: RefCell<HashMap<MessageId, Origin>>,
    pub(super) faults: RefCell<Faults>,
    pub(super) history: History,
    /// Messages whose echo nobody has heard.
    pub(super) saying: RefCell<HashMap<MessageId, Op>>,
    /// How many numbers of processes and of rooms were given out beside those of members and their groups.
    pub(super) others: Cell<usize>,
    /// The rooms and places of messages that somebody has asked to take back.
    pub(super) taken: RefCell<BTreeSet<(usize, u64)>>,
}

impl Trial {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Calm => "nothing",
            Self::Kill => "a server is killed",
            Self::Pause => "a server is paused",
            Self::Partition => "a server loses the databases",
            Self::NatsKill => "NATS is killed",
            Self::Deafness => "a server loses NATS",
            Self::Restart => "the database crashes",
            Self::KeysRestart => "the keys' database crashes",
            Self::Promotion => "the standby takes over",
            Self::Both => "the standby is lost, and the primary",
            Self::Cancels => "the same with waits cancelled",
            Self::SwitchOver => "primary and standby change",
            Self::OldPrimary => "there are two primaries",
            Self::Upgrade => "all servers are stopped in turn",
        }
    }
}

impl Chaos {
    pub(super) fn in_trial<T>(&self, trial: Trial, note: impl FnOnce(&mut Fared) -> T) -> T {
        note(self.fared.borrow_mut().entry(trial).or_default())
    }

    pub(super) fn came_back(&self, during: Trial, after: Duration) {
        self.in_trial(during, |fared| fared.back.record(after));
    }

    /// The number of a member in the history.
    pub(super) fn process_of(&self, room: usize, seat: usize) -> usize {
        1 + room * SEATS + seat
    }

    /// The number of somebody who is no member.
    pub(super) fn another_process(&self) -> usize {
        self.others.update(|count| count + 1);
        (SEATS + self.nodes.all.len()) * self.rooms.len() + self.others.get()
    }

    /// The number of a group, an inbox or a conversation that is none of the members' groups.
    pub(super) fn another_room(&self) -> usize {
        self.others.update(|count| count + 1);
        self.rooms.len() + self.others.get()
    }

    pub(super) fn sends(&self, message: MessageId, seat: usize, node: Option<usize>) {
        let process = self.process_of(message.room, seat);
        let op = self.history.invoke(process, message.room, What::Say(message.number, None));
        self.saying.borrow_mut().insert(message, op);
        let origin = Origin { begun: clock::now(), during: self.now.get(), node };
        self.origins.borrow_mut().insert(message, origin);
    }

    /// The places of a room whose words may be gone.
    pub(super) fn taken_in(&self, room: usize) -> BTreeSet<u64> {
        self.taken.borrow().range((room, 0)..(room + 1, 0)).map(|(_, place)| *place).collect()
    }

    /// A member at `node` has somebody else's message.
    pub(super) fn arrived(&self, message: MessageId, node: Option<usize>) {
        if let Some(origin) = self.origins.borrow().get(&message)
            && origin.node.is_some()
            && origin.node != node
        {
            self.in_trial(origin.during, |fared| fared.elsewhere.record(origin.begun.elapsed()));
        }
    }

    pub(super) fn echoed(&self, message: MessageId, seq: u64, during: Trial, after: Duration) {
        if let Some(op) = self.saying.borrow_mut().remove(&message) {
            self.history.end(&op, Step::Ok, What::Say(message.number, Some(seq)));
        }
        self.in_trial(during, |fared| fared.echo.record(after));
    }

    pub(super) fn refused(&self, why: &str) {
        self.in_trial(self.now.get(), |fared| *fared.refused.entry(why.to_owned()).or_default() += 1);
    }

    pub(super) fn fault(&self, what: &'static str, example: impl FnOnce() -> String) {
        self.faults.borrow_mut().add(what, 1, example);
    }

    pub(super) fn any_node(&self) -> &Node {
        &self.nodes.all[self.chance.below(self.nodes.all.len())]
    }

    /// Strangers at the doors of groups that are full: nobody may get a seat.
    pub(super) async fn knock(&self) {
        loop {
            sleep(KNOCKS).await;
            let at = self.chance.below(self.rooms.len());
            let room = &self.rooms[at];
            let Some((_, address)) = self.nodes.of(at) else { continue };
            let op = self.history.invoke(NOBODY, at, What::Sit(String::new()));
            let seat = Client::new(address).seat(room, None).await;
            let step = if seat.is_ok() { Step::Ok } else { Step::Unknown };
            self.history.end(
                &op,
                step,
                What::Sit(seat.as_ref().map_or_else(|_| String::new(), |seat| seat.emoji.clone())),
            );
            if let Ok(seat) = seat {
                self.fault(STRANGE, || format!("somebody got the seat {} in a full group", seat.emoji));
            }
        }
    }
}
