//! What browsers and caches get from the site, and what strangers do not get.

use std::io::Read;

use actix_web::dev::ServiceResponse;
use actix_web::http::header::{self, HeaderName};
use actix_web::http::{Method, StatusCode};
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::{App, web};
use clap::Parser;
use flate2::read::GzDecoder;

use super::assets::{FILES, File};
use super::*;
use crate::config::Cli;

const ORIGIN: &str = "https://annon.example";

async fn ask(request: TestRequest) -> ServiceResponse {
    ask_of(request, &[]).await
}

/// Asks a site whose operator has chosen this.
async fn ask_of(request: TestRequest, flags: &[&str]) -> ServiceResponse {
    let Cli { config, .. } = Cli::parse_from(["annon"].iter().chain(flags));
    let site = web::Data::new(Site::new(ORIGIN, &config.community, &config.events, config.retention.kept()));
    let app = init_service(App::new().app_data(site).configure(routes)).await;
    call_service(&app, request.to_request()).await
}

/// Asks for a page, and checks that it is HTML and how caches may keep it.
async fn page(path: &str) -> (StatusCode, String) {
    let response = ask(TestRequest::get().uri(path)).await;
    let status = response.status();
    if !path.starts_with("/assets") {
        assert_eq!(field(&response, header::CONTENT_TYPE), "text/html; charset=utf-8", "{path:.40}");
        let is_secret = status == StatusCode::OK && path.starts_with("/reset/");
        let keep = if is_secret { "no-store" } else { "no-cache" };
        assert_eq!(field(&response, header::CACHE_CONTROL), keep, "{path:.40}");
    }
    (status, String::from_utf8(read_body(response).await.to_vec()).unwrap())
}

fn field(response: &ServiceResponse, name: HeaderName) -> &str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

fn compressed_and_hashed() -> &'static File {
    FILES.iter().find(|file| file.hashed && file.brotli.is_some() && file.gzip.is_some()).unwrap()
}

