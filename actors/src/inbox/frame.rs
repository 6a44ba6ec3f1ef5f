//! The frames an inbox's socket sends.

use annon_store::account::Timestamp;
use annon_store::answer::Answer;
use annon_store::conversation::{ConversationId, Found};
use annon_store::inbox::Note;
use annon_store::room::RoomId;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::date_and_time;
use crate::conversation::frame::{ConversationItem, id_text};
use crate::room::Standing;
use crate::session::EncodedFrame;

/// A note as its owner sees it, in the list and on the socket.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteItem {
    /// The note's id, in the form of a UUID. It reveals nothing about the note.
    #[schema(format = Uuid)]
    pub id: String,
    /// The text; of a sealed one as it was sent.
    pub message: String,
    /// The target id that the note was sealed for; absent if it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Uuid, nullable = false)]
    pub sealed: Option<String>,
    /// Whether its owner has opened it.
    pub seen: bool,
    /// The minute in which the note arrived or its batch was delivered:
    /// `YYYY-MM-DD HH:MM:SS`, UTC. The seconds are always `00`.
    #[schema(example = "2026-11-20 18:05:00", pattern = r"^\d{4}-\d\d-\d\d \d\d:\d\d:00$")]
    pub date: String,
    /// The id of the conversation that it began; absent if its sender asks for no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub conversation: Option<String>,
    /// Whether its sender has said that it must not be published.
    pub only_for_you: bool,
    /// What its owner has answered in public; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub answer: Option<AnswerItem>,
    /// `true` if its owner has marked it with a star; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub starred: bool,
    /// `true` if its owner has archived it; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub archived: bool,
}

/// A public answer, as everybody reads it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnswerItem {
    /// The answer's id, as it is in its link: 16 bytes in base64url. It reveals nothing about the note.
    #[schema(example = "AAAAAAAAehwAAAAAAAAAAQ")]
    pub id: String,
    /// The note's text.
    pub note: String,
    /// What its owner has answered.
    pub answer: String,
    /// The minute in which it was published: `YYYY-MM-DD HH:MM:SS`, UTC.
    #[schema(example = "2026-11-20 18:05:00")]
    pub date: String,
}

impl From<&Answer> for AnswerItem {
    fn from(answer: &Answer) -> Self {
        let Answer { id, note, text, date } = answer;
        Self {
            id: BASE64_URL_SAFE_NO_PAD.encode(id.0),
            note: note.as_str().to_owned(),
            answer: text.as_str().to_owned(),
            date: date_and_time(*date),
        }
    }
}

impl From<&Note> for NoteItem {
    fn from(note: &Note) -> Self {
        let Note { id, text, date, seen, conversation, only_for_you, answer, starred, archived } = note;
        Self {
            id: id.0.to_string(),
            message: text.as_str().to_owned(),
            sealed: text.sealed_for().map(ToOwned::to_owned),
            seen: *seen,
            date: date_and_time(*date),
            conversation: conversation.map(id_text),
            only_for_you: *only_for_you,
            answer: answer.as_ref().map(AnswerItem::from),
            starred: *starred,
            archived: *archived,
        }
    }
}

/// The inbox has changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct InboxFrame {
    /// Always `event.inbox`.
    #[schema(example = "event.inbox")]
    pub event: &'static str,
    /// The number of unread notes in the whole inbox.
    pub unread: u32,
    /// The new note, if one has arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<NoteItem>,
    /// `true` if the list has changed in another way: notes were deleted or archived, or a
    /// batch was delivered. Load the list again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub reload: bool,
}

/// One of the owner's groups has changed. It comes at most once a second for each group, with the newest numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnRoomFrame {
    /// Always `event.room`.
    #[schema(example = "event.room")]
    pub event: &'static str,
    /// The group's id.
    #[schema(format = Uuid)]
    pub id: String,
    /// Who and what is in the group now. It is left out once the group has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Standing>, nullable = false)]
    pub standing: Option<Standing>,
}

/// One of the owner's conversations has changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnConversationFrame {
    /// Always `event.conversation`.
    #[schema(example = "event.conversation")]
    pub event: &'static str,
    /// The conversation's id.
    pub id: String,
    /// The conversation as the list has it. It is left out once the conversation has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub data: Option<ConversationItem>,
}

/// From here on the server sends every change. Load the lists now.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadyFrame {
    /// Always `event.ready`.
    #[schema(example = "event.ready")]
    pub event: &'static str,
}

pub(crate) fn changed(unread: u32, note: Option<&Note>, reload: bool) -> EncodedFrame {
    EncodedFrame::of(&InboxFrame { event: "event.inbox", unread, note: note.map(NoteItem::from), reload })
}

pub(crate) fn own_room(room: RoomId, standing: Option<Standing>) -> EncodedFrame {
    EncodedFrame::of(&OwnRoomFrame { event: "event.room", id: room.0.to_string(), standing })
}

pub(crate) fn ready() -> EncodedFrame {
    EncodedFrame::of(&ReadyFrame { event: "event.ready" })
}

pub(super) fn own_conversation(id: ConversationId, found: Option<&Found>, now: Timestamp) -> EncodedFrame {
    let data = found.map(|found| ConversationItem::of(found, now));
    EncodedFrame::of(&OwnConversationFrame { event: "event.conversation", id: id_text(id), data })
}
