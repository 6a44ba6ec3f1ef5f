//! Rows in the record: one table, `kept`. A call is a transaction. What it says that it will read is
//! fetched together with its locks, and what it has changed leaves together with the commit.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::time::sleep;
use zeroize::Zeroizing;

use crate::account::{AccountId, SignUpError, Timestamp};
use crate::error::{Result, StoreError};
use crate::invitation::InvitationId;
use crate::nouns::Common;
use crate::nouns::invitation::use_once;
use crate::postgres::errors::Failure;
use crate::postgres::keys::Named;
use crate::postgres::lease::Transaction;
use crate::postgres::{ATTEMPTS, Open, PAUSE, Postgres, once_more};
use crate::rows::{Call, Effect, Keep, Pair, Reads, Rows, Span, Told};
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::table::{Changes, home, invitation_key, owner_of};

const ONE: &str = "SELECT value FROM kept WHERE at = $1";
const FORWARDS: &str = "SELECT at, value FROM kept WHERE at >= $1 AND at < $2 ORDER BY at LIMIT $3";
const BACKWARDS: &str = "SELECT at, value FROM kept WHERE at >= $1 AND at < $2 ORDER BY at DESC LIMIT $3";

fn select(span: &Span) -> &'static str {
    if span.is_backwards { BACKWARDS } else { FORWARDS }
}

/// Why an attempt of a call has changed nothing.
enum Refusal<E> {
    ByNoun(E),
    ByEngine(Failure),
}

/// The keys that a call has made, over all its attempts: a key is there before what it seals.
#[derive(Default)]
struct Births(Mutex<Vec<(Owner, SealKey)>>);

impl Births {
    /// Those that these rows don't use.
    fn unused(self, used: &[(Owner, SealKey)]) -> Vec<Named> {
        let all = self.0.into_inner().into_iter();
        let unused = all.filter(|(_, key)| !used.iter().any(|(_, other)| other.id == key.id));
        unused.map(|(owner, key)| (owner.into(), key.id)).collect()
    }
}

/// An open transaction of rows.
pub(super) struct RecordRows<'a> {
    open: &'a Open,
    births: &'a Births,
    transaction: tokio::sync::Mutex<Transaction>,
    /// What was read, as it was then.
    read: Mutex<BTreeMap<Vec<u8>, Option<Vec<u8>>>>,
    changes: Changes,
    /// The keys of the call that were made in this attempt, or are used by it.
    born: Vec<(Owner, SealKey)>,
    /// Owners who lose all keys, and keys that are replaced.
    doomed: Vec<Owner>,
    replaced: Vec<Named>,
    told: Vec<Told>,
    /// Why the database couldn't be asked: that overrules what the noun says.
    failure: Mutex<Option<Failure>>,
}

/// What an attempt has led to, once it is committed.
struct Done {
    told: Vec<Told>,
    born: Vec<(Owner, SealKey)>,
    /// Whether keys have to be destroyed now.
    has_doomed: bool,
}

impl<'a> RecordRows<'a> {
    fn new(open: &'a Open, births: &'a Births, transaction: Transaction) -> Self {
        Self {
            open,
            births,
            transaction: tokio::sync::Mutex::new(transaction),
            read: Mutex::default(),
            changes: Changes::new(),
            born: Vec::new(),
            doomed: Vec::new(),
            replaced: Vec::new(),
            told: Vec::new(),
            failure: Mutex::default(),
        }
    }

    /// Notes why the database couldn't be asked.
    fn failed(&self, failure: Failure) -> StoreError {
        self.failure.lock().get_or_insert(failure);
        StoreError::Unreachable
    }

    /// Locks what a call says, and reads that and what else it wants.
    async fn fetch(&self, locks: &[Vec<u8>], wants: Vec<Vec<u8>>) -> Result<(), Failure> {
        let wanted: Vec<_> = locks.iter().cloned().chain(wants).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let rows = self.transaction.lock().await.lock_and_read(locks, &wanted).await?;
        let mut read = self.read.lock();
        read.extend(wanted.into_iter().map(|at| (at, None)));
        read.extend(rows.iter().map(|row| (row.get(0), Some(row.get(1)))));
        Ok(())
    }

    /// A row as it was before this call.
    async fn before(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        if let Some(known) = self.read.lock().get(at) {
            return Ok(known.clone());
        }
        let rows = self.transaction.lock().await.query(ONE, &[&at]).await.map_err(|failure| self.failed(failure))?;
        let value: Option<Vec<u8>> = rows.first().map(|row| row.get(0));
        self.read.lock().insert(at.to_vec(), value.clone());
        Ok(value)
    }

    fn newest_born(&self, owner: Owner) -> Option<&SealKey> {
        self.born.iter().rfind(|(whose, _)| *whose == owner).map(|(_, key)| key)
    }

    /// The key of an owner's record before this call.
    async fn old_key(&self, owner: Owner) -> Result<Option<Named>> {
        let sealed = self.before(&home(owner)).await?;
        sealed.map(|sealed| Ok((owner.into(), sealed_with(&sealed)?))).transpose()
    }

