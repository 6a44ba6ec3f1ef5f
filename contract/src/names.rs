//! What nobody can be called, because the web app, the API or the operator's
//! probes live under it, and what no name may hold.

use std::ops::RangeInclusive;

use crate::pages::PAGES;

/// The first segments of paths that are neither a person's nor a page's, in
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
    // Names that would let a stranger speak as the house.
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

/// The marks by which a text says how it is read, each range from its first to
/// its last. They go from every name, which stands beside words of ours.
pub const DIRECTION_MARKS: [RangeInclusive<char>; 4] =
    ['\u{61c}'..='\u{61c}', '\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];

/// Whether a name, in any mixture of cases, is one of these or begins a page's
/// path.
pub fn is_reserved(name: &str) -> bool {
    let pages = PAGES.iter().filter_map(|page| page.pattern.split('/').nth(1));
    RESERVED.iter().copied().chain(pages).any(|taken| taken.eq_ignore_ascii_case(name))
}

/// Names that mail servers and readers take for the operator's. Nobody new
/// gets one, whatever digits, hyphens and underscores are in it (`admin-1`,
/// `no_reply`).
const HOUSE: &[&str] = &[
    "abuse",
    "admin",
    ANNON,
    "hostmaster",
    "moderator",
    "noreply",
    "official",
    "postmaster",
    "root",
    "security",
    "support",
    "webmaster",
];
const ANNON: &str = "annon";

/// Whether a name would be read as the house's own: it is one of `HOUSE`, or
/// begins with the product's name, or has it as one of its words
/// (`support-annon`).
pub fn is_of_the_house(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    HOUSE.contains(&&*letters) || name.starts_with(ANNON) || name.split(['-', '_']).any(|word| word == ANNON)
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
        for somebody in
            ["shannon", "hannon-1", "rhiannon", "some-body", "cannonball", "grassroots", "admiral", "i-support-you"]
        {
            assert!(!is_of_the_house(somebody), "{somebody}");
        }
    }
}
