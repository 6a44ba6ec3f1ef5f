//! What letters say, in each language that the web app speaks: a file and a
//! line of `LETTERS` each. A letter is written in the language of the person who
//! asked for it.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AcceptLanguage, Header};
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

mod de;
mod en;

/// The first is for everybody who reads in no other.
const LETTERS: [&Letters; 2] = [&en::LETTERS, &de::LETTERS];

/// The letters of one language.
struct Letters {
    /// As `Accept-Language` names the language.
    code: &'static str,
    to_confirm: fn(&str, &str) -> Words,
    to_reset: fn(&str, &str) -> Words,
}

/// A language that letters are written in.
#[derive(Clone, Copy)]
pub struct Language(&'static Letters);

/// By `Accept-Language`. The web app sends the language chosen in it.
impl FromRequest for Language {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let wanted = AcceptLanguage::parse(request).map(|languages| languages.ranked()).unwrap_or_default();
        let mut codes = wanted.iter().filter_map(|one| Some(one.item()?.primary_language()));
        let letters = codes.find_map(|code| LETTERS.into_iter().find(|letters| letters.code == code));
        ready(Ok(Self(letters.unwrap_or(LETTERS[0]))))
    }
}

impl IntoParams for Language {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let header = ParameterBuilder::new()
            .name("Accept-Language")
            .parameter_in(ParameterIn::Header)
            .description(Some("The language of the mail: en or de"))
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

/// To the owner of an address that somebody else signed up with. Which
/// language that one speaks says nothing about the owner's.
pub fn to_its_owner(name: &str, login: &str, reset: &str) -> Words {
    Words {
        subject: "You already have an Annon account".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             someone tried to sign up for Annon with your address.\n\
             You already have an account. If it was you, sign in with your\nusername or address:\n\n\
             {login}\n\n\
             Forgot your password? Set a new one:\n\n\
             {reset}\n\n\
             If it wasn't you, there's nothing you need to do: they weren't\n\
             told that you have an account, and your address stays yours.\n"
        ),
    }
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
    fn every_letter_names_the_person_and_has_its_link_on_a_line_of_its_own() {
        for language in LETTERS.map(Language) {
            let confirm = to_confirm(language, "some-body", "https://a");
            assert!(confirm.text.contains("\n\n    some-body\n\n") && confirm.subject.ends_with(": some-body"));
            for words in [confirm, to_reset(language, "some-body", "https://a")] {
                assert!(words.text.contains("some-body") && words.text.contains("\n\nhttps://a\n\n"));
                assert!(words.text.lines().all(|line| line.chars().count() <= 72), "{}", words.text);
            }
        }
    }
}
