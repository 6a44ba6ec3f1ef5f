//! Signing up, signing in and out, changing the password and deleting the
//! account.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::ids::{growing_id, random_id};
use annon_actors::inbox::TokenFilter;
use annon_actors::room::command::Command;
use annon_actors::room::error::RoomError;
use annon_contract::code::Code;
use annon_contract::limits::TOKEN_LIFETIME;
use annon_store::StoreError;
use annon_store::account::{
    Account, AccountId, ChangedPassword, CurrentPassword, DeletionPassword, Email, LoginName, LoginPassword,
    NewUsername, Password, SignUpError, SignUpPassword, TargetId,
};
use annon_store::invitation::InvitationId;
use annon_store::push::Subscriber;
use annon_store::suspension::Suspension;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{KnownOrNot, SignedIn, or_signed_out};
use crate::body::{Json, JsonRefusal};
use crate::config::SignUp;
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::push::subscription_id;
use crate::http::reset::PasswordSet;
use crate::http::sign_in::program_of;
use crate::http::{confirm, to_the_end};
use crate::limits::rate_limit::Call;
use crate::link::Link;
use crate::mail::Language;
use crate::net::client::ClientIp;

/// A sign-up form.
#[derive(Deserialize, ToSchema)]
pub struct Register {
    /// Letters, digits, `-` and `_`; white space becomes `-`.
    #[schema(example = "some-body")]
    username: String,
    /// The address that password reset links are mailed to.
    #[schema(example = "some@body.example")]
    email: String,
    /// The password.
    #[schema(example = "correct horse")]
    password: String,
    /// On a server where only the invited can sign up: what follows `#i=` in the
    /// link of the invitation. Other servers pass it over.
    #[serde(default)]
    invitation: Option<String>,
    /// That the caller is as old as this server's operator asks for. Other servers pass it over.
    #[serde(default)]
    old_enough: bool,
}

impl Register {
    /// The invitation, where one is needed.
    fn invitation(&self, sign_up: SignUp) -> Result<Option<InvitationId>, Code> {
        match (sign_up, &self.invitation) {
            (SignUp::Open, _) => Ok(None),
            (SignUp::Closed, _) => Err(Code::SignUpClosed),
            (SignUp::Invitation, None) => Err(Code::InvitationNeeded),
            (SignUp::Invitation, Some(token)) => Ok(Some(Link::digest_of(token).into())),
        }
    }
}

/// The answer to a sign-up.
#[derive(Serialize, ToSchema)]
pub struct SignedUp {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// A sentence to show to the user.
    #[schema(example = "User Account Created")]
    message: &'static str,
    /// `true` if the address has to be confirmed with a mailed link, otherwise
    /// absent. Until then only the username signs in, not the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirm_by_mail: Option<bool>,
}

/// Creates an account.
///
/// If the server sends mail, the address has to be confirmed with a mailed
/// link. The answer is then the same whether or not another account has it.
#[utoipa::path(post, path = "/api/register", tag = "account", request_body = Register, params(Language), responses(
    (status = 201, body = SignedUp), (status = 403, body = Refusal, description = "Sign-up is closed, or needs an \
    invitation that works"), (status = 409, body = Refusal, description = "The username is taken. On a server \
    that sends no mail: or the address is taken"),
    (status = 422, body = Refusal, description = "A field is invalid"), (status = 429, body = Refusal),
    (status = 503, body = Refusal), (status = 507, body = Refusal, description = "The disk is nearly full, or the server \
    has its maximum number of accounts"), JsonRefusal))]
