//! Three servers on a database that loses what it has acknowledged, and the judge of that run.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::program::{BENCH, bench, out, server};

/// How often it is looked whether the databases of a run have changed, five times a second.
const LOOKS: u32 = 900;
/// How long people are read after that.
const LATER: Duration = Duration::from_secs(3);

#[test]
fn the_judge_finds_what_is_lost_with_a_database_that_waits_for_no_standby() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("history");
    let file = file.to_str().unwrap();
    let trials =
        "--kills 0 --pauses 0 --partitions 0 --restarts 0 --keys-restarts 0 --promotions 0 --upgrades 0 --both 1";
    let small = "--nodes 2 --rooms 2 --members 3 --rate 40 --asynchronous";
    let mut run = Command::new(BENCH);
    run.args(["cluster", "--server", &server(), "--history", file]).args(trials.split(' ')).args(small.split(' '));
    let mut run = Run(run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let is_over = || {
        let history = std::fs::read_to_string(file).unwrap_or_default();
        history.lines().any(|line| line.contains("\"ok\"") && line.contains("\"kind\":\"fault\""))
    };
    for looks in 0.. {
        if is_over() {
            break;
        }
        assert!(looks < LOOKS && run.0.try_wait().unwrap().is_none(), "the databases don't change");
        sleep(Duration::from_millis(200));
    }
    sleep(LATER);
    kill_process(Pid::from_child(&run.0), Signal::INT).unwrap();
    assert_eq!(run.0.wait().unwrap().code(), Some(130), "it is stopped");

    let judged = bench(&["judge", file]);
    assert_eq!(judged.status.code(), Some(1), "{}", out(&judged));
    assert!(out(&judged).contains("lost"), "{}", out(&judged));
}

struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}
