//! Live inboxes: an actor per user with an open inbox. The call that has stored
//! a note tells it.
//!
//! [`Inboxes`] is the one handle; callers never hold an actor's address. An
//! actor starts with its user's first socket and stops with the last.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix::{Actor, ActorContext, Addr, AsyncContext, Context, Handler, Message};
use annon_contract::limits::INBOX_SOCKETS_PER_ACCOUNT;
use annon_store::account::{AccountId, TokenId};
use annon_store::inbox::Note;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::session::{Goodbye, Outbox, Text};

mod batches;
pub mod frame;
mod role;

pub use role::Watcher;

/// Messages that may wait for one inbox.
const MAILBOX: usize = 64;
/// News that may wait for one inbox: as much as a crowd can send at once.
const NEWS: usize = 1024;

type Registry = Arc<Mutex<HashMap<AccountId, Entry>>>;

/// An inbox that has, or is about to have, windows.
struct Entry {
    inbox: Addr<InboxActor>,
    news: Arc<News>,
    /// Windows on their way to it; it must not stop meanwhile.
    coming: usize,
}

/// What has happened to an inbox since its windows were last told. A crowd
/// that sends at once fills this, and not the mailbox.
#[derive(Default)]
struct News {
    waiting: Mutex<Vec<Text>>,
    /// Something found no place, so what the windows show is stale.
    missed: AtomicBool,
}

/// Every inbox somebody is looking at.
#[derive(Clone, Default)]
pub struct Inboxes {
    open: Registry,
}

impl Inboxes {
    /// A note was stored: shows it to its owner, if they are looking.
    pub fn note_arrived(&self, owner: AccountId, note: &Note, unread: u32) {
        self.show(owner, || frame::arrived(note, unread));
    }

    /// The count has changed: tells the owner's windows.
    pub fn unread_changed(&self, owner: AccountId, unread: u32) {
        self.show(owner, || frame::counted(unread));
    }

    /// The list has changed otherwise: has the owner's windows read it anew.
    pub fn list_changed(&self, owner: AccountId, unread: u32) {
        self.show(owner, || frame::changed(unread));
    }

    /// Ends the windows that were opened with some tokens.
    pub fn sign_out(&self, owner: AccountId, which: Tokens) {
        self.tell(owner, SignOut(which));
    }

    /// Ends every window, since the server does.
    pub fn shut_down(&self) {
        for entry in self.open.lock().values() {
            // One that can't even take this is cut off with the process.
            let _ = entry.inbox.try_send(ShutDown);
        }
    }

    /// How many people are looking at their inbox.
    pub fn watched(&self) -> usize {
        self.open.lock().len()
    }

    fn find(&self, owner: AccountId) -> Option<(Addr<InboxActor>, Arc<News>)> {
        self.open.lock().get(&owner).map(|entry| (entry.inbox.clone(), entry.news.clone()))
    }

    fn show(&self, owner: AccountId, text: impl FnOnce() -> Text) {
        let Some((inbox, news)) = self.find(owner) else { return };
        let mut waiting = news.waiting.lock();
        if waiting.len() == NEWS {
            news.missed.store(true, Ordering::Relaxed);
            return;
        }
        waiting.push(text());
        // The first frame in the queue wakes the actor for all of them.
        if waiting.len() == 1 && inbox.try_send(Show).is_err() {
            news.missed.store(true, Ordering::Relaxed);
        }
    }

    fn tell<M>(&self, owner: AccountId, message: M)
    where
        M: Message<Result = ()> + Send + 'static,
        InboxActor: Handler<M>,
    {
        let Some((inbox, news)) = self.find(owner) else { return };
        if inbox.try_send(message).is_err() {
            news.missed.store(true, Ordering::Relaxed);
        }
    }

    /// A window opens. Called on the thread its socket lives on, and the
    /// inbox will live there too when this is its first.
    fn enter(&self, owner: AccountId, window: Window) {
        let mut open = self.open.lock();
        let entry = open.entry(owner).or_insert_with(|| {
            let news = Arc::<News>::default();
            let inbox = InboxActor { owner, open: self.open.clone(), news: news.clone(), windows: Vec::new() };
            Entry { inbox: inbox.start(), news, coming: 0 }
        });
        match entry.inbox.try_send(Enter(window)) {
            Ok(()) => entry.coming += 1,
            // It is overrun or dead. It gives up its place, and its windows
            // come back to a new one, like this one.
            Err(_) => {
                entry.news.missed.store(true, Ordering::Relaxed);
                open.remove(&owner);
            }
        }
    }

