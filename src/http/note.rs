//! Sending an anonymous note. The sender's address is used to count attempts,
//! and for nothing else.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::ids::{random_id, random_shuffle};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::account::{TargetId, Username};
use annon_store::conversation::Beginning;
use annon_store::inbox::Arrival;
use annon_store::shield::{InboxDoor, InboxName, TagHash};
use annon_store::text::{NoteText, with_single_breaks};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Active, or_signed_out};
use crate::body::{self, Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, done_once, instead};
use crate::http::conversation::BeginConversation;
use crate::http::personal_page::PageItem;
use crate::http::seal::SealItem;
use crate::http::shield::Tag;
use crate::http::shield::work::{Asked, Work};
use crate::http::site::form::{FormAnswer, NOTE_ID, ONLY_FOR_YOU, WORDS};
use crate::http::site::{self, Site};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::net::origin::is_from_here;

/// The id that notes to a user are sent to.
#[derive(Serialize, ToSchema)]
pub struct Target {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The id for `POST /api/annon-message`. It reveals nothing about the
    /// account.
    #[schema(format = Uuid)]
    message: String,
}

/// What a personal page shows.
#[derive(Serialize, ToSchema)]
pub struct Recipient {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The id for `POST /api/annon-message`. It reveals nothing about the
    /// account.
    #[schema(format = Uuid)]
    message: String,
    /// Whether the owner takes no notes now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    paused: bool,
    /// The work that a sender with this tag has to bring.
    #[serde(skip_serializing_if = "Option::is_none")]
    shield: Option<Asked>,
    /// Whether there are public answers: `GET /api/annon/{username}/answers` lists them.
    answers: bool,
    /// With what notes are sealed; absent if they aren't.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seal: Option<SealItem>,
    #[serde(flatten)]
    page: PageItem,
}

/// Returns what a personal page shows, and the id that notes to its owner are sent to.
#[utoipa::path(get, path = "/api/annon/{username}", tag = "note",
    params(("username" = String, Path, description = "The username, in upper or lower case"),
        ("tag" = Option<String>, Query, description = "The tag that the note will have: then `shield` tells the work that it needs")),
    responses((status = 200, body = Recipient), (status = 403, body = Refusal, description = "The page isn't available right now"),
        (status = 404, body = Refusal), (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn target(app: Data<App>, client: ClientIp, name: Path<String>, request: HttpRequest) -> Answer {
    let tag = tag_in(request.query_string())?;
    let door = door_of(&app, client, name.into_inner()).await?;
    let answers = !app.answers.newest(door.owner, None, 1).await?.is_empty();
    let mut shield = None;
    if let Some(tag) = tag.map(|tag| app.tags.hash(door.target, &tag)) {
        let now = app.clock.timestamp();
        shield = app.works.needed(&door, Some(tag), None, now)?;
        // The door was asked without the tag, whose hash needs the target.
        if shield.is_some() && app.shields.knows(door.owner, tag, now).await? {
            shield = None;
        }
    }
    let (message, paused, page) = (door.target.0.to_string(), door.shield.paused, door.page.into());
    let seal = door.seal.as_ref().map(SealItem::from);
    Ok(HttpResponse::Ok().json(Recipient { status: 200, message, paused, shield, answers, seal, page }))
}

/// The door of an inbox, for a note with this tag.
async fn ask(
    app: &App,
    client: ClientIp,
    inbox: Option<InboxName>,
    tag: Option<TagHash>,
) -> Result<InboxDoor, ApiError> {
    let door = match inbox {
        Some(inbox) => app.accounts.door(inbox, tag, app.clock.timestamp()).await?,
        None => None,
    };
    let door = door.ok_or_else(|| app.limits.missed(client.0, Code::NoSuchPerson))?;
    if door.is_suspended { Err(Code::PageNotAvailable.into()) } else { Ok(door) }
}

/// The door of somebody's personal page.
pub async fn door_of(app: &App, client: ClientIp, name: String) -> Result<InboxDoor, ApiError> {
    ask(app, client, Username::try_from(name).ok().map(InboxName::Username), None).await
}

/// The tag that a query names.
fn tag_in(query: &str) -> Result<Option<Tag>, Code> {
    let tag = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "tag");
    tag.map(|(_, tag)| Tag::try_from(tag.into_owned())).transpose()
}

/// An anonymous note.
#[derive(Deserialize, ToSchema)]
pub struct SendNote {
    /// The id from `GET /api/annon/{username}`.
    #[schema(format = Uuid)]
    id: String,
    /// The text. With `sealed_for`: the sealed note in base64url; if it begins a conversation, followed by a dot and
    /// the same words, sealed as a line.
    #[schema(example = "You were great on stage yesterday.")]
    message: String,
    /// The fingerprint of the key that the note is sealed with: the first 10 bytes of its SHA-256, in base64url.
    sealed_for: Option<String>,
    /// Begins a conversation, so that the owner can answer.
    conversation: Option<BeginConversation>,
    /// Whether the owner must not publish the note. If it is left out, that is as
    /// `only_for_you` of `GET /api/annon/{username}` says.
    only_for_you: Option<bool>,
    /// By which its sender can be blocked: HMAC-SHA256 of this id under a secret of the sender's own, its first 16
    /// bytes in base64url. It is kept for 7 days at most, hashed with a key of the inbox.
    tag: Option<String>,
    /// An id of the sender's choice. A note that is sent again with it, to the same person, in the same words and with
    /// the same conversation, within a day is the same note, and is answered with 201; one that is sealed whatever its
    /// words. Only a hash of these is kept, for two days at most.
    note_id: Option<Uuid>,
    /// The work that was asked for, by `GET /api/annon/{username}?tag=` or with a refusal.
    work: Option<Work>,
}

/// Sends an anonymous note. The answer comes after the note is on disk.
#[utoipa::path(post, path = "/api/annon-message", tag = "note", request_body = SendNote, responses(
    (status = 201, body = Outcome), (status = 403, body = Refusal, description = "The page isn't available right now"), (status = 404, body = Refusal), (status = 409, body = Refusal, description = "The inbox is full or paused, or sealed differently, or the conversation can't begin: then the note isn't stored"),
    (status = 422, body = Refusal), (status = 428, body = Refusal, description = "The inbox is under its shield and doesn't know the tag. Without a tag the code is `tag_needed`, and there is no `shield`"), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal),
    JsonRefusal))]
