//! Confirming an email address. A mailed link works once and for a day. Until
//! it is used, no account can be found by the address: so signing up with an
//! address reveals nothing about it, and doesn't keep its owner from using it.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, rt};
use annon_contract::code::Code;
use annon_contract::limits::CONFIRMATION_LIFETIME;
use annon_store::StoreError;
use annon_store::account::Account;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, NotTaken};
use crate::client::Client;
use crate::error::{ApiError, Refusal, Told};
use crate::link::Link;
use crate::mail::{self, Language, Letter};
use crate::rate_limit::Call;

/// The token of a confirmation link.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmEmail {
    /// The part of the mailed link after `/confirm/`.
    token: String,
}

/// Confirms the address: from now on it can sign in and reset the password.
///
/// Opening the link's page confirms nothing, because mail scanners open every
/// link.
#[utoipa::path(post, path = "/api/confirm-email", tag = "account", request_body = ConfirmEmail, responses(
    NotTaken, (status = 200, body = Told), (status = 400, body = Refusal, description = "The link was already used or is too old"),
    (status = 409, body = Refusal, description = "Another account confirmed the address first"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
    (status = 507, body = Refusal)))]
pub async fn confirm(app: Data<App>, client: Client, Json(form): Json<ConfirmEmail>) -> Result<HttpResponse, ApiError> {
    app.limits.take(Call::SignUp, client.0)?;
    let now = app.clock.timestamp();
    app.accounts.confirm(Link::digest_of(&form.token), now).await.map_err(|error| match error {
        StoreError::NotFound => Code::LinkUsed,
        StoreError::Conflict => Code::EmailConfirmedElsewhere,
        other => other.into(),
    })?;
    Ok(Told::response(StatusCode::OK, "Address confirmed"))
}

/// Mails the confirmation link again.
#[utoipa::path(post, path = "/api/user/send-confirmation", tag = "account", security(("bearer" = [])),
    params(Language), responses(
    (status = 200, body = Told), (status = 401, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn send_again(app: Data<App>, caller: SignedIn, language: Language) -> Result<HttpResponse, ApiError> {
    let account = app.accounts.by_id(caller.account).await?.ok_or(Code::SignedOut)?;
    if account.confirmed {
        return Ok(Told::good(Code::EmailConfirmedBefore));
    }
    mail_behind(app, account, language)?;
    Ok(Told::good(Code::ConfirmationSent))
}

/// Mails the link in the background. The answer and its timing are the same
/// for any address, so no work that depends on the address is waited for.
pub fn mail_behind(app: Data<App>, account: Account, language: Language) -> Result<(), ApiError> {
    app.limits.take_of(Call::ConfirmationOf, account.id)?;
    rt::spawn(async move {
        if let Err(error) = mail(&app, account, language).await {
            tracing::warn!(%error, "a confirmation was not mailed");
        }
    });
    Ok(())
}

async fn mail(app: &App, account: Account, language: Language) -> Result<(), ApiError> {
    app.limits.take_to(Call::SignUpMailTo, &account.email)?;
    let link = Link::new()?;
    let expires = app.clock.timestamp() + CONFIRMATION_LIFETIME.as_secs();
    // Stored also if the letter won't contain the link: otherwise the disk
    // would show which of the two letters is sent.
    app.accounts.begin_confirmation(account.id, link.digest(), expires).await?;
    let letter = match app.accounts.by_email(&account.email).await? {
        Some(owner) => {
            let (login, reset) = (app.public_url.page("/login"), app.public_url.page("/reset"));
            Letter { words: mail::to_its_owner(owner.username.as_str(), &login, &reset), to: owner.email }
        }
        None => {
            let page = app.public_url.page(&format!("/confirm/{}", link.token()));
            Letter { words: mail::to_confirm(language, account.username.as_str(), &page), to: account.email }
        }
    };
    app.mailer.send(letter);
    Ok(())
}
