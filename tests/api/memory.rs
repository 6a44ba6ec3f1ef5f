//! The server's memory: nobody else can read it, no disk has it, and it forgets deleted keys.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::geteuid;

use crate::support::patience::{wait_for, wait_until};
use crate::support::person::{Person, send_note};
use crate::support::server::{ANNON, Folder, NO_LIMITS, Process, Server, holds};

#[test]
fn the_server_writes_no_core_dump() {
    let server = Server::start();
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.pid().as_raw_nonzero())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");
}

#[test]
fn a_server_that_has_nothing_to_do_gives_back_what_its_start_took() {
    let server = Server::start();
    let status = format!("/proc/{}/status", server.pid().as_raw_nonzero());
    let own = || {
        let status = fs::read_to_string(&status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    };
    // It takes 31 MB to start, and kept them for as long as nobody came. What is left is 16 MB, in this build.
    wait_until("20 MiB at most are its own", || own() < 20 * 1024);
}

/// The user who may read the process's memory; root if nobody else may.
fn readable_by(process: u32) -> u32 {
    fs::metadata(format!("/proc/{process}/environ")).unwrap().uid()
}

/// Runs a command as a user who is not root.
fn as_nobody(mut command: Command) -> Command {
    const NOBODY: u32 = 65_534;
    if geteuid().is_root() {
        command.uid(NOBODY);
    }
    command
}

#[test]
fn others_of_the_same_user_can_not_read_the_memory() {
    let mut sleep = Command::new("sleep");
    sleep.arg("60");
    let other = Process(as_nobody(sleep).spawn().unwrap());
    assert_ne!(readable_by(other.0.id()), 0, "what an ordinary process looks like");
    let folder = Folder::new();
    fs::set_permissions(folder.file(""), fs::Permissions::from_mode(0o777)).unwrap();
    // Other users may not be allowed into the binary's folder.
    let binary = folder.file("annon");
    fs::copy(ANNON, &binary).unwrap();
    let mut command = Command::new(&binary);
    command.env_clear();
    let server = Server::run(as_nobody(command), &folder, &[]);
    assert_eq!(readable_by(server.pid().as_raw_nonzero().get() as u32), 0);
}

fn keys(server: &Server) -> BTreeSet<Vec<u8>> {
    let bytes = fs::read(server.folder.data().join("keys")).unwrap();
    bytes.chunks(64).skip(1).filter(|slot| slot[0] != 0).map(|slot| slot[32..].to_vec()).collect()
}

/// Which of these keys stand anywhere in the server's memory.
fn in_memory(server: &Server, parts: &BTreeSet<Vec<u8>>) -> BTreeSet<Vec<u8>> {
    let process = server.pid().as_raw_nonzero();
    let memory = File::open(format!("/proc/{process}/mem")).unwrap();
    let mut found = BTreeSet::new();
    for line in fs::read_to_string(format!("/proc/{process}/maps")).unwrap().lines() {
        let (from, to) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let [from, to] = [from, to].map(|at| u64::from_str_radix(at, 16).unwrap());
        let is_ours = line.split(' ').nth(1).unwrap().starts_with("rw");
        let mut bytes = vec![0; usize::try_from(to - from).unwrap()];
        if !is_ours || memory.read_exact_at(&mut bytes, from).is_err() {
            continue;
        }
        found.extend(parts.iter().filter(|part| holds(&bytes, part)).cloned());
    }
    found
}

#[test]
fn a_destroyed_key_is_not_in_memory_either() {
    if !geteuid().is_root() {
        eprintln!("only root may look into the server's memory, and the test looks at nothing");
        return;
    }
    let server = Server::with(NO_LIMITS);
    let people: Vec<_> = (0..10).map(|_| Person::new(&server)).collect();
    for person in &people {
        send_note(&server, &person.target(&server), "something nobody else is to read");
        person.inbox(&server);
    }
    let before = keys(&server);
    assert_eq!(in_memory(&server, &before), before, "what is in use is found");
    for person in people.iter().step_by(2) {
        person.delete(&server, &person.password).assert(200, "Account Deleted");
    }
    let gone: BTreeSet<_> = before.difference(&keys(&server)).cloned().collect();
    assert_eq!(gone.len(), 5 * 2, "an account's and its inbox's");
    // A key may stand where a thread keeps its next task; another call overwrites it.
    wait_for("the keys to be gone", || {
        people.iter().skip(1).step_by(2).for_each(|person| drop(person.inbox(&server)));
        in_memory(&server, &gone).is_empty().then_some(())
    });
}
