//! Tells calls of this site's own pages from those of another site's.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};

use crate::app::App;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether the caller is our page, or a program, which sends no origin.
pub fn is_from_here(app: &App, request: &HttpRequest) -> bool {
    // A sibling domain (`same-site`) is another site, too.
    let site = request.headers().get(SEC_FETCH_SITE);
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return false;
    }
    let Some(origin) = request.headers().get(ORIGIN) else { return true };
    if app.config.public_url.is_some() {
        return origin == app.public_url.origin();
    }
    // Without a configured public address, our origin is the host that the page
    // was opened under.
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    matches!((origin, host), (Some((_, from)), Some(host)) if from.eq_ignore_ascii_case(host))
}
