//! All keys of one moment, for a backup. The rows that they open are in another database, whose moment is chosen first:
//! between the two no key may be destroyed, or a row would have lost its key.

use std::collections::HashMap;

use uuid::Uuid;

use crate::error::{Result, StoreError};
use crate::postgres::connection::Connection;
use crate::postgres::errors::{Failure, failure};
use crate::postgres::keys::{Keys, Named};
use crate::postgres::lease::number_of;
use crate::postgres::once_more;
use crate::seals::SealKey;

/// Keys that are read together.
const MANY: i64 = 5000;

/// The lock that everybody has together who destroys keys, and alone whoever chooses a moment.
pub(super) fn gate() -> i64 {
    number_of(b"no key is destroyed")
}

/// A moment of the database of keys, as long as this is there. As long as that is, no dead key goes from the files.
pub(in crate::postgres) struct Moment {
    /// It has a transaction that reads nothing: so no table stays locked.
    _connection: Connection,
    snapshot: String,
}

impl Keys {
    /// Chooses the moment of other rows, and then one in which every key is there that opens them.
    pub(in crate::postgres) async fn moment_after<E: From<StoreError>>(
        &self,
        of_rows: impl Future<Output = Result<(), E>>,
    ) -> Result<Moment, E> {
        let connection = once_more!(self.close_gate()).map_err(StoreError::from)?;
        of_rows.await?;
        let snapshot = open_gate(&connection).await.map_err(|error| StoreError::from(failure(&error)))?;
        Ok(Moment { _connection: connection, snapshot })
    }

    async fn close_gate(&self) -> Result<Connection, Failure> {
        let connection = self.connections.connect().await?;
        let close = format!("SET idle_in_transaction_session_timeout = 0; SELECT pg_advisory_lock({})", gate());
        connection.client.batch_execute(&close).await.map_err(|error| failure(&error))?;
        Ok(connection)
    }

    /// Reads every key that was there.
    pub(in crate::postgres) async fn read_all(&self, moment: &Moment) -> Result<HashMap<Named, SealKey>> {
        let mut all = HashMap::new();
        for part in self.all_parts().await? {
            all.extend(once_more!(self.try_read_part(moment, part))?);
        }
        Ok(all)
    }

    /// Reads the keys of a table. It isn't locked any more when this returns.
    async fn try_read_part(&self, moment: &Moment, part: i64) -> Result<Vec<(Named, SealKey)>, Failure> {
        let mut lease = self.connections.lease().await?;
        let connection = lease.in_transaction();
        let begin =
            format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{}'", moment.snapshot);
        connection.client.batch_execute(&begin).await.map_err(|error| failure(&error))?;
        let (mut all, mut after) = (Vec::new(), (0_i16, Uuid::nil(), i64::MIN));
        loop {
            let select = "SELECT kind, owner, id, part, wrapped FROM seal_key \
                 WHERE part = $1 AND (kind, owner, id) > ($2, $3, $4) ORDER BY kind, owner, id LIMIT $5";
            let (kind, owner, id) = &after;
            let rows = connection.query(select, &[&part, kind, owner, id, &MANY]).await;
            let rows = rows.map_err(|error| failure(&error))?;
            let Some(last) = rows.last() else { break };
            after = (last.get(0), last.get(1), last.get(2));
            for row in &rows {
                all.extend(self.key_in(row)?);
            }
        }
        connection.client.batch_execute("COMMIT").await.map_err(|error| failure(&error))?;
        lease.is_done();
        Ok(all)
    }
}

/// Chooses the moment, and lets keys be destroyed again.
async fn open_gate(connection: &Connection) -> Result<String, tokio_postgres::Error> {
    let client = &connection.client;
    client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let snapshot = client.query_one("SELECT pg_export_snapshot()", &[]).await?.get(0);
    client.query_one("SELECT pg_advisory_unlock($1)", &[&gate()]).await?;
    Ok(snapshot)
}
