//! What stands in a room: messages, and what everybody should know.

use annon_store::room::{Body, ChatId, Emoji, Millis, SeatNumber, Seq};

/// A line of the room: something said, or something everybody should know.
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
    TakenBack(Seq),
    Notice(Notice),
}

/// A message. Everything that later decisions need stands here, so that its
/// words may be in the log only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub seat: SeatNumber,
    pub emoji: Emoji,
    /// The sender's own name for it.
    pub id: ChatId,
    /// Whether it was taken back.
    pub is_gone: bool,
    /// Bytes of its words.
    words: u16,
    /// What it says; `None` when that is in the log only.
    pub(super) content: Option<Box<Content>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The words, or the picture.
    pub body: Body,
    /// The message it answers.
    pub reply_to: Option<Seq>,
}

/// What everybody should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    Joined(Emoji),
    Left(Emoji),
    /// Somebody was sent out.
    Kicked {
        seat: SeatNumber,
        emoji: Emoji,
        /// Whether what they said went with them.
        with_messages: bool,
    },
    /// The door is locked, or open again.
    Locked(bool),
    /// Lines that were here are missing from a damaged log.
    Lost,
}

impl Line {
    pub fn message(&self) -> Option<&Message> {
        if let LineKind::Message(message) = &self.kind { Some(message) } else { None }
    }

    /// The message, to change it.
    pub(super) fn message_mut(&mut self) -> Option<&mut Message> {
        if let LineKind::Message(message) = &mut self.kind { Some(message) } else { None }
    }
}

impl Message {
    pub(super) fn new(seat: SeatNumber, emoji: Emoji, id: ChatId, content: Content) -> Self {
        let is_gone = content.body == Body::Gone;
        // Both kinds of words have a length that fits.
        let words = u16::try_from(words_of(&content.body)).unwrap_or(u16::MAX);
        Self { seat, emoji, id, is_gone, words, content: Some(Box::new(content)) }
    }

    /// What it says, while that is in memory.
    pub fn content(&self) -> Option<&Content> {
        self.content.as_deref()
    }

    /// Bytes of its words, wherever they are.
    pub(super) fn words(&self) -> usize {
        usize::from(self.words)
    }

    /// Takes the message back: its words go, here and wherever else they are.
    pub(super) fn take_back(&mut self) {
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
        Body::Gone => 0,
    }
}
