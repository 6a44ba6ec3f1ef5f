//! The first writing of a start: what was left half done is done, a new file
//! is begun, and the old one is closed.
//!
//! In this order: targets of redactions are whole; then the new file says by
//! its first group which frames before it are whole; only then bodies are
//! wiped, and footers written.

use std::io;

use super::disk::TapeFile;
use super::found::Found;
use super::frames::{FileEnd, Listed};
use super::growing::Growing;
use super::heads::Footer;
use super::redaction::overwrite;
use super::{Reader, Tape};

impl Found {
    /// Makes the tape ready for commits.
    pub(crate) fn begin(self, hour: u64) -> io::Result<Tape> {
        let Self { open_files, mut catalog, checkpoint, redactions, mut done, unclosed, .. } = self;
        // What is served from now on has to be on disk.
        for (file, _) in &unclosed {
            open_files.sync(file.number)?;
        }
        overwrite(&open_files, &redactions, &[])?;
        done.extend(redactions);
        let (number, first_group) = (catalog.files.last().map_or(1, |file| file.number + 1), catalog.now.group + 1);
        let growing = Growing::begin(&open_files.disk, number, first_group, checkpoint, hour)?;
        overwrite(&open_files, &[], &done)?;
        for (end, footer) in unclosed {
            end.close(&open_files.disk.open(end.number)?, &footer)?;
        }
        open_files.put(growing.file.clone());
        catalog.files.push(Listed { number, first_group: Some(first_group) });
        let reader = Reader::new(open_files, catalog);
        Ok(Tape { reader, growing, done: Vec::new(), checkpoint, is_dead: false })
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
        file.close(self.at, footer)
    }
}
