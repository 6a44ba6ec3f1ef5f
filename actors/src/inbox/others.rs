//! What nodes tell each other of inboxes. An owner's windows may be at another node than the
//! one that took a note, signed the owner out, or has a room of theirs. The wire may lose that, so each node looks at
//! the counts of the inboxes that have a window here, and at the tokens of these, every half
//! minute and when it may have missed something.

use std::sync::Arc;
use std::time::Duration;

use annon_store::Engine;
use annon_store::account::AccountId;
use annon_store::inbox::{Inbox, NoteId, Summary};
use annon_store::room::RoomId;
use annon_store::wire::{Heard, Subject};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use crate::clock::SharedClock;
use crate::inbox::{Inboxes, TokenFilter, frame};
use crate::room::Standing;
use crate::room::frame::knocks::Knocks;

/// How often the counts and the tokens are looked at.
const LOOKS_EVERY: Duration = Duration::from_secs(30);

/// After so many looks without a word of it, an owner has no windows at other nodes.
const FORGOTTEN_AFTER: u8 = 3;
/// Owners in one message.
const NAMED_AT_ONCE: usize = 100;

/// Among so many of the newest notes the one that has arrived is looked for.
const NEWEST: usize = 10;

/// What is said. What can't be read is of a later version.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum News {
    /// A note that has arrived is named, and read in the record: its words don't go over the wire,
    /// where nothing destroys them.
    Changed {
        owner: AccountId,
        unread: u32,
        arrived: Option<NoteId>,
        reload: bool,
    },
    SignedOut {
        owner: AccountId,
        which: TokenFilter,
    },
    /// These owners have windows here, and are to be told of their rooms.
    Watching(Vec<AccountId>),
    /// How a room of an owner stands; `None` if it has ended.
    Room {
        owner: AccountId,
        room: RoomId,
        standing: Option<Standing>,
    },
    /// Who waits to be let into a room of an owner.
    Knocks {
        owner: AccountId,
        room: RoomId,
        knocks: Knocks,
    },
}

impl Inboxes {
    /// Tells the other nodes, if there are any.
    pub(super) fn say(&self, news: impl FnOnce() -> News) {
        if let Some(wire) = &self.wire
            && let Ok(bytes) = serde_json::to_vec(&news())
        {
            wire.say(Subject::Everybody, bytes);
        }
    }

    /// Tells the windows here what other nodes say, for as long as the server runs. On one
    /// machine this ends at once.
    pub async fn hear_others(self, store: Arc<dyn Engine>, clock: SharedClock) {
        let Some(wire) = self.wire.clone() else { return };
        let inbox = store.inbox();
        let mut heard = wire.listen(Subject::Everybody);
        let mut look = clock.sleep(LOOKS_EVERY);
        loop {
            let has_missed = tokio::select! {
                () = &mut look => {
                    self.forget_watchers();
                    true
                }
                heard = heard.next() => match heard {
                    Some(Heard::Said { bytes, .. }) => {
                        self.hear(&bytes, &*inbox, &clock).await;
                        false
                    }
                    Some(Heard::Stale) => true,
                    Some(Heard::Silent(_)) => false,
                    None => return,
                },
            };
            if has_missed {
                look = clock.sleep(LOOKS_EVERY);
                for owners in self.watchers().chunks(NAMED_AT_ONCE) {
                    self.say(|| News::Watching(owners.to_vec()));
                }
                self.look_at_counts(&*inbox, &clock).await;
                self.look_at_tokens(&*store).await;
            }
        }
    }

    async fn hear(&self, bytes: &[u8], inbox: &dyn Inbox, clock: &SharedClock) {
        match serde_json::from_slice(bytes) {
            Ok(News::Changed { owner, unread, arrived, reload }) if self.is_watched_here(owner) => {
                self.note_count(owner, unread);
                let newest = match arrived {
                    Some(_) => inbox.page(owner, None, NEWEST, clock.timestamp()).await.map(|page| page.notes).ok(),
                    None => None,
                };
                let note = newest.iter().flatten().find(|note| Some(note.id) == arrived);
                // If it isn't among them, the owner's page asks for the list.
                let reload = reload || arrived.is_some() && note.is_none();
                self.broadcast(owner, u64::MAX, || frame::changed(unread, note, reload));
            }
            Ok(News::SignedOut { owner, which }) => self.sign_out_here(owner, which),
            Ok(News::Watching(owners)) => {
                self.watched_elsewhere.lock().extend(owners.into_iter().map(|owner| (owner, FORGOTTEN_AFTER)));
            }
            Ok(News::Room { owner, room, standing }) => self.tell_room_here(owner, room, standing),
            Ok(News::Knocks { owner, room, knocks }) => self.broadcast(owner, u64::MAX, || knocks.frame(room)),
            Ok(News::Changed { .. }) | Err(_) => {}
        }
    }

