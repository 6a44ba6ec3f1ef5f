//! The route table: one line for each path, with the handler of each method.
//! Every other path belongs to the web app.

use std::future::ready;

use actix_web::guard::fn_guard;
use actix_web::http::Method;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, ResponseError, Route, rt};
use annon_contract::code::Code;
use utoipa::OpenApi;

use crate::error::ApiError;

pub mod account;
pub mod answer;
pub mod confirm;
pub mod conversation;
pub mod digest;
pub mod feedback;
pub mod guard;
pub mod health;
pub mod image;
pub mod inbox;
pub mod note;
pub mod own_words;
pub mod personal_page;
pub mod push;
pub mod report;
pub mod reset;
pub mod room;
pub mod seal;
pub mod security_txt;
pub mod shield;
pub mod sign_in;
pub mod site;
pub mod socket;
pub mod web_hash;

macro_rules! calls {
    ($($path:literal $($($method:ident)|+ $($handler:ident)::+),+;)+) => {
        /// Registers every call of the API.
        pub fn api(config: &mut ServiceConfig) {
            $(config.service(call($path, [$((vec![$(Method::$method),+], web::to($($handler)::+))),+]));)+
            config.service(call(security_txt::PATH, [(vec![Method::GET, Method::HEAD], web::to(security_txt::contact))]));
            for (path, card) in [("/card/{name}", web::to(site::card::person)), ("/card/group/{standing}", web::to(site::card::group))] {
                config.service(call(path, [(vec![Method::GET, Method::HEAD], card)]));
            }
            config.service(web::scope("/api").default_service(web::to(nothing_here)));
            // These pages are forms, which browsers send without scripts. Other methods get the page.
            config.service(web::resource(["/mails/{token}", "/mails/{token}/"]).guard(actix_web::guard::Post()).to(digest::end));
            config.service(web::resource(["/report", "/report/"]).guard(actix_web::guard::Post()).to(report::form::send));
            config.service(web::resource(["/{username}", "/{username}/"]).guard(actix_web::guard::Post()).to(note::send_form));
        }

        /// The calls' description, from the handlers' attributes.
        #[derive(OpenApi)]
        #[openapi(paths($($($($handler)::+),+),+))]
        pub struct Described;
    };
}

