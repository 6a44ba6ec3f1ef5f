//! Suspensions, and what they withhold.

use tokio_postgres::Row;

use super::Found;
use crate::account::AccountId;
use crate::error::Result;
use crate::folder::parts::Part;
use crate::seals::keyring::Owner;
use crate::shapes::account::WithheldRecord;
use crate::shapes::encode;
use crate::table::{suspension_key, withheld_key};

impl Found {
    pub(super) fn suspension(&mut self, row: &Row) -> Result<Vec<Part>> {
        let account = AccountId(row.get(0));
        self.sealed(Owner::Account(account.0), suspension_key(account), row.get(1))
    }

    #[allow(clippy::unused_self, reason = "it is called as the others are")]
    pub(super) fn withheld(&mut self, row: &Row) -> Result<Vec<Part>> {
        let until = WithheldRecord(row.get::<_, i64>(1).unsigned_abs());
        Ok(vec![Part::Put(withheld_key(row.get(0)), encode(&until)?)])
    }
}
