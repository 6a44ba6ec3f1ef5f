//! The files in `golden/`: bytes that were written once, and must be readable as
//! long as somebody may have such bytes on a disk.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::account::{Access, AccountId, Email, PasswordHash, TargetId, TokenId, Username};
use crate::conversation::{Conversation, ConversationId, Line, LineText, Mark, Proof, Reaction, Side};
use crate::digest::Digest;
use crate::feedback::FeedbackId;
use crate::image::ImageId;
use crate::inbox::NoteId;
use crate::inbox_seal::{Handover, InboxKey, InboxSeal, WrappedKey};
use crate::invitation::{Invitation, InvitationNote};
use crate::lapse::Used;
use crate::pause::{Pause, PauseWords};
use crate::personal_page::{PageLine, PersonalPage, Prompt};
use crate::push::{BrowserKey, BrowserSecret, Endpoint, Kind, Kinds, Language, Quiet, Subscription, Subscriptions};
use crate::report::{About, Quoted, Receipt, ReceiptHash, ReportId, ReportState, ReportText};
use crate::room::{
    Body, Caption, ChatId, ChatText, Emoji, Ending, KnockId, MemberId, Millis, RoomEvent, RoomId, RoomMetadata,
    RoomName, SeatNumber, Seq, Sign,
};
use crate::room_link::{LinksRecord, RoomLink};
use crate::sealed::{Sealed, SealedKind, SealedRoom};
use crate::shapes::account::{AccountRecord, IdRecord, LinkRecord, WithheldRecord};
use crate::shapes::answer::{AnswerRecord, Publicity};
use crate::shapes::conversation::older::AdditionRecord;
use crate::shapes::conversation::{BegunRecord, DoorRecord, HeadRecord, LineRecord, Standing};
use crate::shapes::feedback::{Count, FeedbackRecord};
use crate::shapes::inbox::{CameWith, InboxRecord, NoteRecord, Waiting};
use crate::shapes::report::ReportRecord;
use crate::shapes::room::{ErasingRecord, LogRecord, MetadataRecord};
use crate::shapes::shield::DayRecord;
use crate::shapes::{Record, decode, encode};
use crate::shield::{Block, HeldWord, Mode, Shield, TagHash};
use crate::sign_in::{Browser, SignIn, SignInsRecord, System};
use crate::suspension::{Suspension, SuspensionReason};
use crate::telling::{self, Told};
use crate::text::{AnswerText, FeedbackText, NoteText};

/// The bytes of the file `name` in `golden/`. If there is no such file, it is
/// written with `today`, so nobody has to type a new one.
pub(crate) fn committed(name: &str, today: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.hex"));
    if !path.exists() {
        assert!(std::env::var_os("CI").is_none(), "golden/{name}.hex is not committed");
        let hex: String = today().iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(&path, format!("{hex}\n")).unwrap();
    }
    let hex = fs::read_to_string(path).unwrap();
    let digits: Vec<_> = hex.trim().chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

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
        RoomEvent::Claimed { seat, member: MemberId([7; 16]), emoji: Emoji(5), at },
        RoomEvent::Arrived { seat, at },
        RoomEvent::Lapsed { seat, at },
        RoomEvent::Left { seat, at },
        RoomEvent::Kicked { seat, with_messages: true, at },
        RoomEvent::Locked { locked: true, at },
        posted(chat_id("abcDEF123456789"), text, None),
        posted(chat_id("bbcDEF123456789"), picture, Some(Seq(7))),
        posted(chat_id("cbcDEF123456789"), Body::Gone, None),
        RoomEvent::Retracted { seat, message: Seq(9), at },
        RoomEvent::Closed { why: Ending::Expired, at },
        RoomEvent::Viewed { seat, at },
        RoomEvent::Lost { from: Seq(12) },
    ]
}

/// Those that came later: the bytes of `log` are from before.
fn every_event_of_reactions() -> Vec<RoomEvent> {
    let (seat, message, at) = (SeatNumber(3), Seq(7), Millis(1_790_000_006_008));
    vec![
        RoomEvent::Reacted { seat, message, sign: Some(Sign::try_from("❤️").unwrap()), at },
        RoomEvent::Reacted { seat, message, sign: None, at },
        RoomEvent::Unreacted { seat, message, reaction: Seq(14), at },
    ]
}