    /// The key for what an owner stores: that of the owner's record.
    async fn key_of(&self, owner: Owner) -> Result<Option<SealKey>> {
        if let Some(key) = self.newest_born(owner) {
            return Ok(Some(key.clone()));
        }
        match self.old_key(owner).await? {
            Some(name) if !self.doomed.contains(&owner) => self.open.keys.key(name).await,
            _ => Ok(None),
        }
    }

    /// The keys that die with this call. Pictures of feedback, which stand beside those of rooms, go here.
    async fn dying(&self) -> Result<Vec<Named>, Failure> {
        let mut dying = self.replaced.clone();
        for owner in &self.doomed {
            match owner {
                Owner::FeedbackPicture(id) => {
                    self.transaction.lock().await.drop_feedback_pictures(Some(&[*id])).await?;
                }
                owner => dying.extend(self.old_key(*owner).await?),
            }
        }
        self.failure.lock().take().map_or(Ok(dying), Err)
    }

    /// Has everything written that was changed, and commits.
    async fn commit(self) -> Result<Done, Failure> {
        let dying = self.dying().await?;
        self.transaction.into_inner().commit_rows(&self.changes, &dying).await?;
        Ok(Done { told: self.told, born: self.born, has_doomed: !(dying.is_empty() && self.doomed.is_empty()) })
    }

    /// The transaction, after what was changed is written in it, for more to come.
    async fn into_transaction(self) -> Result<Transaction, Failure> {
        let dying = self.dying().await?;
        let mut transaction = self.transaction.into_inner();
        transaction.write_rows(&self.changes, &dying).await?;
        Ok(transaction)
    }
}

impl Reads for RecordRows<'_> {
    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.changes.get(at) {
            Some(changed) => Ok(changed.clone()),
            None => self.before(at).await,
        }
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        let changed = self.changes.range(span.from.clone().min(span.to.clone())..span.to.clone());
        let changed: BTreeMap<_, _> = changed.map(|(at, value)| (at.clone(), value.clone())).collect();
        let limit_here = super::rows(limit.saturating_add(changed.len()));
        let found = self.transaction.lock().await.query(select(&span), &[&span.from, &span.to, &limit_here]).await;
        let found = found.map_err(|failure| self.failed(failure))?;
        let mut pairs: BTreeMap<Vec<u8>, Option<Vec<u8>>> =
            found.iter().map(|row| (row.get(0), Some(row.get(1)))).collect();
        pairs.extend(changed);
        let there = pairs.into_iter().filter_map(|(at, value)| Some((at, value?)));
        let pairs: Vec<_> =
            if span.is_backwards { there.rev().take(limit).collect() } else { there.take(limit).collect() };
        self.open.fetch_keys(&pairs).await?;
        Ok(pairs)
    }

    async fn unseal(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let (owner, id) = (owner_of(at)?, sealed_with(sealed)?);
        if let Some((_, key)) = self.born.iter().find(|(_, key)| key.id == id) {
            return key.open(at, sealed).map(Zeroizing::new).map(Some);
        }
        if self.doomed.contains(&owner) || self.replaced.contains(&(owner.into(), id)) {
            return Ok(None);
        }
        self.open.unseal_row(at, sealed).await
    }
}

impl Rows for RecordRows<'_> {
    fn put(&mut self, at: Vec<u8>, value: Vec<u8>) {
        self.changes.insert(at, Some(value));
    }

    fn remove(&mut self, at: Vec<u8>) {
        self.changes.insert(at, None);
    }

    async fn seal(&mut self, owner: Owner, at: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        self.key_of(owner).await?.ok_or(StoreError::NotFound)?.seal(at, plain)
    }

    async fn has_key(&self, owner: Owner) -> Result<bool> {
        Ok(self.key_of(owner).await?.is_some())
    }

    async fn new_key(&mut self, owner: Owner) -> Result<()> {
        let is_used = |key: &SealKey| self.born.iter().any(|(_, used)| used.id == key.id);
        let births = self.births.0.lock().iter().find(|(whose, key)| *whose == owner && !is_used(key)).cloned();
        let born = match births {
            Some(earlier) => earlier,
            None => {
                let born = (owner, self.open.keys.birth(owner).await?);
                self.births.0.lock().push(born.clone());
                born
            }
        };
        self.born.push(born);
        Ok(())
    }

    async fn replace_key(&mut self, owner: Owner) -> Result<()> {
        self.replaced.extend(self.old_key(owner).await?);
        self.new_key(owner).await
    }

    fn destroy_keys(&mut self, owner: Owner) {
        self.doomed.push(owner);
    }

    async fn accounts(&self) -> Result<usize> {
        let counted = self.transaction.lock().await.query("SELECT accounts FROM meta", &[]).await;
        let counted = counted.map_err(|failure| self.failed(failure))?;
        Ok(counted.first().map_or(0, |row| usize::try_from(row.get::<_, i64>(0)).unwrap_or(usize::MAX)))
    }

    async fn end_rooms_of(&mut self, owner: AccountId) -> Result<()> {
        let ended = self.transaction.lock().await.end_rooms_of(owner).await;
        ended.map(drop).map_err(|failure| self.failed(failure))
    }

    fn tell(&mut self, told: Told) {
        self.told.push(told);
    }
}

