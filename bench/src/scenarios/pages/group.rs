//! One page of a group: its time should not depend on how much was said
//! there, nor on which of its pages is asked for. A server that was just
//! started has to read all of it first; that is timed, too.

use std::time::Duration;

use crate::load::api::{Api, PAGE};
use crate::load::clock;
use crate::load::frames::{difference, messages};
use crate::load::http::{Call, Who};
use crate::load::rooms::{fill, not_in, talk};
use crate::report::{Row, remark};
use crate::scenarios::Run;
use crate::scenarios::pages::ask;
use crate::trouble::Trouble;

/// Characters of a message.
const LENGTH: usize = 100;

pub(super) async fn measure(counts: &[usize], seconds: Duration, run: &mut Run<'_>) -> Result<(), Trouble> {
    run.report.say(&format!("Groups: one connection asks for a page of {PAGE} again and again."));
    let mut is_right = true;
    for &count in counts {
        let ids = run.rooms(1).await?;
        let hall = fill(run.address(), &ids, 1, run.stop).await?;
        let (room, member) = (&ids[0], &hall.seats[0]);
        let said =
            async { talk(member, room, 0, count as u32, LENGTH).await.map_err(|error| not_in(run.address(), &error)) };
        let said = run.stop.or(said).await?;
        let before = |at: usize| said.get(at).map_or(String::new(), |said| format!("?before={}", said.seq));
        let seat = Who::Seat(&member.cookie);
        for (page, query) in [("newest", String::new()), ("middle", before(count / 2)), ("oldest", before(PAGE))] {
            let call = Call::new("GET", &format!("/api/room/{room}{query}"), seat, None);
            ask(Row::default().count("messages", count), page, &call, seconds, run).await?;
        }
        // With this call the web app opens a group.
        let call = Call::new("POST", &format!("/api/room/{room}/seat"), seat, None);
        ask(Row::default().count("messages", count), "entering", &call, seconds, run).await?;
        if run.subject.folder().is_some() {
            run.subject.restart(run.against).await?;
            // Connected, because that is not what is timed.
            let mut api = Api::new(run.address());
            run.stop.or(api.is_ready()).await?;
            let asked = clock::now();
            run.stop.or(api.room_lines(room, &member.cookie, None)).await?;
            let millis = asked.elapsed().as_secs_f64() * 1000.0;
            remark(&format!("After a SIGKILL and a start the first page of {count} took {millis:.1} ms."));
            let row = Row::default().only("messages", count).only("first_page", millis * 1000.0);
            run.report.row("cold", row);
        }
        let mut api = Api::new(run.address());
        let read = run.stop.or(api.room_since(room, &member.cookie, 0, count)).await?;
        if let Some(wrong) = difference(&said, &messages(&read)) {
            remark(&format!("WRONG: {wrong}"));
            is_right = false;
        }
    }
    if !is_right {
        return Err(Trouble::Wrong);
    }
    run.report.say("Checked: page by page each group has all that was said, once, in order.");
    Ok(())
}
