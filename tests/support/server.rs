//! The real binary, on a free port and a folder of its own.

use std::env;
use std::fs;
use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;

use memchr::memmem;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::client::{Answer, Call};
use crate::support::database;
use crate::support::log::ServerLog;
use crate::support::patience::wait_for;

pub(crate) const ANNON: &str = env!("CARGO_BIN_EXE_annon");

/// For tests that call often from one address.
pub(crate) const NO_LIMITS: &[&str] = &["--address-limits", "off"];

/// A folder for the data folder and other files of a test. It is removed with its last owner.
#[derive(Clone)]
pub(crate) struct Folder(Arc<TempDir>);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(Arc::new(tempfile::Builder::new().prefix("annon-api-").tempdir().unwrap()))
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.file("data")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs an operator's command on the data folder.
    pub(crate) fn annon(&self, arguments: &[&str]) -> Output {
        let mut command = annon();
        let command = command.envs(database::in_the_place_of(self, arguments)).arg("--data-dir").arg(self.data());
        command.args(arguments).output().unwrap()
    }

    /// The texts of the mails that the running server keeps, oldest first.
    pub(crate) fn mails(&self) -> Vec<String> {
        if self.file("mails").exists() {
            return Self::filed_mails(&self.file("mails"));
        }
        let shown = printed(&self.annon(&["mail"]).stdout);
        let mut mails = Vec::<String>::new();
        for line in shown.lines() {
            match mails.last_mut() {
                _ if line.starts_with("--- ") => mails.push(String::new()),
                Some(mail) => mail.extend([line, "\n"]),
                None => panic!("{shown}"),
            }
        }
        mails
    }

    /// The texts of the mails in a folder, oldest first.
    pub(crate) fn filed_mails(folder: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "eml"));
        paths.sort();
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }
}

/// The binary, without the tester's environment, and in a folder that is empty: where it isn't told what to use,
/// it would else meet what somebody keeps in the folder of this clone.
pub(crate) fn annon() -> Command {
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    fs::create_dir_all(&nowhere).unwrap();
    assert!(fs::read_dir(&nowhere).unwrap().next().is_none(), "a test has left something in {}", nowhere.display());
    let mut command = Command::new(ANNON);
    command.env_clear().stdin(Stdio::null()).current_dir(nowhere);
    command
}

