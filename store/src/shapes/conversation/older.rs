//! Conversations as versions before a line was a row: a record with all lines, and up to sixteen additions to it. They
//! are read, and written as rows with their next change.

use serde::{Deserialize, Serialize};

use super::HeadRecord;
use crate::account::{AccountId, Timestamp};
use crate::conversation::{Conversation, Line, LineText, Mark, Side};
use crate::inbox::NoteId;
use crate::room::{ChatId, Seq};
use crate::text::NoteText;

impl From<Conversation> for HeadRecord {
    fn from(mut conversation: Conversation) -> Self {
        let older = Some(std::mem::take(&mut conversation.lines));
        Self { older, ..Self::of(&conversation) }
    }
}

/// What a change had added to a conversation since its record was written.
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

impl From<FirstConversation> for HeadRecord {
    fn from(first: FirstConversation) -> Self {
        let FirstConversation { owner, note, words, date, lines, last, seen, closed, moved } = first;
        let lines = lines.into_iter().map(Line::from).collect();
        Conversation { owner, note, words, date, lines, last, seen, closed, moved }.into()
    }
}

/// What a change had added with such a line.
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
    /// Adds what belongs to this record, the oldest first. What belongs to an older one is left out: the record has it,
    /// too.
    pub(crate) fn add_all(head: HeadRecord, mut lines: Vec<Line>, mut additions: Vec<Self>) -> Conversation {
        let mut standing = head.standing;
        additions.retain(|addition| addition.record == standing.last);
        additions.sort_by_key(|addition| addition.last);
        for Self { line, last, seen, moved, .. } in additions {
            if let Some(line) = line {
                match lines.iter_mut().find(|there| there.seq == line.seq) {
                    Some(there) => *there = line,
                    None => lines.push(line),
                }
            }
            (standing.last, standing.seen, standing.moved) = (last, seen, moved);
        }
        head.into_conversation(standing, lines)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_was_added_to_an_older_record_is_left_out() {
        let words = NoteText::try_from("a note that asks for an answer".to_owned()).unwrap();
        let begun = Conversation::new(AccountId(Uuid::nil()), NoteId(Uuid::nil()), words, 1_790_000_020);
        let line = |n, reacted| {
            let (id, text) = (ChatId::try_from(format!("{n:015}")).unwrap(), LineText::try_from("a line").unwrap());
            let (from, at, text) = (Side::Sender, 1_790_000_020 + n, Some(text));
            let (unsent, reply_to, reactions, reacted) = (None, None, Vec::new(), Seq(reacted));
            Line { seq: Seq(n), id, from, at, text, unsent, reply_to, reactions, reacted }
        };
        let addition = |record, line: Line, last| {
            let (record, moved) = (Seq(record), line.at);
            AdditionRecord { record, line: Some(line), last: Seq(last), seen: [Mark::default(); 2], moved }
        };
        let own = [(line(1, 0), 1), (line(2, 0), 2), (line(2, 3), 3)];
        let mut additions: Vec<_> = own.map(|(line, last)| addition(0, line, last)).into();
        additions.push(addition(9, line(7, 0), 10));
        // A later one was before it in the order of keys.
        additions.reverse();
        let now = AdditionRecord::add_all(HeadRecord::of(&begun), Vec::new(), additions);
        assert_eq!((now.lines, now.last, now.moved), (vec![line(1, 0), line(2, 3)], Seq(3), 1_790_000_022));
    }
}
