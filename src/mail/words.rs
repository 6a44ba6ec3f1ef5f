//! What mails say: a file and an entry of `LETTERS` for each language of the web
//! app. A mail is in the language of whoever asked for it; `to_its_owner`, which
//! a stranger causes, is in English.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AcceptLanguage, Header};
use actix_web::{FromRequest, HttpRequest};
use annon_contract::limits::{CONFIRMATION_LIFETIME, RESET_LIFETIME};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

mod de;
mod en;
pub use en::to_its_owner;

/// How long a link works that confirms an address, and one that resets a password.
const CONFIRMATION_HOURS: u64 = CONFIRMATION_LIFETIME.as_secs() / 3600;
const RESET_MINUTES: u64 = RESET_LIFETIME.as_secs() / 60;

/// The first is for people who read none of these languages.
const LETTERS: &[&Letters] = &[&en::LETTERS, &de::LETTERS];

/// The mails of one language.
struct Letters {
    /// As `Accept-Language` names the language.
    code: &'static str,
    to_confirm: fn(&str, &str) -> Words,
    to_reset: fn(&str, &str) -> Words,
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

pub struct Words {
    pub subject: String,
    pub text: String,
}

/// To an address that a new account was made with. Its reader may have nothing
/// to do with the account, so its name stands where nobody overlooks it.
pub fn to_confirm(language: Language, name: &str, page: &str) -> Words {
    (language.0.to_confirm)(name, page)
}

/// To somebody who forgot a password.
pub fn to_reset(language: Language, name: &str, link: &str) -> Words {
    (language.0.to_reset)(name, link)
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

    #[test]
    fn every_letter_names_the_person_its_time_and_on_a_line_of_its_own_its_link() {
        for letters in LETTERS {
            let confirm = (letters.to_confirm)("some-body", "https://a");
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
