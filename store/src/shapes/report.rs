//! A report as it is on disk. The order of fields is on disk, too: a record with another field
//! needs a new version.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::Timestamp;
use crate::report::{About, Quoted, Report, ReportId, ReportText};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReportRecord {
    pub(crate) date: Timestamp,
    pub(crate) about: About,
    pub(crate) account: Option<String>,
    pub(crate) words: Vec<Quoted>,
    pub(crate) text: ReportText,
    pub(crate) closed: Option<Timestamp>,
}

impl ReportRecord {
    pub(crate) fn into_report(self, id: Uuid) -> Report {
        let Self { date, about, account, words, text, closed } = self;
        Report { id: ReportId(id), date, about, account, words, text, closed }
    }
}

impl From<Report> for ReportRecord {
    fn from(report: Report) -> Self {
        let Report { id: _, date, about, account, words, text, closed } = report;
        Self { date, about, account, words, text, closed }
    }
}
