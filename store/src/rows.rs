//! The seam between what is kept and how it is kept. An engine keeps rows: bytes under keys, of
//! which most are sealed with the key of an owner. A noun is written once, over an open transaction
//! of rows (`nouns`), and knows no engine.
//!
//! The code of a noun is asynchronous because some engines have to ask another machine. An engine
//! that has all rows at hand polls it once.

use std::sync::Arc;

use futures_util::FutureExt;
use zeroize::Zeroizing;

use crate::account::AccountId;
use crate::conversation::{Conversation, ConversationId, Ended, Found};
use crate::error::{Result, StoreError};
use crate::inbox::Changed;
use crate::nouns::Common;
use crate::nouns::conversation::record::Stored;
use crate::seals::keyring::Owner;
use crate::shapes::{Record, decode, encode};
use crate::table::{Table, end_of};

/// Rows that are read together where all of many are read.
const AT_ONCE: usize = 256;

/// A key, and its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// What a call does to the space on the disk, and so whether a full disk refuses
/// the call. What needs most space comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The call adds data. A nearly full disk refuses it.
    Grows,
    /// The call replaces data. A full disk refuses it.
    Replaces,
    /// The call deletes, or lets somebody go. Space is kept for that.
    Shrinks,
}

/// Keys that follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The first key that may be met.
    pub from: Vec<u8>,
    /// The first key behind them.
    pub to: Vec<u8>,
    /// Whether the last ones come first.
    pub is_backwards: bool,
}

impl Span {
    /// The keys from `from`, before `to`.
    pub(crate) fn new(from: Vec<u8>, to: Vec<u8>) -> Self {
        Self { from, to, is_backwards: false }
    }

    /// The keys that begin with `prefix`.
    pub(crate) fn under(prefix: &[u8]) -> Self {
        Self::new(prefix.to_vec(), end_of(prefix))
    }

    /// The same keys, the last ones first.
    pub(crate) fn backwards(self) -> Self {
        Self { is_backwards: true, ..self }
    }

    /// What is left of it when all keys up to this one were met.
    pub(crate) fn behind(self, key: &[u8]) -> Self {
        if self.is_backwards {
            return Self { to: key.to_vec(), ..self };
        }
        Self { from: [key, &[0]].concat(), ..self }
    }
}

/// What will be read in any case. An engine that has to ask another machine asks for all of it at once.
#[derive(Debug, Clone, Default)]
pub struct Wants {
    pub(crate) rows: Vec<Vec<u8>>,
    pub(crate) spans: Vec<WantedSpan>,
    pub(crate) behind: Option<Behind>,
}

/// A row that names an id, and of which tables this id's row is wanted, with what follows the id.
#[derive(Debug, Clone)]
pub(crate) struct Behind {
    pub(crate) at: Vec<u8>,
    pub(crate) tables: Vec<(Table, Vec<u8>)>,
}

/// The first pairs of a span, and what stands under the same keys in other tables.
#[derive(Debug, Clone)]
pub(crate) struct WantedSpan {
    pub(crate) span: Span,
    pub(crate) limit: usize,
    pub(crate) beside: Vec<Table>,
}

impl Wants {
    pub(crate) fn rows(rows: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { rows: rows.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.spans.is_empty() && self.behind.is_none()
    }

    pub(crate) fn absorb(&mut self, more: Self) {
        self.rows.extend(more.rows);
        self.spans.extend(more.spans);
        self.behind = self.behind.take().or(more.behind);
    }

    /// These wants, and all rows of some spans.
    pub(crate) fn with_spans(mut self, spans: impl IntoIterator<Item = Span>) -> Self {
        self.spans.extend(spans.into_iter().map(|span| WantedSpan { span, limit: usize::MAX, beside: Vec::new() }));
        self
    }

    /// The first pairs of a span, with what stands under the same keys in other tables.
    pub(crate) fn page(span: Span, limit: usize, beside: Vec<Table>) -> Self {
        Self { spans: vec![WantedSpan { span, limit, beside }], ..Self::default() }
    }
}

/// Rows that can be read.
pub trait Reads: Send + Sync {
    /// Has at hand what will be read next. Only speed depends on it.
    fn fetch(&self, _wants: Wants) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }
    /// The value of a key.
    fn get(&self, at: &[u8]) -> impl Future<Output = Result<Option<Vec<u8>>>> + Send;
    /// The first pairs of a span, at most `limit`.
    fn range(&self, span: Span, limit: usize) -> impl Future<Output = Result<Vec<Pair>>> + Send;
    /// Opens what was sealed to a place; `None` when its key is destroyed.
    fn unseal(&self, at: &[u8], sealed: &[u8]) -> impl Future<Output = Result<Option<Zeroizing<Vec<u8>>>>> + Send;
    /// A conversation as it is now, if the engine has it in memory.
    fn recent(&self, _id: ConversationId) -> Option<Arc<Conversation>> {
        None
    }
}

