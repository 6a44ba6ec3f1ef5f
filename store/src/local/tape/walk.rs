//! The frames of one file, in order, also behind damage.

use std::io;
use std::ops::Range;

use super::bytes::Seed;
use super::disk::TapeFile;
use super::frame::{ALIGNMENT, FRAME, Frame, SectionHead};
use super::header::HEADER_LEN;
use super::heads::Footer;

/// What comes next in a file.
pub(super) enum Step {
    Frame(Frame),
    Footer(usize, Footer),
    /// Nothing whole stands here, and something whole follows.
    Damage(Range<usize>),
    /// Nothing whole follows. Where that begins, and whether there are only zeros.
    End(usize, bool),
}

/// Goes through a file, as it was when the walk began.
pub(super) struct Walk {
    pub(super) file: TapeFile,
    pub(super) bytes: Vec<u8>,
    seed: Seed,
    at: usize,
}

impl Walk {
    pub(super) fn begin(file: TapeFile) -> io::Result<Self> {
        Ok(Self { bytes: file.read_all()?, seed: file.seed(), file, at: HEADER_LEN })
    }

    pub(super) fn step(&mut self) -> Step {
        let at = self.at;
        if let Some(step) = self.whole_at(at) {
            self.at = if let Step::Frame(frame) = &step { frame.end() } else { self.bytes.len() };
            return step;
        }
        if let Some(found) = self.search(at) {
            self.at = found;
            return Step::Damage(at..found);
        }
        Step::End(at, self.bytes.iter().skip(at).all(|&byte| byte == 0))
    }

    fn whole_at(&self, at: usize) -> Option<Step> {
        let section = self.bytes.get(at..)?;
        match SectionHead::decode(section)?.kind {
            FRAME => Frame::read(at, section, &self.seed).map(Step::Frame),
            _ => Footer::decode(section, &self.seed).map(|footer| Step::Footer(at, footer)),
        }
    }

    /// The next place where something whole stands.
    pub(super) fn search(&self, from: usize) -> Option<usize> {
        let mut places = (from.next_multiple_of(ALIGNMENT)..self.bytes.len()).step_by(ALIGNMENT);
        places.find(|&at| self.whole_at(at).is_some())
    }
}
