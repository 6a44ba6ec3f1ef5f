//! Rows in memory. A refused call is undone.

use std::collections::BTreeMap;

use annon_store::building_blocks::{Call, Keep, Owner, Pair, Reads, Rows, Span, at_once, home};
use annon_store::{Result, StoreError};
use zeroize::Zeroizing;

use crate::MemoryStore;

/// The number of a key, before what it has sealed. Nothing is encrypted here.
type KeyId = [u8; 8];

/// Rows, and the keys of owners: the newest is last.
#[derive(Default)]
pub(crate) struct Kept {
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
    keys: BTreeMap<Owner, Vec<KeyId>>,
    /// How many keys were made.
    made: u64,
}

impl Kept {
    fn range(&self, Span { from, to, is_backwards }: Span, limit: usize) -> Vec<Pair> {
        let pairs = self.rows.range(from.min(to.clone())..to).map(|(at, value)| (at.clone(), value.clone()));
        if is_backwards { pairs.rev().take(limit).collect() } else { pairs.take(limit).collect() }
    }

    fn unseal(&self, sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let (id, plain) = sealed.split_first_chunk().ok_or(StoreError::Corrupt)?;
        let is_there = self.keys.values().flatten().any(|key| key == id);
        Ok(is_there.then(|| Zeroizing::new(plain.to_vec())))
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
}

impl<'a> Transaction<'a> {
    /// Does some work, or nothing of it if it fails.
    pub(crate) async fn of<T, E>(
        kept: &'a mut Kept,
        work: impl AsyncFnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut this = Self { kept, before: Vec::new() };
        let done = work(&mut this).await;
        if done.is_err() {
            this.undo();
        }
        done
    }

    fn undo(self) {
        for before in self.before.into_iter().rev() {
            match before {
                Before::Row(at, Some(value)) => drop(self.kept.rows.insert(at, value)),
                Before::Row(at, None) => drop(self.kept.rows.remove(&at)),
                Before::Keys(owner, Some(keys)) => drop(self.kept.keys.insert(owner, keys)),
                Before::Keys(owner, None) => drop(self.kept.keys.remove(&owner)),
            }
        }
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
        let before = self.kept.rows.insert(at.clone(), value);
        self.before.push(Before::Row(at, before));
    }

    fn remove(&mut self, at: Vec<u8>) {
        let before = self.kept.rows.remove(&at);
        self.before.push(Before::Row(at, before));
    }

    async fn seal(&mut self, owner: Owner, _: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let newest = self.kept.keys.get(&owner).and_then(|keys| keys.last()).ok_or(StoreError::NotFound)?;
        Ok([newest.as_slice(), plain].concat())
    }

    async fn new_key(&mut self, owner: Owner) -> Result<()> {
        self.remember_keys(owner);
        self.kept.made += 1;
        let id = self.kept.made.to_be_bytes();
        self.kept.keys.entry(owner).or_default().push(id);
        Ok(())
    }

    fn destroy_keys(&mut self, owner: Owner) {
        self.remember_keys(owner);
        self.kept.keys.remove(&owner);
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
        at_once(Transaction::of(&mut state.kept, async |rows| call.run(rows).await))
    }

    fn look(&self) -> impl Reads + use<> {
        self.clone()
    }
}
