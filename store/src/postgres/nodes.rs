//! The nodes that use the record, for the operator.

use std::time::Duration;

use tokio::runtime::Handle;

use crate::postgres::schema::RECORD;
use crate::postgres::{Postgres, PostgresError, PostgresOptions, addresses, unreachable};

/// How long a node may be silent in the record before it counts as dead: seven beats.
pub(super) const DEAD_AFTER: Duration = Duration::from_secs(15);

/// A node as the record knows it. One that is silent for an hour is forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    /// The version of its annon.
    pub version: String,
    /// The newest tables that it can read.
    pub reads: i32,
    /// How long ago its last beat was, by the record's clock.
    pub silent: Duration,
}

impl Node {
    pub fn is_alive(&self) -> bool {
        self.silent <= DEAD_AFTER
    }
}

impl Postgres {
    /// All nodes, by name. Nothing is written.
    pub async fn nodes(options: &PostgresOptions) -> Result<Vec<Node>, PostgresError> {
        let record = addresses(options)?.0;
        let connection = record.connect(&Handle::current()).await.map_err(unreachable(&RECORD))?;
        if RECORD.look(&connection.client).await.map_err(unreachable(&RECORD))?.is_none() {
            return Ok(Vec::new());
        }
        let select = "SELECT name, version, reads, extract(epoch FROM clock_timestamp() - beat)::float8 \
             FROM node ORDER BY name, beat DESC";
        let rows = connection.client.query(select, &[]).await.map_err(unreachable(&RECORD))?;
        let node = |row: &tokio_postgres::Row| Node {
            name: row.get(0),
            version: row.get(1),
            reads: row.get(2),
            silent: Duration::try_from_secs_f64(row.get(3)).unwrap_or_default(),
        };
        Ok(rows.iter().map(node).collect())
    }
}
