//! Accounts. Rows lead from names and addresses, which are blinded, to the account's own, which is sealed:
//! `seals.rs` says why.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use crate::account::{
    Access, Account, AccountId, Accounts, Email, LinkDigest, LinkKind, PasswordHash, SignUpError, TargetId, Timestamp,
    TokenId, Username,
};
use crate::error::{Result, StoreError};
use crate::invitation::InvitationId;
use crate::nouns::conversation::ending::end_most_of;
use crate::nouns::inbox::shown_lately;
use crate::nouns::shield::{knows, open_shield};
use crate::nouns::{Common, Nouns, inbox_seal, links, personal_page, suspension};
use crate::rows::{Behind, Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::Blinder;
use crate::seals::keyring::Owner;
use crate::shapes::account::{AccountRecord, IdRecord};
use crate::shield::{InboxDoor, InboxName, TagHash};
use crate::table::{Table, account_key, end_of, id_after_table, key, push_key};

mod deletion;
mod linked;
mod sign_up;
use deletion::Delete;
use linked::{BeginDecoyReset, BeginLink, Confirm, FinishReset, RefuseConfirmation};
use sign_up::SignUp;

pub(super) fn access_key(id: AccountId) -> Vec<u8> {
    key(Table::Access, &[id.0.as_bytes()])
}

fn target_key(target: TargetId) -> Vec<u8> {
    key(Table::Target, &[target.0.as_bytes()])
}

fn username_key(blinder: &Blinder, name: &Username) -> Vec<u8> {
    key(Table::Username, &[&blinder.blind(&name.folded())])
}

fn email_key(blinder: &Blinder, email: &Email) -> Vec<u8> {
    key(Table::Email, &[&blinder.blind(&email.folded())])
}

async fn record<R: Reads>(rows: &R, id: AccountId) -> Result<AccountRecord> {
    rows.sealed(&account_key(id)).await?.ok_or(StoreError::NotFound)
}

async fn put<R: Rows>(rows: &mut R, id: AccountId, record: &AccountRecord) -> Result<()> {
    rows.put_sealed(Owner::Account(id.0), account_key(id), record).await
}

async fn account<R: Reads>(rows: &R, id: AccountId) -> Result<Option<Account>> {
    let record: Option<AccountRecord> = rows.sealed(&account_key(id)).await?;
    Ok(record.map(|record| record.into_account(id)))
}

/// The account with this id.
pub(super) async fn by_id<R: Reads>(rows: &R, id: AccountId) -> Result<Option<Account>> {
    account(rows, id).await
}

/// The account that a name or an address leads to.
async fn led_to<R: Reads>(rows: &R, at: &[u8]) -> Result<Option<Account>> {
    match rows.record::<IdRecord>(at).await? {
        Some(IdRecord(id)) => account(rows, id).await,
        None => Ok(None),
    }
}

/// Changes which tokens are valid. `NotFound` when the account is gone.
pub(super) async fn change_access<R: Rows>(
    rows: &mut R,
    id: AccountId,
    change: impl FnOnce(&mut Access) + Send,
) -> Result<()> {
    let mut access: Access = rows.record(&access_key(id)).await?.ok_or(StoreError::NotFound)?;
    change(&mut access);
    rows.put_record(access_key(id), &access)
}

/// Sets a password, and ends every reset link, every subscription to web push and every token except `spared`.
async fn set_password<R: Rows>(
    rows: &mut R,
    id: AccountId,
    password: PasswordHash,
    spared: Option<TokenId>,
) -> Result<()> {
    let changed = AccountRecord { password, ..record(rows, id).await? };
    put(rows, id, &changed).await?;
    links::drop_all(rows, LinkKind::Reset, id).await?;
    rows.remove(push_key(id));
    change_access(rows, id, |access| access.revoke_all_but(spared)).await
}

struct NewTarget {
    id: AccountId,
    target: TargetId,
}

impl Call for NewTarget {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.id), target_key(self.target)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { id, target } = *self;
        let before = record(rows, id).await?;
        if rows.has(&target_key(target)).await? {
            return Err(StoreError::Conflict);
        }
        rows.remove(target_key(before.target));
        rows.put_record(target_key(target), &IdRecord(id))?;
        put(rows, id, &AccountRecord { target, ..before }).await
    }
}

struct Revoke {
    id: AccountId,
    token: TokenId,
    expires: Timestamp,
    now: Timestamp,
}

impl Call for Revoke {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.id)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([access_key(self.id)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        change_access(rows, self.id, |access| access.revoke(self.token, self.expires, self.now)).await
    }
}

struct ChangePassword {
    id: AccountId,
    was: PasswordHash,
    password: PasswordHash,
    spared: Option<TokenId>,
}

impl Call for ChangePassword {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.id)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([access_key(self.id)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        if record(rows, self.id).await?.password != self.was {
            return Err(StoreError::Conflict);
        }
        set_password(rows, self.id, self.password.clone(), self.spared).await
    }
}

impl<K: Keep> Nouns<K> {
    fn blinder(&self) -> &Blinder {
        &self.0.common().blinder
    }

    fn common(&self) -> Arc<Common> {
        self.0.common().clone()
    }
}

