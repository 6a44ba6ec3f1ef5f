//! Conversations as both sides see them, in lists and on sockets.

use annon_store::account::Timestamp;
use annon_store::conversation::{Conversation, ConversationId, Found, Line, Reaction, Side};
use annon_store::inbox::to_the_minute;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::date_and_time;
use crate::session::EncodedFrame;

/// Who of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// Whose inbox the note came to.
    Owner,
    /// Who sent it.
    Sender,
}

impl From<Side> for SideName {
    fn from(side: Side) -> Self {
        match side {
            Side::Owner => Self::Owner,
            Side::Sender => Self::Sender,
        }
    }
}

/// A line of a conversation.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineItem {
    /// Its number among all that has happened in the conversation.
    pub seq: u64,
    /// The id that its side gave it.
    #[schema(example = "abcDEF123456789")]
    pub id: String,
    /// Who said it.
    pub from: SideName,
    /// The text; empty if it was unsent.
    pub message: String,
    /// When it was said: `YYYY-MM-DD HH:MM:SS`, UTC.
    #[schema(example = "2026-11-20 18:05:09")]
    pub time: String,
    /// Whether the other side has seen it.
    pub seen: bool,
    /// `true` if it was unsent, otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub unsent: bool,
    /// The line that it answers; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reply: Option<QuotedLine>,
    /// What both sides think of it; absent if nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub reactions: Vec<LineReactions>,
}

/// A line that another one answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuotedLine {
    /// Its `seq`.
    pub seq: u64,
    /// Who said it.
    pub from: SideName,
    /// The text; empty if it was unsent.
    pub message: String,
}

/// The reactions to a line with one emoji.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineReactions {
    #[schema(example = "👍")]
    pub emoji: &'static str,
    /// Whose they are, in the order in which they came.
    pub from: Vec<SideName>,
}

/// The reactions to a line, in the order in which each emoji came first.
fn reactions_to(line: &Line) -> Vec<LineReactions> {
    let mut all: Vec<LineReactions> = Vec::new();
    for Reaction { by, sign } in &line.reactions {
        let (emoji, by) = (sign.as_str(), (*by).into());
        match all.iter_mut().find(|others| others.emoji == emoji) {
            Some(others) => others.from.push(by),
            None => all.push(LineReactions { emoji, from: vec![by] }),
        }
    }
    all
}

fn words_of(line: &Line) -> String {
    line.text.as_ref().map_or_else(String::new, |text| text.as_str().to_owned())
}

/// The reactions to a line have changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReactedFrame {
    /// Always `event.react`.
    #[schema(example = "event.react")]
    pub event: &'static str,
    /// The line's `seq`.
    pub line: u64,
    /// All reactions to it that are there now.
    pub reactions: Vec<LineReactions>,
    /// The number of this change.
    pub seq: u64,
}

pub(super) fn reacted(line: &Line) -> EncodedFrame {
    let (seq, reactions) = (line.reacted.0, reactions_to(line));
    EncodedFrame::of(&ReactedFrame { event: "event.react", line: line.seq.0, reactions, seq })
}

impl LineItem {
    pub fn of(conversation: &Conversation, line: &Line, now: Timestamp) -> Self {
        let Line { seq, id, from, at, text: _, unsent, reply_to, reactions: _, reacted: _ } = line;
        let quoted = reply_to.and_then(|quoted| conversation.lines.iter().find(|line| line.seq == quoted));
        Self {
            seq: seq.0,
            id: id.as_str().to_owned(),
            from: (*from).into(),
            message: words_of(line),
            // While the note waits for its batch, its lines are of the time to come.
            time: date_and_time((*at).min(now)),
            seen: conversation.seen_by(from.other()).upto >= *seq,
            unsent: unsent.is_some(),
            reply: quoted.filter(|_| unsent.is_none()).map(|quoted| QuotedLine {
                seq: quoted.seq.0,
                from: quoted.from.into(),
                message: words_of(quoted),
            }),
            reactions: reactions_to(line),
        }
    }
}

