//! Made-up people and what they write. The same number gives the same thing.

pub(crate) use annon_store::Engine;
use annon_store::Result;
use annon_store::account::{
    Account, AccountId, Accounts, Email, LinkDigest, PasswordHash, TargetId, TokenId, Username,
};
use annon_store::answer::Publishing;
use annon_store::conversation::{Beginning, Change, ConversationId, LineText, Proof, Side};
use annon_store::feedback::{Feedback, FeedbackId};
use annon_store::image::{Album, ImageId};
use annon_store::inbox::{Arrival, Delivered, Inbox, Note, NoteId, Page, to_the_minute};
use annon_store::inbox_seal::{InboxKey, SealChange, WrappedKey};
use annon_store::invitation::{Invitation, InvitationId, InvitationNote};
use annon_store::personal_page::{PageLine, PersonalPage, Prompt};
use annon_store::push::{BrowserKey, BrowserSecret, Endpoint, Kind, Kinds, Language, Quiet, Subscription};
use annon_store::report::{About, Quoted, Report, ReportId, ReportPicture, ReportText};
use annon_store::room::{
    Body, ChatId, ChatText, Emoji, MemberId, Millis, RoomEvent, RoomId, RoomMetadata, RoomName, SeatNumber, Seq,
};
use annon_store::room_log::{Appending, Erasure, RoomLog};
use annon_store::shield::InboxName;
use annon_store::suspension::{Suspension, SuspensionReason};
use annon_store::text::{AnswerText, FeedbackText, NoteText};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL;
use std::sync::Arc;
use uuid::Uuid;

/// The present, in all tests.
pub(crate) const NOW: u64 = 1_790_000_000;

pub(crate) fn account_id(n: u64) -> AccountId {
    AccountId(Uuid::from_u128(0xacc0 << 64 | u128::from(n)))
}

pub(crate) fn target_id(n: u64) -> TargetId {
    TargetId(Uuid::from_u128(0x7a26 << 64 | u128::from(n)))
}

/// The account that a personal link leads to.
pub(crate) async fn by_target(accounts: &dyn Accounts, target: TargetId) -> Option<AccountId> {
    accounts.door(InboxName::Target(target), None, NOW).await.unwrap().map(|door| door.owner)
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
    Note {
        id: note_id(n),
        text,
        date: to_the_minute(NOW + n),
        seen: false,
        conversation: None,
        only_for_you: false,
        answer: None,
        starred: false,
        archived: false,
    }
}

/// The number that a note ends with.
pub(crate) fn number_in(note: &Note) -> Option<u64> {
    note.text.as_str().rsplit(' ').next()?.parse().ok()
}

pub(crate) fn feedback(n: u64) -> Feedback {
    let text = FeedbackText::try_from(format!("it could be better in way {n}")).unwrap();
    Feedback { id: feedback_id(n), text, date: NOW + n, has_picture: n.is_multiple_of(2) }
}

pub(crate) fn report_id(n: u64) -> ReportId {
    ReportId(Uuid::from_u128(0x4e90 << 64 | u128::from(n)))
}

pub(crate) fn report(n: u64) -> Report {
    let said = Quoted { from: "🦊".into(), time: "18:05:09.042".into(), text: format!("what was said, number {n}") };
    Report {
        id: report_id(n),
        date: NOW + n,
        about: About::Room(format!("{n:016x}")),
        account: Some("somebody".to_owned()),
        words: vec![said],
        text: ReportText::try_from(&*format!("this should not be here, number {n}")).unwrap(),
        closed: None,
    }
}

/// The pictures of the report with this number: of every other one none.
pub(crate) fn report_pictures(n: u64) -> Vec<ReportPicture> {
    (0..n as u16 % 2).map(|of| ReportPicture { of, jpeg: vec![n as u8; 50_000] }).collect()
}

pub(crate) fn suspension(until: u64, reason: &str) -> Suspension {
    Suspension { began: NOW, until, reason: SuspensionReason::try_from(reason).unwrap() }
}

