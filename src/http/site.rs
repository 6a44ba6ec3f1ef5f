//! The web app: its files, and a page for every path that isn't the API's.
//!
//! Nothing here reads the store: what a page's HTML says depends on its path
//! alone, and opening a page takes no seat.

mod assets;
mod head;
mod page;

pub(crate) mod answer;
#[cfg(test)]
mod tests;

use actix_web::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_TYPE, ContentEncoding, HeaderValue, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Bytes, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::pages::{MISSING, PAGES, PERSONAL_TITLE};

use answer::TextFile;
use assets::File;
use head::Head;
#[cfg(test)]
use head::escape;
use page::PageMatch;

use crate::net::compress::preferred;

/// The pages, for one public address.
pub struct Site {
    origin: String,
    /// In the order of `PAGES`.
    pages: Vec<TextFile>,
    missing: TextFile,
}

impl Site {
    /// Makes all pages. `origin` is the site's public address, such as
    /// `https://annon.example`.
    pub fn new(origin: &str) -> Self {
        let origin = origin.trim_end_matches('/').to_owned();
        let ready = |page| TextFile::html(in_shell(&Head::of(page), &origin));
        Self { pages: PAGES.iter().map(ready).collect(), missing: ready(&MISSING), origin }
    }

    fn page(&self, found: &PageMatch<'_>) -> TextFile {
        let Some(name) = found.username else { return self.pages[found.index].clone() };
        let page = &PAGES[found.index];
        let title = PERSONAL_TITLE.replace("{name}", name);
        let path = format!("/{name}");
        let head = Head { title: &title, path: Some(&path), ..Head::of(page) };
        TextFile::html(in_shell(&head, &self.origin))
    }
}

/// Answers every path that nothing registered earlier has answered.
pub fn routes(config: &mut ServiceConfig) {
    config.default_service(web::to(serve));
}

async fn serve(request: HttpRequest, site: web::Data<Site>) -> HttpResponse {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return HttpResponse::MethodNotAllowed()
            .insert_header((ALLOW, "GET, HEAD"))
            .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
            .body("Only GET and HEAD work here.\n");
    }
    let path = request.path();
    if let Some(file) = assets::find(path) {
        return send(&request, file);
    }
    // A page in place of a missing script would fail later, in a way that is
    // harder to understand.
    if path.starts_with("/assets/") {
        return HttpResponse::NotFound()
            .insert_header((CACHE_CONTROL, "no-store"))
            .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
            .body("There is no such file.\n");
    }
    match page::find(path) {
        Some(found) => {
            let mut response = site.page(&found).answer(&request);
            if found.is_secret() {
                response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            response
        }
        None => site.missing.with_status(&request, StatusCode::NOT_FOUND),
    }
}

fn send(request: &HttpRequest, file: &'static File) -> HttpResponse {
    let encoding = preferred(request, &[ContentEncoding::Brotli, ContentEncoding::Gzip]);
    let compressed = match encoding {
        ContentEncoding::Brotli => file.brotli.as_ref(),
        ContentEncoding::Gzip => file.gzip.as_ref(),
        _ => None,
    };
    let form = compressed.unwrap_or(&file.plain);
    let mut response = answer::conditional(request, form.etag);
    response.insert_header((CONTENT_TYPE, file.content_type));
    let keep = if file.hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.insert_header((CACHE_CONTROL, keep));
    if file.brotli.is_some() || file.gzip.is_some() {
        response.insert_header((VARY, ACCEPT_ENCODING.as_str()));
    }
    if compressed.is_some() {
        response.insert_header(encoding);
    }
    answer::finish(response, Bytes::from_static(form.bytes))
}

fn in_shell(head: &Head<'_>, origin: &str) -> String {
    [assets::SHELL_BEFORE_HEAD, "\n    ", &head.render(origin), "    ", assets::SHELL_AFTER_HEAD].concat()
}
