//! A picture as its row has it.

use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::image::picture::Picture;
use crate::seals::SealKey;

/// A picture that is sealed, and its key.
pub(in crate::postgres) struct SealedPicture {
    /// The picture's key, sealed with its owner's.
    pub(super) head: Vec<u8>,
    pub(super) body: Vec<u8>,
}

/// The place that a picture's key is sealed to.
fn head_place(picture: Picture) -> Vec<u8> {
    [b"key of a ", &picture.place()[..]].concat()
}

impl SealedPicture {
    pub(super) fn new(picture: Picture, owners: &SealKey, jpeg: &[u8]) -> Result<Self> {
        let key = picture.new_key()?;
        let body = key.seal(&picture.place(), jpeg)?;
        Self::with_key(picture, owners, &key, body)
    }

    /// A picture that was sealed with this key before.
    pub(super) fn with_key(picture: Picture, owners: &SealKey, key: &SealKey, body: Vec<u8>) -> Result<Self> {
        Ok(Self { head: owners.seal(&head_place(picture), key.bytes())?, body })
    }

    /// The key of a picture, sealed with another key of its owner.
    pub(super) fn head_with(key: &SealKey, before: &SealKey, picture: Picture, head: &[u8]) -> Result<Vec<u8>> {
        let place = head_place(picture);
        key.seal(&place, &Zeroizing::new(before.open(&place, head)?))
    }

    /// The key of a picture.
    pub(in crate::postgres) fn key(picture: Picture, owners: &SealKey, head: &[u8]) -> Result<SealKey> {
        let plain = Zeroizing::new(owners.open(&head_place(picture), head)?);
        let bytes = plain.first_chunk().filter(|_| plain.len() == 32).ok_or(StoreError::Corrupt)?;
        Ok(SealKey::new(picture.key_id(), bytes))
    }

    pub(super) fn open(self, picture: Picture, owners: &SealKey) -> Result<Vec<u8>> {
        Self::key(picture, owners, &self.head)?.open_in_place(&picture.place(), self.body)
    }

    /// How many bytes are counted.
    pub(super) fn len(&self) -> i64 {
        i64::try_from(self.body.len()).unwrap_or(i64::MAX)
    }

    /// The length of a picture whose body has so many bytes.
    pub(super) fn plain_len(bytes: i32) -> usize {
        usize::try_from(bytes).unwrap_or(0).saturating_sub(SealKey::OVERHEAD)
    }
}
