//! Fields in bytes, and the checksums of a file.

use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Fields one behind the other, numbers little-endian; then zeros.
pub(super) fn encode<const N: usize>(fields: &impl Serialize) -> [u8; N] {
    let mut bytes = [0; N];
    let written = bincode::serialize_into(&mut bytes[..], fields);
    invariant!(written.is_ok(), "fields have as many bytes as is said");
    bytes
}

/// Takes such fields off the front; `None` where there are too few bytes.
pub(super) fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    bincode::deserialize_from(bytes).ok()
}

/// What every checksum in a file starts from: the folder's id and the file's
/// number. It makes what belongs to another file or another folder as wrong as
/// what is damaged.
pub(super) type Seed = Hasher;

pub(super) fn sum(seed: &Seed, parts: &[&[u8]]) -> u32 {
    let mut hasher = seed.clone();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}
