//! Rows on this machine. All of them are at hand, so nothing here waits.

use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::transaction::Transaction;
use crate::rows::{Call, Keep, Pair, Reads, Rows, Span, at_once};
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

    async fn new_key(&mut self, owner: Owner) -> Result<()> {
        Transaction::new_key(self, owner)
    }

    fn destroy_keys(&mut self, owner: Owner) {
        Transaction::destroy_keys(self, owner);
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
}

impl Keep for Local {
    async fn call<C: Call>(&self, call: C) -> Result<C::Out, C::Error> {
        let effect = call.effect();
        self.committer.write(effect, move |transaction| at_once(call.run(transaction))).await
    }

    fn look(&self) -> impl Reads + use<> {
        self.clone()
    }
}
