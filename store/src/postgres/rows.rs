//! Rows in the record: one table, `kept`. A call is a transaction. What it says that it will read is
//! fetched together with its locks, and what it has changed leaves together with the commit.
//!
//! A lock is the number of a guard (`table::guard_of`), which PostgreSQL keeps until the transaction ends. A call that
//! learns only by reading what it has to lock begins anew with that, so that all take their locks in one order. So does
//! one that lacks a key: `at_hand.rs` says why.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use parking_lot::Mutex;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::postgres::Open;
use crate::postgres::at_hand::{AtHand, Lacks, OwnKeys, names_of};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Named;
use crate::postgres::known::Known;
use crate::postgres::lease::Transaction;
use crate::postgres::turns::Locks;
use crate::room::RoomId;
use crate::rows::{Pair, Reads, Rows, Span, Told, Wants};
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, name_of, sealed_with};
use crate::table::{Changes, names_key, owner_of};

pub(super) const ONE: &str = "SELECT value FROM kept WHERE at = $1";
const FORWARDS: &str = "SELECT at, value FROM kept WHERE at >= $1 AND at < $2 ORDER BY at LIMIT $3";
const BACKWARDS: &str = "SELECT at, value FROM kept WHERE at >= $1 AND at < $2 ORDER BY at DESC LIMIT $3";

pub(super) fn select(span: &Span) -> &'static str {
    if span.is_backwards { BACKWARDS } else { FORWARDS }
}

/// An open transaction of the record, and what was read in it.
pub(super) struct Opened {
    transaction: tokio::sync::Mutex<Transaction>,
    known: Mutex<Known>,
    /// Why the database couldn't be asked: that overrules what a noun says.
    failure: Mutex<Option<Failure>>,
}

impl Opened {
    pub(super) fn new(transaction: Transaction) -> Self {
        let transaction = tokio::sync::Mutex::new(transaction);
        Self { transaction, known: Mutex::default(), failure: Mutex::default() }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.lock().is_some()
    }

    pub(super) fn failure(&self) -> Option<Failure> {
        self.failure.lock().take()
    }

    /// Notes why the database couldn't be asked.
    fn failed(&self, failure: Failure) -> StoreError {
        self.failure.lock().get_or_insert(failure);
        StoreError::Unreachable
    }

    /// A row as it was before this transaction.
    async fn row(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        let known = self.known.lock().get(at);
        if let Some(known) = known {
            return Ok(known);
        }
        let rows = self.transaction.lock().await.query(ONE, &[&at]).await.map_err(|failure| self.failed(failure))?;
        let value: Option<Vec<u8>> = rows.first().map(|row| row.get(0));
        self.known.lock().keep(at.to_vec(), value.clone());
        Ok(value)
    }

    /// The key of an owner before this transaction.
    async fn old_key(&self, owner: Owner) -> Result<Option<Named>> {
        let named = self.row(&names_key(owner)).await?;
        named.map(|named| Ok((owner.into(), sealed_with(&named)?))).transpose()
    }
}

/// What calls have changed, in a transaction that is not committed.
#[derive(Default)]
pub(super) struct Pending {
    changes: Changes,
    /// The keys that were made, or are used.
    born: OwnKeys,
    /// The newest key of owners who got one or lost theirs.
    keys: HashMap<Owner, Option<SealKey>>,
    dying: Vec<Named>,
    /// Feedback whose pictures go.
    pictures: Vec<Uuid>,
    told: Vec<Told>,
    ended_rooms: Vec<RoomId>,
}

impl Pending {
    pub(super) fn absorb(&mut self, later: Self) {
        self.changes.extend(later.changes);
        self.born.extend(later.born);
        self.keys.extend(later.keys);
        self.dying.extend(later.dying);
        self.pictures.extend(later.pictures);
        self.told.extend(later.told);
        self.ended_rooms.extend(later.ended_rooms);
    }

    /// Whether keys have to be destroyed.
    pub(super) fn has_dying(&self) -> bool {
        !(self.dying.is_empty() && self.pictures.is_empty() && self.ended_rooms.is_empty())
    }

    /// How many accounts come, less those that go.
    fn more_accounts(&self) -> i64 {
        let come = self.born.iter().filter(|(owner, _)| owner.is_account()).count();
        let gone = self.dying.iter().filter(|(whose, _)| whose.owner.is_account()).count();
        super::rows(come) - super::rows(gone)
    }
}

/// The rows of one call.
pub(super) struct RecordRows<'a> {
    open: &'a Open,
    at_hand: &'a AtHand,
    opened: &'a Opened,
    locks: &'a Locks,
    lacks: Mutex<Lacks>,
    /// The keys of sealed rows that were met and not wanted.
    met: Mutex<Vec<Named>>,
    /// What earlier calls of the transaction have changed.
    earlier: &'a Pending,
    own: Pending,
}

