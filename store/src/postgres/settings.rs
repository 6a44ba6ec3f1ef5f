//! How the databases are set up.

use tokio_postgres::{Client, Error};

/// Whether the settings of our sessions have reached the server. A pool before it drops
/// them, and hands on statements of one session to connections that don't know them.
pub(super) async fn are_taken(client: &Client) -> Result<bool, Error> {
    let taken = "SELECT current_setting('statement_timeout') = '5s' AND current_setting('lock_timeout') = '2s' \
         AND current_setting('synchronous_commit') = 'on'";
    Ok(client.query_one(taken, &[]).await?.get(0))
}

/// What the operator should know: what is lost with one machine, and whether what is
/// deleted is gone.
pub(super) async fn advice(record: &Client, keys: &Client, is_same: bool) -> Result<Vec<String>, Error> {
    let waits = "SELECT current_setting('synchronous_standby_names') <> ''";
    let mut said = Vec::new();
    for (what, client) in [("the database", record), ("the keys' database", keys)] {
        if !client.query_one(waits, &[]).await?.get::<_, bool>(0) {
            said.push(format!(
                "{what} is on one machine: no standby has what is acknowledged (synchronous_standby_names is empty), so \
                 it is lost with that machine's disk"
            ));
        }
        if is_same {
            break;
        }
    }
    if is_same {
        said.push(
            "the keys are beside what they open (--keys-url same): what is deleted is gone once the oldest backup and \
             archive of the database is"
                .to_owned(),
        );
        return Ok(said);
    }
    let remembers = "SELECT name FROM pg_settings WHERE (name = 'archive_mode' AND setting <> 'off') \
             OR (name = 'wal_recycle' AND setting <> 'off') OR (name = 'wal_keep_size' AND setting <> '0') \
             OR (name = 'log_statement' AND setting IN ('mod', 'all')) \
             OR (name = 'log_min_duration_statement' AND setting <> '-1') ORDER BY name";
    let names: Vec<String> = keys.query(remembers, &[]).await?.iter().map(|row| row.get(0)).collect();
    if !names.is_empty() {
        said.push(format!(
            "the keys' database may keep keys that are destroyed: have a look at its {} (docs/CLUSTER.md)",
            names.join(", ")
        ));
    }
    Ok(said)
}
