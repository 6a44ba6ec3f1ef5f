//! The first writing of a start: what was left half done is done, a new file
//! is begun, and the old one is closed.
//!
//! In this order: targets of redactions are whole; then the new file says by
//! its first group which frames before it are whole; only then bodies are
//! wiped, and footers written.

use std::io;

use super::Tape;
use super::disk::TapeFile;
use super::found::Found;
use super::frames::FileEnd;
use super::growing::{Growing, close};
use super::heads::Footer;
use super::redaction::Wipes;

impl Found {
    /// Makes the tape ready for commits.
    pub(crate) fn begin(self, hour: u64) -> io::Result<Tape> {
        let Self { open_files, files, checkpoint, now, redactions, wipes: found, unclosed, .. } = self;
        let disk = open_files.disk().clone();
        // What is served from now on has to be on disk.
        for (file, _) in &unclosed {
            open_files.sync(file.number)?;
        }
        let mut wipes = Wipes::default();
        wipes.wipe_and_redo(&open_files, redactions)?;
        found.into_iter().for_each(|wipe| wipes.push(wipe));
        let number = files.last().map_or(1, |file| file.number + 1);
        let growing = Growing::begin(&disk, number, now.group + 1, checkpoint, hour)?;
        wipes.wipe(&open_files)?;
        for (end, footer) in unclosed {
            end.close(&disk.open(end.number)?, &footer)?;
        }
        Ok(Tape::new(open_files, files, growing, checkpoint, now))
    }
}

impl FileEnd {
    fn close(&self, file: &TapeFile, footer: &Footer) -> io::Result<()> {
        if self.is_torn {
            // A torn frame may hold words that are taken back later, and then
            // nobody must find them.
            file.write_at(&vec![0; self.length - self.at], self.at)?;
            file.sync()?;
        }
        close(file, self.at, footer)
    }
}
