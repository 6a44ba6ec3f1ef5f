//! The slots of the file `keys`; `docs/DATA_FILES.md` has every byte.

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::seals::bit_repair::{distance, put_right, sum};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey};

pub(crate) const SLOT_LEN: usize = 64;
pub(crate) type SlotBytes = [u8; SLOT_LEN];

pub(crate) const FIRST_LINE: &SlotBytes = b"annon keys with checksums (1): nothing is readable without them\n";
/// How many bits of the first line may be wrong.
const LINE_BITS: u32 = 48;
/// How many bits may be wrong in a free slot, which is all zeros. A random key has
/// about 128 bits that are set, and never so few.
const FREE_BITS: u32 = 8;

/// The version of a file whose first line says that a newer annon has written it.
/// Every later version must begin so, and have its number in the first brackets.
pub(crate) fn newer_version(line: &SlotBytes) -> Option<u32> {
    let (_, rest) = str::from_utf8(line).ok()?.strip_prefix("annon keys ")?.split_once('(')?;
    rest.split_once(')')?.0.parse().ok().filter(|&version| version > 1)
}

/// Whether this is the first line, also with a few wrong bits.
pub(crate) fn is_first_line(line: &SlotBytes) -> bool {
    distance(line, FIRST_LINE) <= LINE_BITS
}

/// The content of a slot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Zeros, perhaps with a few flipped bits.
    Free,
    /// A key. If a flipped bit was repaired, the slot must be written again.
    Used { owner: Owner, key: SealKey, is_mended: bool },
    /// It can't be read. It may still tell an owner and a key's id.
    Damaged(Option<(Owner, KeyId)>),
}

impl Slot {
    pub(crate) fn read(bytes: &SlotBytes) -> Self {
        if bytes.iter().map(|byte| byte.count_ones()).sum::<u32>() <= FREE_BITS {
            return Self::Free;
        }
        let mut mended = Zeroizing::new(*bytes);
        let is_mended = !is_right(bytes);
        let is_whole = !is_mended || put_right(&mut mended[..], |bytes| bytes.first_chunk().is_some_and(is_right));
        match parse(&mended) {
            Some((owner, key)) if is_whole => Self::Used { owner, key, is_mended },
            _ => Self::Damaged(parse(bytes).map(|(owner, key)| (owner, key.id))),
        }
    }
}

pub(crate) fn render(owner: Owner, key: &SealKey) -> Zeroizing<SlotBytes> {
    let (kind, id) = owner.kind();
    let mut bytes = Zeroizing::new([0; SLOT_LEN]);
    bytes[0] = kind;
    bytes[8..24].copy_from_slice(id.as_bytes());
    bytes[24..32].copy_from_slice(&key.id.0.to_be_bytes());
    bytes[32..].copy_from_slice(key.bytes());
    let sum = sum_of(&bytes);
    bytes[4..8].copy_from_slice(&sum);
    bytes
}

fn sum_of(bytes: &SlotBytes) -> [u8; 4] {
    sum(&[&bytes[..4], &[0; 4], &bytes[8..]])
}

fn is_right(bytes: &SlotBytes) -> bool {
    sum_of(bytes) == bytes[4..8]
}

fn parse(bytes: &SlotBytes) -> Option<(Owner, SealKey)> {
    let owner = Owner::of_kind(bytes[0], Uuid::from_slice(&bytes[8..24]).ok()?)?;
    let key_id = KeyId(u64::from_be_bytes(*bytes[24..].first_chunk()?));
    Some((owner, SealKey::new(key_id, bytes[32..].first_chunk()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_of_a_slot_is_put_right() {
        let (owner, key) = (Owner::Room(Uuid::from_u128(7)), SealKey::random(None).unwrap());
        let bytes = render(owner, &key);
        assert_eq!(Slot::read(&bytes), Slot::Used { owner, key: key.clone(), is_mended: false });
        for bit in 0..SLOT_LEN * 8 {
            let mut flipped = *bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            let mended = Slot::Used { owner, key: key.clone(), is_mended: true };
            assert_eq!(Slot::read(&flipped), mended, "bit {bit}");
            let mut free = [0; SLOT_LEN];
            free[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Slot::read(&free), Slot::Free, "bit {bit}");
        }
    }

    #[test]
    fn several_flipped_bits_are_damage_that_says_whose_it_was_if_that_reads() {
        let (owner, key) = (Owner::Account(Uuid::from_u128(7)), SealKey::random(None).unwrap());
        for at in 0..SLOT_LEN {
            let mut noise = *render(owner, &key);
            noise[at] ^= 0b0101_1010;
            let Slot::Damaged(claim) = Slot::read(&noise) else { panic!("byte {at} is not missed") };
            let is_claimed = claim.is_some_and(|claim| claim == (owner, key.id));
            assert_eq!(is_claimed, (1..8).contains(&at) || at >= 32, "byte {at}");
        }
    }

    #[test]
    fn a_first_line_is_known_with_a_few_bits_flipped() {
        for bit in 0..SLOT_LEN * 8 {
            let mut flipped = *FIRST_LINE;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(is_first_line(&flipped));
        }
        assert!(!is_first_line(&[7; SLOT_LEN]));
    }
}
