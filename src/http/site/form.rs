//! The answers to forms that browsers send without scripts. Each is a page that was drawn for it, with what the server
//! knows put in its places.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse, ResponseError};

use super::answer::TextFile;
use super::personal::Shown;
use super::{PAGES, Site, escape, language, other_method, page, put_in};
use crate::error::ApiError;

/// What a drawn page has in place of a refusal, and of what was written in the form.
const WHY: &str = "{why}";
pub(crate) const WORDS: &str = "{words}";
pub(crate) const LINK: &str = "{link}";
/// The switch of a personal page's form. What was written for it is whether it was on.
pub(crate) const ONLY_FOR_YOU: &str = "name=\"only_for_you\"";
/// The id of the note that a personal page's form sends.
pub(crate) const NOTE_ID: &str = "{note_id}";
/// The number of a report.
pub(crate) const RECEIPT: &str = "{receipt}";

/// An answer to a form.
pub struct FormAnswer {
    /// The query with which its page was drawn.
    pub query: &'static str,
    pub outcome: Result<StatusCode, ApiError>,
}

impl FormAnswer {
    pub const SENT: Self = Self { query: "?sent", outcome: Ok(StatusCode::CREATED) };

    pub fn refused(error: ApiError) -> Self {
        Self { query: "?refused", outcome: Err(error) }
    }
}

impl Site {
    /// The page that answers a form: that of somebody's personal page, or of the page for reports. What was
    /// written comes at its place in the form, so that it is still there.
    pub fn answer_form(
        &self,
        request: &HttpRequest,
        name: Option<&str>,
        answer: FormAnswer,
        written: &[(&str, &str)],
    ) -> HttpResponse {
        let Some(found) = page::find(request.path()) else { return other_method() };
        let (page, language) = (&PAGES[found.index], language::of(request));
        let html = match name {
            // Its owner's words would be searched for the places of the answer.
            Some(name) => self.personal_page(request, page, name, answer.query, &Shown::of_form(written)),
            None => self.report_page(request, page, answer.query),
        };
        let (status, why, wait) = match &answer.outcome {
            Ok(status) => (*status, String::new(), None),
            Err(error) => (error.status_code(), escape(&language.sentence(error)), error.wait_seconds()),
        };
        let written: Vec<_> = written.iter().map(|(at, text)| (*at, put(at, text))).collect();
        let places = [(WHY, &*why)].into_iter().chain(written.iter().map(|(at, text)| (*at, &**text)));
        let html = put_in(&html, &places.collect::<Vec<_>>());
        let mut response = TextFile::html(html).with_status(request, status);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = wait {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        self.finish(response, page)
    }
}

/// What stands at a place for what was written.
fn put(at: &str, text: &str) -> String {
    match at {
        // A browser leaves out a line break at the start of a field of several lines.
        WORDS => format!("\n{}", escape(text)),
        ONLY_FOR_YOU if text.is_empty() => ONLY_FOR_YOU.to_owned(),
        ONLY_FOR_YOU => format!("{ONLY_FOR_YOU} checked=\"\""),
        _ => escape(text),
    }
}
