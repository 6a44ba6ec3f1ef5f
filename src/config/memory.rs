//! How much memory there is: the machine's, or what its container may take.

use std::fs;

/// In bytes; 0 if neither file tells.
pub(super) fn of_this_machine() -> usize {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    least(&read("/proc/meminfo"), &read("/sys/fs/cgroup/memory.max"))
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
}
