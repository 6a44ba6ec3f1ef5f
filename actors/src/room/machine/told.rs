//! What a room tells of itself.

use std::collections::HashSet;

use annon_store::room::{Body, ChatId, Ending, Face, MemberId, Millis, SeatNumber, Seq};

use super::{Room, Seat, lapses_at};
use crate::room::command::Rejection;
use crate::room::line::{Line, LineKind};

impl Room {
    /// When something is due without anybody asking: its end, or a seat
    /// whose member has not come. `None` when it has ended.
    pub fn deadline(&self) -> Option<Millis> {
        if self.ended.is_some() {
            return None;
        }
        self.waiting().map(lapses_at).chain([self.terms.expires_at]).min()
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| !seat.arrived)
    }

    /// The member's seat.
    pub fn seat_of(&self, member: MemberId) -> Result<&Seat, Rejection> {
        self.seats.iter().find(|seat| seat.member == member).ok_or(if self.kept_out.contains(&member) {
            Rejection::KickedOut
        } else {
            Rejection::NoSeat
        })
    }

    /// The seats that are taken.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Whether nobody new comes in.
    pub fn is_locked(&self) -> bool {
        self.locked
    }

    /// Why it ended, if it has.
    pub fn ended(&self) -> Option<Ending> {
        self.ended
    }

    /// The last event's place in the log.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The last line that had to go to make room.
    pub fn dropped(&self) -> Seq {
        self.dropped
    }

    /// The line at a place, while it is kept.
    pub fn line(&self, seq: Seq) -> Option<&Line> {
        // It is nearly always about what has just been said.
        if let Some(last) = self.lines.back().filter(|last| last.seq == seq) {
            return Some(last);
        }
        self.lines.get(self.lines.binary_search_by_key(&seq, |line| line.seq).ok()?)
    }

    /// Whether this very message of a member's is here already.
    pub fn has_sent(&self, member: MemberId, id: ChatId) -> bool {
        self.seat_of(member).is_ok_and(|seat| self.sent.contains_key(&(seat.number, id)))
    }

    /// The message at a place, while it is kept.
    pub fn message(&self, seq: Seq) -> Option<&Line> {
        self.line(seq).filter(|line| matches!(line.kind, LineKind::Message { .. }))
    }

    /// What its lines take of memory, roughly.
    pub(crate) fn bytes(&self) -> usize {
        let words = |line: &Line| match &line.kind {
            LineKind::Message { body: Body::Text(words), .. } => words.as_str().len(),
            LineKind::Message { body: Body::Picture { caption, .. }, .. } => caption.as_str().len(),
            _ => 0,
        };
        let of_each = size_of::<Line>() + size_of::<(SeatNumber, ChatId, Seq)>();
        self.lines.iter().map(|line| of_each + words(line)).sum()
    }

    /// Faces under which something was said that is still kept.
    pub(super) fn faces_of_messages(&self) -> HashSet<Face> {
        let senders = self.lines.iter().filter_map(|line| match line.kind {
            LineKind::Message { face, .. } => Some(face),
            _ => None,
        });
        senders.collect()
    }

    /// Where the messages of a seat stand.
    pub fn messages_of(&self, seat: SeatNumber) -> impl Iterator<Item = Seq> {
        self.lines.iter().filter_map(move |line| match &line.kind {
            LineKind::Message { seat: whose, .. } if *whose == seat => Some(line.seq),
            _ => None,
        })
    }

    /// Lines after a place, oldest first. `None` when some of them may be
    /// gone, so that whoever asks has to start anew.
    pub fn lines_after(&self, seq: Seq) -> Option<impl Iterator<Item = &Line>> {
        if seq > self.seq || seq < self.dropped {
            return None;
        }
        let from = self.lines.partition_point(|line| line.seq <= seq);
        Some(self.lines.range(from..))
    }

    /// The lines before a place (or all), oldest first.
    pub fn lines_before(&self, seq: Option<Seq>) -> impl DoubleEndedIterator<Item = &Line> {
        let to = seq.map_or(self.lines.len(), |seq| self.lines.partition_point(|line| line.seq < seq));
        self.lines.range(..to)
    }
}
