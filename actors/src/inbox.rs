//! Live inboxes: a window is a socket through which an owner sees their inbox.
//! They are told of changes in the order in which the store made them, and of the
//! owner's rooms. That never waits: a window that can't keep up is disconnected, and
//! connects again.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::INBOX_SOCKETS_PER_ACCOUNT;
use annon_store::account::{AccountId, Timestamp, TokenId};
use annon_store::conversation::{ConversationId, Found};
use annon_store::inbox::{Changed, InboxChange};
use annon_store::push::{Kind, Subscriber};
use annon_store::room::RoomId;
use annon_store::wire::Wire;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::away::Away;
use crate::ids::random_id;
use crate::room::Standing;
use crate::room::frame::knocks::Knocks;
use crate::session::{self, CloseReason, EncodedFrame, Farewell, Outbox, Role};

mod batches;
pub mod frame;
mod others;

use others::News;

/// What was told last of each room; `None` if it has ended.
type Told = HashMap<RoomId, Option<Standing>>;

/// All inboxes that have an open window.
#[derive(Clone, Default)]
pub struct Inboxes {
    /// The windows of each owner, in the order in which they came.
    open: Arc<Mutex<HashMap<AccountId, Vec<Window>>>>,
    /// The other nodes; `None` if there are none.
    wire: Option<Arc<dyn Wire>>,
    /// The count of unread notes that the windows of each owner were told last, if there are
    /// other nodes.
    counts: Arc<Mutex<HashMap<AccountId, u32>>>,
    /// Owners with windows at other nodes, and for how many looks that is believed.
    watched_elsewhere: Arc<Mutex<HashMap<AccountId, u8>>>,
    /// What the windows of each owner were told last of each room, if there are other nodes: each
    /// that has the room tells.
    told: Arc<Mutex<HashMap<AccountId, Told>>>,
    pub(crate) away: Away,
}

impl Inboxes {
    pub fn new(wire: Option<Arc<dyn Wire>>) -> Self {
        Self { wire, ..Self::default() }
    }

    /// These inboxes, which also tell owners who have no page open.
    pub fn telling(self, away: Away) -> Self {
        Self { away, ..self }
    }

    /// Tells each change to its owner's windows, for as long as the server runs.
    pub async fn tell_changes(self, mut changes: UnboundedReceiver<InboxChange>) {
        while let Some(InboxChange { number, owner, unread, what }) = changes.recv().await {
            if what == Changed::Hidden {
                self.away.tell_with_batch(Subscriber::Account(owner));
                continue;
            }
            if matches!(what, Changed::Arrived(_)) {
                self.away.tell(Subscriber::Account(owner), Kind::Note);
            }
            self.note_count(owner, unread);
            self.say(|| {
                let arrived = if let Changed::Arrived(note) = &what { Some(note.id) } else { None };
                News::Changed { owner, unread, arrived, reload: what == Changed::List }
            });
            self.broadcast(owner, number, || match &what {
                Changed::Arrived(note) => frame::changed(unread, Some(note), false),
                Changed::Seen => frame::changed(unread, None, false),
                Changed::List | Changed::Hidden => frame::changed(unread, None, true),
            });
        }
    }

    pub(crate) fn is_watched_here(&self, owner: AccountId) -> bool {
        self.open.lock().contains_key(&owner)
    }

    /// Whether an owner has an open window, at any node.
    pub(crate) fn is_watched(&self, owner: AccountId) -> bool {
        self.is_watched_here(owner) || self.watched_elsewhere.lock().contains_key(&owner)
    }

    /// Whether an owner has their inbox open here, on a page that can be seen.
    pub fn is_inbox_open(&self, owner: AccountId) -> bool {
        self.open.lock().get(&owner).is_some_and(|windows| windows.iter().any(Window::is_looked_at))
    }

    /// Notes whether the page of a window can be seen.
    fn see(&self, owner: AccountId, id: Uuid, is_visible: bool) {
        self.change(owner, |windows| {
            windows.iter_mut().filter(|window| window.id == id).for_each(|window| window.is_hidden = !is_visible);
        });
    }

