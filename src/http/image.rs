//! Pictures in groups.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::rt::time::timeout;
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::ids::random_id;
use annon_actors::room::frame::image_path;
use annon_contract::code::Code;
use annon_contract::limits::{PICTURE_BODY_TIMEOUT, PICTURE_MAX_BYTES};
use annon_store::StoreError;
use annon_store::image::{Album, ImageId};
use annon_store::room::{MemberId, RoomId};
use annon_store::sealed::sealed_picture;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::{Uuid, Version};

use crate::app::App;
use crate::body::{self, JsonRefusal};
use crate::error::{Answer, ApiError, Refusal, instead};
use crate::http::room::known;
use crate::http::to_the_end;
use crate::limits::upload_slots::UploadReader;
use crate::net::client::ClientIp;
use crate::picture::{Drawn, redraw};
use crate::seat::CarriedSeat;

mod head;

/// Base64 is a third larger than the file; the rest is for the JSON around it.
const UPLOAD_MAX_BYTES: usize = PICTURE_MAX_BYTES / 3 * 4 + 4096;

/// A picture to upload.
#[derive(Deserialize, ToSchema)]
pub struct Upload {
    /// The id of the group the picture is for.
    #[schema(format = Uuid)]
    room_id: String,
    /// The file in base64, or as a data URL; in a sealed group what the browser has sealed, in base64url.
    image_b64: String,
    /// In a sealed group: the picture's id, to which it is sealed. The browser has drawn it.
    #[schema(value_type = Option<String>, format = Uuid)]
    image_id: Option<String>,
}

/// The answer to an upload.
#[derive(Serialize, ToSchema)]
pub struct Uploaded {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// The picture's path, for `image_src` or `image_low` of a message.
    #[schema(example = "/api/room/5f2c…/image/91ab…")]
    message: String,
}

/// Stores a picture for a group in which the caller has a seat.
///
/// The server re-encodes the picture and keeps nothing but its pixels. In a sealed group it can't, and keeps what the
/// browser has sealed.
#[utoipa::path(post, path = "/api/room/upload-image", tag = "room", request_body = Upload, params(CarriedSeat), responses(
    JsonRefusal, (status = 201, body = Uploaded), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 409, body = Refusal, description = "The group has no room for more pictures"), (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
    (status = 507, body = Refusal)))]
pub async fn upload(app: Data<App>, client: ClientIp, request: HttpRequest, payload: Payload) -> Answer {
    app.limits.store_picture(client.0, 0)?;
    let announced = body::announced(&request);
    if announced.is_some_and(|length| length > UPLOAD_MAX_BYTES) {
        return Err(Code::BodyTooLarge.into());
    }
    let mut upload = UploadReader::new(&app.upload_slots, app.limits.name(client.0));
    let (mut pieces, most) = (payload.map_err(body::refused), (UPLOAD_MAX_BYTES, Code::BodyTooLarge));
    let reading = async {
        // A caller without a seat is refused before the rest of a large body
        // is read. A small body is read and parsed first, as in any call.
        let is_large = announced.is_none_or(|length| length > head::LOOKED_AT);
        if is_large {
            upload.read_until(&mut pieces, most, head::is_enough).await?;
        }
        let named = match head::room(upload.bytes()).filter(|_| is_large) {
            Some(id) => Some((seat(&app, client, &request, &id).await?, id)),
            None => None,
        };
        if named.is_some() {
            upload.mark_as_member();
        }
        Ok::<_, ApiError>((named, upload.read(&mut pieces, most).await?))
    };
    let (named, body) = timeout(PICTURE_BODY_TIMEOUT, reading).await.map_err(|_| Code::BodyTooSlow)??;
    let form: Upload = body::json(&request, &body)?;
    drop(body);
    let Seat { room, member, is_sealed } = match named {
        Some((seat, id)) if id == form.room_id => seat,
        _ => seat(&app, client, &request, &form.room_id).await?,
    };
    let _slot = upload.slot().await?;
    let (image, picture) = if is_sealed {
        let image = new_id(&app, room, form.image_id.as_deref().unwrap_or_default()).await?;
        let picture = sealed_picture(&form.image_b64)?;
        if picture.len() > PICTURE_MAX_BYTES {
            return Err(Code::PictureFileTooLarge.into());
        }
        (image, picture)
    } else {
        let redrawn = app.pictures.run(move || {
            let base64 = form.image_b64.split_once(";base64,").map_or(form.image_b64.as_str(), |(_, bytes)| bytes);
            let file = BASE64_STANDARD.decode(base64.trim()).map_err(|_| Code::PictureNotBase64)?;
            if file.len() > PICTURE_MAX_BYTES {
                return Err(Code::PictureFileTooLarge);
            }
            redraw(&file)
        });
        let Drawn { jpeg, width, height } = redrawn.await??;
        (ImageId::sized(random_id(), width, height), jpeg)
    };
    let bytes = picture.len();
    app.rooms.may_upload(room, member, bytes).await?;
    app.limits.store_picture(client.0, bytes)?;
    to_the_end(async move {
        // The answer doesn't reveal that the creator's other groups hold the
        // pictures.
        let full = instead([(StoreError::Full, Code::GroupHoldsNoMorePictures)]);
        app.images.put(Album::Room(room.0), image, picture).await.map_err(full)?;
        if let Err(error) = app.rooms.add_picture(room, image, bytes).await {
            app.images.remove(Album::Room(room.0), &[image], None).await?;
            return Err(error.into());
        }
        Ok(())
    })
    .await?;
    Ok(HttpResponse::Created().json(Uploaded { status: 201, message: image_path(room, image) }))
}

