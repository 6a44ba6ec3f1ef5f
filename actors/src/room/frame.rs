//! The frames a room's socket sends, and how a line of the room becomes a
//! frame. Stored events and frames have different types; this file converts.

use std::sync::Arc;

use annon_contract::code::Code;
use annon_store::account::Timestamp;
use annon_store::image::ImageId;
use annon_store::room::{Body, ChatId, Emoji, Millis, RoomId, Seq};
use annon_store::sealed::SealedKind;
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::room::line::{Line, LineKind, Notice};
use crate::room::machine::Room;
use crate::room::transcript::Transcript;
use crate::session::EncodedFrame;
use crate::session::frame::code_schema;

pub mod knocks;
pub mod reactions;

use reactions::Reactions;

/// The text that quotes a picture.
const PHOTO: &str = "Photo";

/// The text that quotes a sealed message.
const SEALED: &str = "Sealed";

/// The quoted message: its sender, text, `seq` and picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Quote(pub &'static str, pub Arc<str>, pub u64, pub String);

impl PartialSchema for Quote {
    fn schema() -> RefOr<Schema> {
        let item = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Integer]));
        let about = "The quoted message: its sender, its text (or `Photo`), its `seq`, and its picture's path or an empty string.";
        ArrayBuilder::new().items(item).min_items(Some(4)).max_items(Some(4)).description(Some(about)).into()
    }
}

impl ToSchema for Quote {}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChatFrame {
    /// `event.chat`, or `event.image` when there is a picture.
    #[schema(example = "event.chat", pattern = "^event\\.(chat|image)$")]
    pub event: &'static str,
    /// The id that its sender gave the message.
    #[schema(value_type = String)]
    pub id: ChatId,
    /// The sender's emoji.
    #[schema(example = "🦊")]
    pub sender: &'static str,
    /// The text; in a sealed group what the sender's browser has sealed, in base64url.
    #[schema(value_type = String)]
    pub message: Arc<str>,
    /// The caption of the picture.
    #[schema(value_type = String)]
    pub caption: Arc<str>,
    /// The path of the picture.
    pub image_src: Option<String>,
    /// The path of the picture's blurred preview.
    pub image_low: Option<String>,
    /// Width and height of the picture.
    #[schema(example = json!([1080, 720]))]
    pub image_size: Option<[u16; 2]>,
    /// The message that this one replies to.
    pub reply: Option<Quote>,
    /// `hh:mm:ss.fff`, UTC, by the server's clock.
    #[schema(example = "18:05:59.042", value_type = String)]
    pub time: ClockTime,
    /// Its place in the group's log.
    pub seq: u64,
    /// `key` if a sealed group's message announces the key that its sender signs with, otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "key", pattern = "^key$")]
    pub kind: Option<&'static str>,
    /// In a sealed group: the id of the message that this one answers, as its sender gave it. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub answers: Option<ChatId>,
    /// `true` if the message was unsent or removed, otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsent: bool,
    /// The reactions to the message; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Reactions>,
}

/// A notice to all members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NotifyFrame {
    /// Always `event.notify`.
    #[schema(example = "event.notify", pattern = "^event\\.notify$")]
    pub event: &'static str,
    /// What has changed.
    pub code: NoticeCode,
    /// Whose seat it is about, if it is about one.
    #[schema(example = "🦊")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<&'static str>,
    /// The notice in words.
    #[schema(example = "🦊 joined")]
    pub message: String,
    /// `hh:mm:ss.fff`, UTC, by the server's clock.
    #[schema(value_type = String)]
    pub time: ClockTime,
    /// Its place in the group's log.
    pub seq: u64,
}

/// What a notice tells, for a client that doesn't read its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NoticeCode {
    /// Somebody has a seat.
    Joined,
    /// Somebody has given up their seat.
    Left,
    /// The creator took somebody's seat.
    Removed,
    /// Nobody new can join.
    Locked,
    /// People can join again.
    Unlocked,
    /// Lines that were here are lost.
    Lost,
}

/// A message was unsent or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct UnsendFrame {
    /// Always `event.unsend`.
    #[schema(example = "event.unsend")]
    pub event: &'static str,
    /// The id that its sender gave the message. Two senders may use the same id,
    /// so find the message by `message_seq`.
    #[schema(value_type = String)]
    pub id: ChatId,
    /// The message's place in the group's log.
    pub message_seq: u64,
    /// The place of this frame in the group's log.
    pub seq: u64,
}

/// The members who are connected.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActiveUsersFrame {
    /// Always `event.active-users`.
    #[schema(example = "event.active-users")]
    pub event: &'static str,
    /// Their emoji.
    pub active_users: Vec<&'static str>,
}

