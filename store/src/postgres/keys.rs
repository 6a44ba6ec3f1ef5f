//! The database of keys. All that is deleted together has one key; when the key's row
//! is gone, nobody can read the rest, which the record's own files and backups keep for
//! long.
//!
//! The keys are encrypted with one that is derived from the secret, so that a copy of
//! this database alone opens nothing.
//!
//! A key is committed before the first record that is sealed with it. A record goes in
//! one transaction with a row of `doomed_key`, and its key goes after that: so whatever
//! crashes, no record is left without its key, and no key is forgotten.

use std::collections::{BTreeSet, HashMap};

use parking_lot::Mutex;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::postgres::connect::Connections;
use crate::postgres::errors::Failure;
use crate::postgres::keys::parts::part_of;
use crate::postgres::{Open, once_more};
use crate::recent::Recent;
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey, sealed_with};
use crate::shapes::{Record, decode};

pub(super) mod moment;
pub(super) mod parts;
mod rewrite;

/// The day of keys whose owner has no such day: those of accounts, inboxes and feedback.
const NO_DAY: i32 = 0;
/// Keys that are destroyed by one transaction.
const CHUNK: i64 = 256;
/// Keys that stay in memory at most.
const IN_MEMORY: usize = 10_000;
/// The purpose of the key that encrypts the others.
const WRAPPING: &str = "wrapping of keys";

// Several nodes may destroy the same keys. All of them lock rows in one order, so nobody waits for somebody who waits for
// them.

const DESTROY: &str = "WITH dying AS MATERIALIZED (SELECT k.part, k.kind, k.owner, k.id \
         FROM unnest($1::int2[], $2::uuid[], $3::int8[], $4::int8[]) AS d (kind, owner, id, part) \
         JOIN seal_key k ON k.part = d.part AND k.kind = d.kind AND k.owner = d.owner AND k.id = d.id \
         WHERE k.part = ANY ($5) AND (SELECT pg_advisory_xact_lock_shared($6) IS NOT NULL) \
         ORDER BY k.part, k.kind, k.owner, k.id FOR UPDATE OF k) \
     DELETE FROM seal_key k USING dying d \
     WHERE k.part = d.part AND k.kind = d.kind AND k.owner = d.owner AND k.id = d.id AND k.part = ANY ($5)";
const FORGET_DOOMED: &str = "WITH dead AS MATERIALIZED (SELECT k.kind, k.owner, k.key \
         FROM unnest($1::int2[], $2::uuid[], $3::int8[]) AS d (kind, owner, id) \
         JOIN doomed_key k ON k.kind = d.kind AND k.owner = d.owner AND k.key = d.id \
         ORDER BY k.kind, k.owner, k.key FOR UPDATE OF k) \
     DELETE FROM doomed_key k USING dead d WHERE k.kind = d.kind AND k.owner = d.owner AND k.key = d.key";

/// Whose a key is, and the day on which its owner ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Whose {
    pub(super) owner: Owner,
    pub(super) day: i32,
}

impl From<Owner> for Whose {
    fn from(owner: Owner) -> Self {
        Self { owner, day: NO_DAY }
    }
}

/// A key, by its owner and its id.
pub(super) type Named = (Whose, KeyId);

/// A sealed record and its place.
pub(super) struct Sealed {
    pub(super) owner: Whose,
    pub(super) place: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

/// The keys, in their database and for some minutes in memory.
pub(super) struct Keys {
    pub(super) connections: Connections,
    wrapping: SealKey,
    recent: Mutex<Recent<Named, SealKey>>,
    /// The tables that this node knows to be there.
    parts: Mutex<BTreeSet<i64>>,
}

/// Keys as the columns of a statement.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) days: Vec<i32>,
    /// In which table of keys each is.
    pub(super) parts: Vec<i64>,
    pub(super) kinds: Vec<i16>,
    pub(super) owners: Vec<Uuid>,
    pub(super) ids: Vec<i64>,
}

impl Columns {
    pub(super) fn of(keys: &[Named]) -> Self {
        let mut columns = Self::default();
        for (whose @ Whose { owner, day }, id) in keys {
            let (kind, owner) = owner.kind();
            columns.days.push(*day);
            columns.parts.push(part_of(*whose));
            columns.kinds.push(kind.into());
            columns.owners.push(owner);
            columns.ids.push(id.0.cast_signed());
        }
        columns
    }
}

/// What a wrapped key is bound to.
fn place((Whose { owner, .. }, KeyId(id)): Named) -> Vec<u8> {
    let (kind, owner) = owner.kind();
    [&[kind][..], owner.as_bytes(), &id.to_be_bytes()].concat()
}

/// The key in a row of `kind`, `owner`, `id` and `day`.
pub(super) fn named(row: &tokio_postgres::Row) -> Option<Named> {
    let kind = u8::try_from(row.get::<_, i16>(0)).ok()?;
    let owner = Owner::of_kind(kind, row.get(1))?;
    Some((Whose { owner, day: row.get(3) }, KeyId(row.get::<_, i64>(2).cast_unsigned())))
}

