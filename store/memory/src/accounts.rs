//! Accounts in memory.

use annon_store::account::{
    Access, Account, AccountId, Accounts, Email, LinkDigest, LinkKind, PasswordHash, SignUpError, TargetId, Timestamp,
    TokenId, Username,
};
use annon_store::building_blocks::{Nouns, Owner, Rows, at_once, is_withheld, use_once, withhold};
use annon_store::invitation::InvitationId;
use annon_store::personal_page::PersonalPages;
use annon_store::shield::{InboxDoor, InboxName, TagHash};
use annon_store::suspension::Suspensions;
use annon_store::{Result, StoreError};
use async_trait::async_trait;

use crate::rows::Transaction;
use crate::{MemoryStore, State};

impl State {
    fn account(&mut self, id: AccountId) -> Result<&mut (Account, Access)> {
        self.accounts.get_mut(&id).ok_or(StoreError::NotFound)
    }

    fn set_password(&mut self, id: AccountId, password: PasswordHash, spared: Option<TokenId>) -> Result<()> {
        let (account, access) = self.account(id)?;
        account.password = password;
        access.revoke_all_but(spared);
        self.drop_links(LinkKind::Reset, id);
        Ok(())
    }

    fn add_link(&mut self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        if self.links.contains_key(&(kind, digest)) {
            return Err(StoreError::Conflict);
        }
        self.links.insert((kind, digest), (id, expires));
        Ok(())
    }

    fn drop_links(&mut self, kind: LinkKind, id: AccountId) {
        self.links.retain(|(of, _), (whose, _)| (*of, *whose) != (kind, id));
    }
}

/// Whether an account has confirmed this address.
fn has_address(account: &Account, address: &Email) -> bool {
    account.confirmed && account.email.folded() == address.folded()
}

impl MemoryStore {
    fn find(&self, is_it: impl Fn(&Account) -> bool) -> Option<Account> {
        self.state().accounts.values().map(|(account, _)| account).find(|account| is_it(account)).cloned()
    }
}

#[async_trait]
impl Accounts for MemoryStore {
    async fn sign_up(&self, account: Account, invitation: Option<InvitationId>) -> Result<(), SignUpError> {
        let mut state = self.writing()?;
        let State { kept, accounts, .. } = &mut *state;
        at_once(Transaction::of(kept, async |rows| {
            if let Some(invitation) = invitation {
                use_once(rows, invitation, account.created).await?;
            }
            let taken = |is_it: &dyn Fn(&Account) -> bool| accounts.values().any(|(other, _)| is_it(other));
            if is_withheld(rows, account.username.folded().as_bytes(), account.created).await?
                || taken(&|other| other.username.folded() == account.username.folded())
            {
                return Err(SignUpError::NameTaken);
            }
            if account.confirmed
                && (is_withheld(rows, account.email.folded().as_bytes(), account.created).await?
                    || taken(&|other| has_address(other, &account.email)))
            {
                return Err(SignUpError::AddressTaken);
            }
            if taken(&|other| other.id == account.id || other.target == account.target) {
                return Err(StoreError::Conflict.into());
            }
            rows.new_key(Owner::Account(account.id.0)).await?;
            accounts.insert(account.id, (account, Access::default()));
            Ok(())
        }))
    }

    fn are_enough(&self) -> bool {
        false
    }

    async fn by_id(&self, id: AccountId) -> Result<Option<Account>> {
        Ok(self.find(|account| account.id == id))
    }

    async fn by_username(&self, username: &Username) -> Result<Option<Account>> {
        Ok(self.find(|account| account.username.folded() == username.folded()))
    }

    async fn by_email(&self, email: &Email) -> Result<Option<Account>> {
        Ok(self.find(|account| has_address(account, email)))
    }

    async fn door(&self, inbox: InboxName, tag: Option<TagHash>, now: Timestamp) -> Result<Option<InboxDoor>> {
        let account = self.find(|account| match &inbox {
            InboxName::Username(name) => account.username.folded() == name.folded(),
            InboxName::Target(target) => account.target == *target,
        });
        let Some(Account { id: owner, target, .. }) = account else { return Ok(None) };
        let nouns = Nouns(self.clone());
        let (is_suspended, page) = (nouns.of(owner, now).await?.is_some(), nouns.look_up(owner).await?);
        let state = self.state();
        Ok(Some(InboxDoor {
            owner,
            target,
            is_suspended,
            page,
            shield: state.shields.get(&owner).cloned().unwrap_or_default().into(),
            knows_tag: tag.is_some_and(|tag| state.knows(owner, tag, now)),
            shown_lately: state.inboxes.get(&owner).map_or(0, |inbox| inbox.shown_lately(now)),
        }))
    }