const STABLE: &str = "/manifest.webmanifest";
/// The app's element in a page.
fn app(pattern: &str) -> String {
    format!(r#"<div id="app" data-page="{pattern}"><"#)
}

#[actix_web::test]
async fn every_file_is_served_with_its_type_and_its_bytes_and_hashed_ones_are_kept_for_good() {
    for file in FILES {
        let response = ask(TestRequest::get().uri(file.path)).await;
        assert_eq!(response.status(), StatusCode::OK, "{}", file.path);
        assert_eq!(field(&response, header::CONTENT_TYPE), file.content_type, "{}", file.path);
        assert_eq!(field(&response, header::ETAG), file.plain.etag, "{}", file.path);
        let keep = if file.path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        assert_eq!(field(&response, header::CACHE_CONTROL), keep, "{}", file.path);
        assert_eq!(read_body(response).await, file.plain.bytes, "{}", file.path);
    }
}

#[actix_web::test]
async fn a_compressed_form_goes_to_who_accepts_it_under_an_etag_of_its_own() {
    let file = compressed_and_hashed();
    let (brotli, gzip) = (file.brotli.as_ref().unwrap(), file.gzip.as_ref().unwrap());
    assert!(brotli.etag != gzip.etag && gzip.etag != file.plain.etag && brotli.etag != file.plain.etag);
    for (accepted, encoding, form) in
        [("gzip, deflate, br", "br", brotli), ("gzip, br;q=0", "gzip", gzip), ("identity", "", &file.plain)]
    {
        let request = || TestRequest::get().uri(file.path).insert_header((header::ACCEPT_ENCODING, accepted));
        let response = ask(request()).await;
        assert_eq!(field(&response, header::CONTENT_ENCODING), encoding, "{accepted}");
        assert_eq!(field(&response, header::VARY), "accept-encoding", "{accepted}");
        assert_eq!(field(&response, header::ETAG), form.etag, "{accepted}");
        assert_eq!(read_body(response).await, form.bytes, "{accepted}");
        // The ETag of another encoding doesn't match.
        for held in [brotli.etag, gzip.etag, file.plain.etag] {
            let response = ask(request().insert_header((header::IF_NONE_MATCH, held))).await;
            let expected = if held == form.etag { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
            assert_eq!(response.status(), expected, "{accepted} {held}");
        }
    }
}

#[actix_web::test]
async fn what_the_caller_has_is_not_sent_again() {
    for path in [compressed_and_hashed().path, STABLE, "/", "/about", "/some-body"] {
        let whole = ask(TestRequest::get().uri(path)).await;
        let etag = field(&whole, header::ETAG).to_owned();
        assert!(etag.starts_with('"') && etag.len() > 20, "{path}: {etag}");
        for held in [etag.clone(), format!("\"other\", W/{etag}"), "*".to_owned()] {
            let request = TestRequest::get().uri(path).insert_header((header::IF_NONE_MATCH, held.as_str()));
            let response = ask(request).await;
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{path} {held}");
            assert_eq!(field(&response, header::ETAG), etag);
            assert_eq!(field(&response, header::CACHE_CONTROL), field(&whole, header::CACHE_CONTROL));
            assert_eq!(field(&response, header::VARY), field(&whole, header::VARY));
            assert!(read_body(response).await.is_empty());
        }
        for held in ["\"other\"", "nonsense", "W/"] {
            let request = TestRequest::get().uri(path).insert_header((header::IF_NONE_MATCH, held));
            assert_eq!(ask(request).await.status(), StatusCode::OK, "{path} {held}");
        }
    }
}

#[actix_web::test]
async fn a_page_is_compressed_for_who_accepts_that_and_says_the_same() {
    let room = "/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a";
    for path in ["/", "/about", "/some-body", "/Another_Body", room, "/nobody-knows-me-at-all"] {
        let plain = ask(TestRequest::get().uri(path)).await;
        let (status, plain_etag) = (plain.status(), field(&plain, header::ETAG).to_owned());
        let varies = if path == room { VARIES_OF_GROUP } else { VARIES };
        assert_eq!(field(&plain, header::VARY), varies, "{path}");
        let html = read_body(plain).await;
        for (accepted, encoding) in
            [("gzip, deflate, br, zstd", "gzip"), ("br", ""), ("gzip;q=0", ""), ("identity", "")]
        {
            let request = || TestRequest::get().uri(path).insert_header((header::ACCEPT_ENCODING, accepted));
            let response = ask(request()).await;
            assert_eq!(response.status(), status, "{path} {accepted}");
            assert_eq!(field(&response, header::CONTENT_ENCODING), encoding, "{path} {accepted}");
            assert_eq!(field(&response, header::VARY), varies, "{path} {accepted}");
            let etag = field(&response, header::ETAG).to_owned();
            let body = read_body(response).await;
            if encoding.is_empty() {
                assert_eq!((&etag, &body), (&plain_etag, &html), "{path} {accepted}");
                continue;
            }
            let mut decompressed = Vec::new();
            GzDecoder::new(&*body).read_to_end(&mut decompressed).unwrap();
            assert_eq!(decompressed, html, "{path}");
            assert!(body.len() * 2 < html.len(), "{path}: {} of {}", body.len(), html.len());
            if status != StatusCode::OK {
                continue;
            }
            assert!(etag != plain_etag && etag.parse::<header::EntityTag>().is_ok(), "{path}: {etag}");
            let held = ask(request().insert_header((header::IF_NONE_MATCH, etag.as_str()))).await;
            assert_eq!((held.status(), field(&held, header::ETAG)), (StatusCode::NOT_MODIFIED, etag.as_str()));
            assert_eq!((field(&held, header::VARY), field(&held, header::CONTENT_ENCODING)), (varies, ""));
            let other = ask(request().insert_header((header::IF_NONE_MATCH, plain_etag.as_str()))).await;
            assert_eq!(other.status(), StatusCode::OK, "{path}: it has the plain one");
        }
    }
}

#[actix_web::test]
async fn a_file_that_is_not_there_is_no_page() {
    for path in ["/assets/index-gone1234.js", "/assets/", "/assets/../index.html", "/assets//x", "/assets/%2e%2e/x"] {
        let response = ask(TestRequest::get().uri(path)).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(field(&response, header::CONTENT_TYPE), "text/plain; charset=utf-8", "{path}");
        assert_eq!(field(&response, header::CACHE_CONTROL), "no-store", "{path}");
    }
}

#[actix_web::test]
async fn other_methods_are_told_which_work() {
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        for path in ["/", STABLE, "/assets/x", "/no/such/page"] {
            let response = ask(TestRequest::with_uri(path).method(method.clone())).await;
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            assert_eq!(field(&response, header::ALLOW), "GET, HEAD");
        }
    }
}

#[actix_web::test]
async fn every_page_of_the_table_comes_with_a_head_of_its_own() {
    for expected in PAGES.iter().filter(|page| !page.pattern.contains(':')) {
        let (status, html) = page(expected.pattern).await;
        assert_eq!(status, StatusCode::OK, "{}", expected.pattern);
        assert_eq!(html.matches("<title>").count(), 1, "{}", expected.pattern);
        assert!(html.contains(&format!("<title>{}", escape(expected.title))), "{}", expected.pattern);
        assert_eq!(html.contains("noindex"), !expected.indexable, "{}", expected.pattern);
        assert!(html.contains(&app(expected.pattern)) && html.contains(r#"src="/assets/"#), "{}", expected.pattern);
        let address = if expected.pattern == "/index" { "/" } else { expected.pattern };
        assert!(html.contains(&format!(r#"<link rel="canonical" href="{ORIGIN}{address}">"#)), "{}", expected.pattern);
        assert!(html.contains(&format!(r#"<meta property="og:url" content="{ORIGIN}{address}">"#)), "{address}");
        for name in ["description", "og:title", "og:description", "og:image", "twitter:card"] {
            assert_eq!(html.matches(&format!("=\"{name}\" content=\"")).count(), 1, "{name} of {}", expected.pattern);
        }
    }
}

#[actix_web::test]
async fn somebodys_page_shows_the_name_and_nothing_else_does() {
    let (status, html) = page("/Some_Body?ref=xyz").await;
    assert_eq!(status, StatusCode::OK);
    assert!(html.contains("<title>Send Some_Body an anonymous note · Annon</title>"));
    assert!(html.contains("https://annon.example/Some_Body\""));
    assert!(!html.contains("noindex") && !html.contains("xyz"));
    let card = r#"<meta property="og:image" content="https://annon.example/card/Some_Body.png">"#;
    assert!(html.contains(card) && html.contains("Hello, my name is Some_Body") && !html.contains("/og.png"));

    let (status, html) = page("/nobody-knows-me-at-all").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(html.contains("<title>Page not found · Annon</title>") && !html.contains("nobody-knows"));
    assert!(html.contains(&app("")) && html.contains("noindex"));
}

#[actix_web::test]
async fn a_secret_in_a_path_is_not_repeated() {
    for (path, secret) in [
        ("/reset/c2VjcmV0LXRva2Vu", "c2VjcmV0"),
        ("/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a", "6f1c5e0a"),
        ("/reset/c2Vjcm%20V0", "c2Vjcm"),
        ("/c/AAECAwQFBgcICQoLDA0O_w", "AAECAwQ"),
    ] {
        let (_, html) = page(path).await;
        assert!(!html.contains(secret), "{path}");
        assert!(!html.contains("canonical") && !html.contains("og:url") && html.contains("noindex"), "{path}");
    }
}

#[actix_web::test]
async fn a_group_is_asked_for_before_the_app_runs_and_on_no_other_page() {
    let (_, html) = page("/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a").await;
    let ask = assets::piece(annon_contract::pages::ASK).files.last().unwrap();
    let asks = format!(r#"<script type="module" async fetchpriority="high" crossorigin src="{ask}"></script>"#);
    assert!(html.find(&asks).is_some_and(|at| Some(at) == html.find("<script type=\"module\"")), "{html}");
    for file in assets::piece("src/app/groupMain.tsx").files {
        assert!(html.contains(&format!("crossorigin href=\"{file}\"")), "{file}: {html}");
    }
    // The router comes later, and with every other page at once.
    let (_, site) = assets::SHELL_AFTER_HEAD.split_once("<script type=\"module\" crossorigin src=\"").unwrap();
    let (site, _) = site.split_once('"').unwrap();
    assert!(!html.contains(site), "{html}");
    // Only the script makes calls: a link preview would follow a URL and take a seat.
    assert!(!html.contains("/api/") && !html.contains("prefetch") && !html.contains("as=\"fetch"));

    for path in ["/", "/login", "/room/new", "/some-body", "/nobody-knows-me-at-all"] {
        let (_, html) = self::page(path).await;
        assert!(!html.contains(*ask) && !html.contains("module\" async"), "{path}");
        assert!(html.contains(site), "{path}");
    }
}

#[actix_web::test]
async fn a_group_asks_for_no_font_before_its_app_and_every_other_page_does() {
    for (path, asks) in [("/", true), ("/login", true), ("/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a", false)] {
        let (_, html) = page(path).await;
        assert_eq!(html.matches(r#"as="font""#).count(), usize::from(asks), "{path}");
        assert_eq!(html.matches(r#"rel="icon""#).count(), 1, "what follows it is there: {path}");
    }
}

#[actix_web::test]
async fn a_page_is_drawn_in_the_language_that_is_chosen_or_asked_for() {
    for (path, english, german) in [
        ("/", "Say it without the", "Sag es ohne"),
        ("/privacy", "Privacy</h1>", "Datenschutz</h1>"),
        ("/roomfull?why=left", "You left the group", "Du hast die Gruppe verlassen"),
        ("/some-body", "a note to some-body", "an some-body"),
        ("/no/such/page", "Check the address for typos", "Prüfe, ob die Adresse stimmt"),
    ] {
        let mut etags = Vec::new();
        for (asked, cookie, tag, words) in [
            ("en-GB,de;q=0.5", "", "en", english),
            ("de-AT", "", "de", german),
            ("en", "language=de", "de", german),
            ("de", "language=en", "en", english),
        ] {
            let mut request = TestRequest::get().uri(path).insert_header((header::ACCEPT_LANGUAGE, asked));
            if !cookie.is_empty() {
                request = request.insert_header((header::COOKIE, cookie));
            }
            let response = ask(request).await;
            etags.push(field(&response, header::ETAG).to_owned());
            let html = String::from_utf8(read_body(response).await.to_vec()).unwrap();
            assert!(html.starts_with(&format!("<!doctype html>\n<html data-drawn lang=\"{tag}\">")), "{path}");
            assert!(html.contains(words), "{path} {asked} {cookie}: {words}");
        }
        assert!(etags[0] != etags[1] || etags[0].is_empty(), "{path}");
    }
}

#[actix_web::test]
async fn nothing_is_left_in_a_page_that_the_server_should_have_put_in() {
    for language in assets::LANGUAGES {
        assert!(language.pages.len() > PAGES.len(), "{}", language.tag);
        for page in PAGES {
            let path = page.pattern.replace(":username", "some-body").replace(":token", "none");
            let path = path.replace(":roomId", "6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a");
            let path = path.replace(":id", "AAECAwQFBgcICQoLDA0O_w");
            let request = TestRequest::get().uri(&path).insert_header((header::ACCEPT_LANGUAGE, language.tag));
            let html = String::from_utf8(read_body(ask(request).await).await.to_vec()).unwrap();
            let (head, body) = html.split_once("<body>").unwrap();
            assert!(!body.contains('{') && !body.contains("<script") && !body.contains("style="), "{path}: {body}");
            assert!(body.contains("<main") && head.contains("<style>"), "{path}");
        }
    }
}

#[actix_web::test]
async fn the_styles_in_a_page_are_allowed_by_their_hash_and_no_others() {
    for path in ["/", "/login", "/some-body", "/no/such/page", "/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a"] {
        let response = ask(TestRequest::get().uri(path)).await;
        let policy = field(&response, header::CONTENT_SECURITY_POLICY).to_owned();
        let html = String::from_utf8(read_body(response).await.to_vec()).unwrap();
        let (_, rest) = html.split_once("<style>").unwrap();
        let (styles, rest) = rest.split_once("</style>").unwrap();
        let hash = BASE64_STANDARD.encode(digest::digest(&digest::SHA256, styles.as_bytes()));
        assert!(policy.contains(&format!("style-src 'self' 'sha256-{hash}'; ")), "{path}: {policy}");
        assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"), "{path}: {policy}");
        assert!(!rest.contains("<style"), "{path}");
    }
}

#[actix_web::test]
async fn only_a_browser_that_was_here_before_waits_for_a_script() {
    let early = assets::piece(assets::EARLY).files.last().unwrap();
    for path in
        ["/", "/login", "/some-body", "/no/such/page", "/homepage", "/room/6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a"]
    {
        let (_, newcomers) = page(path).await;
        assert!(!newcomers.contains(early) && !newcomers.contains("<script src"), "{path}");
        let response = ask(TestRequest::get().uri(path).insert_header((header::COOKIE, "annon_seat=x"))).await;
        let known = String::from_utf8(read_body(response).await.to_vec()).unwrap();
        assert_eq!(known.replace(&format!("    <script src=\"{early}\"></script>\n"), ""), newcomers, "{path}");
        assert_ne!(known, newcomers, "{path}");
    }
}

#[actix_web::test]
async fn the_language_is_chosen_by_a_link_too_and_the_choice_is_kept() {
    let response = ask(TestRequest::get().uri("/about?language=de")).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(field(&response, header::LOCATION), "/about");
    let kept = field(&response, header::SET_COOKIE);
    assert_eq!(kept, "language=de; Path=/; Max-Age=31536000; SameSite=Lax; Secure");
    // It leads nowhere else.
    for path in ["//other.example?language=de", "/%5Cother.example?language=de", "/no/such/page?language=de"] {
        assert_eq!(ask(TestRequest::get().uri(path)).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    for path in ["/about?language=fr", "/about?language=", "/about?lang=de"] {
        let response = ask(TestRequest::get().uri(path)).await;
        assert_eq!((response.status(), field(&response, header::SET_COOKIE)), (StatusCode::OK, ""), "{path}");
    }
}

#[actix_web::test]
async fn a_page_says_who_may_sign_up_before_any_script_runs() {
    let signup = async |flags: &'static [&'static str], path| {
        let response = ask_of(TestRequest::get().uri(path), flags).await;
        String::from_utf8(read_body(response).await.to_vec()).unwrap()
    };
    for path in ["/signup", "/signup?closed"] {
        let open = signup(&[], path).await;
        assert!(open.contains("<html data-drawn lang=\"en\">"), "{open:.200}");
        assert!(open.contains("name=\"username\"") && !open.contains("name=\"invitation\""));
        let invited = signup(&["--sign-up", "invitation"], path).await;
        assert!(invited.contains("lang=\"en\" data-sign-up=\"invitation\">"), "{invited:.200}");
        assert!(invited.contains("name=\"username\"") && invited.contains("name=\"invitation\""));
        let closed = signup(&["--sign-up", "closed"], path).await;
        assert!(closed.contains("data-sign-up=\"closed\">") && !closed.contains("name=\"username\""));
    }
    // What leads there is hidden by the styles of the page.
    let landing = signup(&["--sign-up", "closed"], "/").await;
    assert!(landing.contains("href=\"/signup\"") && landing.contains("[data-sign-up=closed] :is([href=\\/signup]"));
}

/// What the page about privacy says about how long a thing is kept, which row has this mark or none.
async fn kept(flags: &[&str]) -> Vec<String> {
    let response = ask_of(TestRequest::get().uri("/privacy"), flags).await;
    let text = String::from_utf8(read_body(response).await.to_vec()).unwrap();
    assert!(!text.contains("-days}"), "{flags:?}");
    let marks = text.split("data-kept=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    marks.chain(text.split("<td>").skip(1).map(|rest| rest.split("</td>").next().unwrap().to_owned())).collect()
}

#[actix_web::test]
async fn the_table_of_what_is_kept_says_what_is_set_and_nothing_else() {
    let usual = kept(&[]).await;
    assert_eq!(usual[..3], ["no-accounts", "no-notes", "no-feedback"]);
    assert!(!usual[3].starts_with("no") && !usual.iter().any(|cell| cell.ends_with("-events")), "{usual:?}");
    let days = ["--notes-kept-days", "91", "--feedback-kept-days", "92", "--accounts-kept-days", "930"];
    let log = ["--event-log", "x", "--event-log-addresses", "on"];
    let set = kept(&[&days[..], &log].concat()).await;
    assert_eq!(set[..5], ["accounts", "accounts", "notes", "feedback", "endless-events"]);
    for number in ["91", "92", "930"] {
        assert_eq!(set.iter().filter(|cell| cell.contains(&format!("{number} days"))).count(), 1, "{number}: {set:?}");
    }
    let limited = kept(&[&log[..], &["--event-log-kept-days", "7"]].concat()).await;
    assert_eq!(limited[3], "events");
    assert!(limited.iter().any(|cell| cell == "at most 7 days"), "{limited:?}");
}
