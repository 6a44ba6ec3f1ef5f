//! Digests of what is counted: addresses of callers, mail addresses and names.
//! The key is only in memory, so nobody can find out whose a digest is.

use annon_actors::ids::random_bytes;
use aws_lc_rs::hmac::{self, HMAC_SHA256};

/// The HMAC of an address, or of whatever else is counted.
pub type Digest = [u8; 16];

pub struct DigestKey(hmac::Key);

impl DigestKey {
    /// `None` if the system has no random numbers.
    pub fn new() -> Option<Self> {
        Some(Self(hmac::Key::new(HMAC_SHA256, &random_bytes()?)))
    }

    pub fn digest(&self, who: &[u8]) -> Digest {
        let mut digest = Digest::default();
        digest.copy_from_slice(&hmac::sign(&self.0, who).as_ref()[..16]);
        digest
    }
}
