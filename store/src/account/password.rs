//! Passwords on their way to the hash. Each form has its own rule, and so
//! its own type; none of them can be printed or stored.

use annon_contract::code::Code;
use annon_contract::limits::{
    CHANGE_PASSWORD_MIN, CHANGE_PASSWORD_OVER, DELETE_PASSWORD_MIN, LOGIN_MIN, PASSWORD_MAX_BYTES, SIGNUP_PASSWORD_MIN,
};
use zeroize::Zeroizing;

use crate::text::unprintable;

/// A password of any form, ready to be hashed or compared. It is wiped from
/// memory when it is dropped.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// What the hash is made of.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

fn at_least(min: usize, raw: Zeroizing<String>, otherwise: Code) -> Result<Password, Code> {
    if raw.chars().count() < min {
        Err(otherwise)
    } else if raw.len() > PASSWORD_MAX_BYTES {
        Err(Code::PasswordTooLong)
    } else {
        Ok(Password(raw))
    }
}

macro_rules! forms {
    ($($(#[$doc:meta])* $form:ident: $check:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $form(pub Password);

        impl TryFrom<String> for $form {
            type Error = Code;

            fn try_from(raw: String) -> Result<Self, Code> {
                let check: fn(Zeroizing<String>) -> Result<Password, Code> = $check;
                check(Zeroizing::new(raw)).map(Self)
            }
        }
    )*};
}

forms! {
    /// For a new account, and for a reset: at least 8 characters.
    SignUpPassword: |raw| at_least(SIGNUP_PASSWORD_MIN, raw, Code::NewPasswordTooShort);
    /// Typed to sign in: at least 6 characters are worth a try.
    LoginPassword: |raw| at_least(LOGIN_MIN, raw, Code::CredentialsInvalid);
    /// The old one in the change form: at least 5 characters.
    CurrentPassword: |raw| at_least(CHANGE_PASSWORD_MIN, raw, Code::PasswordTooShort);
    /// The new one in the change form: at least 5 characters, and then
    /// longer than 5, since the form's second check says so.
    ChangedPassword: |raw| {
        let password = at_least(CHANGE_PASSWORD_MIN, raw, Code::PasswordTooShort)?;
        at_least(CHANGE_PASSWORD_OVER + 1, password.0, Code::PasswordsDiffer)
    };
    /// Typed to delete the account: at least 5 characters.
    DeletionPassword: |raw| at_least(DELETE_PASSWORD_MIN, raw, Code::PasswordTooShort);
}

unprintable!(Password, SignUpPassword, LoginPassword, CurrentPassword, ChangedPassword, DeletionPassword);

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal<T: TryFrom<String, Error = Code>>(raw: &str) -> Option<String> {
        T::try_from(raw.to_owned()).err().map(|e| e.to_string())
    }

    #[test]
    fn every_form_has_its_own_rule() {
        assert_eq!(refusal::<SignUpPassword>("1234567").as_deref(), Some("Password must be 8 characters or above"));
        assert_eq!(refusal::<SignUpPassword>("12345678"), None);
        assert_eq!(refusal::<LoginPassword>("12345").as_deref(), Some("Kindly input valid login credentials"));
        assert_eq!(refusal::<LoginPassword>("123456"), None);
        assert_eq!(refusal::<CurrentPassword>("1234").as_deref(), Some("Password too short"));
        assert_eq!(refusal::<CurrentPassword>("12345"), None);
        assert_eq!(refusal::<ChangedPassword>("1234").as_deref(), Some("Password too short"));
        assert_eq!(refusal::<ChangedPassword>("12345").as_deref(), Some("Password do not match"));
        assert_eq!(refusal::<ChangedPassword>("123456"), None);
        assert_eq!(refusal::<DeletionPassword>("1234").as_deref(), Some("Password too short"));
        assert_eq!(refusal::<DeletionPassword>("12345"), None);
    }

    #[test]
    fn characters_are_counted_at_the_short_end_and_bytes_at_the_long_one() {
        assert_eq!(refusal::<SignUpPassword>(&"é".repeat(8)), None);
        assert_eq!(refusal::<SignUpPassword>(&"é".repeat(64)), None);
        assert_eq!(refusal::<SignUpPassword>(&"é".repeat(65)).as_deref(), Some("Password must be 128 bytes or below"));
    }

    #[test]
    fn printing_shows_nothing() {
        let password = LoginPassword::try_from("correct horse".to_owned()).unwrap();
        assert!(!format!("{password:?}").contains("horse"));
    }
}
