//! How much memory there is: the machine's, or what its container may take.

use std::fs;

/// In bytes; 0 if neither file tells.
pub(super) fn of_this_machine() -> usize {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    least(&read("/proc/meminfo"), &read("/sys/fs/cgroup/memory.max"))
}

/// How many threads do work that takes `each` bytes at once: one core is left for everything else, and
/// all of them together take at most an eighth of the memory. At least one.
pub(super) fn threads(workers: usize, memory: usize, each: usize) -> usize {
    let by_memory = if memory == 0 { usize::MAX } else { memory / 8 / each };
    workers.saturating_sub(1).min(by_memory).max(1)
}

fn least(machine: &str, container: &str) -> usize {
    let kib = machine.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB"));
    let machine = kib.and_then(|kib| kib.trim().parse::<usize>().ok()).map(|kib| kib * 1024);
    // A container without a limit says "max".
    let container = container.trim().parse().ok();
    machine.into_iter().chain(container).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_of_both_counts() {
        let machine = "MemTotal:       24 kB\nMemFree:        3 kB\n";
        assert_eq!(least(machine, "max\n"), 24 * 1024);
        assert_eq!(least(machine, "4096\n"), 4096);
        assert_eq!(least("", ""), 0);
        assert!(of_this_machine() > 0);
    }

    #[test]
    fn many_cores_with_little_memory_get_few_threads() {
        const MIB: usize = 1024 * 1024;
        // Of passwords, with 16 workers.
        for (memory, expected) in [(0, 15), (64, 1), (512, 3), (1024, 6), (4096, 15)] {
            assert_eq!(threads(16, memory * MIB, 19 * MIB), expected, "{memory} MiB");
        }
        assert_eq!([threads(1, 4096 * MIB, MIB), threads(2, 4096 * MIB, MIB)], [1, 1]);
    }
}