    /// Forgets owners whose windows at other nodes were not spoken of for some looks.
    fn forget_watchers(&self) {
        self.watched_elsewhere.lock().retain(|_, looks| {
            *looks -= 1;
            *looks > 0
        });
    }

    /// Tells the windows at other nodes, if there are any.
    pub(super) fn tell_room_elsewhere(&self, owner: AccountId, room: RoomId, standing: Option<Standing>) {
        if self.watched_elsewhere.lock().contains_key(&owner) {
            self.say(|| News::Room { owner, room, standing });
        }
    }

    pub(super) fn tell_knocks_elsewhere(&self, owner: AccountId, room: RoomId, knocks: &Knocks) {
        if self.watched_elsewhere.lock().contains_key(&owner) {
            self.say(|| News::Knocks { owner, room, knocks: knocks.clone() });
        }
    }

    /// Notes what the windows of an owner were told last.
    pub(super) fn note_count(&self, owner: AccountId, unread: u32) {
        if self.wire.is_some() && self.is_watched_here(owner) {
            self.counts.lock().insert(owner, unread);
        }
    }

    /// Tells windows the count, and to read their list, if they were told another one.
    async fn look_at_counts(&self, inbox: &dyn Inbox, clock: &SharedClock) {
        let watchers = self.watchers();
        let told = {
            let mut counts = self.counts.lock();
            counts.retain(|owner, _| watchers.contains(owner));
            counts.clone()
        };
        let Ok(summaries) = inbox.summaries(watchers, clock.timestamp()).await else { return };
        for (owner, Summary { unread, .. }) in summaries {
            let mut counts = self.counts.lock();
            let (before, now) = (told.get(&owner), counts.get(&owner));
            // Who was told another count meanwhile was told a newer one.
            if before == now && before != Some(&unread) {
                counts.insert(owner, unread);
                drop(counts);
                self.broadcast(owner, u64::MAX, || frame::changed(unread, None, true));
            }
        }
    }

