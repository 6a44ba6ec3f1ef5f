//! The keys that a call needs, before it locks anything. Keys are in another database, and nobody shall wait for a
//! call's locks while that one is asked. So a call that finds while it runs that it lacks a key ends without having changed
//! anything, and begins anew with that key at hand.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use tokio::sync::MutexGuard;

use crate::error::Result;
use crate::postgres::errors::Failure;
use crate::postgres::keys::Named;
use crate::postgres::rows::ONE;
use crate::postgres::turns::Locks;
use crate::postgres::{Open, once_more};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey, sealed_with};
use crate::table::{names_key, owner_of};

/// Keys, and whose each is.
pub(super) type OwnKeys = Vec<(Owner, SealKey)>;

/// The keys with which rows are sealed.
pub(super) fn names_of<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> impl Iterator<Item = Named> {
    pairs.filter_map(|(at, sealed)| Some((owner_of(at).ok()?.into(), sealed_with(sealed).ok()?)))
}

/// With what a call has to begin anew.
#[derive(Default)]
pub(super) struct Lacks {
    pub(super) locks: Locks,
    pub(super) keys: HashSet<Named>,
    /// Owners who get a key, and the key that each had.
    pub(super) births: Vec<(Owner, Option<KeyId>)>,
}

impl Lacks {
    pub(super) fn is_empty(&self) -> bool {
        self.locks.is_empty() && !self.lacks_keys()
    }

    pub(super) fn lacks_keys(&self) -> bool {
        !(self.keys.is_empty() && self.births.is_empty())
    }
}

/// The keys that a call has at hand, over all its attempts.
#[derive(Default)]
pub(super) struct AtHand {
    /// Those that it has made: a key is there before what it seals.
    born: Mutex<OwnKeys>,
    /// Those for which it has asked; `None` where one is destroyed.
    found: Mutex<HashMap<Named, Option<SealKey>>>,
}

impl AtHand {
    pub(super) fn add(&self, owner: Owner, key: SealKey) {
        self.born.lock().push((owner, key));
    }

    /// A key that was made for an owner.
    pub(super) fn born(&self, owner: Owner, may_be: impl Fn(&SealKey) -> bool) -> Option<(Owner, SealKey)> {
        self.born.lock().iter().find(|(whose, key)| *whose == owner && may_be(key)).cloned()
    }

    pub(super) fn found(&self, name: &Named) -> Option<Option<SealKey>> {
        self.found.lock().get(name).cloned()
    }

    /// Those that were made and that these rows don't use.
    pub(super) fn unused(self, used: &[(Owner, SealKey)]) -> Vec<Named> {
        let all = self.born.into_inner().into_iter();
        let unused = all.filter(|(_, key)| !used.iter().any(|(_, other)| other.id == key.id));
        unused.map(|(owner, key)| (owner.into(), key.id)).collect()
    }
}

/// The turn of whoever makes keys that calls lack. Others wait until it is over: an owner may have got a key by then.
pub(super) type Making<'a> = Option<MutexGuard<'a, ()>>;

impl Open {
    /// Has at hand what calls lack. Of several that lack a key of one owner the first gets it.
    pub(super) async fn fetch_lacking<'a>(
        &'a self,
        lacking: impl Iterator<Item = (&Lacks, &AtHand)>,
        making: &mut Making<'a>,
    ) -> Result<(), Failure> {
        let lacking: Vec<_> = lacking.collect();
        let names: HashSet<_> = lacking.iter().flat_map(|(lacks, _)| lacks.keys.iter().copied()).collect();
        let keys = self.keys.find(&names.into_iter().collect::<Vec<_>>()).await?;
        for (lacks, at_hand) in &lacking {
            at_hand.found.lock().extend(lacks.keys.iter().map(|name| (*name, keys.get(name).cloned())));
        }
        let mut births = HashMap::new();
        for (lacks, at_hand) in &lacking {
            for (owner, before) in &lacks.births {
                births.entry(*owner).or_insert((*before, *at_hand));
            }
        }
        if !births.is_empty() && making.is_none() {
            *making = Some(self.making.lock().await);
        }
        for (owner, (before, at_hand)) in births {
            if self.key_now(owner).await? == before {
                at_hand.add(owner, self.keys.birth(owner).await?);
            }
        }
        Ok(())
    }

    /// Which key an owner has now.
    async fn key_now(&self, owner: Owner) -> Result<Option<KeyId>, Failure> {
        let found = once_more!(self.record.read(ONE, &[&names_key(owner)]))?;
        Ok(found.first().map(|row| sealed_with(row.get(0))).transpose()?)
    }
}
