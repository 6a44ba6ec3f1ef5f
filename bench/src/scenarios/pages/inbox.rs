//! One page of an inbox: its time should not depend on how many notes the
//! inbox holds, nor on which of its pages is asked for.

use std::time::Duration;

use crate::load::api::{Api, NoteItem};
use crate::load::http::{Call, Who};
use crate::report::{Row, remark};
use crate::scenarios::Run;
use crate::scenarios::notes::sender::Post;
use crate::scenarios::pages::ask;
use crate::scenarios::pages::stored::fill;
use crate::trouble::Trouble;

/// Notes on the page that is measured: what the web app asks for.
pub(super) const SHOWN: usize = 50;
/// Connections that fill an inbox.
const FILLERS: usize = 64;
/// Characters of a note.
const LENGTH: usize = 120;

pub(super) async fn measure(notes: &[usize], seconds: Duration, run: &mut Run<'_>) -> Result<(), Trouble> {
    run.report.say(&format!("Inboxes: one connection asks for a page of {SHOWN} again and again."));
    let mut is_right = true;
    for &notes in notes {
        let person = run.sign_up(1).await?;
        let post = Post::new(person, &run.people.tag, LENGTH);
        fill(&post, run.address(), &[0], notes, FILLERS, run.stop).await?;
        let token = run.stop.or(post.people[0].token(run.address())).await?;
        let inbox = run.stop.or(Api::new(run.address()).inbox(&token)).await?;
        let texts = inbox.iter().map(|note| note.message.clone()).collect();
        let verdict = post.ledger.borrow().judge([(0, texts)], &post.tag);
        if !verdict.is_right() {
            verdict.lines().iter().for_each(|line| remark(line));
            is_right = false;
        }
        for (page, path) in [("newest", newest_page(SHOWN)), ("oldest", oldest_page(&inbox, SHOWN))] {
            let call = Call::new("GET", &path, Who::Token(&token), None);
            ask(Row::default().count("notes", notes), page, &call, seconds, run).await?;
        }
    }
    if !is_right {
        return Err(Trouble::Wrong);
    }
    run.report.say("Checked: page by page each inbox has all that was sent, once.");
    Ok(())
}

/// Where the newest page is, of so many notes.
pub(super) fn newest_page(limit: usize) -> String {
    format!("/api/messages?limit={limit}")
}

/// Where the page is that ends with the oldest note of an inbox; the newest
/// one when there is only one.
pub(super) fn oldest_page(inbox: &[NoteItem], limit: usize) -> String {
    let newest = newest_page(limit);
    let behind = inbox.len().checked_sub(limit + 1).map(|at| format!("{newest}&before={}", inbox[at].id));
    behind.unwrap_or(newest)
}
