//! The mails in English.

use std::time::Duration;

use annon_store::push::Kind;

use crate::waits::Waits;

use super::{CONFIRMATION_HOURS, Claim, Counts, Letters, RESET_MINUTES, Unit, Words, counted, rounded};

pub(super) const LETTERS: Letters = Letters { code: "en", to_confirm, to_reset, told, to_owner_of_waiting };

fn to_confirm(claims: &[Claim]) -> Words {
    let (subject, accounts) = match claims {
        [one] => (one.username.as_str().to_owned(), "an account at {site}. If it's yours, open\n".to_owned()),
        _ => (
            format!("{} accounts", claims.len()),
            format!("{} accounts at {{site}}. If one of them is\nyours, open ", claims.len()),
        ),
    };
    let mut list = String::new();
    for Claim { username, age, page } in claims {
        list += &format!("    {}\n\ncreated {}:\n\n{page}\n\n", username.as_str(), ago(*age));
    }
    Words {
        subject: format!("Confirm your address for {{site}}: {subject}"),
        text: format!(
            "Hello,\n\n\
             this address was entered for {accounts}\
             its link within {CONFIRMATION_HOURS} hours and say yes there:\n\n\
             {list}\
             Then you can sign in with this address too, and reset your\npassword if you ever forget it. \
             Until then, sign in with your\nusername.\n\n\
             If an account isn't yours, someone else entered your address. Say\nno there, or do nothing: without \
             a yes, the address belongs to no\none.\n"
        ),
    }
}

fn ago(age: Duration) -> String {
    match rounded(age) {
        None => "just now".to_owned(),
        Some((minutes, Unit::Minutes)) => format!("{minutes} minutes ago"),
        Some((hours, Unit::Hours)) => format!("{hours} hours ago"),
        Some((days, Unit::Days)) => format!("{days} days ago"),
    }
}

fn told(kind: Kind) -> &'static str {
    match kind {
        Kind::Note => "Somebody left you a note",
        Kind::Answer => "There is an answer",
        Kind::Knock => "Somebody knocks",
        Kind::Group => "Your group is talking",
    }
}

fn to_owner_of_waiting(Counts { notes, replies }: Counts, page: &str, end: &str) -> Words {
    let counted = counted([(notes, "note", "notes"), (replies, "reply", "replies")], " and ");
    let waits = if notes + replies == 1 { "is" } else { "are" };
    Words {
        subject: format!("{counted} {waits} waiting at {{site}}"),
        text: format!(
            "Hello,\n\n\
             {counted} {waits} waiting for you at {{site}}:\n\n\
             {page}\n\n\
             You get an email like this once a day at most, and only when\nsomething new has come. To stop them, \
             open\n\n\
             {end}\n"
        ),
    }
}

fn to_reset(name: &str, link: &str) -> Words {
    Words {
        subject: "Set a new password for {site}".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             someone asked for a new password for your account at {{site}}.\n\
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
        subject: "You already have an account at {site}".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             someone tried to sign up for {{site}} with your address.\n\
             You already have an account. If it was you, sign in with your\nusername or address:\n\n\
             {login}\n\n\
             Forgot your password? Set a new one:\n\n\
             {reset}\n\n\
             If it wasn't you, there's nothing you need to do: they weren't\n\
             told that you have an account, and your address stays yours.\n"
        ),
    }
}

/// To the owner of an account that nobody uses, so many days before it is deleted.
pub fn to_owner_of_unused(name: &str, login: &str, days: u64) -> Words {
    Words {
        subject: "Your account at {site} will be deleted".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             you haven't used your account at {{site}} for a long time. In\n{days} days it will be deleted, with its \
             notes and conversations.\nTo keep it, sign in:\n\n\
             {login}\n\n\
             If you don't want it any more, there's nothing you need to do.\n"
        ),
    }
}

/// To the operator, who wants to see whether mails arrive.
pub fn to_test(site: &str) -> Words {
    Words {
        subject: "A test of the mails of {site}".to_owned(),
        text: format!(
            "Hello,\n\n\
             mails of this server arrive:\n\n\
             {site}\n\n\
             It was asked for this one by `annon mail test`.\n"
        ),
    }
}

/// To the operator, of what waits. Nobody's words are in it.
pub fn to_operator(Waits { reports, feedback, damage }: Waits) -> Words {
    let (mut what, mut list) = (Vec::new(), String::new());
    for (count, one, many, command) in [
        (reports, "report waits", "reports wait", "annon report list"),
        (feedback, "piece of feedback waits", "pieces of feedback wait", "annon feedback list"),
        (damage, "damage was found", "damages were found", "annon check"),
    ] {
        if count > 0 {
            let said = format!("{count} {}", if count == 1 { one } else { many });
            list += &format!("    {said}: {command}\n");
            what.push(said);
        }
    }
    Words {
        subject: format!("{{site}}: {}", what.join(", ")),
        text: format!(
            "Hello,\n\n\
             look at this on the server of {{site}}:\n\n\
             {list}\n\
             Such a mail comes at most once an hour, when there is something\nnew, and once a day while a report \
             waits.\n"
        ),
    }
}
