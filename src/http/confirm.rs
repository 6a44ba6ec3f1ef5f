//! An address that is to be somebody's: a link by mail, good once and for a
//! day. Until it is used the address finds nobody, so that signing up with one
//! tells nothing about it and takes it from nobody.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, rt};
use annon_store::StoreError;
use annon_store::account::Account;
use annon_store::limits::CONFIRMATION_LIFETIME;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, NotTaken};
use crate::client::Client;
use crate::error::{ApiError, Told};
use crate::link::Link;
use crate::mail::{self, Language, Letter};
use crate::rate_limit::Call;

const LINK_IS_DEAD: ApiError =
    ApiError::Bad(StatusCode::BAD_REQUEST, "This link has already been used or is too old. Get a new one.");
const SOMEBODY_ELSES: &str = "Another account confirmed this address first";

/// Who shows that a mail has reached them.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmEmail {
    /// What stands after `/confirm/` in the mailed link.
    token: String,
}

/// Makes the address the account's: it signs in and resets from now on.
/// Opening the link's page does not; a mail scanner opens every page.
#[utoipa::path(post, path = "/api/confirm-email", tag = "account", request_body = ConfirmEmail, responses(
    NotTaken, (status = 200, body = Told), (status = 400, body = Told, description = "The link is used or too old"),
    (status = 409, body = Told, description = "Another account was first to confirm the address"),
    (status = 422, body = Told), (status = 429, body = Told), (status = 503, body = Told),
    (status = 507, body = Told)))]
pub async fn confirm(app: Data<App>, client: Client, Json(form): Json<ConfirmEmail>) -> Result<HttpResponse, ApiError> {
    app.limits.take(Call::SignUp, client.0)?;
    let now = app.clock.timestamp();
    app.accounts.confirm(Link::digest_of(&form.token), now).await.map_err(|error| match error {
        StoreError::NotFound => LINK_IS_DEAD,
        StoreError::Conflict => ApiError::Conflict(SOMEBODY_ELSES.to_owned()),
        other => other.into(),
    })?;
    Ok(Told::response(StatusCode::OK, "Address confirmed"))
}

/// Mails the link again.
#[utoipa::path(post, path = "/api/user/send-confirmation", tag = "account", security(("bearer" = [])),
    params(Language), responses(
    (status = 200, body = Told), (status = 401, body = Told), (status = 429, body = Told),
    (status = 503, body = Told), (status = 507, body = Told)))]
pub async fn send_again(app: Data<App>, caller: SignedIn, language: Language) -> Result<HttpResponse, ApiError> {
    let account = app.accounts.by_id(caller.account).await?.ok_or(ApiError::SignedOut)?;
    if account.confirmed {
        return Ok(Told::response(StatusCode::OK, "Your address is already confirmed"));
    }
    mail_behind(app, account, language)?;
    Ok(Told::response(StatusCode::OK, "We've emailed you a link. It works for 24 hours."))
}

/// Has the link mailed. What is told, and when, is the same for any address:
/// so nobody waits for what depends on it.
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
    // Also when nobody will be given the link: the disk must not tell which
    // of the two letters is written.
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
