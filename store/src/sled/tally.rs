//! What the database holds, in two numbers: how many pairs, and the sum of
//! their checksums.
//!
//! sled passes over what it can't read of the log that it recovers from, and
//! then opens with less and says nothing. So the tally is kept in the
//! database beside the count of commits, and a start counts again. A process
//! may end in the middle of taking commits over; what was touched by those is
//! left out then, since the journal says what is to become of it.

use serde::{Deserialize, Serialize};

use crate::shapes::Record;

/// Pairs, and the sum of their checksums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pairs: u64,
    sum: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) {
        self.pairs = self.pairs.wrapping_add(1);
        self.sum = self.sum.wrapping_add(checksum(key, value));
    }

    pub(crate) fn remove(&mut self, key: &[u8], value: &[u8]) {
        self.pairs = self.pairs.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(checksum(key, value));
    }

    /// Both together.
    pub(crate) fn join(self, other: Self) -> Self {
        Self { pairs: self.pairs.wrapping_add(other.pairs), sum: self.sum.wrapping_add(other.sum) }
    }
}

/// Of the key in the upper half, of the whole pair in the lower.
fn checksum(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    let of_key = hasher.clone().finalize();
    hasher.update(value);
    u64::from(of_key) << 32 | u64::from(hasher.finalize())
}

/// What the database says it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// After so many commits. Another number in the database means that it
    /// was written by an annon that keeps no tally.
    pub(crate) commits: u64,
    pub(crate) tally: Tally,
    pub(crate) under_way: Option<UnderWay>,
}

/// Commits that were being taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnderWay {
    /// The last of them.
    pub(crate) through: u64,
    /// What there is besides the keys that they touch.
    pub(crate) besides: Tally,
}

impl Record for Claim {
    const VERSION: u8 = 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::golden::committed;
    use crate::shapes::{decode, encode};

    #[test]
    fn a_tally_forgets_order_and_nothing_else() {
        let (mut one, mut other) = (Tally::default(), Tally::default());
        one.add(b"a", b"1");
        one.add(b"b", b"2");
        other.add(b"b", b"2");
        assert_ne!(one, other);
        other.add(b"a", b"2");
        assert_ne!(one, other);
        other.remove(b"a", b"2");
        other.add(b"a", b"1");
        assert_eq!(one, other);
        assert_eq!(Tally::default().join(one), other);
    }

    #[test]
    fn a_claim_made_long_ago_is_read_and_would_be_written_alike_today() {
        let tally = |pairs| Tally { pairs, sum: 1 << 60 };
        let claim = Claim { commits: 7, tally: tally(8), under_way: Some(UnderWay { through: 9, besides: tally(6) }) };
        let bytes = committed("claim", || encode(&claim).unwrap());
        assert_eq!(bytes, encode(&claim).unwrap());
        assert_eq!(decode::<Claim>(&bytes), Ok(claim));
    }
}
