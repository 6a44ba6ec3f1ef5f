//! The web app's pages, as a browser, a robot or a link preview first sees
//! them, and the content security policy of each.

/// One page, or one kind of page.
pub struct Page {
    /// In the router's own form: `:name` stands for one segment.
    pub pattern: &'static str,
    /// The module of the web app that draws it. The head asks for its files, so
    /// that they come beside the app's and not after them.
    pub module: &'static str,
    /// What the app itself calls the page.
    pub title: &'static str,
    /// What a search engine or a link preview says of it.
    pub description: &'static str,
    /// Whether a search engine may list it: not what is behind a sign-in, an
    /// invitation or a secret. A personal link is there to be found.
    pub indexable: bool,
    /// The piece of the app that runs by itself before everything else.
    pub first: Option<&'static str>,
}

/// What the site says of itself.
pub const PRODUCT: &str = "Annon: anonymous notes and short-lived group chats";
const PITCH: &str =
    "Get a personal link and read anonymous notes. Open a group chat for ten where everyone is an emoji.";

const LANDING: &str = "src/app/routes/landing.tsx";
const READING: &str = "src/app/routes/reading.tsx";
const ACCOUNT: &str = "src/app/routes/account.tsx";
const NOTICES: &str = "src/app/routes/notices.tsx";
const GET_STARTED: &str = "src/app/routes/getStarted.tsx";
const HOME: &str = "src/app/routes/home.tsx";
const ROOM: &str = "src/app/routes/room.tsx";
const SIGNED_IN: &str = "src/app/routes/signedIn.tsx";
const USER: &str = "src/app/routes/user.tsx";

/// What asks the server for a group, as `vite.config.ts` names it.
pub const ASK: &str = "ask";

const fn open(pattern: &'static str, module: &'static str, title: &'static str, description: &'static str) -> Page {
    Page { pattern, module, title, description, indexable: true, first: None }
}

const fn private(pattern: &'static str, module: &'static str, title: &'static str, description: &'static str) -> Page {
    Page { indexable: false, ..open(pattern, module, title, description) }
}

/// Every page. A personal one comes last, as any name would match it.
pub const PAGES: &[Page] = &[
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
    private("/confirm/:token", ACCOUNT, "Confirm your email", "Confirm that this address is yours."),
    open("/feedback", ACCOUNT, "Feedback", "Tell the people behind Annon what works and what doesn’t."),
    private("/homepage", HOME, "Home", "Your link, your notes and your groups."),
    private("/room/new", SIGNED_IN, "Create a group", "Create a group chat for ten people. It deletes itself."),
    Page {
        first: Some(ASK),
        ..private(
            "/room/:roomId",
            ROOM,
            "Group chat",
            "You’re invited to a group chat where everyone is an emoji. It has ten seats.",
        )
    },
    private("/settings", SIGNED_IN, "Settings", "Your account."),
    private("/expired", NOTICES, "Group expired", "Groups don’t last, and what was said in them is deleted."),
    private("/roomfull", NOTICES, "Group full", "A group has ten seats, and they’re all taken."),
    private("/error", NOTICES, "Oops", "Something went wrong."),
    open("/:username", USER, "Send an anonymous note", "Say what you think. No one will know it was you."),
];

/// What somebody's own page is called.
pub const PERSONAL_TITLE: &str = "Send {name} an anonymous note";

/// What is at a path that is none of these.
pub const MISSING: Page = private("", "", "Page not found", "There is nothing at this address.");

/// The content security policy of every page. `'self'` covers the sockets too:
/// Chromium since 71, Firefox, Safari since 16, and the app needs newer ones
/// for its colours. Where a browser knows trusted types, no string becomes
/// markup or code; the one policy is for the service worker's address.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types annon-worker";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::is_reserved;

    #[test]
    fn nobody_can_have_the_name_of_a_page() {
        for page in PAGES {
            let first = page.pattern.split('/').nth(1).unwrap_or_default();
            if !first.is_empty() && !first.starts_with(':') {
                assert!(is_reserved(first), "{first} can be somebody's name");
            }
        }
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
