//! Questions to a room. They change nothing.

use std::collections::{BTreeSet, HashSet};

use annon_contract::code::Code;
use annon_store::image::ImageId;
use annon_store::room::{ChatId, MemberId, Millis, RoomEvent, SeatNumber, Seq};
use annon_store::room_log::Erasure;

use super::{Room, Seat, lapses_at};
use crate::room::line::{Line, Message};
use crate::room::lines::Lines;

impl Room {
    /// When something is due that nobody asks for: the room's end, or the end
    /// of a seat whose member has not come. `None` if the room has ended.
    pub fn deadline(&self) -> Option<Millis> {
        let due = self.waiting().map(lapses_at).chain([self.terms.expires_at]).min();
        due.filter(|_| self.ended.is_none())
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| !seat.arrived)
    }

    pub fn seat_of(&self, member: MemberId) -> Result<&Seat, Code> {
        self.seats.iter().find(|seat| seat.member == member).ok_or(if self.kept_out.contains(&member) {
            Code::RemovedFromGroup
        } else {
            Code::NotAMember
        })
    }

    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    pub fn is_locked(&self) -> bool {
        self.locked
    }

    /// The `seq` of the last event.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Messages ever posted here: a number that only grows.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// The last line that was dropped because of the limits.
    pub fn dropped(&self) -> Seq {
        self.lines.dropped()
    }

    /// The memory that its lines and knocks take, roughly.
    pub(crate) fn memory(&self) -> usize {
        self.lines.memory() + self.door.memory()
    }

    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The line with this `seq`, while it is kept.
    pub fn line(&self, seq: Seq) -> Option<&Line> {
        self.lines.at(seq)
    }

    /// The message with this `seq`, while it is kept.
    pub fn message(&self, seq: Seq) -> Option<&Message> {
        self.line(seq)?.message()
    }

    /// The `seq` of the message that the member sent with this id, if kept.
    pub fn sent_at(&self, member: MemberId, id: ChatId) -> Option<Seq> {
        Some(self.lines.by_id(self.seat_of(member).ok()?.number, id)?.seq)
    }

    pub fn pictures(&self) -> HashSet<ImageId> {
        self.lines.pictures()
    }

    /// What an event takes back that was decided here and is not applied yet.
    pub fn erased_by(&self, event: &RoomEvent) -> Erasure {
        let mut messages: Vec<_> = match event {
            RoomEvent::Retracted { message, .. } => vec![*message],
            RoomEvent::Kicked { seat, with_messages: true, .. } => self.messages_of(*seat).collect(),
            RoomEvent::Unreacted { reaction, .. } => {
                return Erasure { messages: vec![*reaction], pictures: Vec::new() };
            }
            RoomEvent::Kicked { with_messages: false, .. }
            | RoomEvent::Claimed { .. }
            | RoomEvent::Arrived { .. }
            | RoomEvent::Lapsed { .. }
            | RoomEvent::Left { .. }
            | RoomEvent::Locked { .. }
            | RoomEvent::Posted { .. }
            | RoomEvent::Closed { .. }
            | RoomEvent::Viewed { .. }
            | RoomEvent::Lost { .. }
            | RoomEvent::Reacted { .. }
            | RoomEvent::AskFirst { .. }
            | RoomEvent::Knocked { .. }
            | RoomEvent::Admitted { .. }
            | RoomEvent::Declined { .. } => Vec::new(),
        };
        messages.retain(|seq| self.message(*seq).is_some_and(|message| !message.is_gone));
        let pictures = if messages.is_empty() { Vec::new() } else { self.lines.pictures_only_of(&messages) };
        let reactions = self.lines.reactions();
        let to_them = messages.iter().flat_map(|message| reactions.to(*message)).map(|reaction| reaction.seq);
        let mut gone: BTreeSet<_> = to_them.chain(messages.iter().copied()).collect();
        if let RoomEvent::Kicked { seat, with_messages: true, .. } = event {
            gone.extend(reactions.places_of(*seat));
        }
        Erasure { messages: gone.into_iter().collect(), pictures }
    }

    /// The `seq` of each message of a seat.
    pub fn messages_of(&self, seat: SeatNumber) -> impl Iterator<Item = Seq> {
        let is_theirs = move |line: &&Line| line.message().is_some_and(|message| message.seat == seat);
        self.lines.all().filter(is_theirs).map(|line| line.seq)
    }

    /// The lines after `seq`, oldest first. `None` if some of them may be gone;
    /// then the caller has to load the room again.
    pub fn lines_after(&self, seq: Seq) -> Option<impl Iterator<Item = &Line>> {
        (seq <= self.seq && seq >= self.dropped()).then(|| self.lines.after(seq))
    }

    /// The lines before `seq`, or all lines, oldest first.
    pub fn lines_before(&self, seq: Option<Seq>) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.before(seq.unwrap_or(Seq(u64::MAX)))
    }
}
