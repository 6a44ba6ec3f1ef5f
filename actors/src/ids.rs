//! Where ids and random bytes come from: the system's generator.

use uuid::Uuid;

/// An id nobody can guess.
#[expect(clippy::disallowed_methods, reason = "this is where ids are made")]
pub fn random_id() -> Uuid {
    Uuid::new_v4()
}

/// A number nobody can guess: it puts the notes of a batch in a random order.
pub fn random_shuffle() -> u64 {
    random_id().as_u64_pair().1
}

/// An id that is greater than all ids this machine made before.
#[expect(clippy::disallowed_methods, reason = "this is where ids are made")]
pub fn growing_id() -> Uuid {
    Uuid::now_v7()
}

/// 256 random bits. `None` if the system's generator fails: then the caller has
/// to give up.
pub fn random_bytes() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_ids_grow_within_one_millisecond_too() {
        let ids: Vec<_> = (0..10_000).map(|_| growing_id()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
    }
}
