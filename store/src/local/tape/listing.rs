//! Which files there are, and whether they belong together.

use std::fs;
use std::io;

use super::damage::{Damage, Damaged, refuse};
use super::disk::{Disk, TapeFile};
use super::found::Found;
use super::frames::Listed;
use super::header::{HEADER_LEN, Header, VERSION};
use super::heads::{Footer, TRAILER_LEN, Trailer};
use crate::folder::if_there;

impl Found {
    /// Looks at what stands at the beginnings and ends of the files. The newest
    /// footer that is whole, and how many files it ends.
    pub(super) fn list(&mut self, disk: &Disk) -> Result<Option<(usize, Footer)>, String> {
        let numbers = numbers(disk)?;
        let mut trailers = Vec::new();
        for &number in &numbers {
            let is_newest = numbers.last() == Some(&number);
            let trailer = disk.open(number).and_then(|file| self.add(disk, &file, is_newest));
            trailers.push(trailer.map_err(|why| refuse(&disk.path(number), &why))?);
        }
        self.check_order(disk, &trailers)?;
        self.find_footer(disk, &trailers)
    }

    /// Looks at one file's beginning and end.
    fn add(&mut self, disk: &Disk, file: &TapeFile, is_newest: bool) -> io::Result<Option<Trailer>> {
        let number = file.number;
        let (mut header, length) = ([0; HEADER_LEN], file.len()?);
        // A sector that can't be read is damage like any other.
        let there = file.read_at(&mut header, 0).unwrap_or(0);
        let first_group = match Header::decode(&header[..there]) {
            Some(Header { version, .. }) if version != VERSION => {
                let why = format!("the file was written by a newer annon (version {version})");
                return Err(io::Error::other(why));
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
                Some(header.first_group)
            }
            // It was being made: a frame comes only after the header.
            None if is_newest && length <= HEADER_LEN => return Ok(None),
            None => {
                self.damage.push(Damage::new(file.path(), 0..HEADER_LEN, Damaged::Header));
                None
            }
        };
        self.catalog.files.push(Listed { number, first_group });
        file.trailer()
    }

    /// Whether each file goes on where the one before it ends.
    fn check_order(&mut self, disk: &Disk, trailers: &[Option<Trailer>]) -> Result<(), String> {
        for at in 1..self.catalog.files.len() {
            let (before, file) = (self.catalog.files[at - 1], self.catalog.files[at]);
            let before = match trailers[at - 1] {
                Some(trailer) => Some(trailer.group),
                None => before.first_group.map(|first| first.saturating_sub(1)),
            };
            match (before, file.first_group) {
                (Some(before), Some(begins)) if begins <= before => {
                    let why = format!(
                        "the file begins with commit {begins}, and the file before it goes to commit {before}: one of \
                         the two is another copy"
                    );
                    return Err(refuse(&disk.path(file.number), &io::Error::other(why)));
                }
                (Some(before), Some(begins)) if trailers[at - 1].is_some() && begins > before + 1 => {
                    let damage = Damage::new(disk.path(file.number), 0..0, Damaged::Frames);
                    self.damage.push(Damage { groups: before + 1..begins, ..damage });
                }
                (Some(before), None) if trailers[at - 1].is_some() => {
                    self.catalog.files[at].first_group = Some(before + 1)
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Looks for the newest footer. Those before it need only a whole trailer.
    fn find_footer(&mut self, disk: &Disk, trailers: &[Option<Trailer>]) -> Result<Option<(usize, Footer)>, String> {
        let mut newest = None;
        for (at, file) in self.catalog.files.iter().enumerate().rev() {
            let footer = match trailers[at] {
                Some(trailer) if newest.is_none() => disk.open(file.number).ok().and_then(|file| file.footer(trailer)),
                Some(_) => continue,
                None => None,
            };
            // A missing or bad footer in the newest files is no news: these
            // files are read whole.
            match footer {
                Some(footer) => newest = Some((at + 1, footer)),
                None if newest.is_some() => {
                    let path = disk.path(file.number);
                    let length = disk.open(file.number).and_then(|file| file.len());
                    let length = length.map_err(|error| refuse(&path, &error))?;
                    let at = length.saturating_sub(TRAILER_LEN)..length;
                    self.damage.push(Damage::new(path, at, Damaged::Footer));
                }
                None => {}
            }
        }
        Ok(newest)
    }
}

/// The numbers of the files, which must have no gap.
fn numbers(disk: &Disk) -> Result<Vec<u32>, String> {
    let refuse_folder = |error: io::Error| refuse(disk.folder(), &error);
    let mut numbers = Vec::new();
    for entry in if_there(fs::read_dir(disk.folder())).map_err(refuse_folder)?.into_iter().flatten() {
        let path = entry.map_err(refuse_folder)?.path();
        if path.extension().is_none_or(|extension| extension != "tape") {
            continue;
        }
        let number = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
        match number.filter(|&number| number > 0 && disk.path(number) == path) {
            Some(number) => numbers.push(number),
            None => {
                let why = "this is no name of a file of the tape: somebody renamed or copied it";
                return Err(refuse(&path, &io::Error::other(why)));
            }
        }
    }
    numbers.sort_unstable();
    match numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]) {
        Some(pair) => {
            let why = "the file is missing, though the files before and after it are there";
            Err(refuse(&disk.path(pair[0] + 1), &io::Error::other(why)))
        }
        None => Ok(numbers),
    }
}
