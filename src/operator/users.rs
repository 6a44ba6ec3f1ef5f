//! What the operator does with accounts, in the server.

use annon_actors::clock::date_and_time;
use annon_contract::limits::RESET_LIFETIME;
use annon_store::account::{Account, LinkKind, Username};
use serde_json::{Value, json};

use crate::app::App;
use crate::config::UserCommand;
use crate::http::account::erase;
use crate::link::Link;
use crate::operator::control::{AnswerWriter, ROWS, in_words, json_line};

mod export;

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

/// Prints the accounts that are meant, and returns how many.
async fn list(
    app: &App,
    is_meant: impl Fn(&Account) -> bool,
    json: bool,
    out: &mut AnswerWriter,
) -> Result<usize, String> {
    let (mut after, mut count) = (None, 0);
    loop {
        let accounts = app.accounts.list(after, ROWS).await.map_err(in_words)?;
        for account in accounts.iter().filter(|account| is_meant(account)) {
            count += 1;
            out.send(if json { json_line(&described(account))? } else { shown(account) }).await?;
        }
        let Some(last) = accounts.last() else { return Ok(count) };
        after = Some(last.id);
    }
}

fn shown(account: &Account) -> String {
    let (created, name, email) = (date_and_time(account.created), account.username.as_str(), account.email.as_str());
    let unconfirmed = if account.confirmed { "" } else { "  (not confirmed)" };
    format!("{created}  {name:<16}  {email}{unconfirmed}")
}

/// An account, for programs.
fn described(account: &Account) -> Value {
    json!({
        "username": account.username.as_str(),
        "email": account.email.as_str(),
        "email_confirmed": account.confirmed,
        "created": date_and_time(account.created),
    })
}
