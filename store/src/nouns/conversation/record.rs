//! How a conversation is stored. A line is not a reason to write all that was said before again: it is
//! added beside the record. After `ADDITIONS` of them the record is written anew, and the next ones
//! replace those that it has now.

use std::sync::Arc;

use crate::conversation::{Change, Conversation, ConversationId};
use crate::error::Result;
use crate::room::Seq;
use crate::rows::{PutRecords, ReadRecords, Reads, Rows};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{AdditionRecord, DoorRecord};
use crate::table::{addition_key, additions_key, conversation_key, sender_push_key};

/// The most changes that stand beside a record. To open a conversation, all of them are opened.
const ADDITIONS: usize = 16;

/// A conversation as it is now, and how much of it its record has.
#[derive(Debug, Clone)]
pub struct Stored {
    pub(crate) conversation: Arc<Conversation>,
    /// The last change in the record.
    record: Seq,
    /// How many additions belong to that record.
    additions: usize,
    /// Its door, once that was read.
    pub(super) door: Option<DoorRecord>,
    /// Whether its owner is known to see its note. Then they see it to the end.
    pub(super) is_shown: bool,
}

/// A conversation with its additions, and whether every addition had its key.
async fn read<R: Reads>(rows: &R, id: ConversationId) -> Result<(Option<Stored>, bool)> {
    // The additions come first: see `Table::ConversationAddition`.
    let mut additions = Vec::new();
    for (at, sealed) in rows.under(&additions_key(id)).await? {
        additions.push(rows.open::<AdditionRecord>(&at, &sealed).await?);
    }
    let is_whole = additions.iter().all(Option::is_some);
    let record: Option<Conversation> = rows.sealed(&conversation_key(id)).await?;
    let Some(mut conversation) = record else { return Ok((None, is_whole)) };
    let record = conversation.last;
    let additions = AdditionRecord::add_all(&mut conversation, additions.into_iter().map(Ok))?;
    let stored = Stored { conversation: Arc::new(conversation), record, additions, door: None, is_shown: false };
    Ok((Some(stored), is_whole))
}

/// A conversation as it is now; `None` if it is not there, or its key is destroyed.
pub(super) async fn look_at<R: Reads>(rows: &R, id: ConversationId) -> Result<Option<Arc<Conversation>>> {
    if let Some(recent) = rows.recent(id) {
        return Ok(Some(recent));
    }
    let (mut found, is_whole) = read(rows, id).await?;
    if !is_whole || found.is_none() {
        // It may have ended meanwhile, or have been written anew with another key.
        (found, _) = read(rows, id).await?;
    }
    Ok(found.map(|stored| stored.conversation))
}

/// Takes a conversation out of memory, or reads it: whoever changes it then has the only handle, and
/// needs no copy of its lines. `None` if it is not there, or its key is destroyed.
pub(super) async fn take<R: Rows>(rows: &mut R, id: ConversationId) -> Result<Option<Stored>> {
    match rows.take_recent(id) {
        Some(known) => Ok(known),
        None => Ok(read(rows, id).await?.0),
    }
}

/// Writes a conversation after a change that has led to `now`.
pub(super) async fn put_changed<R: Rows>(
    rows: &mut R,
    id: ConversationId,
    mut now: Stored,
    change: &Change,
) -> Result<()> {
    match change {
        Change::Say { .. } | Change::React { .. } | Change::See { .. } if now.additions < ADDITIONS => {
            let addition = AdditionRecord::of(&now.conversation, now.record);
            rows.put_sealed(Owner::Conversation(id.0), addition_key(id, now.additions), &addition).await?;
            now.additions += 1;
            rows.keep_recent(id, Some(now));
            return Ok(());
        }
        Change::Say { .. } | Change::React { .. } | Change::See { .. } => {}
        // What is taken back must not stand beside the record, and nothing is added to a closed one.
        Change::Unsend { .. } | Change::Close => remove_additions(rows, id).await?,
    }
    put_record(rows, id, now).await
}

/// Writes a conversation that has no additions.
pub(super) async fn put<R: Rows>(rows: &mut R, id: ConversationId, now: Arc<Conversation>) -> Result<()> {
    let stored = Stored { record: now.last, conversation: now, additions: 0, door: None, is_shown: false };
    put_record(rows, id, stored).await
}

/// Writes a conversation anew that may have additions.
pub(super) async fn put_anew<R: Rows>(rows: &mut R, id: ConversationId, now: Arc<Conversation>) -> Result<()> {
    remove_additions(rows, id).await?;
    put(rows, id, now).await
}

async fn put_record<R: Rows>(rows: &mut R, id: ConversationId, now: Stored) -> Result<()> {
    rows.put_sealed(Owner::Conversation(id.0), conversation_key(id), &*now.conversation).await?;
    let now = Stored { record: now.conversation.last, additions: 0, ..now };
    rows.keep_recent(id, Some(now));
    Ok(())
}

/// Removes the record of a conversation, and what is beside it.
pub(super) async fn remove<R: Rows>(rows: &mut R, id: ConversationId) -> Result<()> {
    remove_additions(rows, id).await?;
    rows.remove(conversation_key(id));
    rows.remove(sender_push_key(id));
    rows.keep_recent(id, None);
    Ok(())
}

async fn remove_additions<R: Rows>(rows: &mut R, id: ConversationId) -> Result<()> {
    let additions = rows.under(&additions_key(id)).await?;
    additions.into_iter().for_each(|(at, _)| rows.remove(at));
    Ok(())
}
