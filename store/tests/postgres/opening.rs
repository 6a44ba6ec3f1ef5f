//! Which databases are used, and what is made in them.

use std::net::TcpListener;
use std::path::Path;

use annon_store::Kept;
use annon_store::{Postgres, PostgresError, ServerPlace};

use crate::support::nats::Nats;
use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// Everything that says what the tables are, and the row that says which they are.
async fn tables(databases: &Databases) -> (Vec<String>, Vec<String>) {
    let describe = format!(
        "SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) \
         FROM information_schema.columns WHERE table_schema = '{0}' ORDER BY 1; \
         SELECT indexdef FROM pg_indexes WHERE schemaname = '{0}' ORDER BY 1;",
        databases.schema
    );
    let record = format!("{describe} SELECT concat_ws(' ', schema, oldest_reader, cluster, accounts) FROM meta");
    let keys = format!("{describe} SELECT concat_ws(' ', schema, oldest_reader, cluster) FROM keys_meta");
    (databases.ask(&record).await, databases.ask_keys(&keys).await)
}

/// How many rows both databases have in all that a start could write to.
async fn written(databases: &Databases) -> (Vec<String>, Vec<String>) {
    let record = "SELECT count(*) FROM node UNION ALL SELECT sum(schema + accounts) FROM meta";
    (databases.ask(record).await, databases.ask_keys("SELECT count(*) FROM seal_key").await)
}

