//! Where frames find the text of messages: in the room, or, if it has left
//! memory, in what was read back from the log.

use std::collections::HashMap;

use annon_store::room::{Body, RoomEvent, RoomId, Seq};

use crate::room::line::{Content, Line, Message};
use crate::room::machine::Room;

/// Old messages that were read back from the log, by `seq`.
#[derive(Debug, Default)]
pub(crate) struct OldWords(HashMap<Seq, Content>);

impl OldWords {
    /// Adds events that were read.
    pub(crate) fn add(&mut self, events: Vec<(Seq, RoomEvent)>) {
        for (seq, event) in events {
            if let RoomEvent::Posted { body, reply_to, .. } = event {
                self.0.insert(seq, Content { body, reply_to });
            }
        }
    }

    /// The messages that these reply to, if those were not read.
    pub(crate) fn replied_to(&self) -> impl Iterator<Item = Seq> {
        self.0.values().filter_map(|content| content.reply_to).filter(|seq| !self.0.contains_key(seq))
    }
}

/// A room, with the old messages that were read back from its log.
pub(crate) struct Transcript<'a> {
    pub(crate) id: RoomId,
    pub(crate) room: &'a Room,
    pub(crate) old_words: &'a OldWords,
}

impl Transcript<'_> {
    /// What a message says, and which message it replies to. `None` if that has
    /// left memory and was not read back.
    pub(crate) fn content<'a>(&'a self, seq: Seq, message: &'a Message) -> Option<(&'a Body, Option<Seq>)> {
        let Content { body, reply_to } = self.old_words.0.get(&seq).or_else(|| message.content())?;
        // The log loses the text of this message only a moment later.
        Some((if message.is_gone { &Body::Gone } else { body }, *reply_to))
    }
}

/// The messages that have to be read before `lines` can become frames: the
/// lines' own, and those that they quote.
pub(crate) fn places_to_read<'a>(room: &Room, lines: impl Iterator<Item = &'a Line>) -> Vec<Seq> {
    let Some(last) = room.lines().last_evicted() else { return Vec::new() };
    let place = |line: &Line| match line.message()?.content() {
        Some(content) => content.reply_to.filter(|seq| *seq <= last),
        None => Some(line.seq),
    };
    lines.filter_map(place).collect()
}
