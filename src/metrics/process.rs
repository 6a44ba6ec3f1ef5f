//! What the system knows of this process, under the names that Prometheus's own
//! clients have for it.

use std::fs;
use std::time::Duration;

use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use super::number;

pub(super) fn register(all: &mut Registry, started: Duration) {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let cpu = ConstCounter::new(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9);
    all.register_with_unit("cpu", "Time that processors have spent on this process", Unit::Seconds, cpu);
    let start = "When this process started, in seconds since 1970";
    all.register_with_unit("start_time", start, Unit::Seconds, ConstGauge::new(started.as_secs_f64()));
    if let Some(Memory { resident, .. }) = Memory::now() {
        all.register_with_unit("resident_memory", "Memory that this process has in use", Unit::Bytes, number(resident));
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        all.register("open_fds", "Open file descriptors", number(open.count() as u64));
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        all.register("max_fds", "File descriptors that this process may have", number(most));
    }
}

/// What of that memory is the process's own, and what only shows files, as the binary.
pub(super) fn register_memory(all: &mut Registry) {
    let Some(Memory { resident, mapped }) = Memory::now() else { return };
    let heap = "Memory in use that is this process's own: its heap and stacks";
    all.register_with_unit("memory_heap", heap, Unit::Bytes, number(resident.saturating_sub(mapped)));
    let of_files = "Memory in use that shows files, as the binary: others can have it when they need it";
    all.register_with_unit("memory_mapped", of_files, Unit::Bytes, number(mapped));
}

/// In bytes.
struct Memory {
    resident: u64,
    mapped: u64,
}

impl Memory {
    /// The second number is of pages in memory, and the third of those among them that show files.
    fn now() -> Option<Self> {
        let numbers = fs::read_to_string("/proc/self/statm").ok()?;
        let mut pages = numbers.split(' ').skip(1).map(|number| number.parse::<u64>().ok());
        let bytes = |pages: u64| pages * rustix::param::page_size() as u64;
        Some(Self { resident: bytes(pages.next()??), mapped: bytes(pages.next()??) })
    }
}
