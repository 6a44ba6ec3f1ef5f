//! The cookie of a visitor who takes seats. It is random, tells nothing and is
//! never stored: a member's id is a keyed hash of the cookie and the room, so
//! nobody can see that one person has two seats.
//!
//! Over https it is a `__Host-` cookie, which no other host of the domain can
//! set. It always ends in a MAC, so an invented cookie is worth nothing.
//!
//! If a browser keeps no cookies, the page carries the same value itself: in a
//! header, which no page of another site can send, or for a socket in a
//! subprotocol. Then no cookie is read or set.

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

/// The cookie's name over https. With this prefix a browser accepts it from
/// this host alone, and sends it with every path.
const NAME_HTTPS: &str = "__Host-annon_seat";
/// The cookie's name without https, where browsers accept no such prefix.
const NAME: &str = "annon_seat";
/// How long a browser keeps the cookie: longer than any room lives.
const KEPT: Duration = Duration::days(8);
/// Bytes of the MAC.
const MAC: usize = 16;

/// The header in which a page carries its seat and gets one.
const HEADER: HeaderName = HeaderName::from_static("annon-seat");
/// The subprotocol that a page offers together with the seat it carries.
pub const SOCKET_PROTOCOL: &str = "annon-seat";

type SeatSecret = [u8; 32];

/// The header, for the API's description.
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
    /// In the browser's cookie.
    Cookie(Cookie<'static>),
    /// In the page, which carries it in a header.
    Page(String),
}

impl SeatCarrier {
    /// Adds the seat to an answer.
    pub fn give(self, response: &mut HttpResponseBuilder) {
        match self {
            Self::Cookie(cookie) => response.cookie(cookie),
            Self::Page(value) => response.insert_header((HEADER, value)),
        };
    }
}

/// Turns a visitor's cookie into the member's id.
pub struct Seats {
    key: hmac::Key,
    mac_key: hmac::Key,
    secure: bool,
}

impl Seats {
    /// `key` is for members' ids and `mac_key` for the cookies' MACs; `secure`
    /// tells that pages come over TLS.
    pub fn new(key: &[u8; 32], mac_key: &[u8; 32], secure: bool) -> Self {
        let [key, mac_key] = [key, mac_key].map(|key| hmac::Key::new(hmac::HMAC_SHA256, key));
        Self { key, mac_key, secure }
    }

    /// The member id of a visitor in a room, if they show a seat that we gave.
    pub fn member(&self, request: &HttpRequest, room: RoomId) -> Option<MemberId> {
        Some(self.id(&self.secret(request)?, room))
    }

    /// The member id of a visitor, and the seat to give to them: a new one for
    /// a visitor without a seat, or their own again, so that it outlives this
    /// room.
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

    /// The secret in the seat that the page carries, or else in the cookie.
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

/// Whether a text is a seat under some key.
#[cfg(any(test, fuzzing))]
pub(crate) fn is_ours(text: &str, key: &[u8; 32]) -> bool {
    Seats::new(&[1; 32], key, true).opened(text).is_some()
}

/// The seat that a page carries: in the header or, for a socket, where pages
/// can't set headers, in the subprotocol.
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