/// What a transaction has led to, once it is committed.
pub(super) struct Done {
    pub(super) told: Vec<Told>,
    pub(super) born: OwnKeys,
    pub(super) ended_rooms: Vec<RoomId>,
    /// How many accounts there are, if that has changed.
    pub(super) accounts: Option<u64>,
    /// Whether keys have to be destroyed now.
    pub(super) has_dying: bool,
}

impl<'a> RecordRows<'a> {
    pub(super) fn new(
        open: &'a Open,
        at_hand: &'a AtHand,
        opened: &'a Opened,
        locks: &'a Locks,
        earlier: &'a Pending,
    ) -> Self {
        let (lacks, met, own) = Default::default();
        Self { open, at_hand, opened, locks, lacks, met, earlier, own }
    }

    /// What the call has changed, or with what it has to begin anew.
    pub(super) fn into_parts(self) -> (Lacks, Pending) {
        (self.lacks.into_inner(), self.own)
    }

    /// A key for which nobody has to be asked; `None` when it is destroyed. If it is not at hand, the call begins anew
    /// with it, and with all others that it may need.
    fn key_at_hand(&self, name: Named) -> Result<Option<SealKey>> {
        let find = |name: &Named| self.open.keys.at_hand(name).map(Some).or_else(|| self.at_hand.found(name));
        if let Some(key) = find(&name) {
            return Ok(key);
        }
        let (known, met) = (self.opened.known.lock(), self.met.lock());
        let others = names_of(known.pairs()).chain(met.iter().copied());
        let missing = others.filter(|other| *other != name && find(other).is_none()).collect::<HashSet<_>>();
        self.lacks.lock().keys.extend(missing.into_iter().chain([name]));
        Err(StoreError::Unreachable)
    }

    /// The newest key of an owner, by its name.
    async fn name_of_key(&self, owner: Owner) -> Result<Option<Named>> {
        match self.own.keys.get(&owner).or_else(|| self.earlier.keys.get(&owner)) {
            Some(key) => Ok(key.as_ref().map(|key| (owner.into(), key.id))),
            None => self.opened.old_key(owner).await,
        }
    }

    /// The key for what an owner stores.
    async fn key_of(&self, owner: Owner) -> Result<Option<SealKey>> {
        match self.own.keys.get(&owner).or_else(|| self.earlier.keys.get(&owner)) {
            Some(key) => Ok(key.clone()),
            None => match self.opened.old_key(owner).await? {
                Some(name) => self.key_at_hand(name),
                None => Ok(None),
            },
        }
    }
}

impl Open {
    /// Takes these locks, and reads what is wanted.
    pub(super) async fn lock_and_read(&self, opened: &Opened, locks: &BTreeSet<i64>, wants: &Wants) -> Result<()> {
        if locks.is_empty() && wants.is_empty() {
            return Ok(());
        }
        let read = opened.transaction.lock().await.lock_and_read(locks, wants).await;
        opened.known.lock().absorb(read.map_err(|failure| opened.failed(failure))?);
        Ok(())
    }

    /// Takes those of these locks that are free, and reads what is wanted. Returns the others.
    pub(super) async fn try_to_lock_and_read(
        &self,
        opened: &Opened,
        locks: &[i64],
        wants: &Wants,
    ) -> Result<BTreeSet<i64>> {
        let read = opened.transaction.lock().await.try_to_lock_and_read(&BTreeSet::new(), locks, wants).await;
        let (known, not_free) = read.map_err(|failure| opened.failed(failure))?;
        opened.known.lock().absorb(known);
        Ok(not_free)
    }

    /// Has everything written that was changed, and commits.
    pub(super) async fn commit(&self, opened: Opened, pending: Pending) -> Result<Done, Failure> {
        let (mut transaction, has_dying) = (opened.transaction.into_inner(), pending.has_dying());
        if !pending.pictures.is_empty() {
            // They stand beside those of rooms.
            transaction.drop_feedback_pictures(Some(&pending.pictures)).await?;
        }
        let mut accounts = None;
        let more = pending.more_accounts();
        if more != 0 {
            let count = "UPDATE meta SET accounts = accounts + $1 RETURNING accounts";
            let counted = transaction.query(count, &[&more]).await?;
            accounts = counted.first().map(|row| row.get::<_, i64>(0).unsigned_abs());
        }
        let Pending { changes, born, dying, told, ended_rooms, .. } = pending;
        transaction.commit_rows(&changes, &dying).await?;
        Ok(Done { told, born, ended_rooms, accounts, has_dying })
    }
}

