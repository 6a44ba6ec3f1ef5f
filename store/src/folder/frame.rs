//! The form of the file: a first line, frames, and a checksum of all of it.

use std::io::{self, Read, Write};

use aws_lc_rs::digest::{Context, SHA256};

const FIRST_LINE: &[u8] = b"annon export, version 1\n";
/// No record and no picture comes near this, and keys come in pieces.
const PART_MAX: u32 = 64 * 1024 * 1024;

/// One piece of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    Put(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
    Picture(String, Vec<u8>),
    Keys(Vec<u8>),
    Secret(Vec<u8>),
}

pub(crate) struct FrameWriter<W> {
    out: W,
    checksum: Context,
}

impl<W: Write> FrameWriter<W> {
    pub(crate) fn begin(out: W) -> io::Result<Self> {
        let mut this = Self { out, checksum: Context::new(&SHA256) };
        this.put(FIRST_LINE)?;
        Ok(this)
    }

    pub(crate) fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let (kind, name, body): (u8, &[u8], &[u8]) = match frame {
            Frame::Put(key, value) => (b'+', key, value),
            Frame::Remove(key) => (b'-', key, &[]),
            Frame::Picture(name, bytes) => (b'p', name.as_bytes(), bytes),
            Frame::Keys(bytes) => (b'k', &[], bytes),
            Frame::Secret(bytes) => (b's', &[], bytes),
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

    /// Ends the file. Without this it is not whole.
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

/// Reads frames up to the end, whose checksum it compares.
pub(crate) struct FrameReader<R> {
    from: R,
    checksum: Option<Context>,
}

impl<R: Read> FrameReader<R> {
    pub(crate) fn begin(from: R) -> io::Result<Self> {
        let mut this = Self { from, checksum: Some(Context::new(&SHA256)) };
        if this.part(FIRST_LINE.len())? == FIRST_LINE { Ok(this) } else { Err(bad("it does not begin like one")) }
    }

    fn frame(&mut self) -> io::Result<Option<Frame>> {
        let kind = self.part(1)?[0];
        if kind == b'.' {
            let sum = self.checksum.take().map(Context::finish);
            let mut written = [0; 32];
            self.from.read_exact(&mut written).map_err(cut_short)?;
            if sum.is_none_or(|sum| *sum.as_ref() != written) {
                return Err(bad("its checksum is wrong"));
            }
            return if self.from.read(&mut [0])? == 0 { Ok(None) } else { Err(bad("something follows its end")) };
        }
        let (name, body) = (self.length()?, self.length()?);
        let (name, body) = (self.part(name)?, self.part(body)?);
        Ok(Some(match kind {
            b'+' => Frame::Put(name, body),
            b'-' => Frame::Remove(name),
            b'p' => Frame::Picture(String::from_utf8(name).map_err(|_| bad("a picture has an odd name"))?, body),
            b'k' => Frame::Keys(body),
            b's' => Frame::Secret(body),
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

impl<R: Read> Iterator for FrameReader<R> {
    type Item = io::Result<Frame>;

    fn next(&mut self) -> Option<io::Result<Frame>> {
        self.checksum.as_ref()?;
        let frame = self.frame().transpose();
        if !matches!(frame, Some(Ok(_))) {
            self.checksum = None;
        }
        frame
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

    fn sample() -> (Vec<Frame>, Vec<u8>) {
        let frames = vec![
            Frame::Secret(vec![1; 32]),
            Frame::Put(b"key".to_vec(), b"value".to_vec()),
            Frame::Remove(b"key".to_vec()),
            Frame::Picture("a/b.jpg".into(), vec![2; 100]),
            Frame::Keys(vec![3; 64]),
        ];
        let mut bytes = Vec::new();
        let mut writer = FrameWriter::begin(&mut bytes).unwrap();
        frames.iter().for_each(|frame| writer.write(frame).unwrap());
        writer.end().unwrap();
        (frames, bytes)
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<Frame>> {
        FrameReader::begin(bytes)?.collect()
    }

    #[test]
    fn a_file_written_long_ago_is_read_and_would_be_written_alike_today() {
        let (frames, today) = sample();
        let committed = committed("export", || today.clone());
        assert!(committed == today);
        assert_eq!(read(&committed).unwrap(), frames);
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
