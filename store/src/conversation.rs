//! Conversations: what the owner of an inbox and whoever sent them a note say to each
//! other. The sender has no account, and nothing is kept about them: who shows the key
//! of a conversation is its sender.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::{CONVERSATION_KEPT, LINE_MAX};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::{Arrival, Delivered, NoteId};
use crate::room::{ChatId, Seq, Sign};
use crate::sealed::{Sealed, marked, unmarked};
use crate::text::{NoteText, tidy, unprintable, words};

pub mod keeping;
mod rules;

/// The id of a conversation, which the sender's browser has drawn. It is in their link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ConversationId(pub Uuid);

/// The SHA-256 of a conversation's key. Only the sender has the key.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof(pub [u8; 32]);

unprintable!(ConversationId, Proof);

words! {
    /// What is said in a line: 1 to `LINE_MAX` characters.
    LineText(Arc<str>), tidy, 1..=LINE_MAX, Code::MessageEmpty, Code::LineTooLong
}

impl LineText {
    /// A line as its side sends it.
    pub fn sent(raw: &str, is_sealed: bool) -> Result<Self, Code> {
        if is_sealed { Self::sealed(raw) } else { Self::try_from(raw) }
    }

    /// A line that its side's browser has sealed.
    pub fn sealed(raw: &str) -> Result<Self, Code> {
        Sealed::try_from(raw)?;
        Ok(Self(marked("", raw).into()))
    }

    pub fn is_sealed(&self) -> bool {
        unmarked(&self.0).is_some()
    }
}

/// The two who talk. The order is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Whose inbox the note came to.
    Owner,
    /// Who sent it.
    Sender,
}

impl Side {
    pub fn other(self) -> Self {
        match self {
            Self::Owner => Self::Sender,
            Self::Sender => Self::Owner,
        }
    }
}

/// Something that one side has said. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its number among all that has happened in the conversation.
    pub seq: Seq,
    /// The id that its side gave it: what is sent twice with one id is said once.
    pub id: ChatId,
    pub from: Side,
    pub at: Timestamp,
    /// `None` once it was unsent.
    pub text: Option<LineText>,
    /// The number of its unsending.
    pub unsent: Option<Seq>,
    /// The line that it answers, which may be unsent since.
    pub reply_to: Option<Seq>,
    /// In the order in which they came.
    pub reactions: Vec<Reaction>,
    /// The number of the last change of its reactions; 0 if there was none.
    pub reacted: Seq,
}

impl Line {
    /// The number of its last change.
    pub(crate) fn changed(&self) -> Seq {
        self.seq.max(self.reacted).max(self.unsent.unwrap_or_default())
    }
}

/// What one side thinks of a line. The order of fields is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    pub by: Side,
    pub sign: Sign,
}

/// Up to where one side has seen what the other has said. The order of fields is on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The last line that was seen.
    pub upto: Seq,
    /// The number of the change.
    pub seq: Seq,
}

/// A conversation. `rules.rs` changes it. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    pub owner: AccountId,
    /// The note that it began with.
    pub note: NoteId,
    /// The note's words.
    pub words: NoteText,
    /// The date of the note: while it waits for its batch, that is yet to come.
    pub date: Timestamp,
    pub lines: Vec<Line>,
    /// The number of the last change.
    pub last: Seq,
    /// What the owner has seen, and what the sender has seen.
    pub(crate) seen: [Mark; 2],
    /// The number of its closing, if the owner has closed it.
    pub closed: Option<Seq>,
    /// When its last line was said, or its note came.
    pub moved: Timestamp,
}

impl Conversation {
    pub fn expires(&self) -> Timestamp {
        expires(self.moved)
    }

    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// What a side has seen of the other's lines.
    pub fn seen_by(&self, side: Side) -> Mark {
        self.seen[side as usize]
    }

    /// How many lines of the other side this one has not seen.
    pub fn unread_by(&self, side: Side) -> usize {
        let seen = self.seen_by(side).upto;
        let theirs = self.lines.iter().filter(|line| line.from != side && line.text.is_some());
        theirs.filter(|line| line.seq > seen).count()
    }
}

/// When a conversation ends whose last line was said at `moved`.
pub(crate) fn expires(moved: Timestamp) -> Timestamp {
    moved.saturating_add(CONVERSATION_KEPT.as_secs())
}

/// A change that somebody asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Say {
        from: Side,
        id: ChatId,
        text: LineText,
        /// The line that it answers.
        reply_to: Option<Seq>,
    },
    /// Puts a reaction on a line, or takes it back.
    React {
        by: Side,
        line: Seq,
        sign: Sign,
        on: bool,
    },
    Unsend {
        from: Side,
        line: Seq,
    },
    /// This side has seen what the other has said, up to a number.
    See {
        by: Side,
        upto: Seq,
    },
    /// The owner lets nobody say anything more.
    Close,
}

impl Change {
    /// Who asks for it.
    pub fn by(&self) -> Side {
        match self {
            Self::Say { from: side, .. }
            | Self::React { by: side, .. }
            | Self::Unsend { from: side, .. }
            | Self::See { by: side, .. } => *side,
            Self::Close => Side::Owner,
        }
    }

    /// Whether words are taken back, so that a new key is needed.
    pub(crate) fn erases(&self) -> bool {
        matches!(self, Self::Unsend { .. })
    }
}

/// What a change has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The number of the change, and its time. Of a line that was said before: the line's.
    pub seq: Seq,
    pub at: Timestamp,
    /// Whether anything is different now.
    pub is_new: bool,
}

