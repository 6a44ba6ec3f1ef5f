//! The web app's pages: the path, the title and the description of each, which
//! the server writes into its HTML, and the content security policy of all.

/// One page, or one kind of page.
pub struct Page {
    /// What the web app calls it: `paths.login` is its path there.
    pub key: &'static str,
    /// Its path in the router's own form: `:name` stands for one segment.
    pub pattern: &'static str,
    /// The file in `web/src/app/routes/` that draws it.
    pub route: &'static str,
    /// The title that the app itself gives the page.
    pub title: &'static str,
    /// What a search engine or a link preview says about it.
    pub description: &'static str,
    /// Whether a search engine may list it: not a page behind a sign-in, an
    /// invitation or a secret. A personal link is there to be found.
    pub indexable: bool,
    /// The piece of the app that prefetches the page's data, while the app loads.
    pub prefetch: Option<&'static str>,
}

impl Page {
    /// The module that draws the page first, as the build names it. The head
    /// asks for its files, so that they come together with the app's and not
    /// after them. A group is there before the router and its routes.
    pub fn module(&self) -> String {
        if self.key == "room" {
            "src/app/groupMain.tsx".to_owned()
        } else {
            format!("src/app/routes/{}.tsx", self.route)
        }
    }
}

/// The title of the start page, which is also the alternative text of the
/// preview picture.
pub const PRODUCT: &str = "Annon: anonymous notes and short-lived group chats";
const PITCH: &str =
    "Get a personal link and read anonymous notes. Open a group chat for ten where everyone is an emoji.";

/// The piece that asks the server for a group, as `vite.config.ts` names it.
pub const ASK: &str = "ask";

type Text = &'static str;

const fn open(key: Text, pattern: Text, route: Text, title: Text, description: Text) -> Page {
    Page { key, pattern, route, title, description, indexable: true, prefetch: None }
}

const fn private(key: Text, pattern: Text, route: Text, title: Text, description: Text) -> Page {
    Page { indexable: false, ..open(key, pattern, route, title, description) }
}

/// Every page. Nobody can have the first part of its path as a name. A personal
/// page comes last, as any name would match it.
pub const PAGES: &[Page] = &[
    open("landing", "/", "landing", PRODUCT, PITCH),
    open("index", "/index", "landing", PRODUCT, PITCH),
    open(
        "getStarted",
        "/getstarted",
        "getStarted",
        "Get started",
        "See in five steps how unsigned notes and anonymous groups work.",
    ),
    open("about", "/about", "reading", "About us", "Why there is a place for unsigned notes, and who it is for."),
    open("blog", "/blog", "reading", "Blog", "News from Annon."),
    open("terms", "/terms", "reading", "Terms", "What you agree to when you use Annon."),
    open("privacy", "/privacy", "reading", "Privacy", "What Annon stores, for how long, and what it never keeps."),
    // What it says is the operator's; a link leads to it where they have said something.
    open("imprint", "/imprint", "reading", "Imprint", "Who runs this site, and how to reach them."),
    open("login", "/login", "account", "Sign in", "Sign in to read the notes people left you."),
    open(
        "signup",
        "/signup",
        "account",
        "Sign Up",
        "Get a link of your own. Anyone who opens it can leave you an unsigned note.",
    ),
    private("reset", "/reset", "account", "Reset your password", "Get a link by email and choose a new password."),
    private(
        "resetConfirm",
        "/reset/:token",
        "account",
        "Choose a new password",
        "Choose a new password for your account.",
    ),
    private("confirm", "/confirm/:token", "account", "Confirm your email", "Confirm that this address is yours."),
    private(
        "mailEnd",
        "/mails/:token",
        "mailEnd",
        "Stop these emails",
        "Stop the emails that say how much is waiting.",
    ),
    open("feedback", "/feedback", "account", "Feedback", "Tell the people behind Annon what works and what doesn’t."),
    open(
        "report",
        "/report",
        "report",
        "Report",
        "Tell the people behind Annon about a page that breaks the rules. No account needed.",
    ),
    open("verify", "/verify", "verify", "Check the code", "See whether this site serves the code that was published."),
    private("home", "/homepage", "home", "Home", "Your link, your notes and your groups."),
    private(
        "roomNew",
        "/room/new",
        "signedIn",
        "Create a group",
        "Create a group chat for ten people. It deletes itself.",
    ),
    Page {
        prefetch: Some(ASK),
        ..private(
            "room",
            "/room/:roomId",
            "room",
            "Group chat",
            "You’re invited to a group chat where everyone is an emoji. It has ten seats.",
        )
    },
    private(
        "conversation",
        "/c/:id",
        "conversation",
        "Private conversation",
        "An answer to a note, for whoever has the whole link.",
    ),
    private(
        "open",
        "/open",
        "open",
        "Open your inbox here",
        "Takes the key of your sealed inbox from another device of yours.",
    ),
    private("settings", "/settings", "signedIn", "Settings", "Your account."),
    private(
        "expired",
        "/expired",
        "notices",
        "Group expired",
        "Groups don’t last, and what was said in them is deleted.",
    ),
    private("roomFull", "/roomfull", "notices", "Group full", "A group has ten seats, and they’re all taken."),
    private("error", "/error", "notices", "Oops", "Something went wrong."),
    private("answer", ANSWER, "answer", "Public answer", "A note, and what was answered to it in public."),
    open("user", "/:username", "user", "Send an anonymous note", "Say what you think. No one will know it was you."),
];

/// The title of a personal page.
pub const PERSONAL_TITLE: &str = "Send {name} an anonymous note";

/// The pattern of the page of one public answer. Its words are there to be read by everybody, until its owner takes it
/// down; a search engine would keep them for longer.
pub const ANSWER: &str = "/:username/a/:id";

/// The title of such a page.
pub const ANSWER_TITLE: &str = "{name} answers a note";

/// The page for a path that is none of these.
pub const MISSING: Page = private("", "", "", "Page not found", "There is nothing at this address.");

/// The content security policy of every page. `'self'` covers the sockets too,
/// in Chromium since 71, in Firefox, and in Safari since 16; the app's colours
/// need newer browsers anyway. In a browser that has trusted types no string
/// becomes markup or code; the one policy is for the service worker's address.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types annon-worker";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::ROOM_MEMBERS;

    #[test]
    fn numbers_in_descriptions_are_the_limits() {
        let from_two = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
        let number = |word: &str| word.parse().ok().or_else(|| Some(from_two.iter().position(|it| *it == word)? + 2));
        for page in PAGES {
            let said: Vec<usize> = page.description.split(' ').filter_map(number).collect();
            let limits: &[usize] = match page.key {
                "landing" | "index" | "roomNew" | "room" | "roomFull" => &[ROOM_MEMBERS],
                // How many steps the page has.
                "getStarted" => &[5],
                _ => &[],
            };
            assert_eq!(said, limits, "{}", page.description);
        }
    }

    #[test]
    fn the_web_app_without_a_server_is_described_as_the_landing_page() {
        assert_eq!(include_str!("../../web/index.html").matches(PITCH).count(), 2);
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
