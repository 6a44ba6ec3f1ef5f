//! The records of a conversation on disk, and the lists that name it. The order of fields is on disk, too.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::CountsAs;
use crate::conversation::{Conversation, ConversationId, Door, Line, Mark, Proof, expires};
use crate::error::Result;
use crate::inbox::NoteId;
use crate::inbox::place::NotePlace;
use crate::room::Seq;
use crate::shapes::encode;
use crate::shield::day_of;
use crate::table::{Table, key};
use crate::text::NoteText;

pub(crate) mod older;

/// Who may enter a conversation, and where it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DoorRecord {
    pub(crate) owner: AccountId,
    pub(crate) proof: Proof,
    /// The place of its note in the owner's inbox.
    pub(crate) place: [u8; 16],
    /// When its last line was said, or its note came.
    pub(crate) moved: Timestamp,
    pub(crate) is_open: bool,
}

impl DoorRecord {
    /// Whether its note was held back or dropped, so that its owner must not know of it.
    pub(crate) fn is_held(&self) -> bool {
        NotePlace::of(self.place).is_held()
    }
}

impl From<DoorRecord> for Door {
    fn from(DoorRecord { owner, proof, .. }: DoorRecord) -> Self {
        Self { owner, proof }
    }
}

/// How a conversation stands after a change. It is in the row that was written for the change, so a line is one row,
/// and what is in the row with the last change counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) last: Seq,
    pub(crate) seen: [Mark; 2],
    pub(crate) moved: Timestamp,
    /// How many lines there are.
    pub(crate) lines: u32,
    /// The sum of the numbers of their last changes: with the rows of another moment it is another one.
    pub(crate) sum: u64,
}

impl Standing {
    pub(crate) fn of(conversation: &Conversation) -> Self {
        let Conversation { ref lines, last, seen, moved, .. } = *conversation;
        let sum = lines.iter().map(|line| line.changed().0).sum();
        Self { last, seen, moved, lines: u32::try_from(lines.len()).unwrap_or(u32::MAX), sum }
    }
}

/// A line of a conversation, in the row of its last change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineRecord {
    pub(crate) line: Line,
    pub(crate) standing: Standing,
}

/// A conversation but for its lines: each of these is a row of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HeadRecord {
    pub(crate) owner: AccountId,
    pub(crate) note: NoteId,
    pub(crate) words: NoteText,
    pub(crate) date: Timestamp,
    pub(crate) closed: Option<Seq>,
    pub(crate) standing: Standing,
    /// The lines, if an older version has written this: it had them in here.
    #[serde(skip)]
    pub(crate) older: Option<Vec<Line>>,
}

impl HeadRecord {
    pub(crate) fn of(conversation: &Conversation) -> Self {
        let Conversation { owner, note, ref words, date, closed, .. } = *conversation;
        Self { owner, note, words: words.clone(), date, closed, standing: Standing::of(conversation), older: None }
    }

    /// The conversation with its lines. The rows were read one after the other: also says whether they are of one moment.
    pub(crate) fn with(self, rows: Vec<LineRecord>) -> (Conversation, bool) {
        let standings = rows.iter().map(|row| row.standing).chain([self.standing]);
        let standing = standings.max_by_key(|standing| standing.last).unwrap_or(self.standing);
        let conversation = self.into_conversation(standing, rows.into_iter().map(|row| row.line).collect());
        let is_of_one_moment = Standing::of(&conversation) == standing;
        (conversation, is_of_one_moment)
    }

    /// The conversation with these lines, as it stands after their last change.
    pub(crate) fn into_conversation(self, standing: Standing, lines: Vec<Line>) -> Conversation {
        let (Self { owner, note, words, date, closed, .. }, Standing { last, seen, moved, .. }) = (self, standing);
        Conversation { owner, note, words, date, lines, last, seen, closed, moved }
    }
}

