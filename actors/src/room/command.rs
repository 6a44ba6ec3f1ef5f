//! The commands a room takes, and the reasons it refuses them.

use annon_store::room::{Body, ChatId, Ending, Face, MemberId, Millis, SeatNumber, Seq};

/// A command to a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// To take a seat, or get the seat held already. `dice` picks the face.
    Claim {
        /// The member.
        member: MemberId,
        /// Any number; a random one makes the face random.
        dice: u64,
    },
    /// The member's socket is connected.
    Arrive(MemberId),
    /// The member is about to be shown the messages.
    Look(MemberId),
    /// To leave and give the seat up.
    Leave(MemberId),
    /// To post a message.
    Post {
        /// The member.
        member: MemberId,
        /// The id that its sender gave the message.
        id: ChatId,
        /// The content.
        body: Body,
        /// The message it replies to.
        reply_to: Option<Seq>,
    },
    /// To take a message back.
    Unsend {
        /// The member.
        member: MemberId,
        /// The id that its sender gave the message.
        id: ChatId,
    },
    /// The creator locks or unlocks the door.
    Lock(bool),
    /// The creator removes a member.
    Kick {
        /// The face of the member.
        face: Face,
        /// Whether the member's messages are removed, too.
        with_messages: bool,
    },
    /// The creator removes any member's message.
    TakeDown(Seq),
    /// The creator closes the room.
    Close,
    /// The time of `deadline` has come.
    Wake,
    /// Nobody has seen a seat's member for a while.
    Away {
        /// The seat.
        seat: SeatNumber,
        /// Since when they are away.
        since: Millis,
    },
}

/// Why a command changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The room has ended.
    #[error("Sorry, It Looks Like This Group Has Expired")]
    Ended(Ending),
    /// All seats are taken.
    #[error("Sorry, It Looks Like This Group Is Full Already")]
    Full,
    /// The creator has locked the group.
    #[error("This group is locked")]
    Locked,
    /// The creator has removed this member.
    #[error("You were removed from this group")]
    KickedOut,
    /// This member has no seat.
    #[error("You are not a member of this group")]
    NoSeat,
    /// This member has a seat already: nothing to do, and this is it.
    #[error("You already have a seat")]
    Seated(SeatNumber),
    /// This message is in the log already, at this place.
    #[error("This message has already been sent")]
    Repeated(Seq),
    /// There is no such message, or it was taken back before.
    #[error("This message is already gone")]
    NoSuchMessage,
    /// Too much time has passed to take it back.
    #[error("A message can only be unsent within five minutes")]
    TooLate,
    /// Nobody here has this face.
    #[error("There is no such member")]
    NoSuchMember,
    /// The room is already in that state.
    #[error("Nothing to do")]
    Nothing,
}