calls! {
    "/api/register" POST account::register;
    "/api/login" POST account::login;
    "/api/logout" POST account::logout;
    "/api/dashboard" GET account::dashboard;
    "/api/sessions" GET sign_in::list, DELETE sign_in::end_others;
    "/api/session/{id}" DELETE sign_in::end;
    "/api/session/{id}/known" POST sign_in::recognize;
    "/api/user/change-password" POST account::change_password;
    "/api/user/new-link" POST note::new_link;
    "/api/user/delete" DELETE account::delete;
    "/api/password-reset" POST reset::request;
    "/api/password-reset/confirm" POST reset::confirm;
    "/api/confirm-email" POST confirm::confirm, DELETE confirm::refuse;
    "/api/confirm-email/account" POST confirm::account;
    "/api/user/send-confirmation" POST confirm::send_again;
    "/api/annon/{username}" GET note::target;
    "/api/annon/{username}/answers" GET answer::list;
    "/api/annon/{username}/answers/{id}" GET answer::show;
    "/api/page" GET personal_page::show, PATCH personal_page::set_up;
    "/api/push" GET push::show, PUT push::subscribe;
    "/api/push/{id}" DELETE push::unsubscribe;
    "/api/digest" GET digest::show, PUT digest::set;
    "/api/annon-message" POST note::send;
    "/api/messages" GET inbox::list, DELETE inbox::remove_all;
    "/api/inbox" GET shield::settings, PATCH shield::set_up;
    "/api/seal" GET seal::show, PUT seal::begin, PATCH seal::set;
    "/api/seal/handover" PUT seal::hand_over;
    "/api/seal/handover/take" POST seal::take;
    "/api/message/{id}" PATCH inbox::flag, DELETE inbox::remove;
    "/api/message/{id}/answer" PUT answer::publish, DELETE answer::take_down;
    "/api/message/{id}/show" POST shield::show;
    "/api/message/{id}/block" POST shield::block;
    "/api/blocks" GET shield::blocks;
    "/api/block/{id}" DELETE shield::unblock;
    "/api/mark_as_seen/{id}" GET inbox::mark_as_seen;
    "/api/inbox/socket" GET socket::inbox;
    "/api/conversations" GET conversation::list;
    "/api/conversations/peek" POST conversation::peek::peek;
    "/api/conversation/{id}/line/{seq}" DELETE conversation::unsend;
    "/api/conversation/{id}/push" GET conversation::push::show, PUT conversation::push::subscribe, DELETE conversation::push::unsubscribe;
    "/api/conversation/{id}/socket" GET socket::conversation;
    "/api/conversation/{id}" GET conversation::show, POST conversation::say, PATCH conversation::change, DELETE conversation::end;
    "/api/rooms" GET room::list;
    "/api/room/create" POST room::create;
    "/api/room/upload-image" POST image::upload;
    "/api/room/valid/{id}" GET room::valid;
    "/api/room-emoji/{id}" GET room::seat::take;
    "/api/room/{id}/seat" POST room::seat::come_in, DELETE room::seat::leave;
    "/api/room/{id}/knock" POST room::knock::knock;
    "/api/room/{id}/knocks" GET room::knock::list;
    "/api/room/{id}/knock/{knock}" GET room::knock::wait, POST room::knock::answer;
    "/api/room/{id}/message/{seq}" DELETE room::retract;
    "/api/room/{id}/member/{emoji}" DELETE room::kick;
    "/api/room/{id}/image/{image}" GET image::show;
    "/api/room/{id}/link" POST room::link::renew;
    "/api/room/{id}/push" GET room::push::show, PUT room::push::subscribe, DELETE room::push::unsubscribe;
    "/api/room/{id}/socket" GET socket::room;
    "/api/room/{id}" GET room::shown::show, PATCH room::set_up, DELETE room::close;
    "/api/feedback" POST feedback::send;
    "/api/report" POST report::send;
    "/api/report/receipt" POST report::receipt::show;
    "/api/words/{page}" GET own_words::show;
    "/api/openapi.json" GET health::openapi;
    "/api/web-hash" GET web_hash::show;
    "/healthz" GET | HEAD health::alive;
    "/readyz" GET | HEAD health::ready;
}

/// Registers what only the listener for metrics answers.
pub fn metrics(config: &mut ServiceConfig) {
    let resource = web::resource("/metrics").route(web::get().to(health::metrics));
    config.service(resource.route(web::head().to(health::metrics)));
}

/// Does some work to its end, even if the caller hangs up before, because its
/// steps belong together.
pub async fn to_the_end<T: 'static>(work: impl Future<Output = Result<T, ApiError>> + 'static) -> Result<T, ApiError> {
    rt::spawn(work).await.map_err(|_| Code::Internal)?
}

/// The page of a list that a query asks for: `before`, a place in the list, and
/// `limit`. The last two codes are for an invalid place and an invalid limit.
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

/// A path with its methods; any other method gets a 405 that lists these.
fn call<const N: usize>(path: &str, routes: [(Vec<Method>, Route); N]) -> Resource {
    let all = routes.iter().flat_map(|(methods, _)| methods).map(Method::as_str).collect::<Vec<_>>().join(", ");
    let mut resource = web::resource(path);
    for (methods, route) in routes {
        resource = resource.route(route.guard(fn_guard(move |asked| methods.contains(&asked.head().method))));
    }
    resource.default_service(web::to(move || {
        let mut response = ApiError::from(Code::OtherMethod).error_response();
        if let Ok(all) = HeaderValue::from_str(&all) {
            response.headers_mut().insert(ALLOW, all);
        }
        ready(response)
    }))
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
