//! The web app's pages, as a browser, a robot or a link preview first sees
//! them. The paths are those of the app's own router; tests hold the two
//! together.

use annon_store::account::Username;
use uuid::Uuid;

/// One page, or one kind of page.
pub(super) struct Page {
    /// In the router's own form: `:name` stands for one segment.
    pub(super) pattern: &'static str,
    /// The module of the web app that draws it. The head asks for its files, so
    /// that they come beside the app's and not after them.
    pub(super) module: &'static str,
    /// What the app itself calls the page.
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// Whether a search engine may list it: not what is behind a sign-in, an
    /// invitation or a secret. A personal link is there to be found.
    pub(super) indexable: bool,
    /// The piece of the app that runs by itself before everything else.
    pub(super) first: Option<&'static str>,
}

/// What the site says of itself.
pub(super) const PRODUCT: &str = "Annon: anonymous notes and short-lived group chats";
const PITCH: &str =
    "Get a personal link and read anonymous notes. Open a group chat for ten where everyone is an emoji.";

const LANDING: &str = "src/app/routes/landing.tsx";
const READING: &str = "src/app/routes/reading.tsx";
const ACCOUNT: &str = "src/app/routes/account.tsx";
const NOTICES: &str = "src/app/routes/notices.tsx";
const GET_STARTED: &str = "src/app/routes/getStarted.tsx";
const HOME: &str = "src/app/routes/home.tsx";
const ROOM: &str = "src/app/routes/room.tsx";
const ROOM_NEW: &str = "src/app/routes/roomNew.tsx";
const SETTINGS: &str = "src/app/routes/settings.tsx";
const USER: &str = "src/app/routes/user.tsx";

/// What asks the server for a group, as `vite.config.ts` names it.
pub(super) const ASK: &str = "ask";

const fn open(pattern: &'static str, module: &'static str, title: &'static str, description: &'static str) -> Page {
    Page { pattern, module, title, description, indexable: true, first: None }
}

const fn private(pattern: &'static str, module: &'static str, title: &'static str, description: &'static str) -> Page {
    Page { indexable: false, ..open(pattern, module, title, description) }
}

/// Every page. A personal one comes last, as any name would match it.
pub(super) const PAGES: &[Page] = &[
    open("/", LANDING, PRODUCT, PITCH),
    open("/index", LANDING, PRODUCT, PITCH),
    open("/getstarted", GET_STARTED, "Get started", "See in five steps how unsigned notes and anonymous groups work."),
    open("/about", READING, "About us", "Why there is a place for unsigned notes, and who it is for."),
    open("/blog", READING, "Blog", "News from Annon."),
    open("/terms", READING, "Terms", "What you agree to when you use Annon."),
    open("/privacy", READING, "Privacy", "What Annon stores, for how long, and what it never keeps."),
    open("/login", ACCOUNT, "Sign in", "Sign in to read the notes people left you."),
    open("/signup", ACCOUNT, "Sign Up", "Get a link of your own. Anyone who opens it can leave you an unsigned note."),
    private("/reset", ACCOUNT, "Reset your password", "Get a link by email and choose a new password."),
    private("/reset/:token", ACCOUNT, "Choose a new password", "Choose a new password for your account."),
    private("/confirm/:token", ACCOUNT, "Confirm your address", "Confirm that this address is yours."),
    open("/feedback", ACCOUNT, "Feedback", "Tell the people behind Annon what works and what doesn’t."),
    private("/homepage", HOME, "Home", "Your link, your notes and your groups."),
    private("/room/new", ROOM_NEW, "Create a group", "Create a group chat for ten people. It deletes itself."),
    Page {
        first: Some(ASK),
        ..private(
            "/room/:roomId",
            ROOM,
            "Group chat",
            "You’re invited to a group chat where everyone is an emoji. It has ten seats.",
        )
    },
    private("/settings", SETTINGS, "Settings", "Your account."),
    private("/expired", NOTICES, "Group expired", "Groups don’t last, and what was said in them is deleted."),
    private("/roomfull", NOTICES, "Group full", "A group has ten seats, and they’re all taken."),
    private("/error", NOTICES, "Oops", "Something went wrong."),
    open("/:username", USER, "Send an anonymous note", "Say what you think. No one will know it was you."),
];

/// What is at a path that is none of these.
pub(super) const MISSING: Page = private("", "", "Page not found", "There is nothing at this address.");

/// A path that leads to a page.
pub(super) struct Found<'a> {
    /// Its place in [`PAGES`].
    pub(super) index: usize,
    /// The name in the path of somebody's own page.
    pub(super) username: Option<&'a str>,
}

impl Found<'_> {
    /// Whether the path itself opens something, and must not be kept in a
    /// cache.
    pub(super) fn is_secret(&self) -> bool {
        PAGES[self.index].pattern.ends_with("/:token")
    }
}

