//! The accounts of the model: who is there, which tokens are valid, and which mailed links work.

use std::collections::BTreeMap;

use annon_store::StoreError;
use annon_store::account::{
    Access, Account, AccountId, Email, LinkDigest, LinkKind, PasswordHash, SignUpError, TargetId, TokenId, Username,
};

use super::plain::Done;

#[derive(Default)]
pub(super) struct People {
    all: BTreeMap<AccountId, (Account, Access)>,
    links: Vec<Link>,
}

struct Link {
    kind: LinkKind,
    digest: LinkDigest,
    /// Of a decoy: nobody.
    account: AccountId,
    expires: u64,
}

fn is_named(account: &Account, name: &Username) -> bool {
    account.username.as_str().eq_ignore_ascii_case(name.as_str())
}

fn has_confirmed(account: &Account, address: &Email) -> bool {
    account.confirmed && account.email.as_str().eq_ignore_ascii_case(address.as_str())
}

impl People {
    pub(super) fn person(&mut self, id: AccountId) -> Done<&mut (Account, Access)> {
        self.all.get_mut(&id).ok_or(StoreError::NotFound)
    }

    fn find(&self, is_it: impl Fn(&Account) -> bool) -> Option<Account> {
        self.all.values().map(|(account, _)| account).find(|account| is_it(account)).cloned()
    }

    pub(super) fn create(&mut self, account: Account) -> Result<(), SignUpError> {
        if self.by_name(&account.username).is_some() {
            return Err(SignUpError::NameTaken);
        }
        if account.confirmed && self.by_address(&account.email).is_some() {
            return Err(SignUpError::AddressTaken);
        }
        if self.find(|other| other.id == account.id || other.target == account.target).is_some() {
            return Err(StoreError::Conflict.into());
        }
        self.all.insert(account.id, (account, Access::default()));
        Ok(())
    }

    pub(super) fn by_id(&self, id: AccountId) -> Option<Account> {
        self.find(|account| account.id == id)
    }

    pub(super) fn by_name(&self, name: &Username) -> Option<Account> {
        self.find(|account| is_named(account, name))
    }

    pub(super) fn by_address(&self, address: &Email) -> Option<Account> {
        self.find(|account| has_confirmed(account, address))
    }

    pub(super) fn access(&self, id: AccountId) -> Option<Access> {
        self.all.get(&id).map(|(_, access)| access.clone())
    }

    pub(super) fn list(&self, after: Option<AccountId>, limit: usize) -> Vec<Account> {
        let later =
            self.all.values().map(|(account, _)| account).filter(|account| after.is_none_or(|id| account.id > id));
        later.take(limit).cloned().collect()
    }

    pub(super) fn delete(&mut self, id: AccountId) -> Done {
        self.all.remove(&id).ok_or(StoreError::NotFound)?;
        self.links.retain(|link| link.account != id);
        Ok(())
    }

    pub(super) fn new_target(&mut self, id: AccountId, target: TargetId) -> Done {
        let is_somebodys = self.find(|account| account.target == target).is_some();
        let (account, _) = self.person(id)?;
        if is_somebodys {
            return Err(StoreError::Conflict);
        }
        account.target = target;
        Ok(())
    }

    /// Ends one token. Those that have expired meanwhile are not remembered. (The commands never
    /// end as many as would end all.)
    pub(super) fn revoke(&mut self, id: AccountId, token: TokenId, expires: u64, now: u64) -> Done {
        let (_, access) = self.person(id)?;
        access.revoked.retain(|(_, until)| *until > now);
        access.revoked.push((token, expires));
        Ok(())
    }

    /// Sets a password. Every token but the spared one ends, and so does every reset link.
    fn set_password(&mut self, id: AccountId, password: PasswordHash, spared: Option<TokenId>) -> Done {
        let (account, access) = self.person(id)?;
        account.password = password;
        access.version += 1;
        access.spared = spared;
        if spared.is_none() {
            access.revoked.clear();
        }
        self.drop_links(LinkKind::Reset, id);
        Ok(())
    }

    pub(super) fn change_password(
        &mut self,
        id: AccountId,
        was: &PasswordHash,
        password: PasswordHash,
        spared: Option<TokenId>,
    ) -> Done {
        if self.person(id)?.0.password != *was {
            return Err(StoreError::Conflict);
        }
        self.set_password(id, password, spared)
    }

    fn add_link(&mut self, kind: LinkKind, account: AccountId, digest: LinkDigest, expires: u64) -> Done {
        if self.links.iter().any(|link| link.kind == kind && link.digest == digest) {
            return Err(StoreError::Conflict);
        }
        self.links.push(Link { kind, digest, account, expires });
        Ok(())
    }

    pub(super) fn begin_link(&mut self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: u64) -> Done {
        self.person(id)?;
        self.add_link(kind, id, digest, expires)
    }

    /// `Conflict` when the nobody is somebody.
    pub(super) fn begin_decoy(&mut self, nobody: AccountId, digest: LinkDigest, expires: u64) -> Done {
        if self.all.contains_key(&nobody) {
            return Err(StoreError::Conflict);
        }
        self.add_link(LinkKind::Reset, nobody, digest, expires)
    }

    fn drop_links(&mut self, kind: LinkKind, id: AccountId) {
        self.links.retain(|link| link.kind != kind || link.account != id);
    }

    /// Whose link it is, as long as it works.
    pub(super) fn pending(&self, kind: LinkKind, digest: LinkDigest, now: u64) -> Option<AccountId> {
        let works = |link: &&Link| link.kind == kind && link.digest == digest && link.expires > now;
        self.links.iter().find(works).map(|link| link.account).filter(|id| self.all.contains_key(id))
    }

    pub(super) fn finish_reset(&mut self, digest: LinkDigest, password: PasswordHash, now: u64) -> Done<AccountId> {
        let id = self.pending(LinkKind::Reset, digest, now).ok_or(StoreError::NotFound)?;
        self.set_password(id, password, None)?;
        Ok(id)
    }

    pub(super) fn confirm(&mut self, digest: LinkDigest, now: u64) -> Done<AccountId> {
        let id = self.pending(LinkKind::Confirmation, digest, now).ok_or(StoreError::NotFound)?;
        let address = self.person(id)?.0.email.clone();
        if self.by_address(&address).is_some_and(|other| other.id != id) {
            return Err(StoreError::Conflict);
        }
        self.person(id)?.0.confirmed = true;
        self.drop_links(LinkKind::Confirmation, id);
        Ok(id)
    }

    pub(super) fn sweep(&mut self, now: u64) {
        self.links.retain(|link| link.expires > now);
    }
}
