//! A forgotten password. A mailed link works once and for half an hour.

use actix_web::web::Data;
use actix_web::{HttpResponse, rt};
use annon_actors::ids::random_id;
use annon_actors::inbox::TokenFilter;
use annon_contract::code::Code;
use annon_contract::limits::RESET_LIFETIME;
use annon_store::StoreError;
use annon_store::account::{AccountId, Email, LinkKind, SignUpPassword};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::link::Link;
use crate::mail::{self, Language, Letter};
use crate::net::client::ClientIp;

/// A form to ask for a reset link.
#[derive(Deserialize, ToSchema)]
pub struct ResetRequest {
    /// The account's address.
    #[schema(example = "some@body.example")]
    email: String,
}

/// Mails a reset link if an account has this address.
///
/// The answer doesn't tell whether one does.
#[utoipa::path(post, path = "/api/password-reset", tag = "account", request_body = ResetRequest,
    params(Language), responses(
    (status = 200, body = Outcome), (status = 422, body = Refusal), (status = 429, body = Refusal), JsonRefusal))]
pub async fn request(app: Data<App>, client: ClientIp, language: Language, Json(form): Json<ResetRequest>) -> Answer {
    let email = Email::try_from(form.email).map_err(|_| Code::ResetEmailInvalid)?;
    app.limits.take(Call::Reset, client.0)?;
    // Looking the account up, storing and mailing take time, which would show
    // whether the account exists. So the answer doesn't wait for them.
    let behind = app.clone();
    rt::spawn(async move {
        if let Err(error) = mail_link(&behind, email, language).await {
            tracing::warn!(%error, "a reset link was not mailed");
        }
    });
    Ok(Outcome::ok(Code::ResetSent))
}

async fn mail_link(app: &App, email: Email, language: Language) -> Result<(), ApiError> {
    let too_many = |wait| ApiError::with_wait(Code::TooManyAttempts, wait);
    app.limits.take_to(Call::ResetMailTo, &email).map_err(too_many)?;
    let link = Link::new()?;
    let expires = app.clock.timestamp() + RESET_LIFETIME.as_secs();
    let Some(account) = app.accounts.by_email(&email).await? else {
        // The same amount is written for an address without an account: else
        // the disk's counters would show that there is none.
        app.limits.take_in_all(Call::Decoy)?;
        return Ok(app.accounts.begin_decoy_reset(AccountId(random_id()), link.digest(), expires).await?);
    };
    app.accounts.begin_link(LinkKind::Reset, account.id, link.digest(), expires).await?;
    // The host is the configured one, never what a request claimed.
    let link = app.public_url.page(&format!("/reset/{}", link.token()));
    let words = mail::to_reset(language, account.username.as_str(), &link);
    app.mailer.send(Letter::new(account.email, words));
    Ok(())
}

/// A new password, and the token of the reset link.
#[derive(Deserialize, ToSchema)]
pub struct ResetConfirm {
    /// The part of the mailed link after `/reset/`.
    token: String,
    /// The new password.
    #[schema(example = "battery staple")]
    new_password: String,
}

/// The answer when a new password is set.
#[derive(Serialize, ToSchema)]
pub struct PasswordSet {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// A sentence to show to the user.
    #[schema(example = "Password Changed!")]
    message: &'static str,
    /// Send this back as `device` at the next sign-in from this browser. It
    /// gives no access.
    device: String,
}

impl PasswordSet {
    /// With a new device token, since the new password ended the older ones.
    pub async fn response(app: &App, account: AccountId) -> Answer {
        let account_version = app.account_version(account).await?.ok_or(Code::SignedOut)?;
        let device = app.password_attempts.token_for(account_version, None)?;
        Ok(HttpResponse::Ok().json(Self { status: 200, message: "Password Changed!", device }))
    }
}

/// Sets a new password.
///
/// The link stops working, and so does every token of the account.
#[utoipa::path(post, path = "/api/password-reset/confirm", tag = "account", request_body = ResetConfirm, responses(
    JsonRefusal, (status = 200, body = PasswordSet), (status = 400, body = Refusal, description = "The link was already used or is too old"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn confirm(app: Data<App>, client: ClientIp, Json(form): Json<ResetConfirm>) -> Answer {
    let password = SignUpPassword::try_from(form.new_password)?.0;
    app.limits.take(Call::Reset, client.0)?;
    let digest = Link::digest_of(&form.token);
    let now = app.clock.timestamp();
    // Checked first, so that an invented token costs no hashing.
    let owner = app.accounts.pending_link(LinkKind::Reset, digest, now).await?.ok_or(Code::LinkUsed)?;
    let owner = app.accounts.by_id(owner).await?.ok_or(Code::LinkUsed)?;
    if password.is_name(&owner.username) {
        return Err(Code::PasswordIsUsername.into());
    }
    let hash = app.passwords.hash(password).await?;
    let behind = app.clone();
    let account = to_the_end(async move {
        let app = behind;
        let account = app
            .accounts
            .finish_reset(digest, hash, now)
            .await
            .map_err(instead([(StoreError::NotFound, Code::LinkUsed)]))?;
        app.inboxes.sign_out(account, TokenFilter::All);
        Ok(account)
    })
    .await?;
    PasswordSet::response(&app, account).await
}
