//! How processes that share a store in memory hear of what the others write. The
//! wire between two of them can lose, double, delay and reorder what it carries.

use std::collections::HashSet;

use annon_store::room::{RoomEvent, RoomId, Seq};
use annon_store::room_log::{Tail, TailItem};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::MemoryStore;

struct Listener {
    process: usize,
    room: RoomId,
    items: UnboundedSender<TailItem>,
    /// What is delayed.
    held: Vec<TailItem>,
}

#[derive(Default)]
pub(crate) struct Wire {
    listeners: Vec<Listener>,
    /// Pairs that hear nothing of each other.
    parted: HashSet<(usize, usize)>,
    /// The state of the dice; 0: everything arrives.
    dice: u64,
}

impl Wire {
    fn roll(&mut self) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % 8
    }

    pub(crate) fn listen(&mut self, process: usize, room: RoomId) -> Tail {
        let (items, heard) = unbounded_channel();
        self.listeners.retain(|listener| !listener.items.is_closed());
        self.listeners.push(Listener { process, room, items, held: Vec::new() });
        unfold(heard, |mut heard| async move { heard.recv().await.map(|item| (item, heard)) }).boxed()
    }

    pub(crate) fn tell(&mut self, from: Option<usize>, room: RoomId, first: Seq, events: &[RoomEvent]) {
        let item = TailItem::Events { first, events: events.to_vec() };
        for at in 0..self.listeners.len() {
            let roll = if self.dice == 0 { 7 } else { self.roll() };
            let listener = &mut self.listeners[at];
            let is_parted = from.is_some_and(|from| self.parted.contains(&(from, listener.process)));
            if listener.room != room || from == Some(listener.process) || is_parted {
                continue;
            }
            // Nobody may listen any more.
            let send = |item: TailItem| drop(listener.items.send(item));
            match roll {
                0 => {}
                1 => [item.clone(), item.clone()].into_iter().for_each(send),
                2 => listener.held.push(item.clone()),
                3 => {
                    // Whatever was delayed comes now, the latest first.
                    send(item.clone());
                    listener.held.drain(..).rev().for_each(send);
                }
                _ => send(item.clone()),
            }
        }
    }

    pub(crate) fn tell_gone(&mut self, room: RoomId) {
        for listener in self.listeners.iter().filter(|listener| listener.room == room) {
            let _ = listener.items.send(TailItem::Gone);
        }
    }
}

impl MemoryStore {
    /// Makes the wire bad, in a way that a seed decides; 0 makes it good again.
    pub fn make_wire_bad(&self, seed: u64) {
        self.state().wire.dice = seed;
    }

    /// Two processes hear nothing of each other any more.
    pub fn part(&self, one: usize, other: usize) {
        self.state().wire.parted.extend([(one, other), (other, one)]);
    }

    /// Everybody hears everybody again, and is told that something may be missed.
    pub fn mend_wire(&self) {
        let wire = &mut self.state().wire;
        wire.parted.clear();
        for listener in &mut wire.listeners {
            for item in listener.held.drain(..).chain([TailItem::Stale]) {
                let _ = listener.items.send(item);
            }
        }
    }
}
