//! Work that takes time, and what is done after it.

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;

use crate::room::shell::Shell;

/// What is done after it, with its result.
type Then = Box<dyn FnOnce(&mut Shell)>;

/// The work that is under way in one room: futures that [`and_then`] makes.
#[derive(Default)]
pub(super) struct Work {
    /// Everything else goes on beside this work.
    pub(super) beside: FuturesUnordered<LocalBoxFuture<'static, Then>>,
    /// The mailbox waits for this work, so that requests are done in the order
    /// in which they came.
    pub(super) first: Vec<LocalBoxFuture<'static, Then>>,
}

/// Does `work`, and then calls `then` with its result.
pub(super) fn and_then<T: 'static>(
    work: impl Future<Output = T> + 'static,
    then: impl FnOnce(&mut Shell, T) + 'static,
) -> LocalBoxFuture<'static, Then> {
    work.map(|done| Box::new(move |shell: &mut Shell| then(shell, done)) as Then).boxed_local()
}
