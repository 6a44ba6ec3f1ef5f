//! Copies staged rows that stay as they are.

use zeroize::Zeroizing;

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::error::Result;
use crate::postgres::keys::Whose;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::feedback::Count;
use crate::shapes::report::ReportRecord;
use crate::shapes::{decode, encode};
use crate::table::{Table, id_after_table, key, owner_of};

impl Copier<'_> {
    /// What a row has sealed, and its key. `None` if that is destroyed, or the row is damaged.
    fn unsealed(&mut self, at: &[u8], sealed: &[u8]) -> Option<(Zeroizing<Vec<u8>>, SealKey)> {
        let key = self.keyring.key(sealed_with(sealed).ok()?)?.clone();
        let plain = key.open(at, sealed).map(Zeroizing::new);
        self.migrated.damaged += u64::from(plain.is_err());
        Some((plain.ok()?, key))
    }

    pub(super) async fn kept(&mut self, table: Table, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut keys, mut ats, mut values): (Vec<(Whose, SealKey)>, Vec<_>, Vec<_>) = Default::default();
        for (at, value) in some {
            if let Ok(owner) = owner_of(&at) {
                let Some((plain, key)) = self.unsealed(&at, &value) else { continue };
                let id = id_after_table(&at)?;
                match table {
                    Table::Report => {
                        let record: ReportRecord = decode(&plain)?;
                        self.open_reports += u32::from(record.closed.is_none());
                        self.reports.insert(id);
                        self.migrated.reports += 1;
                    }
                    // A report that can't be read isn't there, and neither are its pictures.
                    Table::ReportPicture if !self.reports.contains(&id) => continue,
                    Table::ReportPicture => self.migrated.pictures += 1,
                    Table::Invitation => self.migrated.invitations += 1,
                    _ => self.migrated.feedback += 1,
                }
                if table != Table::ReportPicture {
                    keys.push((owner.into(), key));
                }
            }
            ats.push(at);
            values.push(value);
        }
        self.engine.keys.take_over(&keys).await?;
        self.put(&ats, &values).await
    }

    /// Counts what was copied.
    pub(super) async fn counts(&self) -> Result<(), MigrateError> {
        let feedback = Count(u32::try_from(self.migrated.feedback).unwrap_or(u32::MAX));
        let counts = [(Table::FeedbackCount, feedback), (Table::OpenReports, Count(self.open_reports))];
        let values = counts.iter().map(|(_, count)| encode(count)).collect::<Result<Vec<_>>>()?;
        self.put(&counts.map(|(table, _)| key(table, &[])), &values).await
    }

    async fn put(&self, ats: &[Vec<u8>], values: &[Vec<u8>]) -> Result<(), MigrateError> {
        let insert = "WITH added AS (INSERT INTO kept (at, value) SELECT * FROM unnest($1::bytea[], $2::bytea[]) \
             RETURNING 1) SELECT count(*) FROM added";
        self.insert(insert, &[&ats, &values]).await?;
        Ok(())
    }
}