pub(crate) fn invitation_id(n: u64) -> InvitationId {
    InvitationId(Uuid::from_u128(0x1471 << 64 | u128::from(n)))
}

pub(crate) fn invitation(uses: u32, until: u64) -> Invitation {
    Invitation { made: NOW, until, uses, left: uses, note: InvitationNote::try_from("for é and 🙂").unwrap() }
}

/// An inbox whose notes are named by the number in their text, for tests that are not about ids.
#[derive(Clone)]
pub(crate) struct Numbered {
    inbox: Arc<dyn Inbox>,
    now: Option<u64>,
}

/// The inbox at a time when every note has been delivered.
pub(crate) fn numbered(inbox: Arc<dyn Inbox>) -> Numbered {
    Numbered { inbox, now: None }
}

pub(crate) fn numbered_at(inbox: Arc<dyn Inbox>, now: u64) -> Numbered {
    Numbered { inbox, now: Some(now) }
}

impl Numbered {
    fn now(&self) -> u64 {
        self.now.unwrap_or(u64::MAX)
    }

    /// Returns how many notes are unread now; 0 if the note waits for its batch.
    pub(crate) async fn deliver(&self, owner: AccountId, note: Note) -> Result<u32> {
        let now = self.now.unwrap_or(note.date);
        let arrival = Arrival::new(note.text, now, note.id.0.as_u128() as u64);
        match self.inbox.deliver(owner, arrival).await? {
            Delivered::Shown { note: shown, .. } if note.seen => self.inbox.mark_seen(owner, shown.id, now).await,
            Delivered::Shown { unread, .. } => Ok(unread),
            Delivered::Waits => Ok(0),
        }
    }

    pub(crate) async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize) -> Result<Page> {
        let before = match before {
            Some(note) => self.id_of(owner, note).await?,
            None => None,
        };
        let mut page = self.inbox.page(owner, before, limit, self.now()).await?;
        for note in &mut page.notes {
            note.id = number_in(note).map_or(note.id, note_id);
        }
        Ok(page)
    }

    pub(crate) async fn mark_seen(&self, owner: AccountId, note: NoteId) -> Result<u32> {
        let id = self.id_of(owner, note).await?.unwrap_or(note);
        self.inbox.mark_seen(owner, id, self.now()).await
    }

    pub(crate) async fn remove(&self, owner: AccountId, note: NoteId) -> Result<u32> {
        let id = self.id_of(owner, note).await?.unwrap_or(note);
        self.inbox.remove(owner, id, self.now()).await
    }

    /// The id under which the newest note of this number is shown.
    async fn id_of(&self, owner: AccountId, note: NoteId) -> Result<Option<NoteId>> {
        let number = note.0.as_u128() as u64;
        let all = self.inbox.page(owner, None, usize::MAX, self.now()).await?.notes;
        Ok(all.iter().find(|note| number_in(note) == Some(number)).map(|note| note.id))
    }
}

/// What files are searched for: all that is known of the account below.
pub(crate) const ZEBRA: [&str; 3] = ["Zebra-Name-12345", "zebra-address@example.org", "$argon2id$zebra-password-hash"];

pub(crate) fn zebra() -> Account {
    let [name, address, hash] = ZEBRA;
    Account { username: username(name), email: email(address), password: PasswordHash(hash.into()), ..account(1) }
}

/// A note with words to search for. The number behind them identifies the note.
pub(crate) fn note_saying(n: u64, words: &str) -> Note {
    Note { text: NoteText::try_from(format!("{words} {n}")).unwrap(), ..note(n) }
}

pub(crate) fn image(n: u128) -> ImageId {
    ImageId(Uuid::from_u128(n))
}

pub(crate) fn album(n: u128) -> Album {
    Album::Room(Uuid::from_u128(n))
}

pub(crate) const NAME_OF_A_ROOM: &str = "zebra-name-of-a-room";

pub(crate) fn room(n: u128) -> RoomId {
    RoomId(Uuid::from_u128(n))
}