/// With what a sender begins a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beginning {
    pub id: ConversationId,
    pub proof: Proof,
}

/// Who may enter a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Door {
    pub owner: AccountId,
    pub proof: Proof,
}

/// A conversation as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub id: ConversationId,
    pub conversation: Arc<Conversation>,
    pub proof: Proof,
    /// Whether its owner may know of it: not if its note was held back or dropped, nor while that
    /// waits for its batch.
    pub is_shown: bool,
}

impl Found {
    /// Who may enter it. Somebody may begin another conversation with the id of one that has
    /// ended: that one has another door.
    pub fn door(&self) -> Door {
        Door { owner: self.conversation.owner, proof: self.proof }
    }
}

/// A conversation has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationChange {
    pub id: ConversationId,
    pub owner: AccountId,
    /// `None` if it has ended.
    pub now: Option<Found>,
    /// Whether its owner may know of it. Of one that has ended: whether they did.
    pub is_shown: bool,
}

/// A conversation that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    pub id: ConversationId,
    /// Whether its owner knew of it.
    pub was_shown: bool,
}

/// Hands the changes of an engine to whoever asked for them last.
#[derive(Clone, Default)]
pub struct ConversationChanges(Arc<Mutex<Option<UnboundedSender<ConversationChange>>>>);

impl ConversationChanges {
    pub fn receive(&self) -> UnboundedReceiver<ConversationChange> {
        let (changes, receiver) = unbounded_channel();
        *self.0.lock() = Some(changes);
        receiver
    }

    pub fn changed(&self, found: Found) {
        let (id, owner, is_shown) = (found.id, found.conversation.owner, found.is_shown);
        self.send(ConversationChange { id, owner, now: Some(found), is_shown });
    }

    /// Tells that conversations of one owner have ended.
    pub fn ended(&self, owner: AccountId, ended: &[Ended]) {
        for Ended { id, was_shown } in ended {
            self.send(ConversationChange { id: *id, owner, now: None, is_shown: *was_shown });
        }
    }

    /// Tells that conversations have ended with their owner's account: nobody is left on that side.
    pub fn ended_with_account(&self, owner: AccountId, ended: &[Ended]) {
        let unseen: Vec<_> = ended.iter().map(|ended| Ended { was_shown: false, ..*ended }).collect();
        self.ended(owner, &unseen);
    }

    fn send(&self, change: ConversationChange) {
        if let Some(changes) = &*self.0.lock() {
            // Nobody may want them any more.
            let _ = changes.send(change);
        }
    }
}

/// Why a conversation was not begun or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversationError {
    /// The rules don't allow it. Nothing is stored.
    Refused(Code),
    Store(StoreError),
}

impl From<StoreError> for ConversationError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Code> for ConversationError {
    fn from(code: Code) -> Self {
        Self::Refused(code)
    }
}

impl ConversationError {
    /// The code for whoever asked, where `names` says what an error of the store means.
    pub fn code(self, names: impl FnOnce(StoreError) -> Code) -> Code {
        match self {
            Self::Refused(code) => code,
            Self::Store(error) => names(error),
        }
    }
}

/// The conversations of all accounts. Each ends when one side ends it, when its owner deletes its
/// note or the account, `CONVERSATION_KEPT` after its last line, and when it gives way to another one
/// (`keeping.rs`). Then nobody can read it. It does not end because its note was held back for too
/// long, or had to make room for others: its sender would learn that it was.
#[async_trait]
pub trait Conversations: Send + Sync {
    /// The changes from here on, each once it is on disk; of one conversation in the order in
    /// which they were made. Only the last caller gets them.
    fn changes(&self) -> UnboundedReceiver<ConversationChange>;
    /// Delivers a note, as `Inbox::deliver` does, and begins a conversation with it. If one of
    /// both can't be, neither is.
    async fn begin(
        &self,
        owner: AccountId,
        arrival: Arrival,
        beginning: Beginning,
    ) -> Result<Delivered, ConversationError>;
    /// Who may enter these; those that aren't there are left out.
    async fn doors(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Door>>;
    /// These conversations as they are now; those that aren't there are left out.
    async fn find(&self, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Found>>;
    /// The numbers of the last changes of these, without those that aren't there.
    async fn lasts(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Seq>>;
    /// Those that an owner may know of, the one that moved last first, or those after `before`.
    async fn page(
        &self,
        owner: AccountId,
        before: Option<ConversationId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Found>>;
    /// Makes a change. `NotFound` when it isn't there, or its owner must not know of it yet. What
    /// was unsent, nobody can read any more when this returns.
    async fn change(&self, id: ConversationId, change: Change, now: Timestamp) -> Result<Outcome, ConversationError> {
        self.change_through(id, None, change, now).await
    }
    /// Does what `change` does, if the conversation has this door: another one may have got the id since
    /// whoever asks has come in.
    async fn change_through(
        &self,
        id: ConversationId,
        door: Option<Door>,
        change: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError>;
    /// Ends a conversation. It may have ended before. Nobody can read it any more when this
    /// returns.
    async fn remove(&self, id: ConversationId, now: Timestamp) -> Result<()> {
        self.remove_through(id, None, now).await
    }
    /// Does what `remove` does, for this side, if the conversation has this door: theirs has ended if
    /// another one has its id. `NotFound` for an owner who must not know of it.
    async fn remove_through(&self, id: ConversationId, through: Option<(Door, Side)>, now: Timestamp) -> Result<()>;
}
