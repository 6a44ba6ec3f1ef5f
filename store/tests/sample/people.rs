//! Made-up people and what they write. The same number gives the same thing.
#![allow(dead_code, reason = "every test takes what it needs")]

use annon_store::account::{Account, AccountId, Email, LinkDigest, PasswordHash, TargetId, TokenId, Username};
use annon_store::feedback::{Feedback, FeedbackId};
use annon_store::inbox::{Note, NoteId};
use annon_store::text::{FeedbackText, NoteText};
use uuid::Uuid;

/// The present, in all tests.
pub(crate) const NOW: u64 = 1_790_000_000;

pub(crate) fn account_id(n: u64) -> AccountId {
    AccountId(Uuid::from_u128(0xacc0 << 64 | u128::from(n)))
}

pub(crate) fn target_id(n: u64) -> TargetId {
    TargetId(Uuid::from_u128(0x7a26 << 64 | u128::from(n)))
}

pub(crate) fn token(n: u64) -> TokenId {
    TokenId(Uuid::from_u128(0x70ce << 64 | u128::from(n)))
}

pub(crate) fn note_id(n: u64) -> NoteId {
    NoteId(Uuid::from_u128(0x07e << 64 | u128::from(n)))
}

pub(crate) fn feedback_id(n: u64) -> FeedbackId {
    FeedbackId(Uuid::from_u128(0xfeed << 64 | u128::from(n)))
}

pub(crate) fn digest(n: u64) -> LinkDigest {
    let mut bytes = [0xd1; 32];
    bytes[..8].copy_from_slice(&n.to_be_bytes());
    LinkDigest(bytes)
}

pub(crate) fn hash(n: u64) -> PasswordHash {
    PasswordHash(format!("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA${n:x}"))
}

pub(crate) fn username(name: &str) -> Username {
    Username::try_from(name.to_owned()).unwrap()
}

pub(crate) fn email(address: &str) -> Email {
    Email::try_from(address.to_owned()).unwrap()
}

pub(crate) fn name_of(n: u64) -> Username {
    username(&format!("Person-{n}"))
}

pub(crate) fn address_of(n: u64) -> Email {
    email(&format!("Person.{n}@Example.org"))
}

pub(crate) fn account(n: u64) -> Account {
    Account {
        id: account_id(n),
        target: target_id(n),
        username: name_of(n),
        email: address_of(n),
        password: hash(n),
        created: NOW + n,
        confirmed: true,
    }
}

pub(crate) fn note(n: u64) -> Note {
    let text = NoteText::try_from(format!("what somebody thinks, number {n}")).unwrap();
    Note { id: note_id(n), text, date: NOW + n, seen: false }
}

pub(crate) fn feedback(n: u64) -> Feedback {
    let text = FeedbackText::try_from(format!("it could be better in way {n}")).unwrap();
    Feedback { id: feedback_id(n), text, date: NOW + n, has_picture: n.is_multiple_of(2) }
}
