//! The headers of every page, and that a page loads nothing from elsewhere.

use annon_contract::pages::PAGES;

use crate::support::client::Connection;
use crate::support::server::Server;

/// Every page, with its variables filled in, and a path that no page has.
fn paths() -> impl Iterator<Item = String> {
    let fill = |pattern: &str| {
        let filled = pattern.replace(":token", "token").replace(":username", "some-body");
        filled.replace(":roomId", "7c1f5a3e-52c5-4bc1-9d0b-6a2f8a7f0001")
    };
    PAGES.iter().map(|page| page.pattern).chain(["/no/such/page"]).map(fill)
}

const PAGE_POLICY: [&str; 8] = [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types annon-worker",
];

#[test]
fn no_page_brings_anything_from_elsewhere_or_may() {
    let server = Server::with(&["--public-url", "https://annon.example"]);
    for path in paths() {
        let answer = server.get(&path).send();
        let policy = answer.header("content-security-policy").unwrap().to_owned();
        for rule in PAGE_POLICY {
            assert!(policy.split("; ").any(|one| one == rule), "{path}: {rule} in {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'), "{path}: {policy}");
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"), "{path}");
        // A reset link's address is a secret; the other pages are the same for everybody.
        let cache = if path.ends_with("/token") { "no-store" } else { "no-cache" };
        assert_eq!(answer.header("cache-control"), Some(cache), "{path}");
        let html = answer.text();
        assert!(!html.contains("<script>") && !html.contains(" style="), "{path}: {html}");
        // The policy allows the page's own styles by their hash, and no others.
        assert_eq!(html.matches("<style").count(), 1, "{path}");
        assert_eq!(policy.matches("'sha256-").count(), 1, "{path}: {policy}");
        for (at, _) in html.match_indices("://") {
            let begins = html[..at].rfind(['"', ' ']).unwrap();
            assert!(
                html[begins + 1..].starts_with("https://annon.example"),
                "{path}: {}",
                html[begins + 1..].split('"').next().unwrap()
            );
        }
        for asked in ["src=\"", "href=\""] {
            for (at, _) in html.match_indices(asked) {
                let address = &html[at + asked.len()..];
                let is_own = address.starts_with(['/', '#']) && !address.starts_with("//");
                assert!(
                    is_own || address.starts_with("https://annon.example/"),
                    "{path}: {}",
                    address.split('"').next().unwrap()
                );
            }
        }
    }
}

#[test]
fn a_page_whose_head_alone_is_asked_for_has_the_headers_of_the_whole() {
    let server = Server::start();
    let mut connection = Connection::open(server.address);
    for encoding in ["identity", "gzip"] {
        let mut ask = |method: &str| {
            let call = server.call(method, "/about").header("Accept-Encoding", encoding);
            call.send_on(&mut connection)
        };
        let (whole, head, again) = (ask("GET"), ask("HEAD"), ask("GET"));
        assert_eq!((head.status, head.stable_headers()), (200, whole.stable_headers()), "{encoding}");
        assert_eq!(again.body, whole.body, "nothing of it came behind the head");
        assert_eq!(whole.header("content-encoding").unwrap_or("identity"), encoding);
    }
}
