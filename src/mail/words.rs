//! What mails say: a file and an entry of `LETTERS` for each language of the web
//! app. A mail is in the language of whoever asked for it; `to_its_owner`, which
//! a stranger causes, that about an account which nobody uses, and those that the operator reads are in English.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{AcceptLanguage, Header};
use actix_web::{FromRequest, HttpRequest};
use annon_contract::limits::{CONFIRMATION_LIFETIME, RESET_LIFETIME};
use annon_store::account::Username;
use annon_store::push::{self, Kind};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

mod de;
mod en;
pub use en::{to_its_owner, to_operator, to_owner_of_unused, to_test};

/// How long a link works that confirms an address, and one that resets a password.
const CONFIRMATION_HOURS: u64 = CONFIRMATION_LIFETIME.as_secs() / 3600;
const RESET_MINUTES: u64 = RESET_LIFETIME.as_secs() / 60;

/// The first is for people who read none of these languages.
const LETTERS: &[&Letters] = &[&en::LETTERS, &de::LETTERS];

/// The mails of one language.
struct Letters {
    /// As `Accept-Language` names the language.
    code: &'static str,
    to_confirm: fn(&[Claim]) -> Words,
    to_reset: fn(&str, &str) -> Words,
    told: fn(Kind) -> &'static str,
    to_owner_of_waiting: fn(Counts, &str, &str) -> Words,
}

/// A language that mails are written in.
#[derive(Clone, Copy)]
pub struct Language(&'static Letters);

/// By `Accept-Language`. The web app sends the language chosen in it.
impl FromRequest for Language {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let wanted = AcceptLanguage::parse(request).map(|languages| languages.ranked()).unwrap_or_default();
        let mut codes = wanted.iter().filter_map(|one| Some(one.item()?.primary_language()));
        let letters = codes.find_map(|code| LETTERS.iter().find(|letters| letters.code == code));
        ready(Ok(Self(letters.unwrap_or(&LETTERS[0]))))
    }
}

impl IntoParams for Language {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let codes: Vec<_> = LETTERS.iter().map(|letters| letters.code).collect();
        let header = ParameterBuilder::new()
            .name("Accept-Language")
            .parameter_in(ParameterIn::Header)
            .description(Some(format!("The language of the mail: {}", codes.join(" or "))))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![header.build()]
    }
}

impl Language {
    /// As it is kept for mails that come later.
    pub fn kept(self) -> push::Language {
        [push::Language::En, push::Language::De]
            .into_iter()
            .find(|language| letters_in(*language).code == self.0.code)
            .unwrap_or(push::Language::En)
    }
}

fn letters_in(language: push::Language) -> &'static Letters {
    match language {
        push::Language::En => &en::LETTERS,
        push::Language::De => &de::LETTERS,
    }
}

/// What words have in place of the site's name.
pub(super) const SITE: &str = "{site}";

pub struct Words {
    pub subject: String,
    pub text: String,
}

/// An account that was made with an address, and its link to confirm it.
pub struct Claim {
    pub username: Username,
    /// How long ago it was made: its owner knows it also by that.
    pub age: Duration,
    pub page: String,
}

/// To an address that accounts were made with. Its reader may have nothing to do
/// with any, so their names stand where nobody overlooks them.
pub fn to_confirm(language: Language, claims: &[Claim]) -> Words {
    (language.0.to_confirm)(claims)
}

/// To somebody who forgot a password.
pub fn to_reset(language: Language, name: &str, link: &str) -> Words {
    (language.0.to_reset)(name, link)
}

/// What a browser says while no page is open. There is no word of anybody in it, and no name.
pub fn told(language: push::Language, kind: Kind) -> &'static str {
    (letters_in(language).told)(kind)
}

/// What is waiting for the owner of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub notes: usize,
    pub replies: usize,
}

/// To the owner of an account, once a day at most, with the page that shows what is waiting and the one that ends such
/// mails. It has no word of anybody.
pub fn to_owner_of_waiting(language: push::Language, counts: Counts, page: &str, end: &str) -> Words {
    (letters_in(language).to_owner_of_waiting)(counts, page, end)
}

/// So many of one or more things, without those of which there are none.
fn counted(all: [(usize, &str, &str); 2], and: &str) -> String {
    let there = all.into_iter().filter(|(count, ..)| *count > 0);
    let said = there.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
    said.collect::<Vec<_>>().join(and)
}

/// A time in the largest unit of which there are two or more; `None` if it is
/// less than two minutes.
fn rounded(age: Duration) -> Option<(u64, Unit)> {
    let minutes = age.as_secs() / 60;
    match minutes {
        0..2 => None,
        2..120 => Some((minutes, Unit::Minutes)),
        120..2_880 => Some((minutes / 60, Unit::Hours)),
        _ => Some((minutes / 1_440, Unit::Days)),
    }
}

