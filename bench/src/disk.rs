//! What the disk does alone: 4 KiB appended and synced, one after the other.
//! A server that acknowledges nothing before it is on disk, and syncs for
//! each acknowledgement, can't be faster than that.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use serde::Serialize;
use tokio::task::spawn_blocking;

use crate::args;
use crate::clock;
use crate::latency::{Latencies, Summary};
use crate::machine::filesystem_of;
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::temporary;
use crate::trouble::{Finding, Trouble};

/// What most filesystems write at once.
const BLOCK: usize = 4096;

/// One kind of sync.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Syncs {
    pub(crate) kind: &'static str,
    pub(crate) per_second: f64,
    /// Microseconds for one append with its sync.
    pub(crate) latency: Summary,
}

impl Syncs {
    /// How many a second if all were like the fastest tenth: what the disk
    /// does when nobody else keeps it, or the processors, busy.
    pub(crate) fn undisturbed_per_second(&self) -> f64 {
        1e6 / self.latency.p10.max(1) as f64
    }
}

/// What a folder's disk does.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Floor {
    pub(crate) filesystem: Option<String>,
    pub(crate) fdatasync: Syncs,
    pub(crate) fsync: Syncs,
}

impl Floor {
    /// Measures the disk that `folder` is on, until somebody ends it. Nothing
    /// stays there.
    pub(crate) async fn measure(folder: &Path, each: Duration, stop: &Stop) -> Result<Self, Trouble> {
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        let own = temporary(Some(folder))?;
        let file = own.path().join("appended");
        let shown = folder.display().to_string();
        let mut work = spawn_blocking(move || {
            let fdatasync = syncs("fdatasync", &file, each, &is_over, File::sync_data)?;
            Ok((fdatasync, syncs("fsync", &file, each, &is_over, File::sync_all)?))
        });
        let failed = |error: &dyn std::fmt::Display| Trouble::because(format!("can't write in {shown}: {error}"));
        let measured = tokio::select! {
            done = &mut work => done,
            () = stop.asked() => {
                ends.store(true, Relaxed);
                work.await
            }
        };
        let measured = measured.map_err(|error| failed(&error))?;
        let (fdatasync, fsync) = measured.map_err(|error: io::Error| failed(&error))?;
        Ok(Self { filesystem: filesystem_of(folder), fdatasync, fsync })
    }
}

/// A warning where syncs mean nothing.
pub(crate) fn doubts(filesystem: Option<&str>) -> Option<&'static str> {
    matches!(filesystem, Some("tmpfs" | "ramfs"))
        .then_some("Careful: on this filesystem a sync reaches no disk; name another folder with --dir.")
}

fn syncs(
    kind: &'static str,
    path: &Path,
    length: Duration,
    is_over: &AtomicBool,
    sync: fn(&File) -> io::Result<()>,
) -> io::Result<Syncs> {
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path)?;
    let block = [0x5a; BLOCK];
    let mut latencies = Latencies::new();
    let begun = clock::now();
    while begun.elapsed() < length && !is_over.load(Relaxed) {
        let before = clock::now();
        file.write_all(&block)?;
        sync(&file)?;
        latencies.record(before.elapsed());
    }
    let latency = latencies.summary();
    Ok(Syncs { kind, per_second: latency.count as f64 / begun.elapsed().as_secs_f64(), latency })
}

/// Runs `annon-bench disk`.
pub(crate) async fn run(args: &args::Disk, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let floor = Floor::measure(&args.dir, args.seconds, stop).await?;
    let on = floor.filesystem.as_deref().unwrap_or("a filesystem of unknown kind");
    report.say(&format!("4 KiB appended and synced, alone, in {} ({on})\n", args.dir.display()));
    let table = Table(&["sync", "a second", "p50 ms", "p99 ms", "p99.9 ms", "max ms"]);
    report.say(&table.head());
    for syncs in [&floor.fdatasync, &floor.fsync] {
        let latency = &syncs.latency;
        let times = [latency.p50, latency.p99, latency.p99_9, latency.max].map(|micros| latency.shown(micros));
        let first = [syncs.kind.to_owned(), cell(Some(syncs.per_second), 0)];
        report.say(&table.row(&[first.as_slice(), &times].concat()));
    }
    if let Some(doubts) = doubts(floor.filesystem.as_deref()) {
        report.say(doubts);
    }
    report.set("folder", args.dir.display().to_string());
    report.set("disk", floor);
    if stop.is_asked() { Err(Trouble::Interrupted) } else { Ok(Finding::Right) }
}
