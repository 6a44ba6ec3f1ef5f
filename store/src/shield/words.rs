//! Words held back: how they are compared with a note.
//!
//! Both are folded (NFKC, no case, no marks on letters) and cut into words, so that
//! neither capitals, nor fullwidth letters, nor invisible characters hide a word. Writing
//! without blanks is cut into characters. What is held back is folded once, when it is set, and
//! looked up by its first word: a sender waits as long for no word as for two hundred.

use std::collections::HashMap;

use annon_contract::code::Code;
use annon_contract::limits::HELD_WORD_MAX;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::unprintable;

/// Between two folded words, before the first and after the last. No word has it.
const BREAK: char = '\n';
/// The most characters that folding makes of a word or phrase: one can become eighteen, and every
/// note is compared with all of them.
const FOLDED_MAX: usize = 3 * HELD_WORD_MAX;

/// A word or phrase, as its owner has written it, and folded. The order of fields is on disk.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HeldWord {
    written: String,
    folded: String,
}

unprintable!(HeldWord);

impl HeldWord {
    pub fn as_str(&self) -> &str {
        &self.written
    }
}

impl TryFrom<String> for HeldWord {
    type Error = Code;

    fn try_from(word: String) -> Result<Self, Code> {
        let folded = if word.chars().count() > HELD_WORD_MAX { String::new() } else { folded(&word) };
        if !(2..=FOLDED_MAX).contains(&folded.chars().count()) {
            return Err(Code::HeldWordInvalid);
        }
        Ok(Self { written: word.trim().to_owned(), folded })
    }
}

/// Words and phrases, folded, each by its first word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeldWords(HashMap<String, Vec<String>>);

impl HeldWords {
    pub(super) fn of(held: &[HeldWord]) -> Self {
        // No text has this word. With it, every word of a text is looked up, also if none is held back.
        let mut phrases = HashMap::from([(String::new(), Vec::new())]);
        for HeldWord { folded, .. } in held {
            phrases.entry(first_word(folded).to_owned()).or_default().push(folded.clone());
        }
        Self(phrases)
    }

    /// Whether a text has one of them. All of it is looked at in any case, since the sender waits for it.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let text = folded(text);
        text.match_indices(BREAK).fold(false, |is_found, (at, _)| {
            let rest = &text[at..];
            let begins = |phrase: &String| rest.starts_with(phrase);
            is_found | self.0.get(first_word(rest)).is_some_and(|phrases| phrases.iter().any(begins))
        })
    }
}

/// The first word of what was folded.
fn first_word(folded: &str) -> &str {
    folded.split(BREAK).nth(1).unwrap_or_default()
}

/// The folded words of a text, each between two breaks.
fn folded(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 2);
    words.push(BREAK);
    let end_word = |words: &mut String| {
        if !words.ends_with(BREAK) {
            words.push(BREAK);
        }
    };
    let folded = text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    for character in folded.nfd() {
        if is_invisible(character) || (is_combining_mark(character) && !character.is_alphabetic()) {
            continue;
        }
        let stands_alone = is_written_without_blanks(character) || is_symbol(character);
        if character.is_alphanumeric() && !stands_alone {
            words.push(character);
            continue;
        }
        end_word(&mut words);
        if stands_alone {
            words.push(character);
            end_word(&mut words);
        }
    }
    end_word(&mut words);
    words
}

/// Characters without a width, which would cut a word in two unseen.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Thai and its neighbours, kana and Chinese characters.
fn is_written_without_blanks(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && character.is_alphanumeric()
}

