//! A room as a state machine. `decide` turns a command into an event or a refusal, `apply` changes
//! the room by the event. The shell puts the event on disk before anybody sees it.
//!
//! No I/O, no clock and no randomness in here: the time and the dice come in as
//! arguments, so the same log gives the same room, on any machine.

use std::collections::HashSet;

use annon_contract::code::Code;
use annon_contract::limits::{ROOM_MEMBERS, SEAT_LAPSES, SEAT_WAITS, UNSEND_WITHIN};
use annon_store::invariant;
use annon_store::room::{Body, ChatId, Emoji, Ending, MemberId, Millis, RoomEvent, SeatNumber, Seq};
use annon_store::sealed::SealedKind;

use crate::room::command::Command;
use crate::room::door::Door;
use crate::room::line::{Content, Line, LineKind, Message, Notice};
pub use crate::room::lines::Keeps;
use crate::room::lines::Lines;

mod entering;
mod queries;
mod reacting;
mod undo;

pub use undo::Undo;

/// What is fixed when a room is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub created_at: Millis,
    pub expires_at: Millis,
    /// How many lines the room keeps; the oldest are dropped.
    pub keeps: Keeps,
}

/// A seat that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    pub number: SeatNumber,
    pub member: MemberId,
    pub emoji: Emoji,
    pub claimed_at: Millis,
    /// Whether its member has ever connected.
    pub arrived: bool,
    /// Whether the others were told that the member joined: because the member
    /// has connected, or at least read the messages.
    pub announced: bool,
    /// Whether its member has posted a message. It is also true if the log has
    /// forgotten messages, since one of them may be the member's.
    spoke: bool,
    /// Whether nobody had its emoji before.
    first_to_wear: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    terms: Terms,
    seq: Seq,
    /// The time of the last event.
    last_at: Millis,
    seats: Vec<Seat>,
    next_seat: u32,
    /// Emojis that members have or had here, so that a newcomer isn't taken for
    /// somebody who has left.
    worn: HashSet<Emoji>,
    kept_out: HashSet<MemberId>,
    locked: bool,
    door: Door,
    /// Whether lost events may have changed who has a seat.
    has_gap: bool,
    lines: Lines,
    /// Messages ever posted here, also those that are no longer kept.
    messages: u64,
    ended: Option<Ending>,
}

impl Room {
    /// An empty room.
    pub fn new(terms: Terms) -> Self {
        Self {
            terms,
            seq: Seq(0),
            last_at: Millis(0),
            seats: Vec::with_capacity(ROOM_MEMBERS),
            next_seat: 0,
            worn: HashSet::new(),
            kept_out: HashSet::new(),
            locked: false,
            door: Door::default(),
            has_gap: false,
            lines: Lines::new(terms.keeps),
            messages: 0,
            ended: None,
        }
    }

