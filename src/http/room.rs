//! Groups: creating, showing and deleting them, and what only their creators
//! may do.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::ids::random_id;
use annon_actors::room::Standing;
use annon_actors::room::command::Command;
use annon_contract::code::Code;
use annon_contract::limits::{ROOM_LIFETIME_HOURS, ROOM_MEMBERS, ROOM_SHORT_LIFETIME_HOURS};
use annon_store::StoreError;
use annon_store::room::{Emoji, RoomId, RoomMetadata, RoomName, Seq};
use annon_store::sealed::SealedRoom;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::auth::{Active, SignedIn};
use crate::body::{Json, JsonRefusal, Whole};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::room::shown::SealedHead;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

pub mod knock;
pub mod link;
pub mod push;
pub mod seat;
pub mod shown;

/// The metadata of the room to which a link leads. A link that has ended leads there only for who has a seat in it;
/// what leads nowhere counts against the caller.
pub async fn known(app: &App, client: ClientIp, link: &str, request: &HttpRequest) -> Result<RoomMetadata, ApiError> {
    let found = link::follow(app, client, link).await?;
    let metadata = found.metadata_if(app, client, |room| app.seats.member(request, room).is_some()).await?;
    if found.has_ended && !link::is_seated(app, request, metadata.id).await? {
        return Err(app.limits.missed(client.0, Code::GroupExpired));
    }
    Ok(metadata)
}

/// The metadata of a room that the caller created. They come by any of its links.
async fn own(app: &App, client: ClientIp, link: &str, caller: &SignedIn) -> Result<RoomMetadata, ApiError> {
    let found = link::follow(app, client, link).await?;
    let metadata = found.metadata_if(app, client, |_| true).await?;
    if metadata.owner == caller.account {
        Ok(metadata)
    } else if found.has_ended {
        Err(app.limits.missed(client.0, Code::GroupExpired))
    } else {
        Err(Code::NotTheCreator.into())
    }
}

/// A new group.
#[derive(Deserialize, ToSchema)]
pub struct CreateRoom {
    /// The group's name; of a sealed group what the browser has sealed, in base64url.
    #[schema(example = "midnight tacos")]
    name: String,
    /// Whether browsers seal what is said in the group. The server never gets their key.
    #[serde(default)]
    #[schema(required = false)]
    sealed: bool,
    /// Of a sealed group: eight bytes in base64url, by which a browser tells the right key.
    check: Option<String>,
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
    let (name, sealed) = if form.sealed {
        let sealed = SealedRoom::of(&form.name, form.check.as_deref().unwrap_or_default())?;
        (SealedRoom::plain_name()?, Some(sealed))
    } else {
        (RoomName::try_from(&*form.name)?, None)
    };
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
        sealed,
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
    /// What stands in the group's link now: its id, until it gets a new link.
    #[schema(format = Uuid)]
    link: String,
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
    /// Of a sealed group: its own name, and the check of its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<SealedHead>,
}

/// Lists the caller's active groups.
#[utoipa::path(get, path = "/api/rooms", tag = "room", security(("bearer" = [])),
    responses((status = 200, body = RoomList), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, caller: SignedIn) -> Answer {
    let now = app.clock.timestamp();
    let mut rooms = app.directory.of_owner(caller.account).await?;
    rooms.retain(|metadata| metadata.expires > now);
    let ids: Vec<_> = rooms.iter().map(|metadata| metadata.id).collect();
    let links = app.links.newest(caller.account, &ids).await?;
    let standings = app.rooms.standings(&rooms).await;
    let item = |((metadata, link), standing): ((RoomMetadata, RoomId), Result<Standing, StoreError>)| RoomItem {
        id: metadata.id.0.to_string(),
        link: link.0.to_string(),
        name: metadata.name.as_str().to_owned(),
        date: date_and_time(metadata.created),
        seconds_left: metadata.expires - now,
        standing: standing.inspect_err(|error| tracing::warn!(%error, "a group's standing can't be read")).ok(),
        sealed: metadata.sealed.map(SealedHead::from),
    };
    let data = rooms.into_iter().zip(links).zip(standings).map(item).collect();
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
pub async fn valid(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    let metadata = known(&app, client, &id, &request).await?;
    let free_seats = ROOM_MEMBERS.saturating_sub(app.rooms.seats_taken(&metadata).await?);
    Ok(HttpResponse::Ok().json(Alive { status: 200, message: "This group is alive.", free_seats }))
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
    // If this fails, the sweeper forgets them when the group would have ended. They lead nowhere.
    let _ = app.links.forget(caller.account, room).await;
    let _ = app.pushes.end_seats(caller.account, room).await;
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
