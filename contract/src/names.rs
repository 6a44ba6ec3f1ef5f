//! Names that nobody can have: first parts of the paths of pages, of the API and
//! of the operator's probes, and names that look official.

use std::ops::RangeInclusive;

use crate::pages::PAGES;

/// Names that nobody can have, besides the first parts of the paths of pages, in
/// lower case.
const RESERVED: &[&str] = &[
    // The server's own.
    "api",
    "assets",
    "healthz",
    "metrics",
    "readyz",
    "static",
    // Files a browser or a robot asks for by name.
    "apple-touch-icon",
    "favicon",
    "manifest",
    "robots",
    "security",
    "service-worker",
    "sitemap",
    "well-known",
    // Names that look as if the operator was speaking.
    "admin",
    "administrator",
    "annon",
    "annonymous",
    "anonymous",
    "contact",
    "dashboard",
    "help",
    "inbox",
    "logout",
    "messages",
    "moderator",
    "official",
    "password",
    "profile",
    "register",
    "rooms",
    "search",
    "status",
    "support",
    "system",
    "undefined",
    "username",
];

/// Unicode's direction marks, as ranges. They are removed from every name,
/// because a name is shown beside words of ours.
pub const DIRECTION_MARKS: [RangeInclusive<char>; 4] =
    ['\u{61c}'..='\u{61c}', '\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];

/// Those of them that force a direction on letters. No language needs these, and they can make a
/// sentence read backwards: so no text is shown with them.
pub const FORCING_MARKS: [RangeInclusive<char>; 1] = ['\u{202d}'..='\u{202e}'];

/// Whether a name is in `RESERVED` or the first part of a page's path, whatever
/// the case of its letters.
pub fn is_reserved(name: &str) -> bool {
    let pages = PAGES.iter().filter_map(|page| page.pattern.split('/').nth(1));
    RESERVED.iter().copied().chain(pages).any(|taken| taken.eq_ignore_ascii_case(name))
}

/// Words that mail servers and people take for the operator's, in each language of the app. No new
/// account gets a name that is made of them, also not with digits, hyphens and underscores in it
/// (`admin-1`, `no_reply`), or together with words of `BESIDE` (`support-team`).
const HOUSE: &[&str] = &[
    "abuse",
    "admin",
    "administrator",
    ANNON,
    "contact",
    "copyright",
    "customerservice",
    "helpcenter",
    "helpcentre",
    "helpdesk",
    "hostmaster",
    "imprint",
    "legal",
    "moderation",
    "moderator",
    "noreply",
    "official",
    "operator",
    "owner",
    "postmaster",
    "privacy",
    "root",
    "safetyteam",
    "security",
    "staff",
    "support",
    "sysadmin",
    "webmaster",
    // German.
    "administratorin",
    "betreiber",
    "betreiberin",
    "datenschutz",
    "hilfe",
    "impressum",
    "jugendschutz",
    "kontakt",
    "kundendienst",
    "kundenservice",
    "meldestelle",
    "moderatorin",
    "offiziell",
    "sicherheitsteam",
    "verwaltung",
];
const ANNON: &str = "annon";
/// Words that say nothing of the operator by themselves.
const BESIDE: &[&str] = &[
    "account", "center", "centre", "das", "der", "desk", "die", "help", "info", "mail", "office", "service", "site",
    "team", "the",
];

/// Whether people would take a name for the operator's: it is made of words of `HOUSE` and `BESIDE`, or
/// begins with the product's name, or has that as one of its words (`support-annon`).
pub fn is_of_the_house(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    is_made_of_house(&letters, false) || name.starts_with(ANNON) || name.split(['-', '_']).any(|word| word == ANNON)
}

/// Whether letters are words of both lists, one behind the other, and at least one of `HOUSE`.
fn is_made_of_house(letters: &str, has_one: bool) -> bool {
    let goes_on = |words: &[&str], has_one| {
        words.iter().any(|word| letters.strip_prefix(word).is_some_and(|rest| is_made_of_house(rest, has_one)))
    };
    if letters.is_empty() { has_one } else { goes_on(HOUSE, true) || goes_on(BESIDE, has_one) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_house_are_told_from_those_that_only_sound_like_it() {
        for house in ["annon-support", "Annon_Admin", "annonteam", "support-annon", "the-ANNON-team", "team_annon"] {
            assert!(is_of_the_house(house), "{house}");
        }
        for house in ["postmaster", "Web-Master", "admin-1", "__root__", "no-reply_7", "A_N_N_O_N", "2official"] {
            assert!(is_of_the_house(house), "{house}");
        }
        for house in [
            "impressum",
            "Imprint",
            "datenschutz",
            "operator",
            "support-team",
            "abuse-desk",
            "the_operator",
            "TeamSupport",
            "der-betreiber",
            "Kontakt-2",
            "help-desk",
            "Helpdesk_1",
            "moderatorin",
            "die_verwaltung",
        ] {
            assert!(is_of_the_house(house), "{house}");
        }
        for somebody in [
            "shannon",
            "hannon-1",
            "rhiannon",
            "some-body",
            "cannonball",
            "grassroots",
            "admiral",
            "i-support-you",
            "team-fox",
            "i-help-out",
            "operatora",
            "my-privacy-pal",
            "teams-of-two",
        ] {
            assert!(!is_of_the_house(somebody), "{somebody}");
        }
    }
}
