//! Text that was checked: a value of one of these types is within its limits.
//! The parse error is the sentence that a person reads.

use std::borrow::Cow;

use annon_contract::code::Code;
use annon_contract::limits::{ANSWER_MAX, FEEDBACK_MAX, FEEDBACK_MIN, NOTE_MAX, NOTE_MIN};
use annon_contract::names::{DIRECTION_MARKS, FORCING_MARKS};
use zeroize::{Zeroize, Zeroizing};

use crate::account::TargetId;
use crate::sealed::{checked_note, marked, unmarked};

/// Keeps what people write out of logs, also when code prints a struct that
/// has the text in it.
macro_rules! unprintable {
    ($($kind:ty),*) => {$(
        impl ::std::fmt::Debug for $kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(concat!(stringify!($kind), "(…)"))
            }
        }
    )*};
}
pub(crate) use unprintable;

/// Makes a type for text of a length within a range. What is sent must not be longer, and what is
/// left after tidying must not be shorter: so both ends are what the API's description says.
macro_rules! words {
    ($(#[$doc:meta])* $kind:ident($kept:ty), $tidy:ident, $range:expr, $too_short:expr, $too_long:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        pub struct $kind($kept);

        impl $kind {
            /// The words; or what is sealed, as it is sent.
            pub fn as_str(&self) -> &str {
                $crate::sealed::unmarked(&self.0).map_or(&self.0, |(_, sealed)| sealed)
            }
        }

        impl TryFrom<&str> for $kind {
            type Error = ::annon_contract::code::Code;

            fn try_from(raw: &str) -> Result<Self, Self::Error> {
                let text = $tidy(raw);
                if $crate::text::length(&text) < *$range.start() {
                    Err($too_short)
                } else if $crate::text::length(raw) > *$range.end() {
                    Err($too_long)
                } else {
                    Ok(Self(text.into()))
                }
            }
        }

        $crate::text::unprintable!($kind);
    };
}
pub(crate) use words;

words! {
    /// An anonymous note: `NOTE_MIN` to `NOTE_MAX` characters.
    NoteText(String), tidy, NOTE_MIN..=NOTE_MAX, Code::NoteTooShort, Code::NoteTooLong
}
words! {
    /// A public answer to a note: 1 to `ANSWER_MAX` characters.
    AnswerText(String), tidy, 1..=ANSWER_MAX, Code::AnswerEmpty, Code::AnswerTooLong
}
words! {
    /// A piece of feedback: `FEEDBACK_MIN` to `FEEDBACK_MAX` characters.
    FeedbackText(String), tidy, FEEDBACK_MIN..=FEEDBACK_MAX, Code::FeedbackTooShort, Code::FeedbackTooLong
}

/// Wipes the memory of what people write when the value is dropped.
macro_rules! wiped {
    ($($kind:ty),*) => {$(
        impl TryFrom<String> for $kind {
            type Error = Code;

            fn try_from(raw: String) -> Result<Self, Code> {
                Self::try_from(Zeroizing::new(raw).as_str())
            }
        }

        impl Drop for $kind {
            fn drop(&mut self) {
                self.0.zeroize();
            }
        }
    )*};
}
wiped!(NoteText, AnswerText, FeedbackText);

impl NoteText {
    /// A note that its sender's browser has sealed, for whoever has this target.
    pub fn sealed(target: TargetId, raw: &str, begins_conversation: bool) -> Result<Self, Code> {
        let sealed = checked_note(raw, begins_conversation)?;
        Ok(Self(marked(&target.0.to_string(), sealed)))
    }

    /// The target that it was sealed for; `None` if it is open.
    pub fn sealed_for(&self) -> Option<&str> {
        unmarked(&self.0).map(|(target, _)| target)
    }

    pub fn is_sealed(&self) -> bool {
        self.sealed_for().is_some()
    }

    /// The words; of a sealed note none, since nobody here can read them.
    pub fn open_words(&self) -> &str {
        if self.is_sealed() { "" } else { self.as_str() }
    }

    /// As many bytes that say nothing.
    pub(crate) fn decoy(&self) -> Self {
        Self("x".repeat(self.0.len()))
    }
}

/// A text whose line breaks are one character each. Browsers send two in a form, and the person who
/// wrote the text has counted one.
pub fn with_single_breaks(raw: String) -> String {
    if raw.contains('\r') { single_breaks(&Zeroizing::new(raw)) } else { raw }
}

fn single_breaks(raw: &str) -> String {
    raw.replace("\r\n", "\n").replace('\r', "\n")
}

/// Makes line breaks one kind, and removes white space at the ends and control
/// characters, which nobody can see and some terminals obey.
pub(crate) fn tidy(raw: &str) -> Cow<'_, str> {
    // Nearly all text is plain. Without a branch in the loop, the processor
    // checks many bytes at once.
    let is_plain = |b: u8| (b' '..=b'~').contains(&b) | (b == b'\n') | (b == b'\t');
    let is_wrong = |c: char| c.is_control() && c != '\n' && c != '\t';
    if raw.bytes().fold(true, |all, b| all & is_plain(b)) {
        return raw.trim().into();
    }
    let text: Cow<'_, str> = if raw.contains(is_wrong) {
        single_breaks(raw).replace(is_wrong, "").trim().to_owned().into()
    } else {
        raw.trim().into()
    };
    if text.chars().all(is_unseen) { "".into() } else { text }
}