pub async fn send(app: Data<App>, client: ClientIp, Json(form): Json<SendNote>) -> Answer {
    let beginning = form.conversation.map(Beginning::try_from).transpose()?;
    let target = Uuid::try_parse(&form.id).ok().map(TargetId);
    let text = match (&form.sealed_for, target) {
        (Some(_), Some(target)) => NoteText::sealed(target, &form.message, beginning.is_some())?,
        (Some(_), None) => return Err(Code::NoSuchPerson.into()),
        (None, _) => NoteText::try_from(form.message)?,
    };
    let tag = form.tag.map(Tag::try_from).transpose()?;
    app.limits.take(Call::Note, client.0)?;
    let tag = tag.as_ref().zip(target).map(|(tag, target)| app.tags.hash(target, tag));
    let door = ask(&app, client, target.map(InboxName::Target), tag).await?;
    must_be_sealed_for(&door, form.sealed_for.as_deref())?;
    let only_for_you = form.only_for_you.unwrap_or(door.page.only_for_you);
    let note = Sending { text, id: form.note_id, only_for_you, beginning, tag, work: form.work, is_form: false };
    match deliver(app, client, door, note).await? {
        Sent::Stored => Ok(Outcome::response(StatusCode::CREATED, "Anonymous Message Sent")),
        Sent::Needs(shield) => {
            let status = StatusCode::PRECONDITION_REQUIRED;
            let (code, message) = (Code::WorkNeeded, Code::WorkNeeded.sentence().to_owned());
            let refusal = Refusal {
                status: status.as_u16(),
                code,
                message,
                field: None,
                wait_seconds: None,
                shield: Some(shield),
            };
            Ok(HttpResponse::build(status).json(refusal))
        }
    }
}

/// Whether an inbox takes a note that is sealed with the key of this fingerprint, or with none.
fn must_be_sealed_for(door: &InboxDoor, fingerprint: Option<&str>) -> Result<(), Code> {
    match (&door.seal, fingerprint) {
        (Some(seal), Some(fingerprint)) if seal.key.fingerprint() == fingerprint => Ok(()),
        (_, Some(_)) => Err(Code::SealChanged),
        (Some(seal), None) if !seal.open_notes => Err(Code::SealNeeded),
        (_, None) => Ok(()),
    }
}

/// The form of a personal page, as a browser sends it without scripts. The
/// answer is a page.
pub async fn send_form(
    app: Data<App>,
    site: Data<Site>,
    client: ClientIp,
    name: Path<String>,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    if !Site::is_personal(request.path()) {
        return site::other_method();
    }
    let mut written = Written::default();
    let sent = take_form(app, client, &name, &request, payload, &mut written).await;
    let Err(error) = sent else { return site.answer_form(&request, Some(&name), FormAnswer::SENT, &[]) };
    let ticked = if written.only_for_you { "on" } else { "" };
    let id = written.id.map(|id| id.to_string());
    let left = [Some((WORDS, &*written.words)), Some((ONLY_FOR_YOU, ticked)), id.as_deref().map(|id| (NOTE_ID, id))];
    let left: Vec<_> = left.into_iter().flatten().collect();
    site.answer_form(&request, Some(&name), FormAnswer::refused(error), &left)
}

/// What was written in the form of a personal page.
#[derive(Default)]
struct Written {
    words: String,
    only_for_you: bool,
    /// The note's id; none before the form was read.
    id: Option<Uuid>,
}

