//! Where a run took place: without it the numbers say nothing.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// A machine, and how busy it was with other things.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) cpu: Option<String>,
    pub(crate) memory_mib: Option<u64>,
    pub(crate) kernel: Option<String>,
    /// Of the minute before the run. Others who work here make it slower.
    pub(crate) load_before: Option<f64>,
}

impl Machine {
    pub(crate) fn describe() -> Self {
        let read = |path: &str| fs::read_to_string(path).ok();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: read("/proc/cpuinfo").and_then(|text| value_of(&text, "model name")),
            memory_mib: read("/proc/meminfo").and_then(|text| {
                let kib: u64 = value_of(&text, "MemTotal")?.strip_suffix("kB")?.trim().parse().ok()?;
                Some(kib / 1024)
            }),
            kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
            load_before: read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
        }
    }

    /// Whether others kept it so busy that it shows in what is measured.
    pub(crate) fn is_busy(&self) -> bool {
        self.load_before.is_some_and(|load| load > self.cores as f64 / 4.0)
    }

    /// One line.
    pub(crate) fn line(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("unknown processor");
        let load = self.load_before.map_or(String::new(), |load| format!(", load before {load:.2}"));
        let kernel = self.kernel.as_deref().unwrap_or("of unknown version");
        format!("{} × {cpu}, kernel {kernel}{load}", self.cores)
    }
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

fn value_of(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_on_the_deepest_mount_above_it() {
        let mounts = "/dev/vda / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n/dev/vdb /tmp/a\\040b xfs rw 0 0\n";
        assert_eq!(kind_of(mounts, Path::new("/home/x")).as_deref(), Some("ext4"));
        assert_eq!(kind_of(mounts, Path::new("/tmp/x")).as_deref(), Some("tmpfs"));
        assert_eq!(kind_of(mounts, Path::new("/tmp/a b/x")).as_deref(), Some("xfs"));
        assert_eq!(kind_of(mounts, Path::new("/tmpx")).as_deref(), Some("ext4"));
    }

    #[test]
    fn values_are_found_by_name() {
        assert_eq!(
            value_of("processor\t: 0\nmodel name\t: Some CPU: v2\n", "model name").as_deref(),
            Some("Some CPU: v2")
        );
    }
}