    fn leave(&self, owner: AccountId, window: Uuid) {
        self.tell(owner, Leave(window));
    }
}

/// Which sockets of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    /// Those opened with this token.
    Only(TokenId),
    /// All but those opened with this token.
    AllBut(TokenId),
    /// All of them.
    All,
}

impl Tokens {
    fn include(self, token: TokenId) -> bool {
        match self {
            Self::Only(which) => token == which,
            Self::AllBut(spared) => token != spared,
            Self::All => true,
        }
    }
}

/// One socket, and the sign-in it was opened with. When it is dropped without
/// a close reason, its client connects again.
struct Window {
    id: Uuid,
    token: TokenId,
    outbox: Outbox,
}

impl Drop for Window {
    fn drop(&mut self) {
        self.outbox.end(Goodbye::TooSlow);
    }
}

/// A window opens.
#[derive(Message)]
#[rtype(result = "()")]
struct Enter(Window);

/// A window is gone.
#[derive(Message)]
#[rtype(result = "()")]
struct Leave(Uuid);

/// Tells the actor that frames are waiting.
#[derive(Message)]
#[rtype(result = "()")]
struct Show;

/// Some tokens are dead now.
#[derive(Message)]
#[rtype(result = "()")]
struct SignOut(Tokens);

/// The server ends.
#[derive(Message)]
#[rtype(result = "()")]
struct ShutDown;

/// One user's open inbox.
struct InboxActor {
    owner: AccountId,
    open: Registry,
    news: Arc<News>,
    windows: Vec<Window>,
}

impl InboxActor {
    /// After every message: windows that may have missed something are closed,
    /// so that they start again, and an inbox without a window stops.
    fn settle(&mut self, context: &mut Context<Self>) {
        if self.news.missed.swap(false, Ordering::Relaxed) {
            self.news.waiting.lock().clear();
            self.windows.clear();
        }
        if self.windows.is_empty() {
            let mut open = self.open.lock();
            match open.get(&self.owner) {
                Some(entry) if entry.inbox == context.address() => {
                    if entry.coming > 0 {
                        return;
                    }
                    open.remove(&self.owner);
                }
                // Another has taken its place.
                _ => {}
            }
            context.stop();
        }
    }
}

impl Actor for InboxActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX);
    }
}

impl Handler<Enter> for InboxActor {
    type Result = ();

    fn handle(&mut self, Enter(window): Enter, context: &mut Self::Context) {
        // Another may have taken its place, and counts its own.
        if let Some(entry) = self.open.lock().get_mut(&self.owner).filter(|entry| entry.inbox == context.address()) {
            entry.coming -= 1;
        }
        if self.windows.len() >= INBOX_SOCKETS_PER_ACCOUNT {
            // The one that was forgotten longest ago makes room.
            self.windows.remove(0).outbox.end(Goodbye::Replaced);
        }
        if window.outbox.push(&frame::ready()).is_continue() {
            self.windows.push(window);
        }
        self.settle(context);
    }
}

impl Handler<Leave> for InboxActor {
    type Result = ();

    fn handle(&mut self, Leave(id): Leave, context: &mut Self::Context) {
        self.windows.retain(|window| window.id != id);
        self.settle(context);
    }
}

impl Handler<Show> for InboxActor {
    type Result = ();

    fn handle(&mut self, _: Show, context: &mut Self::Context) {
        let texts = std::mem::take(&mut *self.news.waiting.lock());
        self.windows.retain(|window| window.outbox.push_all(&texts).is_continue());
        self.settle(context);
    }
}

impl Handler<SignOut> for InboxActor {
    type Result = ();

    fn handle(&mut self, SignOut(which): SignOut, context: &mut Self::Context) {
        let dead = self.windows.extract_if(.., |window| which.include(window.token));
        dead.for_each(|window| window.outbox.end(Goodbye::SignedOut));
        self.settle(context);
    }
}

impl Handler<ShutDown> for InboxActor {
    type Result = ();

    fn handle(&mut self, _: ShutDown, context: &mut Self::Context) {
        self.windows.drain(..).for_each(|window| window.outbox.end(Goodbye::ShuttingDown));
        self.settle(context);
    }
}
