//! Rows in memory. A refused call is undone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use annon_store::account::AccountId;
use annon_store::building_blocks::{Call, Common, Keep, Owner, Pair, Reads, Rows, Span, Told, at_once, guard_of, home};
use annon_store::{Result, StoreError};
use zeroize::Zeroizing;

use crate::MemoryStore;

/// The number of a key. Nothing is encrypted here: what is sealed has it in front, as in other engines.
type KeyId = u64;

const SEALED: u8 = 1;

/// Rows, and the keys of owners: the newest is last.
#[derive(Default)]
pub(crate) struct Kept {
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
    keys: BTreeMap<Owner, Vec<KeyId>>,
    /// Whose each key is or was.
    owners: Vec<Owner>,
}

impl Kept {
    fn range(&self, Span { from, to, is_backwards }: Span, limit: usize) -> Vec<Pair> {
        let pairs = self.rows.range(from.min(to.clone())..to).map(|(at, value)| (at.clone(), value.clone()));
        if is_backwards { pairs.rev().take(limit).collect() } else { pairs.take(limit).collect() }
    }

    fn unseal(&self, sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let Some(([SEALED, id @ ..], plain)) = sealed.split_first_chunk::<9>() else { return Err(StoreError::Corrupt) };
        let id = KeyId::from_be_bytes(*id);
        let owner = usize::try_from(id).ok().and_then(|id| self.owners.get(id)).ok_or(StoreError::Corrupt)?;
        let is_there = self.keys.get(owner).is_some_and(|keys| keys.contains(&id));
        Ok(is_there.then(|| Zeroizing::new(plain.to_vec())))
    }

    pub(crate) fn accounts(&self) -> usize {
        self.keys.keys().filter(|owner| matches!(owner, Owner::Account(_))).count()
    }

    /// Whether an owner's record is there.
    pub(crate) fn has(&self, owner: Owner) -> bool {
        self.rows.contains_key(&home(owner))
    }
}

/// What a change has replaced.
enum Before {
    Row(Vec<u8>, Option<Vec<u8>>),
    Keys(Owner, Option<Vec<KeyId>>),
}

/// A transaction: it changes the rows at once, and knows how they were.
pub(crate) struct Transaction<'a> {
    kept: &'a mut Kept,
    before: Vec<Before>,
    /// The guards of the rows that this call has locked.
    locked: BTreeSet<Vec<u8>>,
    /// Whose rooms end with this call, and who is told what.
    ended: Vec<AccountId>,
    told: Vec<Told>,
}

impl<'a> Transaction<'a> {
    fn new(kept: &'a mut Kept) -> Self {
        Self { kept, before: Vec::new(), locked: BTreeSet::new(), ended: Vec::new(), told: Vec::new() }
    }

    /// What is left of it when everything is as it was.
    fn undone(mut self) -> Self {
        for before in std::mem::take(&mut self.before).into_iter().rev() {
            match before {
                Before::Row(at, Some(value)) => drop(self.kept.rows.insert(at, value)),
                Before::Row(at, None) => drop(self.kept.rows.remove(&at)),
                Before::Keys(owner, Some(keys)) => drop(self.kept.keys.insert(owner, keys)),
                Before::Keys(owner, None) => drop(self.kept.keys.remove(&owner)),
            }
        }
        Self::new(self.kept)
    }

    /// A call that changes a row has locked its guard: without the lock, two machines that have the same rows would undo
    /// each other's changes. A row that is its own guard is locked by whoever makes it.
    fn must_have_locked(&self, at: &[u8]) {
        let Some(guard) = guard_of(at).filter(|guard| guard != at || !self.kept.rows.contains_key(at)) else { return };
        let is_locked = self.locked.contains(&guard);
        assert!(is_locked, "a row of table {:?} is changed without its lock", at.first().map(|table| *table as char));
    }

    fn remember_keys(&mut self, owner: Owner) {
        self.before.push(Before::Keys(owner, self.kept.keys.get(&owner).cloned()));
    }
}

impl Reads for Transaction<'_> {
    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.kept.rows.get(at).cloned())
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        Ok(self.kept.range(span, limit))
    }

    async fn unseal(&self, _: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        self.kept.unseal(sealed)
    }
}

impl Rows for Transaction<'_> {
    fn put(&mut self, at: Vec<u8>, value: Vec<u8>) {
        self.must_have_locked(&at);
        let before = self.kept.rows.insert(at.clone(), value);
        self.before.push(Before::Row(at, before));
    }

    fn remove(&mut self, at: Vec<u8>) {
        let before = self.kept.rows.remove(&at);
        self.before.push(Before::Row(at, before));
    }

    async fn seal(&mut self, owner: Owner, _: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let newest = self.kept.keys.get(&owner).and_then(|keys| keys.last()).ok_or(StoreError::NotFound)?;
        Ok([&[SEALED], newest.to_be_bytes().as_slice(), plain].concat())
    }

    async fn has_key(&self, owner: Owner) -> Result<bool> {
        Ok(self.kept.keys.contains_key(&owner))
    }

    async fn new_key(&mut self, owner: Owner) -> Result<()> {
        self.remember_keys(owner);
        self.kept.keys.entry(owner).or_default().push(self.kept.owners.len() as KeyId);
        self.kept.owners.push(owner);
        Ok(())
    }

    async fn replace_key(&mut self, owner: Owner) -> Result<()> {
        self.destroy_keys(owner).await?;
        self.new_key(owner).await
    }

    async fn destroy_keys(&mut self, owner: Owner) -> Result<()> {
        self.remember_keys(owner);
        self.kept.keys.remove(&owner);
        Ok(())
    }

    async fn accounts(&self) -> Result<usize> {
        Ok(self.kept.accounts())
    }

    async fn lock(&mut self, rows: Vec<Vec<u8>>) -> Result<()> {
        self.locked.extend(rows.iter().filter_map(|at| guard_of(at)));
        Ok(())
    }

    async fn end_rooms_of(&mut self, owner: AccountId) -> Result<()> {
        self.ended.push(owner);
        Ok(())
    }

    fn tell(&mut self, told: Told) {
        self.told.push(told);
    }
}

impl Reads for MemoryStore {
    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.state().kept.rows.get(at).cloned())
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        Ok(self.state().kept.range(span, limit))
    }

    async fn unseal(&self, _: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        self.state().kept.unseal(sealed)
    }
}

impl Keep for MemoryStore {
    async fn call<C: Call>(&self, call: C) -> Result<C::Out, C::Error> {
        let mut state = self.writing()?;
        let mut transaction = Transaction::new(&mut state.kept);
        transaction.locked.extend(call.locks().iter().filter_map(|at| guard_of(at)));
        let done = at_once(call.run(&mut transaction));
        let Transaction { ended, told, .. } = match done {
            Ok(_) => transaction,
            Err(_) => transaction.undone(),
        };
        ended.into_iter().for_each(|owner| state.remove_rooms_of(owner));
        told.into_iter().for_each(|told| self.shared.common.tell(told));
        done
    }

    fn look(&self) -> impl Reads + use<> {
        self.clone()
    }

    fn common(&self) -> &Arc<Common> {
        &self.shared.common
    }
}
