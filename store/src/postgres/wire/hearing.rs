//! Hears and says, on a connection. When it is lost, everything that may have been missed
//! is looked for in the record, and what was written of late is announced again.

use std::sync::Weak;
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{interval, sleep, timeout};

use super::message::{Kind, Mark, Message, What};
use super::{Line, NodeWire, RECENT, Unsaid, nats, notifications};
use crate::clock::{Pace, Stopwatch};
use crate::postgres::Open;
use crate::wire::{Heard, NodeId};

/// Payloads that may wait. With more, the connection counts as lost.
const WAITING: usize = 16 * 1024;
/// What is said in this time is said together.
const TOGETHER: Duration = Duration::from_millis(3);
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

/// A connection that hears and says.
enum Session {
    Notifications(notifications::Session),
    Nats(nats::Session),
}

impl NodeWire {
    /// Hears and says, and reads in the record what is not heard.
    pub(super) async fn hear(&self, open: &Weak<Open>) {
        tokio::select! {
            () = self.stay_connected(open) => {}
            () = self.read_when_poked(open) => {}
            () = self.poll(open) => {}
        }
    }

    /// Hears and says on one connection after the other.
    async fn stay_connected(&self, open: &Weak<Open>) {
        let mut was_lost = false;
        loop {
            // The engine may be gone.
            let Some(connected) = self.connect(open).await else { return };
            if let Some((session, payloads)) = connected {
                self.connected();
                if was_lost {
                    tracing::info!("this node hears the others again");
                }
                tokio::select! {
                    () = self.receive(payloads) => {}
                    () = self.publish(&session) => {}
                    () = self.stay_alive(open, &session) => {}
                    () = self.watch() => {}
                    () = session.lost() => {}
                }
                was_lost = true;
                tracing::warn!(
                    "the connection on which this node hears the others is lost: what they write is looked for in the database"
                );
            }
            self.disconnected();
            sleep(PAUSE).await;
        }
    }

    /// A connection, and what it hears; `None` when the engine is gone.
    async fn connect(&self, open: &Weak<Open>) -> Option<Option<(Session, Receiver<String>)>> {
        let open = open.upgrade().filter(|open| !open.record.is_closed())?;
        let (heard, payloads) = channel(WAITING);
        let session = match &self.line {
            Line::Notifications => {
                let session = notifications::Session::connect(&open, &self.cluster, heard).await;
                session.ok().map(Session::Notifications)
            }
            Line::Nats(nats) => nats::Session::connect(nats, &self.cluster, heard).await.map(Session::Nats),
        };
        Some(session.map(|session| (session, payloads)))
    }

    /// Anything may have been said before this connection was there, and what this node
    /// said may not have arrived.
    fn connected(&self) {
        self.forget_old();
        let mut unsaid = self.unsaid.lock();
        unsaid.pokes.extend(self.recent.lock().keys());
        for kind in [Kind::Missed, Kind::Alive] {
            let payload = self.marks.payload(self.node, kind, Mark::default(), &[]);
            unsaid.messages.extend(payload.map(|payload| (Mark::default(), payload)));
        }
        let now = Stopwatch::start();
        let mut others = self.others.lock();
        others.heard.values_mut().for_each(|(heard, _)| *heard = now);
        others.heard.insert(self.node, (now, false));
        drop(others);
        self.listeners.lock().begin_again();
        self.tell_all(&Heard::Stale);
        self.says.notify_one();
        self.looks.notify_one();
    }

