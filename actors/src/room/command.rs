//! What can be asked of a room, and why it may refuse.

use annon_store::room::{Body, ChatId, Ending, Face, MemberId, Millis, SeatNumber, Seq};

/// Something somebody wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A seat, or the one held already. `dice` picks the face.
    Claim {
        /// Who.
        member: MemberId,
        /// Any number; a random one makes the face random.
        dice: u64,
    },
    /// The member's socket is there.
    Arrive(MemberId),
    /// The member is about to be shown what was said.
    Look(MemberId),
    /// To leave for good.
    Leave(MemberId),
    /// To say something.
    Post {
        /// Who.
        member: MemberId,
        /// The sender's own name for it.
        id: ChatId,
        /// What.
        body: Body,
        /// The message it answers.
        reply_to: Option<Seq>,
    },
    /// To take a message back.
    Unsend {
        /// Who.
        member: MemberId,
        /// The sender's own name for it.
        id: ChatId,
    },
    /// The creator locks or unlocks the door.
    Lock(bool),
    /// The creator sends somebody out.
    Kick {
        /// Whom.
        face: Face,
        /// Whether what they said goes with them.
        with_messages: bool,
    },
    /// The creator takes a message down, whosever it is.
    TakeDown(Seq),
    /// The creator closes the room.
    Close,
    /// The time has come that `deadline` told.
    Wake,
    /// Nobody has seen a seat's member for a while.
    Away {
        /// Whose seat.
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
    /// The creator has locked the door.
    #[error("This group is locked")]
    Locked,
    /// The creator has sent this member out.
    #[error("You were removed from this group")]
    KickedOut,
    /// This member has no seat.
    #[error("You are not a member of this group")]
    NoSeat,
    /// This member has a seat already: nothing to do, and this is it.
    #[error("You already have a seat")]
    Seated(SeatNumber),
    /// This very message is in the log already, here.
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
    /// It is so already.
    #[error("Nothing to do")]
    Nothing,
}
