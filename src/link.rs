//! The secret part of a mailed link.

use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_store::account::LinkDigest;
use aws_lc_rs::digest;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::error::ApiError;

/// A random token of 256 bits. Only its digest is stored.
pub struct Link(String);

impl Link {
    pub fn new() -> Result<Self, ApiError> {
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(random_bytes().ok_or(Code::Internal)?)))
    }

    /// The token, for the mail.
    pub fn token(&self) -> &str {
        &self.0
    }

    /// The digest, for the store.
    pub fn digest(&self) -> LinkDigest {
        Self::digest_of(&self.0)
    }

    /// The digest of a token that somebody shows.
    pub fn digest_of(token: &str) -> LinkDigest {
        let mut out = [0; 32];
        out.copy_from_slice(digest::digest(&digest::SHA256, token.as_bytes()).as_ref());
        LinkDigest(out)
    }
}