    /// The room that a log describes. Messages that are no longer kept are missing from the log,
    /// the oldest first. The new room may have some lines more than the old one: lines that were
    /// dropped for their bytes fit again, if other messages were taken back since.
    pub fn replay<'a>(terms: Terms, log: impl IntoIterator<Item = (Seq, &'a RoomEvent)>) -> Self {
        let mut room = Self::new(terms);
        for (seq, event) in log {
            let first = if let RoomEvent::Lost { from } = event { *from } else { seq };
            if first > room.seq.next() {
                room.skip_to(first);
            }
            invariant!(first == room.seq.next(), "a log is in order, and nothing stands in it twice");
            room.seq = seq;
            room.take_in(event);
        }
        room
    }

    /// The events before `next` are missing from the log: goes on without them.
    fn skip_to(&mut self, next: Seq) {
        let from = self.seq.next();
        self.seq = Seq(next.0 - 1);
        // The log forgets the oldest messages first. So if older messages are
        // still there, these are lost.
        if self.lines.all().any(|line| !matches!(line.kind, LineKind::Notice(_))) {
            return self.lose(from);
        }
        self.pass_over(from);
        // The missing messages are no longer kept. The lines between them go with them.
        self.lines.forget(self.seq);
    }

    /// The events from `from` up to this one are lost: a notice says so, and
    /// the lines before them stay.
    fn lose(&mut self, from: Seq) {
        self.pass_over(from);
        self.has_gap = true;
        let at = self.lines.all().next_back().map_or(self.terms.created_at, |line| line.at);
        self.notice(Notice::Lost, at);
    }

    fn pass_over(&mut self, from: Seq) {
        // Most of these events were messages; some only took one back.
        self.messages += self.seq.next().0 - from.0;
        self.seats.iter_mut().for_each(|seat| seat.spoke = true);
    }

    /// Decides a command: returns the event that follows, `None` if there is
    /// nothing to do, or why the command is refused.
    pub fn decide(&self, command: Command, now: Millis) -> Result<Option<RoomEvent>, Code> {
        if self.ended.is_some() {
            return Err(Code::GroupExpired);
        }
        // No event is earlier than the one before it, even if the clock was set back.
        let at = now.max(self.last_at);
        // The timer may be late. After the end nothing else is accepted.
        if at >= self.terms.expires_at {
            let wakes = command == Command::Wake;
            let ends = RoomEvent::Closed { why: Ending::Expired, at };
            return if wakes { Ok(Some(ends)) } else { Err(Code::GroupExpired) };
        }
        Ok(match command {
            Command::Claim { member, dice, is_creator } => self.claim(member, dice, is_creator, at)?,
            Command::Arrive(member) => match self.seat_of(member)? {
                seat if seat.arrived => None,
                seat => Some(RoomEvent::Arrived { seat: seat.number, at }),
            },
            Command::Look(member) => match self.seat_of(member)? {
                seat if seat.announced => None,
                seat => Some(RoomEvent::Viewed { seat: seat.number, at }),
            },
            Command::Leave(member) => Some(RoomEvent::Left { seat: self.seat_of(member)?.number, at }),
            Command::Post { member, id, body, reply_to } => {
                let seat = self.seat_of(member)?.number;
                if self.lines.by_id(seat, id).is_some() {
                    return Ok(None);
                }
                // A reply to a message that is no longer kept is still worth
                // hearing; it just quotes nothing.
                let reply_to = reply_to.filter(|&seq| self.message(seq).is_some());
                Some(RoomEvent::Posted { seat, id, body, reply_to, at })
            }
            Command::Retract { member, id } => Some(self.retract(member, id, at)?),
            Command::React { member, message, sign, on } => {
                let seat = self.seat_of(member)?.number;
                self.react(seat, message, sign, on, at)?
            }
            Command::Lock(locked) if locked == self.locked => None,
            Command::Lock(locked) => Some(RoomEvent::Locked { locked, at }),
            Command::AskFirst(on) if on == self.asks_first() => None,
            Command::AskFirst(on) => Some(RoomEvent::AskFirst { on, at }),
            Command::Knock { member, knock, dice } => self.knock(member, knock, dice, at)?,
            Command::AnswerKnock { knock, admits } => self.answer(knock, admits, at)?,
            Command::Kick { emoji, with_messages } => {
                let seat = self.seats.iter().find(|seat| seat.emoji == emoji).ok_or(Code::NoSuchMember)?;
                Some(RoomEvent::Kicked { seat: seat.number, with_messages, at })
            }
            Command::RetractAny(seq) => {
                let message = self.message(seq).filter(|message| !message.is_gone).ok_or(Code::MessageGone)?;
                Some(RoomEvent::Retracted { seat: message.seat, message: seq, at })
            }
            Command::Close => Some(RoomEvent::Closed { why: Ending::Deleted, at }),
            Command::Wake => {
                let lapsed = self.waiting().find(|seat| lapses_at(seat) <= at);
                lapsed.map(|seat| RoomEvent::Lapsed { seat: seat.number, at })
            }
            Command::Away { seat, since } => {
                // In a locked room nobody could take the seat, and its member
                // could not come back.
                let may_lapse = |seat: &&Seat| seat.arrived && !seat.spoke && !self.locked;
                // Both are of one clock, which may be behind that of the last event.
                let is_long = now.0.saturating_sub(since.0) >= millis(SEAT_LAPSES);
                let seat = self.seats.iter().find(|taken| taken.number == seat).filter(may_lapse);
                seat.filter(|_| is_long).map(|seat| RoomEvent::Lapsed { seat: seat.number, at })
            }
        })
    }

    fn retract(&self, member: MemberId, id: ChatId, now: Millis) -> Result<RoomEvent, Code> {
        let seat = self.seat_of(member)?.number;
        let line = self.lines.by_id(seat, id).ok_or(Code::MessageGone)?;
        if line.message().is_none_or(|message| message.is_gone) {
            Err(Code::MessageGone)
        } else if now.0.saturating_sub(line.at.0) > millis(UNSEND_WITHIN) {
            Err(Code::TooLateToUnsend)
        } else {
            Ok(RoomEvent::Retracted { seat, message: line.seq, at: now })
        }
    }

    /// Changes the room by an event. The event was decided here or comes from
    /// the log, so it can't be refused any more. Returns how to undo it.
    pub fn apply(&mut self, event: &RoomEvent) -> Undo {
        let undo = self.undo_of(event);
        self.seq = self.seq.next();
        self.take_in(event);
        undo
    }

    /// States what is true after each event.
    fn check(&self) {
        // Who left the seat may be among what was lost.
        let seats = if self.has_gap { &[] } else { self.seats.as_slice() };
        invariant!(seats.len() <= ROOM_MEMBERS, "no more seats are taken than there are");
        let is_double = |seat: &Seat, other: &Seat| other.emoji == seat.emoji || other.member == seat.member;
        let has_double = (1..seats.len()).any(|at| seats[..at].iter().any(|other| is_double(&seats[at], other)));
        invariant!(!has_double, "no two seats have one emoji or one member");
    }

    fn take_in(&mut self, event: &RoomEvent) {
        self.last_at = event.at().unwrap_or_default().max(self.last_at);
        match event {
            &RoomEvent::Claimed { seat: number, member, emoji, at: claimed_at } => {
                let first_to_wear = self.worn.insert(emoji);
                let (arrived, announced, spoke) = (false, false, false);
                self.seats.push(Seat { number, member, emoji, claimed_at, arrived, announced, spoke, first_to_wear });
                self.next_seat = number.0 + 1;
                self.door.came_in(member);
            }
            RoomEvent::Arrived { seat, at } => {
                if let Some(seat) = self.seats.iter_mut().find(|taken| taken.number == *seat) {
                    seat.arrived = true;
                }
                self.announce(*seat, *at);
            }
            RoomEvent::Viewed { seat, at } => self.announce(*seat, *at),
            RoomEvent::Lapsed { seat, at } => {
                if let Some(seat) = self.vacate(*seat).filter(|seat| seat.announced) {
                    // Who was only away comes back without knocking.
                    if self.asks_first() {
                        self.door.admit(seat.member, seat.emoji);
                    }
                    self.notice(Notice::Left(seat.emoji), *at);
                }
            }
            RoomEvent::Left { seat, at } => {
                let left = self.vacate(*seat);
                if let Some(seat) = &left {
                    self.door.went(seat.member);
                }
                if let Some(seat) = left.filter(|seat| seat.announced) {
                    self.notice(Notice::Left(seat.emoji), *at);
                }
            }
            RoomEvent::Kicked { seat, with_messages, at } => {
                if *with_messages {
                    self.lines.retract(|message, _| message.seat == *seat);
                    self.lines.take_back_reactions_of(*seat, self.seq);
                }
                if let Some(out) = self.vacate(*seat) {
                    self.kept_out.insert(out.member);
                    self.door.went(out.member);
                    let (seat, emoji, with_messages) = (out.number, out.emoji, *with_messages);
                    self.notice(Notice::Kicked { seat, emoji, with_messages }, *at);
                }
            }
            RoomEvent::Locked { locked, at } => {
                self.locked = *locked;
                self.notice(Notice::Locked(*locked), *at);
            }
            RoomEvent::Posted { seat, id, body, reply_to, at } => {
                self.messages += u64::from(!matches!(body, Body::Sealed { kind: SealedKind::Key, .. }));
                let sender = self.seats.iter_mut().find(|taken| taken.number == *seat);
                invariant!(sender.is_some() || self.has_gap, "who sends a message has a seat");
                let emoji = sender.map(|sender| {
                    sender.spoke = true;
                    sender.emoji
                });
                // If it is lost who took the seat, the message is still whole,
                // and nobody else gets the seat's number.
                self.next_seat = self.next_seat.max(seat.0 + 1);
                let content = Content { body: body.clone(), reply_to: *reply_to };
                let kind = LineKind::Message(Message::new(*seat, emoji, *id, content));
                self.lines.push(Line { seq: self.seq, at: *at, kind });
            }
            RoomEvent::Retracted { message, at, .. } => {
                self.lines.retract(|_, seq| seq == *message);
                self.lines.push(Line { seq: self.seq, at: *at, kind: LineKind::Retracted(*message) });
            }
            RoomEvent::Closed { why, .. } => self.ended = Some(*why),
            RoomEvent::Lost { from } => self.lose(*from),
            RoomEvent::Reacted { seat, message, sign, .. } => self.reacted(*seat, *message, *sign),
            RoomEvent::Unreacted { message, reaction, .. } => {
                self.lines.take_back_reaction(*message, *reaction, self.seq);
            }
            RoomEvent::AskFirst { on, at } => self.door.ask_first(*on, *at),
            &RoomEvent::Knocked { knock, member, emoji, at } => self.door.add(knock, member, emoji, at),
            RoomEvent::Admitted { knock, .. } => self.door.answer(*knock, true),
            RoomEvent::Declined { knock, .. } => self.door.answer(*knock, false),
        }
        self.check();
    }

    /// Adds the notice that a member joined, unless it was added before.
    fn announce(&mut self, number: SeatNumber, at: Millis) {
        let found = self.seats.iter_mut().find(|seat| seat.number == number && !seat.announced);
        if let Some(seat) = found {
            seat.announced = true;
            let emoji = seat.emoji;
            self.notice(Notice::Joined(emoji), at);
        }
    }

    fn vacate(&mut self, number: SeatNumber) -> Option<Seat> {
        let at = self.seats.iter().position(|seat| seat.number == number)?;
        let seat = self.seats.remove(at);
        // Nobody has ever met somebody with this emoji, so it is free again.
        // Otherwise anybody could use up all emoji by taking and leaving seats,
        // and then get the emoji of somebody who spoke.
        if seat.first_to_wear && !seat.announced {
            self.worn.remove(&seat.emoji);
        }
        Some(seat)
    }

    fn notice(&mut self, notice: Notice, at: Millis) {
        self.lines.push(Line { seq: self.seq, at, kind: LineKind::Notice(notice) });
    }

    /// Drops the text of messages up to `up_to` from memory; the log has it.
    /// The newest `stay` lines keep theirs. No decision needs it.
    pub fn evict(&mut self, up_to: Seq, stay: usize) {
        self.lines.evict(up_to, stay);
    }
}

fn lapses_at(seat: &Seat) -> Millis {
    Millis(seat.claimed_at.0 + millis(SEAT_WAITS))
}

/// A duration in milliseconds. If it doesn't fit, it is longer than any room lives.
pub(crate) fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
