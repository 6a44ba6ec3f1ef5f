//! Reading a file from its beginning to its end, also where it is damaged.

use std::io;
use std::sync::Arc;

use super::disk::TapeFile;

/// How much is read at once.
pub(super) const CHUNK: usize = 256 * 1024;
/// A sector that can't be read costs no more than this.
const BLOCK: usize = 4096;
/// What stands for bytes that can't be read. Not zeros: those say that there
/// is nothing.
const UNREADABLE: u8 = 0xEE;

/// A part of a file in memory, which moves along.
pub(super) struct Window {
    pub(super) file: Arc<TapeFile>,
    pub(super) length: u64,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    pub(super) fn new(file: Arc<TapeFile>) -> io::Result<Self> {
        Ok(Self { length: file.len()?, file, start: 0, bytes: Vec::new() })
    }

    /// So many bytes, or as many as there are.
    pub(super) fn at(&mut self, at: u64, length: usize) -> io::Result<&[u8]> {
        let end = self.length.min(at.saturating_add(length as u64));
        if at < self.start || end > self.start + self.bytes.len() as u64 {
            self.fill(at, length.max(CHUNK))?;
        }
        let from = usize::try_from(at - self.start).unwrap_or(usize::MAX).min(self.bytes.len());
        let to = self.bytes.len().min(from.saturating_add(length));
        Ok(&self.bytes[from..to])
    }

    fn fill(&mut self, at: u64, length: usize) -> io::Result<()> {
        // Blocks begin where those of the disk do.
        let (at, length) = (at - at % BLOCK as u64, length + BLOCK);
        let there = usize::try_from(self.length.saturating_sub(at)).unwrap_or(usize::MAX);
        self.start = at;
        self.bytes.clear();
        self.bytes.resize(length.min(there), 0);
        if let Ok(read) = self.file.read_at(&mut self.bytes, at) {
            self.bytes.truncate(read);
            return Ok(());
        }
        for (number, block) in self.bytes.chunks_mut(BLOCK).enumerate() {
            if self.file.read_at(block, at + (number * BLOCK) as u64).is_err() {
                block.fill(UNREADABLE);
            }
        }
        Ok(())
    }

    /// Whether there is nothing but zeros from here to the end of the file.
    pub(super) fn is_empty_from(&mut self, mut at: u64) -> io::Result<bool> {
        while at < self.length {
            let piece = self.at(at, CHUNK)?;
            if piece.iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            // A file that others have cut meanwhile has no more.
            at += piece.len().max(1) as u64;
        }
        Ok(true)
    }
}
