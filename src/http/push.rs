//! The caller's subscriptions to web push: through which of their browsers they are told while no page is open.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use annon_actors::clock::date_of_day;
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::push::{
    BrowserKey, BrowserSecret, Kind, Kinds, Language, Quiet, Subscriber, Subscription, SubscriptionId, Subscriptions,
};
use annon_store::shield::day_of;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{SignedIn, or_signed_out};
use crate::body::{Json, JsonRefusal, Whole, choice};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::push::message::is_key;

/// When nothing is sent: minutes of a day, UTC, from one to before the other. If it ends before it begins, it goes over
/// midnight.
#[derive(Serialize, ToSchema)]
pub struct QuietHours {
    #[schema(example = 1320, maximum = 1439)]
    from: u16,
    #[schema(example = 420, maximum = 1439)]
    to: u16,
}

/// When nothing is to be sent, in the same way.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct SetQuietHours {
    #[schema(value_type = u16, example = 1320, maximum = 1439)]
    from: Whole,
    #[schema(value_type = u16, example = 420, maximum = 1439)]
    to: Whole,
}

impl SetQuietHours {
    fn parsed(self) -> Result<Quiet, Code> {
        let [from, to] = [self.from, self.to].map(|Whole(minute)| u16::try_from(minute).map_err(|_| Code::PushInvalid));
        Quiet::new(from?, to?).ok_or(Code::PushInvalid)
    }
}

/// A browser that is told.
#[derive(Serialize, ToSchema)]
pub struct SubscriptionItem {
    /// The first 16 bytes of the SHA-256 of its address, in base64url: by that a browser finds its own.
    #[schema(example = "AAAAAAAAehwAAAAAAAAAAQ")]
    id: String,
    /// What it is told of.
    #[schema(value_type = Vec<String>)]
    kinds: Vec<Kind>,
    /// When nothing is sent.
    quiet: Option<QuietHours>,
    /// The day on which it was added, UTC.
    #[schema(example = "2026-11-30")]
    added: String,
}

impl From<&Subscription> for SubscriptionItem {
    fn from(Subscription { endpoint, kinds, quiet, added, .. }: &Subscription) -> Self {
        Self {
            id: BASE64_URL_SAFE_NO_PAD.encode(endpoint.id().0),
            kinds: kinds.iter().collect(),
            quiet: quiet.map(|Quiet { from, to }| QuietHours { from, to }),
            added: date_of_day(*added),
        }
    }
}

/// Which browsers are told.
#[derive(Serialize, ToSchema)]
pub struct PushData {
    /// The key that a browser binds its subscription to, in base64url; null if this server tells nobody.
    key: Option<String>,
    /// At most ten, the oldest first.
    subscriptions: Vec<SubscriptionItem>,
}

/// The subscriptions of the caller.
#[derive(Serialize, ToSchema)]
pub struct PushShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    data: PushData,
}

impl PushShown {
    pub fn of(key: Option<&str>, all: &Subscriptions) -> Self {
        let subscriptions = all.all().iter().map(SubscriptionItem::from).collect();
        Self { status: 200, data: PushData { key: key.map(str::to_owned), subscriptions } }
    }
}

/// Returns the caller's subscriptions to web push.
#[utoipa::path(get, path = "/api/push", tag = "push", security(("bearer" = [])), responses(
    (status = 200, body = PushShown), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, caller: SignedIn) -> Answer {
    let all = app.pushes.of(Subscriber::Account(caller.account)).await?;
    Ok(HttpResponse::Ok().json(PushShown::of(app.pusher.key(), &all)))
}

/// What it takes to encrypt for a browser.
#[derive(Deserialize, ToSchema)]
pub struct PushKeys {
    /// Its public key, an uncompressed point of P-256, in base64url.
    p256dh: String,
    /// Its secret of 16 bytes, in base64url.
    auth: String,
}

/// A subscription, as a browser's `PushSubscription` has it.
#[derive(Deserialize, ToSchema)]
pub struct Subscribe {
    /// Its address at a push service.
    #[schema(example = "https://fcm.googleapis.com/fcm/send/dGVzdA")]
    endpoint: String,
    keys: PushKeys,
    /// What it is told of.
    #[schema(value_type = Vec<String>)]
    kinds: Vec<KindName>,
    /// When nothing is sent; null or left out for never.
    quiet: Option<SetQuietHours>,
    /// In which language.
    #[serde(deserialize_with = "choice")]
    #[schema(value_type = String, example = "en")]
    language: Language,
}

