//! Confirming an email address. A mailed link works once and for a day. Until
//! it is used, no account can be found by the address: so signing up with an
//! address reveals nothing about it, and doesn't keep its owner from using it.
//! The link may be a stranger's, so its page names the account and asks.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, rt};
use annon_contract::code::Code;
use annon_contract::limits::CONFIRMATION_LIFETIME;
use annon_store::StoreError;
use annon_store::account::{Account, AccountId, Email, LinkKind};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::limits::rate_limit::Call;
use crate::link::Link;
use crate::mail::{self, Claim, Language, Letter};
use crate::net::client::ClientIp;

pub mod waiting;

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
    let (link, now) = (Link::digest_of(&form.token), app.clock.timestamp());
    let id = app.accounts.pending_link(LinkKind::Confirmation, link, now).await?.ok_or(Code::LinkUsed)?;
    let refused = app.accounts.refuse_confirmation(link, now).await;
    refused.map_err(instead([(StoreError::NotFound, Code::LinkUsed)]))?;
    if let Some(account) = app.accounts.by_id(id).await? {
        app.waiting.remove(&account.email, id);
    }
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
    mail_behind(app, client, account, language);
    Ok(Outcome::ok(Code::ConfirmationSent))
}

/// Has an account's address mailed in the background, as soon as the address may
/// get a mail. The answer and its timing are the same for any address, so no work
/// that depends on the address is waited for.
pub fn mail_behind(app: Data<App>, client: ClientIp, account: Account, language: Language) -> rt::task::JoinHandle<()> {
    rt::spawn(async move {
        let address = account.email;
        if !app.waiting.add(&address, account.id, app.limits.name(client.0)) {
            return;
        }
        while let Err(wait) = app.limits.take_to(Call::ConfirmationMailTo, &address) {
            app.clock.sleep(wait).await;
        }
        if let Err(error) = mail(&app, address, language).await {
            tracing::warn!(%error, "a confirmation was not mailed");
        }
    })
}

/// Mails an address the links of all accounts that wait for it.
async fn mail(app: &App, address: Email, language: Language) -> Result<(), ApiError> {
    let named = app.waiting.named_now(&address);
    // The links are stored also if the letter won't contain them: otherwise the
    // disk would show which of the two letters is sent.
    let claims = try_join_all(named.into_iter().map(|account| claim(app, account))).await?;
    let claims: Vec<_> = claims.into_iter().flatten().collect();
    let letter = match app.accounts.by_email(&address).await? {
        Some(owner) => {
            let (login, reset) = (app.public_url.page("/login"), app.public_url.page("/reset"));
            let words = mail::to_its_owner(owner.username.as_str(), &login, &reset);
            Letter::new(owner.email, words)
        }
        None if claims.is_empty() => return Ok(()),
        None => Letter::new(address, mail::to_confirm(language, &claims)),
    };
    app.mailer.send(letter);
    Ok(())
}

/// An account that claims an address, with a new link. `None` if it is deleted,
/// or its address is confirmed.
async fn claim(app: &App, id: AccountId) -> Result<Option<Claim>, ApiError> {
    let Some(account) = app.accounts.by_id(id).await?.filter(|account| !account.confirmed) else { return Ok(None) };
    let (link, now) = (Link::new()?, app.clock.timestamp());
    let expires = now + CONFIRMATION_LIFETIME.as_secs();
    match app.accounts.begin_link(LinkKind::Confirmation, id, link.digest(), expires).await {
        Ok(()) => {}
        Err(StoreError::NotFound) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    Ok(Some(Claim {
        username: account.username,
        age: Duration::from_secs(now.saturating_sub(account.created)),
        page: app.public_url.page(&format!("/confirm/{}", link.token())),
    }))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use actix_web::FromRequest;
    use actix_web::test::TestRequest;
    use annon_contract::limits::CONFIRMATION_MAILS_PER_HOUR;
    use annon_store::account::{PasswordHash, TargetId, Username};
    use annon_store::{Local, Options};
    use clap::Parser;
    use uuid::Uuid;

    use super::*;
    use crate::config::Cli;
    use crate::stopped_clock::StoppedClock;

    async fn mails(app: &App, count: usize) -> Vec<String> {
        for _ in 0..10_000 {
            let held = app.mailer.held().unwrap();
            if held.len() >= count {
                return held.iter().map(|mail| mail.text.clone()).collect();
            }
            rt::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("there never were {count} mails");
    }

    /// Eight accounts behind four networks ask twice each. Then the owner asks, and is told that
    /// a mail is coming: it is the next one there is.
    #[actix_web::test]
    async fn the_next_mail_is_the_owners_however_many_strangers_have_asked() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Local::open(&Options::new(folder.path())).unwrap());
        let clock = StoppedClock::new();
        let config = Cli::parse_from(["annon"]).config;
        let app = Data::new(App::new(config, store, clock.clone(), "127.0.0.1:1".parse().unwrap()).unwrap());
        let language = Language::extract(&TestRequest::default().to_http_request()).await.unwrap();
        #[expect(clippy::async_yields_async, reason = "who asks does not always wait for the mail behind it")]
        let ask = async |n: u128, name: &str, network: u8| {
            let account = Account {
                id: AccountId(Uuid::from_u128(n)),
                target: TargetId(Uuid::from_u128(n)),
                username: Username::try_from(name.to_owned()).unwrap(),
                email: Email::try_from("wanted@mail.example".to_owned()).unwrap(),
                password: PasswordHash("$argon2id$".to_owned()),
                created: app.clock.timestamp(),
                confirmed: false,
            };
            let _ = app.accounts.create(account.clone()).await;
            let from = ClientIp(Ipv4Addr::new(203, 0, 113, network).into());
            mail_behind(app.clone(), from, account, language)
        };
        for n in 0..16 {
            let _asked = ask(1 + n % 8, &format!("stranger-{}", n % 8), (n % 4) as u8).await;
            mails(&app, (n as usize + 1).min(CONFIRMATION_MAILS_PER_HOUR as usize)).await;
        }
        // A mail is due already, so the owner's call only adds their account to it.
        ask(9, "the-owner", 9).await.await.unwrap();
        assert_eq!(mails(&app, 0).await.len(), CONFIRMATION_MAILS_PER_HOUR as usize);
        clock.pass(Duration::from_secs(3600 / u64::from(CONFIRMATION_MAILS_PER_HOUR)));
        let next = mails(&app, 4).await.pop().unwrap();
        assert!(next.contains("    the-owner\r\n") && next.matches("/confirm/").count() == 9, "{next}");
    }
}
