//! Sealing: what is stored of a person is encrypted with a key of their own. When
//! the key is destroyed, no copy can be read any more, also those that the commit log,
//! the index's files or an old export still have.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::shapes::is_newer;

pub(crate) mod bit_repair;
pub(crate) mod erasing;
pub(crate) mod keyring;
pub(crate) mod secret;

// Statements of PostgreSQL cut a key's id out of a sealed record, so these two stay its first bytes.
const VERSION: u8 = 1;
const ID_LEN: usize = 8;
const HEAD_LEN: usize = 1 + ID_LEN + NONCE_LEN;

/// The id of a key. A sealed record names the key it was sealed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyId(pub(crate) u64);

/// One sealing key. Its clones share the same bytes in memory, which are wiped
/// when the last clone is dropped.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SealKey {
    pub(crate) id: KeyId,
    bytes: Arc<Zeroizing<[u8; 32]>>,
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealKey({:?}, …)", self.id)
    }
}

impl SealKey {
    /// A random key. A later key of the same owner has a higher id, so that the
    /// newest is known in whatever order the file has them.
    pub(crate) fn random(after: Option<KeyId>) -> Result<Self> {
        let id = match after {
            Some(KeyId(id)) => id + 1,
            None => u64::from_be_bytes(random()?) >> 1,
        };
        let mut key = Self::new(KeyId(id), &[0; 32]);
        aws_lc_rs::rand::fill(&mut Arc::make_mut(&mut key.bytes)[..]).map_err(|_| StoreError::Unavailable)?;
        Ok(key)
    }

    pub(crate) fn new(id: KeyId, bytes: &[u8; 32]) -> Self {
        // The bytes are written to their final place in memory: moving them
        // would leave a copy.
        let mut kept = Arc::new(Zeroizing::new([0; 32]));
        Arc::make_mut(&mut kept).copy_from_slice(bytes);
        Self { id, bytes: kept }
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Seals a record and binds it to the place where it is stored: at another
    /// place it does not open.
    pub(crate) fn seal(&self, place: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = Vec::with_capacity(HEAD_LEN + plain.len() + AES_256_GCM.tag_len());
        sealed.push(VERSION);
        sealed.extend_from_slice(&self.id.0.to_be_bytes());
        sealed.extend_from_slice(&[0; NONCE_LEN]);
        sealed.extend_from_slice(plain);
        let (head, body) = sealed.split_at_mut(HEAD_LEN);
        let (nonce, tag) =
            self.cipher()?.seal_in_place_separate_tag(Aad::from(place), body).map_err(|_| StoreError::Unavailable)?;
        head[1 + ID_LEN..].copy_from_slice(nonce.as_ref());
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// How many bytes sealing adds.
    pub(crate) const OVERHEAD: usize = HEAD_LEN + 16;

    /// Opens what [`SealKey::seal`] made, without a copy.
    pub(crate) fn open_in_place(&self, place: &[u8], mut sealed: Vec<u8>) -> Result<Vec<u8>> {
        if sealed_with(&sealed)? != self.id {
            return Err(StoreError::Corrupt);
        }
        let (head, body) = sealed.split_at_mut_checked(HEAD_LEN).ok_or(StoreError::Corrupt)?;
        let nonce = Nonce::try_assume_unique_for_key(&head[1 + ID_LEN..]).map_err(|_| StoreError::Corrupt)?;
        let plain = self.cipher()?.open_in_place(nonce, Aad::from(place), body).map_err(|_| StoreError::Corrupt)?.len();
        sealed.truncate(HEAD_LEN + plain);
        sealed.drain(..HEAD_LEN);
        Ok(sealed)
    }

    /// Opens what [`SealKey::seal`] made.
    pub(crate) fn open(&self, place: &[u8], sealed: &[u8]) -> Result<Vec<u8>> {
        self.open_in_place(place, sealed.to_vec())
    }

    fn cipher(&self) -> Result<RandomizedNonceKey> {
        RandomizedNonceKey::new(&AES_256_GCM, &self.bytes[..]).map_err(|_| StoreError::Unavailable)
    }
}

/// What names a key, as all that it seals does.
pub(crate) fn name_of(KeyId(id): KeyId) -> Vec<u8> {
    [&[VERSION][..], &id.to_be_bytes()].concat()
}

/// The key that a record was sealed with.
pub(crate) fn sealed_with(sealed: &[u8]) -> Result<KeyId> {
    match sealed.split_first_chunk::<{ 1 + ID_LEN }>() {
        Some(([VERSION, id @ ..], _)) => Ok(KeyId(u64::from_be_bytes(*id))),
        Some(([version, ..], _)) if is_newer(*version, VERSION) => {
            tracing::error!(version, "a newer annon has sealed a record: start that one, or one that is newer yet");
            Err(StoreError::Corrupt)
        }
        _ => Err(StoreError::Corrupt),
    }
}

pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| StoreError::Unavailable)?;
    Ok(bytes)
}

/// Turns names and addresses into keys of the index that can be found but not
/// read: the index's files have old keys long after their record was deleted.
#[derive(Clone)]
pub struct Blinder(hmac::Key);

impl Blinder {
    pub fn new(secret: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    pub fn blind(&self, word: &str) -> [u8; 32] {
        let mut out = [0; 32];
        out.copy_from_slice(hmac::sign(&self.0, word.as_bytes()).as_ref());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::golden::committed;

    #[test]
    fn only_the_right_key_at_the_right_place_opens_a_record() {
        let (key, other) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
        let sealed = key.seal(b"here", b"words").unwrap();
        assert_eq!(sealed_with(&sealed), Ok(key.id));
        assert_eq!(key.open(b"here", &sealed).as_deref(), Ok(&b"words"[..]));
        assert_eq!(key.open(b"there", &sealed), Err(StoreError::Corrupt));
        assert_eq!(other.open(b"here", &sealed), Err(StoreError::Corrupt));
        assert!(!sealed.windows(5).any(|w| w == b"words"));
    }

    #[test]
    fn a_first_key_leaves_half_of_all_ids_to_later_ones() {
        let mut ids = (0..64).map(|_| SealKey::random(None).unwrap().id.0);
        assert!(ids.all(|id| id <= u64::MAX >> 1));
        assert_eq!(SealKey::random(Some(KeyId(7))).unwrap().id, KeyId(8));
    }

    #[test]
    fn a_record_sealed_long_ago_opens() {
        let key = SealKey::new(KeyId(0x0102_0304_0506_0708), &[7; 32]);
        let sealed = committed("sealed", || key.seal(b"place", b"words of long ago").unwrap());
        assert_eq!(sealed_with(&sealed), Ok(key.id));
        assert_eq!(key.open(b"place", &sealed).as_deref(), Ok(&b"words of long ago"[..]));
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed() {
        let key = SealKey::random(None).unwrap();
        let sealed = key.seal(b"here", b"words").unwrap();
        assert_eq!(sealed.len(), b"words".len() + SealKey::OVERHEAD);
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            for bytes in [&damaged[..], &sealed[..at]] {
                assert_eq!(key.open(b"here", bytes), Err(StoreError::Corrupt));
            }
        }
    }
}
