//! The lines of a room: messages, and notices to everybody.

use annon_contract::palette::UNKNOWN_MEMBER;
use annon_store::invariant;
use annon_store::room::{Body, ChatId, Emoji, Millis, SeatNumber, Seq};

/// A line of the room: a message, a notice, or that a message was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub seq: Seq,
    pub at: Millis,
    pub kind: LineKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineKind {
    Message(Message),
    /// A message was taken back. Only clients that have shown it need this.
    Retracted(Seq),
    Notice(Notice),
}

/// A message. Everything that later decisions need is here, so that its text
/// may be in the log only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub seat: SeatNumber,
    /// Its sender's; `None` if a damaged log has lost who had the seat.
    pub emoji: Option<Emoji>,
    /// The id that its sender gave it.
    pub id: ChatId,
    /// Whether it was taken back.
    pub is_gone: bool,
    /// The bytes of its text.
    words: u16,
    /// Its text or picture; `None` if that is in the log only.
    pub(super) content: Option<Box<Content>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The words, or the picture.
    pub body: Body,
    /// The message that this one replies to.
    pub reply_to: Option<Seq>,
}

/// What all members are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    Joined(Emoji),
    Left(Emoji),
    /// The creator removed a member.
    Kicked {
        seat: SeatNumber,
        emoji: Emoji,
        /// Whether the member's messages were removed, too.
        with_messages: bool,
    },
    /// The room is locked, or open again.
    Locked(bool),
    /// Lines that were here are missing from a damaged log.
    Lost,
}

impl Line {
    pub fn message(&self) -> Option<&Message> {
        if let LineKind::Message(message) = &self.kind { Some(message) } else { None }
    }

    pub(super) fn message_mut(&mut self) -> Option<&mut Message> {
        if let LineKind::Message(message) = &mut self.kind { Some(message) } else { None }
    }
}

impl Message {
    pub(super) fn new(seat: SeatNumber, emoji: Option<Emoji>, id: ChatId, content: Content) -> Self {
        let is_gone = content.body == Body::Gone;
        let words = u16::try_from(words_of(&content.body));
        invariant!(words.is_ok(), "both kinds of text have a length that fits");
        Self { seat, emoji, id, is_gone, words: words.unwrap_or(u16::MAX), content: Some(Box::new(content)) }
    }

    /// How members see its sender.
    pub fn sender(&self) -> &'static str {
        self.emoji.map_or(UNKNOWN_MEMBER, Emoji::as_str)
    }

    /// Its text or picture, while that is in memory.
    pub fn content(&self) -> Option<&Content> {
        self.content.as_deref()
    }

    /// The bytes of its text, in memory or not.
    pub(super) fn words(&self) -> usize {
        usize::from(self.words)
    }

    /// Takes the message back. The shell removes its text from the log, too.
    pub(super) fn retract(&mut self) {
        self.is_gone = true;
        self.words = 0;
        if let Some(content) = &mut self.content {
            content.body = Body::Gone;
        }
    }
}

fn words_of(body: &Body) -> usize {
    match body {
        Body::Text(words) => words.as_str().len(),
        Body::Picture { caption, .. } => caption.as_str().len(),
        Body::Sealed { words, .. } => words.bytes(),
        Body::Gone => 0,
    }
}