pub async fn register(app: Data<App>, client: ClientIp, language: Language, Json(form): Json<Register>) -> Answer {
    let invitation = form.invitation(app.config.community.sign_up)?;
    if app.config.community.minimum_age.is_some() && !form.old_enough {
        return Err(Code::AgeNotStated.into());
    }
    let username = NewUsername::try_from(form.username)?.0;
    let email = Email::try_from(form.email)?;
    let password = SignUpPassword::try_from(form.password)?.0;
    if password.is_name(&username) {
        return Err(Code::PasswordIsUsername.into());
    }
    app.limits.take(Call::SignUp, client.0)?;
    let now = app.clock.timestamp();
    // First of all: nobody without an invitation learns whether a name is taken.
    if let Some(id) = invitation
        && app.invitations.by_id(id, now).await?.is_none()
    {
        return Err(SignUpError::NotInvited.into());
    }
    // Checked before the costly hashing; `sign_up` checks all of it again.
    if app.accounts.by_username(&username).await?.is_some() {
        return Err(SignUpError::NameTaken.into());
    }
    if app.accounts.are_enough() {
        return Err(SignUpError::Enough.into());
    }
    let account = Account {
        id: AccountId(growing_id()),
        target: TargetId(random_id()),
        username,
        email,
        password: app.passwords.hash(password).await?,
        created: app.clock.timestamp(),
        confirmed: !app.mailer.goes_out(),
    };
    app.accounts.sign_up(account.clone(), invitation).await?;
    let confirm_by_mail = (!account.confirmed).then_some(true);
    if !account.confirmed {
        app.limits.take_of(Call::ConfirmationOf, account.id)?;
        confirm::mail_behind(app, client, account, language);
    }
    Ok(HttpResponse::Created().json(SignedUp { status: 201, message: "User Account Created", confirm_by_mail }))
}

/// Who signs in so soon after signing up is who has signed up.
const NEW_ACCOUNT: Duration = Duration::from_secs(10 * 60);

/// A sign-in form.
#[derive(Deserialize, ToSchema)]
pub struct Login {
    /// The username or the address.
    #[schema(example = "some-body")]
    email_or_username: String,
    /// The password.
    #[schema(example = "correct horse")]
    password: String,
    /// The `device` that this browser was given at its last sign-in. It keeps
    /// the account open to this browser while others guess at the password.
    #[serde(default)]
    device: Option<String>,
}

/// The answer to a sign-in.
#[derive(Serialize, ToSchema)]
pub struct LoggedIn {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// A sentence to show to the user.
    #[schema(example = "User Logged In")]
    message: &'static str,
    /// The token, to be sent as `Authorization: Bearer <token>`.
    access_token: String,
    /// Seconds until the token expires.
    #[schema(example = 7200)]
    expires_in: u64,
    /// Send this back as `device` at the next sign-in from this browser. It
    /// gives no access.
    device: String,
}

/// Signs in with a username or address and a password.
#[utoipa::path(post, path = "/api/login", tag = "account", request_body = Login, responses(
    (status = 200, body = LoggedIn), (status = 401, body = Refusal, description = "Unknown user or wrong password"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), JsonRefusal))]
pub async fn login(app: Data<App>, client: ClientIp, request: HttpRequest, Json(form): Json<Login>) -> Answer {
    let name = LoginName::try_from(form.email_or_username)?;
    let password = LoginPassword::try_from(form.password)?.0;
    app.limits.take(Call::SignIn, client.0)?;
    let account = match &name {
        LoginName::Username(username) => app.accounts.by_username(username).await?,
        LoginName::Email(email) => app.accounts.by_email(email).await?,
        LoginName::Nobody => None,
    };
    let account_version = match &account {
        Some(account) => app.account_version(account.id).await?,
        None => None,
    };
    let hash = account.as_ref().map(|account| account.password.clone());
    let is_right = app.passwords.is_right(password, hash).await?;
    let device = form.device.as_deref();
    let is_right = app.password_attempts.takes_as_right(&name, account_version, device, is_right);
    match (is_right, account.zip(account_version)) {
        (true, Some((account, account_version))) => {
            let is_known = device.is_some_and(|device| app.password_attempts.knows(account_version, device))
                || account.created + NEW_ACCOUNT.as_secs() > app.clock.timestamp();
            let browser = KnownOrNot { program: program_of(&request), is_known };
            let may_write = app.pausing.may_write().is_ok();
            let access_token = app.tokens.issue(account.id, &account.password, browser, may_write).await?;
            let device = app.password_attempts.token_for(account_version, form.device)?;
            app.note_use(account.id).await;
            let expires_in = TOKEN_LIFETIME.as_secs();
            Ok(HttpResponse::Ok().json(LoggedIn {
                status: 200,
                message: "User Logged In",
                access_token,
                expires_in,
                device,
            }))
        }
        _ => Err(Code::WrongCredentials.into()),
    }
}

