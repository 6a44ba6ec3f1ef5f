//! The caller's digest: a mail a day, at most, that counts what is waiting. Its link ends it without signing in, also
//! when a mail program asks for that in one click (RFC 8058).

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_contract::code::Code;
use annon_store::digest::Digest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{SignedIn, or_signed_out};
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, ApiError, Outcome, Refusal};
use crate::http::site::Site;
use crate::http::site::form::FormAnswer;
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::mail::Language;
use crate::net::client::ClientIp;

/// Whether the caller gets a digest.
#[derive(Serialize, ToSchema)]
pub struct DigestData {
    on: bool,
}

/// The digest of the caller.
#[derive(Serialize, ToSchema)]
pub struct DigestShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    data: DigestData,
}

/// Tells whether the caller gets a digest.
#[utoipa::path(get, path = "/api/digest", tag = "push", security(("bearer" = [])), responses(
    (status = 200, body = DigestShown), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, caller: SignedIn) -> Answer {
    let on = app.store.digests().of(caller.account).await?.is_some();
    Ok(HttpResponse::Ok().json(DigestShown { status: 200, data: DigestData { on } }))
}

/// Whether a digest is wanted.
#[derive(Deserialize, ToSchema)]
pub struct SetDigest {
    on: bool,
}

/// Switches the caller's digest on or off.
///
/// It comes once a day at most, and only if something has come that the caller hasn't seen. It has numbers, and no
/// words of anybody.
#[utoipa::path(put, path = "/api/digest", tag = "push", security(("bearer" = [])), request_body = SetDigest, params(Language),
    responses((status = 200, body = Outcome), JsonRefusal, (status = 401, body = Refusal),
    (status = 409, body = Refusal, description = "The caller's address isn't confirmed"), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn set(app: Data<App>, caller: SignedIn, language: Language, Json(form): Json<SetDigest>) -> Answer {
    let account = app.accounts.by_id(caller.account).await?.ok_or(Code::SignedOut)?;
    if form.on && !account.confirmed {
        return Err(Code::EmailNotConfirmed.into());
    }
    app.limits.take_of(Call::Subscribe, account.id)?;
    let now = app.clock.timestamp();
    let due = app.digest_links.first_due(account.id, now);
    let digest = Digest { language: language.kept(), began: now, since: now, due };
    to_the_end(async move {
        let digests = app.store.digests();
        if form.on {
            digests.begin(account.id, digest).await.map_err(or_signed_out)?;
        } else {
            digests.end(account.id, None).await?;
        }
        Ok(())
    })
    .await?;
    Ok(Outcome::response(StatusCode::OK, if form.on { "Digest on" } else { "Digest off" }))
}

/// Ends the digest whose link this is, and answers with a page. Mail programs send this form by themselves, so it says
/// nothing of where it comes from.
pub async fn end(
    app: Data<App>,
    site: Data<Site>,
    client: ClientIp,
    token: Path<String>,
    request: HttpRequest,
) -> HttpResponse {
    let answer = match end_by(&app, client, &token).await {
        Ok(()) => FormAnswer { outcome: Ok(StatusCode::OK), ..FormAnswer::SENT },
        Err(error) => FormAnswer::refused(error),
    };
    site.answer_form(&request, None, answer, &[])
}

async fn end_by(app: &Data<App>, client: ClientIp, token: &str) -> Result<(), ApiError> {
    app.pausing.may_write()?;
    app.limits.take(Call::SignUp, client.0)?;
    let (account, began) = app.digest_links.opened(token).ok_or(Code::LinkUsed)?;
    let app = app.clone();
    // It may have ended already, and its account be gone.
    to_the_end(async move { Ok(app.store.digests().end(account, Some(began)).await?) }).await
}
