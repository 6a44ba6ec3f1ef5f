//! Which files there are, and whether they belong together.

use std::fs;
use std::io::ErrorKind;

use super::damage::{Damage, Damaged, Refusal, Why};
use super::disk::{Disk, TapeFile};
use super::frames::Listed;
use super::header::{BadHeader, HEADER_LEN, Header};
use super::heads::{Footer, TRAILER_LEN, Trailer};

/// The files of a tape, by what stands at their beginnings and ends.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<Listed>,
    /// The number for the next file.
    pub(super) next_number: u32,
    pub(super) checkpoint: u64,
    /// The newest footer that is whole, and how many files it ends.
    pub(super) footer: Option<(usize, Footer)>,
    pub(super) damage: Vec<Damage>,
}

impl Listing {
    pub(super) fn read(disk: &Disk) -> Result<Self, Refusal> {
        let numbers = numbers(disk)?;
        let mut this = Self::default();
        let mut trailers = Vec::new();
        for (at, &number) in numbers.iter().enumerate() {
            let file = disk.open(number).map_err(|error| refuse(disk, number, error.into()))?;
            let is_newest = at + 1 == numbers.len();
            let trailer = this.add(disk, &file, is_newest).map_err(|why| refuse(disk, number, why))?;
            trailers.push(trailer);
        }
        this.next_number = this.files.last().map_or(1, |file| file.number + 1);
        this.check_order(disk, &trailers)?;
        this.find_footer(disk, &trailers).map_err(|(number, why)| refuse(disk, number, why))?;
        Ok(this)
    }

    /// Looks at one file's beginning and end.
    fn add(&mut self, disk: &Disk, file: &TapeFile, is_newest: bool) -> Result<Option<Trailer>, Why> {
        let number = file.number;
        let (mut header, length) = ([0; HEADER_LEN], file.len()?);
        // A sector that can't be read is damage like any other.
        let there = file.read_at(&mut header, 0).unwrap_or(0);
        let first_group = match Header::decode(&header[..there]) {
            Ok(header) if header.folder != *disk.id() => return Err(Why::Foreign),
            Ok(header) if header.number != number => return Err(Why::Renamed(header.number)),
            Err(BadHeader::Newer(version)) => return Err(Why::Newer(version)),
            Ok(header) => {
                self.checkpoint = self.checkpoint.max(header.checkpoint);
                Some(header.first_group)
            }
            // It was being made: a frame comes only after the header.
            Err(BadHeader::NotWhole) if is_newest && length <= HEADER_LEN as u64 => return Ok(None),
            Err(BadHeader::NotWhole) => {
                let at = 0..HEADER_LEN as u64;
                let (path, what, groups) = (file.path(), Damaged::Header, 0..0);
                self.damage.push(Damage { path, at, what, groups, rooms: Vec::new() });
                None
            }
        };
        self.files.push(Listed { number, first_group });
        let mut trailer = [0; TRAILER_LEN];
        let at = length.saturating_sub(TRAILER_LEN as u64);
        let there = file.read_at(&mut trailer, at).unwrap_or(0);
        Ok(Trailer::decode(&trailer[..there], &file.seed()).filter(|trailer| u64::from(trailer.offset) < at))
    }

    /// Whether each file goes on where the one before it ends.
    fn check_order(&mut self, disk: &Disk, trailers: &[Option<Trailer>]) -> Result<(), Refusal> {
        for at in 1..self.files.len() {
            let (before, file) = (self.files[at - 1], self.files[at]);
            let before = match trailers[at - 1] {
                Some(trailer) => Some(trailer.group),
                None => before.first_group.map(|first| first.saturating_sub(1)),
            };
            match (before, file.first_group) {
                (Some(before), Some(begins)) if begins <= before => {
                    return Err(refuse(disk, file.number, Why::OutOfOrder { begins, before }));
                }
                (Some(before), Some(begins)) if trailers[at - 1].is_some() && begins > before + 1 => {
                    let (path, what, groups) = (disk.path(file.number), Damaged::Frames, before + 1..begins);
                    self.damage.push(Damage { path, at: 0..0, what, groups, rooms: Vec::new() });
                }
                (Some(before), None) if trailers[at - 1].is_some() => self.files[at].first_group = Some(before + 1),
                _ => {}
            }
        }
        Ok(())
    }

    /// Looks for the newest footer. Those before it need only a whole trailer.
    fn find_footer(&mut self, disk: &Disk, trailers: &[Option<Trailer>]) -> Result<(), (u32, Why)> {
        for (at, file) in self.files.iter().enumerate().rev() {
            let footer = match trailers[at] {
                Some(trailer) if self.footer.is_none() => footer(disk, file.number, trailer),
                Some(_) => continue,
                None => None,
            };
            // A missing or bad footer in the newest files is no news: these
            // files are read whole.
            match footer {
                Some(footer) => self.footer = Some((at + 1, footer)),
                None if self.footer.is_some() => {
                    let path = disk.path(file.number);
                    let length = fs::metadata(&path).map_err(|error| (file.number, error.into()))?.len();
                    let (at, what) = (length.saturating_sub(TRAILER_LEN as u64)..length, Damaged::Footer);
                    self.damage.push(Damage { path, at, what, groups: 0..0, rooms: Vec::new() });
                }
                None => {}
            }
        }
        Ok(())
    }
}

/// A whole footer with the group that its trailer tells.
pub(super) fn footer(disk: &Disk, number: u32, trailer: Trailer) -> Option<Footer> {
    let file = disk.open(number).ok()?;
    let offset = u64::from(trailer.offset);
    let mut section = vec![0; usize::try_from(file.len().ok()?.checked_sub(offset)?).ok()?];
    let there = file.read_at(&mut section, offset).ok()?;
    Footer::decode(&section[..there], &file.seed()).filter(|footer| footer.group == trailer.group)
}

/// The numbers of the files, which must have no gap.
fn numbers(disk: &Disk) -> Result<Vec<u32>, Refusal> {
    let refuse_folder = |error: std::io::Error| Refusal { path: disk.folder().to_owned(), why: error.into() };
    let mut numbers = Vec::new();
    let entries = match fs::read_dir(disk.folder()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(numbers),
        entries => entries.map_err(refuse_folder)?,
    };
    for entry in entries {
        let path = entry.map_err(refuse_folder)?.path();
        if path.extension().is_none_or(|extension| extension != "tape") {
            continue;
        }
        let number = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
        match number.filter(|&number| number > 0 && disk.path(number) == path) {
            Some(number) => numbers.push(number),
            None => return Err(Refusal { path, why: Why::OddName }),
        }
    }
    numbers.sort_unstable();
    match numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]) {
        Some(pair) => Err(refuse(disk, pair[0] + 1, Why::Missing)),
        None => Ok(numbers),
    }
}

fn refuse(disk: &Disk, number: u32, why: Why) -> Refusal {
    Refusal { path: disk.path(number), why }
}
