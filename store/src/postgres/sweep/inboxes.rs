//! New keys for inboxes. When a note was removed, old files still have it, sealed with the
//! inbox's key: so the other notes are sealed with a new key, and the old one is destroyed.

use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::nouns::inbox::sweeping::drop_cleared;
use crate::postgres::Postgres;
use crate::rows::{Call, Effect, Keep, ReadRecords, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::table::{Table, account_key, id_after_table, key};

fn stale_key(owner: AccountId) -> Vec<u8> {
    key(Table::Stale, &[owner.0.as_bytes()])
}

/// Seals the notes and answers of an inbox with a new key. Returns how many there were; `None` if that needs
/// no new key, or another node was at it.
struct Rekey(AccountId);

impl Call for Rekey {
    type Out = Option<usize>;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.0)]
    }

    fn wants(&self) -> Wants {
        let all = [Table::Note, Table::Answer].map(|table| Span::under(&key(table, &[self.0.0.as_bytes()])));
        Wants::rows([stale_key(self.0)]).with_spans(all)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Option<usize>> {
        let whose = Owner::Inbox(self.0.0);
        if !rows.has(&stale_key(self.0)).await? {
            return Ok(None);
        }
        rows.remove(stale_key(self.0));
        // After an inbox was emptied it has no key until its next note.
        if !rows.has_key(whose).await? {
            return Ok(None);
        }
        let (mut opened, mut unreadable) = (Vec::new(), 0);
        for table in [Table::Note, Table::Answer] {
            for (at, sealed) in rows.under(&key(table, &[self.0.0.as_bytes()])).await? {
                match rows.unseal(&at, &sealed).await {
                    Ok(plain) => opened.extend(plain.map(|plain| (at, plain))),
                    Err(StoreError::Corrupt) => unreadable += 1,
                    Err(error) => return Err(error),
                }
            }
        }
        if unreadable > 0 {
            tracing::error!(count = unreadable, "notes and answers that can't be read got no new key");
        }
        rows.replace_key(whose).await?;
        let moved = opened.len();
        for (at, plain) in opened {
            let sealed = rows.seal(whose, &at, &plain).await?;
            rows.put(at, sealed);
        }
        Ok(Some(moved))
    }
}

impl Postgres {
    /// Gives inboxes a new key. If one of them can't be read, the others get theirs.
    pub(super) async fn rekey_inboxes(&self, now: u64) -> Result<usize> {
        let mut moves = self.moves.lock().await;
        let marked = self.look().keys(Span::under(&key(Table::Stale, &[]))).await?;
        let marked = marked.iter().map(|at| id_after_table(at)).collect::<Result<Vec<_>>>()?;
        let (mut rekeyed, mut records) = (0, 0);
        for owner in moves.due(&marked, now) {
            if moves.waits(owner, records, now) {
                continue;
            }
            // It may have been emptied since this sweep removed such notes.
            drop_cleared(self, AccountId(owner)).await?;
            match self.call(Rekey(AccountId(owner))).await {
                Ok(moved) => {
                    moves.moved(owner, moved.unwrap_or(0), now);
                    records += moved.unwrap_or(0);
                    rekeyed += usize::from(moved.is_some());
                }
                Err(StoreError::Corrupt) => {
                    tracing::error!("an inbox can't get a new key, because it can't be read");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(rekeyed)
    }
}
