//! What stays of notes after their account was deleted or their inbox was emptied: nobody can read it, and
//! the sweep removes it, some at a time.

use uuid::Uuid;

use super::sent;
use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::nouns::in_pieces;
use crate::rows::{Call, Effect, Keep, ReadRecords, Rows, Span};
use crate::shapes::inbox::InboxRecord;
use crate::table::{Table, id_after_table, key, note_key};

/// Rows in one transaction, so that other calls don't wait long.
const CHUNK: usize = 256;

/// Removes rows.
pub(crate) struct RemoveRows(pub(crate) Vec<Vec<u8>>);

impl Call for RemoveRows {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.0.clone()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        self.0.iter().for_each(|at| rows.remove(at.clone()));
        Ok(())
    }
}

/// Removes the rows of a span. Returns how many there were.
pub(super) async fn remove_all<K: Keep>(keep: &K, span: &Span) -> Result<usize> {
    in_pieces(keep, span, CHUNK, RemoveRows).await
}

/// The ids that have a row in a table.
async fn ids_in<K: Keep>(keep: &K, table: Table) -> Result<Vec<Uuid>> {
    let all = keep.look().keys(Span::under(&key(table, &[]))).await?;
    all.iter().map(|at| id_after_table(at)).collect()
}

/// The keys of the notes that were there when the inbox was last emptied, or of what is beside them in
/// another table.
pub(super) fn cleared(table: Table, owner: AccountId, inbox: InboxRecord) -> Span {
    let all = key(table, &[owner.0.as_bytes()]);
    let first = first_left(inbox);
    let end = if inbox.cleared == 0 { all.clone() } else { key(table, &[owner.0.as_bytes(), first.bytes()]) };
    Span::new(all, end)
}

/// The lowest place of notes that came since the inbox was last emptied.
pub(super) fn first_left(inbox: InboxRecord) -> NotePlace {
    NotePlace::first(inbox.cleared + 1)
}

/// Removes the notes of deleted accounts.
pub(in crate::nouns) async fn drop_of_the_gone<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let mut dropped = 0;
    for owner in ids_in(keep, Table::Gone).await? {
        let all = |table| Span::under(&key(table, &[owner.as_bytes()]));
        dropped += remove_all(keep, &all(Table::Note)).await?;
        remove_all(keep, &all(Table::Publicity)).await?;
        remove_all(keep, &all(Table::Starred)).await?;
        remove_all(keep, &all(Table::KnownTag)).await?;
        sent::drop_of(keep, AccountId(owner), now).await?;
        // The mark goes last, since a crash may come before.
        keep.call(RemoveRows(vec![key(Table::Gone, &[owner.as_bytes()])])).await?;
    }
    Ok(dropped)
}

/// Removes the notes of emptied inboxes. The mark stays, since a key may have to be destroyed, too.
pub(crate) async fn drop_of_the_emptied<K: Keep>(keep: &K) -> Result<usize> {
    let mut dropped = 0;
    for owner in ids_in(keep, Table::Stale).await? {
        dropped += drop_cleared(keep, AccountId(owner)).await?;
    }
    Ok(dropped)
}

/// Removes the notes that an inbox had when it was last emptied.
pub(crate) async fn drop_cleared<K: Keep>(keep: &K, owner: AccountId) -> Result<usize> {
    let inbox = keep.look().record::<InboxRecord>(&key(Table::Inbox, &[owner.0.as_bytes()])).await;
    let Ok(Some(inbox)) = inbox else { return Ok(0) };
    remove_all(keep, &cleared(Table::Publicity, owner, inbox)).await?;
    remove_all(keep, &cleared(Table::Starred, owner, inbox)).await?;
    let archived = [NotePlace::first(0), first_left(inbox)].map(|place| note_key(owner, place.archived()));
    let [from, to] = archived;
    let dropped = remove_all(keep, &Span::new(from, to)).await?;
    Ok(dropped + remove_all(keep, &cleared(Table::Note, owner, inbox)).await?)
}
