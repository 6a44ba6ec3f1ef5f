//! The forms of the page for reports, as a browser sends them without scripts: one reports, and one asks by a report's
//! number how it stands. The answer is a page.

use actix_web::http::StatusCode;
use actix_web::http::header::HOST;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::code::Code;
use annon_contract::limits::REPORT_OF_PAGE_MIN;
use annon_store::report::ReportText;

use super::receipt::{self, StateName};
use super::{add, page};
use crate::app::App;
use crate::body;
use crate::error::ApiError;
use crate::http::site::Site;
use crate::http::site::form::{FormAnswer, LINK, RECEIPT, WORDS};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::net::origin::is_from_here;

/// What was written in a form: in the one that reports, or in the one that asks by a number.
#[derive(Default)]
struct Written {
    link: String,
    words: String,
    receipt: Option<String>,
}

/// Takes a form of the page, and answers with the page: with what was written if that is refused.
pub async fn send(
    app: Data<App>,
    site: Data<Site>,
    client: ClientIp,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let written = match read(&app, &request, payload).await {
        Ok(written) => written,
        Err(error) => return site.answer_form(&request, None, FormAnswer::refused(error), &[(LINK, ""), (WORDS, "")]),
    };
    let Written { link, words, receipt } = written;
    if let Some(receipt) = receipt {
        let answer = standing(receipt::state(&app, client, &receipt).await);
        return site.answer_form(&request, None, answer, &[(RECEIPT, &*receipt)]);
    }
    match report(app, client, &request, &link, &words).await {
        Ok(number) => site.answer_form(&request, None, FormAnswer::SENT, &[(RECEIPT, &*number)]),
        Err(error) => site.answer_form(&request, None, FormAnswer::refused(error), &[(LINK, &*link), (WORDS, &*words)]),
    }
}

/// Reads a form. Each field is in it at most once, and those of one form only.
async fn read(app: &App, request: &HttpRequest, payload: Payload) -> Result<Written, ApiError> {
    // Browsers let a page post a form to any site without a CORS preflight.
    if !is_from_here(app, request) {
        return Err(Code::ReportFromElsewhere.into());
    }
    let (mut link, mut words, mut receipt) = (None, None, None);
    for (field, text) in body::form(request, payload).await? {
        let known = match &*field {
            "link" => &mut link,
            "words" => &mut words,
            "receipt" => &mut receipt,
            _ => continue,
        };
        if known.replace(text).is_some() {
            return Err(Code::FormBroken.into());
        }
    }
    if receipt.is_some() && (link.is_some() || words.is_some()) {
        return Err(Code::FormBroken.into());
    }
    Ok(Written { link: link.unwrap_or_default(), words: words.unwrap_or_default(), receipt })
}

/// Stores a report, and returns its number.
async fn report(
    app: Data<App>,
    client: ClientIp,
    request: &HttpRequest,
    link: &str,
    words: &str,
) -> Result<String, ApiError> {
    app.pausing.may_write()?;
    let text = ReportText::try_from(words)?;
    if text.as_str().chars().count() < REPORT_OF_PAGE_MIN {
        return Err(Code::ReportTooShort.into());
    }
    app.limits.take(Call::Report, client.0)?;
    let reported = page(&app, client, request, path_in(link, host(&app, request))).await?;
    add(app, reported, text).await
}

/// The page that says how a report stands.
fn standing(state: Result<StateName, ApiError>) -> FormAnswer {
    let query = match &state {
        Ok(StateName::Waits) => "?standing=waits",
        Ok(StateName::LookedAt) => "?standing=looked_at",
        Ok(StateName::Closed) => "?standing=closed",
        Err(error) if error.code == Code::NothingHere => "?standing=unknown",
        Err(_) => "?standing=refused",
    };
    FormAnswer { query, outcome: state.map(|_| StatusCode::OK) }
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
