//! The shapes that are on disk. `golden/` keeps the bytes of each, so that a
//! change to one is noticed before a folder in the field is not readable.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::{Access, Account, AccountId, Email, PasswordHash, TargetId, Timestamp, TokenId, Username};
use crate::codec::Record;
use crate::feedback::Feedback;
use crate::inbox::batch::Waiting;
use crate::inbox::{Note, NoteId, to_the_minute};
use crate::room::{RoomCard, RoomEvent, RoomId, RoomName, Seq};
use crate::text::{FeedbackText, NoteText};

macro_rules! records {
    ($($kind:ty = $version:literal),* $(,)?) => {$(
        impl Record for $kind {
            const VERSION: u8 = $version;
        }
    )*};
}
records! {
    AccountRecord = 2,
    AccessRecord = 1,
    IdRecord = 1,
    LinkRecord = 1,
    NoteRecord = 1,
    FeedbackRecord = 1,
    InboxRecord = 2,
    Count = 1,
    RoomRecord = 1,
    LogRecord = 1,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AccountRecord {
    pub(crate) target: TargetId,
    pub(crate) username: Username,
    pub(crate) email: Email,
    pub(crate) password: PasswordHash,
    pub(crate) created: Timestamp,
    pub(crate) confirmed: bool,
}

impl From<Account> for AccountRecord {
    fn from(account: Account) -> Self {
        let Account { id: _, target, username, email, password, created, confirmed } = account;
        Self { target, username, email, password, created, confirmed }
    }
}

impl AccountRecord {
    pub(crate) fn into_account(self, id: AccountId) -> Account {
        let Self { target, username, email, password, created, confirmed } = self;
        Account { id, target, username, email, password, created, confirmed }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AccessRecord {
    version: u32,
    spared: Option<TokenId>,
    revoked: Vec<(TokenId, Timestamp)>,
}

impl From<Access> for AccessRecord {
    fn from(Access { version, spared, revoked }: Access) -> Self {
        Self { version, spared, revoked }
    }
}

impl From<AccessRecord> for Access {
    fn from(AccessRecord { version, spared, revoked }: AccessRecord) -> Self {
        Self { version, spared, revoked }
    }
}

/// An index entry that leads to an account.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct IdRecord(pub(crate) AccountId);

/// A mailed link: whose it is, and until when it works.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct LinkRecord {
    pub(crate) account: AccountId,
    pub(crate) expires: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NoteRecord {
    pub(crate) text: NoteText,
    pub(crate) date: Timestamp,
    pub(crate) seen: bool,
}

impl NoteRecord {
    /// The note as it is shown now. One that was let go before its batch was
    /// due is not dated in the future.
    pub(crate) fn into_note(self, id: NoteId, now: Timestamp) -> Note {
        let Self { text, date, seen } = self;
        Note { id, text, date: date.min(to_the_minute(now)), seen }
    }
}

/// What an inbox knows of its notes as a whole: see `inbox/batch.rs`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InboxRecord {
    /// All notes, also those that wait.
    pub(crate) total: u32,
    /// Unread ones, without those that wait.
    pub(crate) unread: u32,
    /// The last place that was given out.
    pub(crate) last: u64,
    /// Up to this place everything was deleted at once.
    pub(crate) cleared: u64,
    /// Whether notes are shown a quarter of an hour's worth at a time.
    pub(crate) in_batches: bool,
    /// The batch that gathers at the last place.
    pub(crate) waiting: Option<Waiting>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeedbackRecord {
    pub(crate) text: FeedbackText,
    pub(crate) date: Timestamp,
    pub(crate) has_picture: bool,
}

impl FeedbackRecord {
    pub(crate) fn into_feedback(self, id: Uuid) -> Feedback {
        let Self { text, date, has_picture } = self;
        Feedback { id: crate::feedback::FeedbackId(id), text, date, has_picture }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Count(pub(crate) u32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RoomRecord {
    name: RoomName,
    owner: AccountId,
    creator: Username,
    created: Timestamp,
    expires: Timestamp,
}

impl From<RoomCard> for RoomRecord {
    fn from(card: RoomCard) -> Self {
        let RoomCard { id: _, name, owner, creator, created, expires } = card;
        Self { name, owner, creator, created, expires }
    }
}

impl RoomRecord {
    pub(crate) fn into_card(self, id: RoomId) -> RoomCard {
        let Self { name, owner, creator, created, expires } = self;
        RoomCard { id, name, owner, creator, created, expires }
    }
}

/// What was appended to a room's log at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LogRecord(pub(crate) Vec<(Seq, RoomEvent)>);

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::codec::{decode, encode};
    use crate::image::ImageId;
    use crate::room::{Body, Caption, ChatId, ChatText, Ending, Face, MemberId, Millis, SeatNumber};

    /// One event of every kind.
    fn every_event() -> Vec<RoomEvent> {
        let (seat, at) = (SeatNumber(3), Millis(1_790_000_006_007));
        let chat_id = |raw: &str| ChatId::try_from(raw).unwrap();
        let text = Body::Text(ChatText::try_from("héllo 🙂").unwrap());
        let picture = Body::Picture {
            image: ImageId(Uuid::from_u128(12)),
            tiny: Some(ImageId(Uuid::from_u128(13))),
            caption: Caption::try_from("a caption").unwrap(),
        };
        let posted = |id, body, reply_to| RoomEvent::Posted { seat, id, body, reply_to, at };
        vec![
            RoomEvent::Claimed { seat, member: MemberId([7; 16]), face: Face(5), at },
            RoomEvent::Arrived { seat, at },
            RoomEvent::Lapsed { seat, at },
            RoomEvent::Left { seat, at },
            RoomEvent::Kicked { seat, with_messages: true, at },
            RoomEvent::Locked { locked: true, at },
            posted(chat_id("abcDEF123456789"), text, None),
            posted(chat_id("bbcDEF123456789"), picture, Some(Seq(7))),
            posted(chat_id("cbcDEF123456789"), Body::Gone, None),
            RoomEvent::Unsent { seat, message: Seq(9), at },
            RoomEvent::Closed { why: Ending::Expired, at },
            RoomEvent::Looked { seat, at },
        ]
    }

    /// Holds a record against the bytes in `golden/`. A missing file is
    /// written, so that a new shape needs no hand-made hex.
    fn golden<T: Record + Debug + PartialEq>(name: &str, record: &T) {
        let bytes = encode(record).unwrap();
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.hex"));
        if !path.exists() {
            assert!(std::env::var_os("CI").is_none(), "golden/{name}.hex is not committed");
            fs::write(&path, format!("{hex}\n")).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap().trim(), hex, "{name} is stored in another shape now");
        assert_eq!(&decode::<T>(&bytes).unwrap(), record);
    }

    #[test]
    fn the_bytes_on_disk_are_the_ones_we_promised() {
        let id = |n| Uuid::from_u128(n);
        let account = AccountRecord {
            target: TargetId(id(2)),
            username: Username::try_from("Some-body".to_owned()).unwrap(),
            email: Email::try_from("some@body.example".to_owned()).unwrap(),
            password: PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".into()),
            created: 1_790_000_000,
            confirmed: false,
        };
        golden("account", &account);
        golden(
            "access",
            &AccessRecord { version: 3, spared: Some(TokenId(id(4))), revoked: vec![(TokenId(id(5)), 1_790_000_001)] },
        );
        golden("id", &IdRecord(AccountId(id(6))));
        golden("reset", &LinkRecord { account: AccountId(id(7)), expires: 1_790_000_002 });
        golden(
            "note",
            &NoteRecord {
                text: NoteText::try_from("a note of more than ten, with é and 🙂".to_owned()).unwrap(),
                date: 1_790_000_003,
                seen: true,
            },
        );
        let waiting = Some(Waiting { until: 1_790_001_000, notes: 2 });
        golden("inbox", &InboxRecord { total: 8, unread: 9, last: 12, cleared: 4, in_batches: true, waiting });
        golden(
            "feedback",
            &FeedbackRecord {
                text: FeedbackText::try_from("works, mostly".to_owned()).unwrap(),
                date: 1_790_000_004,
                has_picture: true,
            },
        );
        golden("count", &Count(10));
        golden(
            "room",
            &RoomRecord {
                name: RoomName::try_from("midnight tacos").unwrap(),
                owner: AccountId(id(11)),
                creator: Username::try_from("Some-body".to_owned()).unwrap(),
                created: 1_790_000_005,
                expires: 1_790_086_405,
            },
        );
        golden("log", &LogRecord((1..).map(Seq).zip(every_event()).collect()));
    }

    #[test]
    fn no_minute_to_come_is_shown() {
        let text = NoteText::try_from("some words of a note".to_owned()).unwrap();
        let date_at =
            |now| NoteRecord { text: text.clone(), date: 1_140, seen: false }.into_note(NoteId(Uuid::nil()), now).date;
        assert_eq!([date_at(5_000), date_at(1_140), date_at(1_139), date_at(59)], [1_140, 1_140, 1_080, 0]);
    }
}