async fn refusal(databases: &Databases) -> PostgresError {
    match Postgres::open(&databases.options).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn tables_that_are_made_twice_are_the_same() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    let made = tables(&databases).await;
    assert!(made.0.iter().any(|line| line.contains("kept_pkey")), "{made:?}");
    databases.open().await;
    assert_eq!(tables(&databases).await, made);
    databases.ask("UPDATE meta SET schema = 0").await;
    databases.ask_keys("UPDATE keys_meta SET schema = 0").await;
    let again = databases.open().await;
    assert_eq!(tables(&databases).await, made, "all migrations once more");
    assert_eq!(again.accounts().by_id(account_id(1)).await, Ok(Some(account(1))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_at_once_make_one_record() {
    let databases = Databases::new().await;
    let opened = futures_util::future::join_all((0..4).map(|_| databases.open())).await;
    opened[0].accounts().create(account(1)).await.unwrap();
    for node in opened {
        assert_eq!(node.accounts().by_id(account_id(1)).await, Ok(Some(account(1))));
    }
    assert_eq!(databases.ask("SELECT count(*) FROM node").await, ["4"], "each of them beats");
}

#[tokio::test]
async fn a_newer_record_is_refused_and_one_that_this_annon_can_still_read_is_not() {
    let databases = Databases::new().await;
    databases.open().await.stop().await.unwrap();
    databases.ask("UPDATE meta SET schema = 99").await;
    databases.open().await.stop().await.unwrap();
    databases.ask("UPDATE meta SET oldest_reader = 99").await;
    let before = written(&databases).await;
    let error = refusal(&databases).await;
    assert!(matches!(error, PostgresError::Newer("the database")), "{error}");
    databases.ask("UPDATE meta SET oldest_reader = 1").await;
    databases.ask_keys("UPDATE keys_meta SET oldest_reader = 99").await;
    let error = refusal(&databases).await;
    assert!(matches!(error, PostgresError::Newer("the keys' database")), "{error}");
    assert_eq!(written(&databases).await, before);
}

#[tokio::test]
async fn another_secret_is_refused_and_so_is_none() {
    let mut databases = Databases::new().await;
    databases.open().await.stop().await.unwrap();
    let before = written(&databases).await;
    databases.options.secret = databases.other_secret();
    let error = refusal(&databases).await;
    assert!(matches!(error, PostgresError::OtherSecret(_)), "{error}");
    databases.options.secret.set_extension("not there");
    let error = refusal(&databases).await;
    assert!(matches!(error, PostgresError::NoSecret(_)), "{error}");
    assert!(!databases.options.secret.exists(), "none is made: the other nodes have one");
    assert_eq!(written(&databases).await, before);
}

#[tokio::test]
async fn keys_of_another_record_are_refused_and_so_are_none() {
    let (mut one, other, empty) = (Databases::new().await, Databases::new().await, Databases::new().await);
    other.open().await.accounts().create(account(1)).await.unwrap();
    let before = (written(&other).await, one.options.record.clone());
    for (record, keys) in [(&other, &empty), (&empty, &other)] {
        one.options.record = record.options.record.clone();
        one.options.keys = keys.options.keys.clone();
        let error = refusal(&one).await;
        assert!(matches!(error, PostgresError::OtherKeys), "{error}");
    }
    let made = format!("SELECT table_name FROM information_schema.tables WHERE table_schema = '{}'", empty.schema);
    assert_eq!((empty.ask(&made).await, empty.ask_keys(&made).await), (vec![], vec![]), "nothing was made there");
    assert_eq!(written(&other).await, before.0);
    one.options.record = before.1.clone();
}

#[tokio::test]
async fn databases_that_are_swapped_are_refused() {
    let mut databases = Databases::new().await;
    databases.open().await.accounts().create(account(1)).await.unwrap();
    let made = tables(&databases).await;
    let options = &mut databases.options;
    std::mem::swap(&mut options.record, &mut options.keys);
    let error = refusal(&databases).await;
    assert!(matches!(error, PostgresError::Swapped), "{error}");
    assert!(matches!(Postgres::look(&databases.options).await, Err(PostgresError::Swapped)));
    let options = &mut databases.options;
    std::mem::swap(&mut options.record, &mut options.keys);
    assert_eq!(tables(&databases).await, made, "nothing was made in either");
}

#[tokio::test]
async fn a_start_that_stopped_between_the_two_databases_is_gone_on_with() {
    let databases = Databases::new().await;
    databases.open().await.stop().await.unwrap();
    let schema = &databases.schema;
    databases.ask(&format!("DROP SCHEMA {schema} CASCADE; CREATE SCHEMA {schema}")).await;
    databases.open().await.accounts().create(account(1)).await.unwrap();
}

#[tokio::test]
async fn a_record_that_cant_be_written_is_refused() {
    let mut databases = Databases::new().await;
    let record = &mut databases.options.record.url;
    *record = record.replace("options='", "options='-c default_transaction_read_only=on ");
    let error = refusal(&databases).await.to_string();
    assert!(error.contains("the database can't be reached or written") && error.contains("allow writes"), "{error}");
    let made = format!("SELECT table_name FROM information_schema.tables WHERE table_schema = '{}'", databases.schema);
    assert_eq!((databases.ask(&made).await, databases.ask_keys(&made).await), (vec![], vec![]));
    databases.options.record.url = "host=/nowhere user=annon".into();
    let error = refusal(&databases).await;
    assert!(matches!(error, PostgresError::Away("the database", _)), "{error}");
}

/// Nobody reads a name, an address or a note in the database, and no key.
#[tokio::test]
async fn nothing_that_is_stored_can_be_read_in_the_database() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(zebra()).await.unwrap();
    numbered(node.inbox()).deliver(account_id(1), note_saying(1, "zebra-note")).await.unwrap();
    let tables = ["kept", "meta", "node"];
    for table in tables {
        for row in databases.ask(&format!("SELECT encode({table}::text::bytea, 'escape') FROM {table}")).await {
            let plain = |word: &str| word.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
            for word in ZEBRA.into_iter().chain(["zebra-note"]) {
                assert!(!row.contains(word) && !row.contains(&plain(word)), "{word} in {table}");
            }
        }
    }
    assert_eq!(
        Cluster::shared()
            .ask("keys", &format!("SELECT DISTINCT length(wrapped) FROM {}.seal_key", databases.schema))
            .await,
        ["69"]
    );
}

#[tokio::test]
async fn a_server_is_trusted_over_tls_if_its_certificate_is() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cluster = Cluster::start_at(&port.to_string());
    let mut databases = Databases::new().await;
    let schema = &databases.schema;
    cluster.ask("record", &format!("CREATE SCHEMA {schema}")).await;
    databases.options.record.url = format!(
        "host=localhost port={port} user=annon dbname=record sslmode=require options='-c search_path={schema}'"
    );
    let error = refusal(&databases).await.to_string();
    assert!(error.contains("--database-certificates names a file"), "{error}");
    databases.options.certificates = Some(Path::new(&cluster.folder).join("data/server.crt"));
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    let plain = "SELECT count(*) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) \
         WHERE application_name = 'annon' AND NOT ssl";
    assert_eq!(cluster.ask("record", plain).await, ["0"]);
}

/// So it hears the end of a node that says nothing more.
#[tokio::test]
async fn a_server_looks_whether_the_other_end_is_there() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cluster = Cluster::start_at(&port.to_string());
    let mut databases = Databases::in_clusters(&cluster, Cluster::shared()).await;
    // What each session is set to, as PostgreSQL has taken it. Our schema comes before that of PostgreSQL's own functions.
    let schema = &databases.schema;
    let note = format!(
        "SET search_path = {schema}; CREATE TABLE sessions (settings text); \
         CREATE FUNCTION pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql VOLATILE AS \
             $$ INSERT INTO {schema}.sessions SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings \
                 WHERE name IN ('tcp_keepalives_count', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_user_timeout'); \
             SELECT pg_catalog.pg_postmaster_start_time() $$"
    );
    cluster.ask("record", &note).await;
    databases.options.record.url =
        databases.options.record.url.replace(&format!("host={}", cluster.folder), "host=localhost");
    databases.options.certificates = Some(Path::new(&cluster.folder).join("data/server.crt"));
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    let settings = format!("SELECT DISTINCT settings FROM {schema}.sessions");
    assert_eq!(cluster.ask("record", &settings).await, ["3 10 5 25000"]);
}

