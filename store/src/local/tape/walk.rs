//! The frames of one file, in order, also behind damage.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::bytes::Seed;
use super::disk::TapeFile;
use super::frame::{ALIGNMENT, Frame, Kind, SectionHead};
use super::header::HEADER_LEN;
use super::heads::Footer;
use super::window::{CHUNK, Window};

/// What comes next in a file.
pub(super) enum Step {
    Frame(Frame),
    Footer(u64, Footer),
    /// Nothing whole stands here, and something whole follows.
    Damage(Range<u64>),
    /// Nothing whole follows. Where that begins, and whether there are only zeros.
    End(u64, bool),
}

/// Goes through a file.
pub(super) struct Walk {
    window: Window,
    seed: Seed,
    at: u64,
}

impl Walk {
    pub(super) fn begin(file: Arc<TapeFile>) -> io::Result<Self> {
        Ok(Self { seed: file.seed(), window: Window::new(file)?, at: HEADER_LEN as u64 })
    }

    pub(super) fn file(&self) -> &TapeFile {
        &self.window.file
    }

    /// How long the file was when the walk began.
    pub(super) fn length(&self) -> u64 {
        self.window.length
    }

    pub(super) fn step(&mut self) -> io::Result<Step> {
        let at = self.at;
        if let Some(step) = self.whole_at(at)? {
            self.at = if let Step::Frame(frame) = &step { frame.end() } else { self.window.length };
            return Ok(step);
        }
        if let Some(found) = self.search(at)? {
            self.at = found;
            return Ok(Step::Damage(at..found));
        }
        Ok(Step::End(at, self.window.is_empty_from(at)?))
    }

    /// Whether anything whole stands behind a place.
    pub(super) fn goes_on_behind(&mut self, at: u64) -> io::Result<bool> {
        Ok(self.search(at)?.is_some())
    }

    /// Bytes of the file, whatever they are.
    pub(super) fn bytes(&mut self, range: &Range<u64>) -> io::Result<&[u8]> {
        self.window.at(range.start, usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX))
    }

    fn whole_at(&mut self, at: u64) -> io::Result<Option<Step>> {
        let Some(head) = SectionHead::decode(self.window.at(at, SectionHead::LEN)?) else { return Ok(None) };
        let section = self.window.at(at, head.section_len())?;
        Ok(match head.kind {
            Kind::Frame => Frame::read(at, section, &self.seed).map(Step::Frame),
            Kind::Footer => Footer::decode(section, &self.seed).map(|footer| Step::Footer(at, footer)),
        })
    }

    /// The next place where something whole stands.
    fn search(&mut self, from: u64) -> io::Result<Option<u64>> {
        let mut at = from.next_multiple_of(ALIGNMENT as u64);
        while at < self.window.length {
            let piece = self.window.at(at, CHUNK)?;
            let begins = |word: &[u8]| word.first_chunk().is_some_and(|magic| Kind::of(magic).is_some());
            let Some(word) = piece.chunks(ALIGNMENT).position(begins) else {
                at += piece.len().max(ALIGNMENT) as u64;
                continue;
            };
            at += (word * ALIGNMENT) as u64;
            if self.whole_at(at)?.is_some() {
                return Ok(Some(at));
            }
            at += ALIGNMENT as u64;
        }
        Ok(None)
    }
}
