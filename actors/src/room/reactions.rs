//! Reactions to the messages that a room keeps.
//!
//! A reaction that was taken back leaves its place, without its emoji: so does its event in the
//! log. So a room that is made from the log has the same places, and counts as many.

use std::collections::BTreeMap;

use annon_contract::code::Code;
use annon_contract::limits::{REACTIONS_EVER, REACTIONS_EVER_OF_MEMBER, REACTIONS_OF_MEMBER};
use annon_store::room::{Emoji, SeatNumber, Seq, Sign};

/// Bytes that count for each reaction: the log needs about this much for the event, and for
/// the one that takes it back.
pub(super) const REACTION: usize = 128;
/// The memory of a message's entry, roughly.
const ENTRY: usize = size_of::<(Seq, OfMessage)>() + 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reaction {
    /// The event's place.
    pub seq: Seq,
    pub seat: SeatNumber,
    /// Its member's; `None` if a damaged log has lost who had the seat.
    pub emoji: Option<Emoji>,
    /// `None` if it was taken back.
    pub sign: Option<Sign>,
}

/// The reactions to one message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct OfMessage {
    /// The last event that has changed them.
    changed: Seq,
    /// In the order in which they came.
    all: Vec<Reaction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Reactions {
    by_message: BTreeMap<Seq, OfMessage>,
    /// How many there are.
    count: usize,
}

impl Reactions {
    /// The reactions to a message that were not taken back.
    pub(crate) fn to(&self, message: Seq) -> impl Iterator<Item = &Reaction> {
        self.places(message).iter().filter(|reaction| reaction.sign.is_some())
    }

    fn places(&self, message: Seq) -> &[Reaction] {
        self.by_message.get(&message).map_or(&[], |entry| &entry.all)
    }

    /// The messages to which the reactions have changed after `since`, each with the last change.
    pub(crate) fn changed_after(&self, since: Seq) -> impl Iterator<Item = (Seq, Seq)> {
        let changes = self.by_message.iter().map(|(message, entry)| (*message, entry.changed));
        changes.filter(move |(_, changed)| *changed > since)
    }

    /// A member's reaction with this emoji.
    pub(super) fn of(&self, seat: SeatNumber, message: Seq, sign: Sign) -> Option<&Reaction> {
        self.to(message).find(|reaction| reaction.seat == seat && reaction.sign == Some(sign))
    }

    /// Why a member can't react to a message once more.
    pub(super) fn admits(&self, seat: SeatNumber, message: Seq) -> Result<(), Code> {
        let all = self.places(message);
        let theirs = all.iter().filter(|reaction| reaction.seat == seat);
        if theirs.clone().filter(|reaction| reaction.sign.is_some()).count() >= REACTIONS_OF_MEMBER {
            Err(Code::TooManyReactions)
        } else if all.len() >= REACTIONS_EVER || theirs.count() >= REACTIONS_EVER_OF_MEMBER {
            Err(Code::ReactionsFull)
        } else {
            Ok(())
        }
    }

    pub(super) fn add(&mut self, message: Seq, reaction: Reaction) {
        let entry = self.by_message.entry(message).or_default();
        entry.changed = reaction.seq;
        entry.all.push(reaction);
        self.count += 1;
    }

    /// A reaction was taken back by the event at `changed`.
    pub(super) fn take_back(&mut self, message: Seq, reaction: Seq, changed: Seq) {
        if let Some(entry) = self.by_message.get_mut(&message) {
            entry.changed = changed;
            entry.all.iter_mut().filter(|there| there.seq == reaction).for_each(|there| there.sign = None);
        }
    }

    /// All that a member has left was removed by the event at `changed`.
    pub(super) fn take_back_of(&mut self, seat: SeatNumber, changed: Seq) {
        for entry in self.by_message.values_mut() {
            for theirs in entry.all.iter_mut().filter(|reaction| reaction.seat == seat) {
                // A log may already be without the emoji that the room still had.
                entry.changed = changed;
                theirs.sign = None;
            }
        }
    }

    /// The place of each reaction of a member that was not taken back.
    pub(super) fn places_of(&self, seat: SeatNumber) -> impl Iterator<Item = Seq> {
        let all = self.by_message.values().flat_map(|entry| &entry.all);
        all.filter(move |reaction| reaction.seat == seat && reaction.sign.is_some()).map(|reaction| reaction.seq)
    }

    /// Removes the reactions to a message, or puts back those it had before. Returns those
    /// that it had.
    pub(super) fn replace(&mut self, message: Seq, with: Option<OfMessage>) -> Option<OfMessage> {
        let came = with.as_ref().map_or(0, |entry| entry.all.len());
        let had = match with {
            Some(entry) => self.by_message.insert(message, entry),
            None => self.by_message.remove(&message),
        };
        self.count = self.count + came - had.as_ref().map_or(0, |entry| entry.all.len());
        had
    }

    pub(super) fn entry(&self, message: Seq) -> Option<OfMessage> {
        self.by_message.get(&message).cloned()
    }

    /// Whose emoji is on a message.
    pub(super) fn emojis(&self) -> impl Iterator<Item = Emoji> {
        let all = self.by_message.values().flat_map(|entry| &entry.all);
        all.filter(|reaction| reaction.sign.is_some()).filter_map(|reaction| reaction.emoji)
    }

    /// The bytes that count for them.
    pub(super) fn bytes(&self) -> usize {
        self.count * REACTION
    }

    /// The memory that they take, roughly.
    pub(super) fn memory(&self) -> usize {
        self.by_message.len() * ENTRY + self.count * size_of::<Reaction>() * 2
    }
}
