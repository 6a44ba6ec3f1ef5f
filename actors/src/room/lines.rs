//! The lines a room keeps. Their number and their bytes are limited: the oldest
//! are dropped.
//!
//! The text of older messages may leave memory, since the log has it. What decisions need stays:
//! who sent a message under which id, whether it was taken back, and which pictures are shown.

use std::collections::{HashMap, HashSet, VecDeque};

use annon_store::image::ImageId;
use annon_store::room::{Body, ChatId, SeatNumber, Seq};
use foldhash::quality::RandomState;

use crate::room::line::{Content, Line, Message};
use crate::room::reactions::{OfMessage, Reaction, Reactions};

/// Bytes that count for each line in addition to its text. The log and memory
/// need about this much for it.
const LINE: usize = 128;
/// The most bytes of text that stay in memory when lines are evicted.
const STAY_BYTES: usize = 32 * 1024;
/// What a message in memory takes in addition to its line and its text,
/// roughly: two allocations, and its id in the table of ids.
const CONTENT: usize = size_of::<Content>() + 32 + 2 * size_of::<(SeatNumber, ChatId, Seq)>();

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    pub lines: usize,
    /// Bytes of all lines: their text, and 128 for each line and each reaction.
    pub bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    keeps: Keeps,
    lines: VecDeque<Line>,
    /// How many lines are evicted: the oldest, whose text is in the log only.
    evicted: usize,
    /// The last line that was dropped because of the limits.
    dropped: Seq,
    /// The bytes of all lines, which `keeps` limits.
    bytes: usize,
    /// The memory for the content of the lines that are not evicted.
    in_memory: usize,
    /// The `seq` of each message that is not evicted, by its seat and id.
    sent: HashMap<(SeatNumber, ChatId), Seq, RandomState>,
    /// For each picture the resting messages that show it, in order.
    shown: HashMap<ImageId, Vec<Seq>>,
    reactions: Reactions,
}

impl Lines {
    pub(super) fn new(keeps: Keeps) -> Self {
        Self {
            keeps,
            lines: VecDeque::new(),
            evicted: 0,
            dropped: Seq(0),
            bytes: 0,
            in_memory: 0,
            sent: HashMap::default(),
            shown: HashMap::new(),
            reactions: Reactions::default(),
        }
    }

    /// Adds the newest line. The oldest are dropped if they are too many.
    pub(super) fn push(&mut self, line: Line) {
        self.bytes += cost(&line);
        if let Some(message) = line.message() {
            self.sent.insert((message.seat, message.id), line.seq);
            self.in_memory += CONTENT + message.words();
        }
        if self.lines.len() == self.lines.capacity() {
            // By itself a `VecDeque` doubles: most of that would stay empty.
            self.lines.reserve_exact(self.lines.len() / 4 + 16);
        }
        self.lines.push_back(line);
        self.trim();
    }

    fn trim(&mut self) {
        while self.lines.len() > 1 && (self.lines.len() > self.keeps.lines || self.all_bytes() > self.keeps.bytes) {
            self.drop_first();
        }
    }

    fn all_bytes(&self) -> usize {
        self.bytes + self.reactions.bytes()
    }

    /// Removes the last line if it has this `seq`. It was never evicted, since
    /// the log doesn't have it.
    pub(super) fn remove_last(&mut self, seq: Seq) {
        let Some(line) = self.lines.pop_back_if(|line| line.seq == seq) else { return };
        self.bytes -= cost(&line);
        if let Some(message) = line.message() {
            self.sent.remove(&(message.seat, message.id));
            self.in_memory -= CONTENT + message.words();
        }
    }

    pub(crate) fn reactions(&self) -> &Reactions {
        &self.reactions
    }

    /// Adds a reaction, if its message is kept.
    pub(super) fn react(&mut self, message: Seq, reaction: Reaction) {
        let is_there = self.at(message).and_then(Line::message).is_some_and(|message| !message.is_gone);
        if is_there {
            self.reactions.add(message, reaction);
            self.trim();
        }
    }

    pub(super) fn take_back_reaction(&mut self, message: Seq, reaction: Seq, changed: Seq) {
        self.reactions.take_back(message, reaction, changed);
    }

    pub(super) fn take_back_reactions_of(&mut self, seat: SeatNumber, changed: Seq) {
        self.reactions.take_back_of(seat, changed);
    }

    /// Gives a message the reactions that it had before, if it is kept.
    pub(super) fn restore_reactions(&mut self, message: Seq, before: Option<OfMessage>) {
        if self.at(message).is_some() {
            self.reactions.replace(message, before);
        }
    }

    fn drop_first(&mut self) {
        let Some(line) = self.lines.pop_front() else { return };
        self.dropped = line.seq;
        self.bytes -= cost(&line);
        self.reactions.replace(line.seq, None);
        let was_evicted = self.evicted > 0;
        self.evicted = self.evicted.saturating_sub(1);
        if let Some(message) = line.message().filter(|_| !was_evicted) {
            // Its id is forgotten, so it can't be taken back any more.
            self.sent.remove(&(message.seat, message.id));
            self.in_memory -= CONTENT + message.words();
        }
    }

