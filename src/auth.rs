//! Access tokens: HS256, checked against the account at every call.
//!
//! A token is read from the Authorization header or a socket's subprotocol,
//! never from the cookies in which the web app keeps it.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, SEC_WEBSOCKET_PROTOCOL};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use annon_actors::clock::SharedClock;
use annon_actors::ids::random_id;
use annon_contract::code::Code;
use annon_contract::limits::TOKEN_LIFETIME;
use annon_store::account::{AccountId, Accounts, PasswordHash, Timestamp, TokenId};
use annon_store::shield::day_of;
use annon_store::sign_in::{Browser, SignIn, SignIns, System};
use annon_store::{Engine, Record, StoreError};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::App;
use crate::error::{ApiError, instead};

/// The subprotocol that a page offers together with its token.
pub const SOCKET_PROTOCOL: &str = "bearer";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    /// The account.
    sub: Uuid,
    /// When the token expires.
    exp: Timestamp,
    /// The token's own id, new at each sign-in.
    jti: Uuid,
    /// The account's version at the sign-in.
    ver: u32,
}

pub struct AccessTokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
    accounts: Arc<dyn Accounts>,
    sign_ins: Arc<dyn SignIns>,
    record: Arc<dyn Record>,
    clock: SharedClock,
}

impl AccessTokens {
    /// `key` is one of the store's secrets.
    pub fn new(key: &[u8; 32], store: &dyn Engine, clock: SharedClock) -> Self {
        Self {
            encoding: EncodingKey::from_secret(key),
            decoding: DecodingKey::from_secret(key),
            validation: validation(),
            accounts: store.accounts(),
            sign_ins: store.sign_ins(),
            record: store.record(),
            clock,
        }
    }

    /// A token for somebody who has just entered the right password; `shown` is
    /// the hash that it was compared with.
    pub async fn issue(
        &self,
        account: AccountId,
        shown: &PasswordHash,
        browser: KnownOrNot,
        may_write: bool,
    ) -> Result<String, ApiError> {
        let access = self.accounts.access(account).await?.ok_or(Code::WrongCredentials)?;
        // Comparing takes a while, and the password may have been changed
        // meanwhile. The version was read first: if the hash is still the same
        // now, any change comes later, and ends this version.
        let current = self.accounts.by_id(account).await?;
        if current.is_none_or(|current| current.password != *shown) {
            return Err(Code::WrongCredentials.into());
        }
        let now = self.clock.timestamp();
        let exp = now + TOKEN_LIFETIME.as_secs();
        let claims = Claims { sub: account.0, exp, jti: random_id(), ver: access.version };
        if may_write {
            let noted = self.sign_ins.begin(account, browser.sign_in(&claims, now), now).await;
            match noted {
                Ok(()) => {}
                Err(StoreError::Conflict | StoreError::NotFound) => return Err(Code::WrongCredentials.into()),
                // Nobody is kept from their inbox, and from deleting something there, by a full disk.
                Err(error) => tracing::warn!(%error, "a sign-in is not in the list of sign-ins"),
            }
        }
        Ok(encode(&Header::new(Algorithm::HS256), &claims, &self.encoding).map_err(|_| Code::Internal)?)
    }

    /// The caller, if the token is valid right now.
    pub async fn check(&self, token: &str) -> Result<SignedIn, ApiError> {
        let claims: Claims = decode(token, &self.decoding, &self.validation).map_err(|_| Code::SignedOut)?.claims;
        let signed_in = SignedIn {
            account: AccountId(claims.sub),
            token: TokenId(claims.jti),
            expires: claims.exp,
            version: claims.ver,
        };
        if self.is_good(&signed_in).await? { Ok(signed_in) } else { Err(Code::SignedOut.into()) }
    }

    /// Whether a token that `check` has accepted is still valid.
    pub async fn is_good(&self, signed_in: &SignedIn) -> Result<bool, ApiError> {
        if signed_in.expires <= self.clock.timestamp() {
            return Ok(false);
        }
        let server = self.record.server();
        let access = self.accounts.access(signed_in.account).await?;
        let is_good = access.is_some_and(|access| access.admits(signed_in.token, signed_in.version));
        if !is_good {
            // A page that is told this forgets its token.
            self.record.confirm(server).await?;
        }
        Ok(is_good)
    }

