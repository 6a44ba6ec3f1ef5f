//! `/api/docs`: the API's description as a page for people. It is written once
//! at start-up, needs no script and loads nothing from elsewhere.

mod call;
mod page;
mod prose;
mod schema;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use crate::http::site::answer::Text;

/// Its own style and the site's icon, and nothing else: no script at all.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The page and its style.
pub struct Docs {
    page: Text,
    style: Text,
}

impl Docs {
    /// Writes the page for an OpenAPI 3.1 document.
    pub fn new(openapi: &Value) -> Self {
        Self {
            page: Text::html(page::render(openapi)),
            style: Text::new("text/css; charset=utf-8", include_str!("docs/style.css").to_owned()),
        }
    }
}

/// `GET /api/docs`
pub async fn page(request: HttpRequest, docs: web::Data<Docs>) -> HttpResponse {
    let mut response = docs.page.answer(&request);
    // On a 304 as well: a browser takes a stored page's headers from there.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// `GET /api/docs.css`: a file of its own, as the content security policy
/// allows no style inside a page.
pub async fn style(request: HttpRequest, docs: web::Data<Docs>) -> HttpResponse {
    docs.style.answer(&request)
}

#[cfg(test)]
mod tests;
