//! Reports in the record.

use annon_contract::limits::{REPORT_KEPT, REPORTS_OPEN};
use async_trait::async_trait;
use tokio_postgres::Row;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, once_more, seconds};
use crate::report::{Report, ReportId, ReportPicture, Reports};
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::encode;
use crate::shapes::report::ReportRecord;
use crate::table::{report_key, report_picture_key};

fn sealed(id: Uuid, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Report(id).into(), place: report_key(ReportId(id)), bytes }
}

/// The bytes of a record.
fn seal(id: ReportId, record: &ReportRecord, key: &SealKey) -> Result<Vec<u8>> {
    key.seal(&report_key(id), &Zeroizing::new(encode(record)?))
}

impl Open {
    async fn add_report(&self, report: Report, pictures: &[ReportPicture]) -> Result<()> {
        self.may_grow()?;
        let id = report.id;
        if self.open_reports().await? >= REPORTS_OPEN.into() {
            return Err(StoreError::Full);
        }
        let record = ReportRecord::from(report);
        let key = self.keys.birth(Owner::Report(id.0)).await?;
        let added = once_more!(self.try_add_report(id, &record, pictures, &key));
        if !matches!(added, Ok(()) | Err(Failure::Unknown)) {
            self.keys.destroy(&[(Owner::Report(id.0).into(), key.id)]).await?;
        }
        Ok(added?)
    }

    async fn open_reports(&self) -> Result<i64> {
        let counted = once_more!(self.record.read("SELECT count(*) FROM report WHERE closed IS NULL", &[]))?;
        Ok(counted.first().map_or(0, |row| row.get(0)))
    }

    async fn try_add_report(
        &self,
        id: ReportId,
        record: &ReportRecord,
        pictures: &[ReportPicture],
        key: &SealKey,
    ) -> Result<(), Failure> {
        let sealed = seal(id, record, key)?;
        let mut transaction = self.record.begin().await?;
        // Reports are added one after the other, so that they are counted rightly.
        transaction.query("SELECT 1 FROM meta FOR NO KEY UPDATE", &[]).await?;
        let insert = "INSERT INTO report (id, sealed) SELECT $2::uuid, $3::bytea \
             WHERE (SELECT count(*) FROM report WHERE closed IS NULL) < $1 RETURNING 1";
        let added = transaction.query(insert, &[&i64::from(REPORTS_OPEN), &id.0, &sealed]).await?;
        if added.is_empty() {
            return Err(StoreError::Full.into());
        }
        for ReportPicture { of, jpeg } in pictures {
            let sealed = key.seal(&report_picture_key(id, *of), jpeg)?;
            let insert = "INSERT INTO report_picture (report, of, sealed) VALUES ($1, $2, $3)";
            transaction.query(insert, &[&id.0, &i32::from(*of), &sealed]).await?;
        }
        transaction.commit().await
    }

    async fn try_close_report(&self, id: ReportId, now: Timestamp) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let select = "SELECT sealed, closed FROM report WHERE id = $1 FOR NO KEY UPDATE";
        let found = transaction.query(select, &[&id.0]).await?;
        let row = found.first().ok_or(StoreError::NotFound)?;
        if row.get::<_, Option<i64>>(1).is_some() {
            return Ok(());
        }
        let old = sealed(id.0, row.get(0));
        let key = self.keys.key((old.owner, sealed_with(&old.bytes)?)).await?.ok_or(StoreError::NotFound)?;
        let record: ReportRecord = self.keys.open(&old).await?.ok_or(StoreError::NotFound)?;
        let bytes = seal(id, &ReportRecord { closed: Some(now), ..record }, &key)?;
        let update = "UPDATE report SET sealed = $2, closed = $3 WHERE id = $1";
        transaction.query(update, &[&id.0, &bytes, &seconds(now)]).await?;
        transaction.commit().await
    }

    /// Removes the reports that were closed long ago, and dooms their keys.
    pub(super) async fn try_drop_old_reports(&self) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM report \
             WHERE closed + $1 <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) RETURNING id, sealed";
        let dropped = transaction.query(delete, &[&seconds(REPORT_KEPT.as_secs())]).await?;
        for row in &dropped {
            transaction.doom(Owner::Report(row.get(0)), sealed_with(row.get(1))?).await?;
        }
        transaction.commit().await?;
        Ok(dropped.len())
    }
}

#[async_trait]
impl Reports for Postgres {
    async fn add(&self, report: Report, pictures: Vec<ReportPicture>) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.add_report(report, &pictures).await }).await
    }

    async fn page(&self, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>> {
        let select = "SELECT id, sealed FROM report WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2";
        let sealed = |row: &Row| sealed(row.get(0), row.get(1));
        let before = before.map(|id| id.0);
        self.page_by_id("report", select, before, limit, sealed, |id, record: ReportRecord| record.into_report(id))
            .await
    }

    async fn by_id(&self, id: ReportId) -> Result<Option<Report>> {
        let rows = once_more!(self.record.read("SELECT sealed FROM report WHERE id = $1", &[&id.0]))?;
        let Some(row) = rows.first() else { return Ok(None) };
        let record: Option<ReportRecord> = self.keys.open(&sealed(id.0, row.get(0))).await?;
        Ok(record.map(|record| record.into_report(id.0)))
    }

    async fn pictures(&self, id: ReportId) -> Result<Vec<ReportPicture>> {
        let select = "SELECT of, sealed FROM report_picture WHERE report = $1 ORDER BY of";
        let mut pictures = Vec::new();
        for row in once_more!(self.record.read(select, &[&id.0]))? {
            let of = u16::try_from(row.get::<_, i32>(0)).map_err(|_| StoreError::Corrupt)?;
            let (whose, sealed) = (Owner::Report(id.0).into(), row.get::<_, &[u8]>(1));
            if let Some(key) = self.keys.key((whose, sealed_with(sealed)?)).await? {
                pictures.push(ReportPicture { of, jpeg: key.open(&report_picture_key(id, of), sealed)? });
            }
        }
        Ok(pictures)
    }

    async fn close(&self, id: ReportId, now: Timestamp) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { Ok(once_more!(this.try_close_report(id, now))?) }).await
    }
}