/// A subscription of somebody without an account: of the sender of a conversation, who is told of answers, or of whoever
/// has a seat in a group, who is told that it is talking.
#[derive(Deserialize, ToSchema)]
pub struct SubscribeHere {
    /// Its address at a push service.
    #[schema(example = "https://fcm.googleapis.com/fcm/send/dGVzdA")]
    pub endpoint: String,
    pub keys: PushKeys,
    /// When nothing is sent; null or left out for never.
    pub quiet: Option<SetQuietHours>,
    /// In which language.
    #[serde(deserialize_with = "choice")]
    #[schema(value_type = String, example = "en")]
    pub language: Language,
}

/// Which subscription it is.
#[derive(Serialize, ToSchema)]
pub struct SubscribedData {
    #[schema(example = "AAAAAAAAehwAAAAAAAAAAQ")]
    id: String,
}

/// A browser is told from now on.
#[derive(Serialize, ToSchema)]
pub struct Subscribed {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    data: SubscribedData,
}

impl Subscribed {
    pub fn of(subscription: &Subscription) -> Self {
        let data = SubscribedData { id: BASE64_URL_SAFE_NO_PAD.encode(subscription.endpoint.id().0) };
        Self { status: 200, data }
    }
}

/// Has a browser of the caller told. One with the same address is replaced, and the oldest if there are ten.
#[utoipa::path(put, path = "/api/push", tag = "push", security(("bearer" = [])), request_body = Subscribe, responses(
    (status = 200, body = Subscribed), (status = 401, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn subscribe(app: Data<App>, caller: SignedIn, Json(form): Json<Subscribe>) -> Answer {
    let Subscribe { endpoint, keys, kinds, quiet, language } = form;
    let kinds = kinds.into_iter().map(|KindName(kind)| kind).collect();
    let subscription = parsed(&app, endpoint, &keys, kinds, quiet, language)?;
    app.limits.take_of(Call::Subscribe, caller.account)?;
    let answer = Subscribed::of(&subscription);
    to_the_end(async move { Ok(app.pushes.subscribe(caller.account, subscription).await.map_err(or_signed_out)?) })
        .await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Ends a subscription of the caller.
#[utoipa::path(delete, path = "/api/push/{id}", tag = "push", security(("bearer" = [])),
    params(("id" = String, Path, description = "The subscription")), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
    (status = 503, body = Refusal)))]
pub async fn unsubscribe(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let id = subscription_id(&id)?;
    let gone = instead([(StoreError::NotFound, Code::NoSuchSubscription)]);
    let subscriber = Subscriber::Account(caller.account);
    to_the_end(async move { Ok(app.pushes.unsubscribe(subscriber, id).await.map_err(gone)?) }).await?;
    Ok(Outcome::response(StatusCode::OK, "Unsubscribed"))
}

/// Ends subscriptions of somebody without an account: all, or the one that the query names.
pub async fn end_some(app: &Data<App>, subscriber: Subscriber, query: &str) -> Result<(), ApiError> {
    let query = url::form_urlencoded::parse(query.as_bytes());
    let one = query.into_iter().find(|(name, _)| name == "subscription").map(|(_, id)| subscription_id(&id));
    let (app, one) = (app.clone(), one.transpose()?);
    let gone = instead([(StoreError::NotFound, Code::NoSuchSubscription)]);
    to_the_end(async move {
        let all: Vec<SubscriptionId> = match one {
            Some(id) => vec![id],
            None => app.pushes.of(subscriber).await?.all().iter().map(|one| one.endpoint.id()).collect(),
        };
        if all.is_empty() {
            return Err(Code::NoSuchSubscription.into());
        }
        for id in all {
            app.pushes.unsubscribe(subscriber, id).await.map_err(&gone)?;
        }
        Ok(())
    })
    .await
}

/// The id of a subscription, as it is in an address.
pub fn subscription_id(text: &str) -> Result<SubscriptionId, Code> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.map(SubscriptionId).ok_or(Code::NoSuchSubscription)
}

/// Checks a subscription.
pub fn parsed(
    app: &App,
    endpoint: String,
    keys: &PushKeys,
    kinds: Kinds,
    quiet: Option<SetQuietHours>,
    language: Language,
) -> Result<Subscription, Code> {
    // Some libraries pad what browsers don't.
    let bytes = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
    let key = bytes(&keys.p256dh).filter(|key| is_key(key)).ok_or(Code::PushInvalid)?;
    let secret = bytes(&keys.auth).and_then(|secret| secret.try_into().ok()).ok_or(Code::PushInvalid)?;
    Ok(Subscription {
        endpoint: app.pusher.services.endpoint(endpoint)?,
        key: BrowserKey(key),
        secret: BrowserSecret(secret),
        kinds,
        quiet: quiet.map(SetQuietHours::parsed).transpose()?,
        language,
        added: day_of(app.clock.timestamp()),
    })
}

/// The name of a kind. Without this, anything but text would be broken JSON to serde.
#[derive(Deserialize)]
struct KindName(#[serde(deserialize_with = "choice")] Kind);
