//! Databases for the tests, in a server that is started here.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use annon_store::{Postgres, PostgresOptions, ServerPlace};
use tempfile::TempDir;
use tokio::time::sleep;
use tokio_postgres::{NoTls, SimpleQueryMessage};

pub(crate) use crate::support::cluster::Cluster;

impl Cluster {
    /// Executes statements, and returns the first column of their rows.
    pub(crate) async fn ask(&self, database: &str, sql: &str) -> Vec<String> {
        let (client, connection) = tokio_postgres::connect(&self.url(database), NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        let answers = client.simple_query(sql).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
        let first = |answer| match answer {
            SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
            _ => None,
        };
        answers.into_iter().filter_map(first).collect()
    }

    /// Waits until a question about the record has an answer, and returns that.
    pub(crate) async fn until(&self, sql: &str) -> Vec<String> {
        self.until_in("record", sql).await
    }

    /// Locks a table, against everybody, until what is returned is dropped.
    pub(crate) async fn lock(&self, database: &str, table: &str) -> tokio_postgres::Client {
        let (client, connection) = tokio_postgres::connect(&self.url(database), NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")).await.unwrap();
        client
    }

    /// Waits until a question has an answer, and returns that.
    pub(crate) async fn until_in(&self, database: &str, sql: &str) -> Vec<String> {
        for _ in 0..3_000 {
            let answer = self.ask(database, sql).await;
            if !answer.is_empty() {
                return answer;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("it never came to this: {sql}");
    }
}

impl Cluster {
    /// Makes a standby, and waits until commits wait for it.
    pub(crate) async fn with_standby(&self) -> Self {
        let standby = self.add_standby();
        self.ask("keys", "ALTER SYSTEM SET synchronous_standby_names = '*'").await;
        self.ask("keys", "SELECT pg_reload_conf()").await;
        self.until("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").await;
        standby
    }
}

/// A record and its keys, and a secret: what a node is opened with.
pub(crate) struct Databases {
    /// The schema that has the tables, in each of the two databases.
    pub(crate) schema: String,
    pub(crate) options: PostgresOptions,
    /// Where the secret is.
    folder: TempDir,
}

impl Databases {
    /// New ones in the shared server.
    pub(crate) async fn new() -> Self {
        Self::in_clusters(Cluster::shared(), Cluster::shared()).await
    }

    /// New ones in these servers.
    pub(crate) async fn in_clusters(record: &Cluster, keys: &Cluster) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let schema = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        for (cluster, database) in [(record, "record"), (keys, "keys")] {
            cluster.ask(database, &format!("CREATE SCHEMA {schema}")).await;
        }
        let place = |cluster: &Cluster, database| {
            let url = format!("{} options='-c search_path={schema},pg_catalog'", cluster.url(database));
            ServerPlace { url, password: None }
        };
        let folder = tempfile::tempdir().unwrap();
        let options = PostgresOptions {
            record: place(record, "record"),
            keys: place(keys, "keys"),
            secret: secret(&folder, 7),
            nats: None,
            certificates: None,
            node: "a test".into(),
            most_accounts: usize::MAX,
            picture_bytes: None,
            record_bytes: None,
        };
        Self { schema, options, folder }
    }

    pub(crate) async fn open(&self) -> Postgres {
        Postgres::open(&self.options).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Asks about the record, in the shared server.
    pub(crate) async fn ask(&self, sql: &str) -> Vec<String> {
        Cluster::shared().ask("record", &format!("SET search_path = {}; {sql}", self.schema)).await
    }

    /// Waits until a question about the record has an answer, in the shared server.
    pub(crate) async fn until(&self, sql: &str) {
        Cluster::shared().until(&format!("SET search_path = {}; {sql}", self.schema)).await;
    }

    /// Asks about the keys, in the shared server.
    /// How many rows there are in the table with this byte.
    pub(crate) async fn rows_of(&self, table: u8) -> u64 {
        let count = self.ask(&format!("SELECT count(*) FROM kept WHERE get_byte(at, 0) = {table}")).await;
        count[0].parse().unwrap()
    }

    /// Marks every inbox that has a key, so that it gets a new one.
    pub(crate) async fn mark_inboxes(&self) {
        let mark = "INSERT INTO kept SELECT 's'::bytea || substr(at, 2), '' FROM kept WHERE get_byte(at, 0) = 75 \
             ON CONFLICT DO NOTHING";
        self.ask(mark).await;
    }

    pub(crate) async fn ask_keys(&self, sql: &str) -> Vec<String> {
        Cluster::shared().ask("keys", &format!("SET search_path = {}; {sql}", self.schema)).await
    }

    /// Stops the record's clock at a time, in the shared server.
    pub(crate) async fn stop_clock_at(&self, now: u64) {
        // Our schema comes before that of PostgreSQL's own functions.
        let clock = "CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE";
        self.ask(&format!("{clock} AS 'SELECT to_timestamp({now})'")).await;
    }

    /// The file of another secret.
    pub(crate) fn other_secret(&self) -> PathBuf {
        secret(&self.folder, 8)
    }
}

/// Makes the file of a secret: 32 bytes and their checksum.
fn secret(folder: &TempDir, byte: u8) -> PathBuf {
    let path = folder.path().join(format!("secret-{byte}"));
    let bytes = [byte; 32];
    std::fs::write(&path, [&bytes[..], &crc32fast::hash(&bytes).to_le_bytes()].concat()).unwrap();
    path
}
