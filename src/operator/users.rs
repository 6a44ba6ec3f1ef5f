//! What the operator does with accounts, in the server.

use annon_actors::clock::date_and_time;
use annon_contract::limits::RESET_LIFETIME;
use annon_store::account::{Account, LinkKind, Username};

use crate::app::App;
use crate::config::UserCommand;
use crate::http::account::erase;
use crate::link::Link;
use crate::operator::control::{AnswerWriter, ROWS, in_words};

pub(super) async fn obey(app: &App, command: UserCommand, out: &mut AnswerWriter) -> Result<(), String> {
    match command {
        UserCommand::List => list(app, out).await,
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

async fn list(app: &App, out: &mut AnswerWriter) -> Result<(), String> {
    let mut after = None;
    loop {
        let accounts = app.accounts.list(after, ROWS).await.map_err(in_words)?;
        for account in &accounts {
            let (created, name, email) =
                (date_and_time(account.created), account.username.as_str(), account.email.as_str());
            let unconfirmed = if account.confirmed { "" } else { "  (not confirmed)" };
            out.send(format!("{created}  {name:<16}  {email}{unconfirmed}")).await?;
        }
        let Some(last) = accounts.last() else { return Ok(()) };
        after = Some(last.id);
    }
}
