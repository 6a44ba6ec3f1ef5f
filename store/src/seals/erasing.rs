//! Whether a key that is overwritten is really gone from the disk.
//!
//! Some file systems write every change to a new place (copy on write), and keep
//! the old key until they need its space. btrfs can be told to overwrite a file in
//! place, as long as the file is empty.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{IFlags, fstatfs, ioctl_getflags, ioctl_setflags, statfs};

/// What happens to a key that is overwritten on a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasing {
    /// The key is gone.
    Holds,
    /// It is gone, unless a snapshot was taken while it was there.
    HoldsWithoutSnapshots,
    /// It is kept. The name is the file system's.
    Fails(&'static str),
    /// It depends on another machine or program. The name is the file system's.
    OutOfSight(&'static str),
    /// The file system is not known.
    Unknown,
}

impl Erasing {
    /// What the file system at a path does. The path need not exist.
    pub fn at(path: &Path) -> io::Result<Self> {
        let path = if path.is_absolute() { path.to_owned() } else { std::env::current_dir()?.join(path) };
        let there = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/"));
        Ok(Self::on(kind(statfs(there)?.f_type)))
    }

    /// From the number that a file system has in `statfs(2)`.
    fn on(kind: u32) -> Self {
        match kind {
            BTRFS => Self::HoldsWithoutSnapshots,
            // ext2 to ext4, XFS, JFS, ReiserFS, FAT, exFAT, minix.
            0xEF53 | 0x5846_5342 | 0x3153_464a | 0x5265_4973 | 0x4d44 | 0x2011_BAB0 | 0x137F | 0x138F | 0x2468
            | 0x2478 | 0x4d5a => Self::Holds,
            // Memory: tmpfs, ramfs.
            0x0102_1994 | 0x8584_58f6 => Self::Holds,
            0x2fc1_2fc1 => Self::Fails("ZFS"),
            0xca45_1a4e => Self::Fails("bcachefs"),
            0xF2F5_2010 => Self::Fails("F2FS"),
            0x3434 => Self::Fails("NILFS2"),
            0x2405_1905 => Self::Fails("UBIFS"),
            0x72b6 => Self::Fails("JFFS2"),
            0x794c_7630 => Self::OutOfSight("overlay (a container's own layer: give it a volume)"),
            0x6165_676C => Self::OutOfSight("aufs"),
            0x6969 => Self::OutOfSight("NFS"),
            0xFF53_4D42 | 0xFE53_4D42 | 0x517B => Self::OutOfSight("SMB"),
            0x6573_5546 => Self::OutOfSight("FUSE"),
            0x0102_1997 => Self::OutOfSight("9p"),
            0x00c3_6400 => Self::OutOfSight("Ceph"),
            0x5346_414F | 0x6B41_4653 => Self::OutOfSight("AFS"),
            0x0bd0_0bd0 => Self::OutOfSight("Lustre"),
            0x0116_1970 => Self::OutOfSight("GFS2"),
            0x7461_636f => Self::OutOfSight("OCFS2"),
            _ => Self::Unknown,
        }
    }

    /// Whether the file system really overwrites.
    pub fn is_sure(self) -> bool {
        matches!(self, Self::Holds | Self::HoldsWithoutSnapshots)
    }
}

impl fmt::Display for Erasing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MEANS: &str = "what people delete can still be read by anyone who gets the device. Put the data folder on \
                             ext4, XFS or btrfs";
        match self {
            Self::Holds => f.write_str("destroyed keys are overwritten in place"),
            Self::HoldsWithoutSnapshots => f.write_str(
                "destroyed keys are overwritten in place (btrfs, a file without copy on write); a snapshot keeps the \
                 keys that were there when it was taken",
            ),
            Self::Fails(name) => write!(
                f,
                "DELETED IS NOT GONE HERE: {name} writes every change to a new place and keeps the old one, destroyed \
                 keys included, so {MEANS}"
            ),
            Self::OutOfSight(name) => write!(
                f,
                "DELETED MAY NOT BE GONE HERE: the data folder is on {name}, and it is not known whether a destroyed \
                 key is overwritten. If it isn't, {MEANS}"
            ),
            Self::Unknown => write!(
                f,
                "DELETED MAY NOT BE GONE HERE: it is not known whether this file system overwrites a destroyed key. \
                 If it doesn't, {MEANS}"
            ),
        }
    }
}

const BTRFS: u32 = 0x9123_683E;

/// The numbers have 32 bits, and some platforms extend their sign.
fn kind(f_type: impl Into<i128>) -> u32 {
    f_type.into() as u32
}

/// Makes btrfs overwrite this file in place. The file must be empty.
pub(crate) fn keep_in_place(empty: &File) -> io::Result<()> {
    if kind(fstatfs(empty)?.f_type) != BTRFS {
        return Ok(());
    }
    // A file can't have both flags, and may have got the first from its folder.
    let flags = ioctl_getflags(empty)?.difference(IFlags::COMPRESSED);
    ioctl_setflags(empty, flags | IFlags::NOCOW).map_err(|error| {
        io::Error::other(format!("btrfs does not let it be overwritten in place (chattr +C): {error}"))
    })
}

/// Whether a file is not overwritten in place, but a new one could be.
pub(crate) fn can_be_kept_in_place(file: &File) -> io::Result<bool> {
    Ok(kind(fstatfs(file)?.f_type) == BTRFS && !ioctl_getflags(file)?.contains(IFlags::NOCOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_where_deleted_is_not_gone() {
        for (kind, sure, says) in [
            (0xEF53, true, "in place"),
            (BTRFS, true, "a snapshot keeps"),
            (0x2fc1_2fc1, false, "DELETED IS NOT GONE HERE: ZFS"),
            (0xca45_1a4e, false, "DELETED IS NOT GONE HERE: bcachefs"),
            (0x794c_7630, false, "give it a volume"),
            (0x6969, false, "on NFS"),
            (0xFF53_4D42, false, "on SMB"),
            (0x6573_5546, false, "on FUSE"),
            (1, false, "whether this file system"),
        ] {
            let erasing = Erasing::on(kind);
            assert_eq!(erasing.is_sure(), sure, "{erasing}");
            assert!(erasing.to_string().contains(says), "{erasing}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_asked_about_where_it_will_be() {
        let parent = tempfile::tempdir().unwrap();
        let here = Erasing::at(parent.path()).unwrap();
        assert_eq!(Erasing::at(&parent.path().join("not/there")).unwrap(), here);
        assert!(Erasing::at(Path::new("not-there-either")).is_ok());
    }
}