/// An open transaction. It sees what it has changed; nobody else does before the call is done, and
/// nobody ever does if the call is refused.
pub trait Rows: Reads {
    fn put(&mut self, at: Vec<u8>, value: Vec<u8>);
    fn remove(&mut self, at: Vec<u8>);
    /// Seals something to a place, with its owner's newest key. `NotFound` when the owner is gone.
    fn seal(&mut self, owner: Owner, at: &[u8], plain: &[u8]) -> impl Future<Output = Result<Vec<u8>>> + Send;
    /// Whether an owner has a key for new records.
    fn has_key(&self, owner: Owner) -> impl Future<Output = Result<bool>> + Send;
    /// Makes the first key of a new owner, or the next key of an old one.
    fn new_key(&mut self, owner: Owner) -> impl Future<Output = Result<()>> + Send;
    /// Does the same, and destroys the one before once this call is done.
    fn replace_key(&mut self, owner: Owner) -> impl Future<Output = Result<()>> + Send;
    /// Destroys every key that an owner has, once this call is done.
    fn destroy_keys(&mut self, owner: Owner) -> impl Future<Output = Result<()>> + Send;
    /// How many accounts there are.
    fn accounts(&self) -> impl Future<Output = Result<usize>> + Send;
    /// Locks more rows, of which a call knows only after it has read others. An engine may begin the call anew with
    /// these locks, too: so every call takes its locks in one order, and reads what they guard after that.
    fn lock(&mut self, _rows: Vec<Vec<u8>>) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }
    /// Ends the rooms of an account, which no noun keeps.
    fn end_rooms_of(&mut self, owner: AccountId) -> impl Future<Output = Result<()>> + Send;
    /// Tells something to whoever listens, once this call is done and before its caller is answered.
    fn tell(&mut self, told: Told);

    /// Takes a conversation out of the engine's memory, as this transaction has left it: `None` in it if it has ended.
    fn take_recent(&mut self, _id: ConversationId) -> Option<Option<Stored>> {
        None
    }
    /// Puts one into the engine's memory that has changed, or has ended.
    fn keep_recent(&mut self, _id: ConversationId, _now: Option<Stored>) {}
    /// Puts one back that was taken and has not changed.
    fn leave_recent(&mut self, _id: ConversationId, _stored: Stored) {}
}

/// What whoever listens is told.
#[derive(Debug, Clone)]
pub enum Told {
    Inbox {
        owner: AccountId,
        unread: u32,
        what: Changed,
    },
    Conversation(Found),
    /// Conversations of one owner have ended; with the account, or without it.
    Ended {
        owner: AccountId,
        ended: Vec<Ended>,
        with_account: bool,
    },
}

/// A call of a noun that changes something.
pub trait Call: Send + Sync + 'static {
    type Out: Send + Sync + 'static;
    /// Why it was refused. Then it has changed nothing.
    type Error: From<StoreError> + Send + Sync + 'static;

    /// What every such call does to the space on the disk.
    const EFFECT: Effect;
    /// Whether an engine may do it in one transaction with others that wait: it is short, and reads little but what
    /// it says that it wants.
    const TOGETHER: bool = false;

    /// What this one does.
    fn effect(&self) -> Effect {
        Self::EFFECT
    }
    /// Rows that it changes. Of two calls that name rows with one guard (`table::guard_of`), where several engines
    /// have the same rows, one waits for the other.
    fn locks(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// What it will read besides. Only speed depends on it.
    fn wants(&self) -> Wants {
        Wants::default()
    }
    /// Owners who get a key by it. An engine whose keys are elsewhere makes them before it locks anything.
    fn births(&self) -> Vec<Owner> {
        Vec::new()
    }
    /// A row that nothing but this call makes, and what the call returns when it has: so it can be found out whether
    /// it is done when the answer of a commit was lost.
    fn made(&self) -> Option<(Vec<u8>, Self::Out)> {
        None
    }
    /// Does it. It may be done again from the beginning, so it has no effect but on the rows.
    fn run<R: Rows>(&self, rows: &mut R) -> impl Future<Output = Result<Self::Out, Self::Error>> + Send;
}

/// What keeps rows. Its clones are handles to the same rows.
pub trait Keep: Clone + Send + Sync + 'static {
    /// Does a call. What it has changed is on disk then.
    fn call<C: Call>(&self, call: C) -> impl Future<Output = Result<C::Out, C::Error>> + Send;
    /// Rows as they are now.
    fn look(&self) -> impl Reads + use<Self>;
    /// What this engine's nouns have in common.
    fn common(&self) -> &Arc<Common>;
    /// How many accounts are allowed.
    fn most_accounts(&self) -> usize {
        usize::MAX
    }
    /// Whether there are as many, as far as it is known here.
    fn are_enough(&self) -> bool {
        false
    }
}