    /// Tells an owner's windows how one of their rooms stands now; `None` if it has ended.
    pub fn tell_room(&self, owner: AccountId, room: RoomId, standing: Option<Standing>) {
        self.tell_room_here(owner, room, standing);
        self.tell_room_elsewhere(owner, room, standing);
    }

    fn tell_room_here(&self, owner: AccountId, room: RoomId, standing: Option<Standing>) {
        if self.wire.is_some() && self.is_watched_here(owner) {
            let before = self.told.lock().entry(owner).or_default().insert(room, standing);
            if before == Some(standing) {
                return;
            }
        }
        self.broadcast(owner, u64::MAX, || frame::own_room(room, standing));
    }

    /// Tells an owner's windows who waits to be let into one of their rooms.
    pub(crate) fn tell_knocks(&self, owner: AccountId, room: RoomId, knocks: &Knocks) {
        self.broadcast(owner, u64::MAX, || knocks.frame(room));
        self.tell_knocks_elsewhere(owner, room, knocks);
    }

    /// Tells an owner's windows here how one of their conversations is now; `None` if it has
    /// ended.
    pub(crate) fn tell_conversation(
        &self,
        owner: AccountId,
        id: ConversationId,
        found: Option<&Found>,
        now: Timestamp,
    ) {
        self.broadcast(owner, u64::MAX, || frame::own_conversation(id, found, now));
    }

    /// Adds an owner's socket that isn't an inbox's, and is told nothing here. It ends with the
    /// token it was opened with, as the windows do.
    pub(crate) fn lodge(&self, owner: AccountId, id: Uuid, (token, version): (TokenId, u32), outbox: Arc<Outbox>) {
        let window = Window { id, token, version, knows: u64::MAX, is_inbox: false, is_hidden: false, outbox };
        self.open.lock().entry(owner).or_default().push(window);
    }

    /// The owners who have an open window.
    fn watchers(&self) -> Vec<AccountId> {
        self.open.lock().keys().copied().collect()
    }

    /// Ends the windows that were opened with the tokens of `which`, at all nodes.
    pub fn sign_out(&self, owner: AccountId, which: TokenFilter) {
        self.sign_out_here(owner, which);
        self.say(|| News::SignedOut { owner, which });
    }

    fn sign_out_here(&self, owner: AccountId, which: TokenFilter) {
        self.change(owner, |windows| {
            let dead = windows.extract_if(.., |window| which.include(window.token));
            dead.for_each(|window| window.outbox.finish(CloseReason::SignedOut));
        });
    }

    /// Each ends the windows of one owner, because the server ends.
    pub fn farewells(&self) -> Vec<Farewell> {
        let farewell = |owner| {
            let this = self.clone();
            let say = move || this.change(owner, Self::say_farewell);
            Box::new(say) as Farewell
        };
        self.watchers().into_iter().map(farewell).collect()
    }

    fn say_farewell(windows: &mut Vec<Window>) {
        windows.drain(..).for_each(|window| window.outbox.finish(CloseReason::ShuttingDown));
    }

    /// The number of inboxes that have an open window.
    pub fn watched(&self) -> usize {
        let open = self.open.lock();
        open.values().filter(|windows| windows.iter().any(|window| window.is_inbox)).count()
    }

    /// Sends a frame to the windows that were opened before the change with this number.
    fn broadcast(&self, owner: AccountId, number: u64, text: impl Fn() -> EncodedFrame) {
        self.change(owner, |windows| {
            // Windows that show only a conversation are many, and aren't told this.
            let mut encoded = None;
            windows.retain(|window| {
                let is_told = window.is_inbox && number > window.knows;
                !is_told || window.outbox.push(encoded.get_or_insert_with(&text)).is_continue()
            });
        });
    }