async fn refusal_with(databases: &mut Databases, url: &str, password: Option<&str>) -> String {
    databases.options.nats = Some(ServerPlace { url: url.to_owned(), password: password.map(str::to_owned) });
    refusal(databases).await.to_string()
}

#[tokio::test]
async fn nats_that_is_not_there_or_lets_nobody_in_is_refused() {
    let mut databases = Databases::new().await;
    for (url, says) in [
        ("nats://127.0.0.1:1", "NATS can't be reached: "),
        ("http://localhost", "the URL of NATS can't be read: "),
        ("nats://", "the URL of NATS can't be read: "),
        ("nats://annon:one@localhost", "the URL of NATS has a password in it, and a file names another"),
    ] {
        let error = refusal_with(&mut databases, url, Some("hunter2")).await;
        assert!(error.contains(says) && !error.contains("hunter2"), "{url}: {error}");
    }
    let nats = Nats::start_with(&["--user", "annon", "--pass", "hunter2"]);
    let url = nats.url().replace("//", "//annon@");
    let error = refusal_with(&mut databases, &url, Some("another")).await;
    assert!(error.contains("NATS can't be reached: authorization violation") && !error.contains("another"), "{error}");
    let made = format!("SELECT table_name FROM information_schema.tables WHERE table_schema = '{}'", databases.schema);
    assert_eq!((databases.ask(&made).await, databases.ask_keys(&made).await), (vec![], vec![]), "nothing was made");
    databases.options.nats.as_mut().unwrap().password = Some("hunter2".to_owned());
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
}

#[tokio::test]
async fn nats_that_may_not_be_used_is_refused() {
    let mut databases = Databases::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nats.conf");
    let user = "{ user: annon, password: one, permissions: { publish: \"elsewhere\" } }";
    std::fs::write(&file, format!("authorization {{ users: [{user}] }}")).unwrap();
    let nats = Nats::start_with(&["-c", file.to_str().unwrap()]);
    let error = refusal_with(&mut databases, &nats.url().replace("//", "//annon@"), Some("one")).await;
    assert!(error.contains("its user has to be allowed to publish and to subscribe to `annon.>`"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_that_another_cluster_uses_is_refused_and_the_own_one_is_not() {
    let nats = Nats::start();
    let (mut databases, mut others) = (Databases::new().await, Databases::new().await);
    others.options.nats = Some(ServerPlace { url: nats.url(), password: None });
    let other = others.open().await;
    others.open().await.stop().await.unwrap();
    // The databases are new, or there already, or the secret is another one.
    for has_tables in [false, true] {
        if has_tables {
            databases.options.nats = None;
            databases.open().await.stop().await.unwrap();
        }
        let error = refusal_with(&mut databases, &nats.url(), None).await;
        assert!(error.contains("servers with another secret or other databases use this NATS"), "{error}");
    }
    let error = Postgres::look(&databases.options).await.unwrap_err();
    assert!(matches!(error, PostgresError::OthersNats), "{error}");
    others.open().await;
    other.stop().await.unwrap();
}

#[tokio::test]
async fn nats_is_trusted_over_tls_if_its_certificate_is() {
    let nats = Nats::start_with(&["tls"]);
    let mut databases = Databases::new().await;
    let error = refusal_with(&mut databases, &nats.url(), None).await;
    assert!(error.contains("--database-certificates names a file"), "{error}");
    databases.options.certificates = Some(nats.folder.path().join("crt"));
    for scheme in ["nats", "tls"] {
        databases.options.nats.as_mut().unwrap().url = nats.url().replace("nats:", &format!("{scheme}:"));
        databases.open().await.stop().await.unwrap();
    }
    // Whoever asks for TLS does not speak without it.
    let plain = Nats::start();
    let error = refusal_with(&mut databases, &plain.url().replace("nats:", "tls:"), None).await;
    assert!(error.contains("NATS can't be reached"), "{error}");
}
