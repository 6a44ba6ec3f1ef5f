//! For probes, dashboards and programmers.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ContentType, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpResponse, Responder};

use crate::app::App;
use crate::error::{ApiError, Told};

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "operator", responses((status = 200, body = Told)))]
pub async fn alive() -> impl Responder {
    Told::response(StatusCode::OK, "alive")
}

/// Whether the store is open and takes writes.
#[utoipa::path(get, path = "/readyz", tag = "operator",
    responses((status = 200, body = Told), (status = 503, body = Told)))]
pub async fn ready(app: Data<App>) -> Result<HttpResponse, ApiError> {
    if app.store.is_healthy() { Ok(Told::response(StatusCode::OK, "ready")) } else { Err(ApiError::Unavailable) }
}

/// Numbers for Prometheus, on a listener of their own: on a quiet server they
/// tell what is done, which strangers must not know.
pub async fn metrics(app: Data<App>) -> HttpResponse {
    let text = app.metrics.text(&app.store, &app.inboxes, &app.rooms);
    let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    HttpResponse::Ok().insert_header((CONTENT_TYPE, kind)).body(text)
}

/// This description.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operator",
    responses((status = 200, body = serde_json::Value, description = "OpenAPI 3.1"), (status = 429, body = Told)))]
pub async fn openapi(document: Data<crate::openapi::Document>) -> HttpResponse {
    HttpResponse::Ok().insert_header(ContentType::json()).body(document.json.clone())
}
