//! The web app: its files, and a page for every path that isn't the API's.
//!
//! What a page's HTML says depends on its address and its language alone, its
//! head on its path alone, and opening a page takes no seat. Only three read the
//! store: the preview of a group's link (how many seats are free, and until when),
//! somebody's page and the page of a public answer, whose words are for everybody.

pub(crate) mod assets;
pub(crate) mod card;
pub(crate) mod form;
mod head;
mod identity;
mod language;
mod page;
mod personal;
mod public_answer;

pub(crate) mod answer;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use actix_web::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HeaderValue, LOCATION, REFERRER_POLICY,
    SET_COOKIE, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::pages::{self, MISSING, PAGES, PERSONAL_TITLE, Page};
use annon_store::lapse::Kept;
use annon_store::pause::Pause;
use aws_lc_rs::digest;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use answer::TextFile;
use assets::Language;
use card::{Card, Cards};
use head::Head;
pub(crate) use head::escape;
use identity::Identity;
use page::PageMatch;
use personal::Shown;

use crate::app::App;
use crate::config::{Community, Events};
use crate::own_words::{self, Block};

/// What a drawn page has in place of the site's host and of somebody's name.
const HOST: &str = "{host}";
const NAME: &str = "{username}";
/// And of the operator's own words.
const OWN_WORDS: &str = "{own-words}";

/// The patterns of personal pages, of the page for reports and of groups.
const PERSONAL: &str = "/:username";
const REPORT: &str = "/report";
const GROUP: &str = "/room/:roomId";

/// What the answer depends on besides the path: for a group also on whether it
/// is opened or previewed.
const VARIES: &str = "accept-encoding, accept-language, cookie";
const VARIES_OF_GROUP: &str = "accept-encoding, accept-language, cookie, sec-fetch-dest";

/// The pages, for one public address.
pub struct Site {
    origin: String,
    identity: Identity,
    /// The files of the web app that say something of this site.
    own: HashMap<&'static str, TextFile>,
    /// By their language and address.
    pages: HashMap<(&'static str, &'static str), Drawn>,
    /// The content security policy of the pages with the same styles.
    policies: HashMap<&'static str, HeaderValue>,
    cards: Cards,
}

/// A page as it was drawn when the app was built.
struct Drawn {
    page: &'static Page,
    /// In the app's element; the site's host and what its operator has chosen are in it.
    body: String,
    /// The whole page, without and with the script that reads what the browser
    /// knows of its user. Each is made when somebody first asks for it.
    files: [OnceLock<TextFile>; 2],
}

impl Site {
    /// Makes all pages. `origin` is the site's public address, such as
    /// `https://annon.example`.
    pub fn new(origin: &str, community: &Community, events: &Events, kept: Kept) -> Self {
        let origin = origin.trim_end_matches('/').to_owned();
        let host = escape(host(&origin));
        let identity = Identity::of(community, events, kept);
        let (mut pages, mut policies) = (HashMap::new(), HashMap::new());
        for page in PAGES.iter().chain([&MISSING]) {
            policies.entry(page.route).or_insert_with(|| policy(&style_of(page, &identity)));
            for language in assets::LANGUAGES {
                for (address, body) in language.pages.iter().filter(|(address, _)| is_of(address, page.pattern)) {
                    let body = identity.put_into(&body.replace(HOST, &host));
                    pages.insert((language.tag, *address), Drawn { page, body, files: Default::default() });
                }
            }
        }
        let own = assets::FILES.iter().filter_map(|file| {
            let text = identity.own(file)?;
            Some((file.path, TextFile::new(file.content_type, text)))
        });
        let own = own.collect();
        Self { origin, identity, own, pages, policies, cards: Cards::default() }
    }

