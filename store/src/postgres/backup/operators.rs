//! What the operator works with: reports, suspensions, invitations and the pause.

use tokio_postgres::Row;

use super::Found;
use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::folder::parts::Part;
use crate::invitation::InvitationId;
use crate::report::ReportId;
use crate::seals::keyring::Owner;
use crate::shapes::account::WithheldRecord;
use crate::shapes::encode;
use crate::table::{invitation_key, pause_key, report_key, report_picture_key, suspension_key, withheld_key};

impl Found {
    pub(super) fn report(&mut self, row: &Row) -> Result<Vec<Part>> {
        let id = ReportId(row.get(0));
        let parts = self.sealed(Owner::Report(id.0), report_key(id), row.get(1))?;
        let is_open = row.get::<_, Option<i64>>(2).is_none();
        self.open_reports += u32::from(is_open && !parts.is_empty());
        Ok(parts)
    }

    pub(super) fn picture_of_report(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (id, of) = (ReportId(row.get(0)), row.get::<_, i32>(1));
        let at = report_picture_key(id, u16::try_from(of).map_err(|_| StoreError::Corrupt)?);
        self.sealed(Owner::Report(id.0), at, row.get(2))
    }

    pub(super) fn suspension(&mut self, row: &Row) -> Result<Vec<Part>> {
        let account = AccountId(row.get(0));
        self.sealed(Owner::Account(account.0), suspension_key(account), row.get(1))
    }

    #[allow(clippy::unused_self, reason = "it is called as the others are")]
    pub(super) fn withheld(&mut self, row: &Row) -> Result<Vec<Part>> {
        let until = WithheldRecord(row.get::<_, i64>(1).unsigned_abs());
        Ok(vec![Part::Put(withheld_key(row.get(0)), encode(&until)?)])
    }

    pub(super) fn invitation(&mut self, row: &Row) -> Result<Vec<Part>> {
        let id = InvitationId(row.get(0));
        self.sealed(Owner::Invitation(id.0), invitation_key(id), row.get(1))
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "it is called as the others are")]
    pub(super) fn pause(&mut self, row: &Row) -> Result<Vec<Part>> {
        Ok(vec![Part::Put(pause_key(), row.get(0))])
    }
}