    /// Adds a window. It gets every change from here on.
    fn enter(&self, owner: AccountId, window: Window) {
        let mut open = self.open.lock();
        if window.outbox.push(&frame::ready()).is_break() {
            return;
        }
        let windows = open.entry(owner).or_default();
        if !windows.iter().any(|window| window.is_inbox) {
            self.say(|| News::Watching(vec![owner]));
        }
        windows.push(window);
        if windows.iter().filter(|window| window.is_inbox).count() > INBOX_SOCKETS_PER_ACCOUNT
            && let Some(oldest) = windows.iter().position(|window| window.is_inbox)
        {
            windows.remove(oldest).outbox.finish(CloseReason::Replaced);
        }
    }

    pub(crate) fn leave(&self, owner: AccountId, id: Uuid) {
        self.change(owner, |windows| windows.retain(|window| window.id != id));
    }

    fn change(&self, owner: AccountId, change: impl FnOnce(&mut Vec<Window>)) {
        let mut open = self.open.lock();
        if let Some(windows) = open.get_mut(&owner) {
            change(windows);
            if windows.is_empty() {
                open.remove(&owner);
                self.told.lock().remove(&owner);
            }
        }
    }
}

/// Some sockets of an account, chosen by the token that each was opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TokenFilter {
    Only(TokenId),
    AllBut(TokenId),
    All,
}

impl TokenFilter {
    fn include(self, token: TokenId) -> bool {
        match self {
            Self::Only(which) => token == which,
            Self::AllBut(spared) => token != spared,
            Self::All => true,
        }
    }
}

/// One socket, and the token it was opened with.
struct Window {
    id: Uuid,
    token: TokenId,
    /// The account's version when the token was made.
    version: u32,
    /// The last change before it was opened.
    knows: u64,
    /// Whether it shows the inbox. Others only end with their token.
    is_inbox: bool,
    /// Whether its page has been out of sight for some time, as it says itself: then its owner is away.
    is_hidden: bool,
    outbox: Arc<Outbox>,
}

impl Window {
    fn is_looked_at(&self) -> bool {
        self.is_inbox && !self.is_hidden
    }
}

/// The role of one socket of an inbox: it sends what arrives. A client can only
/// send `event.connect`, to test whether the connection still works, and `event.visible`.
pub struct Watcher {
    inboxes: Inboxes,
    owner: AccountId,
    token: TokenId,
    version: u32,
    knows: u64,
    window: Uuid,
}

impl Watcher {
    /// A window that is told of the changes after the one with the number `knows`. It was
    /// opened with a token of this version of the account.
    pub fn new(inboxes: Inboxes, owner: AccountId, (token, version): (TokenId, u32), knows: u64) -> Self {
        Self { inboxes, owner, token, version, knows, window: random_id() }
    }
}

impl Role for Watcher {
    fn opened(&mut self, outbox: Arc<Outbox>) {
        let Self { inboxes, owner, token, version, knows, window } = self;
        let (id, token, version, knows) = (*window, *token, *version, *knows);
        let window = Window { id, token, version, knows, is_inbox: true, is_hidden: false, outbox };
        inboxes.enter(*owner, window);
    }

    fn received(&mut self, text: &str) -> Option<EncodedFrame> {
        // An unknown event is ignored, so that newer pages work with older
        // servers. A text that isn't a frame is a mistake: it is refused.
        match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) {
            Ok(frame) if frame.get("event").is_some_and(|event| event == "event.connect") => Some(frame::ready()),
            Ok(frame) if frame.get("event").is_some_and(|event| event == "event.visible") => {
                if let Some(on) = frame.get("on").and_then(serde_json::Value::as_bool) {
                    self.inboxes.see(self.owner, self.window, on);
                }
                None
            }
            Ok(_) => {
                tracing::debug!("an inbox socket sent something; ignored");
                None
            }
            Err(_) => Some(session::frame::error(Code::FrameNotJson)),
        }
    }

    fn closed(&mut self) {
        self.inboxes.leave(self.owner, self.window);
    }
}