    async fn new_target(&self, id: AccountId, target: TargetId) -> Result<()> {
        let is_somebodys = self.find(|account| account.target == target).is_some();
        let mut state = self.writing()?;
        let (account, _) = state.account(id)?;
        if is_somebodys {
            return Err(StoreError::Conflict);
        }
        account.target = target;
        Ok(())
    }

    async fn access(&self, id: AccountId) -> Result<Option<Access>> {
        Ok(self.state().accounts.get(&id).map(|(_, access)| access.clone()))
    }

    async fn revoke(&self, id: AccountId, token: TokenId, expires: Timestamp, now: Timestamp) -> Result<()> {
        self.writing()?.account(id)?.1.revoke(token, expires, now);
        Ok(())
    }

    async fn change_password(
        &self,
        id: AccountId,
        was: PasswordHash,
        password: PasswordHash,
        spared: Option<TokenId>,
    ) -> Result<()> {
        let mut state = self.writing()?;
        if state.account(id)?.0.password != was {
            return Err(StoreError::Conflict);
        }
        state.set_password(id, password, spared)
    }

    async fn begin_link(&self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        state.account(id)?;
        state.add_link(kind, id, digest, expires)
    }

    async fn begin_decoy_reset(&self, nobody: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        if state.accounts.contains_key(&nobody) {
            return Err(StoreError::Conflict);
        }
        state.add_link(LinkKind::Reset, nobody, digest, expires)
    }

    async fn pending_link(&self, kind: LinkKind, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>> {
        let state = self.state();
        let found = state.links.get(&(kind, digest));
        Ok(found.filter(|(id, expires)| *expires > now && state.accounts.contains_key(id)).map(|(id, _)| *id))
    }

    async fn finish_reset(&self, digest: LinkDigest, password: PasswordHash, now: Timestamp) -> Result<AccountId> {
        let id = self.pending_link(LinkKind::Reset, digest, now).await?.ok_or(StoreError::NotFound)?;
        self.writing()?.set_password(id, password, None)?;
        Ok(id)
    }

    async fn refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<()> {
        let id = self.pending_link(LinkKind::Confirmation, digest, now).await?.ok_or(StoreError::NotFound)?;
        self.writing()?.drop_links(LinkKind::Confirmation, id);
        Ok(())
    }

    async fn confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId> {
        let id = self.pending_link(LinkKind::Confirmation, digest, now).await?.ok_or(StoreError::NotFound)?;
        let email = self.writing()?.account(id)?.0.email.clone();
        let is_withheld = is_withheld(self, email.folded().as_bytes(), now).await?;
        let mut state = self.writing()?;
        let is_others = state.accounts.values().any(|(other, _)| other.id != id && has_address(other, &email));
        if is_others || is_withheld {
            return Err(StoreError::Conflict);
        }
        state.account(id)?.0.confirmed = true;
        state.drop_links(LinkKind::Confirmation, id);
        Ok(id)
    }

    async fn delete(&self, id: AccountId) -> Result<()> {
        let mut state = self.writing()?;
        let (account, _) = state.accounts.remove(&id).ok_or(StoreError::NotFound)?;
        at_once(Transaction::of(&mut state.kept, async |rows| {
            let address = account.confirmed.then(|| account.email.folded());
            for word in [account.username.folded()].into_iter().chain(address) {
                withhold(rows, id, word.as_bytes()).await?;
            }
            rows.destroy_keys(Owner::Account(id.0));
            Ok::<_, StoreError>(())
        }))?;
        state.links.retain(|_, (whose, _)| *whose != id);
        let rooms: Vec<_> =
            state.rooms.values().filter(|metadata| metadata.owner == id).map(|metadata| metadata.id).collect();
        rooms.into_iter().for_each(|room| state.remove_room(room));
        let conversations = state.end_untold(id, 0, |_, _| true);
        state.conversation_changes.ended_with_account(id, &conversations);
        state.forget_publicity(id, |_| true);
        state.inboxes.remove(&id);
        state.notes.retain(|(owner, _), _| *owner != id);
        state.shields.remove(&id);
        state.tags.retain(|(owner, _), _| *owner != id);
        state.known_tags.retain(|(owner, _), _| *owner != id);
        Ok(())
    }

    async fn list(&self, after: Option<AccountId>, limit: usize) -> Result<Vec<Account>> {
        let state = self.state();
        let later = state.accounts.values().map(|(account, _)| account);
        Ok(later.filter(|account| after.is_none_or(|after| account.id > after)).take(limit).cloned().collect())
    }
}
