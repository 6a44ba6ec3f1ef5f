//! What every request gets: an id, the security headers, a log line, a count,
//! and an answer even if a handler panics.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::Method;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, ResponseError};
use annon_actors::ids::random_id;
use annon_contract::code::Code;
use annon_contract::pages;
use annon_store::pause::Pause;
use futures_util::FutureExt;

use crate::app::App;
use crate::error::ApiError;
use crate::event_log::Event;
use crate::limits::response_quota::counted;
use crate::net::client::ClientIp;
use crate::pausing;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Forbids everything to an API answer that a browser opens as a page.
const API_POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Wraps every request.
pub async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let app = request.app_data::<Data<App>>().cloned();
    let begun = app.as_ref().map(|app| app.clock.moment());
    let is_https = app.as_ref().is_some_and(|app| app.public_url.is_https());
    let is_api = request.path().starts_with("/api/");
    let method = method_name(request.method());
    let route = request.match_pattern();
    let id = random_id().simple().to_string();
    // The address is only looked at where somebody wants a line.
    let caller = app.as_ref().filter(|app| app.events.is_on()).map(|_| ClientIp::of(request.request()).0);

    let pause = app.as_ref().filter(|_| is_api).and_then(|app| app.pausing.current());
    let is_held = |_: &&Arc<Pause>| pausing::writes(request.method(), route.as_deref().unwrap_or_default());
    let answered = match pause.as_ref().filter(is_held) {
        Some(pause) => Ok(Err(InternalError::from_response("paused", pausing::refusal(pause)).into())),
        None => AssertUnwindSafe(next.call(request)).catch_unwind().await,
    };
    let mut answered = match answered {
        Ok(Ok(response)) => {
            bounded(response.map_into_boxed_body(), app.as_ref()).map_err(|error| error.error_response())
        }
        Ok(Err(error)) => Err(error.error_response()),
        // The panic hook has logged where it happened.
        Err(_) => Err(ApiError::from(Code::Internal).error_response()),
    };

    let (status, headers) = match &mut answered {
        Ok(response) => (response.status(), response.headers_mut()),
        Err(response) => (response.status(), response.headers_mut()),
    };
    secure(headers, is_api, is_https);
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    if let (Some(app), Some(begun)) = (app, begun) {
        if caller.is_some()
            && let Some(event) = Event::of(route.as_deref(), status)
        {
            app.events.write(event, caller);
        }
        let route = route.as_deref().unwrap_or("page");
        let (status, took) = (status.as_u16(), app.clock.moment().duration_since(begun));
        app.metrics.answered(method, route, status, took);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        // A full queue or disk shows in the metrics only: a stranger who causes
        // a thousand refusals a second must not write as many lines.
        if status == 500 {
            tracing::error!(method, route, status, micros, id, "answered");
        } else {
            tracing::debug!(method, route, status, micros, id, "answered");
        }
    }
    answered.map_err(|response| InternalError::from_response("answered", response).into())
}

/// The counted answer; a refusal if its client's address has too much unread.
fn bounded(response: ServiceResponse<BoxBody>, app: Option<&Data<App>>) -> Result<ServiceResponse<BoxBody>, ApiError> {
    let Some(app) = app else { return Ok(response) };
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = counted(&app.limits, || ClientIp::of(&request).0, body)?;
    Ok(ServiceResponse::new(request, response.set_body(body)))
}

/// A method as a label of metrics. Unknown ones are `other`, so that nobody can
/// invent labels.
fn method_name(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

fn secure(headers: &mut HeaderMap, is_api: bool, is_https: bool) {
    let mut unless_set = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    if is_api {
        unless_set(CACHE_CONTROL, "no-store");
        unless_set(CONTENT_SECURITY_POLICY, API_POLICY);
    } else {
        unless_set(CONTENT_SECURITY_POLICY, pages::CONTENT_SECURITY_POLICY);
    }
    unless_set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    unless_set(X_FRAME_OPTIONS, "DENY");
    unless_set(REFERRER_POLICY, "no-referrer");
    unless_set(PERMISSIONS_POLICY, "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    unless_set(OPENER_POLICY, "same-origin");
    unless_set(RESOURCE_POLICY, "same-origin");
    if is_https {
        unless_set(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
}
