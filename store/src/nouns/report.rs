//! Reports. A report is a row and one for each of its pictures, all sealed with a key of its own. How it stands is a row
//! that its receipt leads to, which isn't sealed.

use annon_contract::limits::REPORTS_OPEN;
use async_trait::async_trait;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::report::{Receipt, ReceiptHash, Report, ReportId, ReportPicture, ReportState, Reports, goes};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::feedback::Count;
use crate::shapes::report::ReportRecord;
use crate::table::{
    Table, end_of, id_after_table, key, number_at_end, receipt_key, receipt_of_key, report_key, report_picture_key,
};

fn pictures_of(id: ReportId) -> Span {
    Span::under(&key(Table::ReportPicture, &[id.0.as_bytes()]))
}

async fn open<R: Reads>(rows: &R) -> Result<u32> {
    Ok(rows.record(&key(Table::OpenReports, &[])).await?.unwrap_or(Count(0)).0)
}

/// The receipt of a report. One from before there were receipts has none.
async fn receipt_of<R: Reads>(rows: &R, report: ReportId) -> Result<Option<ReceiptHash>> {
    rows.record(&receipt_of_key(report)).await
}

struct Add {
    report: Report,
    pictures: Vec<ReportPicture>,
    receipt: Option<ReceiptHash>,
}

impl Call for Add {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![key(Table::OpenReports, &[])]
    }

    fn wants(&self) -> Wants {
        Wants::rows([report_key(self.report.id)])
    }

    fn births(&self) -> Vec<Owner> {
        vec![Owner::Report(self.report.id.0)]
    }

    fn made(&self) -> Option<(Vec<u8>, ())> {
        Some((report_key(self.report.id), ()))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let open = open(rows).await?;
        if open >= REPORTS_OPEN {
            return Err(StoreError::Full);
        }
        let id = self.report.id;
        if rows.has(&report_key(id)).await? {
            return Err(StoreError::Conflict);
        }
        let owner = Owner::Report(id.0);
        rows.new_key(owner).await?;
        rows.put_sealed(owner, report_key(id), &ReportRecord::from(self.report.clone())).await?;
        for ReportPicture { of, jpeg } in &self.pictures {
            let at = report_picture_key(id, *of);
            let sealed = rows.seal(owner, &at, jpeg).await?;
            rows.put(at, sealed);
        }
        if let Some(hash) = self.receipt {
            rows.put_record(receipt_of_key(id), &hash)?;
            rows.put_record(receipt_key(hash), &Receipt { report: id, state: ReportState::Waits })?;
        }
        rows.put_record(key(Table::OpenReports, &[]), &Count(open + 1))
    }
}

struct Close {
    id: ReportId,
    now: Timestamp,
}

impl Call for Close {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![key(Table::OpenReports, &[])]
    }

    fn wants(&self) -> Wants {
        Wants::rows([report_key(self.id), receipt_of_key(self.id)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let at = report_key(self.id);
        let record: ReportRecord = rows.sealed(&at).await?.ok_or(StoreError::NotFound)?;
        if record.closed.is_some() {
            return Ok(());
        }
        let open = open(rows).await?;
        invariant!(open > 0, "open reports are counted");
        let closed = ReportRecord { closed: Some(self.now), ..record };
        rows.put_sealed(Owner::Report(self.id.0), at, &closed).await?;
        if let Some(hash) = receipt_of(rows, self.id).await? {
            rows.put_record(receipt_key(hash), &Receipt { report: self.id, state: ReportState::Closed })?;
        }
        rows.put_record(key(Table::OpenReports, &[]), &Count(open.saturating_sub(1)))
    }
}

struct LookAt(ReportId);

impl Call for LookAt {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![key(Table::OpenReports, &[])]
    }

    fn wants(&self) -> Wants {
        Wants::rows([receipt_of_key(self.0)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Some(hash) = receipt_of(rows, self.0).await? else { return Ok(()) };
        let was: Option<Receipt> = rows.record(&receipt_key(hash)).await?;
        // Of what is closed the operator can look at the copy.
        if was.is_some_and(|was| was.state == ReportState::Waits) {
            rows.put_record(receipt_key(hash), &Receipt { report: self.0, state: ReportState::LookedAt })?;
        }
        Ok(())
    }
}

struct DropOld(Vec<ReportId>);

impl Call for DropOld {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![key(Table::OpenReports, &[])]
    }

    fn wants(&self) -> Wants {
        Wants::rows(self.0.iter().map(|id| report_key(*id)))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for id in &self.0 {
            for (at, _) in rows.range(pictures_of(*id), usize::MAX).await? {
                rows.remove(at);
            }
            rows.remove(report_key(*id));
            if let Some(hash) = receipt_of(rows, *id).await? {
                rows.remove(receipt_key(hash));
                rows.remove(receipt_of_key(*id));
            }
            rows.destroy_keys(Owner::Report(id.0)).await?;
        }
        Ok(())
    }
}

async fn reports<R: Reads>(rows: &R, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>> {
    let all = key(Table::Report, &[]);
    let end = before.map_or_else(|| end_of(&all), report_key);
    let page = rows.page_of("report", Span::new(all, end).backwards(), limit).await?;
    page.into_iter().map(|(at, found): (_, ReportRecord)| Ok(found.into_report(id_after_table(&at)?))).collect()
}

/// Removes the reports that were closed long ago, and destroys their keys. There are few enough to
/// open each.
pub(crate) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let mut old = reports(&keep.look(), None, usize::MAX).await?;
    old.retain(|report| report.closed.is_some_and(|closed| goes(closed) <= now));
    let count = old.len();
    if count > 0 {
        keep.call(DropOld(old.into_iter().map(|report| report.id).collect())).await?;
    }
    Ok(count)
}

#[async_trait]
impl<K: Keep> Reports for Nouns<K> {
    async fn add_with(&self, report: Report, pictures: Vec<ReportPicture>, receipt: Option<ReceiptHash>) -> Result<()> {
        self.0.call(Add { report, pictures, receipt }).await
    }

    async fn state(&self, receipt: ReceiptHash) -> Result<Option<ReportState>> {
        let found: Option<Receipt> = self.0.look().record(&receipt_key(receipt)).await?;
        Ok(found.map(|found| found.state))
    }

    async fn look_at(&self, id: ReportId) -> Result<()> {
        self.0.call(LookAt(id)).await
    }

    async fn open(&self) -> Result<u32> {
        open(&self.0.look()).await
    }

    async fn page(&self, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>> {
        reports(&self.0.look(), before, limit).await
    }

    async fn by_id(&self, id: ReportId) -> Result<Option<Report>> {
        let found: Option<ReportRecord> = self.0.look().sealed(&report_key(id)).await?;
        Ok(found.map(|found| found.into_report(id.0)))
    }

    async fn pictures(&self, id: ReportId) -> Result<Vec<ReportPicture>> {
        let rows = self.0.look();
        let mut pictures = Vec::new();
        for (at, sealed) in rows.range(pictures_of(id), usize::MAX).await? {
            // The report may just have gone.
            let Some(jpeg) = rows.unseal(&at, &sealed).await? else { continue };
            pictures.push(ReportPicture { of: number_at_end(&at)?, jpeg: jpeg.to_vec() });
        }
        Ok(pictures)
    }

    async fn close(&self, id: ReportId, now: Timestamp) -> Result<()> {
        self.0.call(Close { id, now }).await
    }
}
