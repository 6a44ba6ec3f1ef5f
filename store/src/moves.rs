//! Which inboxes get a new key in this sweep, and which wait. A *move* seals all
//! notes of an inbox again, after one of them was deleted. Strangers can send
//! notes that the owner deletes, so the cost of moves is limited.

use std::collections::HashMap;

use uuid::Uuid;

use crate::account::Timestamp;

/// After a move an inbox waits for this many seconds for each thousand notes that
/// it has: one with ten thousand notes moves every half an hour at most, a usual
/// one in every sweep.
const REST_PER_THOUSAND: u64 = 180;
/// When this many notes were moved in a sweep, the other inboxes wait.
const RECORDS_A_ROUND: usize = 50_000;
/// This many seconds after it was marked, an inbox moves in any case: within an
/// hour nobody can read what was deleted.
const AT_LATEST: u64 = 40 * 60;

/// The moves so far. After a start this is empty, and every inbox may move.
#[derive(Default)]
pub(crate) struct Moves {
    /// When an owner was first seen with a mark.
    marked: HashMap<Uuid, Timestamp>,
    /// When an owner's inbox was moved, and how many notes it had.
    moved: HashMap<Uuid, (Timestamp, usize)>,
}

impl Moves {
    /// The marked owners whose inboxes may move now. Who waits longest comes first.
    pub(super) fn due(&mut self, marked: &[Uuid], now: Timestamp) -> Vec<Uuid> {
        self.marked.retain(|owner, _| marked.contains(owner));
        self.moved.retain(|_, (at, records)| now < at.saturating_add(rest(*records)));
        for owner in marked {
            self.marked.entry(*owner).or_insert(now);
        }
        let since = |owner: &Uuid| self.marked.get(owner).copied().unwrap_or(now);
        let may = |owner: &Uuid| !self.moved.contains_key(owner) || now.saturating_sub(since(owner)) >= AT_LATEST;
        let mut due: Vec<_> = marked.iter().copied().filter(may).collect();
        due.sort_by_key(since);
        due
    }

    /// Whether an owner waits for the next sweep, when this one has moved
    /// `records` notes.
    pub(super) fn waits(&self, owner: Uuid, records: usize, now: Timestamp) -> bool {
        let since = self.marked.get(&owner).copied().unwrap_or(now);
        records >= RECORDS_A_ROUND && now.saturating_sub(since) < AT_LATEST
    }

    pub(super) fn moved(&mut self, owner: Uuid, records: usize, now: Timestamp) {
        self.marked.remove(&owner);
        self.moved.insert(owner, (now, records));
    }
}

fn rest(records: usize) -> u64 {
    records as u64 * REST_PER_THOUSAND / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: u64 = 5 * 60;

    fn inbox(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    /// Runs a day of rounds, and before each of them somebody deletes a note in each of these
    /// inboxes. Returns how many records were moved, and how long a mark waited at most.
    fn a_day(inboxes: u128, notes: usize) -> (usize, u64) {
        let mut moves = Moves::default();
        let all: Vec<_> = (0..inboxes).map(inbox).collect();
        let (mut moved, mut waited) = (0, 0);
        let mut since: HashMap<Uuid, u64> = all.iter().map(|owner| (*owner, 0)).collect();
        for now in (0..24 * 60 * 60).step_by(ROUND as usize) {
            let mut records = 0;
            for owner in moves.due(&all, now) {
                if moves.waits(owner, records, now) {
                    continue;
                }
                records += notes;
                moves.moved(owner, notes, now);
                waited = waited.max(now - since[&owner]);
                since.insert(owner, now);
            }
            moved += records;
        }
        (moved, waited)
    }

    #[test]
    fn full_inboxes_move_within_the_hour_and_every_half_an_hour_at_most() {
        for inboxes in [1, 5, 50, 500] {
            let (moved, waited) = a_day(inboxes, 10_000);
            assert!(moved <= 48 * inboxes as usize * 10_000, "{inboxes}: {moved}");
            assert!(waited < 60 * 60, "{inboxes}: {waited}");
        }
        assert_eq!(a_day(1, 1_000), (288 * 1_000, ROUND), "a usual inbox moves in every round");
    }

    #[test]
    fn past_what_a_round_takes_the_others_wait_for_the_next() {
        let mut moves = Moves::default();
        let due = moves.due(&[inbox(1), inbox(2)], 0);
        assert_eq!(due.len(), 2);
        assert!(!moves.waits(due[1], RECORDS_A_ROUND - 1, 0));
        assert!(moves.waits(due[1], RECORDS_A_ROUND, 0));
        moves.moved(due[0], RECORDS_A_ROUND, 0);
        assert_eq!(moves.due(&[due[0], due[1]], ROUND), [due[1]]);
        assert!(!moves.waits(due[1], RECORDS_A_ROUND, AT_LATEST), "it has waited long enough");
    }
}
