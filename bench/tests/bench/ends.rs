//! Runs that are stopped early, a server that ends under the load, and what is left on the disk and
//! on the terminal.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tempfile::NamedTempFile;

use crate::program::{Annon, BENCH, bench, out, read, server};

#[test]
fn what_was_measured_before_ctrl_c_is_told_and_nothing_of_it_is_lost() {
    for (args, until, words) in [
        (
            &["fanout", "--in-flight", "10", "--rooms", "1", "--members", "3", "--seconds", "600"][..],
            "600 s each",
            "Unfinished: ended after ",
        ),
        (
            &["fanout", "--rate", "500", "--rooms", "1", "--members", "3", "--seconds", "600"],
            "600 s each",
            "Unfinished: ended after ",
        ),
        // The signal comes while the third stage is prepared.
        (&["fanout", "--rooms", "2,3,999", "--seconds", "0.5"], "\n       3 ", "Interrupted: "),
        (&["pages", "--notes", "50", "--seconds", "600"], "Checked", "Unfinished: ended after "),
        (&["churn", "--clients", "2", "--seconds", "600"], "A coming counts", "Unfinished: ended after "),
        (&["notes", "--clients", "2", "--seconds", "600", "--accounts", "1"], "inboxes;", "is not checked."),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let json = folder.path().join("cut.json");
        let running = Running::begin(args, folder.path(), &json);
        running.wait_for(until);
        let server = running.server();
        if args.contains(&"600") {
            // The warm-up is over by then, on a busy machine, too.
            thread::sleep(Duration::from_secs(6));
        }
        let ran = running.end(&[Signal::INT]);
        assert_eq!(ran.status.code(), Some(130), "{args:?}: {}", out(&ran));
        assert!(out(&ran).contains(words) && out(&ran).contains("\nInterrupted: "), "{args:?}: {}", out(&ran));
        assert!(!out(&ran).contains("WRONG"), "{args:?}: {}", out(&ran));
        let cut = read(&json);
        let stage = &cut["results"]["stages"][0];
        assert!(cut["ending"] == "interrupted" && stage["latency"]["count"].as_u64() > Some(0), "{cut:#}");
        assert!(test_kill_process(server).is_err(), "the server is gone");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "and its folder: only the file is there");
    }
}

#[test]
fn who_asks_twice_does_not_wait_and_a_closed_terminal_takes_the_server_along() {
    // A busy machine may take two signals for one, so they are sent until the program ends.
    for signals in [&[Signal::INT; 40][..], &[Signal::HUP]] {
        let folder = tempfile::tempdir().unwrap();
        let running = Running::begin(&["fanout", "--seconds", "600"], folder.path(), &folder.path().join("cut.json"));
        running.wait_for("600 s each");
        let server = running.server();
        if signals.len() > 1 {
            // The server must not answer any more.
            thread::sleep(Duration::from_secs(2));
            kill_process(server, Signal::STOP).unwrap();
        }
        let ran = running.end(signals);
        assert_eq!(ran.status.code(), Some(130), "{signals:?}: {}", out(&ran));
        assert!(test_kill_process(server).is_err(), "the server is gone");
    }
}

#[test]
fn a_server_that_ends_under_the_load_is_wrong_and_the_stage_is_told() {
    for (args, words) in [
        (&["fanout", "--rooms", "2,2"][..], "connections closed by the server"),
        (&["notes", "--accounts", "2", "--clients", "2,2"], "the server has ended"),
    ] {
        let (folder, annon) = (tempfile::tempdir().unwrap(), Annon::start());
        let json = folder.path().join("out.json");
        let url = format!("http://{}", annon.address);
        let ended = thread::spawn(move || {
            // The server ends in the first stage, after its accounts were made.
            thread::sleep(Duration::from_secs(4));
            drop(annon);
        });
        let ran = bench(&[args, &["--url", &url, "--seconds", "6", "--json", json.to_str().unwrap()]].concat());
        ended.join().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{args:?}: {}", out(&ran));
        assert!(out(&ran).contains("WRONG") && out(&ran).contains(words), "{args:?}: {}", out(&ran));
        assert_eq!(read(&json)["results"]["stages"].as_array().unwrap().len(), 1, "{args:?}: {}", out(&ran));
    }
}

