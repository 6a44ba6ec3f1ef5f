//! What browsers have sealed. The server has no key to it: it checks the form and the length, and keeps
//! the bytes as they are.

use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::{
    SEALED_AROUND, SEALED_CHECK_BYTES, SEALED_NOTE_AROUND, SEALED_NOTE_SIZES, SEALED_PICTURE_STEP, SEALED_SIZES,
};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL;
use serde::{Deserialize, Serialize};

use crate::room::RoomName;

/// The first byte of everything that is sealed.
const VERSION: u8 = 1;

/// Words that a browser has sealed: one version byte, a nonce, the padded words, and a tag.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed(Arc<[u8]>);

impl Sealed {
    /// How many bytes it has.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// As it is sent: base64url without padding.
    pub fn text(&self) -> String {
        BASE64URL.encode(&self.0)
    }
}

impl TryFrom<&str> for Sealed {
    type Error = Code;

    fn try_from(raw: &str) -> Result<Self, Code> {
        let bytes = BASE64URL.decode(raw).map_err(|_| Code::SealedInvalid)?;
        let padded = bytes.len().checked_sub(SEALED_AROUND);
        let is_sealed = bytes.first() == Some(&VERSION) && padded.is_some_and(|bytes| SEALED_SIZES.contains(&bytes));
        if is_sealed { Ok(Self(bytes.into())) } else { Err(Code::SealedInvalid) }
    }
}

crate::text::unprintable!(Sealed);

/// Stands before and behind what a sealed text is for, in a text on disk. No text that people write has it, since tidying
/// takes control characters away.
const MARK: char = '\0';

/// A sealed text among texts that may be open: with what it is for.
pub(crate) fn marked(of: &str, sealed: &str) -> String {
    format!("{MARK}{of}{MARK}{sealed}")
}

/// What a sealed text is for, and the sealed text; `None` if the text is open.
pub(crate) fn unmarked(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(MARK)?.split_once(MARK)
}

/// A note that its sender's browser has sealed: `note`, or `note.copy` if it begins a conversation, both in base64url.
/// The copy has the same words, sealed as a line, since senders can't open the note itself.
pub(crate) fn checked_note(raw: &str, begins: bool) -> Result<&str, Code> {
    let (note, copy) = raw.split_once('.').map_or((raw, None), |(note, copy)| (note, Some(copy)));
    let bytes = BASE64URL.decode(note).map_err(|_| Code::SealedInvalid)?;
    let padded = bytes.len().checked_sub(SEALED_NOTE_AROUND);
    let is_note = bytes.first() == Some(&VERSION) && padded.is_some_and(|bytes| SEALED_NOTE_SIZES.contains(&bytes));
    copy.map(Sealed::try_from).transpose()?;
    if is_note && copy.is_some() == begins { Ok(raw) } else { Err(Code::SealedInvalid) }
}

/// What a sealed message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SealedKind {
    /// Somebody says something.
    Words,
    /// The browser of a seat announces the key that it signs with. People don't see it.
    Key,
}

/// What is known of a sealed group without its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedRoom {
    /// Tells whoever has a key whether it is the right one.
    pub check: [u8; SEALED_CHECK_BYTES],
    /// The group's own name.
    pub name: Sealed,
}

impl SealedRoom {
    /// From what a browser sends, both in base64url.
    pub fn of(name: &str, check: &str) -> Result<Self, Code> {
        let check = BASE64URL.decode(check).ok().and_then(|bytes| bytes.try_into().ok()).ok_or(Code::SealedInvalid)?;
        let name = Sealed::try_from(name)?;
        // A name that is longer than the longest name there is would be something else.
        let is_name = name.bytes() <= SEALED_AROUND + SEALED_SIZES[1];
        if is_name { Ok(Self { check, name }) } else { Err(Code::SealedInvalid) }
    }

    pub fn check_text(&self) -> String {
        BASE64URL.encode(self.check)
    }

    /// How the group is called where nobody has its key.
    pub fn plain_name() -> Result<RoomName, Code> {
        RoomName::try_from(annon_contract::limits::SEALED_ROOM_NAME)
    }
}

/// A picture that a browser has sealed, from base64url.
pub fn sealed_picture(raw: &str) -> Result<Vec<u8>, Code> {
    let bytes = BASE64URL.decode(raw).map_err(|_| Code::SealedInvalid)?;
    let padded = bytes.len().checked_sub(SEALED_AROUND).filter(|bytes| *bytes > 0);
    let is_sealed = padded.is_some_and(|bytes| bytes.is_multiple_of(SEALED_PICTURE_STEP));
    if is_sealed && bytes[0] == VERSION { Ok(bytes) } else { Err(Code::SealedInvalid) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn raw(version: u8, bytes: usize) -> String {
        let mut sealed = vec![7; bytes];
        sealed[0] = version;
        BASE64URL.encode(sealed)
    }

    #[test]
    fn only_the_lengths_that_are_promised_are_taken() {
        for size in SEALED_SIZES {
            let sealed = Sealed::try_from(&*raw(1, SEALED_AROUND + size)).unwrap();
            assert_eq!(sealed.text(), raw(1, SEALED_AROUND + size));
            for wrong in [raw(1, SEALED_AROUND + size + 1), raw(2, SEALED_AROUND + size)] {
                assert_eq!(Sealed::try_from(&*wrong), Err(Code::SealedInvalid));
            }
        }
        for wrong in ["", "AQ", "words that nobody has sealed", "AQ==", &raw(1, SEALED_AROUND)] {
            assert_eq!(Sealed::try_from(wrong), Err(Code::SealedInvalid), "{wrong}");
            assert_eq!(sealed_picture(wrong), Err(Code::SealedInvalid), "{wrong}");
        }
    }

    #[test]
    fn a_picture_has_whole_steps_and_a_name_is_short() {
        for (bytes, is_one) in [(1, true), (5, true), (0, false)] {
            let sealed = raw(1, SEALED_AROUND + bytes * SEALED_PICTURE_STEP);
            assert_eq!(sealed_picture(&sealed).is_ok(), is_one, "{bytes}");
        }
        assert!(sealed_picture(&raw(1, SEALED_AROUND + SEALED_PICTURE_STEP + 1)).is_err());
        let check = BASE64URL.encode([1; SEALED_CHECK_BYTES]);
        assert!(SealedRoom::of(&raw(1, SEALED_AROUND + 64), &check).is_ok());
        assert!(SealedRoom::of(&raw(1, SEALED_AROUND + 1024), &check).is_err(), "no name is that long");
        assert!(SealedRoom::of(&raw(1, SEALED_AROUND + 64), "AQ").is_err(), "half a check");
        assert!(SealedRoom::plain_name().is_ok());
    }
}
