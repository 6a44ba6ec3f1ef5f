//! How knocks become what the room's creator is shown.

use annon_store::room::{Millis, RoomEvent, RoomId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::room::machine::Room;
use crate::session::EncodedFrame;

/// Somebody waits to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitingKnock {
    /// The knock, for the answer.
    #[schema(example = "5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41")]
    pub knock: String,
    /// The emoji that the visitor is shown, and gets when they come in.
    #[schema(example = "🦊")]
    pub emoji: String,
    /// How many seconds are left until the visitor no longer waits.
    #[schema(example = 580)]
    pub seconds_left: u64,
}

/// Everybody who waits to be let into a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Knocks {
    /// Those who wait, in the order in which they came.
    pub knocks: Vec<WaitingKnock>,
    /// Whether newcomers have to knock.
    pub ask_first: bool,
    /// The place in the group's log up to which this is true. What comes with a smaller one is older.
    pub seq: u64,
}

/// Who waits to be let into one of the owner's groups has changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnocksFrame<'a> {
    /// Always `event.knocks`.
    #[schema(example = "event.knocks")]
    pub event: &'static str,
    /// The group's id.
    #[schema(format = Uuid)]
    pub id: String,
    #[serde(flatten)]
    pub waiting: &'a Knocks,
}

impl Knocks {
    pub(crate) fn of(room: &Room, now: Millis) -> Self {
        let waiting = room.knocks(now).map(|knock| WaitingKnock {
            knock: knock.id.text(),
            emoji: knock.emoji.as_str().to_owned(),
            seconds_left: knock.left(now).as_secs(),
        });
        Self { knocks: waiting.collect(), ask_first: room.asks_first(), seq: room.seq().0 }
    }

    pub(crate) fn frame(&self, room: RoomId) -> EncodedFrame {
        EncodedFrame::of(&KnocksFrame { event: "event.knocks", id: room.0.to_string(), waiting: self })
    }
}

/// Whether an event may have changed who waits.
pub(crate) fn are_changed_by(event: &RoomEvent, room: &Room) -> bool {
    match event {
        RoomEvent::AskFirst { .. }
        | RoomEvent::Knocked { .. }
        | RoomEvent::Admitted { .. }
        | RoomEvent::Declined { .. } => true,
        RoomEvent::Claimed { member, .. } => room.knock_of(*member).is_some(),
        RoomEvent::Arrived { .. }
        | RoomEvent::Lapsed { .. }
        | RoomEvent::Left { .. }
        | RoomEvent::Kicked { .. }
        | RoomEvent::Locked { .. }
        | RoomEvent::Posted { .. }
        | RoomEvent::Retracted { .. }
        | RoomEvent::Closed { .. }
        | RoomEvent::Viewed { .. }
        | RoomEvent::Lost { .. }
        | RoomEvent::Reacted { .. }
        | RoomEvent::Unreacted { .. } => false,
    }
}
