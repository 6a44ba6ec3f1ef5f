//! Sign-ins. Those of an account are one row, sealed with its key: they are few, and read together. Which of them are
//! valid, the row of its tokens says. Other rows begin with the day on which something of them goes.

use annon_contract::limits::SIGN_INS;
use async_trait::async_trait;

use crate::account::{Access, AccountId, Timestamp, TokenId};
use crate::error::{Result, StoreError};
use crate::nouns::accounts::{access_key, change_access};
use crate::nouns::{Nouns, in_pieces};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::shield::day_of;
use crate::sign_in::{SignIn, SignIns, SignInsRecord};
use crate::table::{Table, id_after_day, key, sign_ins_key};

/// Rows that one call removes.
const SOME: usize = 64;

fn end_key(day: u32, account: AccountId) -> Vec<u8> {
    key(Table::SignInsEnd, &[&day.to_be_bytes(), account.0.as_bytes()])
}

fn wants(account: AccountId) -> Wants {
    Wants::rows([sign_ins_key(account), access_key(account)])
}

/// The sign-ins of an account. Those that can't be read are none: nobody is kept out by them.
async fn all_of<R: Reads>(rows: &R, account: AccountId) -> Result<Vec<SignIn>> {
    match rows.sealed(&sign_ins_key(account)).await {
        Ok(found) => Ok(found.map_or_else(Vec::new, |SignInsRecord(all)| all)),
        Err(StoreError::Corrupt) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The sign-ins of an account that are kept at `now`, and which of its tokens are valid. `NotFound` when the account
/// is gone.
async fn kept_of<R: Reads>(rows: &R, account: AccountId, now: Timestamp) -> Result<(Vec<SignIn>, Access)> {
    let access: Access = rows.record(&access_key(account)).await?.ok_or(StoreError::NotFound)?;
    let mut all = all_of(rows, account).await?;
    all.retain(|one| one.is_kept(&access, now));
    Ok((all, access))
}

async fn put<R: Rows>(rows: &mut R, account: AccountId, all: Vec<SignIn>) -> Result<()> {
    let at = sign_ins_key(account);
    if all.is_empty() {
        rows.remove(at);
        return Ok(());
    }
    rows.put_sealed(Owner::Account(account.0), at, &SignInsRecord(all)).await
}

/// Ends a token that one of the sign-ins has.
async fn end<R: Rows>(rows: &mut R, account: AccountId, sign_in: &SignIn, now: Timestamp) -> Result<()> {
    change_access(rows, account, |access| access.revoke(sign_in.token, sign_in.expires, now)).await
}

struct Begin {
    account: AccountId,
    sign_in: SignIn,
    now: Timestamp,
}

impl Call for Begin {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![sign_ins_key(self.account)]
    }

    fn wants(&self) -> Wants {
        wants(self.account)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { account, ref sign_in, now } = *self;
        let (mut all, access) = kept_of(rows, account, now).await?;
        if access.version != sign_in.version {
            return Err(StoreError::Conflict);
        }
        all.retain(|one| one.token != sign_in.token);
        while all.len() >= SIGN_INS {
            end(rows, account, &all.remove(0), now).await?;
        }
        rows.put(end_key(sign_in.last_day(), account), Vec::new());
        all.push(sign_in.clone());
        put(rows, account, all).await
    }
}

/// What is changed of one sign-in that is there.
enum Change {
    IsUsed,
    IsKnown,
    Ends,
}

struct Changing {
    account: AccountId,
    token: TokenId,
    now: Timestamp,
    change: Change,
}

impl Call for Changing {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn effect(&self) -> Effect {
        match self.change {
            Change::IsUsed => Effect::Replaces,
            Change::IsKnown | Change::Ends => Effect::Shrinks,
        }
    }

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![sign_ins_key(self.account)]
    }

    fn wants(&self) -> Wants {
        wants(self.account)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { account, token, now, .. } = *self;
        let (mut all, access) = kept_of(rows, account, now).await?;
        let place = all.iter().position(|one| one.token == token).ok_or(StoreError::NotFound)?;
        let mut one = all.remove(place);
        match self.change {
            Change::IsUsed => one.used = day_of(now),
            Change::IsKnown => one.is_unknown = false,
            Change::Ends if one.is_open(&access, now) => {
                end(rows, account, &one, now).await?;
                return put(rows, account, all).await;
            }
            Change::Ends => return Err(StoreError::NotFound),
        }
        if one.is_kept(&access, now) {
            rows.put(end_key(one.last_day(), account), Vec::new());
            all.insert(place, one);
        }
        put(rows, account, all).await
    }
}

struct EndOthers {
    account: AccountId,
    spared: TokenId,
    now: Timestamp,
}

impl Call for EndOthers {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![sign_ins_key(self.account)]
    }

    fn wants(&self) -> Wants {
        wants(self.account)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let (account, now) = (self.account, self.now);
        change_access(rows, account, |access| access.revoke_all_but(Some(self.spared))).await?;
        let (all, _) = kept_of(rows, account, now).await?;
        put(rows, account, all).await
    }
}

/// Removes sign-ins of which these rows say that something goes.
struct DropOld {
    ends: Vec<Vec<u8>>,
    now: Timestamp,
}

impl Call for DropOld {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.ends.clone()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for at in &self.ends {
            rows.remove(at.clone());
            let account = AccountId(id_after_day(at)?);
            match kept_of(rows, account, self.now).await {
                Ok((all, _)) => put(rows, account, all).await?,
                // The account is gone.
                Err(StoreError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Removes what is no longer kept.
pub(super) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<()> {
    let next = day_of(now).saturating_add(1);
    let over = Span::new(key(Table::SignInsEnd, &[]), key(Table::SignInsEnd, &[&next.to_be_bytes()]));
    in_pieces(keep, &over, SOME, |ends| DropOld { ends, now }).await.map(|_| ())
}

#[async_trait]
impl<K: Keep> SignIns for Nouns<K> {
    async fn begin(&self, account: AccountId, sign_in: SignIn, now: Timestamp) -> Result<()> {
        self.0.call(Begin { account, sign_in, now }).await
    }

    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Vec<(SignIn, bool)>> {
        let rows = self.0.look();
        rows.fetch(wants(account)).await?;
        let (all, access) = kept_of(&rows, account, now).await?;
        let with_open = |one: SignIn| {
            let is_open = one.is_open(&access, now);
            (one, is_open)
        };
        Ok(all.into_iter().rev().map(with_open).collect())
    }

    async fn use_now(&self, account: AccountId, token: TokenId, now: Timestamp) -> Result<()> {
        let (known, today) = (&self.0.common().used_sign_ins, day_of(now));
        if known.knows(today, &token) {
            return Ok(());
        }
        let all = all_of(&self.0.look(), account).await?;
        if all.iter().any(|one| one.token == token && one.used < today) {
            self.0.call(Changing { account, token, now, change: Change::IsUsed }).await?;
        }
        known.know(today, token);
        Ok(())
    }

    async fn recognize(&self, account: AccountId, token: TokenId, now: Timestamp) -> Result<()> {
        self.0.call(Changing { account, token, now, change: Change::IsKnown }).await
    }

    async fn end(&self, account: AccountId, token: TokenId, now: Timestamp) -> Result<()> {
        self.0.call(Changing { account, token, now, change: Change::Ends }).await
    }

    async fn end_others(&self, account: AccountId, spared: TokenId, now: Timestamp) -> Result<()> {
        self.0.call(EndOthers { account, spared, now }).await
    }
}
