//! What takes time, and what follows from it.

use std::task::{Context, Poll};

use futures_util::future::{LocalBoxFuture, join_all};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

/// What follows: a function that is handed the room's shell, `S`.
pub(super) type Then<S> = Box<dyn FnOnce(&mut S)>;

/// The work that is under way in one room.
pub(super) struct Work<S> {
    /// Everything else goes on beside this work.
    beside: FuturesUnordered<LocalBoxFuture<'static, Then<S>>>,
    /// The mailbox waits for it.
    first: Vec<LocalBoxFuture<'static, Then<S>>>,
}

impl<S: 'static> Work<S> {
    pub(super) fn new() -> Self {
        Self { beside: FuturesUnordered::new(), first: Vec::new() }
    }

    /// Does something beside everything else.
    pub(super) fn beside<T: 'static>(
        &self,
        work: impl Future<Output = T> + 'static,
        then: impl FnOnce(&mut S, T) + 'static,
    ) {
        self.beside.push(and_then(work, then));
    }

    /// Does something for which the mailbox waits, so that everything happens
    /// in the order in which it was asked.
    pub(super) fn first<T: 'static>(
        &mut self,
        work: impl Future<Output = T> + 'static,
        then: impl FnOnce(&mut S, T) + 'static,
    ) {
        self.first.push(and_then(work, then));
    }

    /// Whether the mailbox has to wait.
    pub(super) fn is_first(&self) -> bool {
        !self.first.is_empty()
    }

    /// What follows from work that is done.
    pub(super) fn poll(&mut self, task: &mut Context<'_>) -> Option<Then<S>> {
        match self.beside.poll_next_unpin(task) {
            Poll::Ready(then) => then,
            Poll::Pending => None,
        }
    }

    /// The work for which the mailbox has to wait, if there is some.
    pub(super) fn take_first(&mut self) -> Option<impl Future<Output = Vec<Then<S>>> + use<S>> {
        let first = std::mem::take(&mut self.first);
        (!first.is_empty()).then(|| join_all(first))
    }
}

fn and_then<S: 'static, T: 'static>(
    work: impl Future<Output = T> + 'static,
    then: impl FnOnce(&mut S, T) + 'static,
) -> LocalBoxFuture<'static, Then<S>> {
    work.map(|done| Box::new(move |shell: &mut S| then(shell, done)) as Then<S>).boxed_local()
}
