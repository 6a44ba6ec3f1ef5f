//! The connection that hears and says. When it is lost, everything that may have been
//! missed is looked for in the record, and what was written of late is announced again.

use std::sync::Weak;
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{interval, sleep, timeout};
use tokio_postgres::Client;

use super::message::{Kind, Mark, Marks, Message, POKED_AT_ONCE, What};
use super::{NodeWire, RECENT};
use crate::clock::Stopwatch;
use crate::postgres::Open;
use crate::postgres::errors::Failure;
use crate::wire::{Heard, NodeId};

/// Notifications that may wait. With more, the connection counts as lost.
const WAITING: usize = 16 * 1024;
/// Payloads in one statement.
const TOGETHER: usize = 256;
/// How often a node says that it is alive.
const EVERY: Duration = Duration::from_secs(2);
/// How often it looks whom it hears.
const LOOKS_EVERY: Duration = Duration::from_millis(500);
/// After this time without a word a node counts as silent, and our own connection as lost.
const SILENCE: Duration = Duration::from_secs(5);
/// A node that has not heard itself for so long can't say who else is silent: the database
/// may be slow.
const UNSURE: Duration = Duration::from_secs(3);
/// A node that beats in the record and isn't heard for so long is cut off from us. A node
/// that died beats no more by then.
const CUT_OFF: Duration = Duration::from_secs(20);
/// The pause before a new connection is tried.
const PAUSE: Duration = Duration::from_millis(500);

impl NodeWire {
    /// Hears and says on one connection after the other.
    pub(super) async fn hear(&self, open: &Weak<Open>) {
        loop {
            // The engine may be gone.
            let Some(connected) = self.connect(open).await else { return };
            if let Ok((client, payloads)) = connected {
                self.connected();
                tokio::select! {
                    () = self.receive(payloads) => {}
                    () = self.publish(&client) => {}
                    () = self.stay_alive(open) => {}
                    () = self.watch() => {}
                    () = self.read_when_poked(open) => {}
                    () = self.poll(open) => {}
                }
                tracing::warn!("the connection on which this node hears the others is lost");
            }
            self.others.lock().note(false);
            sleep(PAUSE).await;
        }
    }

    /// A connection that listens, and what it hears; `None` when the engine is gone.
    async fn connect(&self, open: &Weak<Open>) -> Option<Result<(Client, Receiver<String>), Failure>> {
        let open = open.upgrade().filter(|open| !open.record.is_closed())?;
        let (heard, payloads) = channel(WAITING);
        let connecting = async {
            let client = open.record.connect_to_hear(heard).await?;
            // What is said is not worth a wait for the disk.
            let statements =
                format!("SET application_name = 'annon wire'; SET synchronous_commit = off; LISTEN {}", self.channel);
            client.batch_execute(&statements).await.map_err(|_| Failure::Again)?;
            Ok(client)
        };
        Some(connecting.await.map(|client| (client, payloads)))
    }

    /// Anything may have been said before this connection was there, and what this node
    /// said may not have arrived.
    fn connected(&self) {
        let mut unsaid = self.unsaid.lock();
        let unsaid = &mut *unsaid;
        unsaid.recent.retain(|_, since| since.elapsed() < RECENT);
        unsaid.pokes.extend(unsaid.recent.keys());
        unsaid.messages.extend(self.marks.payload(self.node, Kind::Missed, Mark::default(), &[]));
        unsaid.messages.extend(self.marks.payload(self.node, Kind::Alive, Mark::default(), &[]));
        let now = Stopwatch::start();
        let mut others = self.others.lock();
        others.heard.values_mut().for_each(|(heard, _)| *heard = now);
        others.heard.insert(self.node, (now, false));
        drop(others);
        self.tell_all(&Heard::Stale);
        self.says.notify_one();
    }

    async fn receive(&self, mut payloads: Receiver<String>) {
        while let Some(payload) = payloads.recv().await {
            let Some(Message { from, what }) = self.marks.read(&payload) else { continue };
            let is_farewell = what == What::Farewell;
            self.others.lock().heard.insert(from, (Stopwatch::start(), false));
            if from == self.node {
                continue;
            }
            match what {
                What::Poke(marks) => self.poked(&marks),
                What::Said(mark, bytes) => self.tell(mark, &Heard::Said { from, bytes }),
                What::Missed => self.tell_all(&Heard::Stale),
                What::Alive | What::Farewell => {}
            }
            if is_farewell {
                self.others.lock().heard.remove(&from);
                self.tell_all(&Heard::Silent(from));
            }
        }
    }

    /// Hands something to those who listen to a subject.
    fn tell(&self, mark: Mark, heard: &Heard) {
        let mut is_lost = false;
        if let Some(theirs) = self.listeners.lock().subjects.get_mut(&mark) {
            theirs.retain(|listener| !listener.is_closed());
            for listener in theirs.iter() {
                is_lost |= listener.try_send(heard.clone()).is_err();
            }
        }
        if is_lost {
            self.others.lock().gaps += 1;
        }
    }

    fn tell_all(&self, heard: &Heard) {
        let marks: Vec<_> = self.listeners.lock().subjects.keys().copied().collect();
        marks.into_iter().for_each(|mark| self.tell(mark, heard));
    }

    async fn publish(&self, client: &Client) {
        let publish = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload";
        let Ok(publish) = client.prepare(publish).await else { return };
        loop {
            let payloads = self.take_unsaid();
            if payloads.is_empty() {
                self.says.notified().await;
                continue;
            }
            let said = timeout(SILENCE, client.execute(&publish, &[&self.channel, &payloads])).await;
            if !matches!(said, Ok(Ok(_))) {
                return;
            }
        }
    }

