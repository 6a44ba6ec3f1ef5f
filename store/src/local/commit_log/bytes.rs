//! Fields as bytes, and the checksums of a file.

use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes of the fields in order, with numbers in little-endian; then zeros.
pub(super) fn encode<const N: usize>(fields: &impl Serialize) -> [u8; N] {
    let mut bytes = [0; N];
    let written = bincode::serialize_into(&mut bytes[..], fields);
    invariant!(written.is_ok(), "fields have as many bytes as is said");
    bytes
}

/// Reads fields and removes their bytes; `None` when there are too few bytes.
pub(super) fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    bincode::deserialize_from(bytes).ok()
}

/// The start of every checksum in a file: the folder's id and the file's number
/// are already in it. So a frame of another file or folder is found to be wrong.
pub(super) type Seed = Hasher;

pub(super) fn sum(seed: &Seed, parts: &[&[u8]]) -> u32 {
    let mut hasher = seed.clone();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}
