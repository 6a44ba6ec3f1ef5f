//! `/.well-known/security.txt`: where somebody who has found a hole can tell
//! of it (RFC 9116).

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Data;
use annon_actors::clock::date_and_time;

use crate::app::App;

/// Where it is asked for.
pub const PATH: &str = "/.well-known/security.txt";
/// How long what it says is good for: while the server runs it is made anew.
const GOOD_FOR_SECONDS: u64 = 30 * 24 * 60 * 60;

/// The contact that the operator named, if they did.
pub async fn contact(app: Data<App>) -> HttpResponse {
    let Some(contact) = &app.config.security_contact else {
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