    /// The page at an address. Some pages are drawn by the query as well.
    fn page(
        &self,
        found: Option<&PageMatch<'_>>,
        request: &HttpRequest,
        language: &'static Language,
        card: Option<Card>,
    ) -> TextFile {
        let page = found.map_or(&MISSING, |found| &PAGES[found.index]);
        let query = if page.key == "signup" { self.identity.sign_up } else { request.query_string() };
        let of_query = format!("{}?{query}", page.pattern);
        // The page for reports is drawn by the answer to its form, and not by what somebody asks for.
        let drawn = if page.pattern == REPORT { None } else { self.pages.get(&(language.tag, &*of_query)) };
        let Some(drawn) = drawn.or_else(|| self.pages.get(&(language.tag, page.pattern))) else {
            return TextFile::html(String::new());
        };
        if let Some(card) = card {
            let head = Head { card: Some(card), is_known: is_known(request), ..Head::of(drawn.page) };
            return TextFile::html(self.html(request, language, &head, &drawn.body));
        }
        let is_known = is_known(request);
        let whole = || {
            let head = Head { is_known, ..Head::of(drawn.page) };
            TextFile::html(self.html(request, language, &head, &drawn.body.replacen(OWN_WORDS, "", 1)))
        };
        if let Some(words) = own_words(request, drawn.page) {
            let head = Head { is_known, ..Head::of(drawn.page) };
            let body = drawn.body.replacen(OWN_WORDS, &own_words::html(&words), 1);
            return TextFile::html(self.html(request, language, &head, &body));
        }
        if pause(request).is_some() {
            return whole();
        }
        drawn.files[usize::from(is_known)].get_or_init(whole).clone()
    }

    /// Somebody's page: its form with what its owner shows, or, if `answer` says so, an answer to it.
    fn personal_page(&self, request: &HttpRequest, page: &Page, name: &str, answer: &str, shown: &Shown) -> String {
        let language = language::of(request);
        let title = PERSONAL_TITLE.replace("{name}", name);
        let path = format!("/{name}");
        let card = Some(Card::Person(name.to_owned()));
        let head = Head { title: &title, path: Some(&path), card, is_known: is_known(request), ..Head::of(page) };
        let body = shown.put_into(&self.drawn(language, page, answer).replace(NAME, &escape(name)));
        self.html(request, language, &head, &body)
    }

    /// Whether a path is a personal page's.
    pub fn is_personal(path: &str) -> bool {
        page::find(path).is_some_and(|found| found.username.is_some())
    }

    /// The page for reports, with an answer to its form.
    fn report_page(&self, request: &HttpRequest, page: &Page, answer: &str) -> String {
        let language = language::of(request);
        let head = Head { is_known: is_known(request), ..Head::of(page) };
        self.html(request, language, &head, self.drawn(language, page, answer))
    }

    /// Adds the headers that every page has.
    fn finish(&self, mut response: HttpResponse, page: &Page) -> HttpResponse {
        let headers = response.headers_mut();
        let varies = if page.pattern == GROUP { VARIES_OF_GROUP } else { VARIES };
        headers.insert(VARY, HeaderValue::from_static(varies));
        if let Some(policy) = self.policies.get(page.route) {
            headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
        }
        if [PERSONAL, REPORT].contains(&page.pattern) {
            // With `no-referrer` a browser wouldn't say that a form comes from here.
            headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        }
        response
    }

    /// What was drawn for a page with this query.
    fn drawn(&self, language: &'static Language, page: &Page, query: &str) -> &str {
        let mut addresses = language.pages.iter().map(|(address, _)| *address);
        let address = addresses.find(|address| address.strip_prefix(page.pattern) == Some(query));
        let drawn = address.and_then(|address| self.pages.get(&(language.tag, address)));
        drawn.map_or("", |drawn| &drawn.body)
    }

    /// A whole page, with its head and with what is in the app's element.
    fn html(&self, request: &HttpRequest, language: &Language, head: &Head<'_>, body: &str) -> String {
        // As the identity's attributes are.
        let is_group = head.page.prefetch.is_some();
        let paused = pause(request).map(|pause| format!("\" data-paused=\"{}", escape(pause.words.as_str())));
        [
            assets::SHELL_START,
            language.tag,
            &self.identity.attributes,
            &paused.unwrap_or_default(),
            assets::SHELL_BEFORE_HEAD,
            "\n    ",
            &head.render(&self.origin, &self.identity),
            "    ",
            // Where a call is made before the app is there, nothing is to be on the line before its answer.
            if is_group { "" } else { assets::SHELL_FONT },
            if is_group { assets::SHELL_GROUP_AFTER_HEAD } else { assets::SHELL_AFTER_HEAD },
            head.page.pattern,
            "\">",
            body,
            assets::SHELL_END,
        ]
        .concat()
    }
}

