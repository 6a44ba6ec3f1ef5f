//! The place of a note in its inbox, and the id that hides it.
//!
//! A note is stored under its owner and its place, so that a page is one range
//! of keys. The note's id is its place, encrypted: ids tell neither the order
//! nor the number of notes, and the place is found by decrypting the id.

use aws_lc_rs::cipher::{AES_256, DecryptingKey, DecryptionContext, EncryptingKey, UnboundCipherKey};
use aws_lc_rs::error::Unspecified;
use uuid::Uuid;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::inbox::NoteId;
use crate::shield::{TagHash, held_since};

/// This bit is set in every number on disk.
const NUMBERED: u64 = 1 << 63;
/// Set in the numbers of notes that are held back: no inbox shows them. The rest of such a
/// number is the minute in which the note came.
const HELD: u64 = 1 << 62;
/// Set in the number of no note: what is held back ends here.
const BEYOND: u64 = 1 << 61;
/// Set, without the other two, where it is noted which conversations were begun with a tag.
const BEGUN: u64 = 1 << 60;
/// Set, without the other three, in the numbers of notes that are archived: so neither a page of the inbox nor one of
/// the archive passes over the other's notes. The rest of the place is the note's own, and so is its id.
const ARCHIVED: u64 = 1 << 59;

/// The sort key of a note in its inbox: its number, then its shuffle. The notes of
/// one batch have the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NotePlace([u8; 16]);

impl NotePlace {
    pub(crate) fn new(number: u64, shuffle: u64) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(NUMBERED | number).to_be_bytes());
        bytes[8..].copy_from_slice(&shuffle.to_be_bytes());
        Self(bytes)
    }

    /// The lowest place with this number.
    pub(crate) fn first(number: u64) -> Self {
        Self::new(number, 0)
    }

    /// The place of a note that is held back. Notes that came later have later ones.
    pub(crate) fn held(came: Timestamp, shuffle: u64) -> Self {
        Self::new(HELD | (came / 60), shuffle)
    }

    /// The lowest place of notes that were held back at this time or later.
    pub(crate) fn held_since(came: Timestamp) -> Self {
        Self::held(came, 0)
    }

    /// The end of the places of notes that are held back.
    pub(crate) fn end_of_held() -> Self {
        Self::first(HELD | BEYOND)
    }

    /// Where a note of somebody who is blocked leaves what looks like a note: behind all notes,
    /// where no page begins or ends.
    pub(crate) fn decoy() -> Self {
        Self::first(BEYOND - 1)
    }

    /// Where the note at this place is as long as it is archived.
    pub(crate) fn archived(self) -> Self {
        self.numbered(self.number() | ARCHIVED)
    }

    pub(crate) fn is_archived(self) -> bool {
        self.number() & (HELD | BEYOND | BEGUN | ARCHIVED) == ARCHIVED
    }

    /// The note's own place, archived or not.
    pub(crate) fn listed(self) -> Self {
        if self.is_archived() { self.numbered(self.number() & !ARCHIVED) } else { self }
    }

    /// The same shuffle with another number.
    fn numbered(self, number: u64) -> Self {
        let mut bytes = self.0;
        bytes[..8].copy_from_slice(&(NUMBERED | number).to_be_bytes());
        Self(bytes)
    }

    pub(crate) fn is_held(self) -> bool {
        self.number() & (HELD | BEYOND) == HELD
    }

    /// Whether the note at this place is held back, and not for so long that it goes.
    pub(crate) fn is_still_held(self, now: Timestamp) -> bool {
        self.is_held() && self >= Self::held_since(held_since(now))
    }

    /// Where it is noted which conversations were begun with a tag. It is no note's place.
    pub(crate) fn of_begun(TagHash(tag): TagHash) -> Self {
        let mut bytes = tag;
        bytes[0] = Self::of_all_begun();
        Self(bytes)
    }

    /// The first byte of all these places.
    pub(crate) fn of_all_begun() -> u8 {
        Self::first(BEGUN).0[0]
    }

    /// Where notes are: those in the inbox, and those that are held back.
    pub(crate) fn all_notes() -> [(Self, Self); 2] {
        [(Self::first(0), Self::first(BEGUN)), (Self::first(HELD), Self::end_of_held())]
    }

    pub(crate) fn of(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The place at the end of a note's key.
    pub(crate) fn at_end_of(key: &[u8]) -> Result<Self> {
        key.last_chunk().copied().map(Self).ok_or(StoreError::Corrupt)
    }

    pub(crate) fn number(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_be_bytes([a, b, c, d, e, f, g, h]) & !NUMBERED
    }
}

/// Encrypts places to ids, and decrypts ids to places. A place is one block of
/// the cipher, and each note of an inbox has its own place.
pub(crate) struct NoteIds {
    hide: EncryptingKey,
    find: DecryptingKey,
}

