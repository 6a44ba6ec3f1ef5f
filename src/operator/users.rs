//! What the operator does with accounts, in the server.

use std::collections::HashMap;

use annon_actors::clock::date_and_time;
use annon_contract::limits::{RESET_LIFETIME, SUSPENSION_DAYS, SUSPENSION_REASON_MAX};
use annon_store::account::{Account, LinkKind, Username};
use annon_store::suspension::{Suspension, SuspensionReason};
use serde_json::{Value, json};

use crate::app::App;
use crate::config::UserCommand;
use crate::http::account::erase;
use crate::link::Link;
use crate::operator::control::{AnswerWriter, ROWS, in_words, json_line};

mod export;

const DAY: u64 = 24 * 60 * 60;

pub(super) async fn obey(app: &App, command: UserCommand, out: &mut AnswerWriter) -> Result<(), String> {
    match command {
        UserCommand::List { json } => list(app, |_| true, json, out).await.map(drop),
        UserCommand::Find { text, json } => {
            let wanted = text.to_lowercase();
            let has = |text: &str| text.to_lowercase().contains(&wanted);
            let is_meant =
                |account: &Account| has(account.username.as_str()) || account.confirmed && has(account.email.as_str());
            match list(app, is_meant, json, out).await? {
                0 => Err(format!("nobody has {text} in their username or confirmed address")),
                _ => Ok(()),
            }
        }
        UserCommand::Export { username } => export::export(app, find(app, username).await?, out).await,
        UserCommand::Delete { username } => {
            erase(app, find(app, username).await?.id).await.map_err(in_words)?;
            out.send("deleted".to_owned()).await
        }
        UserCommand::Reset { username } => {
            let account = find(app, username).await?;
            let link = Link::new().map_err(in_words)?;
            let expires = app.clock.timestamp() + RESET_LIFETIME.as_secs();
            app.accounts.begin_link(LinkKind::Reset, account.id, link.digest(), expires).await.map_err(in_words)?;
            out.send(app.public_url.page(&format!("/reset/{}", link.token()))).await
        }
        UserCommand::Suspend { username, days, reason } => suspend(app, username, days, &reason, out).await,
        UserCommand::Restore { username } => {
            let account = find(app, username).await?;
            let was = app.suspensions.of(account.id, app.clock.timestamp()).await.map_err(in_words)?;
            app.suspensions.lift(account.id).await.map_err(in_words)?;
            let done = if was.is_some() { "restored" } else { "they were not suspended" };
            out.send(done.to_owned()).await
        }
        UserCommand::Unlock { username } => {
            let account = find(app, username).await?;
            let version = app.account_version(account.id).await.map_err(in_words)?;
            version.into_iter().for_each(|account| app.password_attempts.forget(account));
            out.send("unlocked".to_owned()).await
        }
    }
}

async fn find(app: &App, username: String) -> Result<Account, String> {
    let nobody = format!("there is nobody named {username}");
    let username = Username::try_from(username).map_err(|_| nobody.clone())?;
    app.accounts.by_username(&username).await.map_err(in_words)?.ok_or(nobody)
}

async fn suspend(app: &App, username: String, days: u32, reason: &str, out: &mut AnswerWriter) -> Result<(), String> {
    let too_long = || format!("say why, in at most {SUSPENSION_REASON_MAX} characters");
    let reason = SuspensionReason::try_from(reason).map_err(|_| too_long())?;
    if !(1..=SUSPENSION_DAYS).contains(&days) {
        return Err(format!("a suspension takes 1 to {SUSPENSION_DAYS} days"));
    }
    let account = find(app, username).await?;
    let began = app.clock.timestamp();
    let until = began + u64::from(days) * DAY;
    let before = app.suspensions.of(account.id, began).await.map_err(in_words)?;
    app.suspensions.suspend(account.id, Suspension { began, until, reason }).await.map_err(in_words)?;
    let earlier = before.map(|before| format!("; it was until {} before", date_and_time(before.until)));
    out.send(format!("suspended until {}{}", date_and_time(until), earlier.unwrap_or_default())).await
}

/// Prints the accounts that are meant, and returns how many.
async fn list(
    app: &App,
    is_meant: impl Fn(&Account) -> bool,
    json: bool,
    out: &mut AnswerWriter,
) -> Result<usize, String> {
    let (mut after, mut count) = (None, 0);
    let suspended = app.suspensions.all(app.clock.timestamp()).await.map_err(in_words)?;
    let suspended: HashMap<_, _> = suspended.into_iter().collect();
    loop {
        let accounts = app.accounts.list(after, ROWS).await.map_err(in_words)?;
        for account in accounts.iter().filter(|account| is_meant(account)) {
            count += 1;
            let suspension = suspended.get(&account.id);
            out.send(if json { json_line(&described(account, suspension))? } else { shown(account, suspension) })
                .await?;
        }
        let Some(last) = accounts.last() else { return Ok(count) };
        after = Some(last.id);
    }
}

fn shown(account: &Account, suspension: Option<&Suspension>) -> String {
    let (created, name, email) = (date_and_time(account.created), account.username.as_str(), account.email.as_str());
    let unconfirmed = if account.confirmed { "" } else { "  (not confirmed)" };
    let suspended = suspension.map(|found| format!("  (suspended until {})", date_and_time(found.until)));
    format!("{created}  {name:<16}  {email}{unconfirmed}{}", suspended.unwrap_or_default())
}

/// An account, for programs.
fn described(account: &Account, suspension: Option<&Suspension>) -> Value {
    let suspended = suspension.map(|Suspension { began, until, reason }| {
        json!({ "since": date_and_time(*began), "until": date_and_time(*until), "reason": reason.as_str() })
    });
    json!({
        "username": account.username.as_str(),
        "email": account.email.as_str(),
        "email_confirmed": account.confirmed,
        "created": date_and_time(account.created),
        "suspended": suspended,
    })
}
