//! What is kept, each noun in one file, the same on every engine. A noun knows its rows and its rules;
//! how rows are kept, it doesn't know (`rows`).

use crate::account::Timestamp;
use crate::engine::Swept;
use crate::error::Result;
use crate::rows::Keep;

mod feedback;
pub(crate) mod invitation;
mod pause;
mod personal_page;
mod report;
pub(crate) mod suspension;

/// The nouns of an engine that keeps rows.
#[derive(Clone)]
pub struct Nouns<K>(pub K);

/// Removes what is too old, all of it also when a part fails.
pub async fn sweep<K: Keep>(keep: &K, now: Timestamp) -> (Swept, Result<()>) {
    let mut failure = Ok(());
    let mut or_none = |done: Result<usize>| {
        done.unwrap_or_else(|error| {
            failure = failure.and(Err(error));
            0
        })
    };
    let reports = or_none(report::drop_old(keep, now).await);
    let suspensions = or_none(suspension::drop_old(keep, now).await);
    or_none(suspension::drop_old_withheld(keep, now).await);
    let invitations = or_none(invitation::drop_old(keep, now).await);
    (Swept { reports, suspensions, invitations, ..Swept::default() }, failure)
}
