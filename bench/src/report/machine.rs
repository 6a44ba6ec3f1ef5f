//! Where a run took place: without it the numbers say nothing.

use std::fs;
use std::path::Path;

use rustix::fs::statfs;
use serde::Serialize;

/// A machine, and how busy it was with other things.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Machine {
    cores: usize,
    cpu: String,
    memory_mib: usize,
    kernel: String,
    /// Of the minute before the run. Others who work here make it slower.
    load_before: f64,
}

impl Machine {
    pub(super) fn describe() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        // Its first line that begins like this.
        let of = |text: String, name: &str| {
            let found = text.lines().find_map(|line| line.strip_prefix(name)?.split_once(':'));
            found.map_or_else(|| "unknown".to_owned(), |(_, value)| value.trim().to_owned())
        };
        let kib = of(read("/proc/meminfo"), "MemTotal").trim_end_matches(" kB").parse().unwrap_or(0);
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: of(read("/proc/cpuinfo"), "model name"),
            memory_mib: kib / 1024,
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            load_before: read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0),
        }
    }

    /// Whether others take part of what is measured.
    pub(super) fn is_busy(&self) -> bool {
        self.load_before > self.cores as f64 / 4.0
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let Self { cores, cpu, kernel, load_before, .. } = self;
        format!("{cores} × {cpu}, kernel {kernel}, load before {load_before:.2}")
    }
}

/// Whether a folder is in memory: there a sync costs nothing and means
/// nothing.
pub(crate) fn is_in_memory(folder: &Path) -> bool {
    /// The kernel's numbers of `tmpfs` and `ramfs`.
    const IN_MEMORY: [i64; 2] = [0x0102_1994, 0x8584_58f6];
    statfs(folder).is_ok_and(|about| IN_MEMORY.contains(&about.f_type))
}
