//! A PostgreSQL server for tests. It keeps its files in a folder of its own, and is gone
//! when this process is, however it ends.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

/// Starts a server in a new folder, and says so with a line. The line «restart» crashes it and starts
/// it again, «stop» and «start» do one of both. When we are gone, reading ends, and so does the server: what
/// ends us may be a signal to all of us. With a port, it takes TLS connections there. With another server's
/// folder, it is that one's standby. With the folder of one that has ended, it begins with a copy of that.
const SCRIPT: &str = r#"
set -e
trap '' HUP INT TERM
umask 077
folder=$(mktemp -d /tmp/annon-postgres-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if [ -n "$2" ]; then
    "$0/pg_basebackup" -h "$2" -U annon -D data -R -X stream -c fast --no-sync >log 2>&1
elif [ -n "$3" ]; then
    cp -a --sparse=always "$3/data" . >log 2>&1
else
    "$0/initdb" -D data -U annon --auth=trust --no-sync --encoding=UTF8 --locale=C >log 2>&1
fi || { cat log >&2; exit 1; }
tls="-c listen_addresses="
if [ -n "$1" ]; then
    export PGPORT="$1"
    openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost \
        -keyout data/server.key -out data/server.crt 2>>log
    tls="-c listen_addresses=localhost -c ssl=on"
fi
durable=${ANNON_TESTS_FSYNC:-off}
start() {
    "$0/postgres" -D data -k "$folder" -c fsync=$durable -c full_page_writes=$durable -c max_connections=500 \
        -c shared_buffers=32MB $tls </dev/null >>log 2>&1 &
    server=$!
    until "$0/pg_isready" -q -h "$folder"; do
        kill -0 $server || { cat log >&2; exit 1; }
        sleep 0.05
    done
}
start
[ -n "$2$3" ] || for database in record keys; do "$0/createdb" -h "$folder" -U annon $database; done
echo "$folder"
while read -r what; do
    if [ "$what" != start ]; then
        kill -QUIT $server
        wait $server || true
    fi
    if [ "$what" != stop ]; then start; fi
    echo "$folder"
done
kill -QUIT $server 2>/dev/null || true
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
    #[allow(dead_code, reason = "not every binary that has this file needs it")]
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Starts one of its own, for a test that stops it or changes its settings.
    pub(crate) fn start() -> Self {
        Self::start_at("")
    }

    /// Starts a standby of this one.
    #[allow(dead_code, reason = "not every binary that has this file needs it")]
    pub(crate) fn add_standby(&self) -> Self {
        Self::start_as("", &self.folder, "")
    }

    /// Starts one that takes TLS connections at a port of localhost.
    pub(crate) fn start_at(port: &str) -> Self {
        Self::start_as(port, "", Self::template())
    }

    /// The folder of one that has made its databases and ended: to make them takes a second of the processor, and to
    /// copy them a fifth of that.
    fn template() -> &'static str {
        static TEMPLATE: OnceLock<Cluster> = OnceLock::new();
        let ended = TEMPLATE.get_or_init(|| {
            let made = Self::start_as("", "", "");
            made.control("stop");
            made
        });
        &ended.folder
    }

    fn start_as(port: &str, primary: &str, template: &str) -> Self {
        let mut script = as_its_user(&["sh", "-c", SCRIPT, &binaries(), port, primary, template]);
        let mut script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
        self.tell("restart");
    }

    /// Crashes the server.
    #[allow(dead_code, reason = "not every binary that has this file needs it")]
    pub(crate) fn stop(&mut self) {
        self.tell("stop");
    }

    /// Starts it after a stop.
    #[allow(dead_code, reason = "not every binary that has this file needs it")]
    pub(crate) fn start_again(&mut self) {
        self.tell("start");
    }

    /// A standby becomes a primary.
    #[allow(dead_code, reason = "not every binary that has this file needs it")]
    pub(crate) fn promote(&self) {
        self.control("promote");
    }

    fn control(&self, what: &str) {
        let (program, data) = (format!("{}/pg_ctl", binaries()), format!("{}/data", self.folder));
        let output = as_its_user(&[&program, what, "-w", "-D", &data]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn tell(&mut self, what: &str) {
        self.input.write_all(format!("{what}\n").as_bytes()).unwrap();
        self.wait();
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!("host={} port={} user=annon dbname={database}", self.folder, self.port)
    }
}

/// A command of the user of these servers: PostgreSQL refuses to run as root.
pub(crate) fn as_its_user(words: &[&str]) -> Command {
    let as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"];
    let is_root = rustix::process::geteuid().is_root();
    let mut words = as_postgres.into_iter().filter(|_| is_root).chain(words.iter().copied());
    let mut command = Command::new(words.next().unwrap());
    command.args(words).current_dir("/");
    command
}

/// Where the programs of PostgreSQL are: Debian has them in no folder of PATH.
pub(crate) fn binaries() -> String {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let newest: Option<PathBuf> = folders.filter(|folder| folder.join("initdb").exists()).max();
    let newest = newest.expect("these tests need PostgreSQL: `make deps` installs it");
    newest.to_str().unwrap().to_owned()
}