/// The note that a conversation began with.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstNote {
    /// The note's id, for the owner; absent for the sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Uuid, nullable = false)]
    pub id: Option<String>,
    /// The text; of a sealed one as it was sent.
    pub message: String,
    /// The target id that the note was sealed for; absent if the note is open. The lines below a sealed note are sealed, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Uuid, nullable = false)]
    pub sealed: Option<String>,
    /// The minute in which the note arrived or its batch was delivered.
    #[schema(example = "2026-11-20 18:05:00")]
    pub date: String,
}

impl FirstNote {
    pub fn of(conversation: &Conversation, side: Side, now: Timestamp) -> Self {
        Self {
            id: (side == Side::Owner).then(|| conversation.note.0.to_string()),
            message: conversation.words.as_str().to_owned(),
            sealed: conversation.words.sealed_for().map(ToOwned::to_owned),
            date: date_and_time(conversation.date.min(to_the_minute(now))),
        }
    }
}

/// A conversation in its owner's list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationItem {
    /// The conversation's id.
    #[schema(example = "AAAAAAAAehwAAAAAAAAAAQ")]
    pub id: String,
    /// The note that it began with.
    pub note: FirstNote,
    /// The last line that was not unsent; `null` if there is none.
    pub last: Option<LineItem>,
    /// How many of the sender's lines the owner has not seen.
    pub unread: usize,
    /// Whether something can be said in it.
    pub open: bool,
    /// When it ends if nothing more is said: `YYYY-MM-DD HH:MM:SS`, UTC.
    #[schema(example = "2026-12-20 18:05:09")]
    pub expires: String,
}

impl ConversationItem {
    pub fn of(Found { id, conversation, .. }: &Found, now: Timestamp) -> Self {
        let last = conversation.lines.iter().rev().find(|line| line.text.is_some());
        Self {
            id: id_text(*id),
            note: FirstNote::of(conversation, Side::Owner, now),
            last: last.map(|line| LineItem::of(conversation, line, now)),
            unread: conversation.unread_by(Side::Owner),
            open: conversation.is_open(),
            expires: date_and_time(conversation.expires()),
        }
    }
}

/// The id as it stands in links and calls.
pub fn id_text(id: ConversationId) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(id.0.as_bytes())
}

/// Somebody has said something.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaidFrame {
    /// Always `event.line`.
    #[schema(example = "event.line")]
    pub event: &'static str,
    /// The line.
    #[serde(flatten)]
    pub line: LineItem,
    /// When the conversation ends now if nothing more is said.
    pub expires: String,
}

/// One side has seen what the other has said.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeenFrame {
    /// Always `event.seen`.
    #[schema(example = "event.seen")]
    pub event: &'static str,
    /// Who has seen it.
    pub from: SideName,
    /// They have seen all lines of the other side up to the one with this `seq`.
    pub upto: u64,
    /// The number of this change.
    pub seq: u64,
}

/// A line was unsent.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineUnsentFrame {
    /// Always `event.unsend`.
    #[schema(example = "event.unsend")]
    pub event: &'static str,
    /// The `seq` of the line.
    pub line: u64,
    /// The number of this change.
    pub seq: u64,
}

/// One side is writing something. It is said at most every two seconds, and kept nowhere.
#[derive(Debug, Serialize, ToSchema)]
pub struct WritingFrame {
    /// Always `event.typing`.
    #[schema(example = "event.typing")]
    pub event: &'static str,
    /// Who is writing: the other side.
    pub from: SideName,
}

pub(super) fn writing(from: Side) -> EncodedFrame {
    EncodedFrame::of(&WritingFrame { event: "event.typing", from: from.into() })
}

/// The owner has closed the conversation: it can be read, and nothing more can be said.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenFrame {
    /// Always `event.open`.
    #[schema(example = "event.open")]
    pub event: &'static str,
    /// Always `false`.
    pub open: bool,
    /// The number of this change.
    pub seq: u64,
}
