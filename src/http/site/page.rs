//! Which of the web app's pages a path leads to.

use annon_contract::pages::{ANSWER, PAGES};
use annon_store::account::Username;
use uuid::Uuid;

/// The page that a path leads to.
pub(super) struct PageMatch<'a> {
    /// The page's index in [`PAGES`].
    pub(super) index: usize,
    /// The username in the path, if it is a personal page.
    pub(super) username: Option<&'a str>,
    /// The username and the id in the path, if it is a public answer's.
    pub(super) answer: Option<(&'a str, &'a str)>,
}

impl PageMatch<'_> {
    /// Whether the path has a secret token, so that no cache may keep the page.
    pub(super) fn is_secret(&self) -> bool {
        PAGES[self.index].pattern.ends_with("/:token")
    }
}

/// The page at a path, as the client has sent it. Nothing is decoded: none of
/// our paths has characters that are percent-encoded.
pub(super) fn find(path: &str) -> Option<PageMatch<'_>> {
    // The app's router ignores a last slash and the case of letters, so both
    // lead to the same page here.
    let path = path.strip_suffix('/').filter(|rest| !matches!(*rest, "" | "/")).unwrap_or(path);
    let (index, page) = PAGES.iter().enumerate().find(|(_, page)| matches(page.pattern, path))?;
    let username = (page.pattern == "/:username").then(|| &path[1..]);
    let parts = || path[1..].split_once('/').zip(path.rsplit_once('/'));
    let answer = if page.pattern == ANSWER { parts() } else { None };
    Some(PageMatch { index, username, answer: answer.map(|((name, _), (_, id))| (name, id)) })
}

fn matches(pattern: &str, path: &str) -> bool {
    let mut given = path.split('/');
    pattern.split('/').all(|part| given.next().is_some_and(|given| fits(part, given))) && given.next().is_none()
}

fn fits(part: &str, given: &str) -> bool {
    match part {
        // A text that is too long is refused before anything copies it.
        ":username" => {
            given.len() <= 64 && Username::try_from(given.to_owned()).is_ok_and(|name| name.as_str() == given)
        }
        ":roomId" => given.len() == 36 && Uuid::try_parse(given).is_ok(),
        // What a conversation's id is: 16 bytes in base64url.
        ":id" => given.len() == 22 && given.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'),
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
        assert_eq!(pattern("/c/AAECAwQFBgcICQoLDA0O_w"), Some("/c/:id"));
        assert_eq!(pattern("/c/AAECAwQFBgcICQoLDA0O_wA"), None);
        assert_eq!(pattern("/confirm/Zm9v_-09"), Some("/confirm/:token"));
        assert_eq!(pattern("/some-body"), Some("/:username"));
        assert_eq!(find("/Some_Body9").and_then(|found| found.username), Some("Some_Body9"));
        assert_eq!(find("/about").and_then(|found| found.username), None);
        let answer = find("/Some_Body9/A/AAECAwQFBgcICQoLDA0O_w/").unwrap();
        assert_eq!((answer.username, answer.answer), (None, Some(("Some_Body9", "AAECAwQFBgcICQoLDA0O_w"))));
        assert!(find("/Some_Body9").is_some_and(|found| found.answer.is_none()));
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
            "/some-body/a",
            "/some-body/a/x",
            "/some-body/b/AAECAwQFBgcICQoLDA0O_w",
            "/short/a/AAECAwQFBgcICQoLDA0O_w",
            "/a//b",
            "/index.html",
            "/.git/config",
            "/admin",
            "/Support",
            "/api",
            "/assets",
            "/metrics",
            "/dashboard",
            "/%61bout",
            "/some%2Dbody",
            "/%",
            "/%00",
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
}
