//! The owner's calls on the seal of their inbox. Keys are made and wrapped in browsers; here they are kept, and given to
//! those who need them.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use annon_contract::code::Code;
use annon_contract::limits::HANDOVER_KEPT;
use annon_store::StoreError;
use annon_store::inbox_seal::{Handover, InboxKey, InboxSeal, SealChange, WrappedKey};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;

/// With what notes to an inbox are sealed.
#[derive(Serialize, ToSchema)]
pub struct SealItem {
    /// The public key, an uncompressed point of P-256: 65 bytes in base64url.
    key: String,
    /// Whether the inbox takes notes, too, that their senders can't seal.
    open_notes: bool,
}

impl From<&InboxSeal> for SealItem {
    fn from(seal: &InboxSeal) -> Self {
        Self { key: seal.key.text(), open_notes: seal.open_notes }
    }
}

/// The seal of the caller's inbox.
#[derive(Serialize, ToSchema)]
pub struct SealData {
    #[serde(flatten)]
    seal: SealItem,
    /// The private key, as the caller's browser has wrapped it with the recovery code, in base64url.
    wrapped: String,
    /// Whether notes are sealed now. If not, the key opens older ones.
    on: bool,
}

/// How the caller's inbox is sealed.
#[derive(Serialize, ToSchema)]
pub struct SealShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// `null` if it was never sealed.
    data: Option<SealData>,
}

/// Returns how the caller's inbox is sealed.
#[utoipa::path(get, path = "/api/seal", tag = "inbox", security(("bearer" = [])), responses(
    (status = 200, body = SealShown), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, caller: SignedIn) -> Answer {
    let seal = app.store.inbox_seals().of(caller.account).await?;
    let data = seal.map(|seal| SealData { seal: (&seal).into(), wrapped: seal.wrapped.text(), on: seal.on });
    Ok(HttpResponse::Ok().json(SealShown { status: 200, data }))
}

/// Makes a change, also if the caller hangs up meanwhile.
async fn change(app: Data<App>, caller: SignedIn, change: SealChange, now: u64) -> Result<(), ApiError> {
    app.limits.take_of(Call::Publish, caller.account)?;
    let refused = instead([(StoreError::NotFound, Code::SignedOut), (StoreError::Conflict, Code::NoSeal)]);
    to_the_end(async move { Ok(app.store.inbox_seals().change(caller.account, change, now).await.map_err(refused)?) })
        .await
}

/// A key for an inbox.
#[derive(Deserialize, ToSchema)]
pub struct SealInbox {
    /// The public key, an uncompressed point of P-256: 65 bytes in base64url.
    key: String,
    /// The private key, wrapped by the caller's browser, in base64url: at most 512 bytes.
    wrapped: String,
    /// Whether notes are taken, too, that their senders can't seal.
    open_notes: bool,
}

/// Seals the caller's inbox: senders are given this key from now on.
///
/// It takes the place of an earlier one. Notes that were sealed with that stay as they are.
#[utoipa::path(put, path = "/api/seal", tag = "inbox", security(("bearer" = [])), request_body = SealInbox, responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 422, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn begin(app: Data<App>, caller: SignedIn, Json(form): Json<SealInbox>) -> Answer {
    let (key, wrapped) = (InboxKey::try_from(&*form.key)?, WrappedKey::try_from(&*form.wrapped)?);
    let now = app.clock.timestamp();
    change(app, caller, SealChange::Begin { key, wrapped, open_notes: form.open_notes }, now).await?;
    Ok(Outcome::response(StatusCode::OK, "Inbox sealed"))
}

/// A change of a seal. What is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[schema(min_properties = 1)]
pub struct SetSeal {
    /// Whether notes are sealed from now on.
    on: Option<bool>,
    /// Whether notes are taken, too, that their senders can't seal.
    open_notes: Option<bool>,
}

/// Switches the seal of the caller's inbox off or on again, or says whether open notes are taken.
#[utoipa::path(patch, path = "/api/seal", tag = "inbox", security(("bearer" = [])), request_body = SetSeal, responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal), (status = 422, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn set(app: Data<App>, caller: SignedIn, Json(SetSeal { on, open_notes }): Json<SetSeal>) -> Answer {
    if on.is_none() && open_notes.is_none() {
        return Err(Code::FieldsInvalid.into());
    }
    let now = app.clock.timestamp();
    change(app, caller, SealChange::Set { on, open_notes }, now).await?;
    Ok(Outcome::response(StatusCode::OK, "Seal changed"))
}

/// The private key for another device.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct HandoverItem {
    /// The private key, wrapped with a key that only the two devices have, in base64url: at most 512 bytes.
    wrapped: String,
}

/// Hands the private key from one of the caller's devices to another: it waits for five minutes, and is given once.
#[utoipa::path(put, path = "/api/seal/handover", tag = "inbox", security(("bearer" = [])), request_body = HandoverItem,
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn hand_over(app: Data<App>, caller: SignedIn, Json(form): Json<HandoverItem>) -> Answer {
    let (wrapped, now) = (WrappedKey::try_from(&*form.wrapped)?, app.clock.timestamp());
    let handover = Handover { wrapped, until: now.saturating_add(HANDOVER_KEPT.as_secs()) };
    change(app, caller, SealChange::HandOver(handover), now).await?;
    Ok(Outcome::response(StatusCode::OK, "Key handed over"))
}

/// What was handed over.
#[derive(Serialize, ToSchema)]
pub struct HandoverShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    data: HandoverItem,
}

/// Takes what another device of the caller's has handed over. It is forgotten then.
#[utoipa::path(post, path = "/api/seal/handover/take", tag = "inbox", security(("bearer" = [])), responses(
    (status = 200, body = HandoverShown), (status = 401, body = Refusal), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn take(app: Data<App>, caller: SignedIn) -> Answer {
    app.limits.take_of(Call::Publish, caller.account)?;
    let now = app.clock.timestamp();
    let taken = to_the_end(async move { Ok(app.store.inbox_seals().take(caller.account, now).await?) }).await?;
    let wrapped = taken.ok_or(Code::NoHandover)?.text();
    Ok(HttpResponse::Ok().json(HandoverShown { status: 200, data: HandoverItem { wrapped } }))
}
