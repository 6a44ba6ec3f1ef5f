//! Runs that somebody ends early, and what they leave behind.

#![expect(clippy::panic, clippy::unwrap_used, reason = "also in a test's own functions a failure is a panic")]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tempfile::NamedTempFile;

use crate::program::{BENCH, out, read, server};

#[path = "runs/program.rs"]
mod program;
#[path = "ends/screen.rs"]
mod screen;
#[path = "ends/terminal.rs"]
mod terminal;

#[test]
fn what_is_on_its_way_at_ctrl_c_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("cut.json");
    for load in [&["fanout", "--in-flight", "10"][..], &["fanout", "--rate", "500"]] {
        let few = ["--rooms", "2", "--seconds", "600", "--warm-up", "0.1"];
        let running = Running::begin(&[load, &few].concat(), folder.path(), &json);
        running.wait_for("rooms   members");
        // Past the warm-up.
        thread::sleep(Duration::from_secs(3));
        let ran = running.end(&[Signal::INT]);
        assert_eq!(ran.status.code(), Some(130), "{load:?}: {}", out(&ran));
        assert!(!out(&ran).contains("WRONG"), "{load:?}: {}", out(&ran));
        let cut = read(&json);
        assert_eq!(cut["ending"], "interrupted");
        let stage = &cut["results"]["stages"][0];
        assert!(stage["deliveries"].as_u64() > Some(0) && stage["faults"]["lost"] == 0, "{stage:#}");
    }
}

#[test]
fn what_came_to_its_end_before_ctrl_c_is_told_and_what_was_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("cut.json");
    let growth = ["growth", "--notes", "20,40,99000", "--calls", "25", "--clients", "4", "--", "--sync", "off"];
    let rooms = ["fanout", "--rooms", "2,3,999", "--members", "2", "--seconds", "0.5", "--warm-up", "0.1"];
    for (args, until, seconds, words) in [
        // While the third stage is made ready.
        (&growth[..], "\n40 notes", 1, &["From 20 to 40 notes", " of 98960 notes", "inboxes hold is not checked"][..]),
        (&rooms, "\n       3 ", 1, &["From 4 to 6 connections: "]),
        // While one is measured.
        (&["fanout", "--rooms", "2", "--seconds", "600"], "rooms   members", 3, &["    Unfinished: ended "]),
        (&["pages", "--notes", "50", "--seconds", "600"], "page   pages/s", 3, &["    Unfinished: ended after "]),
        (&["churn", "--clients", "2", "--seconds", "600"], "clients  comings/s", 3, &["    Unfinished: ended after "]),
    ] {
        let running = Running::begin(args, folder.path(), &json);
        running.wait_for(until);
        thread::sleep(Duration::from_secs(seconds));
        let ran = running.end(&[Signal::INT]);
        assert_eq!(ran.status.code(), Some(130), "{args:?}: {}", out(&ran));
        for word in words.iter().chain(&["\nInterrupted: "]) {
            assert!(out(&ran).contains(word), "{args:?}, {word}: {}", out(&ran));
        }
        assert_eq!(read(&json)["ending"], "interrupted");
    }
}

#[test]
fn a_disk_is_told_of_as_far_as_it_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("cut.json");
    let running = Running::begin(&["disk", "--seconds", "600"], folder.path(), &json);
    let ran = running.end(&[Signal::INT]);
    assert_eq!(ran.status.code(), Some(130), "{}", out(&ran));
    assert!(read(&json)["results"]["disk"]["fdatasync"]["latency"]["count"].as_u64() > Some(0), "{}", out(&ran));
}

#[test]
fn who_asks_twice_does_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("cut.json");
    // A server that does not even answer any more.
    let running = Running::begin(&["fanout", "--seconds", "600"], folder.path(), &json);
    let server = running.wait_for_server();
    thread::sleep(Duration::from_secs(2));
    kill_process(server, Signal::STOP).unwrap();
    let ran = running.end(&[Signal::INT, Signal::INT]);
    assert_eq!(ran.status.code(), Some(130), "{}", out(&ran));
    assert!(test_kill_process(server).is_err(), "the server is gone");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "and its folder: only the file is there");
}

#[test]
fn a_terminal_that_is_closed_takes_the_server_along() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("cut.json");
    let running = Running::begin(&["churn", "--clients", "2", "--seconds", "600"], folder.path(), &json);
    let server = running.wait_for_server();
    thread::sleep(Duration::from_secs(1));
    let ran = running.end(&[Signal::HUP]);
    assert_eq!(ran.status.code(), Some(130), "{}", out(&ran));
    assert!(test_kill_process(server).is_err(), "the server is gone");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "and its folder");
}

#[test]
fn under_nohup_a_closed_terminal_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let disk = format!("trap '' HUP; exec {BENCH} disk --seconds 1 --dir {}", folder.path().display());
    let running = Command::new("sh").args(["-c", &disk]).stdout(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(700));
    kill_process(pid(running.id()), Signal::HUP).unwrap();
    let ran = running.wait_with_output().unwrap();
    assert!(ran.status.success(), "{}", out(&ran));
}

/// The program at work, with a server of its own.
struct Running {
    child: Child,
    /// What it has said so far.
    said: NamedTempFile,
}

impl Running {
    /// Everything it makes is in this folder.
    fn begin(args: &[&str], folder: &Path, json: &Path) -> Self {
        let mut command = Command::new(BENCH);
        command.arg("--json").arg(json).arg(args[0]).arg("--dir").arg(folder);
        if args[0] != "disk" {
            command.arg("--server").arg(server());
        }
        let said = NamedTempFile::new().unwrap();
        let [stdout, stderr] = [(); 2].map(|()| said.as_file().try_clone().unwrap());
        Self { child: command.args(&args[1..]).stdout(stdout).stderr(stderr).spawn().unwrap(), said }
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.said.path()).unwrap()
    }

    /// Until it has said this.
    fn wait_for(&self, words: &str) {
        for _ in 0..12_000 {
            if self.said().contains(words) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not say {words:?}: {}", self.said());
    }

    /// Sends these, half a second apart, and waits for its end: a minute, since
    /// others may keep the machine busy.
    fn end(mut self, signals: &[Signal]) -> Output {
        for signal in signals {
            thread::sleep(Duration::from_millis(500));
            kill_process(pid(self.child.id()), *signal).unwrap();
        }
        for _ in 0..6000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Output { status, stdout: self.said().into_bytes(), stderr: Vec::new() };
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        panic!("it does not end: {}", self.said());
    }

    fn wait_for_server(&self) -> Pid {
        for _ in 0..6000 {
            let children = format!("/proc/{0}/task/{0}/children", self.child.id());
            let children = std::fs::read_to_string(children).unwrap_or_default();
            if let Some(child) = children.split_whitespace().next() {
                return pid(child.parse().unwrap());
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("no server was started");
    }
}

fn pid(raw: u32) -> Pid {
    Pid::from_raw(raw.cast_signed()).unwrap()
}
