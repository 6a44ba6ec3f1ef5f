//! Public answers: their owner publishes them and takes them down, and everybody reads them.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::ids::random_shuffle;
use annon_actors::inbox::frame::AnswerItem;
use annon_contract::code::Code;
use annon_contract::limits::{ANSWERS_PAGE, INBOX_PAGE_MAX};
use annon_store::StoreError;
use annon_store::answer::{Answer as PublicAnswer, AnswerId, Publishing};
use annon_store::text::{AnswerText, NoteText};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Active, SignedIn};
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::inbox::note_id;
use crate::http::note::door_of;
use crate::http::{page_of, to_the_end};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// What is answered to a note, for everybody to read.
#[derive(Deserialize, ToSchema)]
pub struct PublishAnswer {
    /// The text.
    #[schema(example = "On Friday, at the harbour.")]
    answer: String,
    /// The words of the note, as the caller's browser has opened them. They are needed if it is sealed, and not published
    /// if it isn't.
    #[serde(default)]
    note: Option<String>,
}

/// One public answer.
#[derive(Serialize, ToSchema)]
pub struct AnswerShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    data: AnswerItem,
}

impl AnswerShown {
    fn response(answer: &PublicAnswer) -> HttpResponse {
        HttpResponse::Ok().json(Self { status: 200, data: answer.into() })
    }
}

/// Answers a note in public. Note and answer can be read by everybody then.
///
/// A second call words the answer anew; its link stays.
#[utoipa::path(put, path = "/api/message/{id}/answer", tag = "page", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The note's id")), request_body = PublishAnswer,
    responses((status = 200, body = AnswerShown), (status = 401, body = Refusal),
        (status = 403, body = Refusal, description = "The account is suspended"), (status = 404, body = Refusal),
        (status = 409, body = Refusal, description = "The note's sender has said that it is only for its owner"),
        (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
        (status = 507, body = Refusal), JsonRefusal))]
pub async fn publish(app: Data<App>, caller: Active, id: Path<String>, Json(form): Json<PublishAnswer>) -> Answer {
    let (text, note) = (AnswerText::try_from(form.answer)?, note_id(&id)?);
    app.limits.take_of(Call::Publish, caller.account)?;
    let opened = form.note.map(NoteText::try_from).transpose()?;
    let publishing = Publishing { text, opened, now: app.clock.timestamp(), shuffle: random_shuffle() };
    let published = to_the_end(async move {
        let refused =
            instead([(StoreError::NotFound, Code::NoSuchNote), (StoreError::Conflict, Code::NoteWordsNeeded)]);
        Ok(app.answers.publish(caller.account, note, publishing).await.map_err(refused)?)
    });
    Ok(AnswerShown::response(&published.await?.ok_or(Code::OnlyForYou)?))
}

/// Takes a public answer down: nobody can read it any more.
///
/// The note stays in the inbox. A second call changes nothing.
#[utoipa::path(delete, path = "/api/message/{id}/answer", tag = "page", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The note's id")),
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn take_down(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let note = note_id(&id)?;
    app.limits.take_of(Call::Publish, caller.account)?;
    to_the_end(async move {
        let taken = app.answers.take_down(caller.account, note, app.clock.timestamp()).await;
        Ok(taken.map_err(instead([(StoreError::NotFound, Code::NoSuchNote)]))?)
    })
    .await?;
    Ok(Outcome::response(StatusCode::OK, "Answer taken down"))
}

/// A page of somebody's public answers.
#[derive(Serialize, ToSchema)]
pub struct AnswerList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The answers, newest first.
    data: Vec<AnswerItem>,
}

/// Lists somebody's public answers, newest first.
#[utoipa::path(get, path = "/api/annon/{username}/answers", tag = "page",
    params(("username" = String, Path, description = "The username, in upper or lower case"),
        ("before" = Option<String>, Query, description = "Only answers older than the one with this id"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 200, description = "At most this many answers; 20 by default")),
    responses((status = 200, body = AnswerList), (status = 400, body = Refusal),
        (status = 403, body = Refusal, description = "The page isn't available right now"), (status = 404, body = Refusal),
        (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, client: ClientIp, name: Path<String>, request: HttpRequest) -> Answer {
    let wrong = [Code::BeforeIsNoAnswer, Code::InboxLimitInvalid];
    let (before, limit) = page_of(request.query_string(), (ANSWERS_PAGE, INBOX_PAGE_MAX), id_of, wrong)?;
    app.limits.take(Call::ReadAnswers, client.0)?;
    let owner = door_of(&app, client, name.into_inner()).await?.owner;
    let page = app.answers.newest(owner, before, limit).await?;
    let data = page.iter().map(AnswerItem::from).collect();
    Ok(HttpResponse::Ok().json(AnswerList { status: 200, data }))
}

/// Returns one public answer.
#[utoipa::path(get, path = "/api/annon/{username}/answers/{id}", tag = "page",
    params(("username" = String, Path, description = "The username, in upper or lower case"),
        ("id" = String, Path, description = "The answer's id")),
    responses((status = 200, body = AnswerShown),
        (status = 403, body = Refusal, description = "The page isn't available right now"), (status = 404, body = Refusal), (status = 429, body = Refusal),
        (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, client: ClientIp, path: Path<(String, String)>) -> Answer {
    let (name, id) = path.into_inner();
    app.limits.take(Call::ReadAnswers, client.0)?;
    Ok(AnswerShown::response(&find(&app, client, name, &id).await?))
}

/// The public answer with an id, of somebody with a name.
pub async fn find(app: &App, client: ClientIp, name: String, id: &str) -> Result<PublicAnswer, ApiError> {
    let owner = door_of(app, client, name).await?.owner;
    let found = match id_of(id) {
        Some(id) => app.answers.find(owner, id).await?,
        None => None,
    };
    found.ok_or_else(|| app.limits.missed(client.0, Code::NoSuchAnswer))
}

fn id_of(text: &str) -> Option<AnswerId> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
    Uuid::from_slice(&bytes).ok().map(AnswerId)
}
