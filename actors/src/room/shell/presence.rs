//! Who is here, who was, and how often the others hear of it.
//!
//! The log doesn't have it, so after a restart everybody counts as just seen:
//! nobody loses a seat for time that wasn't measured.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use annon_store::room::{Emoji, MemberId, SeatNumber};

use crate::bucket::{Bucket, Rate};
use crate::room::machine::Seat;

/// How often the list of active members is shown. Ten people may well come at
/// once, and lose their network at once. Past that only the latest list is
/// shown, and not every step on the way.
const SHOWN: Rate = Rate { burst: 20, refill: 2, per: Duration::from_secs(1) };
/// How often one seat's typing is passed on.
const TYPING: Rate = Rate { burst: 1, refill: 1, per: Duration::from_secs(2) };

/// One room's.
pub(super) struct Presence {
    /// Nobody was here between this and the start of the actor.
    nobody_since: Instant,
    /// When each member was last seen, also if they are no longer connected.
    seen: HashMap<MemberId, Instant>,
    /// The list that everybody was sent last; `None` when somebody has seen
    /// another one since.
    shown: Option<Vec<Emoji>>,
    lists: Bucket,
    /// Whether the list is shown in a moment.
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

    /// A member is here, or was until now.
    pub(super) fn saw(&mut self, member: MemberId, now: Instant) {
        self.seen.insert(member, now);
    }

    /// How long nobody has seen a member.
    pub(super) fn away_for(&self, member: MemberId, now: Instant) -> Duration {
        now.duration_since(self.seen.get(&member).copied().unwrap_or(self.nobody_since))
    }

    /// Forgets visitors who have no seat.
    pub(super) fn keep_seated(&mut self, seats: &[Seat]) {
        self.seen.retain(|member, _| seats.iter().any(|seat| seat.member == *member));
    }

    /// Whether everybody is to be shown who is here. An error is the time until
    /// they may be: then it is asked again, after `may_show`.
    pub(super) fn announce(&mut self, here: &[Emoji], now: Instant) -> Result<bool, Duration> {
        if self.is_due || self.shown.as_deref() == Some(here) {
            return Ok(false);
        }
        self.lists.take(SHOWN, now).inspect_err(|_| self.is_due = true)?;
        self.shown = Some(here.to_vec());
        Ok(true)
    }

    /// The time that `announce` returned has passed.
    pub(super) fn may_show(&mut self) {
        self.is_due = false;
    }

    /// One member alone is shown who is here. It may differ from what everybody
    /// was shown last; if that becomes true again, this member needs it, too.
    pub(super) fn shows_one(&mut self, here: &[Emoji]) {
        self.shown.take_if(|shown| shown != here);
    }

    /// Whether a seat may send one more right now.
    pub(super) fn may_send(&mut self, seat: SeatNumber, rate: Option<Rate>, now: Instant) -> bool {
        rate.is_none_or(|rate| self.sends.entry(seat).or_insert_with(|| Bucket::new(now)).take(rate, now).is_ok())
    }

    /// Whether the others are told that somebody is typing.
    pub(super) fn may_type(&mut self, seat: SeatNumber, now: Instant) -> bool {
        self.typed.entry(seat).or_insert_with(|| Bucket::new(now)).take(TYPING, now).is_ok()
    }

    /// A seat is nobody's any more.
    pub(super) fn left(&mut self, seat: SeatNumber) {
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
            assert_eq!([(); 2].map(|()| presence.announce(&lists[turn % 2], now)), [Ok(true), Ok(false)]);
        }
        let wait = presence.announce(&lists[0], now).unwrap_err();
        assert_eq!(presence.announce(&lists[0], now), Ok(false), "it is shown in a moment");
        presence.may_show();
        assert_eq!(presence.announce(&lists[0], now + wait), Ok(true));
        // Somebody saw the other list, and has to be told when it is this one again.
        presence.shows_one(&lists[0]);
        assert_eq!(presence.announce(&lists[0], now + 2 * wait), Ok(false));
        presence.shows_one(&lists[1]);
        assert_eq!(presence.announce(&lists[0], now + 2 * wait), Ok(true));
    }

    #[test]
    fn a_seat_has_a_pace_and_the_next_one_begins_anew() {
        let now = SystemClock.moment();
        let mut presence = Presence::new(now, now);
        let rate = Some(Rate { burst: 1, refill: 1, per: Duration::from_secs(1) });
        for _ in 0..2 {
            assert_eq!([(); 2].map(|()| presence.may_send(SEAT, rate, now)), [true, false]);
            assert_eq!([(); 2].map(|()| presence.may_type(SEAT, now)), [true, false]);
            assert!(presence.may_type(SEAT, now + TYPING.per) && presence.may_send(SEAT, None, now));
            presence.left(SEAT);
        }
    }
}
