//! The links of a group. Its first one is its id; its creator can give it a new one, which ends the one before.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::ids::random_id;
use annon_actors::room::command::Command;
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::room::{KnockId, RoomId, RoomMetadata};
use annon_store::room_link::RoomLink;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::own;
use crate::app::App;
use crate::auth::Active;
use crate::error::{Answer, ApiError, Refusal, instead};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// Where a link leads, if there is such a group.
pub(super) struct Followed {
    link: Uuid,
    room: RoomId,
    pub(super) has_ended: bool,
}

impl Followed {
    /// The group's metadata. If the link has ended, only for who `may` come by it all the same; the answer to others
    /// takes as long as that about a group that doesn't exist.
    pub(super) async fn metadata_if(
        &self,
        app: &App,
        client: ClientIp,
        may: impl FnOnce(RoomId) -> bool,
    ) -> Result<RoomMetadata, ApiError> {
        // No room has this id, since its version is none. It is the same each time, as that of a link that never was:
        // what was looked for before is found to be nowhere sooner.
        let nowhere = RoomId(Uuid::from_u128(!self.link.as_u128()));
        let room = if self.has_ended && !may(self.room) { nowhere } else { self.room };
        app.rooms.metadata(room).await.map_err(|error| match error.into() {
            Code::GroupExpired => app.limits.missed(client.0, Code::GroupExpired),
            other => other.into(),
        })
    }
}

/// Looks where a link leads. What isn't one counts against the caller.
pub(super) async fn follow(app: &App, client: ClientIp, link: &str) -> Result<Followed, ApiError> {
    let link = Uuid::try_parse(link).map_err(|_| app.limits.missed(client.0, Code::GroupExpired))?;
    let own = RoomLink { room: RoomId(link), has_ended: false };
    let RoomLink { room, has_ended } = app.links.follow(RoomId(link)).await?.unwrap_or(own);
    Ok(Followed { link, room, has_ended })
}

/// Whether the caller has a seat in a room.
pub(super) async fn is_seated(app: &App, request: &HttpRequest, room: RoomId) -> Result<bool, ApiError> {
    let Some(member) = app.seats.member(request, room) else { return Ok(false) };
    match app.rooms.seat(room, member).await.map_err(Code::from) {
        Ok(_) => Ok(true),
        Err(Code::NotAMember | Code::RemovedFromGroup) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// What stands in a group's link now.
pub(super) async fn newest(app: &App, metadata: &RoomMetadata) -> Result<RoomId, ApiError> {
    Ok(app.links.newest(metadata.owner, &[metadata.id]).await?.pop().unwrap_or(metadata.id))
}

/// A new link of a group.
#[derive(Serialize, ToSchema)]
pub struct LinkMade {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// What stands in the link: it takes the place of the group's id.
    #[schema(format = Uuid)]
    id: String,
}

/// Gives a group a new link. By the one before only members come in; for all others there is no such group. Whoever
/// waits to be let in is declined.
#[utoipa::path(post, path = "/api/room/{id}/link", tag = "room", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The group's id")), responses((status = 201, body = LinkMade), (status = 401, body = Refusal),
    (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 409, body = Refusal, description = "The group has had too many links"), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn renew(app: Data<App>, client: ClientIp, caller: Active, id: Path<String>) -> Answer {
    let metadata = own(&app, client, &id, &caller).await?;
    app.limits.take_of(Call::Moderation, caller.account)?;
    let link = RoomId(random_id());
    to_the_end(async move {
        let RoomMetadata { id: room, owner, expires, .. } = metadata;
        let refused = instead([(StoreError::Full, Code::NoMoreLinks), (StoreError::NotFound, Code::SignedOut)]);
        app.links.renew(owner, room, link, expires).await.map_err(refused)?;
        // They came by a link that leads nowhere now.
        for waiting in app.rooms.knocks(room).await?.knocks {
            let decline = Command::AnswerKnock { knock: KnockId::try_from(&*waiting.knock)?, admits: false };
            match app.rooms.command(room, decline).await.map_err(Code::from) {
                Ok(()) | Err(Code::NoSuchKnock) => {}
                Err(other) => return Err(other.into()),
            }
        }
        Ok(())
    })
    .await?;
    Ok(HttpResponse::Created().json(LinkMade { status: 201, id: link.0.to_string() }))
}
