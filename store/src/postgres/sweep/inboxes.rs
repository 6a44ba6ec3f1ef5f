//! New keys for inboxes. When a note was removed, old files still have it, sealed with the
//! inbox's key: so the other notes are sealed with a new key, and the old one is destroyed.

use zeroize::Zeroizing;

use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::postgres::errors::Failure;
use crate::postgres::{Open, once_more};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};
use crate::shapes::decode;
use crate::shapes::inbox::InboxRecord;
use crate::table::{answer_key, note_key};

/// After a note was removed an inbox waits for this many seconds for each thousand notes
/// that it has. Strangers can send notes that the owner removes, so one with ten thousand
/// notes gets a new key every half an hour at most, and a usual one in every sweep.
const WAITS_PER_THOUSAND: i64 = 180;

/// What is sealed with the key of an inbox: how it is read and written, and its place.
struct Kind {
    select: &'static str,
    update: &'static str,
    at: fn(AccountId, NotePlace) -> Vec<u8>,
}

const NOTES: Kind = Kind {
    select: "SELECT place, sealed FROM note WHERE owner = $1",
    update: "UPDATE note t SET sealed = n.sealed FROM unnest($2::bytea[], $3::bytea[]) AS n (place, sealed) \
         WHERE t.owner = $1 AND t.place = n.place",
    at: note_key,
};
const ANSWERS: Kind = Kind {
    select: "SELECT place, sealed FROM answer WHERE owner = $1",
    update: "UPDATE answer t SET sealed = n.sealed FROM unnest($2::bytea[], $3::bytea[]) AS n (place, sealed) \
         WHERE t.owner = $1 AND t.place = n.place",
    at: answer_key,
};

impl Open {
    /// Gives inboxes a new key. If one of them can't be read, the others get theirs.
    pub(super) async fn rekey_inboxes(&self) -> Result<usize> {
        let mut rekeyed = 0;
        for owner in once_more!(self.stale_inboxes())? {
            rekeyed += usize::from(self.rekey_inbox(owner).await?);
        }
        Ok(rekeyed)
    }

    /// The inboxes whose time has come. Who waits longest comes first.
    async fn stale_inboxes(&self) -> Result<Vec<AccountId>, Failure> {
        let select = "SELECT id, inbox, floor(extract(epoch FROM clock_timestamp()))::int8 - inbox_stale \
             FROM account WHERE inbox_stale IS NOT NULL ORDER BY inbox_stale";
        let mut due = Vec::new();
        for row in self.record.read(select, &[]).await? {
            let inbox = row.get::<_, Option<&[u8]>>(1).map(decode::<InboxRecord>).transpose()?;
            let notes = inbox.map_or(0, |inbox| i64::from(inbox.total));
            if row.get::<_, i64>(2) >= notes * WAITS_PER_THOUSAND / 1000 {
                due.push(AccountId(row.get(0)));
            }
        }
        Ok(due)
    }

    async fn rekey_inbox(&self, owner: AccountId) -> Result<bool> {
        let whose = Owner::Inbox(owner.0);
        let key = self.keys.birth(whose).await?;
        let outcome = once_more!(self.try_rekey(owner, &key));
        // Of an unknown outcome the key stays: it may be the inbox's.
        if !matches!(outcome, Ok(true) | Err(Failure::Unknown)) {
            self.keys.destroy(&[(whose.into(), key.id)]).await?;
        }
        match outcome {
            Err(Failure::Store(StoreError::Corrupt)) => {
                tracing::error!("an inbox can't get a new key, because it can't be read");
                Ok(false)
            }
            outcome => Ok(outcome?),
        }
    }

    /// Seals the notes and answers of an inbox with a new key, in one transaction. Returns whether it
    /// did: another node may be at it.
    async fn try_rekey(&self, owner: AccountId, key: &SealKey) -> Result<bool, Failure> {
        let mut transaction = self.record.begin().await?;
        let lock = "SELECT inbox_key FROM account WHERE id = $1 AND inbox_stale IS NOT NULL \
             FOR NO KEY UPDATE SKIP LOCKED";
        let locked = transaction.query(lock, &[&owner.0]).await?;
        let Some(old) = locked.first().and_then(|row| row.get::<_, Option<i64>>(0)) else { return Ok(false) };
        let old = KeyId(old.cast_unsigned());
        let opening = self.keys.key((Owner::Inbox(owner.0).into(), old)).await?.ok_or(StoreError::Corrupt)?;
        let mut unreadable = 0;
        for Kind { select, update, at } in [NOTES, ANSWERS] {
            let (mut places, mut sealed) = (Vec::new(), Vec::new());
            for row in transaction.query(select, &[&owner.0]).await? {
                let place = at(owner, NotePlace::at_end_of(row.get(0))?);
                match opening.open(&place, row.get(1)).map(Zeroizing::new) {
                    Ok(plain) => {
                        places.push(row.get::<_, Vec<u8>>(0));
                        sealed.push(key.seal(&place, &plain)?);
                    }
                    Err(_) => unreadable += 1,
                }
            }
            transaction.query(update, &[&owner.0, &places, &sealed]).await?;
        }
        if unreadable > 0 {
            tracing::error!(count = unreadable, "notes and answers that can't be read got no new key");
        }
        let change = "UPDATE account SET inbox_key = $2, inbox_stale = NULL WHERE id = $1";
        transaction.query(change, &[&owner.0, &key.id.0.cast_signed()]).await?;
        transaction.doom(Owner::Inbox(owner.0), old).await?;
        transaction.commit().await?;
        Ok(true)
    }
}
