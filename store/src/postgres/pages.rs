//! Pages of what is listed by its id.

use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::Result;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, once_more, rows};
use crate::shapes::Record;

impl Open {
    /// A page of what `select` finds behind an id, at most so many rows, in an order by their
    /// first column, which is the id. `kind` names one of them in the log.
    pub(super) async fn page_by_id<R: Record + Send, Listed: Send>(
        &self,
        kind: &'static str,
        select: &'static str,
        behind: Option<Uuid>,
        limit: usize,
        sealed: fn(&Row) -> Sealed,
        listed: fn(Uuid, R) -> Listed,
    ) -> Result<Vec<Listed>> {
        let (mut page, mut behind) = (Vec::new(), behind);
        // What can't be read is passed over, and others fill the page.
        while page.len() < limit {
            let wanted = limit - page.len();
            let found = once_more!(self.record.read(select, &[&behind, &rows(wanted)]))?;
            let Some(last) = found.last() else { break };
            behind = last.get(0);
            let all: Vec<_> = found.iter().map(sealed).collect();
            let opened = self.keys.open_all::<R>(kind, &all).await?;
            page.extend(found.iter().zip(opened).filter_map(|(row, record)| Some(listed(row.get(0), record?))));
            if found.len() < wanted {
                break;
            }
        }
        Ok(page)
    }
}