/// Which conversations of an inbox were begun with a tag, and on which day. They may have ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BegunRecord(pub(crate) Vec<(ConversationId, u32)>);

impl BegunRecord {
    pub(crate) fn ids(&self) -> impl Iterator<Item = ConversationId> {
        self.0.iter().map(|(id, _)| *id)
    }

    /// Notes that a conversation begins, and forgets all but those that are `left`.
    pub(crate) fn begin(&mut self, id: ConversationId, now: Timestamp, left: &[ConversationId]) {
        self.0.retain(|(id, _)| left.contains(id));
        self.0.push((id, day_of(now)));
    }

    /// Forgets those that were begun before a day.
    pub(crate) fn forget_before(&mut self, first: u32) {
        self.0.retain(|(_, day)| *day >= first);
    }
}

pub(crate) fn door_key(id: ConversationId) -> Vec<u8> {
    key(Table::ConversationDoor, &[id.0.as_bytes()])
}

/// Under its owner, in the order in which conversations moved.
pub(crate) fn of_owner_key(owner: AccountId, moved: Timestamp, id: ConversationId) -> Vec<u8> {
    key(Table::ConversationOf, &[owner.0.as_bytes(), &moved.to_be_bytes(), id.0.as_bytes()])
}

/// The same for those that their owner must not know of.
fn hidden_key(owner: AccountId, moved: Timestamp, id: ConversationId) -> Vec<u8> {
    key(Table::HiddenConversation, &[owner.0.as_bytes(), &moved.to_be_bytes(), id.0.as_bytes()])
}

pub(crate) fn expiry_key(moved: Timestamp, id: ConversationId) -> Vec<u8> {
    key(Table::ConversationExpiry, &[&expires(moved).to_be_bytes(), id.0.as_bytes()])
}

pub(crate) fn of_note_key(owner: AccountId, place: &[u8; 16]) -> Vec<u8> {
    key(Table::ConversationOfNote, &[owner.0.as_bytes(), place])
}

/// Where it is counted how many of an inbox count as this; `None` if it isn't.
pub(crate) fn count_key(owner: AccountId, counts_as: CountsAs) -> Option<Vec<u8>> {
    match counts_as {
        CountsAs::Answered => Some(key(Table::OpenConversations, &[owner.0.as_bytes()])),
        CountsAs::Unanswered => Some(key(Table::OpenConversations, &[owner.0.as_bytes(), &[0]])),
        CountsAs::Hidden => Some(key(Table::OpenConversations, &[owner.0.as_bytes(), &[1]])),
        CountsAs::Closed => None,
    }
}

/// Under its owner, in the order in which those moved that nobody has answered.
pub(crate) fn unanswered_key(owner: AccountId, moved: Timestamp, id: ConversationId) -> Vec<u8> {
    key(Table::UnansweredConversation, &[owner.0.as_bytes(), &moved.to_be_bytes(), id.0.as_bytes()])
}

/// Where a conversation is listed by when its last line was said.
pub(crate) fn by_time(id: ConversationId, door: &DoorRecord, counts_as: CountsAs) -> Vec<Vec<u8>> {
    let DoorRecord { owner, moved, .. } = *door;
    let of_owner = if door.is_held() { hidden_key(owner, moved, id) } else { of_owner_key(owner, moved, id) };
    let mut by_time = vec![expiry_key(moved, id), of_owner];
    if counts_as == CountsAs::Unanswered {
        by_time.push(unanswered_key(owner, moved, id));
    }
    by_time
}

/// What is beside a conversation, with where it is.
pub(crate) fn listed(id: ConversationId, door: &DoorRecord, counts_as: CountsAs) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut listed: Vec<_> = by_time(id, door, counts_as).into_iter().map(|at| (at, Vec::new())).collect();
    listed.push((door_key(id), encode(door)?));
    listed.push((of_note_key(door.owner, &door.place), id.0.as_bytes().to_vec()));
    Ok(listed)
}
