//! Takes a backup into empty databases.
//!
//! The file is read three times, and never held as a whole. First it is checked to its
//! end. Then its records are staged in a table under the keys that the file has for them,
//! where later ones replace earlier ones, and `records.rs` copies them from there, a few
//! at a time. The pictures come last, when the day of each room is known.
//!
//! What is sealed stays as it is, since it is bound to the same places in every engine.
//! Until all of it is there, no node starts on these databases.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use tokio::runtime::Handle;
use zeroize::Zeroizing;

use crate::backup::{RestoreError, check_backup, parts_of, restored_value};
use crate::engine::Engine as _;
use crate::error::StoreError;
use crate::folder::parts::Part;
use crate::image::picture::Picture;
use crate::postgres::errors::Failure;
use crate::postgres::schema::{RECORD, UNFINISHED};
use crate::postgres::{Line, Open, Postgres, PostgresError, PostgresOptions, addresses, backup, look, once_more};
use crate::progress::{Progress, Unit};
use crate::seals::keyring::Keyring;
use crate::seals::secret::Secret;

mod kept;
mod records;
use records::Copier;

/// Records that are staged by one transaction, and the bytes after which that ends early.
const STAGED: usize = 1000;
const STAGED_BYTES: usize = 4 * 1024 * 1024;

/// What was taken over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Migrated {
    pub accounts: u64,
    pub notes: u64,
    /// Public answers, and personal pages that somebody has set up.
    pub answers: u64,
    pub pages: u64,
    /// What owners have set against spam.
    pub shields: u64,
    pub conversations: u64,
    pub groups: u64,
    /// Records of groups' logs.
    pub records: u64,
    pub feedback: u64,
    pub reports: u64,
    pub suspensions: u64,
    pub invitations: u64,
    /// Other sealed records.
    pub others: u64,
    pub pictures: u64,
    /// Records with a key that does not open them. They are left out.
    pub damaged: u64,
}

/// Why a backup could not be taken over. The error is a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    #[error(transparent)]
    Backup(#[from] RestoreError),
    #[error(transparent)]
    Databases(#[from] PostgresError),
    #[error("the database has tables of annon already: migrate into two new databases")]
    NotEmpty,
    #[error(
        "{} is not the secret of the backup: name another file, which is then made, and give that one to all servers",
        .0.display()
    )]
    OtherSecret(PathBuf),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the databases could not take all of it ({0}): make both anew, and migrate again")]
    Stopped(StoreError),
    #[error("what is in the databases is not what was written: make both anew, and migrate again")]
    Unequal,
}

impl From<StoreError> for MigrateError {
    fn from(error: StoreError) -> Self {
        Self::Stopped(error)
    }
}

impl From<Failure> for MigrateError {
    fn from(failure: Failure) -> Self {
        Self::Stopped(failure.into())
    }
}

/// Takes a backup into empty databases. If they or the file can't be used, nothing is
/// written. With `verify`, every record is read and opened in the end.
pub async fn migrate(
    file: &Path,
    options: &PostgresOptions,
    verify: bool,
    progress: &Progress,
) -> Result<Migrated, MigrateError> {
    check_backup(file, progress)?;
    let (secret, keyring) = keys_of(file, progress)?;
    let io_at = |path: &Path, source| MigrateError::Io { path: path.to_owned(), source };
    let there = Secret::read(&options.secret).map_err(|source| io_at(&options.secret, source))?;
    if there.as_ref().is_some_and(|there| there.bytes() != secret.bytes()) {
        return Err(MigrateError::OtherSecret(options.secret.clone()));
    }
    let (record, keys) = addresses(options)?;
    if look(&record, &keys, &secret, &Line::Notifications, &Handle::current()).await?.of_record.is_some() {
        return Err(MigrateError::NotEmpty);
    }
    if there.is_none() {
        Secret::restore(&options.secret, secret.bytes()).map_err(|source| io_at(&options.secret, source))?;
    }
    let engine = Postgres::open(options).await?;
    engine.beat.takes_in.store(true, Relaxed);
    once_more!(engine.begin_migration())?;
    let staged = stage(file, &engine, progress).await?;
    let mut copier = Copier::new(&engine, keyring);
    progress.begin("copying records", Unit::Records, Some(staged));
    copier.copy_records(progress).await?;
    for part in parts_of(file, "copying pictures", progress)? {
        let Part::Picture(name, bytes) = part.map_err(|source| io_at(file, source))? else { continue };
        if let Some(picture) = Picture::named(&name) {
            copier.picture(picture, bytes).await?;
        }
    }
    let migrated = copier.migrated;
    if verify {
        let Migrated {
            accounts,
            notes,
            answers,
            pages,
            shields,
            conversations,
            groups,
            records,
            feedback,
            reports,
            suspensions,
            invitations,
            others,
            pictures,
            damaged: _,
        } = migrated;
        let all = accounts + notes + answers + pages + shields + conversations + groups + records + feedback;
        let all = all + reports + suspensions + invitations + others;
        progress.begin("opening every record", Unit::Records, Some(all + pictures));
        let found = backup::open_all(&engine, progress).await.map_err(|_| MigrateError::Unequal)?;
        if found != (all, pictures) {
            return Err(MigrateError::Unequal);
        }
    }
    once_more!(engine.end_migration(&migrated))?;
    engine.stop().await?;
    Ok(migrated)
}

