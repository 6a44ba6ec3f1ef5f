//! Groups: creating, showing and deleting them, and what only their creators
//! may do.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::ids::random_id;
use annon_actors::room::Standing;
use annon_actors::room::View;
use annon_actors::room::command::Command;
use annon_actors::room::frame::LineFrame;
use annon_contract::code::Code;
use annon_contract::limits::{ROOM_LIFETIME_HOURS, ROOM_MEMBERS, ROOM_PAGE, ROOM_PAGE_MAX, ROOM_SHORT_LIFETIME_HOURS};
use annon_store::StoreError;
use annon_store::room::{Emoji, RoomId, RoomMetadata, RoomName, Seq};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Active, SignedIn};
use crate::body::{Json, JsonRefusal, Whole};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::page_of;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::net::compress;
use crate::seat::CarriedSeat;

pub mod knock;
pub mod seat;

/// The metadata of the room with this id. Unknown ids count against the caller.
pub async fn known(app: &App, client: ClientIp, id: &str) -> Result<RoomMetadata, ApiError> {
    let miss = || app.limits.missed(client.0, Code::GroupExpired);
    let id = Uuid::try_parse(id).map(RoomId).map_err(|_| miss())?;
    app.rooms.metadata(id).await.map_err(|error| match error.into() {
        Code::GroupExpired => miss(),
        other => other.into(),
    })
}

/// The metadata of a room that the caller created.
async fn own(app: &App, client: ClientIp, id: &str, caller: &SignedIn) -> Result<RoomMetadata, ApiError> {
    let metadata = known(app, client, id).await?;
    if metadata.owner == caller.account { Ok(metadata) } else { Err(Code::NotTheCreator.into()) }
}

/// A new group.
#[derive(Deserialize, ToSchema)]
pub struct CreateRoom {
    /// The group's name.
    #[schema(example = "midnight tacos")]
    name: String,
    /// How many hours the group lives, 24 or 2. The default is the server's
    /// setting, usually 24.
    #[schema(value_type = Option<u32>)]
    lifetime_hours: Option<Whole>,
    /// Whether newcomers have to knock, so that the creator admits or declines each.
    #[serde(default)]
    #[schema(required = false)]
    ask_first: bool,
}

/// The answer to creating a group.
#[derive(Serialize, ToSchema)]
pub struct Created {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// The group's id.
    #[schema(format = Uuid)]
    room_id: String,
    /// The creator's username.
    #[schema(example = "some-body")]
    creator: String,
}

