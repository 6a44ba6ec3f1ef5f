//! The processor time (in user mode and in the kernel) and the memory of a process. `None` if the
//! system does not show it.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// Processor time that a process has used up to now.
pub(crate) fn cpu_of(pid: u32) -> Option<Duration> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?, rustix::param::clock_ticks_per_second())
}

fn parse(stat: &str, ticks_per_second: u64) -> Option<Duration> {
    // The process's name, in brackets, may contain anything.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let kernel: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_secs_f64((user + kernel) as f64 / ticks_per_second as f64))
}

/// Memory of a process that is in use now, in bytes.
pub(crate) fn memory_of(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Processor time of the server and of this program, up to now or in between.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Cost {
    pub(crate) server: Option<Duration>,
    pub(crate) own: Option<Duration>,
}

impl Cost {
    pub(crate) fn now(server: Option<u32>) -> Self {
        Self { server: server.and_then(cpu_of), own: cpu_of(std::process::id()) }
    }

    pub(crate) fn since(self, earlier: Self) -> Self {
        let used = |now: Option<Duration>, before: Option<Duration>| now?.checked_sub(before?);
        Self { server: used(self.server, earlier.server), own: used(self.own, earlier.own) }
    }
}

/// Microseconds for each of `count` things, or seconds for a million of them.
pub(crate) fn each(used: Option<Duration>, count: u64) -> Option<f64> {
    used.filter(|_| count > 0).map(|used| used.as_secs_f64() * 1e6 / count as f64)
}

/// Processor time of each thread of a process, in nanoseconds: [`cpu_of`] is exact to hundredths of
/// a second only.
pub(crate) struct Threads(BTreeMap<String, u64>);

impl Threads {
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.filter_map(|thread| {
            let thread = thread.ok()?;
            // The thread may just have ended.
            let schedstat = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let nanos = schedstat.split_ascii_whitespace().next()?.parse().ok()?;
            Some((thread.file_name().to_string_lossy().into_owned(), nanos))
        });
        Some(Self(threads.collect()))
    }

    /// The time that all threads which still run have used since `earlier`.
    pub(crate) fn since(&self, earlier: &Self) -> Duration {
        let used = |(thread, now): (&String, &u64)| now.saturating_sub(earlier.0.get(thread).copied().unwrap_or(0));
        Duration::from_nanos(self.0.iter().map(used).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_has_used_is_read_whatever_it_is_called() {
        let stat = "7 (a) b ( c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 4 0 100 0 0";
        assert_eq!(parse(stat, 100), Some(Duration::from_secs(3)));
        assert_eq!((parse("7 (a) S 1", 100), parse("", 100)), (None, None));
        let threads = |nanos: &[(&str, u64)]| Threads(nanos.iter().map(|(id, n)| ((*id).to_owned(), *n)).collect());
        let (before, after) = (threads(&[("1", 100), ("2", 900)]), threads(&[("1", 150), ("3", 7)]));
        assert_eq!(after.since(&before), Duration::from_nanos(57), "one has ended, one has begun");
        assert!(memory_of(std::process::id()).unwrap() > 100_000);
    }
}
