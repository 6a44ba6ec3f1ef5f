//! Where an account is signed in: its owner sees it, and ends it.

use actix_web::http::StatusCode;
use actix_web::http::header::USER_AGENT;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::date_of_day;
use annon_actors::inbox::TokenFilter;
use annon_contract::code::Code;
use annon_store::account::TokenId;
use annon_store::sign_in::{Browser, SignIn, System};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{SignedIn, or_signed_out};
use crate::error::{Answer, Outcome, Refusal};
use crate::http::to_the_end;

/// The mark of each browser in the name that it sends. Most send the marks of others behind it, so the first one that is
/// found counts.
const BROWSERS: [(&str, Browser); 13] = [
    ("Edg/", Browser::Edge),
    ("EdgA/", Browser::Edge),
    ("EdgiOS/", Browser::Edge),
    ("OPR/", Browser::Opera),
    ("OPT/", Browser::Opera),
    ("SamsungBrowser/", Browser::SamsungInternet),
    ("Firefox/", Browser::Firefox),
    ("FxiOS/", Browser::Firefox),
    ("CriOS/", Browser::Chrome),
    ("Chromium/", Browser::Chrome),
    ("HeadlessChrome/", Browser::Chrome),
    ("Chrome/", Browser::Chrome),
    ("Safari/", Browser::Safari),
];

const SYSTEMS: [(&str, System); 9] = [
    ("iPhone", System::Ios),
    ("iPad", System::Ios),
    ("iPod", System::Ios),
    ("Android", System::Android),
    ("CrOS", System::ChromeOs),
    ("Windows", System::Windows),
    ("Macintosh", System::Mac),
    ("Linux", System::Linux),
    ("X11", System::Linux),
];

/// The browser of a request and its system, as far as it says.
pub fn program_of(request: &HttpRequest) -> (Browser, System) {
    let name = request.headers().get(USER_AGENT).and_then(|name| name.to_str().ok());
    name.map_or((Browser::Other, System::Other), named)
}

fn named(name: &str) -> (Browser, System) {
    let browser = BROWSERS.iter().find(|(mark, _)| name.contains(mark)).map(|(_, browser)| *browser);
    let system = SYSTEMS.iter().find(|(mark, _)| name.contains(mark)).map(|(_, system)| *system);
    (browser.unwrap_or(Browser::Other), system.unwrap_or(System::Other))
}

fn browser_name(browser: Browser) -> Option<&'static str> {
    match browser {
        Browser::Other => None,
        Browser::Firefox => Some("Firefox"),
        Browser::Chrome => Some("Chrome"),
        Browser::Edge => Some("Edge"),
        Browser::Opera => Some("Opera"),
        Browser::SamsungInternet => Some("Samsung Internet"),
        Browser::Safari => Some("Safari"),
    }
}

fn system_name(system: System) -> Option<&'static str> {
    match system {
        System::Other => None,
        System::Android => Some("Android"),
        System::Ios => Some("iOS"),
        System::Windows => Some("Windows"),
        System::Mac => Some("macOS"),
        System::ChromeOs => Some("ChromeOS"),
        System::Linux => Some("Linux"),
    }
}

/// A sign-in, as the account's owner sees it.
#[derive(Serialize, ToSchema)]
pub struct Session {
    id: Uuid,
    /// The browser, if it was recognized.
    #[schema(example = "Firefox", required)]
    browser: Option<&'static str>,
    /// What it runs on, if that was recognized.
    #[schema(example = "Android", required)]
    system: Option<&'static str>,
    /// The day on which it began: `YYYY-MM-DD`, UTC.
    #[schema(example = "2026-12-20")]
    began: String,
    /// The day on which it was last used.
    #[schema(example = "2026-12-20")]
    used: String,
    /// Whether it can still be used.
    open: bool,
    /// Whether it is the caller's own.
    current: bool,
    /// Whether the account didn't know the browser, and no one has said yet that they do.
    unknown: bool,
}

impl Session {
    pub fn new(sign_in: &SignIn, open: bool, caller: TokenId) -> Self {
        let SignIn { token, browser, system, began, used, is_unknown, .. } = *sign_in;
        Self {
            id: token.0,
            browser: browser_name(browser),
            system: system_name(system),
            began: date_of_day(began),
            used: date_of_day(used),
            open,
            current: token == caller,
            unknown: is_unknown,
        }
    }
}

