//! A NATS server for tests. It is gone when this process is, however it ends.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// Starts a server and says so with a line. When we are gone, reading ends, and so does the server. With
/// a name, it has a certificate for it in its folder, and takes no connection without TLS.
const SCRIPT: &str = r#"
set -e
trap '' HUP INT TERM
cd "$0"
port=$1; shift
if [ "$1" = tls ]; then
    shift
    [ -e crt ] || openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE -keyout key -out crt 2>>log
    set -- --tls --tlscert crt --tlskey key "$@"
fi
/usr/sbin/nats-server -a 127.0.0.1 -p "$port" "$@" </dev/null >>log 2>&1 &
server=$!
echo started
while read -r what; do kill "-$what" $server; done
# The shell would say that it was killed.
exec 2>/dev/null
kill -KILL $server || true
wait $server || true
echo ended
"#;

pub(crate) struct Nats {
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
    arguments: Vec<String>,
    running: Option<Running>,
}

struct Running {
    // What the script reads and says. It ends when its input does.
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    script: Child,
}

#[allow(dead_code, reason = "not every binary that has this file needs all of it")]
impl Nats {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one with these arguments, the first of which may be «tls».
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let mut nats = Self { folder: tempfile::tempdir().unwrap(), port, arguments, running: None };
        nats.start_again();
        nats
    }

    /// Starts it after it was killed.
    pub(crate) fn start_again(&mut self) {
        let mut script = Command::new("sh");
        let script = script.args(["-c", SCRIPT]).arg(self.folder.path()).arg(self.port.to_string());
        let mut script =
            script.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let (input, output) = (script.stdin.take().unwrap(), BufReader::new(script.stdout.take().unwrap()));
        let output = hear(output, "started\n");
        self.running = Some(Running { input, output, script });
        for _ in 0..1_000 {
            // It speaks first.
            let stream = TcpStream::connect(("127.0.0.1", self.port));
            if stream
                .is_ok_and(|stream| BufReader::new(stream).read_line(&mut String::new()).is_ok_and(|read| read > 0))
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        panic!("NATS did not start (`make deps` installs it): {log}");
    }

    pub(crate) fn kill(&mut self) {
        let Running { input, output, mut script } = self.running.take().unwrap();
        drop(input);
        hear(output, "ended\n");
        script.wait().unwrap();
    }

    /// Sends it a signal, such as STOP.
    pub(crate) fn signal(&mut self, name: &str) {
        writeln!(self.running.as_mut().unwrap().input, "{name}").unwrap();
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://localhost:{}", self.port)
    }
}

/// Reads a line of the script.
fn hear(mut output: BufReader<ChildStdout>, expected: &str) -> BufReader<ChildStdout> {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, expected);
    output
}
