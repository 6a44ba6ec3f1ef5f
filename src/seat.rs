//! The cookie of a visitor who takes seats. It is random, tells nothing and
//! is never stored: a member's id is a keyed hash of it and the room, so two
//! seats of one person can't be tied together.
//!
//! Over https it is a `__Host-` cookie, which no other name of the domain can
//! set, and everywhere it ends in a MAC, so that a made-up one is none.
//!
//! Where a browser keeps no cookies the page carries the same value itself:
//! in a header, which no page of another site can send, and with a socket as
//! a subprotocol. A page that carries its seat has no cookie read or set.

use actix_web::cookie::{Cookie, SameSite, time::Duration};
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponseBuilder};
use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_store::room::{MemberId, RoomId};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use utoipa::IntoParams;

use crate::auth::offered_beside;
use crate::error::ApiError;

/// Over https. The name obliges a browser to take it from this host alone,
/// and to send it with every path.
const NAME_HTTPS: &str = "__Host-annon_seat";
/// Where there is no https there is no such promise, and no such obligation.
const NAME: &str = "annon_seat";
/// Longer than any room lives.
const KEPT: Duration = Duration::days(8);
/// Bytes of the MAC.
const MAC: usize = 16;

/// What a page sends that carries its seat, and where it gets one from.
const HEADER: HeaderName = HeaderName::from_static("annon-seat");
/// The subprotocol a page offers beside the seat it carries.
pub const SOCKET_PROTOCOL: &str = "annon-seat";

type SeatSecret = [u8; 32];

/// How the API's description names the header.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "the header is read where a cookie would be; this is its description")]
pub struct CarriedSeat {
    /// For a browser that keeps no cookies: the value that this header had in
    /// the answer to taking a seat, or `new` to ask for one
    #[param(rename = "Annon-Seat", required = false)]
    seat: String,
}

/// How a visitor keeps the seat they are given.
pub enum SeatCarrier {
    /// The browser does.
    Cookie(Cookie<'static>),
    /// The page does.
    Page(String),
}

impl SeatCarrier {
    /// Gives it to them with an answer.
    pub fn give(self, response: &mut HttpResponseBuilder) {
        match self {
            Self::Cookie(cookie) => response.cookie(cookie),
            Self::Page(value) => response.insert_header((HEADER, value)),
        };
    }
}

/// Knows members by their cookie.
pub struct Seats {
    key: hmac::Key,
    mac_key: hmac::Key,
    secure: bool,
}

impl Seats {
    /// With keys of the data folder's own, one for members' ids and one for
    /// the cookies; `secure` when pages come over TLS.
    pub fn new(key: &[u8; 32], mac_key: &[u8; 32], secure: bool) -> Self {
        let [key, mac_key] = [key, mac_key].map(|key| hmac::Key::new(hmac::HMAC_SHA256, key));
        Self { key, mac_key, secure }
    }

    /// The member id of a visitor in a room, if they show a seat that we gave.
    pub fn member(&self, request: &HttpRequest, room: RoomId) -> Option<MemberId> {
        Some(self.id(&self.secret(request)?, room))
    }

    /// The member id of a visitor, and the seat to give to them: a new one for
    /// a visitor without a seat, or theirs again, so that it outlives this room.
    pub fn member_or_new(&self, request: &HttpRequest, room: RoomId) -> Result<(MemberId, SeatCarrier), ApiError> {
        let secret = self.secret(request).or_else(random_bytes).ok_or(Code::Internal)?;
        let member = self.id(&secret, room);
        if carried(request).is_some() {
            return Ok((member, SeatCarrier::Page(self.sealed(&secret))));
        }
        let cookie = Cookie::build(self.name(), self.sealed(&secret))
            .path(if self.secure { "/" } else { "/api" })
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .max_age(KEPT)
            .finish();
        Ok((member, SeatCarrier::Cookie(cookie)))
    }

    /// What a visitor's page carries, or else their cookie holds.
    fn secret(&self, request: &HttpRequest) -> Option<SeatSecret> {
        match carried(request) {
            Some(value) => self.opened(value),
            None => self.opened(request.cookie(self.name())?.value()),
        }
    }

    fn name(&self) -> &'static str {
        if self.secure { NAME_HTTPS } else { NAME }
    }

    fn sealed(&self, secret: &SeatSecret) -> String {
        let mac = hmac::sign(&self.mac_key, secret);
        BASE64_URL_SAFE_NO_PAD.encode([secret, &mac.as_ref()[..MAC]].concat())
    }

    fn opened(&self, value: &str) -> Option<SeatSecret> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(value).ok()?;
        let (secret, mac) = bytes.split_first_chunk()?;
        let ours = hmac::sign(&self.mac_key, secret);
        verify_slices_are_equal(&ours.as_ref()[..MAC], mac).is_ok().then_some(*secret)
    }

    fn id(&self, secret: &SeatSecret, room: RoomId) -> MemberId {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(secret);
        context.update(room.0.as_bytes());
        let mut id = [0; 16];
        id.copy_from_slice(&context.sign().as_ref()[..16]);
        MemberId(id)
    }
}

/// What a page says that carries its seat; a socket's handshake has no headers
/// of a page's own.
fn carried(request: &HttpRequest) -> Option<&str> {
    let header = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    header.or_else(|| offered_beside(request, SOCKET_PROTOCOL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_ours_or_none() {
        let seats = Seats::new(&[1; 32], &[2; 32], true);
        let sealed = seats.sealed(&[7; 32]);
        assert_eq!(seats.opened(&sealed), Some([7; 32]));
        let made_up = BASE64_URL_SAFE_NO_PAD.encode([7; 48]);
        let bare = BASE64_URL_SAFE_NO_PAD.encode([7; 32]);
        let elsewhere = Seats::new(&[1; 32], &[3; 32], true).sealed(&[7; 32]);
        for planted in [&*made_up, &bare, &elsewhere, "", "x", &sealed[..sealed.len() - 4]] {
            assert_eq!(seats.opened(planted), None, "{planted}");
        }
    }
}