impl Open {
    /// Uses an invitation in a transaction that goes on. `NotFound` when it doesn't work at `now`.
    pub(super) async fn use_invitation(
        &self,
        transaction: Transaction,
        id: InvitationId,
        now: Timestamp,
    ) -> Result<Transaction, Failure> {
        let births = Births::default();
        let mut rows = RecordRows::new(self, &births, transaction);
        rows.fetch(&[invitation_key(id)], Vec::new()).await?;
        let used = use_once(&mut rows, id, now).await;
        if let Some(failure) = rows.failure.lock().take() {
            return Err(failure);
        }
        match used {
            Ok(()) => rows.into_transaction().await,
            Err(SignUpError::Store(error)) => Err(error.into()),
            Err(_) => Err(StoreError::NotFound.into()),
        }
    }

    /// Has the keys at hand with which rows are sealed, so that opening them asks nobody.
    async fn fetch_keys(&self, pairs: &[Pair]) -> Result<()> {
        let name = |(at, sealed): &Pair| Some((owner_of(at).ok()?.into(), sealed_with(sealed).ok()?));
        let names: Vec<Named> = pairs.iter().filter_map(name).collect();
        self.keys.find(&names).await.map(drop)
    }

    async fn unseal_row(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let name = (owner_of(at)?.into(), sealed_with(sealed)?);
        let key = self.keys.key(name).await?;
        key.map(|key| key.open(at, sealed).map(Zeroizing::new)).transpose()
    }

    async fn attempt<C: Call>(&self, call: &C, births: &Births) -> Result<(C::Out, Done), Refusal<C::Error>> {
        let transaction = self.record.begin().await.map_err(Refusal::ByEngine)?;
        let mut rows = RecordRows::new(self, births, transaction);
        rows.fetch(&call.locks(), call.wants()).await.map_err(Refusal::ByEngine)?;
        let out = call.run(&mut rows).await;
        if let Some(failure) = rows.failure.lock().take() {
            return Err(Refusal::ByEngine(failure));
        }
        let out = out.map_err(Refusal::ByNoun)?;
        let done = rows.commit().await.map_err(Refusal::ByEngine)?;
        Ok((out, done))
    }

    async fn attempts<C: Call>(&self, call: &C, births: &Births) -> Result<(C::Out, Done), Refusal<C::Error>> {
        let mut attempts = 1;
        loop {
            match self.attempt(call, births).await {
                Err(Refusal::ByEngine(Failure::Again)) if attempts < ATTEMPTS => {
                    sleep(PAUSE * attempts).await;
                    attempts += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// Destroys the keys that a call has made for nothing. Most calls make none.
    async fn destroy_unused(&self, births: Births, used: &[(Owner, SealKey)]) -> Result<()> {
        let unused = births.unused(used);
        if unused.is_empty() { Ok(()) } else { self.keys.destroy(&unused).await }
    }

    /// Does a call, and tells what it has led to.
    async fn do_call<C: Call>(&self, call: &C) -> Result<C::Out, C::Error> {
        if call.effect() == Effect::Grows {
            self.may_grow()?;
        }
        let births = Births::default();
        let (out, done) = match self.attempts(call, &births).await {
            Ok(done) => done,
            // It may be done, so the keys stay. If nothing names them, the sweep destroys them.
            Err(Refusal::ByEngine(Failure::Unknown)) => return Err(StoreError::Unreachable.into()),
            Err(refusal) => {
                self.destroy_unused(births, &[]).await?;
                return Err(match refusal {
                    Refusal::ByNoun(error) => error,
                    Refusal::ByEngine(failure) => StoreError::from(failure).into(),
                });
            }
        };
        done.told.into_iter().for_each(|told| self.common.tell(told));
        self.destroy_unused(births, &done.born).await?;
        if done.has_doomed {
            self.bury().await?;
        }
        Ok(out)
    }
}

impl Reads for Postgres {
    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        let rows = once_more!(self.record.read(ONE, &[&at]))?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        let limit = super::rows(limit);
        let rows = once_more!(self.record.read(select(&span), &[&span.from, &span.to, &limit]))?;
        let pairs: Vec<_> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        self.fetch_keys(&pairs).await?;
        Ok(pairs)
    }

    async fn unseal(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        self.unseal_row(at, sealed).await
    }
}

impl Keep for Postgres {
    async fn call<C: Call>(&self, call: C) -> Result<C::Out, C::Error> {
        let this = self.clone();
        self.see_through(async move { this.do_call(&call).await }).await
    }

    fn look(&self) -> impl Reads + use<> {
        self.clone()
    }

    fn common(&self) -> &Arc<Common> {
        &self.common
    }
}
