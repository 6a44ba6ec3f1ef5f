//! Tells open windows that a batch of notes was delivered.
//!
//! Nothing depends on it: each read of an inbox works out from the clock which notes are delivered.
//! If this task is late, or never runs, a window shows the batch when it next reads its list.

use std::sync::Arc;
use std::time::Duration;

use annon_store::account::Timestamp;
use annon_store::inbox::{Inbox, Summary, next_delivery};

use crate::clock::SharedClock;
use crate::inbox::{Inboxes, frame};

/// The longest sleep of the task: the time of day can be set meanwhile.
const LOOKS_EVERY: Duration = Duration::from_secs(60);

impl Inboxes {
    /// Tells the windows of every delivery, for as long as the server runs.
    pub async fn announce_batches(self, inbox: Arc<dyn Inbox>, clock: SharedClock) {
        let mut due = next_delivery(clock.timestamp());
        loop {
            clock.sleep(Duration::from_secs(due).saturating_sub(clock.now()).min(LOOKS_EVERY)).await;
            let now = clock.timestamp();
            // The next delivery is later than `due` when that has passed, and
            // earlier when the clock was set back: that delivers batches, too.
            if next_delivery(now) != due {
                due = next_delivery(now);
                self.tell_windows(&*inbox, now).await;
            }
        }
    }

    async fn tell_windows(&self, inbox: &dyn Inbox, now: Timestamp) {
        let Ok(summaries) = inbox.summaries(self.watchers(), now).await else { return };
        // Also when no note came: an observer learns less from a window that
        // reads its list every quarter of an hour.
        for (owner, Summary { unread, .. }) in summaries.into_iter().filter(|(_, summary)| summary.in_batches) {
            self.broadcast(owner, u64::MAX, || frame::changed(unread, None, true));
        }
    }
}

#[cfg(test)]
mod tests {
    use annon_store::Kept;
    use annon_store::account::{AccountId, TokenId};
    use annon_store::inbox::Arrival;
    use annon_store_memory::MemoryStore;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::clock::Clock;
    use crate::clock::stopped::{TestClock, run_until_idle};
    use crate::inbox::Watcher;
    use crate::rooms::tests::account;
    use crate::session::{Outbox, Role};

    const ONE: AccountId = AccountId(Uuid::from_u128(1));
    const OTHER: AccountId = AccountId(Uuid::from_u128(2));

    /// What the windows of two people are sent of notes that came, when the
    /// clock is set `forward` and then `passes` passes.
    async fn received_after(forward: Duration, passes: Duration) -> [Vec<Value>; 2] {
        let (clock, store, inboxes) = (TestClock::new(), MemoryStore::default(), Inboxes::default());
        for (id, name) in [(ONE, "somebody"), (OTHER, "somebody-else")] {
            store.accounts().create(account(id, name)).await.unwrap();
        }
        let inbox = store.inbox();
        inbox.set_batches(ONE, true, clock.timestamp()).await.unwrap();
        let windows = [ONE, OTHER].map(|owner| {
            let outbox = Outbox::new(None);
            Watcher::new(inboxes.clone(), owner, (TokenId(Uuid::nil()), 0), 0).opened(outbox.clone());
            outbox
        });
        let telling = actix::spawn(inboxes.announce_batches(inbox.clone(), clock.clone()));
        for (owner, shuffle) in [(ONE, 1), (ONE, 2), (OTHER, 3)] {
            let text = "some words of a note".to_owned().try_into().unwrap();
            inbox.deliver(owner, Arrival::new(text, clock.timestamp(), shuffle)).await.unwrap();
        }
        run_until_idle().await;
        assert!(windows.iter().all(|window| window.texts() == [json!({ "event": "event.ready" })]));
        clock.step(forward);
        clock.pass(passes).await;
        telling.abort();
        windows.map(|window| window.texts())
    }

    #[actix::test]
    async fn a_window_hears_of_a_batch_when_it_is_delivered_and_not_before() {
        let now = TestClock::new().timestamp();
        let left = Duration::from_secs(next_delivery(now) - now);
        let early = received_after(Duration::ZERO, left - Duration::from_secs(1)).await;
        assert!(early.iter().all(Vec::is_empty), "{early:?}");
        let frame = json!({ "event": "event.inbox", "unread": 2, "reload": true });
        assert_eq!(received_after(Duration::ZERO, left).await, [vec![frame], vec![]], "and nobody else");
    }

    #[actix::test]
    async fn a_clock_that_was_set_forward_is_noticed_within_a_minute() {
        let received = received_after(Duration::from_secs(15 * 60), LOOKS_EVERY).await;
        assert_eq!(received.map(|received| received.len()), [1, 0]);
    }
}
