//! Repairs one flipped bit in a small file that can't be replaced. A checksum
//! shows the damage, and the bit is found by trying each.

/// The checksum in a slot of keys and beside the secret, over several pieces.
pub(crate) fn sum(parts: &[&[u8]]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize().to_le_bytes()
}

/// Flips the one bit that makes the bytes right, and returns true. If there is no
/// such bit, nothing is changed.
pub(crate) fn put_right(bytes: &mut [u8], is_right: impl Fn(&[u8]) -> bool) -> bool {
    (0..bytes.len() * 8).any(|bit| {
        let flip = |bytes: &mut [u8]| bytes[bit / 8] ^= 1 << (bit % 8);
        flip(bytes);
        let is_found = is_right(bytes);
        if !is_found {
            flip(bytes);
        }
        is_found
    })
}

/// In how many bits two pieces differ.
pub(crate) fn distance(one: &[u8], other: &[u8]) -> u32 {
    one.iter().zip(other).map(|(a, b)| (a ^ b).count_ones()).sum()
}
