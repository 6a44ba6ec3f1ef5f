//! Accounts on this machine. The index has names and addresses blinded, and the
//! account itself sealed: `seals.rs` says why.

use async_trait::async_trait;

use crate::account::{
    Access, Account, AccountId, Accounts, Email, LinkDigest, LinkKind, PasswordHash, SignUpError, TargetId, Timestamp,
    TokenId, Username,
};
use crate::conversation::Ended;
use crate::error::{Result, StoreError};
use crate::invitation::InvitationId;
use crate::local::Local;
use crate::local::answer::take_all_down;
use crate::local::conversation::end_some_of;
use crate::local::rooms::remove_rooms_of;
use crate::local::transaction::Transaction;
use crate::nouns::Nouns;
use crate::nouns::invitation::use_once;
use crate::nouns::suspension::{is_withheld, withhold};
use crate::personal_page::PersonalPages;
use crate::rows::Effect::{Grows, Replaces, Shrinks};
use crate::rows::at_once;
use crate::seals::Blinder;
use crate::seals::keyring::Owner;
use crate::shapes::account::{AccountRecord, IdRecord, LinkRecord};
use crate::shapes::shield::shield_key;
use crate::shield::{InboxDoor, InboxName, Shields, TagHash};
use crate::suspension::Suspensions;
use crate::table::{Table, account_key, end_of, id_after_table, key, personal_page_key, suspension_key};

