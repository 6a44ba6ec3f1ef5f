//! Somebody's page, with what its owner shows there. The web app asks for that itself: here it is for
//! browsers without scripts.

use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use annon_actors::inbox::frame::AnswerItem;
use annon_contract::code::Code;
use annon_contract::limits::ANSWERS_PAGE;
use annon_contract::pages::Page;
use annon_store::text::without_forcing;

use super::form::NOTE_ID;
use super::head::escape;
use super::{Site, TextFile, put_in};
use crate::app::App;
use crate::error::ApiError;
use crate::http::note::door_of;
use crate::net::client::ClientIp;

/// The query by which the page is drawn for a name that nobody has.
const NOBODY: &str = "?nobody";

/// How a drawn page marks a part that stands there as often as there is something for it.
const EACH: &str = "{each ";
const END: &str = "{end ";

/// The texts for one copy of a part, each with the place that it takes.
type Copy = Vec<(&'static str, String)>;

/// What a page shows of its owner: the copies of each part, by its name.
#[derive(Default)]
pub(super) struct Shown {
    parts: Vec<(&'static str, Vec<Copy>)>,
}

impl Site {
    /// The page at somebody's address.
    pub(super) async fn person(&self, request: &HttpRequest, page: &Page, name: &str) -> HttpResponse {
        let response = match look_up(request, name).await {
            Err(error) if error.code == Code::NoSuchPerson => {
                let html = self.personal_page(request, page, name, NOBODY, &Shown::default());
                TextFile::html(html).with_status(request, error.status_code())
            }
            // The form is of use without the rest, and says what else is wrong when it is sent.
            found => {
                let shown = found.unwrap_or_default();
                TextFile::html(self.personal_page(request, page, name, "", &shown)).answer(request)
            }
        };
        self.finish(response, page)
    }
}

async fn look_up(request: &HttpRequest, name: &str) -> Result<Shown, ApiError> {
    let app = request.app_data::<web::Data<App>>().ok_or(Code::Internal)?;
    let door = door_of(app, ClientIp::of(request), name.to_owned()).await?;
    let answers = app.answers.newest(door.owner, None, ANSWERS_PAGE).await?;
    let shown = |words: &str| escape(&without_forcing(words));
    let once = |is: bool| if is { vec![Copy::new()] } else { Vec::new() };
    let (line, prompts) = (door.page.line.as_str(), &door.page.prompts);
    let answer = |item: AnswerItem| {
        let day = item.date.split_once(' ').map_or(&*item.date, |(day, _)| day).to_owned();
        vec![("{note}", shown(&item.note)), ("{answer}", shown(&item.answer)), ("{id}", item.id), ("{date}", day)]
    };
    let takes_sealed_only = door.seal.as_ref().is_some_and(|seal| !seal.open_notes);
    let parts = vec![
        ("line", if line.is_empty() { Vec::new() } else { vec![vec![("{line}", shown(line))]] }),
        ("paused", once(door.shield.paused)),
        ("sealed", once(!door.shield.paused && takes_sealed_only)),
        ("unsealed", once(!door.shield.paused && door.seal.is_some() && !takes_sealed_only)),
        ("shield", once(!door.shield.paused && app.works.closes_form(&door))),
        ("prompt", prompts.iter().map(|prompt| vec![("{prompt}", shown(prompt.as_str()))]).collect()),
        ("answers", once(!answers.is_empty())),
        ("answer", answers.iter().map(AnswerItem::from).map(answer).collect()),
    ];
    Ok(Shown { parts })
}

impl Shown {
    /// Only the id of a note that was refused: if it is sent again, and was stored before, it is the same note. A page
    /// that nobody has written in has none, since it is the same for everybody.
    pub(super) fn of_form(written: &[(&str, &str)]) -> Self {
        let ids = written.iter().filter(|(place, _)| *place == NOTE_ID);
        Self { parts: vec![("id", ids.map(|(_, id)| vec![(NOTE_ID, (*id).to_owned())]).collect())] }
    }

    /// A drawn page with these parts. Nothing is looked for in what is put in.
    pub(super) fn put_into(&self, mut drawn: &str) -> String {
        let mut whole = String::with_capacity(drawn.len());
        while let Some((before, part)) = drawn.split_once(EACH) {
            whole.push_str(before);
            let Some((name, part)) = part.split_once('}') else { break };
            let Some((part, after)) = part.split_once(&format!("{END}{name}}}")) else { break };
            let copies = self.parts.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, copies)| copies);
            for copy in copies {
                let texts: Vec<_> = copy.iter().map(|(place, text)| (*place, &**text)).collect();
                whole.push_str(&put_in(part, &texts));
            }
            drawn = after;
        }
        whole + drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stands_as_often_as_there_is_something_for_it_and_nothing_is_read_in_that() {
        let drawn = "a{each one}<p>{x} {y}</p>{end one}b{each two}<b>{x}</b>{end two}c";
        let copy = |x: &str, y: &str| vec![("{x}", x.to_owned()), ("{y}", y.to_owned())];
        let parts = vec![("one", vec![copy("{y}", "{each two}"), copy("2", "{end one}")])];
        let whole = Shown { parts }.put_into(drawn);
        assert_eq!(whole, "a<p>{y} {each two}</p><p>2 {end one}</p>bc");
        assert_eq!(Shown::default().put_into(drawn), "abc");
    }
}
