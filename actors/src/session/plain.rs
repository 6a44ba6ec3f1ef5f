//! Texts within JSON.

/// How many bytes of a text stand in JSON as they are, up to the first that
/// doesn't.
pub(crate) fn plain(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks();
    let odd = words.iter().map(|word| odd(u64::from_le_bytes(*word))).enumerate().find(|(_, odd)| *odd != 0);
    if let Some((at, odd)) = odd {
        return 8 * at + odd.trailing_zeros() as usize / 8;
    }
    8 * words.len() + rest.iter().take_while(|b| **b >= b' ' && **b != b'"' && **b != b'\\').count()
}

/// Marks the first of eight bytes, the lowest, that is a quotation mark, a
/// backslash or no character. Those above it may be marked for nothing.
fn odd(word: u64) -> u64 {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    let below = |word: u64, limit: u8| word.wrapping_sub(EACH * u64::from(limit)) & !word;
    let is = |b: u8| below(word ^ (EACH * u64::from(b)), 1);
    (below(word, b' ') | is(b'"') | is(b'\\')) & (EACH << 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_bytes_are_counted_one_by_one_or_together(text in any::<Vec<u8>>(), words in "[a-z\"\\\\]{0,80}") {
            for text in [&text, words.as_bytes()] {
                let end = text.iter().position(|b| *b < b' ' || *b == b'"' || *b == b'\\');
                prop_assert_eq!(plain(text), end.unwrap_or(text.len()));
            }
        }
    }
}