    /// Drops all lines up to `up_to`.
    pub(super) fn forget(&mut self, up_to: Seq) {
        while self.lines.front().is_some_and(|line| line.seq <= up_to) {
            self.drop_first();
        }
        self.dropped = up_to;
    }

    pub(super) fn retract(&mut self, which: impl Fn(&Message, Seq) -> bool) {
        for (at, line) in self.lines.iter_mut().enumerate() {
            let seq = line.seq;
            if let Some(message) = line.message_mut().filter(|message| which(message, seq)) {
                self.bytes -= message.words();
                if at >= self.evicted {
                    self.in_memory -= message.words();
                }
                message.retract();
                self.reactions.replace(seq, None);
            }
        }
    }

    /// Drops the text of older messages from memory. The log has to have it, so
    /// nothing after `up_to` is touched. The newest `stay` lines keep theirs.
    pub(super) fn evict(&mut self, up_to: Seq, stay: usize) {
        let mut staying = 0;
        let stays = |line: &&Line| {
            staying += line.message().map_or(0, Message::words);
            staying <= STAY_BYTES
        };
        let stay = self.lines.iter().rev().take(stay).take_while(stays).count();
        let end = self.lines.partition_point(|line| line.seq <= up_to).min(self.lines.len() - stay);
        let from = self.evicted.min(end);
        for line in self.lines.range_mut(from..end) {
            let seq = line.seq;
            let Some(message) = line.message_mut() else { continue };
            self.sent.remove(&(message.seat, message.id));
            self.in_memory -= CONTENT + message.words();
            for image in message.content.take().iter().flat_map(|content| pictures_of(&content.body)) {
                self.shown.entry(image).or_default().push(seq);
            }
        }
        self.evicted = self.evicted.max(end);
        self.sent.shrink_to_fit();
        self.lines.shrink_to(self.lines.len() + self.lines.len() / 8);
        let dropped = self.dropped;
        self.shown.retain(|_, places| {
            places.retain(|seq| *seq > dropped);
            !places.is_empty()
        });
    }

    pub(super) fn dropped(&self) -> Seq {
        self.dropped
    }

    /// The memory that the lines take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let shown: usize = self.shown.values().map(|places| places.len() * size_of::<Seq>()).sum();
        self.lines.len() * size_of::<Line>() + self.in_memory + shown + self.reactions.memory()
    }

    /// How much of that memory `evict` would free, if `stay` lines stay.
    pub(crate) fn spare(&self, stay: usize) -> usize {
        let messages = self.sent.len().max(1);
        let most = stay.saturating_mul(CONTENT).saturating_add(STAY_BYTES);
        self.in_memory - (self.in_memory / messages * stay.min(messages)).min(most).min(self.in_memory)
    }

    pub(crate) fn is_evicted(&self, seq: Seq) -> bool {
        self.last_evicted().is_some_and(|last| seq <= last)
    }

    pub(crate) fn last_evicted(&self) -> Option<Seq> {
        self.lines.get(self.evicted.checked_sub(1)?).map(|line| line.seq)
    }

    pub(super) fn at(&self, seq: Seq) -> Option<&Line> {
        // Nearly every caller asks for the last line.
        if let Some(last) = self.lines.back().filter(|last| last.seq == seq) {
            return Some(last);
        }
        self.lines.get(self.lines.binary_search_by_key(&seq, |line| line.seq).ok()?)
    }

    /// The message that a seat sent with this id.
    pub(super) fn by_id(&self, seat: SeatNumber, id: ChatId) -> Option<&Line> {
        if let Some(seq) = self.sent.get(&(seat, id)) {
            return self.at(*seq);
        }
        let is_it = |message: &Message| message.seat == seat && message.id == id;
        self.lines.range(..self.evicted).rfind(|line| line.message().is_some_and(is_it))
    }

    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.iter()
    }

    /// The lines after `seq`, oldest first.
    pub(super) fn after(&self, seq: Seq) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.range(self.lines.partition_point(|line| line.seq <= seq)..)
    }

    /// The lines before `seq`, oldest first.
    pub(super) fn before(&self, seq: Seq) -> impl DoubleEndedIterator<Item = &Line> {
        self.lines.range(..self.lines.partition_point(|line| line.seq < seq))
    }

    /// Every picture that a message shows.
    pub(super) fn pictures(&self) -> HashSet<ImageId> {
        self.showing().map(|(image, _)| image).collect()
    }

    /// The pictures that these messages show, and no other does. The messages are in
    /// order.
    pub(super) fn pictures_only_of(&self, messages: &[Seq]) -> Vec<ImageId> {
        let (mut theirs, mut others) = (HashSet::new(), HashSet::new());
        for (image, seq) in self.showing() {
            let showing = if messages.binary_search(&seq).is_ok() { &mut theirs } else { &mut others };
            showing.insert(image);
        }
        theirs.difference(&others).copied().collect()
    }

    /// Every picture that is shown, and a message that shows it.
    fn showing(&self) -> impl Iterator<Item = (ImageId, Seq)> {
        let is_there = |seq: &Seq| self.at(*seq).and_then(Line::message).is_some_and(|message| !message.is_gone);
        let evicted = self.shown.iter().flat_map(|(image, places)| places.iter().map(|seq| (*image, *seq)));
        let in_memory = self.lines.range(self.evicted..).flat_map(|line| {
            let content = line.message().and_then(Message::content);
            content.into_iter().flat_map(|content| pictures_of(&content.body)).map(|image| (image, line.seq))
        });
        evicted.filter(move |(_, seq)| is_there(seq)).chain(in_memory)
    }
}