/// The secret and the keys of a backup.
fn keys_of(file: &Path, progress: &Progress) -> Result<(Secret, Keyring), MigrateError> {
    let (mut secret, mut keys) = (None, Zeroizing::new(Vec::new()));
    for part in parts_of(file, "reading the keys", progress)? {
        match part.map_err(|source| MigrateError::Io { path: file.to_owned(), source })? {
            Part::Secret(bytes) => secret = Secret::of(&bytes),
            Part::Keys(bytes) => keys.extend_from_slice(&bytes),
            _ => {}
        }
    }
    let keyring = Keyring::of_copy(&keys).zip(secret).map(|(keyring, secret)| (secret, keyring));
    let why = || RestoreError::NotABackup { path: file.to_owned(), why: "its keys can't be read".to_owned() };
    Ok(keyring.ok_or_else(why)?)
}

/// Puts the records of a backup into the table from which they are copied. Returns how many
/// there were, with those that others replaced.
async fn stage(file: &Path, engine: &Postgres, progress: &Progress) -> Result<u64, MigrateError> {
    let (mut staged, mut bytes, mut records) = (Vec::new(), 0, 0);
    for part in parts_of(file, "taking the backup in", progress)? {
        let source = |source| MigrateError::Io { path: file.to_owned(), source };
        let (at, value) = match part.map_err(source)? {
            Part::Put(at, value) => (at.clone(), restored_value(&at, value).map_err(source)?),
            Part::Remove(at) => (at, None),
            Part::Picture(..) | Part::Keys(_) | Part::Secret(_) => continue,
        };
        bytes += at.len() + value.as_ref().map_or(0, Vec::len);
        staged.push((at, value));
        records += 1;
        if staged.len() >= STAGED || bytes >= STAGED_BYTES {
            once_more!(engine.stage(&staged))?;
            (staged, bytes) = (Vec::new(), 0);
        }
    }
    once_more!(engine.stage(&staged))?;
    Ok(records)
}

impl Open {
    /// Makes the table of staged records, and lets no node start until the end.
    async fn begin_migration(&self) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.query("UPDATE meta SET oldest_reader = $1", &[&UNFINISHED]).await?;
        let make = "CREATE UNLOGGED TABLE migrating (at bytea PRIMARY KEY, value bytea NOT NULL)";
        transaction.query(make, &[]).await?;
        transaction.commit().await
    }

    /// Stages records in their order; one without a value is removed.
    async fn stage(&self, staged: &[(Vec<u8>, Option<Vec<u8>>)]) -> Result<(), Failure> {
        // The last of each place counts.
        let last: std::collections::BTreeMap<_, _> = staged.iter().map(|(at, value)| (at, value)).collect();
        let (ats, values): (Vec<&Vec<u8>>, Vec<&Option<Vec<u8>>>) = last.into_iter().unzip();
        let mut transaction = self.record.begin().await?;
        transaction.query("DELETE FROM migrating WHERE at = ANY ($1)", &[&ats]).await?;
        let insert = "INSERT INTO migrating (at, value) \
             SELECT at, value FROM unnest($1::bytea[], $2::bytea[]) AS w (at, value) WHERE value IS NOT NULL";
        transaction.query(insert, &[&ats, &values]).await?;
        transaction.commit().await
    }

    async fn end_migration(&self, migrated: &Migrated) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.query("DROP TABLE migrating", &[]).await?;
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let update = "UPDATE meta SET accounts = $1, oldest_reader = $2";
        transaction.query(update, &[&count(migrated.accounts), &RECORD.newest()]).await?;
        transaction.commit().await
    }
}
