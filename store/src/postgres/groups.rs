//! Calls that wait become the next transaction together: so a commit, and what is asked before it, is shared by all of
//! them. A call whose lock is not free goes by itself, so that somebody else's lock holds nobody else up; so does every
//! call of a group of which nothing was done. Calls that lack keys become a group of their own, once these are at hand.

use std::collections::{BTreeSet, VecDeque};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::error::StoreError;
use crate::postgres::at_hand::{AtHand, Lacks, OwnKeys};
use crate::postgres::errors::Failure;
use crate::postgres::rows::{Opened, Pending, RecordRows};
use crate::postgres::turns::{Locks, Taken};
use crate::postgres::{Open, Postgres};
use crate::rows::{Call, Wants};

/// Calls in one transaction, at most.
const TOGETHER: usize = 128;
/// So many groups are under way at once. The calls of one lock are all in the same.
const GROUPS: usize = 2;

/// The calls that wait for their group.
#[derive(Default)]
pub(super) struct Groups([Mutex<Queue>; GROUPS]);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Box<dyn Member>>,
    /// Whether somebody takes what waits.
    is_led: bool,
}

/// A call that waits, whatever it returns.
trait Member: Send + Sync {
    fn locks(&self) -> &Locks;
    fn wants(&self) -> Wants;
    /// Runs it over what earlier calls of the group have changed.
    fn run<'a>(&'a mut self, open: &'a Open, opened: &'a Opened, earlier: &'a Pending) -> BoxFuture<'a, Ran>;
    /// Answers its caller, once its group is committed.
    fn answer(self: Box<Self>);
    fn at_hand(&mut self) -> &mut AtHand;
    /// Does it by itself.
    fn alone(self: Box<Self>, engine: Postgres) -> BoxFuture<'static, ()>;
    /// Looks what became of it, after a commit of which nobody knows.
    fn find_out(self: Box<Self>, engine: Postgres) -> BoxFuture<'static, ()>;
}

/// How a member has run.
enum Ran {
    Done(Pending),
    Refused,
    Lacks(Lacks),
}

struct Waiting<C: Call> {
    call: C,
    locks: Locks,
    at_hand: AtHand,
    out: Option<Result<C::Out, C::Error>>,
    answer: oneshot::Sender<Result<C::Out, C::Error>>,
}

impl<C: Call> Member for Waiting<C> {
    fn locks(&self) -> &Locks {
        &self.locks
    }

    fn wants(&self) -> Wants {
        self.call.wants()
    }

    fn run<'a>(&'a mut self, open: &'a Open, opened: &'a Opened, earlier: &'a Pending) -> BoxFuture<'a, Ran> {
        async move {
            let mut rows = RecordRows::new(open, &self.at_hand, opened, &self.locks, earlier);
            let out = self.call.run(&mut rows).await;
            let (lacks, own) = rows.into_parts();
            if !lacks.is_empty() {
                return Ran::Lacks(lacks);
            }
            let is_done = out.is_ok();
            self.out = Some(out);
            if is_done { Ran::Done(own) } else { Ran::Refused }
        }
        .boxed()
    }

    fn answer(self: Box<Self>) {
        // Its caller may be gone.
        let _ = self.answer.send(self.out.unwrap_or_else(|| Err(StoreError::Unreachable.into())));
    }

    fn at_hand(&mut self) -> &mut AtHand {
        &mut self.at_hand
    }

    fn alone(self: Box<Self>, engine: Postgres) -> BoxFuture<'static, ()> {
        let Self { call, at_hand, answer, .. } = *self;
        async move {
            let _ = answer.send(engine.do_call(&call, at_hand).await);
        }
        .boxed()
    }

    fn find_out(self: Box<Self>, engine: Postgres) -> BoxFuture<'static, ()> {
        let Self { call, answer, .. } = *self;
        async move {
            let _ = answer.send(engine.find_out(&call).await);
        }
        .boxed()
    }
}

impl Postgres {
    /// Does a call with others that wait.
    pub(super) async fn call_together<C: Call>(&self, call: C, at_hand: AtHand) -> Result<C::Out, C::Error> {
        let (answer, answered) = oneshot::channel();
        let locks = Locks::of(&call.locks());
        let group = locks.last().cast_unsigned() as usize % GROUPS;
        let waiting = Waiting { call, locks, at_hand, out: None, answer };
        let must_lead = {
            let mut queue = self.groups.0[group].lock();
            queue.waiting.push_back(Box::new(waiting));
            !std::mem::replace(&mut queue.is_led, true)
        };
        if must_lead {
            self.runtime.spawn(self.clone().lead(group));
        }
        // Without an answer it is done, and what belongs to it is not.
        answered.await.unwrap_or_else(|_| Err(StoreError::Unknown.into()))
    }