    /// How long until a token expires.
    pub fn time_left(&self, signed_in: &SignedIn) -> Duration {
        Duration::from_secs(signed_in.expires.saturating_sub(self.clock.timestamp()))
    }
}

/// The browser of a sign-in, and whether the account knows it.
#[derive(Debug, Clone, Copy)]
pub struct KnownOrNot {
    pub program: (Browser, System),
    pub is_known: bool,
}

impl KnownOrNot {
    fn sign_in(self, claims: &Claims, now: Timestamp) -> SignIn {
        let (browser, system) = self.program;
        SignIn {
            token: TokenId(claims.jti),
            version: claims.ver,
            browser,
            system,
            began: day_of(now),
            used: day_of(now),
            expires: claims.exp,
            is_unknown: !self.is_known,
        }
    }
}

fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_required_spec_claims(&["exp", "sub"]);
    validation.leeway = 0;
    // `is_good` checks the time, with the clock of the whole server.
    validation.validate_exp = false;
    validation
}

/// Reads a token as `check` does, and what it claims without its signature.
#[cfg(any(test, fuzzing))]
pub(crate) fn read(token: &str) {
    let _ = decode::<Claims>(token, &DecodingKey::from_secret(&[7; 32]), &validation());
    let _ = jsonwebtoken::dangerous::insecure_decode::<Claims>(token);
}

/// `SignedOut` if the account isn't found: it was deleted a moment ago.
pub fn or_signed_out(error: StoreError) -> Code {
    instead([(StoreError::NotFound, Code::SignedOut)])(error)
}

/// A caller with a valid token.
#[derive(Debug, Clone, Copy)]
pub struct SignedIn {
    pub account: AccountId,
    /// The token's own id.
    pub token: TokenId,
    pub expires: Timestamp,
    /// The account's version when the token was made.
    pub version: u32,
}

impl SignedIn {
    /// Whether the sign-in began on an earlier day.
    pub fn is_of_another_day(&self, now: Timestamp) -> bool {
        day_of(self.expires.saturating_sub(TOKEN_LIFETIME.as_secs())) < day_of(now)
    }
}

impl FromRequest for SignedIn {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = bearer(request).map(str::to_owned);
        let app = request.app_data::<Data<App>>().cloned();
        Box::pin(async move {
            let app = app.ok_or(Code::Internal)?;
            let caller = app.tokens.check(&token.ok_or(Code::SignedOut)?).await?;
            app.note_use(caller.account).await;
            app.note_use_of(&caller).await;
            Ok(caller)
        })
    }
}

/// A caller with a valid token whose account isn't suspended: what they do reaches others.
#[derive(Debug, Clone, Copy)]
pub struct Active(SignedIn);

impl Deref for Active {
    type Target = SignedIn;

    fn deref(&self) -> &SignedIn {
        &self.0
    }
}

impl FromRequest for Active {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let signed_in = SignedIn::from_request(request, payload);
        let app = request.app_data::<Data<App>>().cloned();
        Box::pin(async move {
            let (caller, app) = (signed_in.await?, app.ok_or(Code::Internal)?);
            app.must_not_be_suspended(caller.account, Code::Suspended).await?;
            Ok(Self(caller))
        })
    }
}

fn bearer(request: &HttpRequest) -> Option<&str> {
    let (scheme, token) = request.headers().get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The second subprotocol of a handshake, if the first is `protocol`. Pages
/// can't set headers here, so they send `bearer, <token>`.
pub fn offered_beside<'r>(request: &'r HttpRequest, protocol: &str) -> Option<&'r str> {
    let lines = request.headers().get_all(SEC_WEBSOCKET_PROTOCOL).filter_map(|line| line.to_str().ok());
    let mut offered = lines.flat_map(|line| line.split(',')).map(str::trim);
    if offered.next()? == protocol { offered.next() } else { None }
}
