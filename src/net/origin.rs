//! Whether a page of this site is calling, or one of somebody else's.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};

use crate::app::App;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A page says where it is from; a program says nothing, and may come in.
pub fn is_from_here(app: &App, request: &HttpRequest) -> bool {
    // A page on a sibling domain (`same-site`) is somebody else's, too.
    let site = request.headers().get(SEC_FETCH_SITE);
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return false;
    }
    let Some(origin) = request.headers().get(ORIGIN) else { return true };
    if app.config.public_url.is_some() {
        return origin == app.public_url.origin();
    }
    // Nobody has said what the public address is, so it is whatever name the
    // page was opened under.
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    matches!((origin, host), (Some((_, from)), Some(host)) if from.eq_ignore_ascii_case(host))
}