/// A member is typing.
#[derive(Debug, Serialize, ToSchema)]
pub struct TypingFrame {
    /// Always `event.typing`.
    #[schema(example = "event.typing")]
    pub event: &'static str,
    /// The member's emoji.
    pub sender: &'static str,
}

/// From here on the client gets everything as it happens.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoomReadyFrame {
    /// Always `event.ready`.
    #[schema(example = "event.ready")]
    pub event: &'static str,
    /// The last `seq` in the group's log, or in the conversation.
    pub last_seq: u64,
    /// Whether everything after `since` was sent. If not, load the group or the conversation
    /// again.
    pub resumed: bool,
}

/// A frame of the client was refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusedFrame<'a> {
    /// Always `event.error`.
    #[schema(example = "event.error")]
    pub event: &'static str,
    /// The id of the refused message, if it had one.
    pub id: Option<&'a str>,
    /// Why.
    #[schema(schema_with = code_schema)]
    pub code: Code,
    /// A sentence to show to the user.
    pub message: &'static str,
}

/// A line of a group's history: a message or a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum LineFrame {
    /// A message.
    Chat(ChatFrame),
    /// A notice.
    Notify(NotifyFrame),
}

pub fn image_path(room: RoomId, image: ImageId) -> String {
    format!("/api/room/{}/image/{}", room.0, image.0)
}

/// A line for the history. A line that takes a message back is left out: it
/// only matters to clients that have shown the message.
pub(crate) fn history(transcript: &Transcript<'_>, line: &Line) -> Option<LineFrame> {
    match &line.kind {
        LineKind::Message(_) => chat(transcript, line).map(LineFrame::Chat),
        LineKind::Notice(notice) => Some(LineFrame::Notify(notify(*notice, line))),
        LineKind::Retracted(_) => None,
    }
}

pub(crate) fn is_shown(line: &Line) -> bool {
    !matches!(line.kind, LineKind::Retracted(_))
}

/// The frames that tell members of a line.
pub(crate) fn news(transcript: &Transcript<'_>, line: &Line) -> Vec<EncodedFrame> {
    match &line.kind {
        LineKind::Message(_) => chat(transcript, line).iter().map(EncodedFrame::of).collect(),
        LineKind::Retracted(message) => retraction(transcript.room, *message, line.seq).into_iter().collect(),
        LineKind::Notice(notice @ Notice::Kicked { seat, with_messages: true, .. }) => {
            let room = transcript.room;
            let theirs = room.messages_of(*seat).filter_map(|message| retraction(room, message, line.seq));
            let reactions = changed_at(room, line.seq).map(|message| reactions::as_they_are(room, message, line.seq));
            theirs.chain(reactions).chain([EncodedFrame::of(&notify(*notice, line))]).collect()
        }
        LineKind::Notice(notice) => vec![EncodedFrame::of(&notify(*notice, line))],
    }
}

/// How many frames `news` returns.
pub(crate) fn count(room: &Room, line: &Line) -> usize {
    match &line.kind {
        LineKind::Notice(Notice::Kicked { seat, with_messages: true, .. }) => {
            room.messages_of(*seat).count() + changed_at(room, line.seq).count() + 1
        }
        _ => 1,
    }
}

/// The messages whose reactions were last changed by the event at `seq`.
fn changed_at(room: &Room, seq: Seq) -> impl Iterator<Item = Seq> {
    let changes = room.reactions_changed_after(Seq(seq.0.saturating_sub(1)));
    changes.filter(move |(_, changed)| *changed == seq).map(|(message, _)| message)
}

fn retraction(room: &Room, message: Seq, seq: Seq) -> Option<EncodedFrame> {
    let id = room.message(message)?.id;
    let frame = UnsendFrame { event: "event.unsend", id, message_seq: message.0, seq: seq.0 };
    Some(EncodedFrame::of(&frame))
}