/// Whether a character is invisible: white space, joiners, fillers, marks of
/// direction, variations. Among other characters they have their uses; a text
/// of such characters alone is empty.
fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// A name is shown within sentences of ours, and must not reverse them: so it
/// has no marks of direction and no line breaks.
pub(crate) fn tidy_name(raw: &str) -> String {
    tidy(&without_directions(raw).replace(char::is_whitespace, " ")).into_owned()
}

/// A text without marks of direction, for a place beside other text, such as a
/// terminal: a mark would reverse that text, too.
pub fn without_directions(text: &str) -> String {
    text.replace(is_direction, "")
}

/// A text without the marks that force a direction on letters, for an element of its own. The marks
/// that Arabic and Hebrew texts use stay, and end with the element.
pub fn without_forcing(text: &str) -> String {
    text.replace(|c| FORCING_MARKS.iter().any(|marks| marks.contains(&c)), "")
}

/// Whether a character is a mark that changes the direction of writing.
pub fn is_direction(c: char) -> bool {
    DIRECTION_MARKS.iter().any(|marks| marks.contains(&c))
}

pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::LoginPassword;
    use crate::seals::secret::Secret;
    use proptest::prelude::*;

    fn note(text: &str) -> Result<NoteText, String> {
        NoteText::try_from(text.to_owned()).map_err(|e| e.to_string())
    }

    #[test]
    fn what_nobody_can_see_is_no_text() {
        for unseen in ["\u{200b}", "\u{2060}", "\u{3164}", "\u{2800}", "\u{ad}", "\u{fe0f}", "\u{e0061}", " \u{feff}"] {
            assert_eq!(tidy(&unseen.repeat(12)), "", "{unseen:?}");
            assert!(note(&unseen.repeat(12)).is_err(), "{unseen:?}");
        }
        let family = "👩\u{200d}👩\u{200d}👧";
        [family, "❤\u{fe0f}", "نعم\u{200f}", "a\u{200b}"].iter().for_each(|seen| assert_eq!(tidy(seen), *seen));
    }

    #[test]
    fn what_is_sent_is_counted_whole_at_the_top_and_tidied_at_the_bottom() {
        let (most, least) = ("é".repeat(NOTE_MAX), "é".repeat(NOTE_MIN - 1));
        for unseen in ["\u{7}", " ", "\n", "\u{85}"] {
            assert_eq!(note(&format!("{most}{unseen}")), Err(Code::NoteTooLong.to_string()), "{unseen:?}");
            assert_eq!(note(&format!("{least}{unseen}")), Err(Code::NoteTooShort.to_string()), "{unseen:?}");
        }
        assert!(note(&most).is_ok());
        assert!(note(&format!("{least}x")).is_ok());
        assert_eq!(with_single_breaks("a\r\nb\rc\n\r\n".to_owned()), "a\nb\nc\n\n");
    }

    #[test]
    fn a_name_turns_nothing_round_and_is_on_one_line() {
        for mark in
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".chars()
        {
            assert_eq!(tidy_name(&format!("{mark}moc{mark}.knab{mark}")), "moc.knab", "{mark:?}");
        }
        assert_eq!(without_directions("\u{202e}two\u{2066}\nlines"), "two\nlines");
        assert_eq!(tidy_name(" two\nlines\there "), "two lines here");
        assert_eq!(tidy_name("\u{202e}\u{202e}\u{202e}\u{202e}"), "");
        assert_eq!(tidy_name("ירושלים 2026"), "ירושלים 2026");
    }

    #[test]
    fn printing_shows_nothing_that_is_kept_out_of_logs() {
        let password = LoginPassword::try_from("correct horse".to_owned()).unwrap();
        let secret = Secret::at(&tempfile::tempdir().unwrap().path().join("secret")).unwrap();
        let shown = format!("{:?} {password:?} {:?} {secret:?}", note("a secret that matters").unwrap(), password.0);
        assert_eq!(shown, "NoteText(…) LoginPassword(…) Password(…) Secret(…)");
    }

    proptest! {
        #[test]
        fn an_accepted_note_is_within_limits_and_is_accepted_again(raw in any::<String>()) {
            if let Ok(first) = NoteText::try_from(raw) {
                let count = first.as_str().chars().count();
                prop_assert!((NOTE_MIN..=NOTE_MAX).contains(&count));
                prop_assert!(!first.as_str().contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
                prop_assert_eq!(NoteText::try_from(first.as_str().to_owned()).unwrap(), first);
            }
        }

        #[test]
        fn any_ten_to_280_visible_characters_are_a_note(raw in "[a-zA-Z0-9 é🙂]{8,278}") {
            let text = format!("x{raw}x");
            prop_assert!(NoteText::try_from(text).is_ok());
        }
    }
}