    fn disconnected(&self) {
        if let Line::Nats(nats) = &self.line {
            nats.give_up();
        }
        let mut others = self.others.lock();
        others.note(false);
        others.is_behind = true;
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

    async fn publish(&self, session: &Session) {
        let pace = Pace::new(TOGETHER);
        loop {
            if !self.unsaid.lock().is_empty() {
                pace.turn().await;
            }
            let begun: Vec<Mark> = self.listeners.lock().begun.drain().collect();
            let unsaid = self.take_unsaid();
            if begun.is_empty() && unsaid.is_empty() {
                self.says.notified().await;
                continue;
            }
            // What is asked is heard before it is asked: so the answers are heard, too.
            let saying = async { session.listen(&begun).await && session.say(self.node, unsaid).await };
            if timeout(SILENCE, saying).await != Ok(true) {
                return;
            }
            if let Session::Nats(_) = session {
                self.listeners.lock().heard.extend(begun);
            }
        }
    }

    /// What waits to be said: while that is under way, what is said next grows.
    fn take_unsaid(&self) -> Unsaid {
        std::mem::take(&mut *self.unsaid.lock())
    }

    /// Forgets what need not be announced again.
    fn forget_old(&self) {
        self.recent.lock().retain(|_, since| since.elapsed() < RECENT);
    }

    /// Says that this node is alive, and asks the record which others are, for ever.
    async fn stay_alive(&self, open: &Weak<Open>, session: &Session) {
        let mut ticks = interval(EVERY);
        loop {
            ticks.tick().await;
            self.send(Kind::Alive, Mark::default(), &[]);
            self.forget_old();
            session.forget(|mark| self.listeners.lock().has(mark));
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
        let is_near = |node: &NodeId| others.heard.get(node).is_some_and(|(heard, _)| heard.elapsed() < SILENCE);
        let is_behind = own >= SILENCE || !others.alive.iter().all(is_near);
        others.note(is_whole && own < SILENCE);
        others.is_behind = is_behind;
        drop(others);
        silent.into_iter().for_each(|node| self.tell_all(&Heard::Silent(node)));
        own >= SILENCE
    }

    /// Tells the others that this node stops, so that they needn't wait to notice it.
    pub(super) async fn say_farewell(&self, open: &Open) {
        let Some(payload) = self.marks.payload(self.node, Kind::Farewell, Mark::default(), &[]) else { return };
        match &self.line {
            Line::Notifications => notifications::say_at_last(open, &self.cluster, &payload).await,
            Line::Nats(nats) => nats.say_at_last(&self.cluster, payload).await,
        }
    }
}

impl Session {
    /// Hears what is said about these, too. Returns whether the connection is still there.
    async fn listen(&self, marks: &[Mark]) -> bool {
        match self {
            // All of it comes anyway.
            Self::Notifications(_) => true,
            Self::Nats(nats) => nats.listen(marks).await.is_some(),
        }
    }

    /// Hears no more of that to which nobody listens.
    fn forget(&self, is_wanted: impl Fn(&Mark) -> bool) {
        if let Self::Nats(nats) = self {
            nats.forget(is_wanted);
        }
    }

    /// Returns whether it was said.
    async fn say(&self, node: NodeId, unsaid: Unsaid) -> bool {
        match self {
            Self::Notifications(notifications) => notifications.say(node, unsaid).await,
            Self::Nats(nats) => nats.say(node, unsaid).await,
        }
    }

    /// Ends when the connection is known to be lost.
    async fn lost(&self) {
        match self {
            // Then nothing more is received.
            Self::Notifications(_) => std::future::pending().await,
            Self::Nats(nats) => nats.lost().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use uuid::Uuid;

    use super::*;
    use crate::postgres::wire::message::{Marks, POKED_AT_ONCE};
    use crate::room::RoomId;
    use crate::wire::{Subject, Wire};

    const ROOM: RoomId = RoomId(Uuid::from_u128(5));

    fn node(n: u128) -> NodeWire {
        NodeWire::new(Uuid::from_u128(n), Marks::new(&[1; 32]), Uuid::nil(), Line::Notifications)
    }

    /// What a node says now, as others read it.
    fn said(wire: &NodeWire) -> Vec<What> {
        let read = |payload: String| wire.marks.read(&payload).unwrap().what;
        let unsaid = wire.take_unsaid();
        let pokes: Vec<Mark> = unsaid.pokes.into_iter().collect();
        let pokes = pokes.chunks(POKED_AT_ONCE).filter_map(|marks| Marks::poke(wire.node, marks));
        pokes.chain(unsaid.messages.into_iter().map(|(_, payload)| payload)).map(read).collect()
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
