//! No seq of a room that was told to somebody is given again, whatever happens to the end of the
//! commit log: a client that has seen it would never ask for the new event.
//!
//! `ANNON_TORTURE=1` (`make torture-folder`) damages every byte, otherwise some are damaged.

use std::fs;
use std::path::{Path, PathBuf};

use annon_store::Engine as _;
use annon_store::Kept;
use annon_store::room::{RoomEvent, Seq};
use tempfile::TempDir;

use crate::support::files::copy;
use crate::support::is_torture;
use crate::support::people::*;
use crate::support::population::try_open_quickly;

type Log = Vec<(Seq, RoomEvent)>;

const ROOMS: u128 = 3;

fn log_file(folder: &Path) -> PathBuf {
    folder.join("commit-log/0000000001.log")
}

fn written(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)
}

/// The folder of a process that was killed after many rooms had events, and where the frames of
/// those events begin. In the end they are in `appends`, each with its room.
async fn killed(appends: &[(u128, Vec<RoomEvent>)]) -> (TempDir, Vec<usize>, Vec<Log>) {
    let (living, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = try_open_quickly(living.path()).unwrap();
    store.accounts().create(account(1)).await.unwrap();
    for n in 1..=ROOMS {
        store.rooms().create(metadata(n, 1, NOW + 100), NOW).await.unwrap();
    }
    let (mut ends, mut frames) = (vec![0; ROOMS as usize + 1], Vec::new());
    for (n, events) in appends {
        frames.push(written(&fs::read(log_file(living.path())).unwrap()).next_multiple_of(8));
        let end = &mut ends[*n as usize];
        store.room_log().append(room(*n), Seq(*end), events.clone()).await.unwrap();
        *end += events.len() as u64;
    }
    copy(living.path(), killed.path());
    let mut logs = Vec::new();
    for n in 1..=ROOMS {
        logs.push(store.room_log().read(room(n), Seq(0)).await.unwrap());
    }
    (killed, frames, logs)
}

/// Starts a copy of the folder with this file of the commit log, and returns the rooms' logs. A new
/// event is appended to each, and is there after another start.
async fn logs_after(folder: &Path, file: &[u8]) -> Vec<Log> {
    let copied = tempfile::tempdir().unwrap();
    copy(folder, copied.path());
    fs::write(log_file(copied.path()), file).unwrap();
    let store = try_open_quickly(copied.path()).unwrap();
    let mut logs = Vec::new();
    for n in 1..=ROOMS {
        let log = store.room_log().read(room(n), Seq(0)).await.unwrap();
        let end = log.last().map_or(Seq(0), |(seq, _)| *seq);
        store.room_log().append(room(n), end, vec![came(9)]).await.unwrap();
        logs.push(log);
    }
    store.close().await.unwrap();
    let store = try_open_quickly(copied.path()).unwrap();
    for (n, log) in (1..).zip(&logs) {
        let mut all = log.clone();
        all.push((log.last().map_or(Seq(1), |(seq, _)| seq.next()), came(9)));
        assert_eq!(store.room_log().read(room(n), Seq(0)).await.unwrap(), all, "room {n}");
    }
    logs
}

/// The events of a log that are not there, and have no gap in their place.
fn missing(log: &Log, told: &Log) -> Vec<Seq> {
    let is_told = |seq: &Seq| {
        log.iter().any(|(at, event)| match event {
            RoomEvent::Lost { from } => (*from..=*at).contains(seq),
            event => at == seq && told.contains(&(*at, event.clone())),
        })
    };
    told.iter().map(|(seq, _)| *seq).filter(|seq| !is_told(seq)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gap_stands_in_the_place_of_whatever_a_damaged_byte_has_cost() {
    let said = |words: &str| vec![came(1), posted(words)];
    let appends = [(1, said("one")), (2, said("two")), (1, said("three")), (3, said("four")), (1, said("five"))];
    let (folder, frames, told) = killed(&appends).await;
    let whole = fs::read(log_file(folder.path())).unwrap();
    assert_eq!(logs_after(folder.path(), &whole).await, told, "nothing is damaged");
    let mut gaps = 0;
    for at in (frames[0]..written(&whole)).step_by(if is_torture() { 1 } else { 23 }) {
        for length in [1, 100] {
            let mut damaged = whole.clone();
            for (n, byte) in damaged[at..].iter_mut().take(length).enumerate() {
                *byte ^= 0x20 + n as u8;
            }
            for (n, (log, told)) in logs_after(folder.path(), &damaged).await.iter().zip(&told).enumerate() {
                assert_eq!(missing(log, told), [], "{length} bytes at {at}, room {}: {log:?}", n + 1);
                gaps += usize::from(log != told);
            }
        }
    }
    assert!(gaps > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_room_shows_no_gap_after_a_write_that_was_not_finished() {
    let long = || vec![posted(&"w".repeat(250)); 20];
    let (folder, frames, told) = killed(&[(1, long()), (2, long()), (1, long())]).await;
    let whole = fs::read(log_file(folder.path())).unwrap();
    let last = frames[2];
    // In the frame, and at its end.
    let sector = (last + 1000) / 512 * 512;
    for unwritten in [sector..sector + 512, sector..whole.len(), last..last.next_multiple_of(512)] {
        let mut torn = whole.clone();
        torn[unwritten].fill(0);
        let logs = logs_after(folder.path(), &torn).await;
        assert_eq!((&logs[0][..], &logs[1..]), (&told[0][..20], &told[1..]), "nobody was told of the last frame");
    }
}
