//! Words held back: how they are compared with a note.
//!
//! Both are folded (NFKC, no case, no marks on letters) and cut into words, so that
//! neither capitals, nor fullwidth letters, nor invisible characters hide a word. Writing
//! without blanks is cut into characters.

use annon_contract::code::Code;
use annon_contract::limits::HELD_WORD_MAX;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::unprintable;

/// A word or phrase, as its owner has written it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HeldWord(String);

unprintable!(HeldWord);

impl HeldWord {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for HeldWord {
    type Error = Code;

    fn try_from(word: String) -> Result<Self, Code> {
        if word.chars().count() > HELD_WORD_MAX || words_of(&word).is_empty() {
            return Err(Code::HeldWordInvalid);
        }
        Ok(Self(word.trim().to_owned()))
    }
}

/// Whether a text has one of the words.
pub fn has_held_word(held: &[HeldWord], text: &str) -> bool {
    if held.is_empty() {
        return false;
    }
    let text = words_of(text);
    held.iter().any(|held| {
        let held = words_of(&held.0);
        text.windows(held.len()).any(|some| some == held)
    })
}

/// The folded words of a text.
fn words_of(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let folded = text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    for character in folded.nfd() {
        if is_invisible(character) || (is_combining_mark(character) && !character.is_alphabetic()) {
            continue;
        }
        let stands_alone = is_written_without_blanks(character) || is_symbol(character);
        if character.is_alphanumeric() && !stands_alone {
            word.push(character);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if stands_alone {
            words.push(character.to_string());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
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
        has_held_word(&[HeldWord::try_from(word.to_owned()).unwrap()], text)
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
        assert!(!has_held_word(&[], "anything at all"));
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
    }
}
