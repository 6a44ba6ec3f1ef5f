//! The route table: one line a call. What is not here belongs to the web app.

use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, ResponseError, Route, rt};
use annon_contract::code::Code;

use crate::error::ApiError;

pub mod account;
pub mod confirm;
pub mod feedback;
pub mod guard;
pub mod health;
pub mod image;
pub mod inbox;
pub mod note;
pub mod reset;
pub mod room;
pub mod security;
pub mod site;
pub mod socket;

/// Every call of the API.
pub fn api(config: &mut ServiceConfig) {
    config
        .service(
            web::scope("/api")
                .service(call("/register", "POST", web::post().to(account::register)))
                .service(call("/login", "POST", web::post().to(account::login)))
                .service(call("/logout", "POST", web::post().to(account::logout)))
                .service(call("/dashboard", "GET", web::get().to(account::dashboard)))
                .service(call("/user/change-password", "POST", web::post().to(account::change_password)))
                .service(call("/user/new-link", "POST", web::post().to(note::new_link)))
                .service(call("/user/delete", "DELETE", web::delete().to(account::delete)))
                .service(call("/password-reset", "POST", web::post().to(reset::request)))
                .service(call("/password-reset/confirm", "POST", web::post().to(reset::confirm)))
                .service(
                    call("/confirm-email", "POST, DELETE", web::post().to(confirm::confirm))
                        .route(web::delete().to(confirm::refuse)),
                )
                .service(call("/confirm-email/account", "POST", web::post().to(confirm::account)))
                .service(call("/user/send-confirmation", "POST", web::post().to(confirm::send_again)))
                .service(call("/annon/{username}", "GET", web::get().to(note::target)))
                .service(call("/annon-message", "POST", web::post().to(note::send)))
                .service(
                    call("/messages", "GET, DELETE", web::get().to(inbox::list))
                        .route(web::delete().to(inbox::remove_all)),
                )
                .service(
                    call("/inbox", "GET, PATCH", web::get().to(inbox::settings)).route(web::patch().to(inbox::set_up)),
                )
                .service(call("/message/{id}", "DELETE", web::delete().to(inbox::remove)))
                .service(call("/mark_as_seen/{id}", "GET", web::get().to(inbox::mark_as_seen)))
                .service(call("/inbox/socket", "GET", web::get().to(socket::inbox)))
                .service(call("/rooms", "GET", web::get().to(room::list)))
                .service(call("/room/create", "POST", web::post().to(room::create)))
                .service(call("/room/upload-image", "POST", web::post().to(image::upload)))
                .service(call("/room/valid/{id}", "GET", web::get().to(room::valid)))
                .service(call("/room-emoji/{id}", "GET", web::get().to(room::seat::take)))
                .service(
                    call("/room/{id}/seat", "POST, DELETE", web::post().to(room::seat::come_in))
                        .route(web::delete().to(room::seat::leave)),
                )
                .service(call("/room/{id}/message/{seq}", "DELETE", web::delete().to(room::take_down)))
                .service(call("/room/{id}/member/{emoji}", "DELETE", web::delete().to(room::kick)))
                .service(call("/room/{id}/image/{image}", "GET", web::get().to(image::show)))
                .service(call("/room/{id}/socket", "GET", web::get().to(socket::room)))
                .service(
                    call("/room/{id}", "GET, PATCH, DELETE", web::get().to(room::show))
                        .route(web::patch().to(room::lock))
                        .route(web::delete().to(room::close)),
                )
                .service(call("/feedback", "POST", web::post().to(feedback::send)))
                .service(call("/openapi.json", "GET", web::get().to(health::openapi)))
                .default_service(web::to(nothing_here)),
        )
        .service(call("/healthz", "GET, HEAD", web::get().to(health::alive)).route(web::head().to(health::alive)))
        .service(
            call(security::PATH, "GET, HEAD", web::get().to(security::contact))
                .route(web::head().to(security::contact)),
        )
        .service(call("/readyz", "GET, HEAD", web::get().to(health::ready)).route(web::head().to(health::ready)));
}

/// What is answered on the listener for numbers, and nowhere else.
pub fn numbers(config: &mut ServiceConfig) {
    let resource = web::resource("/metrics").route(web::get().to(health::metrics));
    config.service(resource.route(web::head().to(health::metrics)));
}

/// Does what belongs together to its end. Of a caller who hangs up the rest
/// would not be done.
pub async fn to_the_end<T: 'static>(work: impl Future<Output = Result<T, ApiError>> + 'static) -> Result<T, ApiError> {
    rt::spawn(work).await.map_err(|_| Code::Internal)?
}

/// Which page of a list a query asks for: what comes before a place in it, and
/// how much of that. Two codes say what was wrong with either.
pub fn page_of<T>(
    query: &str,
    (usual, most): (usize, usize),
    place: impl Fn(&str) -> Option<T>,
    [no_place, no_limit]: [Code; 2],
) -> Result<(Option<T>, usize), Code> {
    let (mut before, mut limit) = (None, usual);
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "before" => before = Some(place(&value).ok_or(no_place)?),
            "limit" => limit = value.parse().ok().filter(|n| (1..=most).contains(n)).ok_or(no_limit)?,
            _ => {}
        }
    }
    Ok((before, limit))
}

fn call(path: &str, methods: &'static str, route: Route) -> Resource {
    let refuse = move || async move {
        let mut response = ApiError::from(Code::OtherMethod).error_response();
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
        response
    };
    web::resource(path).route(route).default_service(web::to(refuse))
}

async fn nothing_here(_: HttpRequest) -> HttpResponse {
    ApiError::from(Code::NoSuchCall).error_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    use futures_util::FutureExt;

    #[actix_web::test]
    async fn what_was_begun_is_done_also_when_nobody_waits_for_it() {
        let done = Rc::new(Cell::new(false));
        let here = done.clone();
        let work = to_the_end(async move {
            rt::task::yield_now().await;
            here.set(true);
            Ok(())
        });
        assert!(work.now_or_never().is_none());
        rt::task::yield_now().await;
        rt::task::yield_now().await;
        assert!(done.get());
    }
}
