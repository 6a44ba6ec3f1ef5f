//! Seats in a group: taking one, taking one and seeing the group in one call,
//! and leaving.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::ids::random_id;
use annon_actors::room::command::Command;
use annon_contract::code::Code;
use annon_store::room::{MemberId, RoomMetadata};
use serde::Serialize;
use utoipa::ToSchema;

use super::known;
use super::shown::{LinesQuery, RoomData};
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::{Answer, ApiError, Outcome, Refusal};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::net::compress;
use crate::net::origin::is_from_here;
use crate::seat::{CarriedSeat, SeatCarrier};

/// Takes a seat, or returns the seat the caller already has. The body is the
/// emoji. If the group asks first, its creator comes in by their token.
#[utoipa::path(get, path = "/api/room-emoji/{id}", tag = "room", security((), ("bearer" = [])), params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat),
    responses((status = 200, body = String, content_type = "application/json", description = "The emoji, as a JSON string",
        headers(("Annon-Seat" = Option<String>, description = "The seat, if the request has this header"))),
    (status = 403, body = Refusal, description = "The group is full or locked, the caller was removed from it, \
    or the request comes from another site's page"), (status = 404, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn take(
    app: Data<App>,
    client: ClientIp,
    caller: Option<SignedIn>,
    id: Path<String>,
    request: HttpRequest,
) -> Answer {
    let Guest { metadata, member, seat } = Guest::at_door(&app, client, &id, &request).await?;
    let emoji = app.rooms.claim(metadata.id, member, dice(), is_by(caller, &metadata)).await?;
    let mut response = HttpResponse::Ok();
    seat.give(&mut response);
    Ok(response.json(emoji.as_str()))
}

/// The caller's seat, and the group.
#[derive(Serialize, ToSchema)]
pub struct Seated {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The caller's emoji in the group.
    #[schema(example = "🦊")]
    emoji: &'static str,
    /// The group.
    data: RoomData,
}

/// Takes a seat, or returns the seat the caller already has, and shows the
/// group. If the group asks first, its creator comes in by their token.
#[utoipa::path(post, path = "/api/room/{id}/seat", tag = "room", security((), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat, LinesQuery),
    responses((status = 200, body = Seated, headers(("Annon-Seat" = Option<String>, description = "The seat, if the request has this header"))), (status = 400, body = Refusal),
    (status = 403, body = Refusal, description = "The group is full or locked, the caller was removed from it, \
    or the request comes from another site's page"), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn come_in(
    app: Data<App>,
    client: ClientIp,
    caller: Option<SignedIn>,
    id: Path<String>,
    request: HttpRequest,
) -> Answer {
    let LinesQuery { before, limit } = LinesQuery::of(request.query_string())?;
    let Guest { metadata, member, seat } = Guest::at_door(&app, client, &id, &request).await?;
    app.limits.take(Call::History, client.0)?;
    let is_creator = is_by(caller, &metadata);
    let (emoji, view) = app.rooms.come_in(metadata.id, member, dice(), is_creator, (before, limit)).await?;
    let seated = Seated { status: 200, emoji: emoji.as_str(), data: RoomData::of(&app, view).await? };
    let mut response = HttpResponse::Ok();
    seat.give(&mut response);
    Ok(compress::json(&app.compressors, &request, response, &seated).await)
}

/// Leaves the group and frees the seat.
#[utoipa::path(delete, path = "/api/room/{id}/seat", tag = "room", params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat),
    responses((status = 200, body = Outcome), (status = 403, body = Refusal), (status = 404, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn leave(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    let room = known(&app, client, &id, &request).await?.id;
    let member = app.seats.member(&request, room).ok_or(Code::NotAMember)?;
    app.limits.take(Call::Leave, client.0)?;
    app.rooms.command(room, Command::Leave(member)).await?;
    Ok(Outcome::ok(Code::LeftGroup))
}

/// A caller who asks for a seat, with or without having one already.
pub(super) struct Guest {
    pub(super) metadata: RoomMetadata,
    pub(super) member: MemberId,
    pub(super) seat: SeatCarrier,
}

impl Guest {
    pub(super) async fn at_door(
        app: &App,
        client: ClientIp,
        id: &str,
        request: &HttpRequest,
    ) -> Result<Self, ApiError> {
        // Another site's page must not take seats for its visitors.
        if !is_from_here(app, request) {
            return Err(Code::SeatFromElsewhere.into());
        }
        let metadata = known(app, client, id, request).await?;
        let (member, seat) = app.seats.member_or_new(request, metadata.id)?;
        if let Err(paused) = app.pausing.may_write() {
            // Who has a seat may read.
            app.rooms.seat(metadata.id, member).await.map_err(|_| paused)?;
        }
        Ok(Self { metadata, member, seat })
    }
}

/// Whether a caller is signed in as the one who created the group. Nothing keeps which seat they take.
fn is_by(caller: Option<SignedIn>, metadata: &RoomMetadata) -> bool {
    caller.is_some_and(|caller| caller.account == metadata.owner)
}

/// A random number that picks a seat's emoji.
pub(super) fn dice() -> u64 {
    random_id().as_u64_pair().1
}