    /// Takes what waits until nothing does.
    async fn lead(self, group: usize) {
        loop {
            let members: Vec<_> = {
                let mut queue = self.groups.0[group].lock();
                let most = queue.waiting.len().min(TOGETHER);
                let members = queue.waiting.drain(..most).collect();
                queue.is_led = most > 0;
                members
            };
            if members.is_empty() {
                return;
            }
            let this = self.clone();
            // If it panicked, its callers have heard so.
            let _ = self.runtime.spawn(async move { this.do_group(members, true).await }).await;
        }
    }

    fn each_alone(&self, members: impl IntoIterator<Item = Box<dyn Member>>) {
        for member in members {
            self.runtime.spawn(member.alone(self.clone()));
        }
    }

    /// Does calls that lack keys, once these are at hand.
    fn do_lacking(self, mut lacking: Vec<(Box<dyn Member>, Lacks)>) -> BoxFuture<'static, ()> {
        async move {
            let mut making = None;
            let all = lacking.iter_mut().map(|(member, lacks)| (&*lacks, &*member.at_hand()));
            let fetched = self.fetch_lacking(all, &mut making).await;
            let members: Vec<_> = lacking.into_iter().map(|(member, _)| member).collect();
            match fetched {
                Ok(()) => self.do_group(members, false).await,
                Err(_) => self.each_alone(members),
            }
        }
        .boxed()
    }

    /// Does calls in one transaction. Those that lack keys are a group once more, or each goes by itself.
    async fn do_group(&self, members: Vec<Box<dyn Member>>, is_first: bool) {
        let mut turns = Taken::default();
        let (members, late): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|member| self.turns.add(&mut turns, member.locks().numbers()));
        self.each_alone(late);
        let Ok(transaction) = self.record.begin().await else {
            drop(turns);
            return self.each_alone(members);
        };
        let opened = Opened::new(transaction);
        let (mut wants, mut locks) = (Wants::default(), BTreeSet::new());
        for member in &members {
            wants.absorb(member.wants());
            wants.rows.extend(member.locks().wanted());
            locks.extend(member.locks().numbers());
        }
        let locks: Vec<_> = locks.into_iter().collect();
        let Ok(not_free) = self.try_to_lock_and_read(&opened, &locks, &wants).await else {
            drop(turns);
            return self.each_alone(members);
        };
        let (members, late): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|member| member.locks().numbers().is_disjoint(&not_free));
        self.each_alone(late);
        let (mut pending, mut ran, mut late) = (Pending::default(), Vec::with_capacity(members.len()), Vec::new());
        let mut lacking = Vec::new();
        for mut member in members {
            match member.run(self, &opened, &pending).await {
                Ran::Done(own) => {
                    let waits_for_keys = own.has_dying();
                    pending.absorb(own);
                    ran.push((member, waits_for_keys));
                }
                Ran::Refused => ran.push((member, false)),
                Ran::Lacks(lacks) if is_first && lacks.locks.is_empty() => lacking.push((member, lacks)),
                Ran::Lacks(_) => late.push(member),
            }
            if opened.has_failed() {
                drop(turns);
                let lacking = lacking.into_iter().map(|(member, _)| member);
                return self.each_alone(ran.into_iter().map(|(member, _)| member).chain(late).chain(lacking));
            }
        }
        self.each_alone(late);
        if !lacking.is_empty() {
            self.runtime.spawn(self.clone().do_lacking(lacking));
        }
        match self.commit(opened, pending).await {
            Ok(done) => {
                let used = self.tell_of(done, turns);
                let (waiting, ready): (Vec<_>, Vec<_>) = ran.into_iter().partition(|(_, waits)| *waits);
                let mut at_hand = Vec::new();
                for (mut member, _) in ready {
                    at_hand.push(std::mem::take(member.at_hand()));
                    member.answer();
                }
                self.runtime.spawn(self.clone().end_group(waiting, at_hand, used));
            }
            Err(Failure::Unknown) => {
                for (member, _) in ran {
                    self.runtime.spawn(member.find_out(self.clone()));
                }
            }
            Err(_) => {
                drop(turns);
                self.each_alone(ran.into_iter().map(|(member, _)| member));
            }
        }
    }

    /// Answers those whose keys have to be destroyed first.
    async fn end_group(self, waiting: Vec<(Box<dyn Member>, bool)>, at_hand: Vec<AtHand>, used: OwnKeys) {
        for at_hand in at_hand {
            // What fails here the sweep does.
            let _ = self.destroy_unused(at_hand, &used).await;
        }
        if waiting.is_empty() || self.bury().await.is_err() {
            // Without an answer their callers hear that nobody knows whether the call is done.
            return;
        }
        for (mut member, _) in waiting {
            let _ = self.destroy_unused(std::mem::take(member.at_hand()), &used).await;
            member.answer();
        }
    }
}