/// Signs out: the token of this call stops working.
#[utoipa::path(post, path = "/api/logout", tag = "account", security(("bearer" = [])), responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn logout(app: Data<App>, caller: SignedIn) -> Answer {
    let now = app.clock.timestamp();
    to_the_end(async move {
        app.accounts.revoke(caller.account, caller.token, caller.expires, now).await.map_err(or_signed_out)?;
        app.inboxes.sign_out(caller.account, TokenFilter::Only(caller.token));
        Ok(())
    })
    .await?;
    Ok(Outcome::response(StatusCode::OK, "User Logged Out"))
}

/// The answer to "who is signed in".
#[derive(Serialize, ToSchema)]
pub struct Dashboard {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The account.
    user: User,
}

/// An account, as its owner sees it.
#[derive(Serialize, ToSchema)]
pub struct User {
    /// The name in the personal link.
    #[schema(example = "some-body")]
    username: String,
    /// The email address.
    #[schema(example = "some@body.example")]
    email: String,
    /// `false` until the mailed confirmation link is used, then absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    email_confirmed: Option<bool>,
    /// Set while the account is suspended, otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspended: Option<Suspended>,
    /// How many other sign-ins are `unknown`, if any are: `GET /api/sessions` has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_sign_ins: Option<usize>,
}

/// A suspension, as the account's owner sees it.
#[derive(Serialize, ToSchema)]
pub struct Suspended {
    /// When it ends: `YYYY-MM-DD HH:MM:SS`, UTC.
    #[schema(example = "2026-12-20 18:05:09")]
    until: String,
    /// Why, in the operator's words.
    #[schema(example = "Threats in several notes.")]
    reason: String,
}

impl From<Suspension> for Suspended {
    fn from(Suspension { until, reason, .. }: Suspension) -> Self {
        Self { until: date_and_time(until), reason: reason.as_str().to_owned() }
    }
}

/// Returns the signed-in account.
#[utoipa::path(get, path = "/api/dashboard", tag = "account", security(("bearer" = [])), responses(
    (status = 200, body = Dashboard), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn dashboard(app: Data<App>, caller: SignedIn) -> Answer {
    let account = app.accounts.by_id(caller.account).await?.ok_or(Code::SignedOut)?;
    let now = app.clock.timestamp();
    let sign_ins = app.store.sign_ins().of(account.id, now).await.map_err(or_signed_out)?;
    let unknown = sign_ins.iter().filter(|(one, _)| one.is_unknown && one.token != caller.token).count();
    let user = User {
        username: account.username.as_str().to_owned(),
        email: account.email.as_str().to_owned(),
        email_confirmed: (!account.confirmed).then_some(false),
        suspended: app.suspensions.of(account.id, now).await?.map(Suspended::from),
        unknown_sign_ins: (unknown > 0).then_some(unknown),
    };
    Ok(HttpResponse::Ok().json(Dashboard { status: 200, user }))
}

/// A form to change the password.
#[derive(Deserialize, ToSchema)]
pub struct ChangePassword {
    /// The current password.
    #[schema(example = "correct horse")]
    old_password: String,
    /// The new password.
    #[schema(example = "battery staple")]
    new_password: String,
    /// The subscription to web push that stays: that of the browser which changes the password. All others end.
    #[serde(default)]
    #[schema(required = false, example = "AAAAAAAAehwAAAAAAAAAAQ")]
    push: Option<String>,
}

