//! Passwords before they are hashed. Each form on the screen has its own rule
//! and so its own type. None of the types can be printed or stored.

use annon_contract::code::Code;
use annon_contract::limits::{
    CHANGE_PASSWORD_MIN, CHANGE_PASSWORD_OVER, DELETE_PASSWORD_MIN, LOGIN_MIN, PASSWORD_MAX, SIGNUP_PASSWORD_MIN,
};
use annon_contract::passwords::is_common;
use zeroize::Zeroizing;

use super::Username;
use crate::text::unprintable;

/// A password from any form, for hashing or comparing. Its memory is wiped when
/// it is dropped.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Whether it is the user's own name; upper and lower case are the same.
    pub fn is_name(&self, username: &Username) -> bool {
        self.0.eq_ignore_ascii_case(username.as_str())
    }
}

fn at_least(min: usize, raw: Zeroizing<String>, otherwise: Code) -> Result<Password, Code> {
    let length = raw.chars().count();
    if length < min {
        Err(otherwise)
    } else if length > PASSWORD_MAX {
        Err(Code::PasswordTooLong)
    } else {
        Ok(Password(raw))
    }
}

/// A new password. One that many people have is guessed first.
fn uncommon(password: Password) -> Result<Password, Code> {
    if is_common(&password.0) { Err(Code::PasswordTooCommon) } else { Ok(password) }
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
    /// For a new account, and for a reset: at least `SIGNUP_PASSWORD_MIN` characters.
    SignUpPassword: |raw| uncommon(at_least(SIGNUP_PASSWORD_MIN, raw, Code::NewPasswordTooShort)?);
    /// To sign in: at least `LOGIN_MIN` characters.
    LoginPassword: |raw| at_least(LOGIN_MIN, raw, Code::CredentialsInvalid);
    /// The old one in the change form: at least `CHANGE_PASSWORD_MIN` characters.
    CurrentPassword: |raw| at_least(CHANGE_PASSWORD_MIN, raw, Code::PasswordTooShort);
    /// The new one in the change form: more than `CHANGE_PASSWORD_OVER` characters.
    /// If it has fewer than `CHANGE_PASSWORD_MIN`, the user reads another sentence.
    ChangedPassword: |raw| {
        let password = at_least(CHANGE_PASSWORD_MIN, raw, Code::PasswordTooShort)?;
        uncommon(at_least(CHANGE_PASSWORD_OVER + 1, password.0, Code::PasswordsDiffer)?)
    };
    /// To delete the account: at least `DELETE_PASSWORD_MIN` characters.
    DeletionPassword: |raw| at_least(DELETE_PASSWORD_MIN, raw, Code::PasswordTooShort);
}

unprintable!(Password, SignUpPassword, LoginPassword, CurrentPassword, ChangedPassword, DeletionPassword);

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal<Form: TryFrom<String>>(password: &str) -> Option<Form::Error> {
        Form::try_from(password.to_owned()).err()
    }

    #[test]
    fn a_password_is_as_long_as_it_looks() {
        assert_eq!(refusal::<SignUpPassword>(&"ü🙂".repeat(PASSWORD_MAX / 2)), None);
        assert_eq!(refusal::<LoginPassword>(&"ü".repeat(PASSWORD_MAX + 1)), Some(Code::PasswordTooLong));
    }

    #[test]
    fn nobody_chooses_a_common_password_and_who_has_one_still_uses_it() {
        for common in ["12345678", "PassWord"] {
            assert_eq!(refusal::<SignUpPassword>(common), Some(Code::PasswordTooCommon));
            assert_eq!(refusal::<ChangedPassword>(common), Some(Code::PasswordTooCommon));
            assert_eq!(refusal::<LoginPassword>(common), None);
            assert_eq!(refusal::<CurrentPassword>(common), None);
            assert_eq!(refusal::<DeletionPassword>(common), None);
        }
        // A sentence about the length comes first.
        assert_eq!(refusal::<SignUpPassword>("123456"), Some(Code::NewPasswordTooShort));
        assert_eq!(refusal::<ChangedPassword>("123456"), Some(Code::PasswordTooCommon));
        assert_eq!(refusal::<ChangedPassword>("12345"), Some(Code::PasswordsDiffer));
    }
}
