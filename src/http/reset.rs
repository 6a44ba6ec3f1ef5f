//! A forgotten password: a link by mail, good once and for half an hour.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, rt};
use annon_actors::ids::random_id;
use annon_actors::inbox::Tokens;
use annon_store::StoreError;
use annon_store::account::{AccountId, Email, SignUpPassword};
use annon_store::limits::RESET_LIFETIME;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::body::{Json, NotTaken};
use crate::client::Client;
use crate::error::{ApiError, Told};
use crate::http::to_the_end;
use crate::link::Link;
use crate::mail::{self, Language, Letter};
use crate::rate_limit::Call;

const LINK_IS_DEAD: ApiError =
    ApiError::Bad(StatusCode::BAD_REQUEST, "This link has already been used or is too old. Get a new one.");

/// Who forgot a password.
#[derive(Deserialize, ToSchema)]
pub struct ResetRequest {
    /// The account's address.
    #[schema(example = "some@body.example")]
    email: String,
}

/// Mails a link, if there is such an account. The answer doesn't tell.
#[utoipa::path(post, path = "/api/password-reset", tag = "account", request_body = ResetRequest,
    params(Language), responses(
    (status = 200, body = Told), (status = 422, body = Told), (status = 429, body = Told), NotTaken))]
pub async fn request(
    app: Data<App>,
    client: Client,
    language: Language,
    Json(form): Json<ResetRequest>,
) -> Result<HttpResponse, ApiError> {
    let email =
        Email::try_from(form.email).map_err(|_| ApiError::Bad(StatusCode::UNPROCESSABLE_ENTITY, "Invalid Email"))?;
    app.limits.take(Call::Reset, client.0)?;
    // Looking the account up, storing and mailing take time that would tell
    // whether it exists; so the answer doesn't wait for them.
    let behind = app.clone();
    rt::spawn(async move {
        if let Err(error) = mail_link(&behind, email, language).await {
            tracing::warn!(%error, "a reset link was not mailed");
        }
    });
    Ok(Told::response(
        StatusCode::OK,
        "If there's an account with this address, we've emailed it a link. The link works for 30 minutes.",
    ))
}

async fn mail_link(app: &App, email: Email, language: Language) -> Result<(), ApiError> {
    app.limits.take_to(Call::ResetMailTo, &email)?;
    let link = Link::new()?;
    let expires = app.clock.timestamp() + RESET_LIFETIME.as_secs();
    let Some(account) = app.accounts.by_email(&email).await? else {
        // As much is written for an address that nobody has, or whoever can
        // watch the disk's counters would be told.
        app.limits.take_in_all(Call::Decoy)?;
        return Ok(app.accounts.begin_decoy_reset(AccountId(random_id()), link.digest(), expires).await?);
    };
    app.accounts.begin_reset(account.id, link.digest(), expires).await?;
    // The host is the configured one, never what a request claimed.
    let link = app.public_url.page(&format!("/reset/{}", link.token()));
    let words = mail::to_reset(language, account.username.as_str(), &link);
    app.mailer.send(Letter { to: account.email, words });
    Ok(())
}

/// A new password, and the link's token to prove who sets it.
#[derive(Deserialize, ToSchema)]
pub struct ResetConfirm {
    /// What stands after `/reset/` in the mailed link.
    token: String,
    /// At least 8 characters.
    #[schema(example = "battery staple")]
    new_password: String,
}

/// A new password.
#[derive(Serialize, ToSchema)]
pub struct PasswordSet {
    /// The HTTP status, once more.
    #[schema(example = 200)]
    status: u16,
    /// A sentence for a person.
    #[schema(example = "Password Changed!")]
    message: &'static str,
    /// To be shown at the next sign-in from here. It opens nothing.
    device: String,
}

/// Sets the password, uses the link up and ends every token of the account.
#[utoipa::path(post, path = "/api/password-reset/confirm", tag = "account", request_body = ResetConfirm, responses(
    NotTaken, (status = 200, body = PasswordSet), (status = 400, body = Told, description = "The link is used or too old"),
    (status = 422, body = Told), (status = 429, body = Told), (status = 503, body = Told), (status = 507, body = Told)))]
pub async fn confirm(app: Data<App>, client: Client, Json(form): Json<ResetConfirm>) -> Result<HttpResponse, ApiError> {
    let password = SignUpPassword::try_from(form.new_password)?.0;
    app.limits.take(Call::Reset, client.0)?;
    let digest = Link::digest_of(&form.token);
    let now = app.clock.timestamp();
    // Asked first, so that a made-up token costs no hashing.
    app.accounts.pending_reset(digest, now).await?.ok_or(LINK_IS_DEAD)?;
    let hash = app.passwords.hash(password).await?;
    let behind = app.clone();
    let account = to_the_end(async move {
        let app = behind;
        let _one = app.passwords.replacing().await;
        let account = app.accounts.finish_reset(digest, hash, now).await.map_err(|error| match error {
            StoreError::NotFound => LINK_IS_DEAD,
            other => other.into(),
        })?;
        app.inboxes.sign_out(account, Tokens::All);
        Ok(account)
    })
    .await?;
    let device = app.guesses.new_device(account)?;
    Ok(HttpResponse::Ok().json(PasswordSet { status: 200, message: "Password Changed!", device }))
}
