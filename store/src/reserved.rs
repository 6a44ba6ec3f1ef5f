//! Names nobody can have, because the web app, the API or the operator's
//! probes live under them. A test holds the web app's routes against it.

/// Every first segment of a path that is not a person, in lower case.
pub const RESERVED: &[&str] = &[
    // The web app's routes.
    "about",
    "blog",
    "confirm",
    "error",
    "expired",
    "feedback",
    "getstarted",
    "homepage",
    "index",
    "login",
    "privacy",
    "reset",
    "room",
    "roomfull",
    "settings",
    "signup",
    "terms",
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

/// Whether a name, in any mixture of cases, is one of them.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|taken| taken.eq_ignore_ascii_case(name))
}

/// Whether a name would be read as the house's own: it begins with the
/// product's name, or has it as one of its words (`support-annon`).
pub(crate) fn is_of_the_house(name: &str) -> bool {
    const HOUSE: &str = "annon";
    let name = name.to_ascii_lowercase();
    name.starts_with(HOUSE) || name.split(['-', '_']).any(|word| word == HOUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_house_are_told_from_those_that_only_sound_like_it() {
        for house in ["annon-support", "Annon_Admin", "annonteam", "support-annon", "the-ANNON-team", "team_annon"] {
            assert!(is_of_the_house(house), "{house}");
        }
        for somebody in ["shannon", "hannon-1", "rhiannon", "some-body", "cannonball"] {
            assert!(!is_of_the_house(somebody), "{somebody}");
        }
    }
}
