//! How a call is done: in a transaction of its own, again as long as nothing of it was done. `groups.rs` does many in
//! one transaction.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use tokio::time::sleep;

use crate::error::{Result, StoreError};
use crate::nouns::Common;
use crate::postgres::at_hand::{AtHand, Lacks, OwnKeys};
use crate::postgres::errors::Failure;
use crate::postgres::look::Look;
use crate::postgres::rows::{Done, ONE, Opened, Pending, RecordRows};
use crate::postgres::turns::{Locks, Taken};
use crate::postgres::{ATTEMPTS, Open, PAUSE, Postgres, once_more};
use crate::rows::{Call, Effect, Keep, Reads};
use crate::seals::SealKey;
use crate::seals::keyring::Owner;

/// Why an attempt of a call has changed nothing.
enum Refusal<E> {
    ByNoun(E),
    ByEngine(Failure),
    /// It has to begin anew with more.
    Lacks(Lacks),
}

impl Open {
    async fn attempt<C: Call>(
        &self,
        call: &C,
        at_hand: &AtHand,
        locks: &Locks,
    ) -> Result<(C::Out, Done), Refusal<C::Error>> {
        let opened = Opened::new(self.record.begin().await.map_err(Refusal::ByEngine)?);
        let mut wants = call.wants();
        wants.rows.extend(locks.wanted());
        let read = self.lock_and_read(&opened, &locks.numbers(), &wants).await;
        let earlier = Pending::default();
        let mut rows = RecordRows::new(self, at_hand, &opened, locks, &earlier);
        let out = match read {
            Ok(()) => call.run(&mut rows).await,
            Err(error) => Err(error.into()),
        };
        let (lacks, own) = rows.into_parts();
        if let Some(failure) = opened.failure() {
            return Err(Refusal::ByEngine(failure));
        }
        if !lacks.is_empty() {
            return Err(Refusal::Lacks(lacks));
        }
        let out = out.map_err(Refusal::ByNoun)?;
        let done = self.commit(opened, own).await.map_err(Refusal::ByEngine)?;
        Ok((out, done))
    }

    /// Does a call, again as long as nothing of it was done, and returns the turns that it still has.
    async fn attempts<C: Call>(
        &self,
        call: &C,
        at_hand: &AtHand,
    ) -> (Result<(C::Out, Done), Refusal<C::Error>>, Taken<'_>) {
        let (mut locks, mut attempts, mut making) = (Locks::of(&call.locks()), 1, None);
        loop {
            let turns = self.turns.take(locks.numbers()).await;
            match self.attempt(call, at_hand, &locks).await {
                Err(Refusal::Lacks(lacks)) => {
                    drop(turns);
                    if let Err(failure) = self.fetch_lacking([(&lacks, at_hand)].into_iter(), &mut making).await {
                        return (Err(Refusal::ByEngine(failure)), Taken::default());
                    }
                    locks.extend(lacks.locks);
                }
                Err(Refusal::ByEngine(Failure::Again)) if attempts < ATTEMPTS => {
                    drop(turns);
                    sleep(PAUSE * attempts).await;
                    attempts += 1;
                }
                outcome => return (outcome, turns),
            }
        }
    }

    /// Makes the keys that a call is known to need, while nobody waits for its locks.
    async fn births_of<C: Call>(&self, call: &C) -> Result<AtHand> {
        let (at_hand, owners) = (AtHand::default(), call.births());
        if !owners.is_empty() {
            // What can't be done needs none.
            self.record.may_begin()?;
        }
        for owner in owners {
            at_hand.add(owner, self.keys.birth(owner).await?);
        }
        Ok(at_hand)
    }

    /// Destroys the keys that a call has made for nothing. Most calls make none.
    pub(super) async fn destroy_unused(&self, at_hand: AtHand, used: &[(Owner, SealKey)]) -> Result<()> {
        let unused = at_hand.unused(used);
        if unused.is_empty() { Ok(()) } else { self.keys.destroy(&unused).await }
    }

    /// Looks whether a call is done, for good, after a commit of which nobody knows.
    pub(super) async fn find_out<C: Call>(&self, call: &C) -> Result<C::Out, C::Error> {
        if let Some((at, out)) = call.made()
            && once_more!(self.is_there_for_good(&at)).map_err(|_| StoreError::Unknown)?
        {
            return Ok(out);
        }
        Err(StoreError::Unknown.into())
    }

    async fn is_there_for_good(&self, at: &[u8]) -> Result<bool, Failure> {
        let mut lease = self.record.lease().await?;
        let rows = lease.read(ONE, &[&at]).await?;
        self.beat.confirm_on(lease.busy()).await?;
        lease.is_done();
        Ok(!rows.is_empty())
    }

    /// Tells what a commit has led to. Returns the keys that it has made.
    pub(super) fn tell_of(&self, done: Done, turns: Taken<'_>) -> OwnKeys {
        done.told.into_iter().for_each(|told| self.common.tell(told));
        drop(turns);
        done.ended_rooms.into_iter().for_each(|room| self.wire.wire().poke(room));
        if let Some(accounts) = done.accounts {
            self.accounts.store(accounts, Relaxed);
        }
        done.born
    }

    /// Does a call by itself, and tells what it has led to.
    pub(super) async fn do_call<C: Call>(&self, call: &C, at_hand: AtHand) -> Result<C::Out, C::Error> {
        let (outcome, turns) = self.attempts(call, &at_hand).await;
        let (out, done) = match outcome {
            Ok(done) => done,
            // It may be done, so the keys stay. If nothing names them, the sweep destroys them.
            Err(Refusal::ByEngine(Failure::Unknown)) => return self.find_out(call).await,
            Err(refusal) => {
                drop(turns);
                self.destroy_unused(at_hand, &[]).await?;
                return Err(match refusal {
                    Refusal::ByNoun(error) => error,
                    Refusal::ByEngine(failure) => StoreError::from(failure).into(),
                    Refusal::Lacks(_) => StoreError::Unreachable.into(),
                });
            }
        };
        let has_dying = done.has_dying;
        let used = self.tell_of(done, turns);
        self.destroy_unused(at_hand, &used).await?;
        if has_dying {
            self.bury().await?;
        }
        Ok(out)
    }
}

impl Keep for Postgres {
    async fn call<C: Call>(&self, call: C) -> Result<C::Out, C::Error> {
        if call.effect() == Effect::Grows {
            self.may_grow()?;
        }
        if C::TOGETHER {
            let at_hand = self.births_of(&call).await?;
            return self.call_together(call, at_hand).await;
        }
        let this = self.clone();
        self.see_through(async move {
            let at_hand = this.births_of(&call).await?;
            this.do_call(&call, at_hand).await
        })
        .await
    }

    fn look(&self) -> impl Reads + use<> {
        Look::at(self.0.clone())
    }

    fn common(&self) -> &Arc<Common> {
        &self.common
    }

    fn most_accounts(&self) -> usize {
        self.most_accounts
    }

    fn are_enough(&self) -> bool {
        self.accounts.load(Relaxed) >= self.most_accounts as u64
    }
}
