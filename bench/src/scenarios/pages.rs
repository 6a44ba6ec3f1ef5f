//! Whether anything gets slower as more is stored: a page of an inbox by the inbox's notes, a page
//! of a group by its messages, and every call by all notes.

use std::time::Duration;

use clap::Args;

use crate::args::{seconds, whole};
use crate::load::{Call, Client, INBOX_NOTES, NoteItem, PAGE, Who, clock, frames, rooms};
use crate::report::{Columns, LATENCY, Row, print_remark};
use crate::scenarios::Run;
use crate::scenarios::login::call;
use crate::scenarios::notes::{Post, check};
use crate::trouble::{Fallible, Trouble};

mod stored;
mod visitor;

/// Connections that fill inboxes and ask for pages.
pub(super) const CONNECTIONS: usize = 300;
/// How many notes the measured page has: as many as the web app asks for.
const PAGE_NOTES: usize = 50;

const COLUMNS: Columns = &[
    &["it holds = count", "page = what", "pages/s = done_per_second"],
    LATENCY,
    &["failed", "server µs/page = server_cpu_each"],
];

#[derive(Debug, Args)]
pub(crate) struct Pages {
    /// Notes in an inbox, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = whole::<1, INBOX_NOTES>)]
    notes: Vec<usize>,
    /// Messages in a group, one stage each. A server keeps 10000, or the
    /// number of its --room-messages flag.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = whole::<1, 10_000>)]
    messages: Vec<usize>,
    /// Notes stored in total, one stage each, such as 1000,1000000: every call
    /// that the store answers is timed, in turns with a second server that
    /// keeps the notes of the first stage. With --url there is no second one.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = whole::<1, 100_000_000>)]
    stored: Vec<usize>,
    /// Seconds that each page is requested for.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    seconds: Duration,
    /// How often each call is made at each stage of --stored.
    #[arg(long, value_name = "N", default_value = "500", value_parser = whole::<1, 1000>)]
    calls: usize,
}

impl Pages {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let is_usual = self.notes.is_empty() && self.messages.is_empty() && self.stored.is_empty();
        let (notes, messages) = match is_usual {
            true => (&[50, 1000, 10_000][..], &[200, 1000, 5000, 10_000][..]),
            false => (self.notes.as_slice(), self.messages.as_slice()),
        };
        for &notes in notes {
            self.inbox(notes, run).await?;
        }
        for &messages in messages {
            self.group(messages, run).await?;
        }
        if self.stored.is_empty() { Ok(()) } else { stored::measure(&self.stored, self.calls, run).await }
    }

    /// Measures pages of an inbox. Their time should not depend on how many notes the inbox holds,
    /// nor on which page it is.
    async fn inbox(&self, notes: usize, run: &mut Run<'_>) -> Fallible {
        let post = Post::new(run.sign_up(1).await?, &run.people.tag);
        stored::fill(&post, run.address(), notes, run.stop).await?;
        check(&post, run).await?;
        let token = run.stop.or(post.people[0].token(run.address())).await?;
        let inbox = run.stop.or(Client::new(run.address()).inbox(&token)).await?;
        for (page, path) in [("inbox newest", newest_page(PAGE_NOTES)), ("inbox oldest", oldest_page(&inbox))] {
            self.ask(notes, page, Call::get(&path, Who::Token(&token)), run).await?;
        }
        Ok(())
    }

    /// Measures pages of a group. Their time should not depend on how many messages the group has,
    /// nor on which page it is. A server that was just started must read all messages first; that
    /// is measured, too.
    async fn group(&self, count: usize, run: &mut Run<'_>) -> Fallible {
        let ids = run.rooms(1).await?;
        let connected = rooms::fill(run.address(), &ids, 1, run.stop).await?;
        let (room, member) = (&ids[0], &connected.members[0]);
        let sent = run.stop.or(rooms::send_all(member, room, 0, count as u32)).await?;
        let seat = Who::Seat(&member.cookie);
        let before = |at: usize| sent.get(at).map_or(String::new(), |sent| format!("?before={}", sent.seq));
        for (page, query) in
            [("group newest", String::new()), ("group middle", before(count / 2)), ("group oldest", before(PAGE))]
        {
            self.ask(count, page, Call::get(&format!("/api/room/{room}{query}"), seat), run).await?;
        }
        // The web app opens a group with this call.
        let call = Call::new("POST", &format!("/api/room/{room}/seat"), seat, None);
        self.ask(count, "group entering", call, run).await?;
        if run.subject.folder().is_some() {
            run.subject.restart(run.against).await?;
            // The connection opens first, because that is not measured.
            let mut client = Client::new(run.address());
            run.stop.or(client.is_ready()).await?;
            let asked = clock::now();
            run.stop.or(client.room_lines(room, &member.cookie, None)).await?;
            let first_page = asked.elapsed().as_micros() as u64;
            let row = Row::default().with("count", count).with("first_page", first_page);
            run.report.row("cold", &[&["it holds = count", "ms to the first page after a SIGKILL = first_page"]], row);
        }
        let read = run.stop.or(Client::new(run.address()).room_since(room, &member.cookie, 0)).await?;
        if let Some(wrong) = frames::difference(&sent, &frames::messages(&read)) {
            print_remark(&format!("WRONG: {wrong}"));
            return Err(Trouble::Wrong);
        }
        run.report.checked(&format!("page by page the group has all {count} messages, once, in order."));
        Ok(())
    }

    /// Measures one page: one connection asks for it again and again.
    async fn ask(&self, count: usize, page: &str, request: Call, run: &mut Run<'_>) -> Fallible {
        let asking = |request, pace| call(run.address(), request, pace);
        let outcome = run.stage(None, self.seconds, [request], asking).await?;
        run.judged(COLUMNS, Row::of(&outcome).with("count", count).with("what", page), &outcome).await
    }
}

/// The address of the newest page, with `limit` notes.
fn newest_page(limit: usize) -> String {
    format!("/api/messages?limit={limit}")
}

/// The address of the page that ends with the oldest note of an inbox, or of the
/// newest page if there is only one.
fn oldest_page(inbox: &[NoteItem]) -> String {
    let newest = newest_page(PAGE_NOTES);
    let behind = inbox.len().checked_sub(PAGE_NOTES + 1).map(|at| format!("{newest}&before={}", inbox[at].id));
    behind.unwrap_or(newest)
}
