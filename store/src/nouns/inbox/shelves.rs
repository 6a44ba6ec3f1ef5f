//! Where notes are listed: in the inbox or, once archived, behind it, in a range of places of its own. So a page of
//! either is one range of keys, however many notes the other has. Stars are rows beside the notes, in the same order.

use super::{keep_inbox, note, shown_note, sweeping, tell, wants_of_note};
use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Changed, Flags, Note, NoteId, Page, Shelf};
use crate::nouns::Common;
use crate::nouns::answer::{answer_at, answer_of};
use crate::nouns::conversation::of_note;
use crate::rows::{Call, Effect, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::answer::{Publicity, publicity_key};
use crate::shapes::conversation::of_note_key;
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::table::{Table, account_key, answer_key, inbox_key, key, note_key, starred_key};

pub(super) struct SetFlags {
    pub(super) owner: AccountId,
    pub(super) place: NotePlace,
    pub(super) flags: Flags,
    pub(super) now: Timestamp,
}

impl Call for SetFlags {
    type Out = u32;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        wants_of_note(self.owner, self.place)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<u32> {
        let Self { owner, place, flags: Flags { starred, archived }, now } = *self;
        let (mut inbox, at, record) = shown_note(rows, owner, place, now).await?;
        if let Some(archived) = archived.filter(|archived| *archived != at.is_archived()) {
            let to = if archived { place.archived() } else { place };
            rows.put_sealed(Owner::Inbox(owner.0), note_key(owner, to), &record).await?;
            rows.remove(note_key(owner, at));
            if !record.seen {
                inbox.unread_archived(archived);
            }
        }
        match starred {
            Some(true) => rows.put(starred_key(owner, place), Vec::new()),
            Some(false) => rows.remove(starred_key(owner, place)),
            None => {}
        }
        keep_inbox(rows, owner, inbox).await?;
        tell(rows, owner, inbox.unread, Changed::List);
        Ok(inbox.unread)
    }
}

/// The notes of a page, with the places where they are, as long as there are some in the span.
async fn notes_in<R: Reads>(
    rows: &R,
    owner: AccountId,
    shelf: Shelf,
    span: Span,
    limit: usize,
) -> Result<Vec<(NotePlace, NoteRecord)>> {
    if shelf != Shelf::Starred {
        let notes: Vec<(Vec<u8>, NoteRecord)> = rows.page_of("note", span, limit).await?;
        return notes.into_iter().map(|(at, record)| Ok((NotePlace::at_end_of(&at)?, record))).collect();
    }
    let (mut notes, mut span) = (Vec::new(), span);
    while notes.len() < limit {
        let wanted = limit - notes.len();
        let stars = rows.range(span.clone(), wanted).await?;
        let places = stars.iter().map(|(at, _)| NotePlace::at_end_of(at)).collect::<Result<Vec<_>>>()?;
        let either = places.iter().flat_map(|place| [*place, place.archived()]);
        rows.fetch(Wants::rows(either.map(|at| note_key(owner, at)))).await?;
        for place in places {
            match note(rows, owner, place).await {
                Ok(found) => notes.push(found),
                // One that can't be read must not hide the others.
                Err(StoreError::NotFound | StoreError::Corrupt) => {}
                Err(error) => return Err(error),
            }
        }
        match stars.last() {
            Some((last, _)) if stars.len() == wanted => span = span.behind(last),
            _ => break,
        }
    }
    Ok(notes)
}

/// The newest notes of a shelf, or those before a place.
pub(super) async fn page<R: Reads>(
    rows: &R,
    common: &Common,
    owner: AccountId,
    shelf: Shelf,
    before: Option<NoteId>,
    limit: usize,
    now: Timestamp,
) -> Result<Page> {
    let mut page = Page { notes: Vec::new(), unread: 0 };
    // The record is read before the notes, so that every note that is shown
    // is counted. When an account is deleted, its record goes first.
    let Some(mut inbox) = rows.record::<InboxRecord>(&inbox_key(owner)).await? else { return Ok(page) };
    inbox.settle(now);
    page.unread = inbox.unread;
    let hidden = NotePlace::first(inbox.hidden_from());
    let before = before.map(|note| common.note_ids.place(note)).transpose()?;
    let end = before.map_or(hidden, |before| before.min(hidden));
    let (first, table) =
        (sweeping::first_left(inbox), if shelf == Shelf::Starred { Table::Starred } else { Table::Note });
    let [from, to] = [first, end.max(first)].map(|place| {
        let place = if shelf == Shelf::Archive { place.archived() } else { place };
        key(table, &[owner.0.as_bytes(), place.bytes()])
    });
    let beside = vec![Table::Publicity, Table::ConversationOfNote, Table::Starred];
    let span = Span::new(from, to).backwards();
    rows.fetch(Wants::page(span.clone(), limit, if shelf == Shelf::Archive { Vec::new() } else { beside })).await?;
    let notes = notes_in(rows, owner, shelf, span, limit).await?;
    if shelf == Shelf::Archive {
        let beside = notes.iter().map(|(at, _)| at.listed()).flat_map(|place| {
            [publicity_key(owner, place), of_note_key(owner, place.bytes()), starred_key(owner, place)]
        });
        rows.fetch(Wants::rows(beside)).await?;
    }
    let mut found = Vec::new();
    for (at, record) in notes {
        let publicity: Option<Publicity> = rows.record(&publicity_key(owner, at.listed())).await?;
        found.push((at, record, publicity));
    }
    let answers = found.iter().filter_map(|(_, _, publicity)| answer_of(publicity.as_ref()));
    rows.fetch(Wants::rows(answers.map(|place| answer_key(owner, place)))).await?;
    for (at, record, publicity) in found {
        let (place, archived) = (at.listed(), at.is_archived());
        let answer = match answer_of(publicity.as_ref()) {
            Some(answer) => answer_at(rows, &common.answer_ids, owner, answer).await?,
            None => None,
        };
        let only_for_you = publicity == Some(Publicity::OnlyForYou);
        let note = record.into_note(common.note_ids.id(place)?, now);
        let (seen, starred) = (note.seen || archived, rows.has(&starred_key(owner, place)).await?);
        let conversation = of_note(rows, owner, place).await?;
        page.notes.push(Note { seen, conversation, only_for_you, answer, starred, archived, ..note });
    }
    Ok(page)
}