pub(crate) fn printed(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) struct Server {
    process: Process,
    pub(crate) address: SocketAddr,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) folder: Folder,
    pub(crate) log: ServerLog,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// A server with these flags beside the tests' own.
    pub(crate) fn with(flags: &[&str]) -> Self {
        Self::on(&Folder::new(), flags)
    }

    /// A server on a folder that may have been used before.
    pub(crate) fn on(folder: &Folder, flags: &[&str]) -> Self {
        Self::run(annon(), folder, flags)
    }

    /// A server on a folder, so many days later. The clock of its database, if it has one, is ahead with it.
    pub(crate) fn days_later(folder: &Folder, days: u32, flags: &[&str]) -> Self {
        database::set_clock_ahead(folder, days);
        let mut command = annon();
        // The loader puts the machine's own folder in the place of `$LIB`.
        command.env("LD_PRELOAD", "/usr/$LIB/faketime/libfaketime.so.1");
        command.env("FAKETIME", format!("+{days}d")).env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        Self::run(command, folder, flags)
    }

    /// A server that is started by a command which executes the binary with its arguments.
    pub(crate) fn run(command: Command, folder: &Folder, flags: &[&str]) -> Self {
        Self::run_with_metrics(command, folder, &["--metrics-listen", "127.0.0.1:0"], flags)
    }

    /// A server whose `--metrics-listen` is given in `wish`, or is the default.
    pub(crate) fn run_with_metrics(mut command: Command, folder: &Folder, wish: &[&str], flags: &[&str]) -> Self {
        let mut process = serving(&mut command, folder, flags).args(wish).spawn().unwrap();
        let log = ServerLog::of(process.stderr.take().unwrap());
        let Some(line) = log.wait_for("listening") else {
            panic!("the server did not start: {:?}", log.whole());
        };
        let address = line["address"].as_str().unwrap().parse().unwrap();
        let metrics = line["metrics"].as_str().map(|at| at.parse().unwrap());
        Self { process: Process(process), address, metrics, folder: folder.clone(), log }
    }

    /// A server that listens, and may wait for its databases.
    pub(crate) fn waiting(folder: &Folder, flags: &[&str]) -> Self {
        let listen = flags.iter().position(|flag| *flag == "--listen").unwrap();
        let address: SocketAddr = flags[listen + 1].parse().unwrap();
        let mut process = serving(&mut annon(), folder, flags).args(["--metrics-listen", "off"]).spawn().unwrap();
        let log = ServerLog::of(process.stderr.take().unwrap());
        Self { folder: folder.clone(), ..Self::of(Process(process), address.port(), log) }
    }

    /// Another program that listens at this port, such as a balancer before servers.
    pub(crate) fn other(command: &mut Command, port: u16) -> Self {
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = ServerLog::of(process.stderr.take().unwrap());
        Self::of(Process(process), port, log)
    }

    /// A process that listens, or will, at this port.
    pub(crate) fn of(process: Process, port: u16, log: ServerLog) -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        wait_for("the port", || TcpStream::connect(address).ok());
        Self { process, address, metrics: None, folder: Folder::new(), log }
    }

    pub(crate) fn call(&self, method: &str, path: &str) -> Call {
        Call::new(self.address, method, path)
    }

    pub(crate) fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> Call {
        self.call("POST", path)
    }

    pub(crate) fn delete(&self, path: &str) -> Call {
        self.call("DELETE", path)
    }

    /// A key derived from the data folder's secret, as the server derives it.
    pub(crate) fn key(&self, purpose: &str) -> Vec<u8> {
        // Servers with a database have a copy of theirs beside the folder.
        let file =
            [self.folder.file("secret"), self.folder.data().join("secret")].into_iter().find(|file| file.exists());
        let secret = fs::read(file.unwrap()).unwrap();
        let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, &secret[..32]);
        aws_lc_rs::hmac::sign(&key, purpose.as_bytes()).as_ref().to_vec()
    }

    /// What the listener for metrics answers.
    pub(crate) fn metrics(&self) -> Answer {
        Call::new(self.metrics.unwrap(), "GET", "/metrics").send()
    }

    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.metrics().text();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
    }

    /// Memory that the process uses, in KiB.
    pub(crate) fn resident_kib(&self) -> u64 {
        self.status_kib("VmRSS:")
    }

    /// The most that it has ever used.
    pub(crate) fn peak_kib(&self) -> u64 {
        self.status_kib("VmHWM:")
    }

    fn status_kib(&self, what: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// How many TCP sockets are open on the server's port; only root may see its descriptors.
    pub(crate) fn open_sockets(&self) -> usize {
        let table = fs::read_to_string("/proc/net/tcp").unwrap();
        let port = format!(":{:04X}", self.address.port());
        let is_ours = |line: &&str| {
            let fields: Vec<_> = line.split_whitespace().collect();
            // A socket that no process holds any more has no inode.
            fields[1].ends_with(&port) && fields[9] != "0"
        };
        table.lines().skip(1).filter(is_ours).count()
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.process.0)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let process = &mut self.process.0;
        wait_for("the server's end", || process.try_wait().unwrap())
    }

    /// Asks the server to stop, and waits.
    pub(crate) fn stop(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.wait()
    }
}

/// A program of those that scripts/deps.sh has installed into environments of their own.
pub(crate) fn tester(path: &str) -> Command {
    let home = || PathBuf::from(env::var_os("HOME").unwrap()).join(".cache");
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from);
    let program = cache.join("annon").join(path);
    assert!(program.exists(), "run `make deps`: there is no {}", program.display());
    Command::new(program)
}

/// A command that serves a folder on any port and logs to a pipe.
fn serving<'a>(command: &'a mut Command, folder: &Folder, flags: &[&str]) -> &'a mut Command {
    // Where flags say nothing else.
    command.env("ANNON_LISTEN", "127.0.0.1:0").envs(database::in_the_place_of(folder, flags));
    let command = command.args(["--log-format", "json", "--data-dir"]).arg(folder.data()).args(flags);
    command.stdout(Stdio::null()).stderr(Stdio::piped())
}

/// Starts a server that must refuse to start. Returns its exit code and output.
pub(crate) fn refusal(folder: &Folder, flags: &[&str]) -> (Option<i32>, String) {
    refusal_of(annon(), folder, flags)
}

/// The same of a server that a command starts.
pub(crate) fn refusal_of(mut command: Command, folder: &Folder, flags: &[&str]) -> (Option<i32>, String) {
    let mut process = serving(&mut command, folder, flags).env("ANNON_METRICS_LISTEN", "off").spawn().unwrap();
    let status = wait_for("the refusal to start", || process.try_wait().unwrap());
    let mut text = String::new();
    process.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (status.code(), text)
}

/// Whether a part stands anywhere in these bytes.
pub(crate) fn holds(bytes: &[u8], part: impl AsRef<[u8]>) -> bool {
    memmem::find(bytes, part.as_ref()).is_some()
}

/// Every file below a folder, with its bytes.
pub(crate) fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if let Ok(bytes) = fs::read(&path) {
            found.push((path, bytes));
        }
    }
    found
}
