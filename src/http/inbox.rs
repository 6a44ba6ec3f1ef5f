//! The owner's calls on an inbox: reading, deleting and settings.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::inbox::frame::NoteItem;
use annon_contract::code::Code;
use annon_contract::limits::{INBOX_PAGE, INBOX_PAGE_MAX};
use annon_store::StoreError;
use annon_store::inbox::{Flags, NoteId, Shelf};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal, not_null};
use crate::error::{Answer, Refusal, instead};
use crate::http::{page_of, shield};

/// A page of the inbox.
#[derive(Serialize, ToSchema)]
pub struct NoteList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    pub(super) status: u16,
    /// The number of unread notes in the whole inbox.
    #[schema(example = 3)]
    pub(super) message: u32,
    /// The notes, newest first.
    pub(super) data: Vec<NoteItem>,
}

/// Lists notes, newest first: without `held`, `starred` or `archived` all that are not archived.
#[utoipa::path(get, path = "/api/messages", tag = "inbox", security(("bearer" = [])),
    params(("held" = Option<bool>, Query, description = "With true, the notes that were held back; then `message` is 0"),
        ("archived" = Option<bool>, Query, description = "With true, the notes in the archive; `held` comes before it"),
        ("starred" = Option<bool>, Query, description = "With true, the notes with a star, archived or not; the other two come before it"),
        ("before" = Option<Uuid>, Query, description = "Only notes older than the one with this id"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 200, description = "At most this many notes; 50 by default")),
    responses((status = 200, body = NoteList), (status = 400, body = Refusal), (status = 401, body = Refusal),
        (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, caller: SignedIn, request: HttpRequest) -> Answer {
    let Some(shelf) = shelf_in(request.query_string())? else {
        return shield::held(app, caller, request).await;
    };
    let (before, limit) = page_in(request.query_string())?;
    let page = app.inbox.page_of_shelf(caller.account, shelf, before, limit, app.clock.timestamp()).await?;
    let data = page.notes.iter().map(NoteItem::from).collect();
    Ok(HttpResponse::Ok().json(NoteList { status: 200, message: page.unread, data }))
}

/// Which page of notes a query asks for.
pub fn page_in(query: &str) -> Result<(Option<NoteId>, usize), Code> {
    let wrong = [Code::BeforeIsNoNote, Code::InboxLimitInvalid];
    page_of(query, (INBOX_PAGE, INBOX_PAGE_MAX), |raw| note_id(raw).ok(), wrong)
}

/// Which notes a query asks for; `None` for those that were held back.
fn shelf_in(query: &str) -> Result<Option<Shelf>, Code> {
    let asks = |wanted| {
        let last = url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == wanted).last();
        last.map_or(Ok(false), |(_, asked)| asked.parse().map_err(|_| Code::FieldsInvalid))
    };
    Ok(match (asks("held")?, asks("archived")?, asks("starred")?) {
        (true, ..) => None,
        (false, true, _) => Some(Shelf::Archive),
        (false, false, true) => Some(Shelf::Starred),
        (false, false, false) => Some(Shelf::Inbox),
    })
}

/// The answer to a change of the inbox.
#[derive(Serialize, ToSchema)]
pub struct Unread {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The number of unread notes in the whole inbox.
    #[schema(example = 2)]
    message: u32,
}

/// Marks a note as seen. A second call changes nothing.
#[utoipa::path(get, path = "/api/mark_as_seen/{id}", tag = "inbox", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The note's id")),
    responses((status = 200, body = Unread), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn mark_as_seen(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let (owner, note) = (caller.account, note_id(&id)?);
    let now = app.clock.timestamp();
    answer(app.inbox.mark_seen(owner, note, now).await)
}

/// New flags of a note, at least one. What is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[schema(min_properties = 1)]
pub struct FlagNote {
    /// Whether the note has a star.
    #[serde(default, deserialize_with = "not_null")]
    #[schema(nullable = false)]
    starred: Option<bool>,
    /// Whether the note is in the archive. There it counts as read; a new line of its sender's brings it back.
    #[serde(default, deserialize_with = "not_null")]
    #[schema(nullable = false)]
    archived: Option<bool>,
}

impl TryFrom<FlagNote> for Flags {
    type Error = Code;

    fn try_from(FlagNote { starred, archived }: FlagNote) -> Result<Self, Code> {
        let flags = Self { starred, archived };
        if flags == Self::default() { Err(Code::FieldsInvalid) } else { Ok(flags) }
    }
}

/// Marks a note with a star, archives it, or takes that back. A second call changes nothing.
#[utoipa::path(patch, path = "/api/message/{id}", tag = "inbox", security(("bearer" = [])), request_body = FlagNote,
    params(("id" = Uuid, Path, description = "The note's id")),
    responses((status = 200, body = Unread), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 422, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn flag(app: Data<App>, caller: SignedIn, id: Path<String>, Json(form): Json<FlagNote>) -> Answer {
    let (note, flags) = (note_id(&id)?, form.try_into()?);
    answer(app.inbox.set_flags(caller.account, note, flags, app.clock.timestamp()).await)
}

/// Deletes a note.
#[utoipa::path(delete, path = "/api/message/{id}", tag = "inbox", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The note's id")),
    responses((status = 200, body = Unread), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn remove(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let (owner, note) = (caller.account, note_id(&id)?);
    let now = app.clock.timestamp();
    answer(app.inbox.remove(owner, note, now).await)
}

/// Deletes every note, including those that wait for delivery.
///
/// The answer comes after the key that encrypted them is destroyed.
#[utoipa::path(delete, path = "/api/messages", tag = "inbox", security(("bearer" = [])), responses(
    (status = 200, body = Unread), (status = 401, body = Refusal), (status = 404, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn remove_all(app: Data<App>, caller: SignedIn) -> Answer {
    answer(app.inbox.remove_all(caller.account, app.clock.timestamp()).await.map(|()| 0))
}

/// How many notes a change has left unread.
fn answer(changed: annon_store::Result<u32>) -> Answer {
    let message = changed.map_err(instead([(StoreError::NotFound, Code::NoSuchNote)]))?;
    Ok(HttpResponse::Ok().json(Unread { status: 200, message }))
}

pub fn note_id(raw: &str) -> Result<NoteId, Code> {
    Uuid::try_parse(raw).map(NoteId).map_err(|_| Code::NoSuchNote)
}
