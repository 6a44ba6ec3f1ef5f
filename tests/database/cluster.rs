//! `make cluster`: three servers, their databases and a balancer, which all end with the script.

use std::collections::HashMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::log::ServerLog;
use crate::support::patience::wait_for;
use crate::support::person::Person;
use crate::support::server::{ANNON, Process, Server};

/// Four ports in a row that nobody uses now.
fn free_ports() -> u16 {
    let is_free = |port: &u16| (*port..port + 4).all(|port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    (21_000..30_000).step_by(10).find(is_free).unwrap()
}

/// Starts it, and waits until everything is there. Returns the balancer, and which process is what.
fn start(port: u16, arguments: &[&str]) -> (Server, HashMap<String, Pid>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster.sh");
    let mut command = Command::new("bash");
    let command = command.arg(script).args(["--port", &port.to_string()]).args(arguments).env("ANNON_BIN", ANNON);
    let mut script = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let log = ServerLog::of(script.stdout.take().unwrap());
    let script = Process(script);
    wait_for("the cluster", || log.lines().iter().any(|line| line.contains("annon nodes")).then_some(()));
    let process = |line: &String| {
        let words: Vec<_> = line.split_whitespace().collect();
        let pid = words.iter().position(|word| *word == "process").and_then(|at| words.get(at + 1)?.parse().ok());
        Some((words.first()?.to_string(), Pid::from_raw(pid?)?))
    };
    let processes: HashMap<_, _> = log.lines().iter().filter_map(process).collect();
    assert_eq!(processes.len(), 7, "{:?}", log.lines());
    (Server::of(script, port, log), processes)
}

/// Ends it, and checks that nothing of it is left.
fn end(mut cluster: Server, processes: &HashMap<String, Pid>) {
    let folder = cluster.log.lines().iter().find_map(|line| Some(line.split_once("in /tmp/")?.1.to_owned())).unwrap();
    let folder = Path::new("/tmp").join(folder.split('/').next().unwrap());
    assert!(folder.exists(), "{folder:?}");
    assert!(cluster.stop().success());
    for (name, pid) in processes {
        assert!(test_kill_process(*pid).is_err(), "{name} is still there");
    }
    assert!(!folder.exists());
}

#[test]
fn a_cluster_survives_a_server_and_its_database_and_leaves_nothing_behind() {
    let port = free_ports();
    let (cluster, processes) = start(port, &[]);
    let group = Group::of(&cluster, Person::new(&cluster));
    let [mut here]: [Member; 1] = group.members(&cluster);
    let known = here.chat("before")["seq"].as_u64().unwrap();
    kill_process(processes["two"], Signal::KILL).unwrap();
    wait_for("the news", || cluster.log.lines().iter().any(|line| line.contains("two (process")).then_some(()));
    let (mut here, _) = Member::resume(&cluster, &group, &here.seat, known);
    here.chat("without a server");
    // The primary is gone: whatever was acknowledged is on the standby.
    kill_process(processes["record"], Signal::KILL).unwrap();
    wait_for("the news", || cluster.log.lines().iter().any(|line| line.contains("record (process")).then_some(()));
    let promote = cluster.log.lines().into_iter().find(|line| line.contains("pg_ctl promote")).unwrap();
    assert!(Command::new("bash").args(["-c", &promote]).current_dir("/").output().unwrap().status.success());
    here.chat("without the primary");
    assert_eq!(group.words(&cluster, &here.seat), ["before", "without a server", "without the primary"]);
    cluster.log.lines().iter().for_each(|line| assert!(!line.contains("one (process"), "{line}"));
    end(cluster, &processes);
}
