//! One page of a group: its time should not depend on how much was said
//! there, nor on which of its pages is asked for. A server that was just
//! started has to read all of it first; that is timed, too.

use std::time::Duration;

use serde::Serialize;

use crate::api::{self, Api, PAGE, Seat, Who};
use crate::args;
use crate::clock;
use crate::crowd::{Rooms, Said, echo, join, messages, not_in};
use crate::dialect::{Annon, Dialect, MessageId};
use crate::engine::words::Words;
use crate::latency::millis;
use crate::pages::{Asked, ask};
use crate::report::{Report, Table};
use crate::stop::Stop;
use crate::subject::Subject;
use crate::target::Address;
use crate::trouble::{Finding, Trouble, cleared_up};

/// Messages on their way while a group is filled.
const AT_ONCE: usize = 64;
const TABLE: Table = Table(&["messages", "page", "pages/s", "p50 ms", "p99 ms", "max ms", "server µs/page"]);

/// One page, as programs read it.
#[derive(Serialize)]
struct Stage {
    messages: u32,
    page: &'static str,
    #[serde(flatten)]
    asked: Asked,
}

/// The first page of a server that was just started. In microseconds.
#[derive(Serialize)]
struct Cold {
    messages: u32,
    first_page: u128,
}

/// A group somebody has talked in.
struct Talked {
    room: String,
    cookie: String,
    /// What was said, in its order.
    said: Vec<Said>,
}

