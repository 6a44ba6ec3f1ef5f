//! The first 64 bytes of a file.
//!
//! Magic, version and checksum stay where they are in every version to come,
//! so that an older annon can say that a file is newer, and not just bad.

use super::bytes::Fields;

pub(super) const HEADER_LEN: usize = 64;
const MAGIC: &[u8; 8] = b"annontap";
const VERSION: u32 = 1;
const SUM_AT: usize = HEADER_LEN - 4;

/// What a file says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) number: u32,
    /// The id of the data folder it belongs to.
    pub(super) folder: [u8; 16],
    /// The group that its first frame has, or will have.
    pub(super) first_group: u64,
    /// The group up to which the index was on disk when the file was begun.
    pub(super) checkpoint: u64,
}

/// Why there is no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadHeader {
    NotWhole,
    Newer(u32),
}

impl Header {
    pub(super) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.number.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.folder);
        bytes[32..40].copy_from_slice(&self.first_group.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.checkpoint.to_le_bytes());
        let sum = crc32fast::hash(&bytes[..SUM_AT]);
        bytes[SUM_AT..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, BadHeader> {
        let (content, sum) = bytes.split_at_checked(SUM_AT).ok_or(BadHeader::NotWhole)?;
        let mut fields = Fields(content);
        let is_ours = fields.bytes(8) == Some(MAGIC) && Fields(sum).u32() == Some(crc32fast::hash(content));
        match fields.u32() {
            Some(VERSION) if is_ours => Self::fields(fields).ok_or(BadHeader::NotWhole),
            Some(version) if is_ours => Err(BadHeader::Newer(version)),
            _ => Err(BadHeader::NotWhole),
        }
    }

    fn fields(mut fields: Fields<'_>) -> Option<Self> {
        let (number, folder) = (fields.u32()?, fields.array()?);
        Some(Self { number, folder, first_group: fields.u64()?, checkpoint: fields.u64()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_header_is_told_from_a_damaged_one() {
        let header = Header { number: 3, folder: [7; 16], first_group: 41, checkpoint: 40 };
        let bytes = header.encode();
        assert_eq!(Header::decode(&bytes), Ok(header));
        for at in 0..HEADER_LEN {
            let mut damaged = bytes;
            damaged[at] ^= 1;
            assert_eq!(Header::decode(&damaged), Err(BadHeader::NotWhole), "{at}");
            assert_eq!(Header::decode(&bytes[..at]), Err(BadHeader::NotWhole), "{at}");
        }
        let mut newer = bytes;
        newer[8] = 2;
        let sum = crc32fast::hash(&newer[..SUM_AT]);
        newer[SUM_AT..].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Header::decode(&newer), Err(BadHeader::Newer(2)));
    }
}
