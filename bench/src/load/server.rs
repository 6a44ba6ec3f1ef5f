//! A server that is started for a run, and stopped after it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

use crate::args::Started;
use crate::load::clock;
use crate::load::http::Client;
use crate::report::view::make_room;
use crate::trouble::{Because, Fallible, Trouble};

/// A store with a million notes can take seconds to open. A minute means it hangs.
const START_MAX: Duration = Duration::from_secs(60);
/// The server gives its clients three seconds, and then ends. One on a database first leaves its
/// members to others, for 20 seconds unless it is told otherwise.
const END_MAX: Duration = Duration::from_secs(30);
/// The most log lines that are shown, because there can be very many.
const LINES_MAX: usize = 3;

/// A running server. It is killed when this value is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) metrics: SocketAddr,
    pub(crate) begun: Instant,
    /// The time from its start until its log says that it listens.
    pub(crate) listening_after: Duration,
}

impl Started {
    /// Makes a temporary folder.
    pub(crate) fn folder(&self) -> Fallible<TempDir> {
        let within = self.dir.clone().unwrap_or_else(std::env::temp_dir);
        let made = tempfile::Builder::new().prefix("annon-bench-").tempdir_in(&within);
        made.because(format_args!("can't make a folder in {}", within.display()))
    }

    fn program(&self) -> PathBuf {
        let beside = || std::env::current_exe().unwrap_or_default().with_file_name("annon");
        self.server.clone().unwrap_or_else(beside)
    }

    /// The program, for a command of an operator's.
    pub(crate) fn operator(&self) -> Command {
        let mut command = Command::new(self.program());
        command.stdin(Stdio::null());
        command
    }

    /// Makes a secret, which servers on one database share.
    pub(crate) fn make_secret(&self, file: &Path) -> Fallible {
        let made = self.operator().arg("secret").arg(file).output().because("can't make a secret")?;
        if made.status.success() { Ok(()) } else { Trouble::because(String::from_utf8_lossy(&made.stderr)) }
    }

    /// Starts a server on a folder, and waits until its log says where it listens.
    pub(crate) async fn start(&self, folder: &Path) -> Fallible<Server> {
        let program = self.program();
        let mut command = Command::new(&program);
        command
            // Variables of the caller's shell would change what is measured, and nobody would see
            // it.
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| !name.as_encoded_bytes().starts_with(b"ANNON_")))
            .args(["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--address-limits", "off"])
            // The log says where the server listens.
            .args(["--log-format", "json", "--log-level", "info", "--data-dir"])
            .arg(folder)
            .args(&self.server_flags)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Ctrl-C is for this program: it ends the server after it has printed the results.
            .process_group(0);
        if !self.server_flags.iter().any(|flag| flag.starts_with("--sends-per-second")) {
            command.args(["--sends-per-second", "0"]);
        }
        let begun = clock::now();
        let program = program.display();
        let mut child = command.spawn().because(format_args!("can't start {program} (--server names another)"))?;
        let (sender, lines) = unbounded_channel();
        if let Some(log) = child.stderr.take() {
            let file = self.log.as_ref().map(|file| File::options().create(true).append(true).open(file));
            let file = file.transpose().because("can't write a server's log")?;
            std::thread::spawn(move || pass_on(log, &sender, file));
        }
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut server = Server { child, address: nowhere, metrics: nowhere, begun, listening_after: Duration::ZERO };
        let listening = timeout(START_MAX, listening(lines)).await.because("the server did not log that it listens")?;
        (server.address, server.metrics) = listening?;
        server.listening_after = begun.elapsed();
        Ok(server)
    }
}

impl Server {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server says that it is ready. Returns the time since its start.
    pub(crate) async fn ready(&self) -> Fallible<Duration> {
        let mut client = Client::new(self.address.into());
        while self.begun.elapsed() < START_MAX {
            if client.is_ready().await? {
                return Ok(self.begun.elapsed());
            }
            sleep(Duration::from_millis(1)).await;
        }
        Trouble::because("the server listens, and does not become ready")
    }

    pub(crate) async fn end(mut self) -> Fallible {
        kill_process(Pid::from_child(&self.child), Signal::TERM).because("the server can't be told to end")?;
        let ended = async {
            while let Ok(None) = self.child.try_wait() {
                sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(END_MAX, ended).await.because("the server did not end in 30 s")?;
        let status = self.child.wait().because("the server can't be waited for")?;
        if status.success() { Ok(()) } else { Trouble::because(format!("the server ended badly: {status}")) }
    }
}

impl Drop for Server {
    /// Has no effect if the server has already ended.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the log to its end, so that the server never waits for this program, and prints the first
/// lines that are not routine, or writes all of them to a file.
fn pass_on(log: ChildStderr, lines: &UnboundedSender<String>, mut file: Option<File>) {
    let mut passed = 0;
    for line in BufReader::new(log).lines().map_while(Result::ok) {
        if let Some(file) = &mut file {
            let _ = writeln!(file, "{line}");
        }
        // Until the server listens, its caller reports the errors.
        if lines.send(line.clone()).is_ok() || passed == LINES_MAX || file.is_some() {
            continue;
        }
        if !matches!(log_field(&line, "level").as_deref(), Some("INFO" | "DEBUG")) {
            passed += 1;
            let more = if passed == LINES_MAX { " (and perhaps more, not shown)" } else { "" };
            make_room();
            let _ = writeln!(std::io::stderr().lock(), "server: {line}{more}");
        }
    }
}

async fn listening(mut lines: UnboundedReceiver<String>) -> Fallible<(SocketAddr, SocketAddr)> {
    let mut why = String::new();
    while let Some(line) = lines.recv().await {
        if log_field(&line, "message").as_deref() == Some("listening") {
            let at = |name| log_field(&line, name).and_then(|address| address.parse().ok());
            if let (Some(address), Some(metrics)) = (at("address"), at("metrics")) {
                return Ok((address, metrics));
            }
        }
        // The error about a flag comes before the help about all flags.
        if !why.starts_with("error: ") && !line.trim().is_empty() {
            why = log_field(&line, "message").unwrap_or(line);
        }
    }
    Trouble::because(format!("the server ended before it listened: {}", why.trim_start_matches("error: ")))
}

/// A text in a line of the server's log.
pub(crate) fn log_field(line: &str, name: &str) -> Option<String> {
    serde_json::from_str::<Value>(line).ok()?.get(name)?.as_str().map(str::to_owned)
}
