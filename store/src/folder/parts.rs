//! The format of exports and backups: a first line, parts, and a checksum of all.

use std::io::{self, Read, Write};

use aws_lc_rs::digest::{Context, SHA256};

const FIRST_LINE: &[u8] = b"annon export, version 1\n";
/// Every later version must begin so, too.
const BEFORE_VERSION: &str = "annon export, version ";
/// The longest part. Records and pictures are much shorter, and keys come in
/// several parts.
const PART_MAX: u32 = 64 * 1024 * 1024;

/// One part of an export or a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Put(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
    Picture(String, Vec<u8>),
    Keys(Vec<u8>),
    Secret(Vec<u8>),
}

pub(crate) struct PartWriter<W> {
    out: W,
    checksum: Context,
}

impl<W: Write> PartWriter<W> {
    pub(crate) fn begin(out: W) -> io::Result<Self> {
        let mut this = Self { out, checksum: Context::new(&SHA256) };
        this.put(FIRST_LINE)?;
        Ok(this)
    }

    pub(crate) fn write(&mut self, part: &Part) -> io::Result<()> {
        let (kind, name, body): (u8, &[u8], &[u8]) = match part {
            Part::Put(key, value) => (b'+', key, value),
            Part::Remove(key) => (b'-', key, &[]),
            Part::Picture(name, bytes) => (b'p', name.as_bytes(), bytes),
            Part::Keys(bytes) => (b'k', &[], bytes),
            Part::Secret(bytes) => (b's', &[], bytes),
        };
        let length = |part: &[u8]| {
            let length = u32::try_from(part.len()).ok().filter(|&length| length <= PART_MAX);
            length.map(u32::to_be_bytes).ok_or_else(|| io::Error::other("a record is too large to export"))
        };
        self.put(&[kind])?;
        self.put(&length(name)?)?;
        self.put(&length(body)?)?;
        self.put(name)?;
        self.put(body)
    }

    /// Ends the file, which is not whole without this.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.put(b".")?;
        self.out.write_all(self.checksum.finish().as_ref())?;
        self.out.flush()
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.out.write_all(bytes)
    }
}

/// Reads parts up to the end, and compares the checksum there.
pub(crate) struct PartReader<R> {
    from: R,
    checksum: Option<Context>,
}

impl<R: Read> PartReader<R> {
    pub(crate) fn begin(from: R) -> io::Result<Self> {
        let mut this = Self { from, checksum: Some(Context::new(&SHA256)) };
        let line = this.part(FIRST_LINE.len())?;
        let version =
            str::from_utf8(&line).ok().and_then(|line| line.strip_prefix(BEFORE_VERSION)?.trim().parse().ok());
        match version {
            _ if line == FIRST_LINE => Ok(this),
            Some(2_u32..) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "it was written by a newer annon, and only that one, or one that is newer yet, can read it",
            )),
            _ => Err(bad("it does not begin like one")),
        }
    }

    fn part_or_end(&mut self) -> io::Result<Option<Part>> {
        let kind = self.part(1)?[0];
        if kind == b'.' {
            let sum = self.checksum.take().map(Context::finish);
            let mut written = [0; 32];
            self.from.read_exact(&mut written).map_err(cut_short)?;
            // Fuzzing gets behind the checksum.
            if !cfg!(fuzzing) && sum.is_none_or(|sum| *sum.as_ref() != written) {
                return Err(bad("its checksum is wrong"));
            }
            return if self.from.read(&mut [0])? == 0 { Ok(None) } else { Err(bad("something follows its end")) };
        }
        let (name, body) = (self.length()?, self.length()?);
        let (name, body) = (self.part(name)?, self.part(body)?);
        Ok(Some(match kind {
            b'+' => Part::Put(name, body),
            b'-' => Part::Remove(name),
            b'p' => Part::Picture(String::from_utf8(name).map_err(|_| bad("a picture has an odd name"))?, body),
            b'k' => Part::Keys(body),
            b's' => Part::Secret(body),
            _ => return Err(bad("it has a part of an unknown kind")),
        }))
    }

    fn length(&mut self) -> io::Result<usize> {
        let bytes = self.part(4)?;
        let length = bytes.try_into().map(u32::from_be_bytes).map_err(|_| bad("it is cut short"))?;
        if length <= PART_MAX { Ok(length as usize) } else { Err(bad("a part claims an impossible length")) }
    }

    fn part(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).map_err(cut_short)?;
        if let Some(checksum) = &mut self.checksum {
            checksum.update(&bytes);
        }
        Ok(bytes)
    }
}

impl<R: Read> Iterator for PartReader<R> {
    type Item = io::Result<Part>;

    fn next(&mut self) -> Option<io::Result<Part>> {
        self.checksum.as_ref()?;
        let part = self.part_or_end().transpose();
        if !matches!(part, Some(Ok(_))) {
            self.checksum = None;
        }
        part
    }
}

fn cut_short(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof { bad("it is cut short") } else { error }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::golden::committed;

    fn sample() -> (Vec<Part>, Vec<u8>) {
        let parts = vec![
            Part::Secret(vec![1; 32]),
            Part::Put(b"key".to_vec(), b"value".to_vec()),
            Part::Remove(b"key".to_vec()),
            Part::Picture("a/b.jpg".into(), vec![2; 100]),
            Part::Keys(vec![3; 64]),
        ];
        let mut bytes = Vec::new();
        let mut writer = PartWriter::begin(&mut bytes).unwrap();
        parts.iter().for_each(|part| writer.write(part).unwrap());
        writer.end().unwrap();
        (parts, bytes)
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<Part>> {
        PartReader::begin(bytes)?.collect()
    }

    #[test]
    fn a_file_written_long_ago_is_read_and_would_be_written_alike_today() {
        let (parts, today) = sample();
        let committed = committed("export", || today.clone());
        assert!(committed == today);
        assert_eq!(read(&committed).unwrap(), parts);
    }

    #[test]
    fn no_cut_and_no_changed_byte_goes_unnoticed() {
        let (_, bytes) = sample();
        for at in 0..bytes.len() {
            assert!(read(&bytes[..at]).is_err(), "cut at {at}");
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            assert!(read(&changed).is_err(), "changed at {at}");
        }
        assert!(read(&[bytes, vec![0]].concat()).is_err(), "longer");
    }
}
