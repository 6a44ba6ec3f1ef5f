//! The tables, made by numbered migrations, and whether this annon may use them.

use std::time::Duration;

use tokio::time::sleep;
use tokio_postgres::{Client, Error};
use uuid::Uuid;

use crate::postgres::PostgresError;

/// Nodes that start at once get in each other's way when they make tables.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(200);

/// What `oldest_reader` is while a backup is taken into the databases: no annon reads that.
pub(super) const UNFINISHED: i32 = i32::MAX;

/// The tables of one database.
pub(super) struct Schema {
    /// What an operator calls it.
    pub(super) name: &'static str,
    /// The table of one row that says which tables these are.
    meta: &'static str,
    /// Whether a statement is planned once for a connection, or each time.
    pub(super) plans: &'static str,
    /// The statements that lead from one number to the next.
    migrations: &'static [(i32, &'static str)],
}

pub(super) const RECORD: Schema = Schema {
    name: "the database",
    meta: "meta",
    plans: "force_generic_plan",
    migrations: &[(1, include_str!("schema/record_1.sql")), (2, include_str!("schema/record_2.sql"))],
};
pub(super) const KEYS: Schema = Schema {
    name: "the keys' database",
    meta: "keys_meta",
    // Otherwise each statement would open and lock all tables of keys, of which there are hundreds.
    plans: "force_custom_plan",
    migrations: &[(1, include_str!("schema/keys_1.sql")), (2, include_str!("schema/keys_2.sql"))],
};

/// What a database says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meta {
    schema: i32,
    oldest_reader: i32,
    pub(super) cluster: Uuid,
    secret_check: Vec<u8>,
}

impl Schema {
    /// Whether a database was made as one of this kind.
    pub(super) async fn is_in(&self, client: &Client) -> Result<bool, Error> {
        let exists = "SELECT EXISTS (SELECT 1 FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_name = $1)";
        Ok(client.query_one(exists, &[&self.meta]).await?.get(0))
    }

    /// What this database says of itself; `None` before the first migration.
    pub(super) async fn look(&self, client: &Client) -> Result<Option<Meta>, Error> {
        if !self.is_in(client).await? {
            return Ok(None);
        }
        let select = format!("SELECT schema, oldest_reader, cluster, secret_check FROM {}", self.meta);
        let row = client.query_opt(&select, &[]).await?;
        Ok(row.map(|row| Meta {
            schema: row.get(0),
            oldest_reader: row.get(1),
            cluster: row.get(2),
            secret_check: row.get(3),
        }))
    }

    /// The last migration that this annon knows.
    pub(super) fn newest(&self) -> i32 {
        self.migrations.last().map_or(0, |(number, _)| *number)
    }

    /// What a database says of itself after all migrations.
    pub(super) fn meta(&self, cluster: Uuid, secret_check: &[u8]) -> Meta {
        Meta { schema: self.newest(), oldest_reader: self.newest(), cluster, secret_check: secret_check.to_vec() }
    }

    /// Whether this annon, with this secret, may use a database that says this.
    pub(super) fn check(&self, meta: &Meta, secret_check: &[u8]) -> Result<(), PostgresError> {
        if meta.oldest_reader == UNFINISHED {
            return Err(PostgresError::Unfinished(self.name));
        }
        if meta.oldest_reader > self.newest() {
            return Err(PostgresError::Newer(self.name));
        }
        if meta.secret_check != secret_check {
            return Err(PostgresError::OtherSecret(self.name));
        }
        Ok(())
    }

    /// Makes what is missing in a database that says `found` of itself. It may be done
    /// twice, and by several nodes at once.
    pub(super) async fn migrate(&self, client: &Client, found: Option<&Meta>, wanted: &Meta) -> Result<(), Error> {
        let done = found.map_or(0, |meta| meta.schema);
        let mut attempts = 1;
        loop {
            match self.try_migrate(client, done, wanted).await {
                Err(error) if attempts < ATTEMPTS && error.code().is_some() => {
                    sleep(PAUSE * attempts).await;
                    attempts += 1;
                }
                outcome => return outcome,
            }
        }
    }

    async fn try_migrate(&self, client: &Client, done: i32, wanted: &Meta) -> Result<(), Error> {
        let Meta { schema, oldest_reader, cluster, secret_check } = wanted;
        if done >= *schema {
            return Ok(());
        }
        for (_, statements) in self.migrations.iter().filter(|(number, _)| *number > done) {
            client.batch_execute(statements).await?;
        }
        let Self { meta, .. } = self;
        let insert = format!(
            "INSERT INTO {meta} (schema, oldest_reader, cluster, secret_check) \
             SELECT $1::int, $2::int, $3::uuid, $4::bytea WHERE NOT EXISTS (SELECT 1 FROM {meta})"
        );
        client.execute(&insert, &[schema, oldest_reader, cluster, secret_check]).await?;
        let update = format!("UPDATE {meta} SET schema = $1 WHERE schema < $1");
        client.execute(&update, &[schema]).await.map(drop)
    }
}
