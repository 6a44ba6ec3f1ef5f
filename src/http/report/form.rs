//! The form of the page for reports, as a browser sends it without scripts. The answer is a page.

use actix_web::http::header::HOST;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::code::Code;
use annon_contract::limits::REPORT_OF_PAGE_MIN;
use annon_store::report::ReportText;

use super::{add, page};
use crate::app::App;
use crate::body;
use crate::error::ApiError;
use crate::http::site::{LINK, RECEIPT, Site, WORDS};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::net::origin::is_from_here;

/// Takes the form, and answers with the page: with what was written if that is refused.
pub async fn send(
    app: Data<App>,
    site: Data<Site>,
    client: ClientIp,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let (mut link, mut words) = (String::new(), String::new());
    let sent = take(app, client, &request, payload, (&mut link, &mut words)).await;
    // Its place is in the answer alone, and those of what was written only in a refusal.
    let receipt = sent.as_ref().cloned().unwrap_or_default();
    let written = [(RECEIPT, &*receipt), (LINK, &link), (WORDS, &words)];
    site.answer_form(&request, None, sent.map(drop), &written)
}

async fn take(
    app: Data<App>,
    client: ClientIp,
    request: &HttpRequest,
    payload: Payload,
    (link, words): (&mut String, &mut String),
) -> Result<String, ApiError> {
    // Browsers let a page post a form to any site without a CORS preflight.
    if !is_from_here(&app, request) {
        return Err(Code::ReportFromElsewhere.into());
    }
    for (field, text) in body::form(request, payload).await? {
        let known = match &*field {
            "link" => &mut *link,
            "words" => &mut *words,
            _ => continue,
        };
        if !known.is_empty() {
            return Err(Code::FormBroken.into());
        }
        *known = text;
    }
    app.pausing.may_write()?;
    let text = ReportText::try_from(&**words)?;
    if text.as_str().chars().count() < REPORT_OF_PAGE_MIN {
        return Err(Code::ReportTooShort.into());
    }
    app.limits.take(Call::Report, client.0)?;
    let reported = page(&app, client, path_in(link, host(&app, request))).await?;
    add(app, reported, text).await
}

/// The site's host, as people type it: without a configured address, what the page was opened under.
fn host<'a>(app: &'a App, request: &'a HttpRequest) -> &'a str {
    let shown = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let ours = app.public_url.origin().split_once("://").map_or("", |(_, host)| host);
    shown.filter(|_| app.config.public_url.is_none()).unwrap_or(ours)
}

/// The path in an address that somebody has typed. What is behind `#` is no part of it: in a
/// private link that is a secret. An address of another site has a path that leads to nothing.
fn path_in<'a>(typed: &'a str, host: &str) -> &'a str {
    let typed = typed.trim();
    let bare = typed.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = match bare.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, bare),
    };
    let is_here = rest.get(..host.len()).is_some_and(|start| start.eq_ignore_ascii_case(host))
        && rest[host.len()..].chars().next().is_none_or(|next| next == '/');
    match scheme {
        _ if is_here => &rest[host.len()..],
        None => bare,
        Some(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_as_people_type_it() {
        for (typed, path) in [
            ("/some-body", "/some-body"),
            (" some-body ", "some-body"),
            ("https://annon.example/some-body/a/x#secret", "/some-body/a/x"),
            ("ANNON.example/some-body?x=1", "/some-body"),
            ("annon.example", ""),
            ("http://annon.example.evil/some-body", ""),
            ("https://evil.example/some-body", ""),
            ("annon.examples/some-body", "annon.examples/some-body"),
            ("", ""),
            ("é/é", "é/é"),
        ] {
            assert_eq!(path_in(typed, "annon.example"), path, "{typed}");
        }
    }
}