impl NoteIds {
    /// The secret is the data folder's, so that ids stay the same after a start
    /// and in a restored backup.
    pub(crate) fn new(secret: &[u8; 32]) -> Result<Self> {
        let key = || UnboundCipherKey::new(&AES_256, secret);
        let keys = || Ok((EncryptingKey::ecb(key()?)?, DecryptingKey::ecb(key()?)?));
        let (hide, find) = keys().map_err(|_: Unspecified| StoreError::Unavailable)?;
        Ok(Self { hide, find })
    }

    pub(crate) fn id(&self, place: NotePlace) -> Result<NoteId> {
        let mut block = place.0;
        self.hide.encrypt(&mut block).map_err(|_| StoreError::Unavailable)?;
        Ok(NoteId(Uuid::from_bytes(block)))
    }

    /// The place of the note with that id. An invented id leads to a place that
    /// has no note.
    pub(crate) fn place(&self, NoteId(id): NoteId) -> Result<NotePlace> {
        let mut block = id.into_bytes();
        self.find.decrypt(&mut block, DecryptionContext::None).map_err(|_| StoreError::Unavailable)?;
        Ok(NotePlace(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::golden::committed;

    #[test]
    fn places_are_in_the_order_of_their_numbers() {
        let (first, new) = (NotePlace::first, NotePlace::new);
        let places = [first(0), first(1), new(1, 7), new(1, u64::MAX), first(2)];
        assert!(places.is_sorted_by(|a, b| a < b));
        assert_eq!(places.map(NotePlace::number), [0, 1, 1, 1, 2]);
        assert_eq!(NotePlace::at_end_of(&[&b"key"[..], new(5, 6).bytes()].concat()), Ok(new(5, 6)));
        assert_eq!(NotePlace::at_end_of(b"short"), Err(StoreError::Corrupt));
    }

    #[test]
    fn what_is_held_back_and_what_is_noted_of_tags_are_far_behind_every_note() {
        let (note, held) = (NotePlace::new(7, 9), NotePlace::held(1_790_000_000, 9));
        assert!(note < held && held.is_held() && !note.is_held());
        assert!(held < NotePlace::end_of_held() && held >= NotePlace::held_since(1_790_000_000));
        assert!(held < NotePlace::held_since(1_790_000_060));
        let is_in = |place: NotePlace, (from, to): (NotePlace, NotePlace)| from <= place && place < to;
        let [of_inbox, of_held] = NotePlace::all_notes();
        assert!(is_in(note, of_inbox) && is_in(held, of_held));
        let (begun, decoy) = (NotePlace::of_begun(TagHash([0xff; 16])), NotePlace::decoy());
        assert!(![begun, decoy].iter().any(|place| is_in(*place, of_inbox) || is_in(*place, of_held)));
        assert!(begun.bytes()[0] == NotePlace::of_all_begun() && !begun.is_held());
        assert!(decoy.bytes()[0] != NotePlace::of_all_begun());
        assert!(!decoy.is_held() && NotePlace::new(1 << 60, u64::MAX) < decoy && decoy < NotePlace::first(BEYOND));
    }

    #[test]
    fn archived_notes_are_behind_the_others_in_the_same_order() {
        let places = [NotePlace::new(1, 7), NotePlace::new(1, 9), NotePlace::new(2, 0)];
        let archived = places.map(NotePlace::archived);
        assert!(archived.is_sorted_by(|a, b| a < b) && NotePlace::new(1 << 40, u64::MAX) < archived[0]);
        assert_eq!(archived.map(NotePlace::listed), places);
        let [(from, to), _] = NotePlace::all_notes();
        assert!(archived.iter().all(|place| place.is_archived() && from <= *place && *place < to));
        let others = [NotePlace::held(1_790_000_000, 9), NotePlace::decoy(), NotePlace::of_begun(TagHash([0xff; 16]))];
        assert!(places.iter().chain(&others).all(|place| !place.is_archived() && place.listed() == *place));
    }

    #[test]
    fn an_id_leads_to_its_place_and_shows_nothing_of_it() {
        let (ids, others) = (NoteIds::new(&[7; 32]).unwrap(), NoteIds::new(&[8; 32]).unwrap());
        let given: Vec<_> = (0..500).map(|number| ids.id(NotePlace::first(number)).unwrap()).collect();
        for (number, id) in given.iter().enumerate() {
            assert_eq!(ids.place(*id), Ok(NotePlace::first(number as u64)));
            assert_ne!(others.place(*id), Ok(NotePlace::first(number as u64)));
        }
        assert!(!given.is_sorted() && !given.iter().rev().is_sorted());
        // About half of the bits of two neighbours differ, in all places.
        for pair in given.windows(2) {
            let differ = (pair[0].0.as_u128() ^ pair[1].0.as_u128()).count_ones();
            assert!((24..=104).contains(&differ), "{differ} bits");
        }
    }

    #[test]
    fn an_id_given_out_long_ago_leads_to_the_same_place() {
        let ids = NoteIds::new(&[7; 32]).unwrap();
        let id = committed("note-id", || ids.id(NotePlace::new(12, 34)).unwrap().0.into_bytes().to_vec());
        assert_eq!(ids.place(NoteId(Uuid::from_slice(&id).unwrap())), Ok(NotePlace::new(12, 34)));
    }
}
