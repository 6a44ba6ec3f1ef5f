//! What nodes tell each other of conversations: which have changed. Who hears it reads the
//! record, since no words go over the wire, where nothing destroys them. The wire may lose
//! that, so each node compares the numbers of the conversations that have a window here every
//! half minute, and when it may have missed something.

use std::time::Duration;

use annon_store::Result;
use annon_store::account::AccountId;
use annon_store::conversation::{ConversationId, Door, Side};
use annon_store::room::Seq;
use annon_store::wire::{Heard, Subject};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use super::{Conversations, Window, end};

/// How often the numbers are compared.
const LOOKS_EVERY: Duration = Duration::from_secs(30);
/// Conversations that are looked at with one question.
const AT_ONCE: usize = 256;

/// What is said. What can't be read is of inboxes, or of a later version.
#[derive(Debug, Serialize, Deserialize)]
enum Talked {
    /// A conversation of this owner has changed, or ended.
    ConversationChanged {
        id: ConversationId,
        owner: AccountId,
        /// Whether the owner may know of it; if it has ended, whether they did.
        is_shown: bool,
    },
    /// One side is writing.
    ConversationWritten { id: ConversationId, from: Side },
}

impl Conversations {
    /// Tells the other nodes, if there are any.
    pub(super) fn say_changed(&self, id: ConversationId, owner: AccountId, is_shown: bool) {
        self.say_to_others(&Talked::ConversationChanged { id, owner, is_shown });
    }

    pub(super) fn say_writing(&self, id: ConversationId, from: Side) {
        self.say_to_others(&Talked::ConversationWritten { id, from });
    }

    fn say_to_others(&self, talked: &Talked) {
        if let Some(wire) = &self.wire
            && let Ok(bytes) = serde_json::to_vec(talked)
        {
            wire.say(Subject::Everybody, bytes);
        }
    }

    /// Shows the windows here what other nodes have changed, for as long as the server runs. On
    /// one machine this ends at once.
    pub async fn hear_others(self) {
        let Some(wire) = self.wire.clone() else { return };
        let mut heard = wire.listen(Subject::Everybody);
        let mut look = self.clock.sleep(LOOKS_EVERY);
        loop {
            let has_missed = tokio::select! {
                () = &mut look => true,
                heard = heard.next() => match heard {
                    Some(Heard::Said { bytes, .. }) => {
                        match serde_json::from_slice(&bytes) {
                            Ok(Talked::ConversationChanged { id, owner, is_shown }) => {
                                self.hear_of(id, owner, is_shown).await;
                            }
                            Ok(Talked::ConversationWritten { id, from }) if self.is_open(id) => {
                                self.show_writing(id, None, from).await;
                            }
                            Ok(Talked::ConversationWritten { .. }) | Err(_) => {}
                        }
                        false
                    }
                    Some(Heard::Stale) => true,
                    Some(Heard::Silent(_)) => false,
                    None => return,
                },
            };
            if has_missed {
                look = self.clock.sleep(LOOKS_EVERY);
                if let Err(error) = self.look().await {
                    tracing::warn!(%error, "open conversations can't be compared with the record");
                }
            }
        }
    }

    async fn hear_of(&self, id: ConversationId, owner: AccountId, is_shown: bool) {
        let somebody_hears = self.is_open(id) || (is_shown && self.inboxes.is_watched_here(owner));
        if !somebody_hears {
            return;
        }
        // If it can't be read now, the next look sees it.
        let Ok(found) = self.find(id).await else { return };
        match &found {
            Some(now) if now.conversation.owner == owner => self.show(id, owner, found.as_ref(), now.is_shown),
            None => self.show(id, owner, None, is_shown),
            // It has ended, and another one has its id.
            Some(now) => {
                self.show(id, now.conversation.owner, Some(now), now.is_shown);
                if is_shown {
                    self.inboxes.tell_conversation(owner, id, None, self.clock.timestamp());
                }
            }
        }
    }

    /// Reads the conversations of which a window here knows less than there is.
    async fn look(&self) -> Result<()> {
        let known: Vec<Known> = {
            let open = self.open.lock();
            open.iter().map(|(id, windows)| Known::of(*id, windows)).collect()
        };
        for some in known.chunks(AT_ONCE) {
            let ids: Vec<_> = some.iter().map(|known| known.id).collect();
            let (lasts, doors) = (self.kept.lasts(ids.clone()).await?, self.kept.doors(ids).await?);
            let is_behind = |known: &&Known| known.is_behind(lasts.get(&known.id), doors.get(&known.id));
            let behind: Vec<_> = some.iter().filter(is_behind).map(|known| known.id).collect();
            for id in behind {
                match self.find(id).await? {
                    Some(found) => self.show(id, found.conversation.owner, Some(&found), found.is_shown),
                    None => self.change(id, end),
                }
            }
        }
        Ok(())
    }
}