/// The site's host, as people type it.
fn host(origin: &str) -> &str {
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

/// Whether the caller's browser has been here: then it may be signed in, have
/// groups, or have a theme that was chosen in this tab.
fn is_known(request: &HttpRequest) -> bool {
    request.headers().contains_key(COOKIE)
}

/// Whether somebody opens the page in a browser, which says so. A link preview
/// doesn't.
fn is_opened(request: &HttpRequest) -> bool {
    request.headers().get("sec-fetch-dest").is_some_and(|what| what == "document")
}

/// The operator's own words on a page, if there are any.
fn own_words(request: &HttpRequest, page: &Page) -> Option<Arc<[Block]>> {
    let words = request.app_data::<web::Data<App>>()?.own_words.of(page.key)?;
    (!words.is_empty()).then_some(words)
}

fn pause(request: &HttpRequest) -> Option<Arc<Pause>> {
    request.app_data::<web::Data<App>>()?.pausing.current()
}

/// What the preview of a group's link shows.
async fn group_card(request: &HttpRequest) -> Option<Card> {
    let app = request.app_data::<web::Data<App>>()?;
    card::of_group(app, request).await
}

/// Puts each text in its place. A text isn't looked at again: somebody's words
/// may be the name of a place.
fn put_in(html: &str, texts: &[(&str, &str)]) -> String {
    let Some(((place, text), others)) = texts.split_first() else { return html.to_owned() };
    html.split(place).map(|part| put_in(part, others)).collect::<Vec<_>>().join(text)
}

/// Whether an address is a page's pattern, with a query or without.
fn is_of(address: &str, pattern: &str) -> bool {
    address.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
}

/// The styles in a page.
fn style_of(page: &Page, identity: &Identity) -> String {
    [assets::piece(&page.module()).styles, &identity.styles].concat()
}

/// The content security policy, which allows the styles in a page by their
/// hash.
fn policy(styles: &str) -> HeaderValue {
    let hash = BASE64_STANDARD.encode(digest::digest(&digest::SHA256, styles.as_bytes()));
    let allowed = format!("style-src 'self' 'sha256-{hash}'");
    let policy = pages::CONTENT_SECURITY_POLICY.replace("style-src 'self'", &allowed);
    HeaderValue::try_from(policy).unwrap_or_else(|_| HeaderValue::from_static(pages::CONTENT_SECURITY_POLICY))
}

/// Answers every path that nothing registered earlier has answered.
pub fn routes(config: &mut ServiceConfig) {
    config.default_service(web::to(serve));
}

/// The refusal of a method that a page doesn't have.
pub fn other_method() -> HttpResponse {
    HttpResponse::MethodNotAllowed()
        .insert_header((ALLOW, "GET, HEAD"))
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .body("Only GET and HEAD work here.\n")
}

async fn serve(request: HttpRequest, site: web::Data<Site>) -> HttpResponse {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return other_method();
    }
    let path = request.path();
    if let Some(file) = site.own.get(path) {
        let mut response = file.answer(&request);
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy(&site.identity.styles));
        return response;
    }
    if let Some(file) = assets::find(path) {
        return file.answer(&request);
    }
    // A page in place of a missing script would fail later, in a way that is
    // harder to understand.
    if path.starts_with("/assets/") {
        return HttpResponse::NotFound()
            .insert_header((CACHE_CONTROL, "no-store"))
            .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
            .body("There is no such file.\n");
    }
    let found = page::find(path);
    // A path that is no page could lead to another site: `//other.example`.
    if let (Some(_), Some(language)) = (&found, language::chosen_in(request.query_string())) {
        return HttpResponse::SeeOther()
            .insert_header((LOCATION, path))
            .insert_header((SET_COOKIE, language::kept(language, site.origin.starts_with("https:"))))
            .insert_header((CACHE_CONTROL, "no-store"))
            .finish();
    }
    if let Some((page, (name, id))) = found.as_ref().and_then(|found| Some((&PAGES[found.index], found.answer?))) {
        return site.public_answer(&request, page, name, id).await;
    }
    if let Some((page, name)) = found.as_ref().and_then(|found| Some((&PAGES[found.index], found.username?))) {
        return site.person(&request, page, name).await;
    }
    let card = match &found {
        Some(found) if PAGES[found.index].pattern == GROUP && !is_opened(&request) => group_card(&request).await,
        _ => None,
    };
    let file = site.page(found.as_ref(), &request, language::of(&request), card);
    let Some(found) = found else {
        return site.finish(file.with_status(&request, StatusCode::NOT_FOUND), &MISSING);
    };
    let mut response = file.answer(&request);
    if found.is_secret() {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    site.finish(response, &PAGES[found.index])
}
