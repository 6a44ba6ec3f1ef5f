//! A process that writes is killed at random moments, many times in one folder. After each kill the
//! folder is compared with what the process printed as done.
//!
//! `ANNON_TORTURE=1` makes the campaign long. `ANNON_CRASH_SEED` repeats the moments, roughly.

mod child;
mod expected;
pub(crate) mod random;
mod talking;

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use annon_store::Engine as _;
use annon_store::Kept;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::crash::expected::Expected;
use crate::crash::random::Random;
use crate::support::files::contents;
use crate::support::mounted::Disk;
use crate::support::people::{NOW, account, account_id};
use crate::support::{is_torture, open, try_open};

/// How long a process may take for its next step.
const PATIENCE: Duration = Duration::from_secs(60);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whatever_was_acknowledged_is_there_after_any_kill() {
    let rounds = if is_torture() { 300 } else { 15 };
    let seed = number("ANNON_CRASH_SEED").unwrap_or_else(|| RandomState::new().hash_one("crash"));
    println!("ANNON_CRASH_SEED={seed}");
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (mut random, mut expected) = (Random::new(seed), Expected::default());
    let (mut round, mut done, enough) = (0, 0, rounds * 20);
    // A busy machine needs more rounds.
    while round < rounds || (done < enough && round < rounds * 10) {
        let lines = killed_child(&folder, Some(round), &mut random, || ());
        // The next processes are killed while they repair what the first kill left.
        for _ in 0..random.below(3) {
            killed_child(&folder, None, &mut random, || ());
        }
        if random.below(3) == 0 {
            fail_the_system(&folder, &mut random);
        }
        done += lines.iter().filter(|line| line.starts_with("did")).count() as u64;
        expected.read(lines);
        runtime.block_on(async {
            let store = try_open(&folder).unwrap_or_else(|error| panic!("round {round}: {error}"));
            expected.check(&store).await;
            if random.below(2) == 0 {
                store.sweep_after_start(NOW).await.unwrap();
                expected.check(&store).await;
            }
            store.close().await.unwrap();
        });
        round += 1;
    }
    println!("{done} acknowledged operations in {round} rounds");
    assert!(done >= enough, "hardly anything was tried");
}

#[test]
fn whatever_was_acknowledged_is_there_after_a_power_cut_on_a_real_file_system() {
    let rounds = if is_torture() { 100 } else { 4 };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for kind in ["ext4", "btrfs"] {
        let Some(host) = Disk::of("btrfs", 2048) else { return };
        let Some(disk) = Disk::within(&host.at(), kind, 256) else { return };
        let (folder, mut random, mut expected) = (disk.at().join("data"), Random::new(1), Expected::default());
        for round in 0..rounds {
            expected.read(killed_child(&folder, Some(round), &mut random, || disk.snapshot()));
            disk.go_back();
            boot(&folder);
            runtime.block_on(async {
                let store = try_open(&folder).unwrap_or_else(|error| panic!("{kind}, round {round}: {error}"));
                expected.check(&store).await;
                store.close().await.unwrap();
            });
        }
    }
}

/// Pretends that the system restarted since the index was in use. Returns whether it ever was.
fn boot(folder: &Path) -> bool {
    let state = folder.join("index.state");
    state.exists().then(|| fs::write(&state, "in use since the system started as another\n").unwrap()).is_some()
}

/// Leaves the folder as a power cut would: all that was synced is in the commit log, and the index has
/// anything or nothing. Then a process starts and is killed.
fn fail_the_system(folder: &Path, random: &mut Random) {
    if !boot(folder) {
        return;
    }
    let index = folder.join("index");
    for name in contents(&index).into_keys() {
        let file = fs::File::options().write(true).open(index.join(name)).unwrap();
        file.write_all_at(&[random.next() as u8; 3000], random.below(100_000)).unwrap();
        file.set_len(random.below(200_000)).unwrap();
    }
    killed_child(folder, None, random, || ());
}

/// Returns what a child printed until its kill. Without a round the child only opens the store.
/// `stopped` is called when the child does nothing more.
fn killed_child(folder: &Path, round: Option<u64>, random: &mut Random, stopped: impl FnOnce()) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child::the_process_that_is_killed", "--nocapture"])
        .env(child::FOLDER, folder)
        .env(child::SEED, format!("{}", random.next() % 1_000_000))
        .env(child::ROUND, round.map_or(String::new(), |round| round.to_string()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (moved, has_moved) = std::sync::mpsc::channel();
    let reader = thread::spawn(move || {
        let mut lines = Vec::new();
        for line in output.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8(line).unwrap();
            if line == "open" || line.starts_with("did") {
                let _ = moved.send(());
            }
            lines.push(line);
        }
        lines
    });
    // Sometimes the child is killed while it opens the store.
    let is_early = round.is_none() || random.below(8) == 0;
    let patience = if is_early { Duration::from_millis(random.below(30)) } else { PATIENCE };
    if has_moved.recv_timeout(patience).is_ok() && round.is_some() {
        // On a busy machine it gets as far as on another one. Then it is killed at any moment.
        let _ = (0..random.below(80)).all(|_| has_moved.recv_timeout(PATIENCE).is_ok());
        thread::sleep(Duration::from_micros(random.below(20_000)));
    }
    let id = Pid::from_child(&child);
    kill_process(id, Signal::STOP).unwrap();
    let (_, status) = waitpid(Some(id), WaitOptions::UNTRACED).unwrap().unwrap();
    assert!(status.stopped(), "it ended by itself: {status:?}");
    stopped();
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None);
    reader.join().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_that_was_cut_off_is_made_again() {
    let parent = tempfile::tempdir().unwrap();
    let made = parent.path().join("made");
    open(&made).close().await.unwrap();
    let all = contents(&made);
    let commit_log = Path::new("commit-log/0000000001.log");
    // What is there, in the order in which it is made, and how long the commit log's file is.
    for (n, (parts, length)) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 40), (4, 64)].into_iter().enumerate() {
        let folder = parent.path().join(n.to_string());
        let left = ["secret", "keys", "index", "commit-log"].into_iter().take(parts);
        for (name, bytes) in all.iter().filter(|(name, _)| left.clone().any(|part| name.starts_with(part))) {
            fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            fs::write(folder.join(name), if name == commit_log { &[0; 64][..length] } else { bytes }).unwrap();
        }
        for _ in 0..2 {
            let store = open(&folder);
            let _ = store.accounts().create(account(1)).await;
            assert_eq!(store.accounts().by_id(account_id(1)).await.unwrap(), Some(account(1)), "{n}");
            store.close().await.unwrap();
        }
    }
}
