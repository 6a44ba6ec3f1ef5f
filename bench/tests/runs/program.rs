//! The program, and the server it measures.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

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

/// Not every test waits for a run's end.
#[allow(dead_code, reason = "every test's program has this file")]
pub(crate) fn bench(args: &[&str]) -> Output {
    Command::new(BENCH).args(args).output().unwrap()
}

/// Everything it said.
pub(crate) fn out(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// What it wrote for programs.
pub(crate) fn read(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}
