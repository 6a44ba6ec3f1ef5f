//! How reactions become frames.

use annon_contract::palette::UNKNOWN_MEMBER;
use annon_store::room::{Emoji, RoomEvent, Seq, Sign};
use serde::Serialize;
use utoipa::ToSchema;

use crate::room::machine::Room;
use crate::session::EncodedFrame;

/// The reactions to a message with one emoji.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reactions {
    #[schema(example = "👍")]
    pub emoji: &'static str,
    /// How many there are.
    pub count: usize,
    /// Whose they are, in the order in which they came.
    #[schema(example = json!(["🦊"]))]
    pub from: Vec<&'static str>,
}

/// The reactions to a message have changed. `sender`, `emoji` and `on` are absent if the frame
/// stands for more than one change: to members who were away, and when a member is removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReactFrame {
    /// Always `event.react`.
    #[schema(example = "event.react")]
    pub event: &'static str,
    /// The message's place in the group's log.
    pub message: u64,
    /// The member who reacted, or took a reaction back.
    #[schema(example = "🦊")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<&'static str>,
    /// The reaction.
    #[schema(example = "👍")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<&'static str>,
    /// Whether the reaction is there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<bool>,
    /// All reactions to the message that are there now.
    pub reactions: Vec<Reactions>,
    /// The place of the last change in the group's log.
    pub seq: u64,
}

/// What a member did to the reactions of a message.
pub(crate) struct Change {
    message: Seq,
    sender: &'static str,
    sign: Option<Sign>,
    on: bool,
}

impl Change {
    /// The change that an event is. The room doesn't have it yet.
    pub(crate) fn by(event: &RoomEvent, room: &Room) -> Option<Self> {
        let (seat, message, sign, on) = match event {
            RoomEvent::Reacted { seat, message, sign, .. } => (seat, *message, *sign, true),
            RoomEvent::Unreacted { seat, message, reaction, .. } => {
                let taken_back = room.reactions_to(*message).find(|there| there.seq == *reaction);
                (seat, *message, taken_back.and_then(|there| there.sign), false)
            }
            _ => return None,
        };
        let sender = room.seats().iter().find(|taken| taken.number == *seat);
        Some(Self { message, sender: sender.map_or(UNKNOWN_MEMBER, |seat| seat.emoji.as_str()), sign, on })
    }

    /// The frame that tells members of it, when the room has it.
    pub(crate) fn frame(&self, room: &Room) -> EncodedFrame {
        EncodedFrame::of(&ReactFrame {
            sender: self.sign.map(|_| self.sender),
            emoji: self.sign.map(Sign::as_str),
            on: self.sign.map(|_| self.on),
            ..now(room, self.message, room.seq())
        })
    }
}

/// The reactions to a message as they are now. `changed` is their last change.
pub(crate) fn as_they_are(room: &Room, message: Seq, changed: Seq) -> EncodedFrame {
    EncodedFrame::of(&now(room, message, changed))
}

fn now(room: &Room, message: Seq, changed: Seq) -> ReactFrame {
    ReactFrame {
        event: "event.react",
        message: message.0,
        sender: None,
        emoji: None,
        on: None,
        reactions: to(room, message),
        seq: changed.0,
    }
}

/// The reactions to a message, in the order in which each emoji came first.
pub(crate) fn to(room: &Room, message: Seq) -> Vec<Reactions> {
    let mut all: Vec<Reactions> = Vec::new();
    for reaction in room.reactions_to(message) {
        let Some(emoji) = reaction.sign.map(Sign::as_str) else { continue };
        let from = reaction.emoji.map_or(UNKNOWN_MEMBER, Emoji::as_str);
        match all.iter_mut().find(|others| others.emoji == emoji) {
            Some(others) => {
                others.count += 1;
                others.from.push(from);
            }
            None => all.push(Reactions { emoji, count: 1, from: vec![from] }),
        }
    }
    all
}
