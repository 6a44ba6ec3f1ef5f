//! The commands a room takes, and the reasons it refuses them.

use annon_contract::code::Code;
use annon_store::room::{Body, ChatId, Emoji, Ending, MemberId, Millis, SeatNumber, Seq};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// To take a seat, or get the seat held already. `dice` picks the emoji.
    Claim {
        member: MemberId,
        /// Any number; a random one makes the emoji random.
        dice: u64,
    },
    Arrive(MemberId),
    /// The member is about to be shown the messages.
    Look(MemberId),
    /// To leave and give the seat up.
    Leave(MemberId),
    Post {
        member: MemberId,
        /// The id that its sender gave the message.
        id: ChatId,
        body: Body,
        reply_to: Option<Seq>,
    },
    Unsend {
        member: MemberId,
        /// The id that its sender gave the message.
        id: ChatId,
    },
    Lock(bool),
    Kick {
        emoji: Emoji,
        /// Whether the member's messages are removed, too.
        with_messages: bool,
    },
    /// The creator removes any member's message.
    TakeDown(Seq),
    Close,
    /// The time of `deadline` has come.
    Wake,
    /// Nobody has seen a seat's member for a while.
    Away {
        seat: SeatNumber,
        /// Since when they are away.
        since: Millis,
    },
}

/// Why a command changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    Ended(Ending),
    Full,
    /// The creator has locked the group.
    Locked,
    /// The creator has removed this member.
    KickedOut,
    NoSeat,
    /// This member has a seat already: nothing to do, and this is it.
    Seated(SeatNumber),
    /// This message is in the log already, at this place.
    Repeated(Seq),
    /// There is no such message, or it was taken back before.
    NoSuchMessage,
    /// Too much time has passed to take it back.
    TooLate,
    /// Nobody here has this emoji.
    NoSuchMember,
    /// The room is already in that state.
    Nothing,
}

impl From<Rejection> for Code {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Ended(_) => Self::GroupExpired,
            Rejection::Full => Self::GroupFull,
            Rejection::Locked => Self::GroupLocked,
            Rejection::KickedOut => Self::RemovedFromGroup,
            Rejection::NoSeat => Self::NotAMember,
            Rejection::Seated(_) => Self::SeatedAlready,
            Rejection::Repeated(_) => Self::SentAlready,
            Rejection::NoSuchMessage => Self::MessageGone,
            Rejection::TooLate => Self::TooLateToUnsend,
            Rejection::NoSuchMember => Self::NoSuchMember,
            Rejection::Nothing => Self::NothingToDo,
        }
    }
}
