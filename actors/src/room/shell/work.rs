//! What takes time, and what follows from it.

use std::task::{Context, Poll};

use futures_util::future::{LocalBoxFuture, join_all};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use crate::room::shell::Shell;

/// What follows.
type Then = Box<dyn FnOnce(&mut Shell)>;

/// The work that is under way in one room: futures that [`and_then`] makes.
#[derive(Default)]
pub(super) struct Work {
    /// Everything else goes on beside this work.
    pub(super) beside: FuturesUnordered<LocalBoxFuture<'static, Then>>,
    /// The mailbox waits for this work, so that everything happens in the order
    /// in which it was asked.
    pub(super) first: Vec<LocalBoxFuture<'static, Then>>,
}

impl Work {
    /// What follows from work that is done.
    pub(super) fn poll(&mut self, task: &mut Context<'_>) -> Option<Then> {
        match self.beside.poll_next_unpin(task) {
            Poll::Ready(then) => then,
            Poll::Pending => None,
        }
    }

    /// The work for which the mailbox has to wait, if there is some.
    pub(super) fn take_first(&mut self) -> Option<impl Future<Output = Vec<Then>> + use<>> {
        let first = std::mem::take(&mut self.first);
        (!first.is_empty()).then(|| join_all(first))
    }
}

/// Some work, and what follows from it.
pub(super) fn and_then<T: 'static>(
    work: impl Future<Output = T> + 'static,
    then: impl FnOnce(&mut Shell, T) + 'static,
) -> LocalBoxFuture<'static, Then> {
    work.map(|done| Box::new(move |shell: &mut Shell| then(shell, done)) as Then).boxed_local()
}
