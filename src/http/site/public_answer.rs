//! The page of a public answer. Its words are in its head, so that link previews show them,
//! and in its body, for browsers without scripts.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use annon_actors::clock::date_and_time;
use annon_contract::code::Code;
use annon_contract::pages::{ANSWER_TITLE, Page};
use annon_store::answer::Answer;
use annon_store::text::{without_directions, without_forcing};

use super::card::Card;
use super::head::{Head, escape};
use super::{NAME, Site, TextFile, is_known, language, put_in};
use crate::app::App;
use crate::error::ApiError;
use crate::http::answer::find;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// What the drawn page has in place of the note, of the answer and of its day.
const NOTE: &str = "{note}";
const ANSWER: &str = "{answer}";
const DATE: &str = "{date}";
/// The queries by which the page is drawn for an answer that isn't there, and for one that
/// can't be read now.
const GONE: &str = "?gone";
const LATER: &str = "?later";

impl Site {
    /// The page at the address of an answer.
    pub(super) async fn public_answer(&self, request: &HttpRequest, page: &Page, name: &str, id: &str) -> HttpResponse {
        let (status, file) = match look_up(request, name, id).await {
            Ok(answer) => (StatusCode::OK, self.shown_answer(request, page, name, id, &answer)),
            Err(error) => (error.status_code(), self.no_answer(request, page, error.code)),
        };
        let mut response = TextFile::html(file).with_status(request, status);
        // When its owner takes it down, no cache has it.
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        self.finish(response, page)
    }

    fn shown_answer(&self, request: &HttpRequest, page: &Page, name: &str, id: &str, answer: &Answer) -> String {
        let language = language::of(request);
        let (title, path) = (ANSWER_TITLE.replace("{name}", name), format!("/{name}/a/{id}"));
        let (note, words) = (answer.note.as_str(), answer.text.as_str());
        let description = format!("“{}” {}", on_one_line(note), on_one_line(words));
        let card = Some(Card::Person(name.to_owned()));
        let head = Head { title: &title, description: &description, path: Some(&path), card, ..Head::of(page) };
        let head = Head { is_known: is_known(request), ..head };
        let date = date_and_time(answer.date);
        let day = date.split_once(' ').map_or(&*date, |(day, _)| day);
        let shown = |words| escape(&without_forcing(words));
        let places = [(NAME, &*escape(name)), (NOTE, &shown(note)), (ANSWER, &shown(words)), (DATE, day)];
        self.html(request, language, &head, &put_in(self.drawn(language, page, ""), &places))
    }

    /// The page for an answer that isn't there, or that can't be read now. The web app asks for it again.
    fn no_answer(&self, request: &HttpRequest, page: &Page, why: Code) -> String {
        let language = language::of(request);
        let is_gone = matches!(why, Code::NoSuchAnswer | Code::NoSuchPerson);
        let body = self.drawn(language, page, if is_gone { GONE } else { LATER });
        self.html(request, language, &Head { is_known: is_known(request), ..Head::of(page) }, body)
    }
}

async fn look_up(request: &HttpRequest, name: &str, id: &str) -> Result<Answer, ApiError> {
    let app = request.app_data::<web::Data<App>>().ok_or(Code::Internal)?;
    let client = ClientIp::of(request);
    app.limits.take(Call::ReadAnswers, client.0)?;
    find(app, client, name.to_owned(), id).await
}

/// A preview shows no line breaks, and has both texts in one sentence, which no mark may turn round.
fn on_one_line(words: &str) -> String {
    without_directions(words).split_whitespace().collect::<Vec<_>>().join(" ")
}