/// Sends the form's note. What was written is left there, for a page that refuses it.
async fn take_form(
    app: Data<App>,
    client: ClientIp,
    name: &str,
    request: &HttpRequest,
    payload: Payload,
    written: &mut Written,
) -> Result<(), ApiError> {
    // Browsers let a page post a form to any site without a CORS preflight. Its
    // words aren't shown: nobody but the sender fills in the form.
    if !is_from_here(&app, request) {
        return Err(Code::NoteFromElsewhere.into());
    }
    let fields = body::form(request, payload).await?;
    written.only_for_you = fields.iter().any(|(field, _)| field == "only_for_you");
    let id = fields.iter().find(|(field, _)| field == "note_id").map(|(_, id)| Uuid::try_parse(id));
    let id = id.transpose().map_err(|_| Code::FormBroken)?;
    let id = id.unwrap_or_else(random_id);
    written.id = Some(id);
    let mut texts = fields.into_iter().filter(|(field, _)| field == "message").map(|(_, text)| text);
    written.words = texts.next().ok_or(Code::FormBroken)?;
    app.pausing.may_write()?;
    if texts.next().is_some() {
        return Err(Code::FormBroken.into());
    }
    let text = NoteText::try_from(with_single_breaks(written.words.clone()))?;
    app.limits.take(Call::Note, client.0)?;
    let door = door_of(&app, client, name.to_owned()).await?;
    must_be_sealed_for(&door, None)?;
    // This form can't show what the owner has set up, and must not promise less than that.
    let only_for_you = written.only_for_you || door.page.only_for_you;
    let note = Sending { text, id: Some(id), only_for_you, beginning: None, tag: None, work: None, is_form: true };
    match deliver(app, client, door, note).await? {
        Sent::Stored => Ok(()),
        Sent::Needs(_) => Err(Code::TagNeeded.into()),
    }
}

/// A note, with all that its sender brings.
struct Sending {
    text: NoteText,
    id: Option<Uuid>,
    only_for_you: bool,
    beginning: Option<Beginning>,
    tag: Option<TagHash>,
    work: Option<Work>,
    /// Whether it comes from a form without scripts, which can't work.
    is_form: bool,
}

/// The outcome of a note.
enum Sent {
    Stored,
    /// It needs this work first.
    Needs(Asked),
}

/// Puts a note into an inbox, within the caller's limit for this inbox, and begins a
/// conversation with it if the sender asks for that.
async fn deliver(app: Data<App>, client: ClientIp, door: InboxDoor, note: Sending) -> Result<Sent, ApiError> {
    let Sending { text, id, only_for_you, beginning, tag, work, is_form } = note;
    let (owner, now) = (door.owner, app.clock.timestamp());
    let sent = id.map(|id| app.tags.hash_sent(owner, id, beginning.map(|it| it.id.0), &text));
    if door.shield.paused {
        // It may have come before that, and its sender didn't hear so.
        let has_come = match sent {
            Some(sent) => app.inbox.has_come(owner, sent, now).await?,
            None => false,
        };
        return if has_come { Ok(Sent::Stored) } else { Err(Code::InboxPaused.into()) };
    }
    if is_form {
        if app.works.closes_form(&door) {
            return Err(Code::TagNeeded.into());
        }
    } else if let Some(asked) = app.works.needed(&door, tag, work.as_ref(), now)? {
        return Ok(Sent::Needs(asked));
    }
    app.limits.take_note(client.0, owner)?;
    let fate = door.shield.fate(tag, &text);
    let arrival = Arrival { fate, tag, sent, only_for_you, ..Arrival::new(text, now, random_shuffle()) };
    let stored = to_the_end(async move {
        let refused = instead([(StoreError::NotFound, Code::NoSuchPerson), (StoreError::Full, Code::InboxFull)]);
        match beginning {
            Some(beginning) => {
                let begun = app.conversations.begin(owner, arrival, beginning).await;
                begun.map_err(|error| error.code(refused))?;
            }
            None => _ = app.inbox.deliver(owner, arrival).await.map_err(refused)?,
        }
        app.metrics.note_delivered();
        Ok(Sent::Stored)
    })
    .await;
    // With an id of its sender's, the same note is stored once.
    stored.map_err(|error| if id.is_some() { done_once(error) } else { error })
}

/// Replaces the id that the caller's notes are sent to.
///
/// Nobody can send to the old id any more. The personal link stays
/// `/{username}` and leads to the new id.
#[utoipa::path(post, path = "/api/user/new-link", tag = "account", security(("bearer" = [])), responses(
    (status = 200, body = Target, description = "The new id"), (status = 401, body = Refusal), (status = 403, body = Refusal, description = "The account is suspended"),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn new_link(app: Data<App>, caller: Active) -> Answer {
    let target = TargetId(random_id());
    to_the_end(async move { Ok(app.accounts.new_target(caller.account, target).await.map_err(or_signed_out)?) })
        .await?;
    Ok(HttpResponse::Ok().json(Target { status: 200, message: target.0.to_string() }))
}