    /// What waits to be said: while one statement is under way, the next one's grows.
    fn take_unsaid(&self) -> Vec<String> {
        let mut unsaid = self.unsaid.lock();
        let poked: Vec<Mark> = unsaid.pokes.drain().collect();
        let pokes = poked.chunks(POKED_AT_ONCE).filter_map(|marks| Marks::poke(self.node, marks));
        let mut payloads: Vec<_> = pokes.collect();
        let count = unsaid.messages.len().min(TOGETHER);
        payloads.extend(unsaid.messages.drain(..count));
        payloads
    }

    /// Says that this node is alive, and asks the record which others are, for ever.
    async fn stay_alive(&self, open: &Weak<Open>) {
        let mut ticks = interval(EVERY);
        loop {
            ticks.tick().await;
            self.send(Kind::Alive, Mark::default(), &[]);
            self.unsaid.lock().recent.retain(|_, since| since.elapsed() < RECENT);
            let Some(open) = open.upgrade() else { return };
            self.note_alive(open.living_nodes().await.ok());
        }
    }

    /// Notes which other nodes beat in the record, if that is known.
    fn note_alive(&self, alive: Option<Vec<NodeId>>) {
        let mut others = self.others.lock();
        others.is_alive_known = alive.is_some();
        let Some(alive) = alive else { return };
        for node in &alive {
            others.heard.entry(*node).or_insert_with(|| (Stopwatch::start(), true));
        }
        others.heard.retain(|node, (_, is_silent)| !*is_silent || alive.contains(node));
        others.alive = alive;
    }

    /// Looks who is silent. Ends when this node doesn't hear even itself.
    async fn watch(&self) {
        let mut ticks = interval(LOOKS_EVERY);
        let mut since = Stopwatch::start();
        loop {
            ticks.tick().await;
            let was_paused = std::mem::replace(&mut since, Stopwatch::start()).elapsed() > UNSURE;
            let is_deaf = self.look_who_is_heard(was_paused);
            if is_deaf && !was_paused {
                return;
            }
        }
    }

    /// Notes who is silent. Returns whether this node doesn't hear itself.
    fn look_who_is_heard(&self, was_paused: bool) -> bool {
        let mut others = self.others.lock();
        let own = others.heard.get(&self.node).map_or(SILENCE, |(heard, _)| heard.elapsed());
        let mut silent = Vec::new();
        if own < UNSURE && !was_paused {
            for (node, (heard, is_silent)) in &mut others.heard {
                if heard.elapsed() >= SILENCE && !*is_silent {
                    *is_silent = true;
                    silent.push(*node);
                }
            }
        }
        let is_heard = |node: &NodeId| others.heard.get(node).is_some_and(|(heard, _)| heard.elapsed() < CUT_OFF);
        let is_whole = others.is_alive_known && !was_paused && others.alive.iter().all(is_heard);
        others.note(is_whole && own < SILENCE);
        drop(others);
        silent.into_iter().for_each(|node| self.tell_all(&Heard::Silent(node)));
        own >= SILENCE
    }

    /// Tells the others that this node stops, so that they needn't wait to notice it.
    pub(super) async fn say_farewell(&self, open: &Open) {
        let payload = self.marks.payload(self.node, Kind::Farewell, Mark::default(), &[]);
        if let Ok(mut lease) = open.record.lease().await {
            let _ = lease.read("SELECT pg_notify($1, $2)", &[&self.channel, &payload]).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use uuid::Uuid;

    use super::*;
    use crate::room::RoomId;
    use crate::wire::{Subject, Wire};

    const ROOM: RoomId = RoomId(Uuid::from_u128(5));

    fn node(n: u128) -> NodeWire {
        NodeWire::new(Uuid::from_u128(n), Marks::new(&[1; 32]), Uuid::nil())
    }

    /// What a node says now, as others read it.
    fn said(wire: &NodeWire) -> Vec<What> {
        let read = |payload: String| wire.marks.read(&payload).unwrap().what;
        wire.take_unsaid().into_iter().map(read).collect()
    }

    #[test]
    fn what_was_said_of_late_is_announced_again_on_a_new_connection() {
        let wire = node(7);
        let poke = || What::Poke(vec![wire.marks.mark(Subject::Room(ROOM))]);
        wire.poke(ROOM);
        assert_eq!(said(&wire), [poke()]);
        assert_eq!(said(&wire), [], "it is said once");
        wire.connected();
        assert_eq!(said(&wire), [poke(), What::Missed, What::Alive], "but may not have arrived");
    }

    #[tokio::test]
    async fn whoever_listens_is_told_what_may_be_missed_and_who_has_left() {
        let (wire, other) = (node(7), node(8));
        let mut heard = wire.listen(Subject::Everybody);
        wire.connected();
        assert_eq!(heard.next().await, Some(Heard::Stale));
        let (payloads, received) = channel(2);
        for kind in [Kind::Missed, Kind::Farewell] {
            payloads.send(other.marks.payload(other.node, kind, Mark::default(), &[]).unwrap()).await.unwrap();
        }
        drop(payloads);
        wire.receive(received).await;
        assert_eq!(heard.next().await, Some(Heard::Stale), "by another node that was cut off");
        assert_eq!(heard.next().await, Some(Heard::Silent(other.node)));
    }
}
