//! Lists the files, and checks that they belong together. The catalog is what the commit log
//! has now.

use std::{fs, io};

use super::Place;
use super::damage::{Damage, Damaged, refuse};
use super::disk::{Disk, LogFile};
use super::format::{Footer, HEADER_LEN, Head, Header, TRAILER_LEN, Trailer, VERSION};
use super::frame::RoomHead;
use super::frames::Listed;
use super::opening::Found;
use crate::files::if_there;

impl Found {
    /// Reads the headers and trailers of all files. Returns the newest whole
    /// footer, and how many files there are up to it.
    pub(super) fn list(&mut self, disk: &Disk) -> io::Result<Option<(usize, Footer)>> {
        let numbers = numbers(disk)?;
        let mut trailers = Vec::new();
        for &number in &numbers {
            let is_newest = numbers.last() == Some(&number);
            let before = trailers.last().copied().flatten();
            let trailer = disk.open(number).and_then(|file| self.add(disk, &file, before, is_newest));
            trailers.push(trailer.map_err(|why| refuse(&disk.path(number), why))?);
        }
        // The newest files may have no footer: all of their frames are read. In
        // older files only the trailer is checked.
        let footer = |at: usize| Some((at + 1, disk.open(numbers[at]).ok()?.footer(trailers[at]?)?));
        let newest = (0..numbers.len()).rev().find_map(footer);
        let closed = newest.as_ref().map_or(0, |(closed, _)| *closed);
        for at in (0..closed).rev().filter(|&at| trailers[at].is_none()) {
            let path = disk.path(numbers[at]);
            let length = disk.open(numbers[at]).and_then(|file| file.len()).map_err(|why| refuse(&path, why))?;
            self.damage.push(Damage::new(path, length.saturating_sub(TRAILER_LEN)..length, Damaged::Footer));
        }
        Ok(newest)
    }

    /// Reads the header and the trailer of a file, and checks that the file goes on
    /// where the file before ends. `before` is the trailer of that file.
    fn add(
        &mut self,
        disk: &Disk,
        file: &LogFile,
        before: Option<Trailer>,
        is_newest: bool,
    ) -> io::Result<Option<Trailer>> {
        let number = file.number;
        // A sector that can't be read counts as a bad header.
        let header = file.read(0, HEADER_LEN).unwrap_or_default();
        let mut first_commit = match Header::decode(&header) {
            Some(Header { version, .. }) if version != VERSION => {
                let why = format!("the file was written by a newer annon (version {version})");
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
            Some(header) if header.folder != *disk.id() => {
                return Err(io::Error::other("the file belongs to another data folder"));
            }
            Some(header) if header.number != number => {
                let named = header.number;
                let why = format!("the file says that it is number {named}: somebody renamed or copied it");
                return Err(io::Error::other(why));
            }
            Some(header) => {
                self.checkpoint = self.checkpoint.max(header.checkpoint);
                Some(header.first_commit)
            }
            // The file was being made. It has no frame before its header is on disk.
            None if is_newest && file.len()? <= HEADER_LEN => return Ok(None),
            None => {
                self.damage.push(Damage::new(file.path(), 0..HEADER_LEN, Damaged::Header));
                None
            }
        };
        let is_closed = before.is_some();
        let listed = self.catalog.files.last().and_then(|file| file.first_commit);
        let before = before.map(|trailer| trailer.commit).or(listed.map(|first| first.saturating_sub(1)));
        match (before, first_commit) {
            (Some(before), Some(begins)) if begins <= before => {
                let why = format!(
                    "the file begins with commit {begins}, and the file before it goes to commit {before}: one of the \
                     two is another copy"
                );
                return Err(io::Error::other(why));
            }
            (Some(before), Some(begins)) if is_closed && begins > before + 1 => {
                let damage = Damage::new(file.path(), 0..0, Damaged::Frames);
                self.damage.push(Damage { commits: before + 1..begins, ..damage });
            }
            (Some(before), None) if is_closed => first_commit = Some(before + 1),
            _ => {}
        }
        self.catalog.files.push(Listed { number, first_commit });
        file.trailer()
    }
}

/// The numbers of the files, which must have no gap.
fn numbers(disk: &Disk) -> io::Result<Vec<u32>> {
    let refuse_folder = |error: io::Error| refuse(disk.folder(), error);
    let mut numbers = Vec::new();
    for entry in if_there(fs::read_dir(disk.folder())).map_err(refuse_folder)?.into_iter().flatten() {
        let path = entry.map_err(refuse_folder)?.path();
        if path.extension().is_none_or(|extension| extension != "log") {
            continue;
        }
        let number = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
        match number.filter(|&number| number > 0 && disk.path(number) == path) {
            Some(number) => numbers.push(number),
            None => {
                let why = "this is no name of a file of the commit log: somebody renamed or copied it";
                return Err(refuse(&path, io::Error::other(why)));
            }
        }
    }
    numbers.sort_unstable();
    match numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]) {
        Some(pair) => {
            let why = "the file is missing, though the files before and after it are there";
            Err(refuse(&disk.path(pair[0] + 1), io::Error::other(why)))
        }
        None => Ok(numbers),
    }
}

/// What is on disk. It changes only when a frame is on disk.
pub(super) struct Catalog {
    pub(super) files: Vec<Listed>,
    /// The state after the last whole commit.
    pub(super) now: Footer,
}

impl Catalog {
    /// The head of a room after a record.
    pub(super) fn head_after(&self, was: Option<Head>, record: &RoomHead, at: Place) -> Head {
        let first_file = match (was, record.before()) {
            (Some(head), _) => head.first_file,
            (None, None) => at.file,
            // The records before can't be read, and may be in any file, also in one that
            // is missing.
            (None, Some(before)) => self.files.first().map_or(at.file, |file| file.number.min(before.file)),
        };
        Head { last: at, seq: record.last(), first_file }
    }
}
