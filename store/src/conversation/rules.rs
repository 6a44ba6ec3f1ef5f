//! Who may say what next. Every engine uses this code.

use annon_contract::code::Code;
use annon_contract::limits::{CONVERSATION_LINES, LINES_UNANSWERED, REACTIONS_OF_MEMBER, UNSEND_WITHIN};

use super::{Change, Conversation, Line, LineText, Mark, Outcome, Reaction, Side};
use crate::account::{AccountId, Timestamp};
use crate::inbox::NoteId;
use crate::room::{ChatId, Seq};
use crate::text::NoteText;

impl Conversation {
    /// A conversation in which nothing was said but the note.
    pub fn new(owner: AccountId, note: NoteId, words: NoteText, date: Timestamp) -> Self {
        let (lines, last, seen) = (Vec::new(), Seq(0), [Mark::default(); 2]);
        Self { owner, note, words, date, lines, last, seen, closed: None, moved: date }
    }

    /// Makes a change, if the rules allow it. If not, nothing is different.
    pub fn change(&mut self, change: &Change, now: Timestamp) -> Result<Outcome, Code> {
        // Nobody must learn from a line when the note came that waits for its batch.
        let now = now.max(self.date);
        match change {
            Change::Say { from, id, text, reply_to } => self.say(*from, *id, (text, *reply_to), now),
            Change::React { by, line, sign, on } => self.react(*line, Reaction { by: *by, sign: *sign }, *on, now),
            Change::Unsend { from, line } => self.unsend(*from, *line, now),
            Change::See { by, upto } => Ok(self.see(*by, *upto, now)),
            Change::Close => Ok(self.close(now)),
        }
    }

    fn next(&mut self) -> Seq {
        self.last = self.last.next();
        self.last
    }

    fn say(
        &mut self,
        from: Side,
        id: ChatId,
        (text, reply_to): (&LineText, Option<Seq>),
        now: Timestamp,
    ) -> Result<Outcome, Code> {
        if let Some(line) = self.lines.iter().find(|line| line.from == from && line.id == id) {
            return Ok(Outcome { seq: line.seq, at: line.at, is_new: false });
        }
        if text.is_sealed() != self.words.is_sealed() {
            return Err(Code::SealedInvalid);
        }
        if self.closed.is_some() {
            return Err(Code::ConversationClosed);
        }
        if self.lines.len() >= CONVERSATION_LINES {
            return Err(Code::ConversationFull);
        }
        let unanswered = self.lines.iter().rev().take_while(|line| line.from == Side::Sender).count();
        if from == Side::Sender && unanswered >= LINES_UNANSWERED {
            return Err(Code::WaitForAnswer);
        }
        // A side that says something has read what the other one said before.
        self.see(from, self.last, now);
        let seq = self.next();
        // A quote of what isn't here is no reason to lose a line: it just quotes nothing.
        let reply_to = reply_to.filter(|quoted| self.lines.iter().any(|line| line.seq == *quoted));
        let (text, unsent, reactions, reacted) = (Some(text.clone()), None, Vec::new(), Seq(0));
        self.lines.push(Line { seq, id, from, at: now, text, unsent, reply_to, reactions, reacted });
        self.moved = now;
        Ok(Outcome { seq, at: now, is_new: true })
    }

    /// Nothing to do if the reaction is there, or not there, as its side wants it.
    fn react(&mut self, line: Seq, wanted: Reaction, on: bool, now: Timestamp) -> Result<Outcome, Code> {
        let next = self.last.next();
        let line = self.lines.iter_mut().find(|there| there.seq == line && there.text.is_some());
        let line = line.ok_or(Code::MessageGone)?;
        if line.reactions.contains(&wanted) == on {
            return Ok(Outcome { seq: line.reacted, at: now, is_new: false });
        }
        if self.closed.is_some() {
            return Err(Code::ConversationClosed);
        }
        if on {
            let theirs = line.reactions.iter().filter(|reaction| reaction.by == wanted.by);
            if theirs.count() >= REACTIONS_OF_MEMBER {
                return Err(Code::TooManyReactions);
            }
            line.reactions.push(wanted);
        } else {
            line.reactions.retain(|reaction| *reaction != wanted);
        }
        (line.reacted, self.last) = (next, next);
        Ok(Outcome { seq: next, at: now, is_new: true })
    }