fn every_event_of_knocks() -> Vec<RoomEvent> {
    let (knock, at) = (KnockId([9; 16]), Millis(1_790_000_006_009));
    vec![
        RoomEvent::AskFirst { on: true, at },
        RoomEvent::Knocked { knock, member: MemberId([7; 16]), emoji: Emoji(5), at },
        RoomEvent::Admitted { knock, at },
        RoomEvent::Declined { knock, at },
    ]
}

/// Words of the shortest length that there is.
fn sealed_words() -> Sealed {
    let bytes: Vec<u8> = (1..94).collect();
    Sealed::try_from(&*BASE64_URL_SAFE_NO_PAD.encode(bytes)).unwrap()
}

fn every_sealed_event() -> Vec<RoomEvent> {
    let (seat, at) = (SeatNumber(3), Millis(1_790_000_006_010));
    let posted = |id, kind, answers, picture| {
        let body = Body::Sealed { words: sealed_words(), kind, answers, picture };
        RoomEvent::Posted { seat, id: ChatId::try_from(id).unwrap(), body, reply_to: None, at }
    };
    let picture = Some((ImageId(Uuid::from_u128(12)), Some(ImageId(Uuid::from_u128(13)))));
    vec![
        posted("abcDEF123456789", SealedKind::Key, None, None),
        posted("bbcDEF123456789", SealedKind::Words, ChatId::try_from("abcDEF123456789").ok(), picture),
    ]
}

