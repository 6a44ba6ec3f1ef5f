//! What a call locks, and whose turn it is at this node.
//!
//! Turns let the calls of this node that change the same rows take place one after the other. So what they tell is told in
//! the order in which it was changed, and those who wait hold no connection.

use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::{Mutex, MutexGuard};

use crate::postgres::lease::number_of;
use crate::table::{Table, guard_of};

/// The guards of rows. An account's is read with its lock, and so is which key its inbox has.
#[derive(Debug, Clone, Default)]
pub(super) struct Locks(BTreeSet<Vec<u8>>);

impl Locks {
    pub(super) fn of(rows: &[Vec<u8>]) -> Self {
        Self(rows.iter().filter_map(|at| guard_of(at)).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// Adds the guards of these rows that are not among others.
    pub(super) fn add_those_missing(&mut self, rows: &[Vec<u8>], others: &Self) {
        self.0.extend(Self::of(rows).0.difference(&others.0).cloned());
    }

    pub(super) fn numbers(&self) -> BTreeSet<i64> {
        self.0.iter().map(|guard| number_of(guard)).collect()
    }

    /// The number of the last one: an account's, if there is one.
    pub(super) fn last(&self) -> i64 {
        self.0.last().map_or(0, |guard| number_of(guard))
    }

    /// What of them is read.
    pub(super) fn wanted(&self) -> impl Iterator<Item = Vec<u8>> {
        let inbox = |guard: &Vec<u8>| {
            let is_account = guard.first() == Some(&(Table::Account as u8));
            is_account.then(|| [&[Table::InboxKey as u8], &guard[1..]].concat())
        };
        self.0.iter().flat_map(move |guard| [Some(guard.clone()), inbox(guard)]).flatten()
    }
}

const TURNS: usize = 64;

pub(super) struct Turns([Mutex<()>; TURNS]);

/// Turns that somebody has.
#[derive(Default)]
pub(super) struct Taken<'a>(BTreeMap<usize, MutexGuard<'a, ()>>);

impl Default for Turns {
    fn default() -> Self {
        Self([const { Mutex::const_new(()) }; TURNS])
    }
}

fn place(lock: i64) -> usize {
    lock.cast_unsigned() as usize % TURNS
}

impl Turns {
    /// Waits for the turn of these locks. All take them in one order, so nobody waits for somebody who
    /// waits for them.
    pub(super) async fn take(&self, locks: impl IntoIterator<Item = i64>) -> Taken<'_> {
        let places: BTreeSet<usize> = locks.into_iter().map(place).collect();
        let mut taken = Taken::default();
        for place in places {
            taken.0.insert(place, self.0[place].lock().await);
        }
        taken
    }

    /// Adds the turn of these locks, if nobody else has it. Returns whether it is there.
    pub(super) fn add<'a>(&'a self, taken: &mut Taken<'a>, locks: impl IntoIterator<Item = i64>) -> bool {
        let mut more = Taken::default();
        for place in locks.into_iter().map(place) {
            if taken.0.contains_key(&place) || more.0.contains_key(&place) {
                continue;
            }
            let Ok(turn) = self.0[place].try_lock() else { return false };
            more.0.insert(place, turn);
        }
        taken.0.extend(more.0);
        true
    }
}
