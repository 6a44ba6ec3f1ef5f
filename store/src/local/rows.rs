//! Rows on this machine. All of them are at hand, so nothing here waits.

use std::mem;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::account::AccountId;
use crate::conversation::{Conversation, ConversationId};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::recent::Changed;
use crate::local::rooms::remove_rooms_of;
use crate::local::transaction::Transaction;
use crate::nouns::Common;
use crate::nouns::conversation::record::Stored;
use crate::rows::{Call, Keep, Pair, Reads, Rows, Span, Told, at_once};
use crate::seals::keyring::Owner;

impl Reads for Transaction<'_> {
    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        self.bytes(at)
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        self.pairs(span, limit)
    }

    async fn unseal(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        Transaction::unseal(self, at, sealed)
    }
}

impl Transaction<'_> {
    /// What this commit has made of a conversation so far.
    fn changed(&self, id: ConversationId) -> Option<&Option<Stored>> {
        self.own.conversations.get(&id).or_else(|| self.commit.conversations.get(&id))
    }
}

impl Rows for Transaction<'_> {
    fn put(&mut self, at: Vec<u8>, value: Vec<u8>) {
        self.put_bytes(at, value);
    }

    fn remove(&mut self, at: Vec<u8>) {
        Transaction::remove(self, at);
    }

    async fn seal(&mut self, owner: Owner, at: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        self.current_key(owner).ok_or(StoreError::NotFound)?.seal(at, plain)
    }

    async fn has_key(&self, owner: Owner) -> Result<bool> {
        Ok(self.current_key(owner).is_some())
    }

    async fn new_key(&mut self, owner: Owner) -> Result<()> {
        Transaction::new_key(self, owner)
    }

    async fn replace_key(&mut self, owner: Owner) -> Result<()> {
        let old = self.current_key(owner).map(|key| key.id);
        Transaction::new_key(self, owner)?;
        old.into_iter().for_each(|old| self.destroy_key(old));
        Ok(())
    }

    async fn destroy_keys(&mut self, owner: Owner) -> Result<()> {
        Transaction::destroy_keys(self, owner);
        Ok(())
    }

    async fn accounts(&self) -> Result<usize> {
        Ok(Transaction::accounts(self))
    }

    async fn end_rooms_of(&mut self, owner: AccountId) -> Result<()> {
        remove_rooms_of(self, owner)
    }

    fn tell(&mut self, told: Told) {
        self.told.push(told);
    }

    fn take_recent(&mut self, id: ConversationId) -> Option<Option<Stored>> {
        let changed = self.changed(id).cloned();
        changed.or_else(|| self.recent.take(id).map(Some))
    }

    fn keep_recent(&mut self, id: ConversationId, now: Option<Stored>) {
        self.own.conversations.insert(id, now);
    }

    fn leave_recent(&mut self, id: ConversationId, stored: Stored) {
        // What this commit has changed is not on disk yet.
        if self.changed(id).is_none() {
            self.recent.keep(Changed::from([(id, Some(stored))]));
        }
    }
}

impl Reads for Local {
    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        self.index.read(at)
    }

    async fn range(&self, Span { from, to, is_backwards }: Span, limit: usize) -> Result<Vec<Pair>> {
        let pairs = self.index.range(from, to);
        if is_backwards { pairs.rev().take(limit).collect() } else { pairs.take(limit).collect() }
    }

    async fn unseal(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        match self.unseal_bytes(at, sealed) {
            Err(StoreError::NotFound) => Ok(None),
            opened => opened.map(Some),
        }
    }

    fn recent(&self, id: ConversationId) -> Option<Arc<Conversation>> {
        self.recent.get(id)
    }
}

impl Keep for Local {
    async fn call<C: Call>(&self, call: C) -> Result<C::Out, C::Error> {
        let (effect, common) = (call.effect(), self.common.clone());
        let work = move |transaction: &mut Transaction<'_>| {
            let out = at_once(call.run(transaction))?;
            Ok((out, mem::take(&mut transaction.told)))
        };
        let tell = move |(_, told): &mut (C::Out, Vec<Told>)| told.drain(..).for_each(|told| common.tell(told));
        self.committer.write_then(effect, work, tell).await.map(|(out, _)| out)
    }

    fn look(&self) -> impl Reads + use<> {
        self.clone()
    }

    fn common(&self) -> &Arc<Common> {
        &self.common
    }

    fn most_accounts(&self) -> usize {
        self.most_accounts
    }

    fn are_enough(&self) -> bool {
        self.keyring.read().accounts() >= self.most_accounts
    }
}
