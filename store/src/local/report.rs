//! Reports on this machine.

use annon_contract::limits::REPORTS_OPEN;
use async_trait::async_trait;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::committer::Effect::{Grows, Replaces};
use crate::local::transaction::Transaction;
use crate::report::{Report, ReportId, ReportPicture, Reports, goes};
use crate::seals::keyring::Owner;
use crate::shapes::feedback::Count;
use crate::shapes::report::ReportRecord;
use crate::table::{Table, end_of, id_after_table, key, number_at_end, report_key, report_picture_key};

fn pictures_of(id: ReportId) -> Vec<u8> {
    key(Table::ReportPicture, &[id.0.as_bytes()])
}

fn open(transaction: &Transaction<'_>) -> Result<u32> {
    Ok(transaction.record(&key(Table::OpenReports, &[]))?.unwrap_or(Count(0)).0)
}

impl Local {
    fn reports_before(&self, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>> {
        let all = key(Table::Report, &[]);
        let end = before.map_or_else(|| end_of(&all), report_key);
        self.page_of("report", self.index.range(all, end).rev(), limit, |key, record: ReportRecord| {
            Ok(record.into_report(id_after_table(key)?))
        })
    }

    /// Removes the reports that were closed long ago, and destroys their keys. There are few
    /// enough to open each.
    pub(super) async fn drop_old_reports(&self, now: Timestamp) -> Result<usize> {
        let mut old = self.reports_before(None, usize::MAX)?;
        old.retain(|report| report.closed.is_some_and(|closed| goes(closed) <= now));
        let count = old.len();
        if count > 0 {
            let mut pictures = Vec::new();
            for Report { id, .. } in &old {
                for pair in self.index.under(&pictures_of(*id)) {
                    pictures.push(pair?.0);
                }
            }
            let remove = move |transaction: &mut Transaction<'_>| {
                pictures.into_iter().for_each(|at| transaction.remove(at));
                for Report { id, .. } in old {
                    transaction.remove(report_key(id));
                    transaction.destroy_keys(Owner::Report(id.0));
                }
            };
            self.change(Replaces, remove).await?;
        }
        Ok(count)
    }
}

#[async_trait]
impl Reports for Local {
    async fn add(&self, report: Report, pictures: Vec<ReportPicture>) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            let open = open(transaction)?;
            if open >= REPORTS_OPEN {
                return Err(StoreError::Full);
            }
            let id = report.id;
            if transaction.has(&report_key(id))? {
                return Err(StoreError::Conflict);
            }
            let owner = Owner::Report(id.0);
            transaction.new_key(owner)?;
            transaction.put_sealed(owner, report_key(id), &ReportRecord::from(report))?;
            for ReportPicture { of, jpeg } in pictures {
                let at = report_picture_key(id, of);
                let sealed = transaction.current_key(owner).ok_or(StoreError::NotFound)?.seal(&at, &jpeg)?;
                transaction.put_bytes(at, sealed);
            }
            transaction.put(key(Table::OpenReports, &[]), &Count(open + 1))
        };
        self.committer.write(Grows, work).await
    }

    async fn page(&self, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>> {
        self.reports_before(before, limit)
    }

    async fn by_id(&self, id: ReportId) -> Result<Option<Report>> {
        let record: Option<ReportRecord> = self.sealed(&report_key(id))?;
        Ok(record.map(|record| record.into_report(id.0)))
    }

    async fn pictures(&self, id: ReportId) -> Result<Vec<ReportPicture>> {
        let Some(seal) = self.key_of(Owner::Report(id.0)) else { return Ok(Vec::new()) };
        let all = self.index.under(&pictures_of(id)).map(|pair| {
            let (at, sealed) = pair?;
            Ok(ReportPicture { of: number_at_end(&at)?, jpeg: seal.open(&at, &sealed)? })
        });
        all.collect()
    }

    async fn close(&self, id: ReportId, now: Timestamp) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            let at = report_key(id);
            let record: ReportRecord = transaction.sealed(&at)?.ok_or(StoreError::NotFound)?;
            if record.closed.is_some() {
                return Ok(());
            }
            let open = open(transaction)?;
            invariant!(open > 0, "open reports are counted");
            transaction.put_sealed(Owner::Report(id.0), at, &ReportRecord { closed: Some(now), ..record })?;
            transaction.put(key(Table::OpenReports, &[]), &Count(open.saturating_sub(1)))
        };
        self.committer.write(Replaces, work).await
    }
}