pub(crate) fn metadata(n: u128, owner: u64, expires: u64) -> RoomMetadata {
    RoomMetadata {
        id: room(n),
        name: RoomName::try_from(NAME_OF_A_ROOM).unwrap(),
        owner: account_id(owner),
        creator: name_of(owner),
        created: NOW + n as u64,
        expires,
        sealed: None,
    }
}

pub(crate) fn came(seat: u32) -> RoomEvent {
    let emoji = Emoji(seat as u8);
    RoomEvent::Claimed { seat: SeatNumber(seat), member: MemberId([seat as u8; 16]), emoji, at: Millis(1) }
}

pub(crate) fn posted(words: &str) -> RoomEvent {
    RoomEvent::Posted {
        seat: SeatNumber(1),
        id: ChatId::try_from("abcdefghijklmno").unwrap(),
        body: Body::Text(ChatText::try_from(words).unwrap()),
        reply_to: None,
        at: Millis(2),
    }
}

/// Takes messages back, in a log that ends at `end`.
pub(crate) fn take_back(log: &dyn RoomLog, room: RoomId, end: Seq, messages: Vec<Seq>) -> Appending {
    let event = RoomEvent::Retracted { seat: SeatNumber(1), message: messages[0], at: Millis(3) };
    log.append_and_erase(room, end, vec![event], Erasure { messages, ..Erasure::default() })
}

pub(crate) fn conversation_id(n: u64) -> ConversationId {
    ConversationId(Uuid::from_u128(0x7a1c << 64 | u128::from(n)))
}

pub(crate) fn beginning(n: u64) -> Beginning {
    Beginning { id: conversation_id(n), proof: Proof([n as u8; 32]) }
}

pub(crate) fn arrival(n: u64, now: u64) -> Arrival {
    Arrival::new(note(n).text, now, n)
}

/// What an answer of this number says.
pub(crate) fn answer_words(n: u64) -> String {
    format!("zebra-answer {n}")
}

pub(crate) fn publishing(n: u64, now: u64) -> Publishing {
    Publishing { text: AnswerText::try_from(answer_words(n)).unwrap(), opened: None, now, shuffle: n }
}

pub(crate) fn personal_page(n: u64) -> PersonalPage {
    PersonalPage {
        line: PageLine::try_from(&*format!("zebra-line-of-page {n}")).unwrap(),
        prompts: (0..n).map(|n| Prompt::try_from(&*format!("zebra-prompt {n}")).unwrap()).collect(),
        only_for_you: n % 2 == 1,
    }
}

pub(crate) fn subscription(n: u64) -> Subscription {
    Subscription {
        endpoint: Endpoint(format!("https://push.example/zebra-endpoint-{n}")),
        key: BrowserKey(vec![4; 65]),
        secret: BrowserSecret([n as u8; 16]),
        kinds: Kinds::from_iter([Kind::Note]),
        quiet: Quiet::new(60, 120),
        language: Language::De,
        added: 20_717,
    }
}

/// What a line of this number says.
pub(crate) fn line_words(n: u64) -> String {
    format!("zebra-line {n}")
}

pub(crate) fn say(from: Side, n: u64) -> Change {
    let id = ChatId::try_from(format!("{n:015}")).unwrap();
    Change::Say { from, id, text: LineText::try_from(&*line_words(n)).unwrap(), reply_to: None }
}

/// So many bytes in base64url, as something sealed begins.
pub(crate) fn raw(first: u8, bytes: usize) -> String {
    base64url(&vec![first; bytes])
}

pub(crate) fn base64url(bytes: &[u8]) -> String {
    BASE64URL.encode(bytes)
}

pub(crate) fn wrapped(n: u8) -> WrappedKey {
    WrappedKey::try_from(&*raw(n, 166)).unwrap()
}

/// Seals an inbox with the key of a number.
pub(crate) fn sealing(n: u8) -> SealChange {
    let mut key = vec![n; 65];
    key[0] = 4;
    let key = InboxKey::try_from(&*base64url(&key)).unwrap();
    SealChange::Begin { key, wrapped: wrapped(n), open_notes: false }
}