#[async_trait]
impl<K: Keep> Accounts for Nouns<K> {
    async fn sign_up(&self, account: Account, invitation: Option<InvitationId>) -> Result<(), SignUpError> {
        let (common, most) = (self.common(), self.0.most_accounts());
        self.0.call(SignUp { common, most, account, invitation }).await
    }

    fn are_enough(&self) -> bool {
        self.0.are_enough()
    }

    async fn by_id(&self, id: AccountId) -> Result<Option<Account>> {
        account(&self.0.look(), id).await
    }

    async fn by_username(&self, username: &Username) -> Result<Option<Account>> {
        led_to(&self.0.look(), &username_key(self.blinder(), username)).await
    }

    async fn by_email(&self, email: &Email) -> Result<Option<Account>> {
        led_to(&self.0.look(), &email_key(self.blinder(), email)).await
    }

    async fn door(&self, inbox: InboxName, tag: Option<TagHash>, now: Timestamp) -> Result<Option<InboxDoor>> {
        let rows = self.0.look();
        let at = match &inbox {
            InboxName::Username(name) => username_key(self.blinder(), name),
            InboxName::Target(target) => target_key(*target),
        };
        let tables =
            [Table::Account, Table::Suspension, Table::PersonalPage, Table::Shield, Table::Inbox, Table::InboxSeal];
        let tag_of = tag.map(|tag| (Table::KnownTag, tag.0.to_vec()));
        let behind = Behind {
            at: at.clone(),
            tables: tables.into_iter().map(|table| (table, Vec::new())).chain(tag_of).collect(),
        };
        rows.fetch(Wants { behind: Some(behind), ..Wants::default() }).await?;
        let Some(IdRecord(owner)) = rows.record(&at).await? else { return Ok(None) };
        let target = match inbox {
            InboxName::Target(target) => target,
            InboxName::Username(_) => match account(&rows, owner).await? {
                Some(account) => account.target,
                None => return Ok(None),
            },
        };
        Ok(Some(InboxDoor {
            owner,
            target,
            is_suspended: suspension::of(&rows, owner, now).await?.is_some(),
            page: personal_page::of(&rows, owner).await?,
            shield: open_shield(&rows, self.0.common(), owner).await?,
            knows_tag: match tag {
                Some(tag) => knows(&rows, owner, tag, now).await?,
                None => false,
            },
            shown_lately: shown_lately(&rows, owner, now).await?,
            seal: inbox_seal::of(&rows, owner).await?.filter(|seal| seal.on),
        }))
    }

    async fn new_target(&self, id: AccountId, target: TargetId) -> Result<()> {
        self.0.call(NewTarget { id, target }).await
    }

    async fn access(&self, id: AccountId) -> Result<Option<Access>> {
        self.0.look().record(&access_key(id)).await
    }

    async fn access_of(&self, ids: Vec<AccountId>) -> Result<HashMap<AccountId, Access>> {
        let (rows, mut found) = (self.0.look(), HashMap::with_capacity(ids.len()));
        rows.fetch(Wants::rows(ids.iter().map(|id| access_key(*id)))).await?;
        for id in ids {
            found.extend(rows.record(&access_key(id)).await?.map(|access| (id, access)));
        }
        Ok(found)
    }

    async fn revoke(&self, id: AccountId, token: TokenId, expires: Timestamp, now: Timestamp) -> Result<()> {
        self.0.call(Revoke { id, token, expires, now }).await
    }

    async fn change_password(
        &self,
        id: AccountId,
        was: PasswordHash,
        password: PasswordHash,
        spared: Option<TokenId>,
    ) -> Result<()> {
        self.0.call(ChangePassword { id, was, password, spared }).await
    }

    async fn begin_link(&self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        self.0.call(BeginLink { kind, id, digest, expires }).await
    }

    async fn begin_decoy_reset(&self, nobody: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        self.0.call(BeginDecoyReset { nobody, digest, expires }).await
    }

    async fn pending_link(&self, kind: LinkKind, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>> {
        let rows = self.0.look();
        match links::find(&rows, kind, digest, now).await? {
            Some(id) if rows.has(&account_key(id)).await? => Ok(Some(id)),
            _ => Ok(None),
        }
    }

    async fn finish_reset(&self, digest: LinkDigest, password: PasswordHash, now: Timestamp) -> Result<AccountId> {
        self.0.call(FinishReset { digest, password, now }).await
    }

    async fn refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<()> {
        self.0.call(RefuseConfirmation { digest, now }).await
    }

    async fn confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId> {
        self.0.call(Confirm { common: self.common(), digest, now }).await
    }

    async fn delete(&self, id: AccountId) -> Result<()> {
        end_most_of(&self.0, id, None).await?;
        self.0.call(Delete { common: self.common(), id }).await?;
        self.0.common().open_shields.drop_of(id);
        Ok(())
    }

    async fn list(&self, after: Option<AccountId>, limit: usize) -> Result<Vec<Account>> {
        let all = key(Table::Account, &[]);
        let from = after.map_or_else(|| all.clone(), |id| [account_key(id), vec![0]].concat());
        let page = self.0.look().page_of("account", Span::new(from, end_of(&all)), limit).await?;
        let account = |(at, record): (Vec<u8>, AccountRecord)| Ok(record.into_account(AccountId(id_after_table(&at)?)));
        page.into_iter().map(account).collect()
    }
}