    /// Ends windows whose token is no longer valid.
    async fn look_at_tokens(&self, store: &dyn Engine) {
        let (record, server) = (store.record(), store.record().server());
        // Those that are opened later had their tokens checked later.
        let mut windows = Vec::new();
        for (owner, theirs) in self.open.lock().iter() {
            windows.extend(theirs.iter().map(|window| (*owner, window.token, window.version)));
        }
        let owners = windows.iter().map(|(owner, ..)| *owner).collect();
        let Ok(access) = store.accounts().access_of(owners).await else { return };
        windows
            .retain(|(owner, token, version)| !access.get(owner).is_some_and(|access| access.admits(*token, *version)));
        // A page that is told this forgets its token.
        if !windows.is_empty() && record.confirm(server).await.is_ok() {
            for (owner, token, _) in windows {
                self.sign_out_here(owner, TokenFilter::Only(token));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use annon_store::Kept;
    use annon_store::account::TokenId;
    use annon_store::inbox::Arrival;
    use annon_store::room::Seq;
    use annon_store::text::NoteText;
    use annon_store_memory::MemoryStore;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::clock::stopped::{TestClock, run_until_idle};
    use crate::inbox::Watcher;
    use crate::rooms::tests::account;
    use crate::session::{Outbox, Role};

    const OWNER: AccountId = AccountId(Uuid::from_u128(1));

    fn token(n: u128) -> TokenId {
        TokenId(Uuid::from_u128(n))
    }

    struct Node {
        store: MemoryStore,
        inboxes: Inboxes,
        windows: Vec<(Watcher, Arc<Outbox>)>,
    }

    impl Node {
        /// A node with two windows of the owner, signed in with the tokens 1 and 2.
        fn start(shared: &MemoryStore, process: usize, clock: &Arc<TestClock>) -> Self {
            let store = shared.shared_with(process);
            let inboxes = Inboxes::new(store.wire());
            let windows = [1, 2].map(|n| {
                let outbox = Outbox::new(None);
                let mut watcher = Watcher::new(inboxes.clone(), OWNER, (token(n), 0), 0);
                watcher.opened(outbox.clone());
                outbox.texts();
                (watcher, outbox)
            });
            actix::spawn(inboxes.clone().hear_others(Arc::new(store.clone()), clock.clone()));
            Self { store, inboxes, windows: windows.into() }
        }

        fn told(&self) -> Vec<Value> {
            let told = self.windows.iter().map(|(_, outbox)| outbox.texts());
            told.reduce(|one, other| if one == other { one } else { panic!("{one:?} {other:?}") }).unwrap()
        }

        async fn deliver(&self, clock: &TestClock) {
            use crate::clock::Clock;
            let text = NoteText::try_from("words of somebody".to_owned()).unwrap();
            let arrival = Arrival::new(text, clock.timestamp(), 1);
            self.store.inbox().deliver(OWNER, arrival).await.unwrap();
            run_until_idle().await;
        }
    }

    #[actix::test]
    async fn windows_at_another_node_are_told_of_notes_counts_and_sign_outs() {
        let (clock, shared) = (TestClock::new(), MemoryStore::default());
        shared.accounts().create(account(OWNER, "some-body")).await.unwrap();
        let [one, other] = [0, 1].map(|process| Node::start(&shared, process, &clock));
        actix::spawn(one.inboxes.clone().tell_changes(one.store.inbox().changes()));
        run_until_idle().await;
        one.deliver(&clock).await;
        let told = other.told();
        assert_eq!(
            (told.len(), &told[0]["unread"], &told[0]["note"]["message"]),
            (1, &json!(1), &json!("words of somebody"))
        );
        assert_eq!(one.told(), told, "and so are its own");
        clock.pass(LOOKS_EVERY).await;
        assert_eq!((one.told(), other.told()), (vec![], vec![]), "the count is what they were told");
        // What is lost on the way is seen in the record.
        shared.part(0, 1);
        one.deliver(&clock).await;
        assert_eq!((one.told().len(), other.told()), (1, vec![]));
        clock.pass(LOOKS_EVERY).await;
        assert_eq!(
            (one.told(), other.told()),
            (vec![], vec![json!({ "event": "event.inbox", "unread": 2, "reload": true })])
        );
        shared.mend_wire();
        run_until_idle().await;
        assert_eq!(other.told(), [] as [Value; 0]);
        one.inboxes.sign_out(OWNER, TokenFilter::AllBut(token(2)));
        run_until_idle().await;
        for node in [&one, &other] {
            let ends: Vec<_> = node.windows.iter().map(|(_, outbox)| outbox.end().is_some()).collect();
            assert_eq!(ends, [true, false]);
        }
    }

    #[actix::test]
    async fn a_sign_out_that_is_lost_on_the_way_is_seen_in_the_record() {
        let (clock, shared) = (TestClock::new(), MemoryStore::default());
        shared.accounts().create(account(OWNER, "some-body")).await.unwrap();
        let node = Node::start(&shared, 0, &clock);
        let ends = || node.windows.iter().map(|(_, outbox)| outbox.end().is_some()).collect::<Vec<_>>();
        clock.pass(LOOKS_EVERY).await;
        assert_eq!(ends(), [false, false]);
        shared.accounts().revoke(OWNER, token(1), u64::MAX, 0).await.unwrap();
        // Whoever can't be sure says nothing.
        shared.faults().left_behind.insert(0, Seq(0));
        clock.pass(LOOKS_EVERY).await;
        assert_eq!(ends(), [false, false]);
        shared.faults().left_behind.clear();
        clock.pass(LOOKS_EVERY).await;
        assert_eq!(ends(), [true, false]);
        shared.accounts().delete(OWNER).await.unwrap();
        clock.pass(LOOKS_EVERY).await;
        assert_eq!(ends(), [true, true]);
    }
}