/// A caller who may add a picture.
struct Seat {
    room: RoomId,
    member: MemberId,
    /// Whether browsers seal the pictures of this room.
    is_sealed: bool,
}

async fn seat(app: &App, client: ClientIp, request: &HttpRequest, id: &str) -> Result<Seat, ApiError> {
    let metadata = known(app, client, id, request).await?;
    let (room, is_sealed) = (metadata.id, metadata.sealed.is_some());
    let member = app.seats.member(request, room).ok_or(Code::NotAMember)?;
    app.rooms.may_upload(room, member, 0).await?;
    Ok(Seat { room, member, is_sealed })
}

/// An id that a browser has drawn. Nobody may put a picture in the place of another one.
async fn new_id(app: &App, room: RoomId, raw: &str) -> Result<ImageId, ApiError> {
    let id = Uuid::try_parse(raw).ok().filter(|id| id.get_version() == Some(Version::Random));
    let image = ImageId(id.ok_or(Code::SealedInvalid)?);
    let is_new = app.images.read(Album::Room(room.0), image).await?.is_none();
    if is_new { Ok(image) } else { Err(Code::SealedInvalid.into()) }
}

/// Returns a picture to a member.
#[utoipa::path(get, path = "/api/room/{id}/image/{image}", tag = "room",
    params(("id" = Uuid, Path, description = "The group's id"), ("image" = Uuid, Path, description = "The picture's id"), CarriedSeat),
    responses((status = 200, body = Vec<u8>, content_type = "image/jpeg", description = "The picture; of a sealed group the bytes that the browser has sealed, as `application/octet-stream`"), (status = 403, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, client: ClientIp, path: Path<(String, String)>, request: HttpRequest) -> Answer {
    let (id, image) = path.into_inner();
    let metadata = known(&app, client, &id, &request).await?;
    let member = app.seats.member(&request, metadata.id).ok_or(Code::NotAMember)?;
    app.rooms.seat(metadata.id, member).await?;
    let image = Uuid::try_parse(&image).map(ImageId).map_err(|_| Code::NoSuchPicture)?;
    let picture = match app.images.read(Album::Room(metadata.id.0), image).await {
        // The log tells the operator; the member gets the answer for a missing
        // picture.
        Err(StoreError::Corrupt) => {
            app.metrics.picture_damaged();
            return Err(Code::NoSuchPicture.into());
        }
        read => read?.ok_or(Code::NoSuchPicture)?,
    };
    let kind = if metadata.sealed.is_some() { "application/octet-stream" } else { "image/jpeg" };
    // Browsers don't write the picture to their disk, where it would outlive
    // the message, the seat and the room. The web app keeps it in memory.
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(kind)))
        .insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .body(picture))
}
