//! When who is told of what: after a random time, and each kind at most once in `PUSH_EVERY`. What comes meanwhile is
//! told when that is over. It has neither a clock nor randomness.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use annon_store::account::Timestamp;
use annon_store::push::{Kind, Subscriber};
use annon_store::room::RoomId;

/// The most that may wait or rest: some megabytes.
const MOST: usize = 100_000;

/// Something to tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Telling {
    pub(super) to: Subscriber,
    pub(super) kind: Kind,
    /// The group in which it is.
    pub(super) room: Option<RoomId>,
    /// The time of a batch, if it is something only when that batch has brought something.
    pub(super) batch: Option<Timestamp>,
}

impl Telling {
    fn rest(self) -> Rest {
        (self.to, self.kind)
    }
}

type Rest = (Subscriber, Kind);

pub(super) struct Waiting {
    every: Duration,
    /// When each is to be told.
    waits: HashMap<Telling, Instant>,
    due: BTreeSet<(Instant, Telling)>,
    /// Until when nobody is told of this again.
    rests: HashMap<Rest, Instant>,
    over: BTreeSet<(Instant, Rest)>,
}

impl Waiting {
    pub(super) fn new(every: Duration) -> Self {
        let (waits, due, rests, over) = Default::default();
        Self { every, waits, due, rests, over }
    }

    /// There is something to tell, at `at` or when the rest is over; with what waits already, if that is the same.
    /// Returns false if there is no place for it.
    pub(super) fn add(&mut self, telling: Telling, at: Instant) -> bool {
        if self.waits.contains_key(&telling) {
            return true;
        }
        if self.waits.len() + self.rests.len() >= MOST {
            return false;
        }
        self.put(telling, at);
        true
    }

    fn put(&mut self, telling: Telling, at: Instant) {
        self.waits.insert(telling, at);
        self.due.insert((at, telling));
    }

    /// When something is due next.
    pub(super) fn next(&self) -> Option<Instant> {
        let firsts = [self.due.first().map(|(at, _)| *at), self.over.first().map(|(at, _)| *at)];
        firsts.into_iter().flatten().min()
    }

    /// Takes what is due. Each rests from then on.
    pub(super) fn take(&mut self, now: Instant) -> Vec<Telling> {
        while let Some((at, rest)) = self.over.first().copied().filter(|(at, _)| *at <= now) {
            self.over.remove(&(at, rest));
            self.rests.remove(&rest);
        }
        let mut taken = Vec::new();
        while let Some((at, telling)) = self.due.first().copied().filter(|(at, _)| *at <= now) {
            self.due.remove(&(at, telling));
            self.waits.remove(&telling);
            match self.rests.get(&telling.rest()).copied() {
                Some(until) => self.put(telling, until),
                None => {
                    self.rest(telling.to, telling.kind, now);
                    taken.push(telling);
                }
            }
        }
        taken
    }

    /// Somebody was told of this, here or by another node.
    pub(super) fn rest(&mut self, to: Subscriber, kind: Kind, now: Instant) {
        if self.waits.len() + self.rests.len() < MOST && !self.rests.contains_key(&(to, kind)) {
            let until = now + self.every;
            self.rests.insert((to, kind), until);
            self.over.insert((until, (to, kind)));
        }
    }

    /// Nothing was sent, so nothing rests.
    pub(super) fn was_nothing(&mut self, telling: Telling) {
        if let Some(until) = self.rests.remove(&telling.rest()) {
            self.over.remove(&(until, telling.rest()));
        }
    }
}

#[cfg(test)]
mod tests {
    use annon_actors::clock::{Clock, SystemClock};
    use annon_store::account::AccountId;
    use uuid::Uuid;

    use super::*;

    const EVERY: Duration = Duration::from_secs(600);

    fn note(n: u128, batch: Option<Timestamp>) -> Telling {
        Telling { to: Subscriber::Account(AccountId(Uuid::from_u128(n))), kind: Kind::Note, room: None, batch }
    }

    /// Takes at a second, and returns who is told, by number.
    struct Lab(Waiting, Instant);

    impl Lab {
        fn new() -> Self {
            Self(Waiting::new(EVERY), SystemClock.moment())
        }

        fn add(&mut self, n: u128, batch: Option<Timestamp>, at: u64) {
            assert!(self.0.add(note(n, batch), self.1 + Duration::from_secs(at)));
        }

        fn take(&mut self, at: u64) -> Vec<(u128, Option<Timestamp>)> {
            let number = |telling: Telling| match telling.to {
                Subscriber::Account(AccountId(id)) => (id.as_u128(), telling.batch),
                Subscriber::Sender(_) | Subscriber::Seat { .. } => (0, None),
            };
            self.0.take(self.1 + Duration::from_secs(at)).into_iter().map(number).collect()
        }
    }

    #[test]
    fn each_kind_is_told_once_in_ten_minutes_and_the_last_news_is_not_lost() {
        let mut lab = Lab::new();
        lab.add(1, None, 20);
        lab.add(1, None, 10);
        lab.add(2, None, 30);
        assert_eq!(lab.0.next(), Some(lab.1 + Duration::from_secs(20)));
        assert_eq!((lab.take(19), lab.take(30)), (vec![], vec![(1, None), (2, None)]));
        lab.0.was_nothing(note(2, None));
        // It rests, and hears of what came in the meantime when that is over.
        lab.add(1, None, 50);
        lab.add(2, None, 60);
        assert_eq!((lab.take(60), lab.take(629), lab.take(630)), (vec![(2, None)], vec![], vec![(1, None)]));
        assert_eq!(lab.take(5_000), []);
        assert!(lab.0.waits.is_empty() && lab.0.due.is_empty() && lab.0.rests.is_empty() && lab.0.over.is_empty());
    }

    #[test]
    fn a_batch_that_brings_nothing_changes_nothing_for_others() {
        let mut lab = Lab::new();
        lab.add(1, Some(900), 5);
        lab.add(1, Some(1_800), 905);
        lab.add(1, None, 10);
        assert_eq!(lab.take(5), [(1, Some(900))]);
        lab.0.was_nothing(note(1, Some(900)));
        assert_eq!((lab.take(10), lab.take(905)), (vec![(1, None)], vec![(1, Some(1_800))]));
    }

    #[test]
    fn there_is_place_for_so_many() {
        let now = SystemClock.moment();
        let mut waiting = Waiting::new(EVERY);
        let places = (0..MOST as u128 + 5).filter(|n| waiting.add(note(*n, None), now)).count();
        assert_eq!((places, waiting.waits.len(), waiting.due.len()), (MOST, MOST, MOST));
        assert!(waiting.add(note(7, None), now), "it waits already");
        assert_eq!(waiting.take(now).len(), MOST);
        assert!(!waiting.add(note(7, None), now), "all rest");
    }
}
