//! What was sent and what became of it. Each note says in its own words
//! which one it is, so that it can be told from every other in any inbox.

use std::fmt::Write;

/// Which note of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteName {
    pub(crate) stage: usize,
    pub(crate) client: usize,
    /// Counted by each client, from 0.
    pub(crate) number: usize,
    /// The inbox it was sent to.
    pub(crate) inbox: usize,
}

/// What its sender was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is stored: it must be there, once.
    Acknowledged,
    /// It is not stored: it must not be there.
    Refused,
    /// Nothing that can be relied on: it may be there, once.
    Unknown,
}

const MARK: &str = "annon-bench";

impl NoteName {
    /// Its words, as long as was asked for.
    pub(crate) fn text(&self, tag: &str, length: usize) -> String {
        let Self { stage, client, number, inbox } = self;
        let mut text = format!("{MARK} {tag} stage {stage} client {client} note {number} inbox {inbox} ");
        let missing = length.saturating_sub(text.len());
        // Writing to a String can't fail.
        let _ = write!(text, "{:.<missing$}", "");
        text
    }

    /// Reads the words back. Nothing if they are not, to the letter, what a
    /// note of this run says.
    pub(crate) fn parse(text: &str, tag: &str) -> Option<Self> {
        let mut words = text.split(' ').skip(2);
        let mut number_after = |name: &str| (words.next()? == name).then(|| words.next()?.parse().ok())?;
        let name = Self {
            stage: number_after("stage")?,
            client: number_after("client")?,
            number: number_after("note")?,
            inbox: number_after("inbox")?,
        };
        (name.text(tag, text.len()) == text).then_some(name)
    }
}

/// The fates of all notes: by stage, client and number.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    stages: Vec<Vec<Vec<Fate>>>,
}

impl Ledger {
    /// Takes what the clients of the next stage have noted, in their order.
    pub(crate) fn add_stage(&mut self, clients: Vec<Vec<Fate>>) {
        self.stages.push(clients);
    }

    /// How many stages it knows.
    pub(crate) fn stages(&self) -> usize {
        self.stages.len()
    }

    pub(crate) fn fate(&self, name: &NoteName) -> Option<Fate> {
        self.stages.get(name.stage)?.get(name.client)?.get(name.number).copied()
    }

    /// Shows every note with its fate.
    pub(crate) fn each(&self, mut show: impl FnMut(usize, usize, usize, Fate)) {
        for (stage, clients) in self.stages.iter().enumerate() {
            for (client, notes) in clients.iter().enumerate() {
                notes.iter().enumerate().for_each(|(number, fate)| show(stage, client, number, *fate));
            }
        }
    }

    /// Everything of one fate.
    pub(crate) fn count(&self, fate: Fate) -> u64 {
        self.stages.iter().flatten().flatten().filter(|known| **known == fate).count() as u64
    }

    /// A place for a count of each note, in the same shape.
    pub(crate) fn zeroes(&self) -> Vec<Vec<Vec<u8>>> {
        self.stages.iter().map(|clients| clients.iter().map(|notes| vec![0; notes.len()]).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_s_words_are_read_back_and_a_changed_letter_is_noticed() {
        let name = NoteName { stage: 2, client: 127, number: 34_567, inbox: 49 };
        let text = name.text("tag", 120);
        assert_eq!((text.len(), NoteName::parse(&text, "tag")), (120, Some(name)));
        assert_eq!(NoteName::parse(&text, "other"), None);
        assert_eq!(NoteName::parse(&text[..119], "tag"), Some(name), "a length is not part of a name");
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed.replace_range(at..=at, "X");
            assert_eq!(NoteName::parse(&changed, "tag"), None, "{changed}");
        }
        for strange in ["", "Hello, who are you?", "annon-bench tag stage x"] {
            assert_eq!(NoteName::parse(strange, "tag"), None);
        }
    }

    #[test]
    fn the_longest_name_fits_into_the_shortest_note() {
        let name = NoteName { stage: 9, client: 24_999, number: 9_999_999, inbox: 99_999 };
        assert!(name.text("0123456789", 0).len() <= 80);
    }
}
