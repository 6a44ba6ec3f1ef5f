//! Repairs a flipped bit in a small file that nothing can replace. A checksum
//! shows the damage, and the bit is found by trying each.

/// The checksum that stands beside a slot of keys, the secret and the mark.
pub(crate) fn sum(bytes: &[u8]) -> [u8; 4] {
    sum_of_parts(&[bytes])
}

/// The checksum of several pieces, as of one.
pub(crate) fn sum_of_parts(parts: &[&[u8]]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize().to_le_bytes()
}

/// Flips the one bit that makes the bytes right. Nothing is changed, and the
/// answer is no, where there is no such bit or more than one.
pub(crate) fn put_right(bytes: &mut [u8], is_right: impl Fn(&[u8]) -> bool) -> bool {
    let mut found = None;
    for bit in 0..bytes.len() * 8 {
        flip(bytes, bit);
        if is_right(bytes) && found.replace(bit).is_some() {
            flip(bytes, bit);
            return false;
        }
        flip(bytes, bit);
    }
    found.inspect(|&bit| flip(bytes, bit)).is_some()
}

/// In how many bits two pieces of the same length differ.
pub(crate) fn distance(one: &[u8], other: &[u8]) -> u32 {
    one.iter().zip(other).map(|(a, b)| (a ^ b).count_ones()).sum()
}

fn flip(bytes: &mut [u8], bit: usize) {
    bytes[bit / 8] ^= 1 << (bit % 8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flipped_bit_is_put_right_and_two_are_left_alone() {
        let mut whole = b"some bytes that nobody has twice".to_vec();
        whole.extend(sum(&whole));
        let is_right =
            |bytes: &[u8]| bytes.split_last_chunk::<4>().is_some_and(|(bytes, written)| sum(bytes) == *written);
        for bit in 0..whole.len() * 8 {
            let mut damaged = whole.clone();
            flip(&mut damaged, bit);
            assert!(!is_right(&damaged));
            assert!(put_right(&mut damaged, is_right) && damaged == whole, "bit {bit}");
            flip(&mut damaged, bit);
            flip(&mut damaged, (bit + 77) % (whole.len() * 8));
            let before = damaged.clone();
            assert!(!put_right(&mut damaged, is_right) && damaged == before, "bit {bit} and another");
        }
        assert!(!put_right(&mut [0; 4], |_| true), "any bit would do");
    }
}
