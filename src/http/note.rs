//! Sending an anonymous note. The sender's address is used to count attempts,
//! and for nothing else.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use annon_actors::ids::{random_id, random_shuffle};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::account::{TargetId, Username};
use annon_store::inbox::Arrival;
use annon_store::text::NoteText;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{SignedIn, or_signed_out};
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, Outcome, Refusal, instead};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

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

/// Returns the id that notes to a user are sent to.
#[utoipa::path(get, path = "/api/annon/{username}", tag = "note",
    params(("username" = String, Path, description = "The username, in upper or lower case")),
    responses((status = 200, body = Target), (status = 404, body = Refusal), (status = 429, body = Refusal),
        (status = 503, body = Refusal)))]
pub async fn target(app: Data<App>, client: ClientIp, name: Path<String>) -> Answer {
    let account = match Username::try_from(name.into_inner()) {
        Ok(username) => app.accounts.by_username(&username).await?,
        Err(_) => None,
    };
    match account {
        Some(account) => Ok(HttpResponse::Ok().json(Target { status: 200, message: account.target.0.to_string() })),
        None => Err(app.limits.missed(client.0, Code::NoSuchPerson)),
    }
}

/// An anonymous note.
#[derive(Deserialize, ToSchema)]
pub struct SendNote {
    /// The id from `GET /api/annon/{username}`.
    #[schema(format = Uuid)]
    id: String,
    /// The text.
    #[schema(example = "You were great on stage yesterday.")]
    message: String,
}

/// Sends an anonymous note. The answer comes after the note is on disk.
#[utoipa::path(post, path = "/api/annon-message", tag = "note", request_body = SendNote, responses(
    (status = 201, body = Outcome), (status = 404, body = Refusal), (status = 409, body = Refusal, description = "The inbox is full"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal),
    JsonRefusal))]
pub async fn send(app: Data<App>, client: ClientIp, Json(form): Json<SendNote>) -> Answer {
    let text = NoteText::try_from(form.message)?;
    app.limits.take(Call::Note, client.0)?;
    let nobody = || app.limits.missed(client.0, Code::NoSuchPerson);
    let target = Uuid::try_parse(&form.id).map_err(|_| nobody())?;
    let owner = app.accounts.by_target(TargetId(target)).await?.ok_or_else(nobody)?;
    app.limits.take_note(client.0, owner)?;
    let arrival = Arrival { text, now: app.clock.timestamp(), shuffle: random_shuffle() };
    to_the_end(async move {
        let refused = instead([(StoreError::NotFound, Code::NoSuchPerson), (StoreError::Full, Code::InboxFull)]);
        app.inbox.deliver(owner, arrival).await.map_err(refused)?;
        app.metrics.note_delivered();
        Ok(())
    })
    .await?;
    Ok(Outcome::response(StatusCode::CREATED, "Anonymous Message Sent"))
}

/// Replaces the id that the caller's notes are sent to.
///
/// Nobody can send to the old id any more. The personal link stays
/// `/{username}` and leads to the new id.
#[utoipa::path(post, path = "/api/user/new-link", tag = "account", security(("bearer" = [])), responses(
    (status = 200, body = Target, description = "The new id"), (status = 401, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn new_link(app: Data<App>, caller: SignedIn) -> Answer {
    let target = TargetId(random_id());
    to_the_end(async move { Ok(app.accounts.new_target(caller.account, target).await.map_err(or_signed_out)?) })
        .await?;
    Ok(HttpResponse::Ok().json(Target { status: 200, message: target.0.to_string() }))
}
