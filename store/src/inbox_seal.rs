//! Seals of inboxes. Whoever seals their inbox gives senders a public key; the private one is made in the owner's
//! browser and wrapped there, so that only its recovery code opens it. The server keeps both and can read no note.

use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::{FINGERPRINT_BYTES, INBOX_KEY_BYTES, SEALED_AROUND, WRAPPED_KEY_MAX};
use async_trait::async_trait;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL;
use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::text::unprintable;

/// How an uncompressed point begins.
const UNCOMPRESSED: u8 = 4;

/// The public key of an inbox. Whether it is a point of the curve, the senders' browsers find out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxKey(Arc<[u8]>);

impl InboxKey {
    /// As it is sent: base64url without padding.
    pub fn text(&self) -> String {
        BASE64URL.encode(&self.0)
    }

    /// What stands for it in personal links: the beginning of its hash.
    pub fn fingerprint(&self) -> String {
        BASE64URL.encode(&digest(&SHA256, &self.0).as_ref()[..FINGERPRINT_BYTES])
    }
}

impl TryFrom<&str> for InboxKey {
    type Error = Code;

    fn try_from(raw: &str) -> Result<Self, Code> {
        let bytes = BASE64URL.decode(raw).map_err(|_| Code::SealInvalid)?;
        let is_point = bytes.len() == INBOX_KEY_BYTES && bytes.first() == Some(&UNCOMPRESSED);
        if is_point { Ok(Self(bytes.into())) } else { Err(Code::SealInvalid) }
    }
}

/// The private key of an inbox, as its owner's browser has wrapped it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrappedKey(Arc<[u8]>);

impl WrappedKey {
    pub fn text(&self) -> String {
        BASE64URL.encode(&self.0)
    }
}

impl TryFrom<&str> for WrappedKey {
    type Error = Code;

    fn try_from(raw: &str) -> Result<Self, Code> {
        let bytes = BASE64URL.decode(raw).map_err(|_| Code::SealInvalid)?;
        // It has a nonce and a tag at least.
        let is_wrapped = (SEALED_AROUND..=WRAPPED_KEY_MAX).contains(&bytes.len());
        if is_wrapped { Ok(Self(bytes.into())) } else { Err(Code::SealInvalid) }
    }
}

unprintable!(InboxKey, WrappedKey);

/// A private key that one of the owner's devices hands to another. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handover {
    /// It is wrapped with a key that only the two devices have.
    pub wrapped: WrappedKey,
    pub until: Timestamp,
}

/// How an inbox is sealed. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxSeal {
    pub key: InboxKey,
    pub wrapped: WrappedKey,
    /// Whether senders are given the key. If not, it opens older notes only.
    pub on: bool,
    /// Whether notes are taken, too, that their senders can't seal.
    pub open_notes: bool,
    pub handover: Option<Handover>,
}

/// A change of a seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SealChange {
    /// Seals an inbox, with this key from now on. Notes that were sealed with another one stay as they are.
    Begin { key: InboxKey, wrapped: WrappedKey, open_notes: bool },
    /// `None` leaves it as it is. `Conflict` when the inbox was never sealed.
    Set { on: Option<bool>, open_notes: Option<bool> },
    /// One device hands the private key to another. `Conflict` when the inbox was never sealed.
    HandOver(Handover),
}

impl SealChange {
    /// The seal after this change; `None` if there is none that it could change.
    pub(crate) fn of(self, before: Option<InboxSeal>) -> Option<InboxSeal> {
        Some(match self {
            Self::Begin { key, wrapped, open_notes } => {
                InboxSeal { key, wrapped, on: true, open_notes, handover: None }
            }
            Self::Set { on, open_notes } => {
                let before = before?;
                let (on, open_notes) = (on.unwrap_or(before.on), open_notes.unwrap_or(before.open_notes));
                InboxSeal { on, open_notes, ..before }
            }
            Self::HandOver(handover) => InboxSeal { handover: Some(handover), ..before? },
        })
    }
}

/// The seals of all inboxes that have one. Each ends with its account.
#[async_trait]
pub trait InboxSeals: Send + Sync {
    async fn of(&self, owner: AccountId) -> Result<Option<InboxSeal>>;
    /// Changes it. `NotFound` when the account is gone.
    async fn change(&self, owner: AccountId, change: SealChange, now: Timestamp) -> Result<()>;
    /// Takes what was handed over, if its time isn't up. Of all who ask, one gets it.
    async fn take(&self, owner: AccountId, now: Timestamp) -> Result<Option<WrappedKey>>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sealed::tests::raw;

    #[test]
    fn keys_are_what_browsers_make() {
        let key = InboxKey::try_from(&*raw(4, 65)).unwrap();
        assert_eq!((key.text(), key.fingerprint().len()), (raw(4, 65), 14));
        for wrong in [raw(2, 65), raw(4, 64), raw(4, 66), String::new(), "no key".to_owned()] {
            assert_eq!(InboxKey::try_from(&*wrong), Err(Code::SealInvalid), "{wrong}");
        }
        for (bytes, is_one) in [(28, false), (29, true), (166, true), (512, true), (513, false)] {
            assert_eq!(WrappedKey::try_from(&*raw(1, bytes)).is_ok(), is_one, "{bytes}");
        }
    }
}
