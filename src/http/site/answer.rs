//! Answers from bytes that are the same for every caller, with their ETags.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ContentEncoding, ETAG, EntityTag, HeaderValue,
    IfNoneMatch, VARY,
};
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder};
use flate2::Compression;

use crate::net::compress::{gzip, takes_gzip};

/// A text for many answers or for one, compressed if the client accepts gzip.
///
/// The compressed length reveals something about the content to an attacker who
/// sees the length and can add text beside a secret. These texts have no
/// secret: a page depends on its path alone, and repeats nothing of it but the
/// username in a personal link, which is public.
#[derive(Clone)]
pub(crate) struct TextFile {
    content_type: &'static str,
    body: Bytes,
    /// The compressed text, made when a client first accepts it.
    compressed: Arc<OnceLock<Option<Bytes>>>,
    etag: String,
}

impl TextFile {
    /// Hashes the text once, for its ETag.
    pub(crate) fn new(content_type: &'static str, body: String) -> Self {
        Self { content_type, etag: etag(body.as_bytes()), body: body.into(), compressed: Arc::default() }
    }

    pub(crate) fn html(body: String) -> Self {
        Self::new("text/html; charset=utf-8", body)
    }

    /// 200 with the text, or 304 when the caller has it.
    pub(crate) fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let compresses = takes_gzip(request);
        // A strong ETag may not be shared by two encodings.
        let etag = if compresses { self.etag.replacen('"', "\"gzip-", 1) } else { self.etag.clone() };
        let response = conditional(request, &etag);
        self.fill(response, compresses)
    }

    /// The text with another status, and without an ETag.
    pub(crate) fn with_status(&self, request: &HttpRequest, status: StatusCode) -> HttpResponse {
        self.fill(HttpResponse::build(status), takes_gzip(request))
    }

    /// Half a millisecond more than for JSON, which is less often the first
    /// thing that somebody waits for, and a sixth less to send.
    fn gzip(&self) -> Option<Bytes> {
        gzip(&self.body, Compression::default()).map(Bytes::from)
    }

    fn fill(&self, mut response: HttpResponseBuilder, compresses: bool) -> HttpResponse {
        response.insert_header((CACHE_CONTROL, "no-cache"));
        response.insert_header((VARY, ACCEPT_ENCODING.as_str()));
        response.insert_header((CONTENT_TYPE, self.content_type));
        let compressed = compresses.then(|| self.compressed.get_or_init(|| self.gzip()).clone()).flatten();
        if compressed.is_some() {
            response.insert_header(ContentEncoding::Gzip);
        }
        finish(response, compressed.unwrap_or_else(|| self.body.clone()))
    }
}

/// Starts a 200 or a 304, whichever `If-None-Match` asks for, with the ETag.
pub(crate) fn conditional(request: &HttpRequest, etag: &str) -> HttpResponseBuilder {
    let status = if has(request, etag) { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = HttpResponse::build(status);
    if let Ok(value) = HeaderValue::from_str(etag) {
        response.insert_header((ETAG, value));
    }
    response
}

/// Adds the body, except to a 304. HEAD is answered like GET; actix itself
/// leaves the body out and keeps its length.
pub(crate) fn finish(mut response: HttpResponseBuilder, body: Bytes) -> HttpResponse {
    let mut response = response.body(body);
    if response.status() == StatusCode::NOT_MODIFIED {
        for of_the_body in [CONTENT_TYPE, CONTENT_ENCODING] {
            response.headers_mut().remove(of_the_body);
        }
        return response.drop_body().map_into_boxed_body();
    }
    response
}

/// A strong ETag: half of the SHA-256 digest, as `build.rs` makes them.
pub(crate) fn etag(bytes: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes);
    let mut etag = String::from("\"");
    for byte in digest.as_ref().iter().take(16) {
        // Writing to a String can't fail.
        let _ = write!(etag, "{byte:02x}");
    }
    etag.push('"');
    etag
}

fn has(request: &HttpRequest, etag: &str) -> bool {
    match request.get_header::<IfNoneMatch>() {
        Some(IfNoneMatch::Any) => true,
        Some(IfNoneMatch::Items(held)) => {
            etag.parse::<EntityTag>().is_ok_and(|ours| held.iter().any(|theirs| theirs.weak_eq(&ours)))
        }
        None => false,
    }
}