/// Creates a group.
#[utoipa::path(post, path = "/api/room/create", tag = "room", security(("bearer" = [])), request_body = CreateRoom,
    responses((status = 201, body = Created), (status = 401, body = Refusal), (status = 403, body = Refusal, description = "The account is suspended"), (status = 409, body = Refusal, description = "The account has too many groups"),
    (status = 422, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn create(app: Data<App>, caller: Active, Json(form): Json<CreateRoom>) -> Answer {
    let name = RoomName::try_from(&*form.name)?;
    let lifetime = match form.lifetime_hours.map(|Whole(hours)| u32::try_from(hours)) {
        None => app.config.room_lifetime_hours.as_secs(),
        Some(Ok(hours @ (ROOM_LIFETIME_HOURS | ROOM_SHORT_LIFETIME_HOURS))) => u64::from(hours) * 3600,
        Some(_) => return Err(Code::LifetimeInvalid.into()),
    };
    let account = app.accounts.by_id(caller.account).await?.ok_or(Code::SignedOut)?;
    let now = app.clock.timestamp();
    let metadata = RoomMetadata {
        id: RoomId(random_id()),
        name,
        owner: caller.account,
        creator: account.username,
        created: now,
        expires: now + lifetime,
    };
    let (id, creator) = (metadata.id, metadata.creator.as_str().to_owned());
    app.directory
        .create(metadata, now)
        .await
        .map_err(instead([(StoreError::Full, Code::NoMoreGroups), (StoreError::NotFound, Code::SignedOut)]))?;
    let asks_first = form.ask_first;
    if asks_first && let Err(error) = app.rooms.command(id, Command::AskFirst(true)).await {
        // Nobody knows the group's id yet, and it must not be open to everybody.
        app.directory.remove(id).await?;
        return Err(error.into());
    }
    app.inboxes.tell_room(caller.account, id, Some(Standing { asks_first, ..Standing::default() }));
    Ok(HttpResponse::Created().json(Created { status: 201, room_id: id.0.to_string(), creator }))
}

/// The caller's groups.
#[derive(Serialize, ToSchema)]
pub struct RoomList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The groups that are active, newest first.
    data: Vec<RoomItem>,
}

/// A group in a list.
#[derive(Serialize, ToSchema)]
pub struct RoomItem {
    /// The group's id.
    #[schema(format = Uuid)]
    id: String,
    /// The group's name.
    #[schema(example = "midnight tacos")]
    name: String,
    /// When the group was created: `YYYY-MM-DD HH:MM:SS`, UTC.
    #[schema(example = "2026-11-20 18:05:59")]
    date: String,
    /// How many seconds are left until the group expires. It is no point in time, since clocks of devices can be hours off.
    #[schema(example = 82_800)]
    seconds_left: u64,
    /// Who and what is in the group; `null` if that can't be read right now.
    standing: Option<Standing>,
}

/// Lists the caller's active groups.
#[utoipa::path(get, path = "/api/rooms", tag = "room", security(("bearer" = [])),
    responses((status = 200, body = RoomList), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, caller: SignedIn) -> Answer {
    let now = app.clock.timestamp();
    let mut rooms = app.directory.of_owner(caller.account).await?;
    rooms.retain(|metadata| metadata.expires > now);
    let standings = app.rooms.standings(&rooms).await;
    let item = |(metadata, standing): (RoomMetadata, Result<Standing, StoreError>)| RoomItem {
        id: metadata.id.0.to_string(),
        name: metadata.name.as_str().to_owned(),
        date: date_and_time(metadata.created),
        seconds_left: metadata.expires - now,
        standing: standing.inspect_err(|error| tracing::warn!(%error, "a group's standing can't be read")).ok(),
    };
    let data = rooms.into_iter().zip(standings).map(item).collect();
    Ok(HttpResponse::Ok().json(RoomList { status: 200, data }))
}

/// The answer for a group that is active.
#[derive(Serialize, ToSchema)]
pub struct Alive {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// A sentence for people.
    message: &'static str,
    /// How many seats are free, as the preview of the group's link says.
    #[schema(example = 3)]
    free_seats: usize,
}

/// Answers 200 if a group is active, and 404 if not.
#[utoipa::path(get, path = "/api/room/valid/{id}", tag = "room", params(("id" = Uuid, Path, description = "The group's id")),
    responses((status = 200, body = Alive), (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn valid(app: Data<App>, client: ClientIp, id: Path<String>) -> Answer {
    let metadata = known(&app, client, &id).await?;
    let free_seats = ROOM_MEMBERS.saturating_sub(app.rooms.seats_taken(&metadata).await?);
    Ok(HttpResponse::Ok().json(Alive { status: 200, message: "This group is alive.", free_seats }))
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
    /// The group's id.
    #[schema(format = Uuid)]
    id: String,
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
    let room = known(&app, client, &id).await?.id;
    let member = app.seats.member(&request, room);
    if member.is_some() {
        app.limits.take(Call::History, client.0)?;
    }
    let view = app.rooms.view(room, member, before, limit).await?;
    Ok(compress::json(&app.compressors, &request, HttpResponse::Ok(), &RoomShown { status: 200, data: view.into() })
        .await)
}

impl From<View> for RoomData {
    fn from(view: View) -> Self {
        let metadata = view.metadata;
        Self {
            id: metadata.id.0.to_string(),
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
        }
    }
}

/// Which lines of a group the caller asks for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
struct LinesQuery {
    /// Only lines with a smaller `seq`
    #[param(value_type = u64, required = false)]
    before: Option<Seq>,
    /// At most this many lines; 200 by default
    #[param(value_type = usize, required = false, minimum = 1, maximum = 500)]
    limit: usize,
}

impl LinesQuery {
    fn of(query: &str) -> Result<Self, ApiError> {
        let place = |raw: &str| raw.parse().ok().map(Seq);
        let wrong = [Code::BeforeIsNoPlace, Code::RoomLimitInvalid];
        let (before, limit) = page_of(query, (ROOM_PAGE, ROOM_PAGE_MAX), place, wrong)?;
        Ok(Self { before, limit })
    }
}

/// What changes for people who come to a group. What is left out stays.
#[derive(Deserialize, ToSchema)]
#[schema(min_properties = 1)]
pub struct RoomDoor {
    /// Whether new members are kept out.
    locked: Option<bool>,
    /// Whether newcomers have to knock. When this is switched off, everybody who waits is admitted.
    ask_first: Option<bool>,
}

/// Locks or unlocks a group, or has newcomers knock. Nobody new can join a locked group.
#[utoipa::path(patch, path = "/api/room/{id}", tag = "room", security(("bearer" = [])), request_body = RoomDoor,
    params(("id" = Uuid, Path, description = "The group's id")), responses((status = 200, body = Outcome), JsonRefusal,
    (status = 401, body = Refusal), (status = 403, body = Refusal), (status = 404, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn set_up(
    app: Data<App>,
    client: ClientIp,
    caller: Active,
    id: Path<String>,
    Json(door): Json<RoomDoor>,
) -> Answer {
    let changes = match door {
        RoomDoor { locked: None, ask_first: None } => return Err(Code::FieldsInvalid.into()),
        RoomDoor { locked, ask_first } => [ask_first.map(Command::AskFirst), locked.map(Command::Lock)],
    };
    let room = own(&app, client, &id, &caller).await?.id;
    app.limits.take_of(Call::Moderation, caller.account)?;
    let mut done = "";
    for command in changes.into_iter().flatten() {
        done = match command {
            Command::AskFirst(true) => "Newcomers knock now",
            Command::AskFirst(false) => "Newcomers come in without knocking",
            Command::Lock(true) => "Group locked",
            _ => "Group unlocked",
        };
        app.rooms.command(room, command).await?;
    }
    Ok(Outcome::response(StatusCode::OK, done))
}

/// Deletes a group with everything in it. Its members are told.
#[utoipa::path(delete, path = "/api/room/{id}", tag = "room", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The group's id")), responses((status = 200, body = Outcome), (status = 401, body = Refusal),
    (status = 403, body = Refusal), (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn close(app: Data<App>, client: ClientIp, caller: SignedIn, id: Path<String>) -> Answer {
    let room = own(&app, client, &id, &caller).await?.id;
    app.rooms.command(room, Command::Close).await?;
    Ok(Outcome::response(StatusCode::OK, "Group deleted"))
}

/// Removes a message, no matter who sent it and how old it is.
#[utoipa::path(delete, path = "/api/room/{id}/message/{seq}", tag = "room", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The group's id"), ("seq" = u64, Path, description = "The message's `seq`")),
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn retract(app: Data<App>, client: ClientIp, caller: Active, path: Path<(String, String)>) -> Answer {
    let (id, seq) = path.into_inner();
    let room = own(&app, client, &id, &caller).await?.id;
    // No message ever has the `seq` 0.
    app.rooms.command(room, Command::RetractAny(Seq(seq.parse().unwrap_or_default()))).await?;
    Ok(Outcome::response(StatusCode::OK, "Message removed"))
}

/// How a member is removed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct KickQuery {
    /// `remove` also removes the member's messages
    #[param(inline)]
    messages: Option<KickedMessages>,
}

/// What happens to the messages of a member who is removed.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum KickedMessages {
    Remove,
}

/// Removes a member. Their cookie or carried seat gets no seat in this group
/// again.
#[utoipa::path(delete, path = "/api/room/{id}/member/{emoji}", tag = "room", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The group's id"), ("emoji" = String, Path, description = "The member's emoji"), KickQuery),
    responses((status = 200, body = Outcome), (status = 400, body = Refusal), (status = 401, body = Refusal), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn kick(
    app: Data<App>,
    client: ClientIp,
    caller: Active,
    path: Path<(String, String)>,
    request: HttpRequest,
) -> Answer {
    let query = Query::<KickQuery>::from_query(request.query_string()).map_err(|_| Code::KickedMessagesInvalid)?;
    let with_messages = matches!(query.messages, Some(KickedMessages::Remove));
    let (id, who) = path.into_inner();
    let room = own(&app, client, &id, &caller).await?.id;
    app.limits.take_of(Call::Moderation, caller.account)?;
    let emoji = Emoji::of(&who).ok_or(Code::NoSuchMember)?;
    app.rooms.command(room, Command::Kick { emoji, with_messages }).await?;
    Ok(Outcome::response(StatusCode::OK, "Member removed"))
}