fn access_key(id: AccountId) -> Vec<u8> {
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

impl Local {
    async fn by_index(&self, key: Vec<u8>) -> Result<Option<Account>> {
        match self.record::<IdRecord>(&key)? {
            Some(IdRecord(id)) => self.by_id(id).await,
            None => Ok(None),
        }
    }
}

fn account(transaction: &Transaction<'_>, id: AccountId) -> Result<AccountRecord> {
    transaction.sealed(&account_key(id))?.ok_or(StoreError::NotFound)
}

/// Changes which tokens are valid. `NotFound` when the account is gone.
fn change_access(transaction: &mut Transaction<'_>, id: AccountId, change: impl FnOnce(&mut Access)) -> Result<()> {
    let mut access: Access = transaction.record(&access_key(id))?.ok_or(StoreError::NotFound)?;
    change(&mut access);
    transaction.put(access_key(id), &access)
}

/// Sets a password, and ends every reset link and every token except `spared`.
fn set_password(
    transaction: &mut Transaction<'_>,
    id: AccountId,
    password: PasswordHash,
    spared: Option<TokenId>,
) -> Result<()> {
    let record = AccountRecord { password, ..account(transaction, id)? };
    transaction.put_sealed(Owner::Account(id.0), account_key(id), &record)?;
    LinkKind::Reset.drop_all(transaction, id)?;
    change_access(transaction, id, |access| access.revoke_all_but(spared))
}

#[async_trait]
impl Accounts for Local {
    async fn sign_up(&self, account: Account, invitation: Option<InvitationId>) -> Result<(), SignUpError> {
        let (by_name, by_email) =
            (username_key(&self.blinder, &account.username), email_key(&self.blinder, &account.email));
        let most = self.most_accounts;
        self.committer
            .write(Grows, move |transaction| {
                if let Some(invitation) = invitation {
                    at_once(use_once(transaction, invitation, account.created))?;
                }
                let is_taken = |transaction: &Transaction<'_>, at: &[u8]| -> Result<bool> {
                    Ok(transaction.has(at)? || at_once(is_withheld(transaction, &at[1..], account.created))?)
                };
                if is_taken(transaction, &by_name)? {
                    return Err(SignUpError::NameTaken);
                }
                // An address that is not confirmed belongs to nobody: whoever
                // signs up with it blocks nobody and learns nothing.
                if account.confirmed && is_taken(transaction, &by_email)? {
                    return Err(SignUpError::AddressTaken);
                }
                if transaction.accounts() >= most {
                    return Err(SignUpError::Enough);
                }
                let id = account.id;
                let is_gone = transaction.has(&key(Table::Gone, &[id.0.as_bytes()]))?;
                if is_gone || transaction.has(&account_key(id))? || transaction.has(&target_key(account.target))? {
                    return Err(StoreError::Conflict.into());
                }
                let owner = Owner::Account(id.0);
                transaction.new_key(owner)?;
                transaction.put(by_name, &IdRecord(id))?;
                if account.confirmed {
                    transaction.put(by_email, &IdRecord(id))?;
                }
                transaction.put(target_key(account.target), &IdRecord(id))?;
                transaction.put(access_key(id), &Access::default())?;
                transaction.put_sealed(owner, account_key(id), &AccountRecord::from(account))?;
                Ok(())
            })
            .await
    }

    fn are_enough(&self) -> bool {
        self.keyring.read().accounts() >= self.most_accounts
    }

    async fn by_id(&self, id: AccountId) -> Result<Option<Account>> {
        let record: Option<AccountRecord> = self.sealed(&account_key(id))?;
        Ok(record.map(|record| record.into_account(id)))
    }

    async fn by_username(&self, username: &Username) -> Result<Option<Account>> {
        self.by_index(username_key(&self.blinder, username)).await
    }

    async fn by_email(&self, email: &Email) -> Result<Option<Account>> {
        self.by_index(email_key(&self.blinder, email)).await
    }

    async fn door(&self, inbox: InboxName, tag: Option<TagHash>, now: Timestamp) -> Result<Option<InboxDoor>> {
        let found = match inbox {
            InboxName::Username(name) => self.by_username(&name).await?.map(|account| (account.id, account.target)),
            InboxName::Target(target) => self.record(&target_key(target))?.map(|IdRecord(id)| (id, target)),
        };
        let Some((owner, target)) = found else { return Ok(None) };
        Ok(Some(InboxDoor {
            owner,
            target,
            is_suspended: Nouns(self.clone()).of(owner, now).await?.is_some(),
            page: Nouns(self.clone()).look_up(owner).await?,
            shield: self.open_shield(owner)?,
            knows_tag: match tag {
                Some(tag) => self.knows(owner, tag, now).await?,
                None => false,
            },
            shown_lately: self.shown_lately(owner, now)?,
        }))
    }

    async fn new_target(&self, id: AccountId, target: TargetId) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            let record = account(transaction, id)?;
            if transaction.has(&target_key(target))? {
                return Err(StoreError::Conflict);
            }
            transaction.remove(target_key(record.target));
            transaction.put(target_key(target), &IdRecord(id))?;
            transaction.put_sealed(Owner::Account(id.0), account_key(id), &AccountRecord { target, ..record })
        };
        self.committer.write(Replaces, work).await
    }

    async fn access(&self, id: AccountId) -> Result<Option<Access>> {
        self.record(&access_key(id))
    }

    async fn revoke(&self, id: AccountId, token: TokenId, expires: Timestamp, now: Timestamp) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            change_access(transaction, id, |access| access.revoke(token, expires, now))
        };
        self.committer.write(Shrinks, work).await
    }

    async fn change_password(
        &self,
        id: AccountId,
        was: PasswordHash,
        password: PasswordHash,
        spared: Option<TokenId>,
    ) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            if account(transaction, id)?.password != was {
                return Err(StoreError::Conflict);
            }
            set_password(transaction, id, password, spared)
        };
        self.committer.write(Replaces, work).await
    }

    async fn begin_link(&self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            if !transaction.has(&account_key(id))? {
                return Err(StoreError::NotFound);
            }
            kind.add(transaction, digest, LinkRecord { account: id, expires })
        };
        self.committer.write(Grows, work).await
    }

    async fn begin_decoy_reset(&self, nobody: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            if transaction.has(&account_key(nobody))? {
                return Err(StoreError::Conflict);
            }
            LinkKind::Reset.add(transaction, digest, LinkRecord { account: nobody, expires })
        };
        self.committer.write(Grows, work).await
    }

    async fn pending_link(&self, kind: LinkKind, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>> {
        match kind.read(self, digest, now)? {
            Some(id) if self.index.has(&account_key(id))? => Ok(Some(id)),
            _ => Ok(None),
        }
    }

    async fn finish_reset(&self, digest: LinkDigest, password: PasswordHash, now: Timestamp) -> Result<AccountId> {
        let work = move |transaction: &mut Transaction<'_>| {
            let id = LinkKind::Reset.find(transaction, digest, now)?;
            set_password(transaction, id, password, None)?;
            Ok(id)
        };
        self.committer.write(Replaces, work).await
    }

    async fn refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            let id = LinkKind::Confirmation.find(transaction, digest, now)?;
            LinkKind::Confirmation.drop_all(transaction, id)
        };
        self.committer.write(Shrinks, work).await
    }

    async fn confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId> {
        let blinder = self.blinder.clone();
        let work = move |transaction: &mut Transaction<'_>| {
            let id = LinkKind::Confirmation.find(transaction, digest, now)?;
            let record = AccountRecord { confirmed: true, ..account(transaction, id)? };
            let by_email = email_key(&blinder, &record.email);
            let is_others = transaction.record::<IdRecord>(&by_email)?.is_some_and(|IdRecord(whose)| whose != id);
            if is_others || at_once(is_withheld(transaction, &by_email[1..], now))? {
                return Err(StoreError::Conflict);
            }
            LinkKind::Confirmation.drop_all(transaction, id)?;
            transaction.put(by_email, &IdRecord(id))?;
            transaction.put_sealed(Owner::Account(id.0), account_key(id), &record)?;
            Ok(id)
        };
        self.committer.write(Grows, work).await
    }

    async fn delete(&self, id: AccountId) -> Result<()> {
        self.end_most_of(id, None).await?;
        let blinder = self.blinder.clone();
        let work = move |transaction: &mut Transaction<'_>| {
            let record = account(transaction, id)?;
            let ended = end_some_of(transaction, id, 0, usize::MAX)?;
            LinkKind::Reset.drop_all(transaction, id)?;
            LinkKind::Confirmation.drop_all(transaction, id)?;
            // A room that is created meanwhile comes before this, or is refused
            // since its owner is gone.
            remove_rooms_of(transaction, id)?;
            let mut entries = vec![username_key(&blinder, &record.username)];
            // An address that is not confirmed may be another account's.
            if record.confirmed {
                entries.push(email_key(&blinder, &record.email));
            }
            for entry in entries {
                at_once(withhold(transaction, id, &entry[1..]))?;
                transaction.remove(entry);
            }
            transaction.remove(target_key(record.target));
            transaction.remove(access_key(id));
            transaction.remove(suspension_key(id));
            transaction.remove(account_key(id));
            transaction.destroy_keys(Owner::Account(id.0));
            transaction.destroy_keys(Owner::Inbox(id.0));
            transaction.destroy_keys(Owner::Shield(id.0));
            transaction.remove(shield_key(id));
            // The notes can't be read any more. The sweeper removes them, a few
            // at a time, since there may be ten thousand.
            transaction.remove(key(Table::Inbox, &[id.0.as_bytes()]));
            transaction.remove(key(Table::Stale, &[id.0.as_bytes()]));
            transaction.put_bytes(key(Table::Gone, &[id.0.as_bytes()]), Vec::new());
            transaction.remove(personal_page_key(id));
            take_all_down(transaction, id)?;
            Ok::<_, StoreError>(ended)
        };
        let conversations = self.conversation_changes.clone();
        let tell = move |ended: &Vec<Ended>| conversations.ended_with_account(id, ended);
        self.committer.write_then(Shrinks, work, tell).await?;
        self.open_shields.drop_of(id);
        Ok(())
    }

    async fn list(&self, after: Option<AccountId>, limit: usize) -> Result<Vec<Account>> {
        let from = match after {
            Some(id) => [account_key(id), vec![0]].concat(),
            None => key(Table::Account, &[]),
        };
        let to = end_of(&key(Table::Account, &[]));
        self.page_of("account", self.index.range(from, to), limit, |key, record: AccountRecord| {
            Ok(record.into_account(AccountId(id_after_table(key)?)))
        })
    }
}
