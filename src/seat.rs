//! The cookie of a visitor who takes seats. It is random, tells nothing and
//! is never stored: a member's id is a keyed hash of it and the room, so two
//! seats of one person can't be tied together.

use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, SameSite, time::Duration};
use annon_actors::ids::random_bytes;
use annon_store::room::{MemberId, RoomId};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::error::ApiError;

const NAME: &str = "annon_seat";
/// Longer than any room lives.
const KEPT: Duration = Duration::days(8);

/// Knows members by their cookie.
pub struct Seats {
    key: hmac::Key,
    secure: bool,
}

impl Seats {
    /// With the data folder's own key; `secure` when pages come over TLS.
    pub fn new(key: &[u8; 32], secure: bool) -> Self {
        Self { key: hmac::Key::new(hmac::HMAC_SHA256, key), secure }
    }

    /// Who a visitor is in a room, if they have a cookie of ours.
    pub fn member(&self, request: &HttpRequest, room: RoomId) -> Option<MemberId> {
        Some(self.id(&secret(request)?, room))
    }

    /// The same, and the cookie: a fresh one for somebody who has none, or
    /// theirs once more, so that it outlives this room, too.
    pub fn member_or_new(&self, request: &HttpRequest, room: RoomId) -> Result<(MemberId, Cookie<'static>), ApiError> {
        let secret = secret(request).or_else(random_bytes).ok_or(ApiError::Internal)?;
        let cookie = Cookie::build(NAME, BASE64_URL_SAFE_NO_PAD.encode(secret))
            .path("/api")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .max_age(KEPT)
            .finish();
        Ok((self.id(&secret, room), cookie))
    }

    fn id(&self, secret: &[u8; 32], room: RoomId) -> MemberId {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(secret);
        context.update(room.0.as_bytes());
        let mut id = [0; 16];
        id.copy_from_slice(&context.sign().as_ref()[..16]);
        MemberId(id)
    }
}

fn secret(request: &HttpRequest) -> Option<[u8; 32]> {
    BASE64_URL_SAFE_NO_PAD.decode(request.cookie(NAME)?.value()).ok()?.try_into().ok()
}
