//! What letters say, in each language that the web app speaks. A letter is
//! written in the language of the person who asked for it.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AcceptLanguage, Header};
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

/// A language that letters are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Also where no language was asked for that letters are written in.
    English,
    /// German.
    German,
}

/// By `Accept-Language`. The web app sends the language chosen in it.
impl FromRequest for Language {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let wanted = AcceptLanguage::parse(request).map(|languages| languages.ranked()).unwrap_or_default();
        ready(Ok(wanted
            .iter()
            .filter_map(|one| spoken(one.item()?.primary_language()))
            .next()
            .unwrap_or(Self::English)))
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

fn spoken(language: &str) -> Option<Language> {
    match language {
        "en" => Some(Language::English),
        "de" => Some(Language::German),
        _ => None,
    }
}

/// The words of one letter.
pub struct Words {
    /// Its first line.
    pub subject: String,
    /// Its text.
    pub text: String,
}

/// To an address that a new account was made with. Its reader may have nothing
/// to do with the account, so its name stands where nobody overlooks it.
pub fn to_confirm(language: Language, name: &str, page: &str) -> Words {
    match language {
        Language::English => Words {
            subject: format!("Confirm your address for Annon: {name}"),
            text: format!(
                "Hello,\n\n\
                 this address was entered for the Annon account\n\n    {name}\n\n\
                 If that account is yours, open this link within 24 hours and\nsay yes there:\n\n\
                 {page}\n\n\
                 Then you can sign in with this address too, and reset your\npassword if you ever forget it. \
                 Until then, sign in with your\nusername.\n\n\
                 If it isn't yours, someone else entered your address. Say no\nthere, or do nothing: without a \
                 yes, the address belongs to no one.\n"
            ),
        },
        Language::German => Words {
            subject: format!("Bestätige deine Adresse für Annon: {name}"),
            text: format!(
                "Hallo,\n\n\
                 diese Adresse wurde für dieses Annon-Konto angegeben:\n\n    {name}\n\n\
                 Wenn das dein Konto ist, öffne innerhalb von 24 Stunden diesen\nLink und sag dort Ja:\n\n\
                 {page}\n\n\
                 Dann kannst du dich auch mit der Adresse anmelden und dein\nPasswort zurücksetzen, falls du es mal \
                 vergisst. Bis dahin meldest\ndu dich mit deinem Benutzernamen an.\n\n\
                 Wenn nicht, hat jemand anderes deine Adresse angegeben. Sag dort\nNein, oder tu nichts: Ohne \
                 ein Ja gehört die Adresse niemandem.\n"
            ),
        },
    }
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
    match language {
        Language::English => Words {
            subject: "Set a new password for Annon".to_owned(),
            text: format!(
                "Hello {name},\n\n\
                 someone asked for a new password for your Annon account.\n\
                 If it was you, open this link within 30 minutes:\n\n\
                 {link}\n\n\
                 If it wasn't, there's nothing you need to do: without the link,\nnothing changes.\n"
            ),
        },
        Language::German => Words {
            subject: "Neues Passwort für Annon".to_owned(),
            text: format!(
                "Hallo {name},\n\n\
                 für dein Annon-Konto wurde ein neues Passwort angefordert.\n\
                 Wenn du das warst, öffne innerhalb von 30 Minuten diesen Link:\n\n\
                 {link}\n\n\
                 Wenn nicht, musst du nichts tun: Ohne den Link ändert sich\nnichts.\n"
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn asked(header: &str) -> Language {
        let request = TestRequest::default().insert_header(("Accept-Language", header)).to_http_request();
        let Ok(language) = Language::from_request(&request, &mut Payload::None).into_inner();
        language
    }

    #[test]
    fn the_first_wanted_language_that_is_spoken_is_taken() {
        for (header, language) in [
            ("de", Language::German),
            ("de-AT,en;q=0.8", Language::German),
            ("en;q=0.7, de;q=0.9", Language::German),
            ("fr, de;q=0.5", Language::German),
            ("en-GB,en;q=0.9,de;q=0.8", Language::English),
            ("fr, *;q=0.5", Language::English),
            ("", Language::English),
            ("ö;;q=", Language::English),
        ] {
            assert_eq!(asked(header), language, "{header}");
        }
        let silent = TestRequest::default().to_http_request();
        let Ok(language) = Language::from_request(&silent, &mut Payload::None).into_inner();
        assert_eq!(language, Language::English);
    }

    #[test]
    fn every_letter_names_the_person_and_has_its_link_on_a_line_of_its_own() {
        for language in [Language::English, Language::German] {
            let confirm = to_confirm(language, "some-body", "https://a");
            assert!(confirm.text.contains("\n\n    some-body\n\n") && confirm.subject.ends_with(": some-body"));
            for words in [confirm, to_reset(language, "some-body", "https://a")] {
                assert!(words.text.contains("some-body") && words.text.contains("\n\nhttps://a\n\n"));
                assert!(words.text.lines().all(|line| line.chars().count() <= 72), "{}", words.text);
            }
        }
    }
}
