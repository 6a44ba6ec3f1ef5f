//! Reports: what people show to the operator because it should not be here. The words come
//! from our own record, so nobody can report what was never said.

use annon_contract::code::Code;
use annon_contract::limits::{REPORT_KEPT, REPORT_MAX};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::Timestamp;
use crate::conversation::Side;
use crate::error::Result;
use crate::text::{tidy, unprintable, words};

/// The id of a report. Ids grow with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReportId(pub Uuid);

words! {
    /// What somebody says about what they report: up to `REPORT_MAX` characters, or nothing.
    ReportText(String), tidy, 0..=REPORT_MAX, Code::ReportTooShort, Code::ReportTooLong
}

/// What a report is about. The order of variants is on disk.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum About {
    Note,
    /// A conversation, and which side reports it.
    Conversation(Side),
    /// A group, by an id that opens nothing.
    Room(String),
    /// A page, by its path.
    Page(String),
}

/// Words as they stood where they were said. The order of fields is on disk.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quoted {
    /// The emoji of a group's member, `owner` or `sender`.
    pub from: String,
    /// When it was said, as it was shown.
    pub time: String,
    pub text: String,
}

/// A copy of a picture that a report shows, as it was encoded when it came.
#[derive(Clone, PartialEq, Eq)]
pub struct ReportPicture {
    /// The number of the words that it stands beside, counted from 0.
    pub of: u16,
    pub jpeg: Vec<u8>,
}

unprintable!(About, Quoted, ReportPicture);

/// A report. Nothing in it tells who has made it, beyond what it is about. The order of fields
/// is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub id: ReportId,
    pub date: Timestamp,
    pub about: About,
    /// The username of the account that is responsible, if one is.
    pub account: Option<String>,
    pub words: Vec<Quoted>,
    /// What was added by whoever has made it.
    pub text: ReportText,
    /// When the operator has closed it.
    pub closed: Option<Timestamp>,
}

/// How a report stands, as its sender may know. The order of variants is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReportState {
    Waits,
    LookedAt,
    Closed,
}

/// The keyed hash of the number by which a report's sender asks how it stands. The number is stored nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptHash(pub [u8; 32]);

/// What stands under such a hash. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) report: ReportId,
    pub(crate) state: ReportState,
}

/// When a report goes that was closed at `closed`.
pub(crate) fn goes(closed: Timestamp) -> Timestamp {
    closed.saturating_add(REPORT_KEPT.as_secs())
}

/// The reports. A closed one is kept for `REPORT_KEPT`; then nobody can read it.
#[async_trait]
pub trait Reports: Send + Sync {
    /// Stores a report with its pictures, and nobody can ask how it stands.
    async fn add(&self, report: Report, pictures: Vec<ReportPicture>) -> Result<()> {
        self.add_with(report, pictures, None).await
    }
    /// Stores a report with its pictures and the hash of its receipt. They go with it. `Full` when too many are open,
    /// `Conflict` when the id exists.
    async fn add_with(&self, report: Report, pictures: Vec<ReportPicture>, receipt: Option<ReceiptHash>) -> Result<()>;
    /// How the report with this receipt stands, if there is one. It is one look, whatever it finds.
    async fn state(&self, receipt: ReceiptHash) -> Result<Option<ReportState>>;
    /// Notes that the operator has looked at a report.
    async fn look_at(&self, id: ReportId) -> Result<()>;
    /// How many are open.
    async fn open(&self) -> Result<u32>;
    /// Reports older than `before`, newest first.
    async fn page(&self, before: Option<ReportId>, limit: usize) -> Result<Vec<Report>>;
    async fn by_id(&self, id: ReportId) -> Result<Option<Report>>;
    /// The pictures of a report, in the order of its words.
    async fn pictures(&self, id: ReportId) -> Result<Vec<ReportPicture>>;
    /// Closes a report. One that was closed before stays as it is. `NotFound` when it is gone.
    async fn close(&self, id: ReportId, now: Timestamp) -> Result<()>;
}