fn chat(transcript: &Transcript<'_>, line: &Line) -> Option<ChatFrame> {
    let about = line.message()?;
    let (body, reply_to) = transcript.content(line.seq, about)?;
    let path = |image: ImageId| image_path(transcript.id, image);
    let nothing = Arc::default;
    let (event, message, caption, image, low) = match body {
        Body::Text(words) => ("event.chat", words.shared(), nothing(), None, None),
        Body::Picture { image, tiny, caption } => ("event.image", nothing(), caption.shared(), Some(*image), *tiny),
        Body::Sealed { words, picture, .. } => {
            let (image, tiny) = picture.map_or((None, None), |(image, tiny)| (Some(image), tiny));
            let event = if image.is_some() { "event.image" } else { "event.chat" };
            (event, words.text().into(), nothing(), image, tiny)
        }
        Body::Gone => ("event.chat", nothing(), nothing(), None, None),
    };
    let (kind, answers) = match body {
        Body::Sealed { kind, answers, .. } => ((*kind == SealedKind::Key).then_some("key"), *answers),
        Body::Text(_) | Body::Picture { .. } | Body::Gone => (None, None),
    };
    Some(ChatFrame {
        event,
        id: about.id,
        sender: about.sender(),
        message,
        caption,
        image_src: image.map(path),
        image_low: low.map(path),
        image_size: image.and_then(ImageId::size).map(|(width, height)| [width, height]),
        reply: reply_to.and_then(|seq| quote(transcript, seq)),
        time: ClockTime(line.at),
        seq: line.seq.0,
        kind,
        answers,
        unsent: *body == Body::Gone,
        reactions: reactions::to(transcript.room, line.seq),
    })
}

/// Made again each time, so that a message that was taken back is no longer quoted.
fn quote(transcript: &Transcript<'_>, seq: Seq) -> Option<Quote> {
    let message = transcript.room.message(seq)?;
    let sender = message.sender();
    Some(match transcript.content(seq, message)?.0 {
        Body::Text(words) => Quote(sender, words.shared(), seq.0, String::new()),
        Body::Picture { image, tiny, .. } => {
            Quote(sender, PHOTO.into(), seq.0, image_path(transcript.id, tiny.unwrap_or(*image)))
        }
        // Only browsers with the key know the words.
        Body::Sealed { picture, .. } => {
            let shown = picture.map(|(image, tiny)| image_path(transcript.id, tiny.unwrap_or(image)));
            Quote(sender, SEALED.into(), seq.0, shown.unwrap_or_default())
        }
        Body::Gone => Quote(sender, Arc::default(), seq.0, String::new()),
    })
}

fn notify(notice: Notice, line: &Line) -> NotifyFrame {
    let (code, emoji, words) = match notice {
        Notice::Joined(emoji) => (NoticeCode::Joined, Some(emoji), "joined"),
        Notice::Left(emoji) => (NoticeCode::Left, Some(emoji), "left"),
        Notice::Kicked { emoji, .. } => (NoticeCode::Removed, Some(emoji), "was removed"),
        Notice::Locked(true) => (NoticeCode::Locked, None, "The group is locked: nobody new can join"),
        Notice::Locked(false) => (NoticeCode::Unlocked, None, "The group is open again"),
        Notice::Lost => (NoticeCode::Lost, None, "Some messages were lost here"),
    };
    let emoji = emoji.map(Emoji::as_str);
    let message = emoji.map_or_else(|| words.to_owned(), |emoji| format!("{emoji} {words}"));
    NotifyFrame { event: "event.notify", code, emoji, message, time: ClockTime(line.at), seq: line.seq.0 }
}

pub(crate) fn active_users(emojis: &[Emoji]) -> EncodedFrame {
    EncodedFrame::of(&ActiveUsersFrame {
        event: "event.active-users",
        active_users: emojis.iter().copied().map(Emoji::as_str).collect(),
    })
}

pub(crate) fn typing(emoji: Emoji) -> EncodedFrame {
    EncodedFrame::of(&TypingFrame { event: "event.typing", sender: emoji.as_str() })
}

pub(crate) fn ready(last: Seq, resumed: bool) -> EncodedFrame {
    EncodedFrame::of(&RoomReadyFrame { event: "event.ready", last_seq: last.0, resumed })
}

pub(crate) fn refused(id: Option<&str>, why: impl Into<Code>) -> EncodedFrame {
    let code = why.into();
    EncodedFrame::of(&RefusedFrame { event: "event.error", id, code, message: code.sentence() })
}

/// `hh:mm:ss.fff`, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime(Millis);

impl ClockTime {
    /// The second in which it is, since 1970.
    pub fn second(self) -> Timestamp {
        self.0.0 / 1000
    }
}

impl Serialize for ClockTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (seconds, millis) = (self.0.0 / 1000, self.0.0 % 1000);
        let [h, m, s] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
        serializer.collect_str(&format_args!("{h:02}:{m:02}:{s:02}.{millis:03}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_clock_strings_with_a_fraction() {
        let written = |at| serde_json::to_value(ClockTime(Millis(at))).unwrap();
        assert_eq!(written(0), "00:00:00.000");
        assert_eq!(written(86_399_999), "23:59:59.999");
        assert_eq!(written(86_400_042 + 3_661_000), "01:01:01.042");
    }
}
