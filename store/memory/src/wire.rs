//! How processes that share a store in memory hear of what the others write and say. The
//! wire between two of them can lose, double, delay and reorder what it carries.

use std::collections::{HashMap, HashSet};

use annon_store::room::{RoomEvent, RoomId, Seq};
use annon_store::room_log::{Tail, TailItem};
use annon_store::wire::{Heard, Listening, NodeId, Subject, Wire};
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uuid::Uuid;

use crate::MemoryStore;

/// A process that listens to what is said about `A`.
struct Listener<A, T> {
    process: usize,
    about: A,
    items: UnboundedSender<T>,
    /// What is delayed.
    held: Vec<T>,
}

impl<A, T> Listener<A, T> {
    fn send(&self, item: T) {
        // Nobody may listen any more.
        let _ = self.items.send(item);
    }
}

#[derive(Default)]
pub(crate) struct Lines {
    tails: Vec<Listener<RoomId, TailItem>>,
    listeners: Vec<Listener<Subject, Heard>>,
    faults: LineFaults,
}

#[derive(Default)]
struct LineFaults {
    /// Pairs that hear nothing of each other.
    parted: HashSet<(usize, usize)>,
    /// How often each process was parted from another.
    gaps: HashMap<usize, u64>,
    /// The state of the dice; 0: everything arrives.
    dice: u64,
}

impl LineFaults {
    fn roll(&mut self) -> u64 {
        if self.dice == 0 {
            return 7;
        }
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % 8
    }

    /// Brings an item to all other processes that listen.
    fn carry<A: PartialEq, T: Clone>(
        &mut self,
        listeners: &mut [Listener<A, T>],
        from: Option<usize>,
        about: &A,
        item: &T,
    ) {
        for listener in listeners {
            let roll = self.roll();
            let is_parted = from.is_some_and(|from| self.parted.contains(&(from, listener.process)));
            if listener.about != *about || from == Some(listener.process) || is_parted {
                continue;
            }
            match roll {
                0 => {}
                1 => [item.clone(), item.clone()].into_iter().for_each(|item| listener.send(item)),
                2 => listener.held.push(item.clone()),
                3 => {
                    // Whatever was delayed comes now, the latest first.
                    listener.send(item.clone());
                    while let Some(held) = listener.held.pop() {
                        listener.send(held);
                    }
                }
                _ => listener.send(item.clone()),
            }
        }
    }
}

fn heard<T: Send + 'static>(heard: UnboundedReceiver<T>) -> impl Stream<Item = T> + Send {
    unfold(heard, |mut heard| async move { heard.recv().await.map(|item| (item, heard)) })
}

fn node(process: usize) -> NodeId {
    NodeId(Uuid::from_u128(process as u128))
}

/// Adds a listener, and forgets those that have gone.
fn add<A, T>(listeners: &mut Vec<Listener<A, T>>, process: usize, about: A) -> UnboundedReceiver<T> {
    let (items, heard) = unbounded_channel();
    listeners.retain(|listener| !listener.items.is_closed());
    listeners.push(Listener { process, about, items, held: Vec::new() });
    heard
}

fn release<A, T>(listeners: &mut [Listener<A, T>], stale: impl Fn() -> T) {
    for listener in listeners {
        for item in std::mem::take(&mut listener.held).into_iter().chain([stale()]) {
            listener.send(item);
        }
    }
}

impl Lines {
    pub(crate) fn tail(&mut self, process: usize, room: RoomId) -> Tail {
        Tail::new(heard(add(&mut self.tails, process, room)))
    }

    pub(crate) fn tell(&mut self, from: Option<usize>, room: RoomId, first: Seq, events: &[RoomEvent]) {
        let item = TailItem::Events { first, events: events.to_vec() };
        self.faults.carry(&mut self.tails, from, &room, &item);
    }

    pub(crate) fn tell_gone(&mut self, room: RoomId) {
        for listener in self.tails.iter().filter(|listener| listener.about == room) {
            listener.send(TailItem::Gone);
        }
    }
}

impl MemoryStore {
    /// Makes the wire bad, in a way that a seed decides; 0 makes it good again.
    pub fn make_wire_bad(&self, seed: u64) {
        self.state().wire.faults.dice = seed;
    }

    /// Two processes hear nothing of each other any more.
    pub fn part(&self, one: usize, other: usize) {
        let Lines { listeners, faults, .. } = &mut self.state().wire;
        faults.parted.extend([(one, other), (other, one)]);
        for (process, silent) in [(one, other), (other, one)] {
            *faults.gaps.entry(process).or_default() += 1;
            let theirs = listeners.iter().filter(|listener| listener.process == process);
            theirs.for_each(|listener| listener.send(Heard::Silent(node(silent))));
        }
    }

    /// The others notice that a process says nothing any more.
    pub fn fall_silent(&self, process: usize) {
        let state = self.state();
        let others = state.wire.listeners.iter().filter(|listener| listener.process != process);
        others.for_each(|listener| listener.send(Heard::Silent(node(process))));
    }

    /// Everybody hears everybody again, and is told that something may be missed.
    pub fn mend_wire(&self) {
        let Lines { tails, listeners, faults } = &mut self.state().wire;
        faults.parted.clear();
        release(tails, || TailItem::Stale);
        release(listeners, || Heard::Stale);
    }
}

impl Wire for MemoryStore {
    fn say(&self, subject: Subject, bytes: Vec<u8>) {
        let Lines { listeners, faults, .. } = &mut self.state().wire;
        let from = node(self.process.unwrap_or_default());
        faults.carry(listeners, self.process, &subject, &Heard::Said { from, bytes });
    }

    fn listen(&self, subject: Subject) -> Listening {
        heard(add(&mut self.state().wire.listeners, self.process.unwrap_or_default(), subject)).boxed()
    }

    fn gaps(&self) -> Option<u64> {
        let process = self.process.unwrap_or_default();
        let state = self.state();
        let faults = &state.wire.faults;
        let is_parted = faults.parted.iter().any(|(one, _)| *one == process);
        (!is_parted).then(|| faults.gaps.get(&process).copied().unwrap_or_default())
    }

    /// Those that listen to anything.
    fn nodes(&self) -> usize {
        let process = self.process.unwrap_or_default();
        let state = self.state();
        let listen = state.wire.listeners.iter().filter(|listener| !listener.items.is_closed());
        let others: HashSet<_> = listen.map(|listener| listener.process).filter(|other| *other != process).collect();
        1 + others.len()
    }
}