impl Reads for RecordRows<'_> {
    async fn fetch(&self, wants: Wants) -> Result<()> {
        self.open.lock_and_read(self.opened, &BTreeSet::new(), &wants).await
    }

    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.own.changes.get(at).or_else(|| self.earlier.changes.get(at)) {
            Some(changed) => Ok(changed.clone()),
            None => self.opened.row(at).await,
        }
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        let mut changed = BTreeMap::new();
        for changes in [&self.earlier.changes, &self.own.changes] {
            let some = changes.range(span.from.clone().min(span.to.clone())..span.to.clone());
            changed.extend(some.map(|(at, value)| (at.clone(), value.clone())));
        }
        let most = limit.saturating_add(changed.len());
        let known = self.opened.known.lock().range(&span, most);
        let found = match known {
            Some(known) => known,
            None => {
                let parameters: [&(dyn ToSql + Sync); 3] = [&span.from, &span.to, &super::rows(most)];
                let found = self.opened.transaction.lock().await.query(select(&span), &parameters).await;
                let found = found.map_err(|failure| self.opened.failed(failure))?;
                let pairs: Vec<Pair> = found.iter().map(|row| (row.get(0), row.get(1))).collect();
                self.met.lock().extend(names_of(pairs.iter().map(|(at, value)| (&at[..], &value[..]))));
                pairs
            }
        };
        let mut pairs: BTreeMap<Vec<u8>, Option<Vec<u8>>> =
            found.into_iter().map(|(at, value)| (at, Some(value))).collect();
        pairs.extend(changed);
        let there = pairs.into_iter().filter_map(|(at, value)| Some((at, value?)));
        Ok(if span.is_backwards { there.rev().take(limit).collect() } else { there.take(limit).collect() })
    }

    async fn unseal(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let name = (owner_of(at)?.into(), sealed_with(sealed)?);
        if self.own.dying.contains(&name) || self.earlier.dying.contains(&name) {
            return Ok(None);
        }
        let mut born = self.own.born.iter().chain(&self.earlier.born);
        if let Some((_, key)) = born.find(|(_, key)| key.id == name.1) {
            return key.open(at, sealed).map(Zeroizing::new).map(Some);
        }
        self.key_at_hand(name)?.map(|key| key.open(at, sealed).map(Zeroizing::new)).transpose()
    }
}

impl Rows for RecordRows<'_> {
    fn put(&mut self, at: Vec<u8>, value: Vec<u8>) {
        self.own.changes.insert(at, Some(value));
    }

    fn remove(&mut self, at: Vec<u8>) {
        self.own.changes.insert(at, None);
    }

    async fn seal(&mut self, owner: Owner, at: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        self.key_of(owner).await?.ok_or(StoreError::NotFound)?.seal(at, plain)
    }

    async fn has_key(&self, owner: Owner) -> Result<bool> {
        Ok(self.key_of(owner).await?.is_some())
    }

    async fn new_key(&mut self, owner: Owner) -> Result<()> {
        let is_used = |key: &SealKey| self.own.born.iter().any(|(_, used)| used.id == key.id);
        let Some(born) = self.at_hand.born(owner, |key| !is_used(key)) else {
            let before = self.name_of_key(owner).await?;
            self.lacks.get_mut().births.push((owner, before.map(|(_, key)| key)));
            return Err(StoreError::Unreachable);
        };
        if matches!(owner, Owner::Inbox(_)) {
            self.put(names_key(owner), name_of(born.1.id));
        }
        self.own.keys.insert(owner, Some(born.1.clone()));
        self.own.born.push(born);
        Ok(())
    }

    async fn replace_key(&mut self, owner: Owner) -> Result<()> {
        let old = self.name_of_key(owner).await?;
        self.own.dying.extend(old);
        self.new_key(owner).await
    }

    async fn destroy_keys(&mut self, owner: Owner) -> Result<()> {
        if let Owner::FeedbackPicture(id) = owner {
            self.own.pictures.push(id);
            return Ok(());
        }
        if matches!(owner, Owner::Inbox(_)) {
            self.remove(names_key(owner));
        }
        let old = self.name_of_key(owner).await?;
        self.own.dying.extend(old);
        self.own.keys.insert(owner, None);
        Ok(())
    }

    /// A call that asks waits until the others that have asked are done.
    async fn accounts(&self) -> Result<usize> {
        let count = "SELECT accounts FROM meta FOR NO KEY UPDATE";
        let counted = self.opened.transaction.lock().await.query(count, &[]).await;
        let counted = counted.map_err(|failure| self.opened.failed(failure))?;
        let more = self.earlier.more_accounts() + self.own.more_accounts();
        Ok(counted.first().map_or(0, |row| usize::try_from(row.get::<_, i64>(0) + more).unwrap_or(usize::MAX)))
    }

    async fn lock(&mut self, rows: Vec<Vec<u8>>) -> Result<()> {
        let lacks = self.lacks.get_mut();
        lacks.locks.add_those_missing(&rows, self.locks);
        if lacks.locks.is_empty() { Ok(()) } else { Err(StoreError::Unreachable) }
    }

    async fn end_rooms_of(&mut self, owner: AccountId) -> Result<()> {
        let ended = self.opened.transaction.lock().await.end_rooms_of(owner).await;
        self.own.ended_rooms.extend(ended.map_err(|failure| self.opened.failed(failure))?);
        Ok(())
    }

    fn tell(&mut self, told: Told) {
        self.own.told.push(told);
    }
}
