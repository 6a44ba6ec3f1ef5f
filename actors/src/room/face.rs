//! Which emoji a face is: its place in the palette.

use annon_contract::palette::PALETTE;
use annon_store::room::Face;

/// The emoji of a face.
pub fn emoji(face: Face) -> &'static str {
    PALETTE[usize::from(face.0) % PALETTE.len()]
}

/// The face of an emoji.
pub fn face(emoji: &str) -> Option<Face> {
    let at = PALETTE.iter().position(|known| *known == emoji)?;
    u8::try_from(at).ok().map(Face)
}

/// Every face there is.
pub fn faces() -> impl Iterator<Item = Face> {
    (0..PALETTE.len()).filter_map(|at| u8::try_from(at).ok()).map(Face)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_emoji_has_one_place() {
        assert_eq!(PALETTE.iter().collect::<HashSet<_>>().len(), PALETTE.len());
        assert!(PALETTE.len() >= 60);
        for at in faces() {
            assert_eq!(face(emoji(at)), Some(at));
        }
        assert_eq!(face("🧨"), None);
    }
}