#[test]
fn a_server_that_keeps_its_limits_does_not_hold_up_the_end() {
    let annon = Annon::with_limits("on");
    let url = format!("http://{}", annon.address);
    // An address signs up thirty times at once, and signs in twenty times in a minute.
    let args = ["75", BENCH, "notes", "--accounts", "40", "--clients", "1", "--seconds", "1", "--url", &url];
    let ran = Command::new("timeout").args(args).output().unwrap();
    assert_eq!(ran.status.code(), Some(2), "it ends by itself: {}", out(&ran));
    for words in ["limits keep some accounts of this run", " accounts stay on the server: b"] {
        assert!(out(&ran).contains(words), "{}", out(&ran));
    }
}

/// A running `annon-bench`, with a server of its own.
struct Running {
    child: Child,
    /// What it has printed so far.
    printed: NamedTempFile,
}

impl Running {
    /// All files that it makes are in this folder. A test under `nohup` ignores SIGHUP, and this program does not.
    fn begin(args: &[&str], folder: &Path, json: &Path) -> Self {
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP", BENCH, "--json"]).arg(json).arg(args[0]);
        command.arg("--dir").arg(folder).arg("--server").arg(server());
        let printed = NamedTempFile::new().unwrap();
        let [stdout, stderr] = [(); 2].map(|()| printed.as_file().try_clone().unwrap());
        Self { child: command.args(&args[1..]).stdout(stdout).stderr(stderr).spawn().unwrap(), printed }
    }

    fn output(&self) -> String {
        std::fs::read_to_string(self.printed.path()).unwrap()
    }

    /// Waits until it has printed this.
    fn wait_for(&self, words: &str) {
        for _ in 0..12_000 {
            if self.output().contains(words) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not print {words:?}: {}", self.output());
    }

    /// Sends these signals, half a second apart, as long as it runs. Waits for its end for at most
    /// a minute, because the machine may be busy.
    fn end(mut self, signals: &[Signal]) -> Output {
        for signal in signals {
            thread::sleep(Duration::from_millis(500));
            if self.child.try_wait().unwrap().is_some() {
                break;
            }
            kill_process(pid(self.child.id()), *signal).unwrap();
        }
        for _ in 0..6000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Output { status, stdout: self.output().into_bytes(), stderr: Vec::new() };
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().unwrap();
        panic!("it does not end: {}", self.output());
    }

    /// The server that it has started.
    fn server(&self) -> Pid {
        let children = format!("/proc/{0}/task/{0}/children", self.child.id());
        let children = std::fs::read_to_string(children).unwrap();
        pid(children.split_whitespace().next().unwrap().parse().unwrap())
    }
}

fn pid(raw: u32) -> Pid {
    Pid::from_raw(raw.cast_signed()).unwrap()
}

#[test]
fn the_line_on_a_terminal_fits_and_ctrl_c_leaves_nothing_of_it() {
    for columns in [200, 40] {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let slave = OpenOptions::new().read(true).write(true).open(name).unwrap();
        tcsetwinsize(&slave, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let mut running = Command::new(BENCH)
            .args(["fanout", "--rooms", "2", "--rate", "100", "--seconds", "600", "--server", &server()])
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave)
            .spawn()
            .unwrap();
        let mut reader = File::from(master);
        let reading = thread::spawn(move || {
            let (mut printed, mut bytes) = (Vec::new(), [0; 4096]);
            // An error means that nobody holds the other end any more.
            while let Some(read) = reader.read(&mut bytes).ok().filter(|read| *read > 0) {
                printed.extend_from_slice(&bytes[..read]);
            }
            String::from_utf8(printed).unwrap()
        });
        thread::sleep(Duration::from_secs(8));
        kill_process(pid(running.id()), Signal::INT).unwrap();
        assert_eq!(running.wait().unwrap().code(), Some(130));
        let printed = reading.join().unwrap();
        // The line is drawn from the left, without the last column, and is removed at the end.
        let drawn: Vec<_> = printed.split('\r').filter_map(|part| part.strip_suffix("\x1b[J")).collect();
        let is_bar = |line: &&&str| line.contains('░');
        assert!(drawn.iter().filter(is_bar).count() > 3, "{columns}: {printed}");
        assert!(drawn.iter().all(|line| line.chars().count() < usize::from(columns)), "{columns}: {printed}");
        assert_eq!(drawn.iter().any(|line| line.contains(", p99.9 ")), columns == 200, "{columns}: {printed}");
        let last = printed.rfind('░').unwrap();
        assert!(
            printed[last..].contains("\r\x1b[J") && printed[last..].contains("Interrupted: "),
            "{columns}: {printed}"
        );
    }
}
