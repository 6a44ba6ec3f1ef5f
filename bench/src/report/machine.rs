//! Where a run took place: without it the numbers say nothing.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// A machine, and how busy it was with other things.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Machine {
    cores: usize,
    cpu: Option<String>,
    memory_mib: Option<u64>,
    kernel: Option<String>,
    /// Of the minute before the run. Others who work here make it slower.
    load_before: Option<f64>,
}

impl Machine {
    pub(super) fn describe() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let memory = value_of(&read("/proc/meminfo"), "MemTotal").and_then(|said| {
            let kib: u64 = said.strip_suffix("kB")?.trim().parse().ok()?;
            Some(kib / 1024)
        });
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: value_of(&read("/proc/cpuinfo"), "model name"),
            memory_mib: memory,
            kernel: Some(read("/proc/sys/kernel/osrelease").trim().to_owned()).filter(|kernel| !kernel.is_empty()),
            load_before: read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()),
        }
    }

    /// Whether others kept it so busy that it shows in what is measured.
    pub(super) fn is_busy(&self) -> bool {
        self.load_before.is_some_and(|load| load > self.cores as f64 / 4.0)
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("unknown processor");
        let load = self.load_before.map_or(String::new(), |load| format!(", load before {load:.2}"));
        let kernel = self.kernel.as_deref().unwrap_or("of unknown version");
        format!("{} × {cpu}, kernel {kernel}{load}", self.cores)
    }
}

fn value_of(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The kind of filesystem a folder is on: on a tmpfs a sync costs nothing
/// and means nothing.
pub(crate) fn filesystem_of(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    kind_of(&fs::read_to_string("/proc/self/mounts").ok()?, &folder)
}

fn kind_of(mounts: &str, folder: &Path) -> Option<String> {
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        // Spaces and the like are written in octal; nothing else matters here.
        let point = fields.next()?.replace("\\040", " ");
        folder.starts_with(&point).then_some((point.len(), fields.next()?))
    });
    // Of two on the same point the later one lies on top.
    mounts.max_by_key(|(length, _)| *length).map(|(_, kind)| kind.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_on_the_deepest_mount_above_it() {
        let mounts = "/dev/vda / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n/dev/vdb /tmp/a\\040b xfs rw 0 0\n";
        let kinds = ["/home/x", "/tmp/x", "/tmp/a b/x", "/tmpx"].map(|folder| kind_of(mounts, Path::new(folder)));
        assert_eq!(kinds.map(Option::unwrap), ["ext4", "tmpfs", "xfs", "ext4"]);
        let cpu = value_of("processor\t: 0\nmodel name\t: Some CPU: v2\n", "model name");
        assert_eq!(cpu.as_deref(), Some("Some CPU: v2"));
    }
}
