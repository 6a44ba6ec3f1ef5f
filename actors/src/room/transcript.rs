//! Where frames find what was said: in the room, or, when it has left memory,
//! in what was read from the log.

use std::collections::HashMap;

use annon_store::room::{Body, RoomEvent, RoomId, Seq};

use crate::room::line::{Content, Line, Message};
use crate::room::machine::Room;

/// What was read from the log, by place.
#[derive(Debug, Default)]
pub(crate) struct Recalled(HashMap<Seq, Content>);

impl Recalled {
    /// Takes in events that were read.
    pub(crate) fn add(&mut self, events: Vec<(Seq, RoomEvent)>) {
        for (seq, event) in events {
            if let RoomEvent::Posted { body, reply_to, .. } = event {
                self.0.insert(seq, Content { body, reply_to });
            }
        }
    }

    /// Which messages these answer, as far as they are not among them.
    pub(crate) fn answered(&self) -> impl Iterator<Item = Seq> {
        self.0.values().filter_map(|content| content.reply_to).filter(|seq| !self.0.contains_key(seq))
    }
}

/// A room, with what was read of its log.
pub(crate) struct Transcript<'a> {
    pub(crate) id: RoomId,
    pub(crate) room: &'a Room,
    pub(crate) recalled: &'a Recalled,
}

impl Transcript<'_> {
    /// What a message says, and what it answers. `None` when that has left
    /// memory and was not read.
    pub(crate) fn content<'a>(&'a self, seq: Seq, message: &'a Message) -> Option<(&'a Body, Option<Seq>)> {
        let Content { body, reply_to } = self.recalled.0.get(&seq).or_else(|| message.content())?;
        // The log loses its words a moment later.
        Some((if message.is_gone { &Body::Gone } else { body }, *reply_to))
    }
}

/// Places that have to be read before frames can be made of some lines: those
/// lines' own, and of what they quote.
pub(crate) fn unread<'a>(room: &Room, lines: impl Iterator<Item = &'a Line>) -> Vec<Seq> {
    let Some(last) = room.lines().last_resting() else { return Vec::new() };
    let place = |line: &Line| match line.message()?.content() {
        Some(content) => content.reply_to.filter(|seq| *seq <= last),
        None => Some(line.seq),
    };
    lines.filter_map(place).collect()
}
