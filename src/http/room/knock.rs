//! Knocking at a group that asks first, and what its creator answers.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::within;
use annon_actors::ids::random_bytes;
use annon_actors::room::KnockSeen;
use annon_actors::room::command::Command;
use annon_actors::room::door::KnockState;
use annon_actors::room::frame::knocks::{Knocks, WaitingKnock};
use annon_contract::code::Code;
use annon_contract::limits::KNOCK_CALL_WAITS;
use annon_store::room::KnockId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::seat::{Guest, dice};
use super::{known, own};
use crate::app::App;
use crate::auth::{Active, SignedIn};
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::seat::CarriedSeat;

/// The answer to knocking.
#[derive(Serialize, ToSchema)]
pub struct Knocked {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// The knock. Only the visitor and the group's creator are given it.
    #[schema(example = "5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41")]
    knock: String,
    /// The emoji that the creator sees, and that the visitor gets when they come in.
    #[schema(example = "🦊")]
    emoji: &'static str,
    /// How many seconds are left until the knock lapses.
    #[schema(example = 600)]
    seconds_left: u64,
}

/// Knocks at a group that asks first.
///
/// Whoever waits already gets the same knock again. It belongs to the caller's
/// cookie or carried seat: once the creator has admitted it, the caller can take a seat.
#[utoipa::path(post, path = "/api/room/{id}/knock", tag = "room",
    params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat),
    responses((status = 201, body = Knocked, headers(("Annon-Seat" = Option<String>, description = "The seat, if the request has this header"))),
    (status = 403, body = Refusal, description = "The group is full or locked, the caller was removed from it, \
    or the request comes from another site's page"), (status = 404, body = Refusal),
    (status = 409, body = Refusal, description = "The caller can come in without knocking, or too many people wait"),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn knock(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    let Guest { metadata, member, seat } = Guest::at_door(&app, client, &id, &request).await?;
    app.limits.take_at(Call::Knock, client.0, metadata.id)?;
    let random = random_bytes().ok_or(Code::Internal)?;
    let knock = KnockId(*random.first_chunk().ok_or(Code::Internal)?);
    let seen = app.rooms.knock(metadata.id, member, knock, dice()).await?;
    let (knock, emoji, seconds_left) = (seen.id.text(), seen.emoji.as_str(), seen.left.as_secs());
    let mut response = HttpResponse::Created();
    seat.give(&mut response);
    Ok(response.json(Knocked { status: 201, knock, emoji, seconds_left }))
}

/// How long the call waits.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the query is read by `waits`; this is its description")]
struct WaitQuery {
    /// For how many seconds the call waits for the creator's answer; 0 by default
    #[param(required = false, minimum = 0, maximum = 25)]
    wait: u64,
}

/// The answer to asking how a knock stands.
#[derive(Serialize, ToSchema)]
pub struct KnockShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The knock.
    data: KnockData,
}

/// How a knock stands.
#[derive(Serialize, ToSchema)]
struct KnockData {
    /// `waiting`, `admitted`, `declined` or `lapsed`.
    state: Stands,
    /// The emoji that the creator sees, and that the visitor gets when they come in.
    #[schema(example = "🦊")]
    emoji: &'static str,
    /// How many seconds are left until the knock lapses.
    #[schema(example = 580)]
    seconds_left: u64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = KnockState)]
enum Stands {
    Waiting,
    /// The creator has admitted the visitor, who can take a seat.
    Admitted,
    Declined,
    /// The creator has not answered in time.
    Lapsed,
}

impl From<KnockSeen> for KnockData {
    fn from(seen: KnockSeen) -> Self {
        let state = match seen.state {
            KnockState::Waiting => Stands::Waiting,
            KnockState::Admitted => Stands::Admitted,
            KnockState::Declined => Stands::Declined,
            KnockState::Lapsed => Stands::Lapsed,
        };
        Self { state, emoji: seen.emoji.as_str(), seconds_left: seen.left.as_secs() }
    }
}

