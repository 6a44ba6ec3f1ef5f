//! Who is connected, when members were last seen, what the others are told.
//!
//! The log has nothing of that, so after a restart everybody counts as just
//! seen: nobody loses a seat for time that wasn't measured.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use annon_store::room::{Emoji, MemberId, SeatNumber};

use crate::bucket::{Bucket, Rate};
use crate::room::machine::Seat;

pub(crate) mod others;

/// How often the list of active members is sent. Ten people may well come at once, and lose their
/// network at once. Above this rate only the latest list is sent, not every step on the way.
const SHOWN: Rate = Rate { burst: 20, refill: 2, per: Duration::from_secs(1) };
/// How often one seat's typing is passed on.
const TYPING: Rate = Rate { burst: 1, refill: 1, per: Duration::from_secs(2) };

/// The presence of one room's members.
pub(super) struct Presence {
    /// Nobody was here between this and the start of the actor.
    nobody_since: Instant,
    /// When each member was last seen, also if they are no longer connected.
    seen: HashMap<MemberId, Instant>,
    /// The list that everybody was sent last; `None` if somebody was sent
    /// another list since.
    shown: Option<Vec<Emoji>>,
    lists: Bucket,
    /// Whether the list waits to be sent.
    is_due: bool,
    sends: HashMap<SeatNumber, Bucket>,
    typed: HashMap<SeatNumber, Bucket>,
}

impl Presence {
    pub(super) fn new(nobody_since: Instant, now: Instant) -> Self {
        Self {
            nobody_since,
            seen: HashMap::new(),
            shown: None,
            lists: Bucket::new(now),
            is_due: false,
            sends: HashMap::new(),
            typed: HashMap::new(),
        }
    }

    /// Notes that a member is here, or was until now.
    pub(super) fn saw(&mut self, member: MemberId, now: Instant) {
        self.seen.insert(member, now);
    }

    /// How long nobody has seen a member.
    pub(super) fn away_for(&self, member: MemberId, now: Instant) -> Duration {
        now.duration_since(self.seen.get(&member).copied().unwrap_or(self.nobody_since))
    }

    /// Somebody may have been here unseen: everybody counts as just seen.
    pub(super) fn count_all_as_seen(&mut self, now: Instant) {
        self.seen.clear();
        self.nobody_since = now;
    }

    pub(super) fn keep_seated(&mut self, seats: &[Seat]) {
        self.seen.retain(|member, _| seats.iter().any(|seat| seat.member == *member));
    }

    /// Returns whether the list has to be sent to everybody now. The error is a
    /// time to wait: then call `wait_is_over` and this again.
    pub(super) fn show_to_all(&mut self, here: &[Emoji], now: Instant) -> Result<bool, Duration> {
        if self.is_due || self.shown.as_deref() == Some(here) {
            return Ok(false);
        }
        self.lists.take(SHOWN, now).inspect_err(|_| self.is_due = true)?;
        self.shown = Some(here.to_vec());
        Ok(true)
    }

    /// The time that `show_to_all` returned has passed.
    pub(super) fn wait_is_over(&mut self) {
        self.is_due = false;
    }

    /// One member was sent this list. If everybody was sent another list last,
    /// that one has to be sent again when it is true again.
    pub(super) fn shown_to_one(&mut self, here: &[Emoji]) {
        self.shown.take_if(|shown| shown != here);
    }

    /// Counts a message of a seat. Returns whether the rate admits it.
    pub(super) fn admit_message(&mut self, seat: SeatNumber, rate: Option<Rate>, now: Instant) -> bool {
        rate.is_none_or(|rate| self.sends.entry(seat).or_insert_with(|| Bucket::new(now)).take(rate, now).is_ok())
    }

    /// Counts that a member types. Returns whether the others are told.
    pub(super) fn admit_typing(&mut self, seat: SeatNumber, now: Instant) -> bool {
        self.typed.entry(seat).or_insert_with(|| Bucket::new(now)).take(TYPING, now).is_ok()
    }

    /// Forgets what was counted for a seat that is free again.
    pub(super) fn forget_seat(&mut self, seat: SeatNumber) {
        self.sends.remove(&seat);
        self.typed.remove(&seat);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};

    const SEAT: SeatNumber = SeatNumber(1);

    #[test]
    fn who_was_not_seen_is_away_since_anybody_may_have_been_here() {
        let now = SystemClock.moment();
        let after = |seconds| now + Duration::from_secs(seconds);
        let [seen, unseen] = [1, 2].map(|n| MemberId([n; 16]));
        let mut presence = Presence::new(now, after(10));
        presence.saw(seen, after(60));
        let away = [seen, unseen].map(|member| presence.away_for(member, after(100)).as_secs());
        assert_eq!(away, [40, 100]);
        presence.keep_seated(&[]);
        assert_eq!(presence.away_for(seen, after(100)).as_secs(), 100);
    }

    #[test]
    fn a_list_is_shown_when_it_is_another_and_not_all_the_time() {
        let now = SystemClock.moment();
        let mut presence = Presence::new(now, now);
        let lists = [[Emoji(1)], [Emoji(2)]];
        for turn in 0..20 {
            assert_eq!([(); 2].map(|()| presence.show_to_all(&lists[turn % 2], now)), [Ok(true), Ok(false)]);
        }
        let wait = presence.show_to_all(&lists[0], now).unwrap_err();
        assert_eq!(presence.show_to_all(&lists[0], now), Ok(false), "it is shown in a moment");
        presence.wait_is_over();
        assert_eq!(presence.show_to_all(&lists[0], now + wait), Ok(true));
        // A member saw the other list, and needs this one when it is true.
        presence.shown_to_one(&lists[0]);
        assert_eq!(presence.show_to_all(&lists[0], now + 2 * wait), Ok(false));
        presence.shown_to_one(&lists[1]);
        assert_eq!(presence.show_to_all(&lists[0], now + 2 * wait), Ok(true));
    }

    #[test]
    fn a_seat_has_a_pace_and_the_next_one_begins_anew() {
        let now = SystemClock.moment();
        let mut presence = Presence::new(now, now);
        let rate = Some(Rate { burst: 1, refill: 1, per: Duration::from_secs(1) });
        for _ in 0..2 {
            assert_eq!([(); 2].map(|()| presence.admit_message(SEAT, rate, now)), [true, false]);
            assert_eq!([(); 2].map(|()| presence.admit_typing(SEAT, now)), [true, false]);
            assert!(presence.admit_typing(SEAT, now + TYPING.per) && presence.admit_message(SEAT, None, now));
            presence.forget_seat(SEAT);
        }
    }
}
