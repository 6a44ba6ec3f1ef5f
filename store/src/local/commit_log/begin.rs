//! The first writes of a start, in this order:
//!
//! 1. Redactions that were not finished are done.
//! 2. A new file is made. Its header has the number of its first commit, so it is
//!    known that all frames before it are whole.
//! 3. The bodies of redactions are wiped, and old files get their footers.

use std::io;

use super::disk::{Growing, LogFile};
use super::draft::overwrite;
use super::format::{Footer, Header};
use super::found::Found;
use super::frames::{FileEnd, Listed};
use super::{CommitLog, Reader};

impl Found {
    /// Makes the commit log ready for commits.
    pub(crate) fn begin(self, hour: u64) -> io::Result<CommitLog> {
        let Self { open_files, mut catalog, oldest, checkpoint, redactions, mut done, unclosed, .. } = self;
        // All that is served from now on must be on disk.
        for (file, _) in &unclosed {
            open_files.sync(file.number)?;
        }
        overwrite(&open_files, &redactions, &[])?;
        done.extend(redactions);
        let (number, first_commit) = (catalog.files.last().map_or(1, |file| file.number + 1), catalog.now.commit + 1);
        let header = Header::new(&open_files.disk, number, first_commit, checkpoint);
        let growing = Growing::begin(&open_files.disk, header, oldest, hour)?;
        overwrite(&open_files, &[], &done)?;
        for (end, footer) in unclosed {
            end.close(&open_files.disk.open(end.number)?, &footer)?;
        }
        open_files.put(growing.file.clone());
        catalog.files.push(Listed { number, first_commit: Some(first_commit) });
        let reader = Reader::new(open_files, catalog);
        Ok(CommitLog { reader, growing, oldest, done: Vec::new(), checkpoint, is_dead: false })
    }
}

impl FileEnd {
    fn close(&self, file: &LogFile, footer: &Footer) -> io::Result<()> {
        if self.is_torn {
            // A torn frame may have words that are taken back later.
            file.write_at(&vec![0; self.length - self.at], self.at)?;
            file.sync()?;
        }
        file.close(self.at, footer)
    }
}
