//! Rows as they are now, without a transaction.

use std::sync::Arc;

use parking_lot::Mutex;
use zeroize::Zeroizing;

use crate::error::Result;
use crate::postgres::at_hand::names_of;
use crate::postgres::known::Known;
use crate::postgres::rows::{ONE, select};
use crate::postgres::{Open, once_more, rows};
use crate::rows::{Pair, Reads, Span, Wants};
use crate::seals::sealed_with;
use crate::table::owner_of;

/// What somebody reads who changes nothing. What was fetched together stays as it was then.
pub(super) struct Look {
    open: Arc<Open>,
    known: Mutex<Known>,
}

impl Look {
    pub(super) fn at(open: Arc<Open>) -> Self {
        Self { open, known: Mutex::default() }
    }

    async fn row(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        let found = once_more!(self.open.record.read(ONE, &[&at]))?;
        Ok(found.first().map(|row| row.get(0)))
    }

    async fn open(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let name = (owner_of(at)?.into(), sealed_with(sealed)?);
        let key = self.open.keys.key(name).await?;
        key.map(|key| key.open(at, sealed).map(Zeroizing::new)).transpose()
    }
}

impl Reads for Look {
    async fn fetch(&self, wants: Wants) -> Result<()> {
        if wants.is_empty() {
            return Ok(());
        }
        let known = once_more!(self.open.record.read_wanted(&wants))?;
        self.open.keys.find(&names_of(known.pairs()).collect::<Vec<_>>()).await?;
        self.known.lock().absorb(known);
        Ok(())
    }

    async fn get(&self, at: &[u8]) -> Result<Option<Vec<u8>>> {
        let known = self.known.lock().get(at);
        match known {
            Some(known) => Ok(known),
            None => self.row(at).await,
        }
    }

    async fn range(&self, span: Span, limit: usize) -> Result<Vec<Pair>> {
        if let Some(known) = self.known.lock().range(&span, limit) {
            return Ok(known);
        }
        let limit = rows(limit);
        let found = once_more!(self.open.record.read(select(&span), &[&span.from, &span.to, &limit]))?;
        let pairs: Vec<Pair> = found.iter().map(|row| (row.get(0), row.get(1))).collect();
        // So opening them asks nobody.
        let names = names_of(pairs.iter().map(|(at, value)| (&at[..], &value[..])));
        self.open.keys.find(&names.collect::<Vec<_>>()).await?;
        Ok(pairs)
    }

    async fn unseal(&self, at: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let opened = self.open(at, sealed).await?;
        if opened.is_some() {
            return Ok(opened);
        }
        // It is gone, or was sealed with another key after it was read: then so were others that were read with it.
        *self.known.lock() = Known::default();
        match self.row(at).await? {
            Some(now) if now != sealed => self.open(at, &now).await,
            _ => Ok(None),
        }
    }
}
