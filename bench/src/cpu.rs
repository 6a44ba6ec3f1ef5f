//! What a process uses: processor time, by itself and in the kernel, and
//! memory.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// Of the process with this id; nothing where the system doesn't tell.
pub(crate) fn used_by(pid: u32) -> Option<Duration> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?, rustix::param::clock_ticks_per_second())
}

/// Processor time of each thread of a process, to the nanosecond: what
/// [`used_by`] tells is counted in hundredths of a second.
pub(crate) struct Threads(BTreeMap<String, u64>);

impl Threads {
    /// Of the process with this id; nothing where the system doesn't tell.
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.filter_map(|thread| {
            let thread = thread.ok()?;
            // It may just have ended.
            let said = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let nanos = said.split_ascii_whitespace().next()?.parse().ok()?;
            Some((thread.file_name().to_string_lossy().into_owned(), nanos))
        });
        let threads: BTreeMap<_, _> = threads.collect();
        (!threads.is_empty()).then_some(Self(threads))
    }

    /// What all threads that still run have used since then.
    pub(crate) fn since(&self, earlier: &Self) -> Duration {
        let used = |(thread, now): (&String, &u64)| now.saturating_sub(earlier.0.get(thread).copied().unwrap_or(0));
        Duration::from_nanos(self.0.iter().map(used).sum())
    }
}

/// Of this process.
pub(crate) fn used() -> Option<Duration> {
    used_by(std::process::id())
}

/// Memory of the process that is in use now, in bytes.
pub(crate) fn memory_of(pid: u32) -> Option<u64> {
    resident(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

fn parse(stat: &str, ticks_per_second: u64) -> Option<Duration> {
    // The name before it, in brackets, can hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let kernel: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_secs_f64((user + kernel) as f64 / ticks_per_second as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_found_whatever_the_process_is_called() {
        let stat = "7 (a) b ( c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 4 0 100 0 0";
        assert_eq!(parse(stat, 100), Some(Duration::from_secs(3)));
        assert_eq!(parse("7 (a) S 1", 100), None);
        assert_eq!(parse("", 100), None);
    }

    #[test]
    fn threads_are_compared_one_by_one() {
        let threads = |nanos: &[(&str, u64)]| Threads(nanos.iter().map(|(id, n)| ((*id).to_owned(), *n)).collect());
        let (before, after) = (threads(&[("1", 100), ("2", 900)]), threads(&[("1", 150), ("3", 7)]));
        assert_eq!(after.since(&before), Duration::from_nanos(57), "one has ended, one has begun");
        assert!(Threads::of(std::process::id()).is_some());
    }

    #[test]
    fn memory_is_what_is_resident() {
        assert_eq!(resident("Name:\tx\nVmSize:\t  90 kB\nVmRSS:\t   12 kB\n"), Some(12 * 1024));
        assert_eq!(resident("Name:\tx\n"), None);
        assert!(memory_of(std::process::id()).unwrap() > 100_000);
    }
}
