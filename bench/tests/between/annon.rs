//! A server that goes on when a run has ended.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::server;

/// It is killed when this is dropped.
pub(crate) struct Annon {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    _folder: TempDir,
}

impl Annon {
    /// Starts one on an empty folder.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(server())
            .args(["--listen", "127.0.0.1:0", "--address-limits", "off", "--log-format", "json", "--data-dir"])
            .arg(folder.path())
            .args(["--sends-per-second", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let says = |line: String| serde_json::from_str::<Value>(&line).ok()?["address"].as_str()?.parse().ok();
        let address = log.find_map(says).unwrap();
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