enum Unit {
    Minutes,
    Hours,
    Days,
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn asked(request: TestRequest) -> &'static str {
        let Ok(language) = Language::from_request(&request.to_http_request(), &mut Payload::None).into_inner();
        language.0.code
    }

    #[test]
    fn the_first_wanted_language_that_is_spoken_is_taken() {
        for (header, language) in [
            ("de", "de"),
            ("de-AT,en;q=0.8", "de"),
            ("en;q=0.7, de;q=0.9", "de"),
            ("fr, de;q=0.5", "de"),
            ("en-GB,en;q=0.9,de;q=0.8", "en"),
            ("fr, *;q=0.5", "en"),
            ("", "en"),
            ("ö;;q=", "en"),
        ] {
            let request = TestRequest::default().insert_header(("Accept-Language", header));
            assert_eq!(asked(request), language, "{header}");
        }
        assert_eq!(asked(TestRequest::default()), "en");
    }

    fn claim(name: &str, age: u64, page: &str) -> Claim {
        let username = Username::try_from(name.to_owned()).unwrap();
        Claim { username, age: Duration::from_secs(age), page: page.to_owned() }
    }

    #[test]
    fn a_letter_to_confirm_names_every_account_its_age_and_its_link() {
        for letters in LETTERS {
            let claims = [claim("some-body", 7, "https://a"), claim("other-body", 3 * 60, "https://b")];
            let Words { subject, text } = (letters.to_confirm)(&claims);
            assert!(subject.contains(": 2 "), "{subject}");
            let places = ["    some-body\n", "\n\nhttps://a\n\n", "    other-body\n", " 3 Min", "\n\nhttps://b\n\n"];
            let places = places.map(|part| {
                text.find(part).or(text.find(&part.to_lowercase())).unwrap_or_else(|| panic!("{part}: {text}"))
            });
            assert!(places.is_sorted(), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
        }
        for (age, en, de) in [
            (0, "just now", "gerade eben"),
            (119, "just now", "gerade eben"),
            (120, "2 minutes ago", "vor 2 Minuten"),
            (2 * 3600 - 1, "119 minutes ago", "vor 119 Minuten"),
            (47 * 3600, "47 hours ago", "vor 47 Stunden"),
            (400 * 86_400, "400 days ago", "vor 400 Tagen"),
        ] {
            let text = |letters: &Letters| (letters.to_confirm)(&[claim("some-body", age, "https://a")]).text;
            assert!(text(&en::LETTERS).contains(en) && text(&de::LETTERS).contains(de), "{age}");
        }
    }

    #[test]
    fn a_digest_counts_what_there_is_and_ends_by_a_link_on_a_line_of_its_own() {
        let of = |language, notes, replies| {
            let Words { subject, text } =
                to_owner_of_waiting(language, Counts { notes, replies }, "https://a", "https://b");
            assert!(text.contains("\n\nhttps://a\n\n") && text.contains("\n\nhttps://b\n"), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
            subject
        };
        for (language, counts, subject) in [
            (push::Language::En, (2, 1), "2 notes and 1 reply are waiting at {site}"),
            (push::Language::En, (1, 0), "1 note is waiting at {site}"),
            (push::Language::En, (0, 2), "2 replies are waiting at {site}"),
            (push::Language::De, (2, 1), "2 Nachrichten und 1 Antwort warten bei {site}"),
            (push::Language::De, (1, 0), "1 Nachricht wartet bei {site}"),
            (push::Language::De, (0, 2), "2 Antworten warten bei {site}"),
        ] {
            assert_eq!(of(language, counts.0, counts.1), subject);
        }
    }

    #[test]
    fn every_letter_names_the_person_its_time_and_on_a_line_of_its_own_its_link() {
        for letters in LETTERS {
            let confirm = (letters.to_confirm)(&[claim("some-body", 7, "https://a")]);
            assert!(confirm.text.contains("\n\n    some-body\n\n") && confirm.subject.ends_with(": some-body"));
            let reset = (letters.to_reset)("some-body", "https://a");
            for (words, time) in [(confirm, CONFIRMATION_HOURS), (reset, RESET_MINUTES)] {
                assert!(words.text.contains("some-body") && words.text.contains("\n\nhttps://a\n\n"));
                assert!(words.text.lines().all(|line| line.chars().count() <= 72), "{}", words.text);
                assert!(words.text.contains(&format!(" {time} ")), "{time} is not in {}", words.text);
            }
        }
    }
}
