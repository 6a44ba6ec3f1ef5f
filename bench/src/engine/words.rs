//! What is said: words that are told from all others of the room by their
//! number, so that a wrong text is found.

/// Builds texts in one buffer.
pub(crate) struct Words {
    length: usize,
    text: String,
}

/// Shorter ones would not tell one message from another.
pub(crate) const SHORTEST: usize = 8;
const FILLER: &str = " what people say to each other in a group takes about a hundred letters;";

impl Words {
    pub(crate) fn new(length: usize) -> Self {
        Self { length, text: String::new() }
    }

    /// Plain letters, nothing that any of the formats would escape.
    pub(crate) fn of(&mut self, number: u32) -> &str {
        use std::fmt::Write;
        self.text.clear();
        let _ = write!(self.text, "{number:08x}");
        while self.text.len() < self.length {
            let missing = self.length - self.text.len();
            self.text.push_str(&FILLER[..missing.min(FILLER.len())]);
        }
        // A server may well trim what is said.
        if self.text.ends_with(' ') {
            self.text.pop();
            self.text.push('.');
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_length_asked_for_and_differ() {
        for length in SHORTEST..=255 {
            let mut words = Words::new(length);
            let (one, two) = (words.of(1).to_owned(), words.of(2).to_owned());
            assert!(one.len() == length && two.len() == length && one != two, "{one}");
            assert_eq!(one.trim(), one);
        }
    }
}
