//! What a member is shown of a room: a page of its lines, or the missed lines.

use std::collections::BTreeMap;

use annon_store::room::{Emoji, MemberId, RoomMetadata, Seq};

use crate::room::frame::{self, LineFrame};
use crate::room::line::Line;
use crate::room::machine::Room;
use crate::room::transcript::Transcript;
use crate::session::EncodedFrame;

/// Frames that a member who was away is sent at most. If there are more, the
/// client loads the room again.
const RESUMES: usize = 500;
/// The most bytes of those frames.
const RESUME_BYTES: usize = 128 * 1024;

/// Which lines a member asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) member: MemberId,
    pub(crate) before: Option<Seq>,
    pub(crate) limit: usize,
}

/// What somebody sees who opens a room.
#[derive(Debug, Clone)]
pub struct View {
    /// The room's name, creator and end.
    pub metadata: RoomMetadata,
    /// The caller's emoji, if they have a seat.
    pub own: Option<Emoji>,
    pub members: Vec<Emoji>,
    /// The lines of the page, oldest first.
    pub lines: Vec<LineFrame>,
    /// Whether there are lines before these.
    pub has_older: bool,
    /// The `seq` of the last event in the room's log.
    pub last: Seq,
    /// Messages ever posted here.
    pub messages: u64,
    /// Whether nobody new can join.
    pub locked: bool,
    /// Whether newcomers have to knock.
    pub asks_first: bool,
}

impl View {
    /// What a caller without a seat sees: the same, whatever goes on inside.
    pub(crate) fn from_outside(metadata: RoomMetadata) -> Self {
        let (members, lines) = (Vec::new(), Vec::new());
        let (last, messages, locked, asks_first) = (Seq(0), 0, false, false);
        Self { metadata, own: None, members, lines, has_older: false, last, messages, locked, asks_first }
    }

    /// What a member sees.
    pub(crate) fn of(metadata: RoomMetadata, transcript: &Transcript<'_>, asked: Asked) -> Self {
        let room = transcript.room;
        let Ok(seat) = room.seat_of(asked.member) else { return Self::from_outside(metadata) };
        let mut older = newest_first(room, asked.before);
        let lines = older.by_ref().take(asked.limit).filter_map(|line| frame::history(transcript, line));
        let mut lines: Vec<_> = lines.collect();
        lines.reverse();
        Self {
            metadata,
            own: Some(seat.emoji),
            members: room.seats().iter().map(|seat| seat.emoji).collect(),
            lines,
            has_older: older.next().is_some(),
            last: room.seq(),
            messages: room.messages(),
            locked: room.is_locked(),
            asks_first: room.asks_first(),
        }
    }
}

/// The lines that a view shows.
pub(crate) fn lines_of<'a>(room: &'a Room, asked: &Asked) -> impl Iterator<Item = &'a Line> {
    let limit = if room.seat_of(asked.member).is_ok() { asked.limit } else { 0 };
    newest_first(room, asked.before).take(limit)
}

fn newest_first(room: &Room, before: Option<Seq>) -> impl Iterator<Item = &Line> {
    room.lines_before(before).rev().filter(|line| frame::is_shown(line))
}

/// The lines after `since`. `None` if some are gone, or if they are too many.
pub(crate) fn lines_missed(room: &Room, since: Seq) -> Option<Vec<&Line>> {
    let lines: Vec<_> = room.lines_after(since)?.take(RESUMES + 1).collect();
    // One line can be thousands of frames: if a member is removed together with
    // their messages, one for each. They are counted before they are made.
    let count: usize = lines.iter().map(|line| frame::count(room, line)).sum();
    (count <= RESUMES).then_some(lines)
}

/// The frames of what happened after `since`, in order. `None` if that is too much.
pub(crate) fn missed(transcript: &Transcript<'_>, since: Seq) -> Option<Vec<EncodedFrame>> {
    let room = transcript.room;
    let lines = lines_missed(room, since)?;
    // A message that was missed comes with its reactions, and a line with what it has changed.
    let is_told = |message: Seq, changed: Seq| message > since || room.line(changed).is_some();
    let changes: Vec<_> =
        room.reactions_changed_after(since).filter(|(message, changed)| !is_told(*message, *changed)).collect();
    if lines.len() + changes.len() > RESUMES {
        return None;
    }
    let of_lines = lines.iter().map(|line| (line.seq, frame::news(transcript, line)));
    let of_changes = changes
        .into_iter()
        .map(|(message, changed)| (changed, vec![frame::reactions::as_they_are(room, message, changed)]));
    let in_order: BTreeMap<_, _> = of_lines.chain(of_changes).collect();
    let news: Vec<_> = in_order.into_values().flatten().collect();
    // If the client doesn't read, the server holds all of these bytes.
    (news.iter().map(|text| text.bytes().len()).sum::<usize>() <= RESUME_BYTES).then_some(news)
}
