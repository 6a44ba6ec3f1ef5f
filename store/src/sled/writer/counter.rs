//! Where calls are served: by the writer's thread, a group at a time, or by
//! a caller who would be done before that thread has woken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;

use super::desk::Desk;
use super::{GROUP, Order};
use crate::clock::Stopwatch;

/// Calls in a group, on average of late, above which groups are worth waiting
/// for. Somebody who is alone never has company, and never waits.
const COMPANY: f64 = 1.05;

/// The desk, and one at a time behind it. It is gone when writing has ended.
#[derive(Clone)]
pub(super) struct Counter(Arc<Mutex<Option<Desk>>>);

impl Counter {
    pub(super) fn new(desk: Desk) -> Self {
        Self(Arc::new(Mutex::new(Some(desk))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Desk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves the caller here and now. The order comes back when somebody
    /// else is being served, or when it might take a while.
    pub(super) fn serve(&self, order: Order) -> Option<Order> {
        let Ok(mut desk) = self.0.try_lock() else { return Some(order) };
        let Some(desk) = desk.as_mut().filter(|desk| desk.is_ready()) else { return Some(order) };
        if catch_unwind(AssertUnwindSafe(|| desk.serve(std::iter::once(order)))).is_err() {
            desk.panicked();
        }
        None
    }

    /// Serves until everybody has gone, or somebody says stop: what the
    /// writer's thread does.
    pub(super) fn work(self, queue: mpsc::Receiver<Order>, pause: Duration) {
        let worked = catch_unwind(AssertUnwindSafe(|| self.run(queue, pause)));
        let Some(desk) = self.lock().take() else { return };
        if worked.is_err() {
            desk.panicked();
        }
        desk.end();
    }

    fn run(&self, mut queue: mpsc::Receiver<Order>, pause: Duration) {
        let mut orders = Vec::with_capacity(GROUP);
        let mut begun: Option<Stopwatch> = None;
        let mut company = 1.0;
        while queue.blocking_recv_many(&mut orders, GROUP) > 0 {
            let rest = begun.as_ref().and_then(|at| pause.checked_sub(at.elapsed()));
            if let Some(rest) = rest.filter(|_| company > COMPANY) {
                thread::sleep(rest);
                while orders.len() < GROUP {
                    let Ok(order) = queue.try_recv() else { break };
                    orders.push(order);
                }
            }
            company += (orders.len() as f64 - company) / 8.0;
            begun = Some(Stopwatch::start());
            let mut desk = self.lock();
            let Some(desk) = desk.as_mut() else { return };
            if desk.serve(orders.drain(..)).is_break() {
                return;
            }
        }
    }
}
