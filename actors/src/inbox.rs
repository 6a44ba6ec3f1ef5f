//! Live inboxes: an actor per signed-in user who is looking, fed by whoever
//! has stored a note.
//!
//! [`Inboxes`] is the one handle; callers never hold an actor's address. An
//! actor starts with its user's first socket and stops with the last.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::{Actor, ActorContext, Addr, AsyncContext, Context, Handler, Message};
use annon_store::account::{AccountId, TokenId};
use annon_store::inbox::Note;
use annon_store::limits::INBOX_SOCKETS_PER_ACCOUNT;
use uuid::Uuid;

use crate::session::{Goodbye, Outbox, Text};

pub mod frame;
mod role;

pub use role::Watcher;

/// Frames that may wait for one inbox.
const MAILBOX: usize = 64;

type Registry = Arc<Mutex<HashMap<AccountId, Entry>>>;

/// An inbox that has, or is about to have, windows.
struct Entry {
    inbox: Addr<InboxActor>,
    /// Something could not be queued, so what its windows show is stale.
    missed: Arc<AtomicBool>,
    /// Windows on their way to it; it must not stop meanwhile.
    coming: usize,
}

/// Every inbox somebody is looking at.
#[derive(Clone, Default)]
pub struct Inboxes {
    open: Registry,
}

impl Inboxes {
    /// A note was stored: shows it to its owner, if they are looking.
    pub fn note_arrived(&self, owner: AccountId, note: &Note, unread: u32) {
        self.tell(owner, || Show(frame::arrived(note, unread).into()));
    }

    /// The count has changed: tells the owner's windows.
    pub fn unread_changed(&self, owner: AccountId, unread: u32) {
        self.tell(owner, || Show(frame::counted(unread).into()));
    }

    /// Ends the windows that were opened with some tokens.
    pub fn sign_out(&self, owner: AccountId, which: Tokens) {
        self.tell(owner, || SignOut(which));
    }

    /// Ends every window, since the server does.
    pub fn shut_down(&self) {
        for entry in lock(&self.open).values() {
            // One that can't even take this is cut off with the process.
            let _ = entry.inbox.try_send(ShutDown);
        }
    }

    /// How many people are looking at their inbox.
    pub fn watched(&self) -> usize {
        lock(&self.open).len()
    }

    fn tell<M>(&self, owner: AccountId, message: impl FnOnce() -> M)
    where
        M: Message<Result = ()> + Send + 'static,
        InboxActor: Handler<M>,
    {
        let open = lock(&self.open);
        let Some((inbox, missed)) = open.get(&owner).map(|entry| (entry.inbox.clone(), entry.missed.clone())) else {
            return;
        };
        drop(open);
        if inbox.try_send(message()).is_err() {
            missed.store(true, Ordering::Relaxed);
        }
    }

    /// A window opens. Called on the thread its socket lives on, and the
    /// inbox will live there too when this is its first.
    fn enter(&self, owner: AccountId, window: Window) {
        let mut open = lock(&self.open);
        let entry = open.entry(owner).or_insert_with(|| {
            let missed = Arc::<AtomicBool>::default();
            let inbox = InboxActor { owner, open: self.open.clone(), missed: missed.clone(), windows: Vec::new() };
            Entry { inbox: inbox.start(), missed, coming: 0 }
        });
        let outbox = window.outbox.clone();
        match entry.inbox.try_send(Enter(window)) {
            Ok(()) => entry.coming += 1,
            // It is overrun or dead. It gives up its place, and its windows
            // come back to a new one, like this one.
            Err(_) => {
                entry.missed.store(true, Ordering::Relaxed);
                open.remove(&owner);
                outbox.end(Goodbye::TooSlow);
            }
        }
    }

    fn leave(&self, owner: AccountId, window: Uuid) {
        self.tell(owner, || Leave(window));
    }
}

fn lock(open: &Registry) -> MutexGuard<'_, HashMap<AccountId, Entry>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
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

/// One socket, and the sign-in it was opened with.
struct Window {
    id: Uuid,
    token: TokenId,
    outbox: Outbox,
}

/// A window opens.
#[derive(Message)]
#[rtype(result = "()")]
struct Enter(Window);

/// A window is gone.
#[derive(Message)]
#[rtype(result = "()")]
struct Leave(Uuid);

/// Every window shows this.
#[derive(Message)]
#[rtype(result = "()")]
struct Show(Text);

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
    missed: Arc<AtomicBool>,
    windows: Vec<Window>,
}

impl InboxActor {
    /// After every message: whoever may have missed something starts anew,
    /// and an inbox nobody looks at stops.
    fn settle(&mut self, context: &mut Context<Self>) {
        if self.missed.swap(false, Ordering::Relaxed) {
            self.windows.drain(..).for_each(|window| window.outbox.end(Goodbye::TooSlow));
        }
        if self.windows.is_empty() {
            let mut open = lock(&self.open);
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
        if let Some(entry) = lock(&self.open).get_mut(&self.owner) {
            entry.coming -= 1;
        }
        if self.windows.len() >= INBOX_SOCKETS_PER_ACCOUNT {
            // The one that was forgotten longest ago makes room.
            self.windows.remove(0).outbox.end(Goodbye::Replaced);
        }
        if window.outbox.push(frame::ready().into()).is_continue() {
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

    fn handle(&mut self, Show(text): Show, context: &mut Self::Context) {
        self.windows.retain(|window| window.outbox.push(text.clone()).is_continue());
        self.settle(context);
    }
}

impl Handler<SignOut> for InboxActor {
    type Result = ();

    fn handle(&mut self, SignOut(which): SignOut, context: &mut Self::Context) {
        let dead = self.windows.extract_if(.., |window| which.include(window.token));
        dead.for_each(|window| window.outbox.close("signed-out", Goodbye::SignedOut));
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
