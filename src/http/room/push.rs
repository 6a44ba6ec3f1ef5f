//! The subscriptions to web push of whoever has a seat: through which of their browsers they hear that the group is
//! talking while no page is open. They end with the seat.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::account::Timestamp;
use annon_store::push::{Kind, Seated, Subscriber};

use super::known;
use crate::app::App;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::push::{PushShown, SubscribeHere, Subscribed, end_some, parsed};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::seat::CarriedSeat;

/// The caller's seat, as a subscriber, and when the group ends.
async fn seat(
    app: &App,
    client: ClientIp,
    id: &str,
    request: &HttpRequest,
) -> Result<(Subscriber, Timestamp), ApiError> {
    let metadata = known(app, client, id, request).await?;
    let member = app.seats.member(request, metadata.id).ok_or(Code::NotAMember)?;
    app.rooms.seat(metadata.id, member).await?;
    Ok((Subscriber::Seat { owner: metadata.owner, room: metadata.id, member }, metadata.expires))
}

/// Returns the subscriptions to web push of the caller's seat.
#[utoipa::path(get, path = "/api/room/{id}/push", tag = "push",
    params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat), responses(
    (status = 200, body = PushShown), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    let (subscriber, _) = seat(&app, client, &id, &request).await?;
    app.limits.take(Call::History, client.0)?;
    let all = app.pushes.of(subscriber).await?;
    Ok(HttpResponse::Ok().json(PushShown::of(app.pusher.key(), &all)))
}

/// Has a browser of the caller told when somebody writes in the group after ten minutes of silence. One with the same
/// address is replaced, and the oldest if there are ten.
#[utoipa::path(put, path = "/api/room/{id}/push", tag = "push", request_body = SubscribeHere,
    params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat), responses(
    (status = 200, body = Subscribed), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn subscribe(
    app: Data<App>,
    client: ClientIp,
    id: Path<String>,
    request: HttpRequest,
    Json(form): Json<SubscribeHere>,
) -> Answer {
    let SubscribeHere { endpoint, keys, quiet, language } = form;
    let (subscriber, ends) = seat(&app, client, &id, &request).await?;
    let subscription = parsed(&app, endpoint, &keys, [Kind::Group].into_iter().collect(), quiet, language)?;
    let Subscriber::Seat { owner, room, member } = subscriber else { return Err(Code::NotAMember.into()) };
    app.limits.take(Call::ChangeConversation, client.0)?;
    let answer = Subscribed::of(&subscription);
    let gone = instead([(StoreError::NotFound, Code::GroupExpired)]);
    let seat = Seated { owner, room, member, ends };
    to_the_end(async move { Ok(app.pushes.subscribe_seat(seat, subscription).await.map_err(gone)?) }).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Ends subscriptions of the caller's seat: all, or one.
#[utoipa::path(delete, path = "/api/room/{id}/push", tag = "push",
    params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat,
        ("subscription" = Option<String>, Query, description = "Only the one with this id")), responses(
    (status = 200, body = Outcome), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn unsubscribe(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    let (subscriber, _) = seat(&app, client, &id, &request).await?;
    app.limits.take(Call::ChangeConversation, client.0)?;
    end_some(&app, subscriber, request.query_string()).await?;
    Ok(Outcome::response(StatusCode::OK, "Unsubscribed"))
}
