//! Accounts that nobody uses: their owners are told, and later they are deleted.

use annon_contract::limits::UNUSED_TOLD_BEFORE;
use annon_store::StoreError;
use annon_store::lapse::Due;

use crate::app::App;
use crate::error::ApiError;
use crate::http::account::erase;
use crate::mail::{Letter, to_owner_of_unused};

/// Does what the last sweep has found to be due.
pub async fn see_to_the_unused(app: &App) -> Result<(), ApiError> {
    let Due { told, over } = app.store.lapses().due();
    let login = app.public_url.page("/login");
    // Who owns an address that is not confirmed, nobody knows.
    for account in told.into_iter().filter(|account| account.confirmed) {
        let words =
            to_owner_of_unused(account.username.as_str(), &login, UNUSED_TOLD_BEFORE.as_secs() / (24 * 60 * 60));
        app.mailer.send(Letter::new(account.email, words));
    }
    for account in over {
        if app.store.lapses().is_over(account, app.clock.timestamp()).await? {
            match erase(app, account).await {
                Ok(()) => tracing::info!("an account that nobody used was deleted"),
                // Another node was faster, or its owner.
                Err(error) if error.code == StoreError::NotFound.into() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}
