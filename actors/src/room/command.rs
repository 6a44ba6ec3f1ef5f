//! The commands a room takes.

use annon_store::room::{Body, ChatId, Emoji, KnockId, MemberId, Millis, SeatNumber, Seq, Sign};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// The member asks for a seat. `dice` picks the emoji.
    Claim {
        member: MemberId,
        /// Any number; a random one makes the emoji random.
        dice: u64,
        /// Whether the caller has shown that they created the room: then they don't knock.
        is_creator: bool,
    },
    /// Somebody without a seat asks to be let in. `dice` picks the emoji.
    Knock {
        member: MemberId,
        knock: KnockId,
        dice: u64,
    },
    /// The creator's answer to a knock.
    AnswerKnock {
        knock: KnockId,
        admits: bool,
    },
    Arrive(MemberId),
    /// The member is about to be shown the messages.
    Look(MemberId),
    /// The member leaves and gives the seat up.
    Leave(MemberId),
    Post {
        member: MemberId,
        /// The id that its sender gave the message.
        id: ChatId,
        body: Body,
        reply_to: Option<Seq>,
    },
    Retract {
        member: MemberId,
        /// The id that its sender gave the message.
        id: ChatId,
    },
    React {
        member: MemberId,
        message: Seq,
        sign: Sign,
        /// Whether the reaction is to be there.
        on: bool,
    },
    Lock(bool),
    /// Whether newcomers have to knock.
    AskFirst(bool),
    Kick {
        emoji: Emoji,
        /// Whether the member's messages are removed, too.
        with_messages: bool,
    },
    /// The creator removes any member's message.
    RetractAny(Seq),
    Close,
    /// The time that `Room::deadline` returned has come.
    Wake,
    /// Nobody has seen the member of a seat for a while.
    Away {
        seat: SeatNumber,
        /// Since when they are away.
        since: Millis,
    },
}
