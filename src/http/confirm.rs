//! Confirming an email address. A mailed link works once and for a day. Until
//! it is used, no account can be found by the address: so signing up with an
//! address reveals nothing about it, and doesn't keep its owner from using it.
//! The link may be a stranger's, so its page names the account and asks.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, rt};
use annon_contract::code::Code;
use annon_contract::limits::CONFIRMATION_LIFETIME;
use annon_store::StoreError;
use annon_store::account::{Account, Email, LinkKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::limits::rate_limit::{Call, RateLimits};
use crate::link::Link;
use crate::mail::{self, Language, Letter};
use crate::net::client::ClientIp;

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
    JsonRefusal, (status = 200, body = Outcome), (status = 400, body = Refusal, description = "The link was already used or is too old"),
    (status = 409, body = Refusal, description = "Another account confirmed the address first"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
    (status = 507, body = Refusal)))]
pub async fn confirm(app: Data<App>, client: ClientIp, Json(form): Json<ConfirmEmail>) -> Answer {
    app.limits.take(Call::SignUp, client.0)?;
    let now = app.clock.timestamp();
    app.accounts.confirm(Link::digest_of(&form.token), now).await.map_err(instead([
        (StoreError::NotFound, Code::LinkUsed),
        (StoreError::Conflict, Code::EmailConfirmedElsewhere),
    ]))?;
    Ok(Outcome::response(StatusCode::OK, "Address confirmed"))
}

/// The account that a confirmation link belongs to.
#[derive(Serialize, ToSchema)]
pub struct LinkOwner {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The account that the address would be confirmed for.
    #[schema(example = "some-body")]
    username: String,
}

/// Returns the account that a confirmation link would give the address to.
///
/// Whoever opens the link has to see the account before they confirm, because
/// anybody can sign up with anybody's address. The link still works afterwards.
#[utoipa::path(post, path = "/api/confirm-email/account", tag = "account", request_body = ConfirmEmail, responses(
    JsonRefusal, (status = 200, body = LinkOwner), (status = 400, body = Refusal, description = "The link was already used or is too old"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn account(app: Data<App>, client: ClientIp, Json(form): Json<ConfirmEmail>) -> Answer {
    app.limits.take(Call::SignUp, client.0)?;
    let id =
        app.accounts.pending_link(LinkKind::Confirmation, Link::digest_of(&form.token), app.clock.timestamp()).await?;
    let account = app.accounts.by_id(id.ok_or(Code::LinkUsed)?).await?.ok_or(Code::LinkUsed)?;
    Ok(HttpResponse::Ok().json(LinkOwner { status: 200, username: account.username.as_str().to_owned() }))
}

/// Ends a confirmation link, for somebody who says that the account isn't
/// theirs.
#[utoipa::path(delete, path = "/api/confirm-email", tag = "account", request_body = ConfirmEmail, responses(
    JsonRefusal, (status = 200, body = Outcome), (status = 400, body = Refusal, description = "The link was already used or is too old"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
    (status = 507, body = Refusal)))]
pub async fn refuse(app: Data<App>, client: ClientIp, Json(form): Json<ConfirmEmail>) -> Answer {
    app.limits.take(Call::SignUp, client.0)?;
    let refused = app.accounts.refuse_confirmation(Link::digest_of(&form.token), app.clock.timestamp()).await;
    refused.map_err(instead([(StoreError::NotFound, Code::LinkUsed)]))?;
    Ok(Outcome::response(StatusCode::OK, "Link ended"))
}

/// Mails the confirmation link again.
#[utoipa::path(post, path = "/api/user/send-confirmation", tag = "account", security(("bearer" = [])),
    params(Language), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn send_again(app: Data<App>, client: ClientIp, caller: SignedIn, language: Language) -> Answer {
    let account = app.accounts.by_id(caller.account).await?.ok_or(Code::SignedOut)?;
    if account.confirmed {
        return Ok(Outcome::ok(Code::EmailConfirmedBefore));
    }
    app.limits.take_of(Call::ConfirmationOf, account.id)?;
    app.limits.take_from_to(Call::LinkAgainFrom, client.0, &account.email)?;
    mail_behind(app, account, language, |limits, address| limits.take_to(Call::LinkAgainTo, address));
    Ok(Outcome::ok(Code::ConfirmationSent))
}

/// Mails a new account its confirmation link.
pub fn mail_first(app: Data<App>, client: ClientIp, account: Account, language: Language) -> Result<(), ApiError> {
    app.limits.take_of(Call::ConfirmationOf, account.id)?;
    // A caller who signs up again and again with another person's address
    // reaches the caller's own limit before the address's.
    mail_behind(app, account, language, move |limits, address| {
        limits.take_from_to(Call::SignUpMailFrom, client.0, address)?;
        limits.take_to(Call::SignUpMailTo, address)
    });
    Ok(())
}

/// Mails the link in the background. The answer and its timing are the same
/// for any address, so no work that depends on the address is waited for.
fn mail_behind(
    app: Data<App>,
    account: Account,
    language: Language,
    count: impl FnOnce(&RateLimits, &Email) -> Result<(), ApiError> + 'static,
) {
    rt::spawn(async move {
        let mailed = match count(&app.limits, &account.email) {
            Ok(()) => mail(&app, account, language).await,
            Err(error) => Err(error),
        };
        if let Err(error) = mailed {
            tracing::warn!(%error, "a confirmation was not mailed");
        }
    });
}

async fn mail(app: &App, account: Account, language: Language) -> Result<(), ApiError> {
    let link = Link::new()?;
    let expires = app.clock.timestamp() + CONFIRMATION_LIFETIME.as_secs();
    // The link is stored also if the letter won't contain it: otherwise the
    // disk would show which of the two letters is sent.
    app.accounts.begin_link(LinkKind::Confirmation, account.id, link.digest(), expires).await?;
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
