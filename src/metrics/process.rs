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
    if let Some(bytes) = resident() {
        all.register_with_unit("resident_memory", "Memory that this process has in use", Unit::Bytes, number(bytes));
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        all.register("open_fds", "Open file descriptors", number(open.count() as u64));
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        all.register("max_fds", "File descriptors that this process may have", number(most));
    }
}

/// The second number is of pages in memory.
fn resident() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