/// The answer with sign-ins.
#[derive(Serialize, ToSchema)]
pub struct SessionList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The newest first. One that has ended is there while it is `unknown`.
    data: Vec<Session>,
}

/// Returns where the account is signed in.
///
/// A sign-in from a browser that the account doesn't know is `unknown`, at most for 30 days, until one of
/// the others says that it is known.
#[utoipa::path(get, path = "/api/sessions", tag = "account", security(("bearer" = [])), responses(
    (status = 200, body = SessionList), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, caller: SignedIn) -> Answer {
    let all = app.store.sign_ins().of(caller.account, app.clock.timestamp()).await.map_err(or_signed_out)?;
    let data = all.iter().map(|(one, open)| Session::new(one, *open, caller.token)).collect();
    Ok(HttpResponse::Ok().json(SessionList { status: 200, data }))
}

/// Ends every sign-in but the caller's own.
#[utoipa::path(delete, path = "/api/sessions", tag = "account", security(("bearer" = [])), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn end_others(app: Data<App>, caller: SignedIn) -> Answer {
    let now = app.clock.timestamp();
    to_the_end(async move {
        app.store.sign_ins().end_others(caller.account, caller.token, now).await.map_err(or_signed_out)?;
        app.inboxes.sign_out(caller.account, TokenFilter::AllBut(caller.token));
        Ok(())
    })
    .await?;
    Ok(Outcome::response(StatusCode::OK, "Signed out everywhere else"))
}

/// Ends one sign-in.
#[utoipa::path(delete, path = "/api/session/{id}", tag = "account", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The sign-in")), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal, description = "It has ended, or isn't \
    the caller's"), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn end(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let (token, now) = (token_id(&id)?, app.clock.timestamp());
    to_the_end(async move {
        app.store.sign_ins().end(caller.account, token, now).await?;
        app.inboxes.sign_out(caller.account, TokenFilter::Only(token));
        Ok(())
    })
    .await?;
    Ok(Outcome::response(StatusCode::OK, "Signed out there"))
}

/// Says that the browser of a sign-in is known.
///
/// A sign-in can't say it of itself.
#[utoipa::path(post, path = "/api/session/{id}/known", tag = "account", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The sign-in")), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal, description = "It isn't kept any \
    more, isn't the caller's, or is the one that asks"), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn recognize(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let (token, now) = (token_id(&id)?, app.clock.timestamp());
    if token == caller.token {
        return Err(Code::NothingHere.into());
    }
    to_the_end(async move { Ok(app.store.sign_ins().recognize(caller.account, token, now).await?) }).await?;
    Ok(Outcome::response(StatusCode::OK, "Known"))
}

fn token_id(id: &str) -> Result<TokenId, Code> {
    Uuid::parse_str(id).map(TokenId).map_err(|_| Code::NothingHere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_named_as_people_name_them() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        let chrome = format!("{webkit} Chrome/142.0.0.0 Safari/537.36");
        let mobile = format!("{webkit} Chrome/142.0.0.0 Mobile Safari/537.36");
        for (name, browser, system) in [
            ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0".to_owned(), "Firefox", "Android"),
            (format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {chrome}"), "Chrome", "Windows"),
            (format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {chrome} Edg/142.0.0.0"), "Edge", "Windows"),
            (format!("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {chrome}"), "Chrome", "ChromeOS"),
            (format!("Mozilla/5.0 (Linux; Android 10; K) {mobile} OPR/95.0.0.0"), "Opera", "Android"),
            (
                format!(
                    "Mozilla/5.0 (Linux; Android 10; K) {webkit} SamsungBrowser/29.0 Chrome/136.0.0.0 Safari/537.36"
                ),
                "Samsung Internet",
                "Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.6 Mobile/15E148 Safari/604.1"
                    .to_owned(),
                "Safari",
                "iOS",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.6 Safari/605.1.15"
                    .to_owned(),
                "Safari",
                "macOS",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0".to_owned(), "Firefox", "Linux"),
        ] {
            let (found, on) = named(&name);
            assert_eq!((browser_name(found), system_name(on)), (Some(browser), Some(system)), "{name}");
        }
        assert_eq!(named("curl/8.5.0"), (Browser::Other, System::Other));
    }
}
