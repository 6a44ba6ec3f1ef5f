//! Notes that are sent again, because nobody heard that they have come. What is kept of one for a day or two is a hash
//! of its sender's id for it and of its words.

use super::sweeping::remove_all;
use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::inbox::{Arrival, SentHash};
use crate::rows::{Keep, ReadRecords, Reads, Rows, Span};
use crate::shield::day_of;
use crate::table::{Table, key, sent_key};

/// The days of which a note that comes at `now` may have come before. A clock may be behind that of another server.
fn days(now: Timestamp) -> impl Iterator<Item = u32> {
    let today = day_of(now);
    today.saturating_sub(1)..=today.saturating_add(1)
}

fn keys(owner: AccountId, sent: SentHash, now: Timestamp) -> impl Iterator<Item = Vec<u8>> {
    days(now).map(move |day| sent_key(day, owner, sent))
}

/// What is read of it when a note arrives.
pub(super) fn wants_of_sent(owner: AccountId, arrival: &Arrival) -> Vec<Vec<u8>> {
    arrival.sent.into_iter().flat_map(|sent| keys(owner, sent, arrival.now)).collect()
}

/// Whether a note has come before, whatever has become of it.
pub(in crate::nouns) async fn has_come<R: Reads>(rows: &R, owner: AccountId, arrival: &Arrival) -> Result<bool> {
    match arrival.sent {
        Some(sent) => look(rows, owner, sent, arrival.now).await,
        None => Ok(false),
    }
}

/// Whether a note with this hash has come before.
pub(super) async fn look<R: Reads>(rows: &R, owner: AccountId, sent: SentHash, now: Timestamp) -> Result<bool> {
    for at in keys(owner, sent, now) {
        if rows.has(&at).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The row that says so. Nothing but the note makes it.
pub(in crate::nouns) fn row_of(owner: AccountId, arrival: &Arrival) -> Option<Vec<u8>> {
    arrival.sent.map(|sent| sent_key(day_of(arrival.now), owner, sent))
}

/// Remembers that a note has come.
pub(super) fn remember<R: Rows>(rows: &mut R, owner: AccountId, arrival: &Arrival) {
    row_of(owner, arrival).into_iter().for_each(|at| rows.put(at, Vec::new()));
}

/// Forgets the notes of days that are over.
pub(in crate::nouns) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<()> {
    let first = day_of(now).saturating_sub(1);
    let over = Span::new(key(Table::Sent, &[]), key(Table::Sent, &[&first.to_be_bytes()]));
    remove_all(keep, &over).await.map(|_| ())
}

/// Forgets those that came to an account.
pub(super) async fn drop_of<K: Keep>(keep: &K, owner: AccountId, now: Timestamp) -> Result<()> {
    for day in days(now) {
        remove_all(keep, &Span::under(&key(Table::Sent, &[&day.to_be_bytes(), owner.0.as_bytes()]))).await?;
    }
    Ok(())
}
