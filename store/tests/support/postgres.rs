//! PostgreSQL servers for the tests. They are started here, keep their files in a
//! folder of their own, and are gone when this process is, however it ends.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use annon_store::{Postgres, PostgresOptions};
use tempfile::TempDir;
use tokio::time::sleep;
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// Starts a server in a new folder, and says so with a line. A line from us restarts it,
/// without a shutdown. When we are gone, reading ends, and so does the server: what
/// ends us may be a signal to all of us. With a port, it takes TLS connections there.
const SCRIPT: &str = r#"
set -e
trap '' HUP INT TERM
umask 077
folder=$(mktemp -d /tmp/annon-postgres-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$0/initdb" -D data -U annon --auth=trust --no-sync --encoding=UTF8 --locale=C >log 2>&1 || { cat log >&2; exit 1; }
tls="-c listen_addresses="
if [ -n "$1" ]; then
    export PGPORT="$1"
    openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE \
        -keyout data/server.key -out data/server.crt 2>>log
    tls="-c listen_addresses=localhost -c ssl=on"
fi
start() {
    "$0/postgres" -D data -k "$folder" -c fsync=off -c full_page_writes=off -c max_connections=500 \
        -c shared_buffers=32MB $tls </dev/null >>log 2>&1 &
    server=$!
    until "$0/pg_isready" -q -h "$folder"; do
        kill -0 $server || { cat log >&2; exit 1; }
        sleep 0.05
    done
}
start
for database in record keys; do "$0/createdb" -h "$folder" -U annon $database; done
echo "$folder"
while read -r _; do
    kill -QUIT $server
    wait $server || true
    start
    echo "$folder"
done
kill -QUIT $server
wait $server || true
"#;

/// One server.
pub(crate) struct Cluster {
    pub(crate) folder: String,
    port: String,
    // What the script reads and says. It ends when its input does.
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _script: Child,
}

impl Cluster {
    /// The one that most tests share.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Starts one of its own, for a test that stops it or changes its settings.
    pub(crate) fn start() -> Self {
        Self::start_at("")
    }

    /// Starts one that takes TLS connections at a port of localhost.
    pub(crate) fn start_at(port: &str) -> Self {
        let shell = ["sh", "-c", SCRIPT, &binaries(), port].map(ToOwned::to_owned);
        // PostgreSQL refuses to run as root.
        let as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"].map(ToOwned::to_owned);
        let is_root = rustix::process::geteuid().is_root();
        let words: Vec<_> = as_postgres.into_iter().filter(|_| is_root).chain(shell).collect();
        let mut script = Command::new(&words[0]);
        let script = script.args(&words[1..]).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut script = script.spawn().unwrap();
        let (input, output) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
        let port = if port.is_empty() { "5432" } else { port }.to_owned();
        let mut cluster = Self { folder: String::new(), port, input, output: BufReader::new(output), _script: script };
        cluster.wait();
        cluster
    }

    fn wait(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "PostgreSQL did not start");
        self.folder = line.trim().to_owned();
    }

    /// Crashes the server and starts it again.
    pub(crate) fn restart(&mut self) {
        self.input.write_all(b"\n").unwrap();
        self.wait();
    }

    fn url(&self, database: &str) -> String {
        format!("host={} port={} user=annon dbname={database}", self.folder, self.port)
    }

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
        for _ in 0..3_000 {
            let answer = self.ask("record", sql).await;
            if !answer.is_empty() {
                return answer;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("it never came to this: {sql}");
    }
}

/// Where the programs of PostgreSQL are: Debian has them in no folder of PATH.
fn binaries() -> String {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let newest: Option<PathBuf> = folders.filter(|folder| folder.join("initdb").exists()).max();
    let newest = newest.expect("these tests need PostgreSQL: `make deps` installs it");
    newest.to_str().unwrap().to_owned()
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
        let url = |cluster: &Cluster, database| {
            format!("{} options='-c search_path={schema},pg_catalog'", cluster.url(database))
        };
        let folder = tempfile::tempdir().unwrap();
        let options = PostgresOptions {
            record: url(record, "record"),
            keys: url(keys, "keys"),
            secret: secret(&folder, 7),
            certificates: None,
            node: "a test".into(),
            most_accounts: usize::MAX,
            picture_bytes: None,
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

    /// Asks about the keys, in the shared server.
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