/// The pictures that a message shows.
pub(crate) fn pictures_of(body: &Body) -> impl Iterator<Item = ImageId> + use<> {
    let (image, tiny) = match body {
        Body::Picture { image, tiny, .. } => (Some(*image), *tiny),
        Body::Sealed { picture: Some((image, tiny)), .. } => (Some(*image), *tiny),
        Body::Sealed { picture: None, .. } | Body::Text(_) | Body::Gone => (None, None),
    };
    image.into_iter().chain(tiny)
}

fn cost(line: &Line) -> usize {
    LINE + line.message().map_or(0, Message::words)
}

#[cfg(test)]
mod tests {
    use annon_store::room::{ChatText, Emoji, Millis};

    use super::*;
    use crate::room::line::LineKind;

    const STAY: usize = 200;
    const PLENTY: Keeps = Keeps { lines: 10_000, bytes: usize::MAX };

    fn id(n: u64) -> ChatId {
        ChatId::try_from(format!("message{n:08}")).unwrap()
    }

    fn line(n: u64, body: Body) -> Line {
        let content = Content { body, reply_to: None };
        Line {
            seq: Seq(n),
            at: Millis(n),
            kind: LineKind::Message(Message::new(SeatNumber(1), Some(Emoji(2)), id(n), content)),
        }
    }

    fn text(bytes: usize) -> Body {
        Body::Text(ChatText::try_from(&*"w".repeat(bytes)).unwrap())
    }

    fn lines(keeps: Keeps, bodies: impl IntoIterator<Item = Body>) -> Lines {
        let mut lines = Lines::new(keeps);
        (1..).zip(bodies).for_each(|(n, body)| lines.push(line(n, body)));
        lines
    }

    fn places(lines: &Lines) -> Vec<u64> {
        lines.all().map(|line| line.seq.0).collect()
    }

    #[test]
    fn a_line_without_its_words_is_small() {
        assert_eq!(size_of::<Line>(), 48);
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many_bytes() {
        let keeps = Keeps { lines: 100, bytes: 3 * (LINE + 200) };
        let mut kept = lines(keeps, (0..5).map(|_| text(200)));
        assert_eq!((places(&kept), kept.dropped()), (vec![3, 4, 5], Seq(2)));
        // The text of a message that is taken back no longer counts.
        kept.retract(|_, seq| seq == Seq(4));
        kept.push(line(6, text(1)));
        assert_eq!(places(&kept), [3, 4, 5, 6]);
        // One line is kept, however long it is.
        let one = lines(Keeps { lines: 100, bytes: 1 }, [text(200), text(200)]);
        assert_eq!(places(&one), [2]);
    }

    #[test]
    fn lines_that_rest_are_found_as_before_and_take_less_memory() {
        let mut all = lines(PLENTY, (0..1000).map(|_| text(200)));
        let (before, in_memory) = (all.memory(), all.clone());
        all.evict(Seq(900), STAY);
        assert_eq!(all.last_evicted(), Some(Seq(1000 - STAY_BYTES as u64 / 200)));
        assert!(all.memory() * 3 < before, "{before} -> {}", all.memory());
        assert!(all.spare(STAY) < 200 && before / 2 < in_memory.spare(STAY));
        assert_eq!(places(&all), places(&in_memory));
        for n in 1..=1000 {
            let found = all.by_id(SeatNumber(1), id(n)).unwrap();
            assert_eq!((found.seq, all.at(Seq(n)).unwrap().seq), (Seq(n), Seq(n)));
            assert_eq!(found.message().unwrap().content().is_none(), all.is_evicted(Seq(n)));
        }
        assert!(all.by_id(SeatNumber(2), id(1)).is_none() && all.by_id(SeatNumber(1), id(1001)).is_none());
        all.forget(Seq(990));
        assert!(all.last_evicted().is_none() && all.by_id(SeatNumber(1), id(1)).is_none());
        all.forget(Seq(1000));
        assert_eq!((all.memory(), all.bytes), (0, 0));
    }

    #[test]
    fn nothing_rests_that_is_not_in_the_log() {
        let mut all = lines(PLENTY, (0..1000).map(|_| text(200)));
        all.evict(Seq(10), STAY);
        assert_eq!(all.last_evicted(), Some(Seq(10)));
        all.evict(Seq(5), STAY);
        assert_eq!(all.last_evicted(), Some(Seq(10)));
    }
}
