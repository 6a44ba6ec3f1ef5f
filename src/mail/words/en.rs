//! The mails in English.

use super::{CONFIRMATION_HOURS, Letters, RESET_MINUTES, Words};

pub(super) const LETTERS: Letters = Letters { code: "en", to_confirm, to_reset };

fn to_confirm(name: &str, page: &str) -> Words {
    Words {
        subject: format!("Confirm your address for Annon: {name}"),
        text: format!(
            "Hello,\n\n\
             this address was entered for the Annon account\n\n    {name}\n\n\
             If that account is yours, open this link within {CONFIRMATION_HOURS} hours and\nsay yes there:\n\n\
             {page}\n\n\
             Then you can sign in with this address too, and reset your\npassword if you ever forget it. \
             Until then, sign in with your\nusername.\n\n\
             If it isn't yours, someone else entered your address. Say no\nthere, or do nothing: without a \
             yes, the address belongs to no one.\n"
        ),
    }
}

fn to_reset(name: &str, link: &str) -> Words {
    Words {
        subject: "Set a new password for Annon".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             someone asked for a new password for your Annon account.\n\
             If it was you, open this link within {RESET_MINUTES} minutes:\n\n\
             {link}\n\n\
             If it wasn't, there's nothing you need to do: without the link,\nnothing changes.\n"
        ),
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
