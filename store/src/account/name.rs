//! Usernames and e-mail addresses.

use annon_contract::code::Code;
use annon_contract::limits::{EMAIL_MAX, LOGIN_MIN, USERNAME_MAX, USERNAME_MIN};
use annon_contract::names::{is_of_the_house, is_reserved};
use serde::{Deserialize, Serialize};

use crate::text::unprintable;

/// A name for a personal link: `USERNAME_MIN` to `USERNAME_MAX` ASCII letters,
/// digits, `_` and `-`. Routes of the web app can't be names.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Username(String);

impl TryFrom<String> for Username {
    type Error = Code;

    fn try_from(raw: String) -> Result<Self, Code> {
        let name: String = raw.chars().map(|c| if c.is_whitespace() { '-' } else { c }).collect();
        match name.chars().count() {
            0..USERNAME_MIN => return Err(Code::UsernameTooShort),
            USERNAME_MIN..=USERNAME_MAX => {}
            _ => return Err(Code::UsernameTooLong),
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
            return Err(Code::UsernameCharacters);
        }
        if is_reserved(&name) {
            return Err(Code::UsernameNotAvailable);
        }
        Ok(Self(name))
    }
}

/// A name to sign up with: not one by which a stranger could pose as the
/// operator. An older account keeps such a name.
pub struct NewUsername(pub Username);

impl TryFrom<String> for NewUsername {
    type Error = Code;

    fn try_from(raw: String) -> Result<Self, Code> {
        let name = Username::try_from(raw)?;
        if is_of_the_house(name.as_str()) { Err(Code::UsernameNotAvailable) } else { Ok(Self(name)) }
    }
}

/// An address of the usual form, `somebody@some.where`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Email(String);

impl TryFrom<String> for Email {
    type Error = Code;

    fn try_from(raw: String) -> Result<Self, Code> {
        let address = raw.trim();
        let (local, domain) = address.rsplit_once('@').ok_or(Code::EmailInvalid)?;
        if raw.chars().count() <= EMAIL_MAX && is_local_part(local) && is_domain(domain) {
            Ok(Self(address.to_owned()))
        } else {
            Err(Code::EmailInvalid)
        }
    }
}

/// Atoms with dots between them. Quoted forms are legal, but nobody uses them.
fn is_local_part(local: &str) -> bool {
    local.len() <= 64
        && local.split('.').all(|atom| {
            !atom.is_empty() && atom.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
        })
}

fn is_domain(domain: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    match domain.rsplit_once('.') {
        Some((rest, top)) => {
            rest.split('.').all(is_label)
                && is_label(top)
                && top.len() >= 2
                && top.bytes().any(|b| b.is_ascii_alphabetic())
        }
        None => false,
    }
}

macro_rules! typed {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// As it was typed.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The form in which two of them are compared.
            pub fn folded(&self) -> String {
                self.0.to_ascii_lowercase()
            }
        }
    )*};
}
typed!(Username, Email);

/// A name or an address, typed to sign in.
#[derive(Clone)]
pub enum LoginName {
    Username(Username),
    Email(Email),
    /// It has the form of neither, so no account has it.
    Nobody,
}

impl TryFrom<String> for LoginName {
    type Error = Code;

    fn try_from(raw: String) -> Result<Self, Code> {
        let name = raw.trim();
        if name.chars().count() < LOGIN_MIN {
            return Err(Code::CredentialsInvalid);
        }
        if name.contains('@') {
            return Ok(Email::try_from(name.to_owned()).map_or(Self::Nobody, Self::Email));
        }
        Ok(Username::try_from(name.to_owned()).map_or(Self::Nobody, Self::Username))
    }
}

unprintable!(Username, Email, LoginName);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_email(raw: &str) -> bool {
        Email::try_from(raw.to_owned()).is_ok()
    }

    #[test]
    fn addresses_have_the_usual_form() {
        for good in ["a@b.co", "first.last+tag@sub.example.org", " padded@example.com ", "x_1@xn--bcher-kva.example"] {
            assert!(is_email(good), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(65));
        for bad in [
            "",
            "a",
            "@",
            "a@",
            "@b.co",
            "a@b",
            "a@b.c",
            "a@.co",
            "a@b..co",
            "a b@c.de",
            "a@b.co, c@d.ef",
            "a@-b.co",
            ".a@b.co",
            "a.@b.co",
            "a@b.co\r\nBcc: x@y.zz",
            "a@@b.co",
            "a@1.23",
            "<a@b.co>",
            &long,
        ] {
            assert!(!is_email(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_login_name_is_looked_up_only_if_it_can_exist() {
        let parse = |raw: &str| LoginName::try_from(raw.to_owned());
        assert_eq!(parse("five5").unwrap_err().to_string(), "Kindly input valid login credentials");
        assert!(matches!(parse("somebody"), Ok(LoginName::Username(_))));
        assert!(matches!(parse("a@b.co"), Ok(LoginName::Email(_))));
        assert!(matches!(parse("settings"), Ok(LoginName::Nobody)));
        assert!(matches!(parse("not an@address"), Ok(LoginName::Nobody)));
    }

    proptest! {
        #[test]
        fn an_accepted_name_is_safe_in_a_path_and_is_accepted_again(raw in any::<String>()) {
            if let Ok(first) = Username::try_from(raw) {
                prop_assert!((USERNAME_MIN..=USERNAME_MAX).contains(&first.as_str().len()));
                prop_assert!(first.as_str().bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
                prop_assert_eq!(Username::try_from(first.as_str().to_owned()).unwrap(), first);
            }
        }

        #[test]
        fn any_six_to_sixteen_plain_characters_are_a_name(raw in "[a-zA-Z0-9_]{5,15}") {
            let name = format!("-{raw}");
            prop_assert!(Username::try_from(name).is_ok());
        }

        #[test]
        fn an_accepted_address_can_stand_in_a_mail_header(raw in "\\PC*@\\PC*|[a-z.@ \r\n<>,\"]{0,40}") {
            if let Ok(email) = Email::try_from(raw) {
                prop_assert!(email.as_str().is_ascii());
                prop_assert!(!email.as_str().contains(|c: char| c.is_control() || c.is_whitespace() || "<>,;\"()".contains(c)));
            }
        }
    }
}
