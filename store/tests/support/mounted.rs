//! A small disk that a test mounts. Most machines allow only root to mount.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

/// Runs a program, and tries again for a second: two tests may want the same loop device at once.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let mut why = String::new();
    for _ in 0..20 {
        let done = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let done = done.map_err(|error| format!("{program}: {error}"))?;
        if done.status.success() {
            return Ok(());
        }
        why = format!("{program}: {}", String::from_utf8_lossy(&done.stderr).trim());
        sleep(Duration::from_millis(50));
    }
    Err(why)
}

/// A disk that stays mounted until it is dropped.
pub(crate) struct Disk(TempDir);

impl Disk {
    /// A disk in memory, or a file system in an image. The file system does not tell the device
    /// which blocks are free, because many devices ignore it. `None` where the test may not mount.
    pub(crate) fn of(kind: &str, mib: u64) -> Option<Self> {
        Self::within(&std::env::temp_dir(), kind, mib)
    }

    /// A disk whose image is in this folder.
    pub(crate) fn within(folder: &Path, kind: &str, mib: u64) -> Option<Self> {
        let this = Self(tempfile::tempdir_in(folder).unwrap());
        let (image, at) = (this.image(), this.at());
        fs::create_dir(&at).unwrap();
        let (from, at) = (image.display().to_string(), at.display().to_string());
        let mounted = match kind {
            "tmpfs" => run("mount", &["-t", "tmpfs", "-o", &format!("size={mib}m"), "tmpfs", &at]),
            _ => {
                File::create(&image).unwrap().set_len(mib << 20).unwrap();
                // Tests run as root can also fill the blocks reserved for root.
                let flags: &[_] = if kind == "ext4" { &["-q", "-m", "0", &from] } else { &["-q", &from] };
                run(&format!("mkfs.{kind}"), flags).and_then(|()| this.mount())
            }
        };
        match mounted {
            Ok(()) => Some(this),
            Err(why) => {
                println!("this machine mounts no {kind}, and the test looks at nothing: {why}");
                None
            }
        }
    }

    pub(crate) fn at(&self) -> PathBuf {
        self.0.path().join("mounted")
    }

    pub(crate) fn image(&self) -> PathBuf {
        self.0.path().join("image")
    }

    fn mount(&self) -> Result<(), String> {
        run("mount", &["-o", "loop,nodiscard", &self.image().display().to_string(), &self.at().display().to_string()])
    }

    pub(crate) fn unmount(&self) {
        run("umount", &[&self.at().display().to_string()]).unwrap();
    }

    /// Copies all that the device has at this moment. The image must be on btrfs.
    pub(crate) fn snapshot(&self) {
        let image = self.image().display().to_string();
        run("cp", &["--reflink=always", &image, &format!("{image}.snapshot")]).unwrap();
    }

    /// Mounts the snapshot, as after a power cut at that moment.
    pub(crate) fn go_back(&self) {
        self.unmount();
        fs::rename(self.image().with_extension("snapshot"), self.image()).unwrap();
        self.mount().unwrap();
    }

    /// Writes everything out, so that the file system does not merge changes of several steps.
    pub(crate) fn settle(&self) {
        run("sync", &["-f", &self.at().display().to_string()]).unwrap();
    }

    /// Changes one byte near `bytes` on the device. `None` unless `bytes` stand there once.
    pub(crate) fn spoil(&self, bytes: &[u8]) -> Option<()> {
        let image = self.image();
        File::open(self.at()).unwrap().sync_all().unwrap();
        self.unmount();
        let mut raw = fs::read(&image).unwrap();
        let found: Vec<_> = (0..raw.len()).step_by(bytes.len()).filter(|at| raw[*at..].starts_with(bytes)).collect();
        if let [only] = found[..] {
            raw[only + 100] ^= 1;
            fs::write(&image, raw).unwrap();
        }
        self.mount().unwrap();
        (found.len() == 1).then_some(())
    }

    /// Fills the disk, except for `but` bytes, with the file that is returned.
    pub(crate) fn fill(&self, but: u64) -> PathBuf {
        let (left, filler) = (self.at().join("left"), self.at().join("filler"));
        fs::write(&left, vec![1; but as usize]).unwrap();
        let mut file = File::create(&filler).unwrap();
        // Some file systems find more room after a write.
        for piece in [1 << 20, 4096, 4096] {
            while file.write_all(&vec![1; piece]).is_ok() {}
            let _ = file.sync_all();
        }
        fs::remove_file(left).unwrap();
        File::open(self.at()).unwrap().sync_all().unwrap();
        filler
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = run("umount", &["-l", &self.at().display().to_string()]);
    }
}

/// How many bytes of the disk a file takes.
pub(crate) fn allocated(file: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).map_or(0, |about| about.blocks() * 512)
}
