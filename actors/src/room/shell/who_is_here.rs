//! Who is connected, here and at other nodes, and what a room makes of what those say.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use actix::Context;
use annon_store::room::{Emoji, MemberId, SeatNumber, Seq};
use annon_store::wire::Heard;

use crate::room::frame;
use crate::room::shell::Shell;
use crate::room::shell::presence::others::{Others, OthersNext, Whisper, sum_of};
use crate::session::CloseReason;

impl Shell {
    /// The members who are connected, here or at another node.
    pub(super) fn members_here(&self) -> HashSet<MemberId> {
        let mut here = self.sockets.members();
        here.extend(self.others.iter().flat_map(Others::members));
        here
    }

    /// The emojis of the members who are connected.
    pub(super) fn here(&self) -> Vec<Emoji> {
        let here = self.members_here();
        let seats = self.room.seats().iter();
        seats.filter(|seat| here.contains(&seat.member)).map(|seat| seat.emoji).collect()
    }

    /// Closes the sockets of a member who has lost the seat.
    pub(super) fn send_away(&mut self, seat: SeatNumber, leaver: Option<MemberId>, why: CloseReason) {
        self.presence.forget_seat(seat);
        self.sockets.close(|_, member| Some(member) == leaver, why);
        self.broadcast_active();
    }

    /// Sends the list of connected members to everybody, if it has changed:
    /// now, or when it may be sent again.
    pub(super) fn broadcast_active(&mut self) {
        let here = self.here();
        self.status.lock().active = here.len();
        if let Some(others) = &mut self.others {
            others.are_here(&self.sockets.members());
        }
        match self.presence.show_to_all(&here, self.services.clock.moment()) {
            Ok(true) => self.sockets.broadcast(&[frame::active_users(&here)]),
            Ok(false) => {}
            Err(wait) => self.timers.show_list_after(wait),
        }
    }

    pub(super) fn others_next(&mut self, next: OthersNext, context: &mut Context<Self>) {
        match next {
            OthersNext::Say => {
                let (members, known) = (self.sockets.members(), self.known_to_log());
                if let Some(others) = &mut self.others {
                    others.say(members, known);
                }
            }
            OthersNext::Heard(Heard::Said { from, bytes }) => match Whisper::read(&bytes) {
                Some(Whisper::Here { members, asks, known }) => {
                    let now = self.services.clock.moment();
                    members.iter().for_each(|member| self.presence.saw(*member, now));
                    if let Some(others) = &mut self.others {
                        others.hear(from, members, asks);
                    }
                    self.broadcast_active();
                    if let (Some(theirs), Some(ours)) = (known, self.known_to_log()) {
                        self.compare(theirs, ours, context);
                    }
                }
                Some(Whisper::Typing(member)) => {
                    if let Ok(seat) = self.room.seat_of(member) {
                        self.sockets.broadcast_except(member, &frame::typing(seat.emoji));
                    }
                }
                None => {}
            },
            OthersNext::Heard(Heard::Stale) => {
                self.presence.count_all_as_seen(self.services.clock.moment());
                self.others.iter_mut().for_each(Others::ask);
            }
            OthersNext::Heard(Heard::Silent(node)) => {
                let now = self.services.clock.moment();
                self.members_here().into_iter().for_each(|member| self.presence.saw(member, now));
                self.others.iter_mut().for_each(|others| others.forget(node));
                self.broadcast_active();
            }
        }
    }

    /// How far the log is known, and what that led to; `None` while something waits for it.
    fn known_to_log(&self) -> Option<(Seq, u64)> {
        self.queue.is_empty().then(|| (self.queue.committed(), sum_of(&self.room)))
    }

    /// Another node knows more of the log, or says that it led to something else.
    fn compare(&mut self, theirs: (Seq, u64), ours: (Seq, u64), context: &mut Context<Self>) {
        if theirs.0 > ours.0 {
            self.catch_up(Vec::new(), None, context);
        } else if theirs.0 == ours.0 && theirs.1 != ours.1 {
            self.services.differences.fetch_add(1, Ordering::Relaxed);
            tracing::error!("two nodes know the same of a group's log, and not the same seats; it is read again");
            self.give_up();
        }
    }

    /// Forgets what other nodes said long ago.
    pub(super) fn look_at_others(&mut self) {
        let before = self.members_here();
        self.others.iter_mut().for_each(Others::forget_old);
        if self.members_here() != before {
            self.broadcast_active();
        }
    }
}
