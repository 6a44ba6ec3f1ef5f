//! Health checks, metrics and the API's description.

use std::sync::atomic::Ordering;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, ContentType};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, Responder};
use annon_contract::code::Code;

use crate::app::App;
use crate::error::{Outcome, Refusal};
use crate::metrics::plain;
use crate::waits::Waits;

const OPEN_METRICS: &str = "application/openmetrics-text";

/// What a server says of itself that lacks nothing.
pub const READY: &str = "ready";

/// Answers 200 as long as the process runs.
#[utoipa::path(get, path = "/healthz", tag = "operator", responses((status = 200, body = Outcome)))]
pub async fn alive() -> impl Responder {
    Outcome::response(StatusCode::OK, "alive")
}

/// Tells whether the server may be sent people: the store is open and takes writes.
///
/// If the disk is full, or the operator has paused the site, the server can still
/// read: the answer is 200, and its message says so.
///
/// 503 says why nobody should be sent here: `busy` while the server closes its
/// sockets before it stops, else `cannot_store` with the reason in words: the store
/// takes no writes, or, with a database, that has confirmed nothing for 10 seconds,
/// this machine's clock is off by more than 2 seconds, or a newer version has changed
/// the database. That servers don't hear each other is no reason.
#[utoipa::path(get, path = "/readyz", tag = "operator",
    responses((status = 200, body = Outcome), (status = 503, body = Refusal)))]
pub async fn ready(app: Data<App>) -> HttpResponse {
    let draining = app.is_draining.load(Ordering::Relaxed).then_some(("draining", Code::Busy));
    let trouble = || app.store.trouble().map(|why| (why, Code::CannotStore));
    if let Some((why, code)) = draining.or_else(trouble) {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let refusal = Refusal {
            status: status.as_u16(),
            code,
            message: why.to_owned(),
            field: None,
            wait_seconds: None,
            shield: None,
        };
        return HttpResponse::build(status).json(refusal);
    }
    // Taking the server out of service would stop reading, too.
    let message = match (app.pausing.current(), app.store.is_full()) {
        (Some(_), _) => "ready to read, but paused for maintenance",
        (None, true) => "ready to read, but the disk is full",
        (None, false) => READY,
    };
    Outcome::response(StatusCode::OK, message)
}

/// Metrics for Prometheus, on a listener of their own: on a quiet server they
/// would show strangers what its users do.
pub async fn metrics(app: Data<App>, request: HttpRequest) -> HttpResponse {
    let text = crate::metrics::text(&app, Waits::look(&app).await.ok());
    let accepted = request.headers().get_all(ACCEPT).filter_map(|line| line.to_str().ok());
    let accepted = accepted.collect::<Vec<_>>().join(",");
    let wants_plain = accepted.contains("text/plain") && !accepted.contains(OPEN_METRICS);
    let (kind, text) = if wants_plain {
        ("text/plain; version=0.0.4; charset=utf-8".to_owned(), plain(&text))
    } else {
        (format!("{OPEN_METRICS}; version=1.0.0; charset=utf-8"), text)
    };
    HttpResponse::Ok().insert_header((CONTENT_TYPE, kind)).body(text)
}

/// Returns this description.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operator",
    responses((status = 200, body = serde_json::Value, description = "OpenAPI 3.1"), (status = 429, body = Refusal)))]
pub async fn openapi(document: Data<crate::openapi::Document>) -> HttpResponse {
    HttpResponse::Ok().insert_header(ContentType::json()).body(document.0.clone())
}
