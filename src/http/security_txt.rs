//! `/.well-known/security.txt`: where to report a vulnerability (RFC 9116).

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Data;
use annon_actors::clock::date_and_time;

use crate::app::App;

/// The path of the file.
pub const PATH: &str = "/.well-known/security.txt";
/// The file expires this long after it is asked for.
const GOOD_FOR_SECONDS: u64 = 30 * 24 * 60 * 60;

/// The file with the operator's contact, or a 404 if none is configured.
pub async fn contact(app: Data<App>) -> HttpResponse {
    let contact = app.config.security_contact.as_ref().or(app.config.community.site_contact.as_ref());
    let Some(contact) = contact else {
        return HttpResponse::NotFound()
            .insert_header((CACHE_CONTROL, "no-store"))
            .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
            .body("There is no such file.\n");
    };
    let expires = date_and_time(app.clock.timestamp() + GOOD_FOR_SECONDS).replace(' ', "T");
    let text = format!(
        "Contact: {}\nExpires: {expires}Z\nPreferred-Languages: en, de\nCanonical: {}\n",
        contact.0,
        app.public_url.page(PATH)
    );
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .body(text)
}