/// The key in a row of `kind`, `owner`, `id` and `part`.
pub(super) fn kept(row: &tokio_postgres::Row) -> Option<Named> {
    let kind = u8::try_from(row.get::<_, i16>(0)).ok()?;
    let owner = Owner::of_kind(kind, row.get(1))?;
    Some((Whose { owner, day: parts::day_of(row.get(3)) }, KeyId(row.get::<_, i64>(2).cast_unsigned())))
}

impl Keys {
    pub(super) fn new(connections: Connections, derive: impl FnOnce(&str) -> [u8; 32]) -> Self {
        let wrapping = SealKey::new(KeyId(0), &derive(WRAPPING));
        let (recent, parts) = (Mutex::new(Recent::of_at_most(IN_MEMORY)), Mutex::default());
        Self { connections, wrapping, recent, parts }
    }

    /// Makes a key. It is committed when this returns.
    pub(super) async fn birth(&self, owner: impl Into<Whose>) -> Result<SealKey> {
        let (owner, key) = (owner.into(), SealKey::random(None)?);
        self.take_over(&[(owner, key.clone())]).await?;
        self.recent.lock().hold((owner, key.id), key.clone());
        Ok(key)
    }

    /// Keeps keys that were made here or elsewhere.
    pub(super) async fn take_over(&self, keys: &[(Whose, SealKey)]) -> Result<()> {
        self.make_parts(keys.iter().map(|(whose, _)| *whose)).await?;
        Ok(once_more!(self.try_take_over(keys))?)
    }

    async fn try_take_over(&self, keys: &[(Whose, SealKey)]) -> Result<(), Failure> {
        let names: Vec<Named> = keys.iter().map(|(whose, key)| (*whose, key.id)).collect();
        let wrap = |(key, name): (&(Whose, SealKey), &Named)| self.wrapping.seal(&place(*name), key.1.bytes());
        let wrapped = keys.iter().zip(&names).map(wrap).collect::<Result<Vec<_>>>()?;
        let Columns { parts, kinds, owners, ids, .. } = Columns::of(&names);
        let mut transaction = self.connections.begin().await?;
        let insert = "INSERT INTO seal_key (part, kind, owner, id, wrapped, born) \
             SELECT w.*, now() FROM unnest($1::int8[], $2::int2[], $3::uuid[], $4::int8[], $5::bytea[]) AS w";
        transaction.query(insert, &[&parts, &kinds, &owners, &ids, &wrapped]).await?;
        transaction.commit().await
    }

