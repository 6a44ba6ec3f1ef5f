//! Reports in memory.

use annon_contract::limits::{REPORT_KEPT, REPORTS_OPEN};
use annon_store::account::Timestamp;
use annon_store::report::{Report, ReportId, ReportPicture, Reports};
use annon_store::{Result, StoreError};
use async_trait::async_trait;

use crate::{MemoryStore, State};

impl State {
    pub(crate) fn drop_old_reports(&mut self, now: Timestamp) -> usize {
        let before = self.reports.len();
        self.reports.retain(|_, report| report.closed.is_none_or(|closed| closed + REPORT_KEPT.as_secs() > now));
        self.report_pictures.retain(|id, _| self.reports.contains_key(id));
        before - self.reports.len()
    }
}

#[async_trait]
impl Reports for MemoryStore {
    async fn add(&self, report: Report, pictures: Vec<ReportPicture>) -> Result<()> {
        let mut state = self.writing()?;
        let kept = &mut state.reports;
        if kept.values().filter(|report| report.closed.is_none()).count() >= REPORTS_OPEN as usize {
            return Err(StoreError::Full);
        }
        if kept.contains_key(&report.id) {
            return Err(StoreError::Conflict);
        }
        let id = report.id;
        kept.insert(id, report);
        state.report_pictures.insert(id, pictures);
        Ok(())
    }

    async fn page(&self, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>> {
        let state = self.state();
        let older = state.reports.values().rev().filter(|one| before.is_none_or(|before| one.id < before));
        Ok(older.take(limit).cloned().collect())
    }

    async fn by_id(&self, id: ReportId) -> Result<Option<Report>> {
        Ok(self.state().reports.get(&id).cloned())
    }

    async fn pictures(&self, id: ReportId) -> Result<Vec<ReportPicture>> {
        Ok(self.state().report_pictures.get(&id).cloned().unwrap_or_default())
    }

    async fn close(&self, id: ReportId, now: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        state.reports.get_mut(&id).ok_or(StoreError::NotFound)?.closed.get_or_insert(now);
        Ok(())
    }
}