/// Runs `annon-bench history`.
pub(crate) async fn run(args: &args::History, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let mut subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &mut subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn measure(
    args: &args::History,
    subject: &mut Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let mut rooms = Rooms::make(subject.address, args.messages.len(), &args.against, stop).await?;
    report.say("One connection asks for a page of 200 again and again.\n");
    report.say(&TABLE.head());
    let measured = stages(args, &mut rooms, subject, report, stop).await;
    cleared_up(measured, rooms.people.leave().await)
}

async fn stages(
    args: &args::History,
    rooms: &mut Rooms,
    subject: &mut Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let mut finding = Finding::Right;
    for (room, &messages) in args.messages.iter().enumerate() {
        let talked = stop.or(talk(args, rooms, room, messages, subject.address)).await?;
        for (page, request) in talked.pages(subject.address) {
            let asked = ask(subject, &request, args.seconds, stop).await?;
            report.say(&TABLE.row(&[&[messages.to_string(), page.to_owned()], asked.cells().as_slice()].concat()));
            asked.cut_short().iter().for_each(|line| report.say(line));
            report.push("stages", Stage { messages, page, asked });
            if stop.is_asked() {
                return Err(Trouble::Interrupted);
            }
        }
        if subject.folder().is_some() {
            let took = stop.or(first_page(&talked, subject)).await?;
            rooms.people.follow(subject.address);
            // At once, so that Ctrl-C in the next one loses nothing.
            let shown = millis(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
            report.say(&format!("    After a SIGKILL and a start the first page of {messages} took {shown} ms."));
            report.push("cold", Cold { messages, first_page: took.as_micros() });
        }
        if let Some(wrong) = talked.difference(&stop.or(talked.read(subject.address)).await?) {
            report.say(&format!("    WRONG: {wrong}"));
            finding = Finding::Wrong;
        }
    }
    if finding == Finding::Right {
        report.say("Checked: page by page each group has all that was said, once, in order.");
    }
    Ok(finding)
}

/// How long the first page takes of a server that was killed and started
/// again.
async fn first_page(talked: &Talked, subject: &mut Subject) -> Result<Duration, Trouble> {
    subject.restart().await?;
    let mut api = Api::new(subject.address);
    // The connection is not what is timed.
    api.is_ready().await?;
    let asked = clock::now();
    api.room_lines(&talked.room, &talked.cookie, None).await?;
    Ok(asked.elapsed())
}

/// Has one member say all of it.
async fn talk(
    args: &args::History,
    rooms: &Rooms,
    room: usize,
    messages: u32,
    address: Address,
) -> Result<Talked, Trouble> {
    let id = &rooms.ids[room];
    let Seat { face, cookie } = Api::new(address).seat(id, None).await?;
    let (mut speaker, _) = join(address, id, &cookie, None, 0).await.map_err(|error| not_in(address, &error))?;
    let dialect = Annon { rooms: rooms.ids.clone() };
    let names: Vec<_> = (0..messages).map(|number| MessageId { room, member: 0, number }).collect();
    let mut said = Vec::with_capacity(names.len());
    let (mut words, mut frame) = (Words::new(args.length), String::new());
    for names in names.chunks(AT_ONCE) {
        for name in names {
            frame.clear();
            dialect.compose(*name, words.of(name.number), &mut frame);
            speaker.say(&frame).await.map_err(|error| not_in(address, &error))?;
        }
        for name in names {
            let id = name.to_string();
            let seq = echo(&mut speaker, &id).await.map_err(|error| not_in(address, &error))?;
            said.push(Said { id, seq, sender: face.clone(), words: words.of(name.number).to_owned() });
        }
    }
    Ok(Talked { room: id.clone(), cookie, said })
}

impl Talked {
    /// The pages that are measured, and how they are asked for.
    fn pages(&self, address: Address) -> [(&'static str, Vec<u8>); 4] {
        let before = |at: usize| self.said.get(at).map_or(String::new(), |said| format!("?before={}", said.seq));
        let page = |query: String| {
            let path = format!("/api/room/{}{query}", self.room);
            api::request("GET", &path, address, Who::Seat(&self.cookie), None)
        };
        let come_in = format!("/api/room/{}/seat", self.room);
        [
            ("newest", page(String::new())),
            ("middle", page(before(self.said.len() / 2))),
            ("oldest", page(before(200))),
            ("entering", api::request("POST", &come_in, address, Who::Seat(&self.cookie), None)),
        ]
    }

    /// Everything, page by page from the end. A server that answers with the
    /// same page for ever is found out by what is there twice.
    async fn read(&self, address: Address) -> Result<Vec<Said>, Trouble> {
        let mut api = Api::new(address);
        let (mut pages, mut before, mut lines) = (Vec::new(), None, 0);
        while lines <= 2 * self.said.len() + PAGE {
            let page = api.room_lines(&self.room, &self.cookie, before).await?;
            before = page.first().and_then(|line| line["seq"].as_u64());
            if before.is_none_or(|seq| seq == 0) {
                break;
            }
            lines += page.len();
            pages.push(messages(&page).collect::<Vec<_>>());
        }
        Ok(pages.into_iter().rev().flatten().collect())
    }

    fn difference(&self, read: &[Said]) -> Option<String> {
        let at = self.said.iter().zip(read).position(|(said, read)| said != read);
        let at = at.or_else(|| (self.said.len() != read.len()).then(|| self.said.len().min(read.len())))?;
        let (said, found) = (self.said.get(at), read.get(at));
        Some(format!(
            "of {} messages {} were read; at {at} it is {found:?} and was {said:?}",
            self.said.len(),
            read.len()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_that_was_said_in_its_order_is_right() {
        let one =
            |seq: u64| Said { id: format!("m{seq}"), seq, sender: "🦊".to_owned(), words: format!("word {seq}") };
        let said = |places: &[u64]| places.iter().map(|seq| one(*seq)).collect::<Vec<_>>();
        let talked = Talked { room: String::new(), cookie: String::new(), said: said(&[2, 3, 4]) };
        assert_eq!(talked.difference(&said(&[2, 3, 4])), None);
        for wrong in [&[2, 3][..], &[2, 4, 3], &[2, 3, 3, 4], &[3, 4], &[2, 3, 4, 5], &[]] {
            assert!(talked.difference(&said(wrong)).is_some(), "{wrong:?}");
        }
        let mut other = said(&[2, 3, 4]);
        other[1].words = "word".to_owned();
        assert!(talked.difference(&other).is_some(), "other words");
    }
}
