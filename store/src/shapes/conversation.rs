//! The records beside a conversation's own on disk: the changes since that was written, and
//! the lists that name the conversation. The order of fields is on disk, too.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::CountsAs;
use crate::conversation::{Conversation, ConversationId, Door, Line, LineText, Mark, Proof, Side, expires};
use crate::error::Result;
use crate::inbox::NoteId;
use crate::inbox::place::NotePlace;
use crate::room::{ChatId, Seq};
use crate::shapes::encode;
use crate::shield::day_of;
use crate::table::{Table, key};
use crate::text::NoteText;

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

/// What a change has added to a conversation since its record was written. So a line costs
/// the same however many were said before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AdditionRecord {
    /// The last change in the record that this is added to.
    pub(crate) record: Seq,
    /// The line that was said or has other reactions, if there is one.
    pub(crate) line: Option<Line>,
    pub(crate) last: Seq,
    pub(crate) seen: [Mark; 2],
    pub(crate) moved: Timestamp,
}

/// A line as it was before lines could answer others and have reactions.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstLine {
    seq: Seq,
    id: ChatId,
    from: Side,
    at: Timestamp,
    text: Option<LineText>,
    unsent: Option<Seq>,
}

impl From<FirstLine> for Line {
    fn from(FirstLine { seq, id, from, at, text, unsent }: FirstLine) -> Self {
        Self { seq, id, from, at, text, unsent, reply_to: None, reactions: Vec::new(), reacted: Seq(0) }
    }
}

/// The record of a conversation with such lines.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstConversation {
    owner: AccountId,
    note: NoteId,
    words: NoteText,
    date: Timestamp,
    lines: Vec<FirstLine>,
    last: Seq,
    seen: [Mark; 2],
    closed: Option<Seq>,
    moved: Timestamp,
}

impl From<FirstConversation> for Conversation {
    fn from(first: FirstConversation) -> Self {
        let FirstConversation { owner, note, words, date, lines, last, seen, closed, moved } = first;
        let lines = lines.into_iter().map(Line::from).collect();
        Self { owner, note, words, date, lines, last, seen, closed, moved }
    }
}

/// What a change has added with such a line.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstAdditionRecord {
    record: Seq,
    line: Option<FirstLine>,
    last: Seq,
    seen: [Mark; 2],
    moved: Timestamp,
}

impl From<FirstAdditionRecord> for AdditionRecord {
    fn from(FirstAdditionRecord { record, line, last, seen, moved }: FirstAdditionRecord) -> Self {
        Self { record, line: line.map(Line::from), last, seen, moved }
    }
}

impl AdditionRecord {
    /// What the last change of a conversation has added: a line, or other reactions to one.
    pub(crate) fn of(conversation: &Conversation, record: Seq) -> Self {
        let Conversation { lines, last, seen, moved, .. } = conversation;
        let line = lines.iter().rev().find(|line| line.seq == *last || line.reacted == *last).cloned();
        Self { record, line, last: *last, seen: *seen, moved: *moved }
    }

    /// Adds what belongs to this record, the oldest first, and returns how many that were. What belongs to an older
    /// one is left out: the record has it, too.
    pub(crate) fn add_all(
        conversation: &mut Conversation,
        additions: impl Iterator<Item = Result<Option<Self>>>,
    ) -> Result<usize> {
        let mut own = Vec::new();
        for addition in additions {
            own.extend(addition?.filter(|addition| addition.record == conversation.last));
        }
        own.sort_by_key(|addition| addition.last);
        let added = own.len();
        for Self { line, last, seen, moved, .. } in own {
            if let Some(line) = line {
                match conversation.lines.iter_mut().find(|there| there.seq == line.seq) {
                    Some(there) => *there = line,
                    None => conversation.lines.push(line),
                }
            }
            (conversation.last, conversation.seen, conversation.moved) = (last, seen, moved);
        }
        Ok(added)
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::conversation::Change;
    use crate::room::Sign;

    #[test]
    fn what_was_added_to_an_older_record_is_left_out() {
        let words = NoteText::try_from("a note that asks for an answer".to_owned()).unwrap();
        let begun = Conversation::new(AccountId(Uuid::nil()), NoteId(Uuid::nil()), words, 1_790_000_020);
        let (mut now, mut additions) = (begun.clone(), Vec::new());
        for n in 1..=3 {
            let id = ChatId::try_from(format!("{n:015}")).unwrap();
            let text = LineText::try_from(&*format!("line {n}")).unwrap();
            now.change(&Change::Say { from: Side::Sender, id, text, reply_to: None }, 1_790_000_020 + n).unwrap();
            additions.push(AdditionRecord::of(&now, begun.last));
        }
        let sign = Sign::try_from("❤️").unwrap();
        now.change(&Change::React { by: Side::Owner, line: Seq(2), sign, on: true }, 1_790_000_030).unwrap();
        additions.push(AdditionRecord::of(&now, begun.last));
        let mut read = begun;
        // A later one is before it in the order of keys.
        let all = || additions.iter().rev().map(|addition| Ok(Some(addition.clone())));
        assert_eq!(AdditionRecord::add_all(&mut read, all()), Ok(4));
        assert_eq!(read, now);
        assert_eq!(AdditionRecord::add_all(&mut read, all()), Ok(0), "it was written anew meanwhile");
        assert_eq!(read, now);
    }
}
