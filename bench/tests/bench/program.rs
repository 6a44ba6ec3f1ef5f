//! `annon-bench`, and the server that it measures.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const BENCH: &str = env!("CARGO_BIN_EXE_annon-bench");

/// The server: named by ANNON_BIN, or built beside this program.
pub(crate) fn server() -> String {
    let named = std::env::var_os("ANNON_BIN").map(PathBuf::from);
    let server = named.unwrap_or_else(|| Path::new(BENCH).with_file_name("annon"));
    assert!(
        server.is_file(),
        "there is no server at {}: build it first (cargo build --release), or name one with ANNON_BIN",
        server.display()
    );
    server.to_str().unwrap().to_owned()
}

pub(crate) fn bench(args: &[&str]) -> Output {
    Command::new(BENCH).args(args).output().unwrap()
}

/// All that the program printed.
pub(crate) fn out(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The JSON file that the program wrote.
pub(crate) fn read(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// A server that outlives a run. It is killed when this value is dropped.
pub(crate) struct Annon {
    child: Child,
    pub(crate) address: SocketAddr,
    _folder: TempDir,
}

impl Annon {
    /// Starts a server on an empty folder, without limits for an address.
    pub(crate) fn start() -> Self {
        Self::with_limits("off")
    }

    pub(crate) fn with_limits(limits: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(server())
            .args(["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--address-limits", limits])
            .args(["--log-format", "json", "--sends-per-second", "0", "--data-dir"])
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address_in = |line: String| serde_json::from_str::<Value>(&line).ok()?["address"].as_str()?.parse().ok();
        let address = log.find_map(address_in).unwrap();
        std::thread::spawn(move || log.for_each(drop));
        Self { child, address, _folder: folder }
    }
}

impl Drop for Annon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