/// Changes the password and ends every other token of the account.
#[utoipa::path(post, path = "/api/user/change-password", tag = "account", security(("bearer" = [])),
    request_body = ChangePassword, responses(
    (status = 200, body = PasswordSet), (status = 401, body = Refusal), (status = 403, body = Refusal, description = "Wrong password"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn change_password(
    app: Data<App>,
    client: ClientIp,
    caller: SignedIn,
    Json(form): Json<ChangePassword>,
) -> Answer {
    let current = CurrentPassword::try_from(form.old_password)?.0;
    let new = ChangedPassword::try_from(form.new_password)?.0;
    app.limits.take(Call::SignIn, client.0)?;
    let account = check_password(&app, &caller, current).await?;
    if new.is_name(&account.username) {
        return Err(Code::PasswordIsUsername.into());
    }
    let hash = app.passwords.hash(new).await?;
    let stays = form.push.and_then(|id| subscription_id(&id).ok());
    let behind = app.clone();
    to_the_end(async move {
        let app = behind;
        let stays = match stays {
            Some(id) => app.pushes.of(Subscriber::Account(caller.account)).await?.by_id(id).cloned(),
            None => None,
        };
        let changed = app.accounts.change_password(caller.account, account.password, hash, Some(caller.token)).await;
        changed
            .map_err(instead([(StoreError::Conflict, Code::WrongPassword), (StoreError::NotFound, Code::SignedOut)]))?;
        app.inboxes.sign_out(caller.account, TokenFilter::AllBut(caller.token));
        if let Some(stays) = stays {
            // The password is changed also if this can't be kept; then the browser asks anew.
            let _ = app.pushes.subscribe(caller.account, stays).await;
        }
        Ok(())
    })
    .await?;
    PasswordSet::response(&app, caller.account).await
}

/// Checks a signed-in caller's password, and returns their account.
async fn check_password(app: &App, caller: &SignedIn, password: Password) -> Result<Account, ApiError> {
    let account = app.accounts.by_id(caller.account).await?.ok_or(Code::SignedOut)?;
    let account_version = app.account_version(caller.account).await?.ok_or(Code::SignedOut)?;
    let is_right = app.passwords.is_right(password, Some(account.password.clone())).await?;
    let is_right = app.password_attempts.takes_as_right_of(account_version, caller.token, is_right);
    if is_right { Ok(account) } else { Err(Code::WrongPassword.into()) }
}

/// A form to delete the account.
#[derive(Deserialize, ToSchema)]
pub struct DeleteAccount {
    /// The account's password, as a confirmation.
    #[schema(example = "correct horse")]
    password: String,
}

/// Deletes the account and everything that belongs to it.
#[utoipa::path(delete, path = "/api/user/delete", tag = "account", security(("bearer" = [])),
    request_body = DeleteAccount, responses(
    (status = 200, body = Outcome), (status = 401, body = Refusal), (status = 403, body = Refusal, description = "Wrong password"),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn delete(app: Data<App>, client: ClientIp, caller: SignedIn, Json(form): Json<DeleteAccount>) -> Answer {
    let password = DeletionPassword::try_from(form.password)?.0;
    app.limits.take(Call::SignIn, client.0)?;
    check_password(&app, &caller, password).await?;
    to_the_end(async move { erase(&app, caller.account).await }).await.map_err(|error| match error {
        error if error.code == Code::NothingHere => Code::SignedOut.into(),
        other => other,
    })?;
    Ok(Outcome::response(StatusCode::OK, "Account Deleted"))
}

/// Deletes an account, for its owner or for the operator.
pub async fn erase(app: &App, account: AccountId) -> Result<(), ApiError> {
    let rooms = app.directory.of_owner(account).await?;
    app.accounts.delete(account).await?;
    app.inboxes.sign_out(account, TokenFilter::All);
    // The groups are gone from the store; their connected members are told.
    for metadata in rooms {
        match app.rooms.command(metadata.id, Command::Close).await {
            Ok(()) | Err(RoomError::Gone | RoomError::Rejected(_)) => {}
            Err(error) => tracing::warn!(%error, "a group can't be told that its creator's account is deleted"),
        }
    }
    Ok(())
}
