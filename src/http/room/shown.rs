//! A group as a member, or somebody without a seat, sees it.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::room::View;
use annon_actors::room::frame::LineFrame;
use annon_contract::code::Code;
use annon_contract::limits::{ROOM_PAGE, ROOM_PAGE_MAX};
use annon_store::room::{Emoji, Seq};
use annon_store::sealed::SealedRoom;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::{known, link};
use crate::app::App;
use crate::error::{Answer, ApiError, Refusal};
use crate::http::page_of;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::net::compress;
use crate::seat::CarriedSeat;

/// What only browsers with the key of a sealed group can read, and by what they tell that key.
#[derive(Serialize, ToSchema)]
pub struct SealedHead {
    /// The group's name, sealed, in base64url.
    name: String,
    /// Eight bytes in base64url that follow from the key.
    #[schema(example = "3q2-78r-ur4")]
    check: String,
}

impl From<SealedRoom> for SealedHead {
    fn from(sealed: SealedRoom) -> Self {
        Self { name: sealed.name.text(), check: sealed.check_text() }
    }
}

/// The answer to showing a group.
#[derive(Serialize, ToSchema)]
pub struct RoomShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The group.
    data: RoomData,
}

/// A group, as the caller may see it.
#[derive(Serialize, ToSchema)]
pub struct RoomData {
    /// The group's id; without a seat, what stands in its link.
    #[schema(format = Uuid)]
    id: String,
    /// What stands in the group's link now: its id, until it gets a new link.
    #[schema(format = Uuid)]
    link: String,
    /// The group's name.
    name: String,
    /// When the group was created: `YYYY-MM-DD HH:MM:SS`, UTC.
    date: String,
    /// The creator's username.
    creator: String,
    /// The members' emoji; empty without a seat.
    members: Vec<&'static str>,
    /// When the group expires, in seconds since 1970, UTC.
    expire_at: u64,
    /// Messages and notices, oldest first; empty without a seat.
    messages: Vec<LineFrame>,
    /// The last `seq` in the group's log, for `since` in `event.connect`; 0
    /// without a seat.
    last_seq: u64,
    /// How many messages were ever sent; 0 without a seat.
    message_count: u64,
    /// Whether the group is locked; always `false` without a seat.
    locked: bool,
    /// Whether newcomers have to knock; always `false` without a seat.
    ask_first: bool,
    /// Whether there are messages older than the first one here.
    has_older: bool,
    /// Of a sealed group: its own name, and the check of its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<SealedHead>,
}

/// Shows a group.
///
/// Without a seat the answer has no members and no messages. When the server
/// shows a member the messages for the first time, it tells the other members
/// that this member joined.
#[utoipa::path(get, path = "/api/room/{id}", tag = "room",
    params(("id" = Uuid, Path, description = "The group's id"), CarriedSeat, LinesQuery),
    responses((status = 200, body = RoomShown), (status = 400, body = Refusal), (status = 404, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn show(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    let LinesQuery { before, limit } = LinesQuery::of(request.query_string())?;
    let room = known(&app, client, &id, &request).await?.id;
    let member = app.seats.member(&request, room);
    if member.is_some() {
        app.limits.take(Call::History, client.0)?;
    }
    let view = app.rooms.view(room, member, before, limit).await?;
    let data = RoomData::of(&app, view).await?;
    Ok(compress::json(&app.compressors, &request, HttpResponse::Ok(), &RoomShown { status: 200, data }).await)
}

impl RoomData {
    pub(super) async fn of(app: &App, view: View) -> Result<Self, ApiError> {
        let metadata = view.metadata;
        let link = link::newest(app, &metadata).await?;
        let id = if view.own.is_some() { metadata.id } else { link };
        Ok(Self {
            id: id.0.to_string(),
            link: link.0.to_string(),
            name: metadata.name.as_str().to_owned(),
            date: date_and_time(metadata.created),
            creator: metadata.creator.as_str().to_owned(),
            members: view.members.into_iter().map(Emoji::as_str).collect(),
            expire_at: metadata.expires,
            messages: view.lines,
            last_seq: view.last.0,
            message_count: view.messages,
            locked: view.locked,
            ask_first: view.asks_first,
            has_older: view.has_older,
            sealed: metadata.sealed.map(SealedHead::from),
        })
    }
}

/// Which lines of a group the caller asks for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct LinesQuery {
    /// Only lines with a smaller `seq`
    #[param(value_type = u64, required = false)]
    pub(super) before: Option<Seq>,
    /// At most this many lines; 200 by default
    #[param(value_type = usize, required = false, minimum = 1, maximum = 500)]
    pub(super) limit: usize,
}

impl LinesQuery {
    pub(super) fn of(query: &str) -> Result<Self, ApiError> {
        let place = |raw: &str| raw.parse().ok().map(Seq);
        let wrong = [Code::BeforeIsNoPlace, Code::RoomLimitInvalid];
        let (before, limit) = page_of(query, (ROOM_PAGE, ROOM_PAGE_MAX), place, wrong)?;
        Ok(Self { before, limit })
    }
}
