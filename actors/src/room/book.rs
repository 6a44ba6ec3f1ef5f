//! Where frames find what was said: in the room, or, when it has left memory,
//! in what was read from the log.

use std::collections::HashMap;

use annon_store::room::{Body, RoomEvent, RoomId, Seq};

use crate::room::line::{Line, Message, Said};
use crate::room::machine::Room;

/// What was read from the log, by place.
#[derive(Debug, Default)]
pub(crate) struct Recalled(HashMap<Seq, Said>);

impl Recalled {
    /// Takes in events that were read.
    pub(crate) fn add(&mut self, events: Vec<(Seq, RoomEvent)>) {
        for (seq, event) in events {
            if let RoomEvent::Posted { body, reply_to, .. } = event {
                self.0.insert(seq, Said { body, reply_to });
            }
        }
    }

    /// Which messages these answer, as far as they are not among them.
    pub(crate) fn answered(&self) -> impl Iterator<Item = Seq> {
        self.0.values().filter_map(|said| said.reply_to).filter(|seq| !self.0.contains_key(seq))
    }
}

/// A room, with what was read of its log.
pub(crate) struct Book<'a> {
    pub(crate) id: RoomId,
    pub(crate) room: &'a Room,
    pub(crate) recalled: &'a Recalled,
}

impl Book<'_> {
    /// What a message says, and what it answers. `None` when that has left
    /// memory and was not read.
    pub(crate) fn said(&self, seq: Seq, message: &Message) -> Option<(&Body, Option<Seq>)> {
        let Said { body, reply_to } = self.recalled.0.get(&seq).or_else(|| self.find(seq))?;
        // The log loses its words a moment later.
        Some((if message.is_gone { &Body::Gone } else { body }, *reply_to))
    }

    fn find(&self, seq: Seq) -> Option<&Said> {
        self.room.message(seq)?.said()
    }
}

/// Places that have to be read before frames can be made of some lines: those
/// lines' own, and of what they quote.
pub(crate) fn unread<'a>(room: &Room, lines: impl Iterator<Item = &'a Line>) -> Vec<Seq> {
    let Some(last) = room.lines().last_resting() else { return Vec::new() };
    let place = |line: &Line| match line.message()?.said() {
        Some(said) => said.reply_to.filter(|seq| *seq <= last),
        None => Some(line.seq),
    };
    lines.filter_map(place).collect()
}