    fn unsend(&mut self, from: Side, line: Seq, now: Timestamp) -> Result<Outcome, Code> {
        let mut own = self.lines.iter_mut().filter(|line| line.from == from);
        let line = own.find(|own| own.seq == line).ok_or(Code::NoSuchLine)?;
        if line.unsent.is_some() {
            return Err(Code::MessageGone);
        }
        if now.saturating_sub(line.at) > UNSEND_WITHIN.as_secs() {
            return Err(Code::TooLateToUnsend);
        }
        self.last = self.last.next();
        (line.text, line.unsent) = (None, Some(self.last));
        line.reactions.clear();
        Ok(Outcome { seq: self.last, at: now, is_new: true })
    }

    fn see(&mut self, by: Side, upto: Seq, now: Timestamp) -> Outcome {
        let mut theirs = self.lines.iter().rev().filter(|line| line.from != by).map(|line| line.seq);
        let Mark { upto: before, seq } = self.seen_by(by);
        match theirs.find(|seq| *seq <= upto) {
            Some(line) if line > before => {
                let seq = self.next();
                self.seen[by as usize] = Mark { upto: line, seq };
                Outcome { seq, at: now, is_new: true }
            }
            _ => Outcome { seq, at: now, is_new: false },
        }
    }

    fn close(&mut self, now: Timestamp) -> Outcome {
        let is_new = self.closed.is_none();
        let seq = match self.closed {
            Some(closed) => closed,
            None => self.next(),
        };
        self.closed = Some(seq);
        Outcome { seq, at: now, is_new }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    use crate::room::Sign;

    const BEGAN: Timestamp = 1_790_000_040;

    fn begun() -> Conversation {
        let words = NoteText::try_from("a note that asks for an answer".to_owned()).unwrap();
        Conversation::new(AccountId(Uuid::nil()), NoteId(Uuid::nil()), words, BEGAN)
    }

    fn say(from: Side, n: usize) -> Change {
        let id = ChatId::try_from(format!("{n:015}")).unwrap();
        let text = LineText::try_from(&*format!("line {n}")).unwrap();
        Change::Say { from, id, text, reply_to: Some(Seq(n as u64 / 2)) }
    }

    #[test]
    fn a_sender_says_three_things_until_the_owner_answers() {
        let mut talk = begun();
        let now = |talk: &mut Conversation, from, n| talk.change(&say(from, n), BEGAN + n as u64).map(|done| done.seq);
        for n in 1..=3 {
            assert_eq!(now(&mut talk, Side::Sender, n), Ok(Seq(n as u64)));
        }
        let full = talk.clone();
        assert_eq!(now(&mut talk, Side::Sender, 4), Err(Code::WaitForAnswer));
        assert_eq!(now(&mut talk, Side::Sender, 2), Ok(Seq(2)), "what was said before is said");
        talk.change(&Change::Unsend { from: Side::Sender, line: Seq(3) }, BEGAN + 4).unwrap();
        assert_eq!(now(&mut talk, Side::Sender, 4), Err(Code::WaitForAnswer), "an unsent one counts");
        // The answer also says that the three were seen.
        assert_eq!(
            (now(&mut talk, Side::Owner, 4), talk.seen_by(Side::Owner)),
            (Ok(Seq(6)), Mark { upto: Seq(3), seq: Seq(5) })
        );
        assert_eq!(now(&mut talk, Side::Sender, 4), Ok(Seq(8)), "and its id may be the other's, too");
        assert_eq!((talk.moved, full.moved), (BEGAN + 4, BEGAN + 3));
        for n in 5..20 {
            assert!(now(&mut talk, Side::Owner, n).is_ok(), "the owner may go on");
        }
    }

    #[test]
    fn a_hundred_lines_are_all_and_a_closed_one_takes_none() {
        let mut talk = begun();
        for n in 0..CONVERSATION_LINES {
            talk.change(&say(Side::Owner, n), BEGAN).unwrap();
        }
        assert_eq!(talk.change(&say(Side::Owner, 100), BEGAN), Err(Code::ConversationFull));
        assert_eq!(talk.change(&say(Side::Owner, 99), BEGAN).map(|done| done.is_new), Ok(false));
        let mut talk = begun();
        talk.change(&say(Side::Owner, 1), BEGAN).unwrap();
        let closed = talk.change(&Change::Close, BEGAN).unwrap();
        assert_eq!(talk.change(&Change::Close, BEGAN), Ok(Outcome { is_new: false, ..closed }));
        for side in [Side::Owner, Side::Sender] {
            assert_eq!(talk.change(&say(side, 2), BEGAN), Err(Code::ConversationClosed));
        }
        let unsent = talk.change(&Change::Unsend { from: Side::Owner, line: Seq(1) }, BEGAN);
        assert_eq!((unsent.map(|done| done.seq), talk.lines[0].text.is_none()), (Ok(Seq(3)), true));
    }

    #[test]
    fn own_lines_are_unsent_within_five_minutes() {
        let mut talk = begun();
        talk.change(&say(Side::Owner, 1), BEGAN).unwrap();
        let mut unsend =
            |from, line, at| talk.change(&Change::Unsend { from, line: Seq(line) }, at).map(|done| done.seq);
        assert_eq!(unsend(Side::Sender, 1, BEGAN), Err(Code::NoSuchLine));
        assert_eq!(unsend(Side::Owner, 2, BEGAN), Err(Code::NoSuchLine));
        assert_eq!(unsend(Side::Owner, 1, BEGAN + 301), Err(Code::TooLateToUnsend));
        assert_eq!(unsend(Side::Owner, 1, BEGAN + 300), Ok(Seq(2)));
        assert_eq!(unsend(Side::Owner, 1, BEGAN + 300), Err(Code::MessageGone));
    }

    #[test]
    fn each_side_reacts_thrice_to_a_line_and_it_goes_with_the_line() {
        let mut talk = begun();
        talk.change(&say(Side::Owner, 1), BEGAN).unwrap();
        let mut react = |by, line, sign: &str, on| {
            let change = Change::React { by, line: Seq(line), sign: Sign::try_from(sign).unwrap(), on };
            let done = talk.change(&change, BEGAN + 900).map(|done| (done.seq.0, done.is_new));
            (done, talk.lines[0].reactions.len(), talk.moved)
        };
        let (owner, sender) = (Side::Owner, Side::Sender);
        assert_eq!(
            react(sender, 1, "❤️", true),
            (Ok((2, true)), 1, BEGAN),
            "it is no line, and lets nobody live longer"
        );
        assert_eq!(react(sender, 1, "❤️", true), (Ok((2, false)), 1, BEGAN));
        assert_eq!(react(owner, 1, "❤️", true), (Ok((3, true)), 2, BEGAN));
        assert_eq!(react(sender, 1, "👍", true), (Ok((4, true)), 3, BEGAN));
        assert_eq!(react(sender, 1, "😂", true), (Ok((5, true)), 4, BEGAN));
        assert_eq!(react(sender, 1, "🔥", true), (Err(Code::TooManyReactions), 4, BEGAN));
        assert_eq!(react(sender, 1, "👍", false), (Ok((6, true)), 3, BEGAN));
        assert_eq!(react(sender, 1, "👍", false), (Ok((6, false)), 3, BEGAN));
        assert_eq!(react(sender, 2, "👍", true), (Err(Code::MessageGone), 3, BEGAN));
        let mut closed = talk.clone();
        talk.change(&Change::Unsend { from: Side::Owner, line: Seq(1) }, BEGAN).unwrap();
        assert_eq!(talk.lines[0].reactions, []);
        let change = Change::React { by: Side::Owner, line: Seq(1), sign: Sign::try_from("👍").unwrap(), on: true };
        assert_eq!(talk.change(&change, BEGAN), Err(Code::MessageGone));
        closed.change(&Change::Close, BEGAN).unwrap();
        assert_eq!(closed.change(&change, BEGAN), Err(Code::ConversationClosed));
    }

    #[test]
    fn a_line_answers_one_that_is_there() {
        let mut talk = begun();
        for (n, reply_to) in [(1, Some(Seq(1))), (2, Some(Seq(1))), (3, Some(Seq(9)))] {
            let Change::Say { from, id, text, .. } = say(Side::Owner, n) else { panic!("it says something") };
            talk.change(&Change::Say { from, id, text, reply_to }, BEGAN).unwrap();
        }
        let answered: Vec<_> = talk.lines.iter().map(|line| line.reply_to).collect();
        assert_eq!(answered, [None, Some(Seq(1)), None]);
    }

    #[test]
    fn what_was_seen_only_grows_and_is_the_others() {
        let mut talk = begun();
        for n in 1..=3 {
            talk.change(&say(Side::Owner, n), BEGAN).unwrap();
        }
        let mut see = |by, upto| talk.change(&Change::See { by, upto: Seq(upto) }, BEGAN).unwrap().is_new;
        assert!(!see(Side::Owner, 3), "one's own lines are no news");
        assert!(see(Side::Sender, 2) && !see(Side::Sender, 2) && !see(Side::Sender, 1));
        assert_eq!((talk.unread_by(Side::Sender), talk.unread_by(Side::Owner)), (1, 0));
        talk.change(&Change::See { by: Side::Sender, upto: Seq(u64::MAX) }, BEGAN).unwrap();
        assert_eq!((talk.unread_by(Side::Sender), talk.seen_by(Side::Sender)), (0, Mark { upto: Seq(3), seq: Seq(5) }));
    }

    #[test]
    fn a_line_does_not_tell_when_a_note_came_that_waits() {
        let mut talk = Conversation { date: BEGAN + 900, moved: BEGAN + 900, ..begun() };
        assert_eq!(talk.change(&say(Side::Sender, 1), BEGAN + 7).map(|done| done.at), Ok(BEGAN + 900));
        assert_eq!(talk.moved, BEGAN + 900);
        assert!(talk.change(&Change::Unsend { from: Side::Sender, line: Seq(1) }, BEGAN + 8).is_ok());
    }

    fn any_change() -> impl Strategy<Value = Change> {
        let side = prop_oneof![Just(Side::Owner), Just(Side::Sender)];
        (side, 0..7_u8, 0..40_usize).prop_map(|(side, what, n)| match what {
            0..=2 => say(side, n),
            3 => Change::Unsend { from: side, line: Seq(n as u64) },
            4 => Change::See { by: side, upto: Seq(n as u64) },
            5 => {
                let sign = Sign::try_from(["❤️", "👍", "😂", "🔥"][n % 4]).unwrap();
                Change::React { by: side, line: Seq(n as u64 / 4), sign, on: n % 3 > 0 }
            }
            _ if n == 0 => Change::Close,
            _ => say(side, n),
        })
    }

    proptest! {
        /// Whatever is asked for: a refusal changes nothing, every change has the next numbers,
        /// nobody holds a monologue, nothing comes back.
        #[test]
        fn the_rules_hold_whatever_is_asked(changes in prop::collection::vec((any_change(), 0..90_u64), 1..300)) {
            let (mut talk, mut now) = (begun(), BEGAN);
            for (change, later) in changes {
                now += later;
                let before = talk.clone();
                match talk.change(&change, now) {
                    Ok(Outcome { is_new: true, seq, .. }) => {
                        prop_assert_eq!(seq, talk.last);
                        prop_assert!(talk.last > before.last && talk.last.0 <= before.last.0 + 2);
                    }
                    Ok(Outcome { is_new: false, .. }) | Err(_) => prop_assert_eq!(&talk, &before),
                }
                prop_assert!(talk.lines.len() <= CONVERSATION_LINES && talk.moved >= before.moved);
                prop_assert!(talk.lines.is_sorted_by(|one, next| one.seq < next.seq));
                let run = talk.lines.iter().rev().take_while(|line| line.from == Side::Sender).count();
                prop_assert!(run <= LINES_UNANSWERED);
                for (was, is) in before.lines.iter().zip(&talk.lines) {
                    prop_assert!(was.text.is_some() || is == was, "what was unsent stays so");
                    prop_assert!(is.text.is_some() || is.reactions.is_empty());
                    prop_assert!(is.text.is_some() != is.unsent.is_some());
                }
                for side in [Side::Owner, Side::Sender] {
                    prop_assert!(talk.seen_by(side).upto >= before.seen_by(side).upto);
                }
                prop_assert!(before.closed.is_none() || talk.lines.len() == before.lines.len());
            }
        }
    }
}