/// Compares a record with the bytes in `golden/`.
fn golden<T: Record + Debug + PartialEq>(name: &str, record: &T) {
    let bytes = encode(record).unwrap();
    assert_eq!(committed(name, || bytes.clone()), bytes, "{name} is stored in another shape now");
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
        &Access { version: 3, spared: Some(TokenId(id(4))), revoked: vec![(TokenId(id(5)), 1_790_000_001)] },
    );
    golden("id", &IdRecord(AccountId(id(6))));
    golden("reset", &LinkRecord { account: AccountId(id(7)), expires: 1_790_000_002 });
    let note = NoteRecord {
        text: NoteText::try_from("a note of more than ten, with é and 🙂".to_owned()).unwrap(),
        date: 1_790_000_003,
        seen: true,
        tag: None,
    };
    assert_eq!(decode(&committed("note", Vec::new)).as_ref(), Ok(&note), "as 0.1.0 wrote it");
    let tag = Some(CameWith { tag: TagHash([21; 16]), day: 20_717 });
    golden("note-2", &NoteRecord { tag, ..note });
    golden(
        "answer",
        &AnswerRecord {
            note: NoteText::try_from("a note that is answered".to_owned()).unwrap(),
            text: AnswerText::try_from("with é and 🙂".to_owned()).unwrap(),
            date: 1_790_000_040,
        },
    );
    golden("publicity", &Publicity::Answered([21; 16]));
    golden("publicity-only-for-you", &Publicity::OnlyForYou);
    golden(
        "personal-page",
        &PersonalPage {
            line: PageLine::try_from("I play the cello").unwrap(),
            prompts: vec![Prompt::try_from("Ask me about music").unwrap()],
            only_for_you: true,
        },
    );
    let waiting = Some(Waiting { until: 1_790_001_000, notes: 2 });
    let mut inbox =
        InboxRecord { total: 8, unread: 9, last: 12, cleared: 4, in_batches: true, waiting, ..InboxRecord::default() };
    assert_eq!(decode(&committed("inbox", Vec::new)), Ok(inbox), "as 0.1.0 wrote it");
    inbox.shown.add(1_790_000_010, 7);
    inbox.shown.add(1_790_000_310, 3);
    inbox.shown.waits();
    inbox.turn = true;
    golden("inbox-2", &inbox);
    golden("day-of-tag", &DayRecord(20_717));
    let block = Block { id: id(22), tag: TagHash([23; 16]), date: 1_790_000_030, note: NoteId(id(24)) };
    let held_words = vec![HeldWord::try_from("héld 🙂".to_owned()).unwrap()];
    golden("shield", &Shield { paused: true, mode: Mode::Always, held_words, blocks: vec![block] });
    let line = |seq, from, text: Option<&str>, unsent| Line {
        seq: Seq(seq),
        id: ChatId::try_from("abcDEF123456789").unwrap(),
        from,
        at: 1_790_000_020 + seq,
        text: text.map(|text| LineText::try_from(text).unwrap()),
        unsent,
        reply_to: None,
        reactions: Vec::new(),
        reacted: Seq(0),
    };
    let mut conversation = Conversation {
        owner: AccountId(id(17)),
        note: NoteId(id(18)),
        words: NoteText::try_from("a note that asks for an answer".to_owned()).unwrap(),
        date: 1_790_000_020,
        lines: vec![line(1, Side::Sender, Some("héllo 🙂"), None), line(3, Side::Owner, None, Some(Seq(4)))],
        last: Seq(5),
        seen: [Mark { upto: Seq(1), seq: Seq(2) }, Mark::default()],
        closed: Some(Seq(5)),
        moved: 1_790_000_023,
    };
    let addition = |conversation: &Conversation| {
        let Conversation { lines, last, seen, moved, .. } = conversation;
        AdditionRecord { record: Seq(4), line: lines.first().cloned(), last: *last, seen: *seen, moved: *moved }
    };
    let older = |name| decode(&committed(name, Vec::new));
    let (record, first) = (HeadRecord::from(conversation.clone()), "before lines had reactions");
    assert_eq!(older("conversation"), Ok(record), "{first}");
    assert_eq!(decode(&committed("conversation-addition", Vec::new)), Ok(addition(&conversation)), "{first}");
    let (sign, first) = (Sign::try_from("❤️").unwrap(), &mut conversation.lines[0]);
    (first.reply_to, first.reacted) = (Some(Seq(1)), Seq(5));
    first.reactions = vec![Reaction { by: Side::Owner, sign }];
    assert_eq!(older("conversation-2"), Ok(HeadRecord::from(conversation.clone())), "before a line was a row");
    golden("conversation-addition-2", &addition(&conversation));
    for (name, line) in ["conversation-line", "conversation-line-unsent"].into_iter().zip(&conversation.lines) {
        golden(name, &LineRecord { line: line.clone(), standing: Standing::of(&conversation) });
    }
    golden("conversation-3", &HeadRecord::of(&conversation));
    golden(
        "conversations-begun",
        &BegunRecord(vec![(ConversationId(id(25)), 20_717), (ConversationId(id(26)), 20_718)]),
    );
    let (owner, proof) = (AccountId(id(17)), Proof([19; 32]));
    golden("conversation-door", &DoorRecord { owner, proof, place: [20; 16], moved: 1_790_000_023, is_open: true });
    golden(
        "feedback",
        &FeedbackRecord {
            text: FeedbackText::try_from("works, mostly".to_owned()).unwrap(),
            date: 1_790_000_004,
            has_picture: true,
        },
    );
    let quoted =
        |from: &str, time: &str, text: &str| Quoted { from: from.into(), time: time.into(), text: text.into() };
    let report = |about, words, closed| ReportRecord {
        date: 1_790_000_007,
        about,
        account: Some("Some-body".to_owned()),
        words,
        text: ReportText::try_from("this should not be here").unwrap(),
        closed,
    };
    let lines = vec![quoted("🦊", "18:05:09.042", "héllo 🙂"), quoted("owner", "2026-11-20 18:05:09", "two\nlines")];
    golden("report", &report(About::Conversation(Side::Sender), lines, Some(1_790_000_008)));
    golden("report-of-room", &report(About::Room("0123456789abcdef".to_owned()), Vec::new(), None));
    golden("report-of-page", &report(About::Page("/some-body".to_owned()), Vec::new(), None));
    golden("report-of-note", &report(About::Note, Vec::new(), None));
    let reason = SuspensionReason::try_from("spam").unwrap();
    golden("suspension", &Suspension { began: 1_790_000_009, until: 1_790_600_009, reason });
    golden("withheld", &WithheldRecord(1_790_600_009));
    let note = InvitationNote::try_from("for the choir").unwrap();
    golden("invitation", &Invitation { made: 1_790_000_009, until: 1_790_600_009, uses: 10, left: 3, note });
    let words = PauseWords::try_from("back at ten").unwrap();
    let subscription = Subscription {
        endpoint: Endpoint("https://push.example/device".to_owned()),
        key: BrowserKey(vec![4; 65]),
        secret: BrowserSecret([28; 16]),
        kinds: Kinds::from_iter([Kind::Note, Kind::Knock]),
        quiet: Quiet::new(1_320, 420),
        language: Language::De,
        added: 20_717,
    };
    let other = Subscription { quiet: None, language: Language::En, ..subscription.clone() };
    golden("subscriptions", &Subscriptions::from_iter([subscription, other]));
    golden(
        "inbox-seal",
        &InboxSeal {
            key: InboxKey::try_from(&*BASE64_URL_SAFE_NO_PAD.encode([4; 65])).unwrap(),
            wrapped: WrappedKey::try_from(&*BASE64_URL_SAFE_NO_PAD.encode([33; 166])).unwrap(),
            on: true,
            open_notes: true,
            handover: Some(Handover {
                wrapped: WrappedKey::try_from(&*BASE64_URL_SAFE_NO_PAD.encode([34; 40])).unwrap(),
                until: 1_790_000_300,
            }),
        },
    );
    golden(
        "digest",
        &Digest { language: Language::De, began: 1_790_000_010, since: 1_790_000_011, due: 1_790_000_012 },
    );
    golden("pause", &Pause { began: 1_790_000_009, words });
    let (report, feedback) = (Some(ReportId(id(25))), Some(FeedbackId(id(26))));
    golden("told", &Told { at: 1_790_000_009, waiting: telling::Waiting { report, feedback, damage: 2 } });
    golden("used", &Used { month: 690, told: Some(21_000) });
    let sign_in = SignIn {
        token: TokenId(id(29)),
        version: 2,
        browser: Browser::SamsungInternet,
        system: System::Android,
        began: 20_800,
        used: 20_801,
        expires: 1_790_000_009,
        is_unknown: true,
    };
    golden("sign-ins", &SignInsRecord(vec![sign_in]));
    golden("receipt", &Receipt { report: ReportId(id(25)), state: ReportState::LookedAt });
    golden("receipt-of", &ReceiptHash([27; 32]));
    golden("count", &Count(10));
    let room = RoomMetadata {
        id: RoomId(id(0)),
        name: RoomName::try_from("midnight tacos").unwrap(),
        owner: AccountId(id(11)),
        creator: Username::try_from("Some-body".to_owned()).unwrap(),
        created: 1_790_000_005,
        expires: 1_790_086_405,
        sealed: None,
    };
    let before = decode(&committed("room", Vec::new));
    assert_eq!(before, Ok(MetadataRecord::from(room.clone())), "as 0.1.0 wrote it");
    let sealed = SealedRoom { check: [28; 8], name: sealed_words() };
    golden("room-2", &MetadataRecord::from(RoomMetadata { sealed: Some(sealed), ..room }));
    golden("room-link", &RoomLink { room: RoomId(id(30)), has_ended: true });
    golden("room-links", &LinksRecord { made: vec![RoomId(id(31)), RoomId(id(32))], ends: 1_790_086_405 });
    golden("erasing", &ErasingRecord { messages: vec![Seq(14), Seq(15)], keys: vec![16] });
    golden("log", &LogRecord((1..).map(Seq).zip(every_event()).collect()));
    golden("log-reactions", &LogRecord((14..).map(Seq).zip(every_event_of_reactions()).collect()));
    golden("log-sealed", &LogRecord((21..).map(Seq).zip(every_sealed_event()).collect()));
    golden("log-knocks", &LogRecord((17..).map(Seq).zip(every_event_of_knocks()).collect()));
}
