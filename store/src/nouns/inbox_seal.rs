//! Seals of inboxes. Each is a row, sealed with its account's key, so that it goes with the account; another row says
//! when what is handed from one device to another has to be gone.

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::Changed;
use crate::inbox_seal::{Handover, InboxSeal, InboxSeals, SealChange, WrappedKey};
use crate::nouns::inbox::{inbox_or_new, tell};
use crate::nouns::{Nouns, in_pieces};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::table::{Table, id_after_day, inbox_key, inbox_seal_key, key, minute};

/// Rows that one call removes.
const SOME: usize = 64;

/// It says that a handover of this time is to be forgotten.
fn end_key(until: Timestamp, owner: AccountId) -> Vec<u8> {
    key(Table::HandoverEnd, &[&minute(until), owner.0.as_bytes()])
}

/// How an inbox is sealed. One that can't be read is an error: its notes would be taken open.
pub(super) async fn of<R: Reads>(rows: &R, owner: AccountId) -> Result<Option<InboxSeal>> {
    rows.sealed(&inbox_seal_key(owner)).await
}

async fn put<R: Rows>(rows: &mut R, owner: AccountId, seal: &InboxSeal) -> Result<()> {
    // An account that is gone has no key.
    rows.put_sealed(Owner::Account(owner.0), inbox_seal_key(owner), seal).await
}

/// Takes the handover out of a seal, with the row that ends it.
fn end_handover<R: Rows>(rows: &mut R, owner: AccountId, seal: &mut InboxSeal) -> Option<Handover> {
    let handover = seal.handover.take()?;
    rows.remove(end_key(handover.until, owner));
    Some(handover)
}

/// Removes the seal of an account.
pub(super) async fn remove<R: Rows>(rows: &mut R, owner: AccountId) -> Result<()> {
    match of(rows, owner).await {
        Ok(Some(mut seal)) => _ = end_handover(rows, owner, &mut seal),
        Ok(None) | Err(StoreError::Corrupt) => {}
        Err(error) => return Err(error),
    }
    rows.remove(inbox_seal_key(owner));
    Ok(())
}

struct ChangeSeal {
    owner: AccountId,
    change: SealChange,
    now: Timestamp,
}

impl Call for ChangeSeal {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![inbox_seal_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([inbox_seal_key(self.owner), inbox_key(self.owner)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let owner = self.owner;
        let mut inbox = inbox_or_new(rows, owner).await?;
        let mut before = match of(rows, owner).await {
            // A new key takes the place of one that is lost.
            Err(StoreError::Corrupt) if matches!(self.change, SealChange::Begin { .. }) => None,
            found => found?,
        };
        if let Some(before) = &mut before
            && !matches!(self.change, SealChange::Set { .. })
        {
            end_handover(rows, owner, before);
        }
        let seal = self.change.clone().of(before).ok_or(StoreError::Conflict)?;
        if let Some(handover) = &seal.handover {
            rows.put(end_key(handover.until, owner), Vec::new());
        }
        put(rows, owner, &seal).await?;
        if !matches!(self.change, SealChange::HandOver(_)) {
            inbox.settle(self.now);
            tell(rows, owner, inbox.unread, Changed::List);
        }
        Ok(())
    }
}

struct Take {
    owner: AccountId,
    now: Timestamp,
}

impl Call for Take {
    type Out = Option<WrappedKey>;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![inbox_seal_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([inbox_seal_key(self.owner)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Option<WrappedKey>> {
        let Some(mut seal) = of(rows, self.owner).await? else { return Ok(None) };
        let Some(handover) = end_handover(rows, self.owner, &mut seal) else { return Ok(None) };
        put(rows, self.owner, &seal).await?;
        Ok((handover.until > self.now).then_some(handover.wrapped))
    }
}

/// Forgets handovers that nobody has taken.
struct Forget {
    ends: Vec<Vec<u8>>,
    now: Timestamp,
}

impl Call for Forget {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.ends.clone()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for at in &self.ends {
            let owner = AccountId(id_after_day(at)?);
            rows.remove(at.clone());
            match of(rows, owner).await {
                Ok(Some(mut seal)) if seal.handover.as_ref().is_some_and(|handover| handover.until <= self.now) => {
                    seal.handover = None;
                    put(rows, owner, &seal).await?;
                }
                Ok(_) | Err(StoreError::Corrupt) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

pub(super) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<()> {
    let over = Span::new(key(Table::HandoverEnd, &[]), key(Table::HandoverEnd, &[&minute(now)]));
    in_pieces(keep, &over, SOME, |ends| Forget { ends, now }).await.map(|_| ())
}

#[async_trait]
impl<K: Keep> InboxSeals for Nouns<K> {
    async fn of(&self, owner: AccountId) -> Result<Option<InboxSeal>> {
        of(&self.0.look(), owner).await
    }

    async fn change(&self, owner: AccountId, change: SealChange, now: Timestamp) -> Result<()> {
        self.0.call(ChangeSeal { owner, change, now }).await
    }

    async fn take(&self, owner: AccountId, now: Timestamp) -> Result<Option<WrappedKey>> {
        self.0.call(Take { owner, now }).await
    }
}