/// The result of work that waits for nobody, because all rows are at hand.
pub fn at_once<T, E: From<StoreError>>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let done = work.now_or_never();
    invariant!(done.is_some(), "nothing is waited for where all rows are at hand");
    done.unwrap_or_else(|| Err(StoreError::Unavailable.into()))
}

/// Records, as nouns read them.
pub(crate) trait ReadRecords: Reads {
    fn has(&self, at: &[u8]) -> impl Future<Output = Result<bool>> + Send {
        async { Ok(self.get(at).await?.is_some()) }
    }

    /// Everything under a prefix, in the order of keys.
    fn under(&self, prefix: &[u8]) -> impl Future<Output = Result<Vec<Pair>>> + Send {
        self.range(Span::under(prefix), usize::MAX)
    }

    /// All keys of a span. Its values, which may be large, are never in memory together.
    fn keys(&self, span: Span) -> impl Future<Output = Result<Vec<Vec<u8>>>> + Send {
        async move {
            let (mut keys, mut span) = (Vec::new(), span);
            loop {
                let some = self.range(span.clone(), AT_ONCE).await?;
                let is_end = some.len() < AT_ONCE;
                if let Some((last, _)) = some.last() {
                    span = span.behind(last);
                }
                keys.extend(some.into_iter().map(|(at, _)| at));
                if is_end {
                    return Ok(keys);
                }
            }
        }
    }

    /// A record that is not sealed.
    fn record<T: Record>(&self, at: &[u8]) -> impl Future<Output = Result<Option<T>>> + Send {
        async { self.get(at).await?.map(|bytes| decode(&bytes)).transpose() }
    }

    /// A sealed record; `None` also when its key is destroyed.
    fn sealed<T: Record>(&self, at: &[u8]) -> impl Future<Output = Result<Option<T>>> + Send {
        async {
            let Some(sealed) = self.get(at).await? else { return Ok(None) };
            if let Some(record) = self.open(at, &sealed).await? {
                return Ok(Some(record));
            }
            // It may have got another key after it was read.
            match self.get(at).await? {
                Some(now) if now != sealed => self.open(at, &now).await,
                Some(_) | None => Ok(None),
            }
        }
    }

    /// Opens a sealed record that was read before; `None` when its key is destroyed.
    fn open<T: Record>(&self, at: &[u8], sealed: &[u8]) -> impl Future<Output = Result<Option<T>>> + Send {
        async { self.unseal(at, sealed).await?.map(|plain| decode(&plain)).transpose() }
    }

    /// The first sealed records of a span, at most `limit`, with their keys. One that was just deleted or can't
    /// be read is passed over. How many can't be read is logged, with this name of their kind.
    fn page_of<T: Record + Send>(
        &self,
        kind: &'static str,
        span: Span,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<(Vec<u8>, T)>>> + Send {
        async move {
            let (mut page, mut unreadable, mut span) = (Vec::new(), 0, span);
            while page.len() < limit {
                let wanted = limit - page.len();
                let pairs = self.range(span.clone(), wanted).await?;
                let is_end = pairs.len() < wanted;
                if let Some((last, _)) = pairs.last() {
                    span = span.behind(last);
                }
                for (at, sealed) in pairs {
                    match self.open(&at, &sealed).await {
                        Ok(record) => page.extend(record.map(|record| (at, record))),
                        Err(StoreError::Corrupt) => unreadable += 1,
                        Err(error) => return Err(error),
                    }
                }
                if is_end {
                    break;
                }
            }
            if unreadable > 0 {
                tracing::error!(kind, count = unreadable, "records that can't be read were passed over");
            }
            Ok(page)
        }
    }
}

impl<R: Reads> ReadRecords for R {}

/// Records, as nouns change them.
pub(crate) trait PutRecords: Rows {
    fn put_record<T: Record>(&mut self, at: Vec<u8>, record: &T) -> Result<()> {
        self.put(at, encode(record)?);
        Ok(())
    }

    /// Stores a record, sealed with its owner's key. `NotFound` when the owner is gone.
    fn put_sealed<T: Record + Sync>(
        &mut self,
        owner: Owner,
        at: Vec<u8>,
        record: &T,
    ) -> impl Future<Output = Result<()>> + Send {
        async move {
            let plain = Zeroizing::new(encode(record)?);
            let sealed = self.seal(owner, &at, &plain).await?;
            self.put(at, sealed);
            Ok(())
        }
    }
}

impl<R: Rows> PutRecords for R {}