/// Emoji and other signs that say something.
fn is_symbol(character: char) -> bool {
    !character.is_alphanumeric()
        && character >= '\u{2190}'
        && !('\u{3000}'..='\u{303f}').contains(&character)
        && !('\u{fe10}'..='\u{ff65}').contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(word: &str, text: &str) -> bool {
        HeldWords::of(&[HeldWord::try_from(word.to_owned()).unwrap()]).are_in(text)
    }

    #[test]
    fn whole_words_are_found_however_they_are_written() {
        for (word, text) in [
            ("stupid", "You are STUPID."),
            ("stupid", "so ｓｔｕｐｉｄ of you"),
            ("stupid", "st\u{200b}up\u{ad}id"),
            ("stupid", "s\u{336}t\u{336}u\u{336}p\u{336}i\u{336}d"),
            ("Straße", "die STRASSE dort"),
            ("ΟΔΟΣ", "μια οδος εδω"),
            ("café", "the cafe\u{301} there"),
            ("cafe", "the café there"),
            ("ﬁsh", "a FISH"),
            ("go  away", "Please, go - AWAY now"),
            ("笨蛋", "你是笨蛋吗"),
            ("🖕", "take that 🖕🏽"),
            ("İstanbul", "istanbul"),
        ] {
            assert!(holds(word, text), "{word} in {text}");
        }
    }

    #[test]
    fn what_breaks_up_or_disguises_letters_hides_no_word() {
        let marks = format!("s{}tupid", "\u{301}".repeat(900));
        for (word, text) in [
            ("stupid", "st\u{200d}up\u{200c}id"),
            ("stupid", "s\u{fe0f}t\u{2060}u\u{feff}p\u{e0001}id"),
            ("stupid", "ⓢⓣⓤⓟⓘⓓ"),
            ("stupid", "𝓼𝓽𝓾𝓹𝓲𝓭 𝔰𝔱𝔲𝔭𝔦𝔡"),
            ("stupid", "\u{202e}stupid\u{202c}"),
            ("stupid", &marks),
            ("office", "the oﬃce"),
            ("ﬀ", "FF"),
            ("ガッ", "ｶﾞｯ と 言う"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("👩\u{200d}👧", "look: 👩👧!"),
            ("👩👧", "look: 👩\u{200d}👧!"),
            ("🖕", "x🖕\u{fe0f}x"),
            ("❤", "with ❤\u{fe0f}\u{200d}🔥"),
            ("🇩🇪", "go 🇩🇪 go"),
            ("1\u{fe0f}\u{20e3}", "number 1\u{20e3}"),
        ] {
            assert!(holds(word, text), "{word} in {text}");
        }
        for (word, text) in [("ass", "cl\u{200d}ass"), ("👧👩", "👩\u{200d}👧"), ("🇩🇪", "🇪🇩"), ("off", "oﬃce")]
        {
            assert!(!holds(word, text), "{word} in {text}");
        }
    }

    #[test]
    fn parts_of_words_are_not() {
        for (word, text) in [
            ("ass", "a class of glass"),
            ("go away", "go far away"),
            ("go away", "away go"),
            ("stupid", "st upid"),
            ("笨蛋", "笨的蛋"),
            ("stupid", ""),
        ] {
            assert!(!holds(word, text), "{word} in {text}");
        }
        assert!(!HeldWords::of(&[]).are_in("anything at all"));
        let held = HeldWords::of(&["go away", "go on"].map(|word| HeldWord::try_from(word.to_owned()).unwrap()));
        assert!(held.are_in("do go on") && held.are_in("go go away") && !held.are_in("on and away we go"));
    }

    #[test]
    fn what_has_no_word_or_is_too_long_is_refused() {
        let parse = |word: &str| HeldWord::try_from(word.to_owned()).map(drop);
        for bad in ["", "  ", "...", "\u{200b}", "\u{301}\u{301}", &"x".repeat(HELD_WORD_MAX + 1)] {
            assert_eq!(parse(bad), Err(Code::HeldWordInvalid), "{bad:?}");
        }
        assert_eq!(parse(&"ß".repeat(HELD_WORD_MAX)), Ok(()));
        assert_eq!(parse(&format!(" {} ", "ß".repeat(HELD_WORD_MAX - 2))), Ok(()));
        // What NFKC makes longest: one character becomes eighteen.
        assert!(holds("\u{fdfa}", "\u{fdfa}"));
        assert_eq!(parse(&"\u{fdfa}".repeat(6)), Ok(()));
        assert_eq!(parse(&"\u{fdfa}".repeat(HELD_WORD_MAX)), Err(Code::HeldWordInvalid), "each note would pay for it");
    }

    /// A figure for docs/BENCHMARKS.md: `cargo test --workspace --lib words_are_compared -- --ignored --nocapture`.
    #[test]
    #[ignore = "it measures"]
    fn words_are_compared_in_so_many_microseconds() {
        use annon_contract::limits::{HELD_WORDS, NOTE_MAX};
        let word = |n| HeldWord::try_from(format!("{}{n}", "\u{fdfa}".repeat(5))).unwrap();
        let (held, note) = ((0..HELD_WORDS).map(word).collect::<Vec<_>>(), "\u{fdfa}".repeat(NOTE_MAX));
        for (words, held) in [(0, HeldWords::of(&[])), (HELD_WORDS, HeldWords::of(&held))] {
            for (what, text) in
                [("usual", "a note with some usual words in it, of a usual length"), ("longest", &*note)]
            {
                #[expect(clippy::disallowed_methods, reason = "it measures")]
                let begun = std::time::Instant::now();
                assert_eq!((0..100).filter(|_| held.are_in(text)).count(), 0);
                println!("{words} words, a {what} note: {:.1} µs", begun.elapsed().as_secs_f64() * 1e4);
            }
        }
    }
}
