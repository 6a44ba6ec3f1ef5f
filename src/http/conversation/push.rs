//! A sender's subscriptions to web push: through which of their browsers they hear of an answer while no page is open.
//! They have no account, so these belong to the conversation, and end with it.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::push::{Kind, Subscriber};

use super::{Shown, Visitor};
use crate::app::App;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::push::{PushShown, SubscribeHere, Subscribed, end_some, parsed};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// Lets in the sender alone: an owner is told of their conversations by `/api/push`.
async fn sender(app: &App, client: ClientIp, id: &str, shown: &Shown) -> Result<Visitor, ApiError> {
    let Shown::Key(_) = shown else { return Err(Code::NoSuchConversation.into()) };
    let visitor = Visitor::with(app, client, id, shown).await?;
    visitor.find(app).await?;
    Ok(visitor)
}

/// Returns the sender's subscriptions to web push.
#[utoipa::path(get, path = "/api/conversation/{id}/push", tag = "push", security(("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id")), responses(
    (status = 200, body = PushShown), (status = 401, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, client: ClientIp, shown: Shown, id: Path<String>) -> Answer {
    app.limits.take(Call::ReadConversation, client.0)?;
    let visitor = sender(&app, client, &id, &shown).await?;
    let all = app.pushes.of(Subscriber::Sender(visitor.id)).await?;
    Ok(HttpResponse::Ok().json(PushShown::of(app.pusher.key(), &all)))
}

/// Has a browser of the sender told of answers. One with the same address is replaced, and the oldest if there are ten.
#[utoipa::path(put, path = "/api/conversation/{id}/push", tag = "push", security(("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id")), request_body = SubscribeHere, responses(
    (status = 200, body = Subscribed), (status = 401, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn subscribe(
    app: Data<App>,
    client: ClientIp,
    shown: Shown,
    id: Path<String>,
    Json(form): Json<SubscribeHere>,
) -> Answer {
    let SubscribeHere { endpoint, keys, quiet, language } = form;
    let subscription = parsed(&app, endpoint, &keys, [Kind::Answer].into_iter().collect(), quiet, language)?;
    app.limits.take(Call::ChangeConversation, client.0)?;
    let Visitor { id, door, .. } = sender(&app, client, &id, &shown).await?;
    let answer = Subscribed::of(&subscription);
    to_the_end(async move { Ok(app.pushes.subscribe_sender(id, door, subscription).await.map_err(ended)?) }).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Ends subscriptions of the sender: all, or one.
#[utoipa::path(delete, path = "/api/conversation/{id}/push", tag = "push", security(("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id"),
        ("subscription" = Option<String>, Query, description = "Only the one with this id")), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn unsubscribe(
    app: Data<App>,
    client: ClientIp,
    shown: Shown,
    id: Path<String>,
    request: HttpRequest,
) -> Answer {
    app.limits.take(Call::ChangeConversation, client.0)?;
    let subscriber = Subscriber::Sender(sender(&app, client, &id, &shown).await?.id);
    end_some(&app, subscriber, request.query_string()).await?;
    Ok(Outcome::response(StatusCode::OK, "Unsubscribed"))
}

fn ended(error: StoreError) -> Code {
    instead([(StoreError::NotFound, Code::NoSuchConversation)])(error)
}
