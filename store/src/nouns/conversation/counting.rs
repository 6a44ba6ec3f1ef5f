//! How many conversations of an inbox are answered, unanswered, or not shown to its owner.

use crate::account::AccountId;
use crate::conversation::keeping::CountsAs;
use crate::conversation::{Conversation, ConversationId};
use crate::error::Result;
use crate::rows::{PutRecords, ReadRecords, Reads, Rows};
use crate::shapes::conversation::{DoorRecord, count_key, unanswered_key};
use crate::shapes::feedback::Count;

/// How many conversations of an inbox count as this.
pub(super) async fn counted<R: Reads>(rows: &R, owner: AccountId, counts_as: CountsAs) -> Result<u32> {
    let Some(at) = count_key(owner, counts_as) else { return Ok(0) };
    Ok(rows.record(&at).await?.unwrap_or(Count(0)).0)
}

/// Counts one conversation that counts as this now, or no more.
pub(super) async fn count<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    counts_as: CountsAs,
    is_one_more: bool,
) -> Result<()> {
    let Some(at) = count_key(owner, counts_as) else { return Ok(()) };
    let before = counted(rows, owner, counts_as).await?;
    match if is_one_more { before.saturating_add(1) } else { before.saturating_sub(1) } {
        0 => rows.remove(at),
        now => rows.put_record(at, &Count(now))?,
    }
    Ok(())
}

/// The same of one that has counted as something else.
pub(super) async fn count_anew<R: Rows>(
    rows: &mut R,
    owner: AccountId,
    before: CountsAs,
    after: CountsAs,
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    count(rows, owner, before, false).await?;
    count(rows, owner, after, true).await
}

/// What a conversation counts as, by what is beside it.
pub(super) async fn counted_as<R: Reads>(rows: &R, id: ConversationId, door: &DoorRecord) -> Result<CountsAs> {
    Ok(match door.is_open {
        false => CountsAs::Closed,
        true if rows.has(&unanswered_key(door.owner, door.moved, id)).await? => CountsAs::Unanswered,
        true if door.is_held() => CountsAs::Hidden,
        true => CountsAs::Answered,
    })
}

/// What it counts as from now on.
pub(super) fn counts_as(conversation: &Conversation, door: &DoorRecord) -> CountsAs {
    match conversation.counts_as() {
        CountsAs::Unanswered if door.is_held() => CountsAs::Hidden,
        counts_as => counts_as,
    }
}
