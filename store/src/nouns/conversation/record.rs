//! How a conversation is stored: a row for what all of it has in common, which is its head, and one for each line.
//! A change writes one of them.

use std::sync::Arc;

use crate::conversation::{Change, Conversation, ConversationId};
use crate::error::Result;
use crate::rows::{PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::Record;
use crate::shapes::conversation::older::AdditionRecord;
use crate::shapes::conversation::{DoorRecord, HeadRecord, LineRecord, Standing};
use crate::table::{beside_conversation, conversation_key, line_key, sender_push_key};

/// How often the rows of a conversation are read again if it has changed while they were read.
const TRIES: usize = 32;

/// A conversation as it is now.
#[derive(Debug, Clone)]
pub struct Stored {
    pub(crate) conversation: Arc<Conversation>,
    /// Whether an older version has written it.
    is_older: bool,
    /// Its door, once that was read.
    pub(super) door: Option<DoorRecord>,
    /// Whether its owner is known to see its note. Then they see it to the end.
    pub(super) is_shown: bool,
}

/// What of a conversation is written.
pub(super) enum Anew {
    Head,
    /// The line that the change was about.
    Line,
    All,
}

impl Anew {
    /// What is different after a change.
    pub(super) fn after(change: &Change) -> Self {
        match change {
            Change::Say { .. } | Change::React { .. } => Self::Line,
            Change::See { .. } | Change::Close => Self::Head,
            // Older files still have the words, so all of it has got a new key.
            Change::Unsend { .. } => Self::All,
        }
    }
}

/// All rows of conversations.
pub(super) fn wants(ids: impl IntoIterator<Item = ConversationId> + Clone) -> Wants {
    let beside = ids.clone().into_iter().flat_map(beside_conversation);
    Wants::rows(ids.into_iter().map(conversation_key)).with_spans(beside.map(|beside| Span::under(&beside)))
}

/// A conversation, and whether its rows were read as one change has left them.
async fn read<R: Reads>(rows: &R, id: ConversationId) -> Result<Option<(Stored, bool)>> {
    let at = conversation_key(id);
    let Some(mut head) = rows.sealed::<HeadRecord>(&at).await? else { return Ok(None) };
    let [lines_at, additions_at] = beside_conversation(id);
    let is_older = head.older.is_some();
    let (conversation, is_of_one_moment) = match head.older.take() {
        None => {
            let (lines, have_keys) = opened::<LineRecord, _>(rows, &lines_at).await?;
            let (conversation, is_of_one_moment) = head.with(lines);
            (conversation, is_of_one_moment && have_keys)
        }
        Some(lines) => {
            let (additions, have_keys) = opened(rows, &additions_at).await?;
            let now: Option<HeadRecord> = rows.sealed(&at).await?;
            let is_still_older = now.is_some_and(|now| now.older.is_some());
            (AdditionRecord::add_all(head, lines, additions), is_still_older && have_keys)
        }
    };
    let conversation = Arc::new(conversation);
    Ok(Some((Stored { conversation, is_older, door: None, is_shown: false }, is_of_one_moment)))
}

/// All sealed records under a prefix, and whether each had its key: one without it has got another one meanwhile, and
/// those that are left may look like an earlier moment.
async fn opened<T: Record + Send, R: Reads>(rows: &R, prefix: &[u8]) -> Result<(Vec<T>, bool)> {
    let (mut all, mut have_keys) = (Vec::new(), true);
    for (at, sealed) in rows.under(prefix).await? {
        match rows.open(&at, &sealed).await? {
            Some(record) => all.push(record),
            None => have_keys = false,
        }
    }
    Ok((all, have_keys))
}

/// A conversation as it is now; `None` if it is not there, or its key is destroyed.
pub(super) async fn look_at<R: Reads>(rows: &R, id: ConversationId) -> Result<Option<Arc<Conversation>>> {
    if let Some(recent) = rows.recent(id) {
        return Ok(Some(recent));
    }
    let (mut found, mut was_gone) = (None, false);
    for _ in 0..TRIES {
        found = read(rows, id).await?;
        match &found {
            Some((_, true)) => break,
            None if was_gone => break,
            // It has changed, or ended, or got another key.
            Some((_, false)) | None => rows.fetch(wants([id])).await?,
        }
        was_gone = found.is_none();
    }
    if let Some((_, false)) = found {
        tracing::error!("a conversation lacks lines that it had");
    }
    Ok(found.map(|(stored, _)| stored.conversation))
}

/// Takes a conversation out of memory, or reads it: whoever changes it then has the only handle, and
/// needs no copy of its lines. `None` if it is not there, or its key is destroyed.
pub(super) async fn take<R: Rows>(rows: &mut R, id: ConversationId) -> Result<Option<Stored>> {
    match rows.take_recent(id) {
        Some(known) => Ok(known),
        None => Ok(read(rows, id).await?.map(|(stored, _)| stored)),
    }
}

/// Writes what a change has made anew.
pub(super) async fn put<R: Rows>(rows: &mut R, id: ConversationId, mut now: Stored, anew: Anew) -> Result<()> {
    let (owner, conversation) = (Owner::Conversation(id.0), now.conversation.clone());
    let anew = if now.is_older { Anew::All } else { anew };
    let (standing, last) = (Standing::of(&conversation), conversation.last);
    let lines = conversation.lines.iter().filter(|line| match anew {
        Anew::Head => false,
        Anew::Line => line.changed() == last,
        Anew::All => true,
    });
    for line in lines {
        let record = LineRecord { line: line.clone(), standing };
        rows.put_sealed(owner, line_key(id, line.seq), &record).await?;
    }
    if matches!(anew, Anew::Head | Anew::All) {
        rows.put_sealed(owner, conversation_key(id), &HeadRecord::of(&conversation)).await?;
    }
    if now.is_older {
        let [_, additions] = beside_conversation(id);
        remove_under(rows, &additions).await?;
        now.is_older = false;
    }
    rows.keep_recent(id, Some(now));
    Ok(())
}

/// Removes all rows of a conversation.
pub(super) async fn remove<R: Rows>(rows: &mut R, id: ConversationId) -> Result<()> {
    for beside in beside_conversation(id) {
        remove_under(rows, &beside).await?;
    }
    rows.remove(conversation_key(id));
    rows.remove(sender_push_key(id));
    rows.keep_recent(id, None);
    Ok(())
}

async fn remove_under<R: Rows>(rows: &mut R, prefix: &[u8]) -> Result<()> {
    rows.under(prefix).await?.into_iter().for_each(|(at, _)| rows.remove(at));
    Ok(())
}

impl Stored {
    /// One that begins.
    pub(super) fn begun(conversation: Arc<Conversation>) -> Self {
        Self { conversation, is_older: false, door: None, is_shown: false }
    }
}
