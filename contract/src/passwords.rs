//! The commonest passwords, which nobody may choose.
//!
//! `common_passwords.txt` has the first 10,000 of `passwords.json` in the npm
//! package `@zxcvbn-ts/language-common` 4.1.3, most frequent first, in lower
//! case, without those that are too short for every form. The package has the
//! MIT license: Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright
//! (c) 2021 @zxcvbn-ts. `scripts/common_passwords.sh` makes the file.

/// The commonest passwords, one a line.
pub const COMMON_PASSWORDS: &str = include_str!("common_passwords.txt");

/// Whether many people have this password; upper and lower case are the same.
/// It is not copied, so that no part of it stays in memory.
pub fn is_common(password: &str) -> bool {
    COMMON_PASSWORDS.lines().any(|common| common.chars().eq(password.chars().flat_map(char::to_lowercase)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::CHANGE_PASSWORD_OVER;

    #[test]
    fn the_commonest_passwords_are_known_in_any_case() {
        for common in ["12345678", "password", "QWERTYUIOP", "Password1"] {
            assert!(is_common(common), "{common}");
        }
        for other in ["", "password of mine", "correct horse", "12345678 ", "passwordd"] {
            assert!(!is_common(other), "{other}");
        }
    }

    #[test]
    fn the_list_has_what_can_be_compared_and_what_a_form_would_accept() {
        assert!(COMMON_PASSWORDS.lines().count() > 8_000);
        for common in COMMON_PASSWORDS.lines() {
            assert!(common.len() > CHANGE_PASSWORD_OVER && is_common(common), "{common}");
            assert!(common.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase()), "{common}");
        }
    }
}