    /// The keys of these names that are there.
    pub(super) async fn find(&self, wanted: &[Named]) -> Result<HashMap<Named, SealKey>> {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        {
            let recent = self.recent.lock();
            for name in wanted {
                match recent.find(name) {
                    Some(key) => _ = found.insert(*name, key),
                    None => missing.push(*name),
                }
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let Columns { parts, kinds, owners, ids, .. } = Columns::of(&missing);
        // The last condition names the few tables that are looked at: only these are opened and locked.
        let select = "SELECT k.kind, k.owner, k.id, k.part, k.wrapped \
             FROM unnest($1::int2[], $2::uuid[], $3::int8[], $4::int8[]) AS w (kind, owner, id, part) \
             JOIN seal_key k ON k.part = w.part AND k.kind = w.kind AND k.owner = w.owner AND k.id = w.id \
             WHERE k.part = ANY ($5)";
        let tables = Vec::from_iter(BTreeSet::from_iter(parts.iter().copied()));
        let rows = once_more!(self.connections.read(select, &[&kinds, &owners, &ids, &parts, &tables]))?;
        for row in rows {
            let Some((name, key)) = self.key_in(&row)? else { continue };
            self.recent.lock().hold(name, key.clone());
            found.insert(name, key);
        }
        Ok(found)
    }

    /// The key in a row of `kind`, `owner`, `id`, `part` and `wrapped`.
    fn key_in(&self, row: &tokio_postgres::Row) -> Result<Option<(Named, SealKey)>> {
        let Some(name) = kept(row) else { return Ok(None) };
        let plain = Zeroizing::new(self.wrapping.open(&place(name), row.get(4))?);
        let bytes = plain.first_chunk().filter(|_| plain.len() == 32).ok_or(StoreError::Corrupt)?;
        Ok(Some((name, SealKey::new(name.1, bytes))))
    }

    /// A key, if it is in memory.
    pub(super) fn at_hand(&self, name: &Named) -> Option<SealKey> {
        self.recent.lock().find(name)
    }

    /// One key; `None` when it is destroyed.
    pub(super) async fn key(&self, name: Named) -> Result<Option<SealKey>> {
        match self.at_hand(&name) {
            Some(key) => Ok(Some(key)),
            None => Ok(self.find(&[name]).await?.remove(&name)),
        }
    }

    /// Opens records, in their order. `None` stands for a record whose key is destroyed,
    /// or which can't be read. How many can't be read is logged once.
    pub(super) async fn open_all<T: Record>(&self, kind: &'static str, sealed: &[Sealed]) -> Result<Vec<Option<T>>> {
        let names = sealed.iter().filter_map(|one| Some((one.owner, sealed_with(&one.bytes).ok()?)));
        let keys = self.find(&names.collect::<Vec<_>>()).await?;
        let (mut opened, mut unreadable) = (Vec::with_capacity(sealed.len()), 0);
        for one in sealed {
            opened.push(match unseal(one, &keys) {
                Ok(record) => record,
                Err(_) => {
                    unreadable += 1;
                    None
                }
            });
        }
        if unreadable > 0 {
            tracing::error!(kind, count = unreadable, "records that can't be read were passed over");
        }
        Ok(opened)
    }

    /// Opens one record; `None` when its key is destroyed.
    pub(super) async fn open<T: Record>(&self, sealed: &Sealed) -> Result<Option<T>> {
        let keys = self.find(&[(sealed.owner, sealed_with(&sealed.bytes)?)]).await?;
        unseal(sealed, &keys)
    }

    /// Forgets keys whose time in memory is up: another node may have destroyed them.
    pub(super) fn forget_old(&self) {
        self.recent.lock().forget_old();
    }

    /// Destroys keys. They may be gone already.
    pub(super) async fn destroy(&self, keys: &[Named]) -> Result<()> {
        keys.iter().for_each(|name| self.recent.lock().forget(name));
        Ok(once_more!(self.try_destroy(keys))?)
    }

    async fn try_destroy(&self, keys: &[Named]) -> Result<(), Failure> {
        let Columns { parts, kinds, owners, ids, .. } = Columns::of(keys);
        let mut transaction = self.connections.begin().await?;
        let tables = Vec::from_iter(BTreeSet::from_iter(parts.iter().copied()));
        transaction.query(DESTROY, &[&kinds, &owners, &ids, &parts, &tables, &moment::gate()]).await?;
        // They stay in the files of their tables until these are written anew.
        let note = "INSERT INTO dead_part AS d (part, deaths) \
             SELECT part, count(*) FROM unnest($1::int8[]) AS w (part) GROUP BY part ORDER BY part \
             ON CONFLICT (part) DO UPDATE SET deaths = d.deaths + excluded.deaths";
        transaction.query(note, &[&parts]).await?;
        transaction.commit().await
    }
}

fn unseal<T: Record>(sealed: &Sealed, keys: &HashMap<Named, SealKey>) -> Result<Option<T>> {
    let Some(key) = keys.get(&(sealed.owner, sealed_with(&sealed.bytes)?)) else { return Ok(None) };
    let plain = Zeroizing::new(key.open(&sealed.place, &sealed.bytes)?);
    decode(&plain).map(Some)
}

impl super::Transaction {
    /// Has a key destroyed, once this is committed and `bury` was called.
    pub(super) async fn doom(&mut self, owner: impl Into<Whose>, key: KeyId) -> Result<(), Failure> {
        let Whose { owner, day } = owner.into();
        let (kind, owner) = owner.kind();
        let insert = "INSERT INTO doomed_key (kind, owner, key, day) VALUES ($1, $2, $3, $4)";
        self.query(insert, &[&i16::from(kind), &owner, &key.0.cast_signed(), &day]).await.map(drop)
    }
}

impl Open {
    /// Destroys the keys that are doomed, also those of nodes that died before they
    /// could do it.
    pub(super) async fn bury(&self) -> Result<()> {
        loop {
            let doomed = once_more!(self.doomed())?;
            if doomed.is_empty() {
                return Ok(());
            }
            self.keys.destroy(&doomed).await?;
            once_more!(self.forget_doomed(&doomed))?;
        }
    }

    /// Some keys whose owner is gone for good: the standby has that, too.
    async fn doomed(&self) -> Result<Vec<Named>, Failure> {
        let mut lease = self.record.lease().await?;
        let rows = lease.read("SELECT kind, owner, key, day FROM doomed_key LIMIT $1", &[&CHUNK]).await?;
        if !rows.is_empty() {
            self.beat.confirm_on(lease.busy()).await?;
            lease.is_done();
        }
        Ok(rows.iter().filter_map(named).collect())
    }

    async fn forget_doomed(&self, doomed: &[Named]) -> Result<(), Failure> {
        let Columns { kinds, owners, ids, .. } = Columns::of(doomed);
        let mut transaction = self.record.begin().await?;
        transaction.query(FORGET_DOOMED, &[&kinds, &owners, &ids]).await?;
        transaction.commit().await
    }
}