/// Tells how a knock stands: at once if the creator has answered, or else when they do, or when
/// `wait` is over.
#[utoipa::path(get, path = "/api/room/{id}/knock/{knock}", tag = "room",
    params(("id" = Uuid, Path, description = "The group's id"), ("knock" = String, Path, description = "The knock"), WaitQuery),
    responses((status = 200, body = KnockShown), (status = 400, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn wait(app: Data<App>, client: ClientIp, path: Path<(String, String)>, request: HttpRequest) -> Answer {
    let wait = waits(request.query_string())?;
    let (id, knock) = path.into_inner();
    let room = known(&app, client, &id, &request).await?.id;
    app.limits.take_at(Call::KnockWait, client.0, room)?;
    let knock = KnockId::try_from(&*knock).map_err(|why| app.limits.missed(client.0, why))?;
    let begun = app.clock.moment();
    let mut seen = app.rooms.knock_seen(room, knock, true).await?;
    while seen.state == KnockState::Waiting {
        let left = wait.saturating_sub(app.clock.moment().duration_since(begun));
        if left.is_zero() {
            break;
        }
        // Whatever happens at the door, or nothing until the knock lapses: it is looked at again.
        let until = left.min(seen.left + Duration::from_millis(1));
        if let Some(Err(_)) = within(&app.clock, until, seen.door.changed()).await {
            // The group's actor has ended; the visitor asks again.
            break;
        }
        seen = app.rooms.knock_seen(room, knock, false).await?;
    }
    Ok(HttpResponse::Ok().json(KnockShown { status: 200, data: seen.into() }))
}

fn waits(query: &str) -> Result<Duration, ApiError> {
    let mut wait = 0;
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        if name == "wait" {
            wait = value.parse().ok().filter(|seconds| *seconds <= KNOCK_CALL_WAITS).ok_or(Code::WaitInvalid)?;
        }
    }
    Ok(Duration::from_secs(wait))
}

/// Everybody who waits to be let into a group.
#[derive(Serialize, ToSchema)]
pub struct KnockList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// Those who wait, in the order in which they came.
    data: Vec<WaitingKnock>,
    /// Whether newcomers have to knock.
    ask_first: bool,
    /// The place in the group's log up to which this is true. An `event.knocks` with a smaller one is older.
    seq: u64,
}

/// Lists who waits to be let into a group. The inbox's socket tells its creator when that changes.
#[utoipa::path(get, path = "/api/room/{id}/knocks", tag = "room", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The group's id")), responses((status = 200, body = KnockList), (status = 401, body = Refusal),
    (status = 403, body = Refusal), (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, client: ClientIp, caller: SignedIn, id: Path<String>) -> Answer {
    let room = own(&app, client, &id, &caller).await?.id;
    let knocks = app.rooms.knocks(room).await?;
    let Knocks { knocks, ask_first, seq } = knocks;
    Ok(HttpResponse::Ok().json(KnockList { status: 200, data: knocks, ask_first, seq }))
}

/// The creator's answer to a knock.
#[derive(Deserialize, ToSchema)]
pub struct KnockAnswer {
    /// Whether the visitor can come in.
    admit: bool,
}

/// Admits or declines somebody who has knocked. Members are told of neither.
#[utoipa::path(post, path = "/api/room/{id}/knock/{knock}", tag = "room", security(("bearer" = [])), request_body = KnockAnswer,
    params(("id" = Uuid, Path, description = "The group's id"), ("knock" = String, Path, description = "The knock")),
    responses((status = 200, body = Outcome), JsonRefusal, (status = 401, body = Refusal),
    (status = 403, body = Refusal, description = "The caller isn't the creator, or the group is full or locked"),
    (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn answer(
    app: Data<App>,
    client: ClientIp,
    caller: Active,
    path: Path<(String, String)>,
    Json(answer): Json<KnockAnswer>,
) -> Answer {
    let (id, knock) = path.into_inner();
    let room = own(&app, client, &id, &caller).await?.id;
    app.limits.take_of(Call::AnswerKnock, caller.account)?;
    let (knock, admits) = (KnockId::try_from(&*knock)?, answer.admit);
    app.rooms.command(room, Command::AnswerKnock { knock, admits }).await?;
    Ok(Outcome::response(StatusCode::OK, if admits { "Admitted" } else { "Declined" }))
}