/// The page at a path as it came over the wire. Nothing is decoded: a path of
/// ours has nothing in it that needs it.
pub(super) fn find(path: &str) -> Option<Found<'_>> {
    // The app's router ignores a last slash and the case of letters, so both
    // lead to the same page here.
    let path = path.strip_suffix('/').filter(|rest| !matches!(*rest, "" | "/")).unwrap_or(path);
    PAGES.iter().enumerate().find_map(|(index, page)| {
        matches(page.pattern, path)
            .then(|| Found { index, username: (page.pattern == "/:username").then(|| &path[1..]) })
    })
}

fn matches(pattern: &str, path: &str) -> bool {
    let mut given = path.split('/');
    pattern.split('/').all(|part| given.next().is_some_and(|given| fits(part, given))) && given.next().is_none()
}

fn fits(part: &str, given: &str) -> bool {
    match part {
        // Text of a length that no address bar could hold is turned away
        // before anything copies it.
        ":username" => {
            given.len() <= 64 && Username::try_from(given.to_owned()).is_ok_and(|name| name.as_str() == given)
        }
        ":roomId" => given.len() == 36 && Uuid::try_parse(given).is_ok(),
        ":token" => {
            (1..=128).contains(&given.len())
                && given.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        }
        literal => given.eq_ignore_ascii_case(literal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(path: &str) -> Option<&'static str> {
        find(path).map(|found| PAGES[found.index].pattern)
    }

    #[test]
    fn a_path_finds_its_page() {
        for page in PAGES.iter().filter(|page| !page.pattern.contains(':')) {
            assert_eq!(pattern(page.pattern), Some(page.pattern));
        }
        assert_eq!(pattern("/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a"), Some("/room/:roomId"));
        assert_eq!(pattern("/reset/Zm9v_-09"), Some("/reset/:token"));
        assert_eq!(pattern("/confirm/Zm9v_-09"), Some("/confirm/:token"));
        assert_eq!(pattern("/some-body"), Some("/:username"));
        assert_eq!(find("/Some_Body9").and_then(|found| found.username), Some("Some_Body9"));
        assert_eq!(find("/about").and_then(|found| found.username), None);
    }

    #[test]
    fn case_and_a_last_slash_make_no_difference() {
        assert_eq!(pattern("/About/"), Some("/about"));
        assert_eq!(pattern("/ROOM/new"), Some("/room/new"));
        assert_eq!(pattern("/some-body/"), Some("/:username"));
        assert_eq!(pattern("//"), None);
        assert_eq!(pattern("/about//"), None);
    }

    #[test]
    fn nothing_else_is_a_page() {
        let long = format!("/{}", "a".repeat(60_000));
        for path in [
            "",
            "about",
            "/short",
            "/a234567890123456x",
            "/favicon.ico",
            "/room",
            "/room/",
            "/room/x",
            "/room/new/x",
            "/room/6f1c5e0a52b54f0e9f6d0e5f5d1c2b3a",
            "/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3g",
            "/reset/a/b",
            "/reset/%2e",
            "/reset/<b>",
            "/about/x",
            "/api",
            "/assets",
            "/metrics",
            "/dashboard",
            "/%61bout",
            "/some%2Dbody",
            "/..",
            "/../etc/passwd",
            "/some/../body",
            "/..%2f..%2fetc%2fpasswd",
            "/\u{e9}t\u{e9}t\u{e9}t\u{e9}",
            "/<script>",
            "/:username",
            "/:token",
            "/reset/:token",
            "/some body",
            "/name\0null",
            &long,
        ] {
            assert_eq!(pattern(path), None, "{path:?}");
        }
    }

    #[test]
    fn nobody_can_have_the_name_of_a_page() {
        for page in PAGES {
            let first = page.pattern.split('/').nth(1).unwrap_or_default();
            if !first.is_empty() && !first.starts_with(':') {
                assert!(annon_contract::names::is_reserved(first), "{first} can be somebody's name");
            }
        }
    }

    #[test]
    fn the_pages_are_those_of_the_web_app() {
        let paths = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/src/shared/paths.ts"));
        let table = paths.split_once("export const paths = {").and_then(|(_, rest)| rest.split_once('}')).unwrap().0;
        let mut theirs: Vec<&str> = table.lines().filter_map(|line| line.split('"').nth(1)).collect();
        let mut ours: Vec<&str> = PAGES.iter().map(|page| page.pattern).collect();
        theirs.sort_unstable();
        ours.sort_unstable();
        assert_eq!(ours, theirs);
    }

    #[test]
    fn every_page_can_be_told_from_the_others() {
        let mut titles: Vec<&str> = PAGES.iter().filter(|page| page.pattern != "/index").map(|p| p.title).collect();
        titles.push(MISSING.title);
        titles.sort_unstable();
        assert!(titles.windows(2).all(|pair| pair[0] != pair[1]), "{titles:?}");
        for page in PAGES {
            assert!((5..=160).contains(&page.description.chars().count()), "{}", page.pattern);
        }
    }
}