/// What the windows of a conversation know of it.
struct Known {
    id: ConversationId,
    /// The number of the last change that all of them were told that have connected.
    least: Option<Seq>,
    /// Through which doors they have come in.
    doors: Vec<Door>,
}

impl Known {
    fn of(id: ConversationId, windows: &[Window]) -> Self {
        let least = windows.iter().filter_map(|window| window.known).min();
        Self { id, least, doors: windows.iter().map(|window| window.door).collect() }
    }

    /// Whether they know less than there is, or of a conversation that has ended.
    fn is_behind(&self, last: Option<&Seq>, door: Option<&Door>) -> bool {
        match (last, door) {
            (Some(last), Some(door)) => {
                self.least.is_some_and(|least| *last > least) || self.doors.iter().any(|entered| entered != door)
            }
            (None, _) | (_, None) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use annon_store::account::TokenId;
    use annon_store::conversation::{Beginning, Change, LineText, Proof};
    use annon_store::inbox::Arrival;
    use annon_store::room::ChatId;
    use annon_store::shield::Fate;
    use annon_store::text::NoteText;
    use annon_store::{Engine, Kept};
    use annon_store_memory::MemoryStore;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::clock::Clock;
    use crate::clock::stopped::{TestClock, run_until_idle};
    use crate::conversation::{Talker, Viewer, frame};
    use crate::inbox::{Inboxes, Watcher};
    use crate::rooms::tests::account;
    use crate::session::{Outbox, Role};

    const OWNER: AccountId = AccountId(Uuid::from_u128(1));
    const ID: ConversationId = ConversationId(Uuid::from_u128(2));
    const DOOR: Door = Door { owner: OWNER, proof: Proof([0; 32]) };

    struct Node {
        store: MemoryStore,
        window: Talker,
        outbox: Arc<Outbox>,
    }

    impl Node {
        /// A node where the sender looks at the conversation.
        async fn start(shared: &MemoryStore, process: usize, clock: &Arc<TestClock>) -> Self {
            let store = shared.shared_with(process);
            let inboxes = Inboxes::new(store.wire());
            let conversations = Conversations::new(&store, inboxes, clock.clone());
            actix::spawn(conversations.clone().hear_others());
            if process == 0 {
                actix::spawn(conversations.clone().tell_changes(store.conversations().changes()));
            }
            let (mut window, outbox) = (Talker::new(conversations, ID, DOOR, Viewer::Sender), Outbox::new(None));
            window.opened(outbox.clone());
            assert!(window.received(r#"{"event":"event.connect","since":0}"#).is_none());
            run_until_idle().await;
            assert_eq!(outbox.texts(), [json!({ "event": "event.ready", "last_seq": 0, "resumed": true })]);
            Self { store, window, outbox }
        }

        async fn say(&self, n: u64, clock: &TestClock) {
            let id = ChatId::try_from(format!("{n:015}")).unwrap();
            let text = LineText::try_from(&*format!("line {n}")).unwrap();
            let say = Change::Say { from: Side::Owner, id, text, reply_to: None };
            self.store.conversations().change(ID, say, clock.timestamp()).await.unwrap();
            run_until_idle().await;
        }

        /// The numbers and the words of what was told.
        fn told(&self) -> Vec<(u64, String)> {
            let told = |frame: Value| (frame["seq"].as_u64().unwrap(), frame["message"].as_str().unwrap().to_owned());
            self.outbox.texts().into_iter().map(told).collect()
        }
    }

    async fn two(clock: &Arc<TestClock>) -> (MemoryStore, [Node; 2]) {
        let shared = MemoryStore::default();
        shared.accounts().create(account(OWNER, "some-body")).await.unwrap();
        let text = NoteText::try_from("words of somebody".to_owned()).unwrap();
        let arrival = Arrival::new(text, clock.timestamp(), 1);
        let beginning = Beginning { id: ID, proof: Proof([0; 32]) };
        shared.conversations().begin(OWNER, arrival, beginning).await.unwrap();
        let nodes = [Node::start(&shared, 0, clock).await, Node::start(&shared, 1, clock).await];
        (shared, nodes)
    }

    fn line(n: u64) -> (u64, String) {
        (n, format!("line {n}"))
    }

    #[actix::test]
    async fn windows_at_another_node_are_told_what_was_said_also_when_that_is_lost_on_the_way() {
        let clock = TestClock::new();
        let (shared, [one, other]) = two(&clock).await;
        one.say(1, &clock).await;
        assert_eq!((one.told(), other.told()), (vec![line(1)], vec![line(1)]));
        shared.part(0, 1);
        for n in [2, 3] {
            one.say(n, &clock).await;
        }
        assert_eq!((one.told(), other.told()), (vec![line(2), line(3)], vec![]));
        clock.pass(LOOKS_EVERY).await;
        assert_eq!((one.told(), other.told()), (vec![], vec![line(2), line(3)]));
        shared.mend_wire();
        clock.pass(LOOKS_EVERY).await;
        assert_eq!((one.told(), other.told()), (vec![], vec![]), "nothing is told twice");
    }

    #[actix::test]
    async fn an_end_that_is_lost_on_the_way_is_seen_in_the_record_and_only_if_that_can_be_believed() {
        let clock = TestClock::new();
        let (shared, [one, other]) = two(&clock).await;
        shared.part(0, 1);
        one.store.conversations().remove(ID, clock.timestamp()).await.unwrap();
        run_until_idle().await;
        assert!(one.outbox.end().is_some() && other.outbox.end().is_none());
        shared.faults().left_behind.insert(1, Seq(0));
        clock.pass(LOOKS_EVERY).await;
        assert!(other.outbox.end().is_none(), "whoever can't be sure says nothing");
        shared.faults().left_behind.clear();
        clock.pass(LOOKS_EVERY).await;
        assert!(other.outbox.end().is_some());
        let mut window = other.window;
        window.closed();
        assert!(window.conversations.open.lock().is_empty());
    }
    #[actix::test]
    async fn whoever_gets_the_id_of_one_that_has_ended_is_not_heard_through_its_windows() {
        let clock = TestClock::new();
        let (shared, [one, mut other]) = two(&clock).await;
        shared.part(0, 1);
        one.store.conversations().remove(ID, clock.timestamp()).await.unwrap();
        let text = NoteText::try_from("words of somebody else".to_owned()).unwrap();
        let beginning = Beginning { id: ID, proof: Proof([1; 32]) };
        one.store.conversations().begin(OWNER, Arrival::new(text, clock.timestamp(), 2), beginning).await.unwrap();
        run_until_idle().await;
        assert!(one.outbox.end().is_some() && other.outbox.end().is_none(), "the other has not heard of it yet");
        let say = json!({ "event": "event.line", "id": "abcDEF123456789", "message": "is this still you?" });
        assert!(other.window.received(&say.to_string()).is_none());
        run_until_idle().await;
        let refused = other.outbox.texts();
        assert_eq!((refused.len(), &refused[0]["code"]), (1, &json!("no_such_conversation")), "{refused:?}");
        assert!(
            shared.conversations().find(vec![ID], clock.timestamp()).await.unwrap()[0].conversation.lines.is_empty()
        );
        clock.pass(LOOKS_EVERY).await;
        assert!(other.outbox.end().is_some(), "the number of its last change tells nothing");
    }

    #[actix::test]
    async fn a_window_of_one_that_had_ended_before_it_came_is_not_kept() {
        let clock = TestClock::new();
        let (shared, _) = two(&clock).await;
        shared.conversations().remove(ID, clock.timestamp()).await.unwrap();
        run_until_idle().await;
        let conversations = Conversations::new(&shared, Inboxes::new(None), clock.clone());
        let (mut late, outbox) = (Talker::new(conversations.clone(), ID, DOOR, Viewer::Sender), Outbox::new(None));
        late.opened(outbox.clone());
        run_until_idle().await;
        assert!(outbox.end().is_some() && conversations.open.lock().is_empty(), "though it has not connected");
    }

    #[actix::test]
    async fn an_owner_hears_only_of_those_that_they_may_know_of_at_every_node() {
        let clock = TestClock::new();
        let (_, [one, other]) = two(&clock).await;
        let windows = [&one, &other].map(|node| {
            let inboxes = node.window.conversations.inboxes.clone();
            let (mut watcher, outbox) = (Watcher::new(inboxes, OWNER, (TokenId(ID.0), 0), 0), Outbox::new(None));
            watcher.opened(outbox.clone());
            outbox.texts();
            (watcher, outbox)
        });
        let told = || windows.each_ref().map(|(_, outbox): &(Watcher, Arc<Outbox>)| outbox.texts());
        let text = NoteText::try_from("words that are held back".to_owned()).unwrap();
        let arrival = Arrival { fate: Fate::Held, ..Arrival::new(text, clock.timestamp(), 3) };
        let (hidden, proof) = (ConversationId(Uuid::from_u128(3)), Proof([0; 32]));
        let conversations = one.store.conversations();
        conversations.begin(OWNER, arrival, Beginning { id: hidden, proof }).await.unwrap();
        run_until_idle().await;
        conversations.remove(hidden, clock.timestamp()).await.unwrap();
        run_until_idle().await;
        assert_eq!(told(), [Vec::<Value>::new(), Vec::new()]);
        conversations.remove(ID, clock.timestamp()).await.unwrap();
        run_until_idle().await;
        let ended = json!({ "event": "event.conversation", "id": frame::id_text(ID) });
        assert_eq!(told(), [vec![ended.clone()], vec![ended]]);
    }
}
