//! Fills a folder with people, their notes, rooms and feedback, so that a test can name the lost.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use annon_store::image::{Album, ImageId};
use annon_store::room::Seq;
use annon_store::{Engine as _, Local, OpenError, Options};
use tokio::runtime::Runtime;

use super::logged::logged;
use super::people::*;
use super::{options, try_open_with};

/// Notes for each person, and appends to each room.
const EACH: u64 = 12;

/// Opens a store that does not sync, because no power is cut here.
pub(crate) fn try_open_quickly(folder: &Path) -> Result<Local, OpenError> {
    try_open_with(&Options { sync: false, commit_pause: Duration::ZERO, ..options(folder) })
}

/// Makes these people and all that they have.
pub(crate) async fn live(store: &dyn annon_store::Engine, people: Range<u64>) {
    for n in people {
        store.accounts().create(account(n)).await.unwrap();
        store.rooms().create(metadata(n.into(), n, NOW + 100), NOW).await.unwrap();
        for at in 0..EACH {
            numbered(store.inbox()).deliver(account_id(n), note(n << 32 | at)).await.unwrap();
            store.room_log().append(room(n.into()), Seq(at * 2), vec![came(1), posted(&words(n, at))]).await.unwrap();
        }
        store.feedback().add(feedback(n)).await.unwrap();
        store.images().put(Album::Feedback, picture(n), vec![n as u8; 500]).await.unwrap();
    }
}

fn words(n: u64, at: u64) -> String {
    format!("what is said in room {n} as number {at}")
}

fn picture(n: u64) -> ImageId {
    ImageId(feedback_id(n).0)
}

/// Names what is missing or reads differently.
pub(crate) async fn missing(store: &dyn annon_store::Engine, people: Range<u64>) -> Vec<String> {
    let mut missing = Vec::new();
    for n in people {
        let mut expect = |is_there: bool, what: &str| missing.extend((!is_there).then(|| format!("{what} {n}")));
        expect(store.accounts().by_username(&name_of(n)).await == Ok(Some(account(n))), "account");
        let notes = numbered(store.inbox()).page(account_id(n), None, 1000).await;
        let all: Vec<_> = (0..EACH).rev().map(|at| note(n << 32 | at)).collect();
        expect(notes.is_ok_and(|page| page.notes == all && u64::from(page.unread) == EACH), "inbox");
        expect(store.rooms().by_id(room(n.into())).await == Ok(Some(metadata(n.into(), n, NOW + 100))), "room");
        let events = (0..EACH).flat_map(|at| [came(1), posted(&words(n, at))]);
        let all: Vec<_> = (1..).map(Seq).zip(events).collect();
        expect(store.room_log().read(room(n.into()), Seq(0)).await == Ok(all), "chat");
        expect(store.feedback().by_id(feedback_id(n)).await == Ok(Some(feedback(n))), "feedback");
        let read = store.images().read(Album::Feedback, picture(n)).await;
        expect(read == Ok(Some(vec![n as u8; 500])), "picture");
    }
    missing
}

pub(crate) struct Started {
    pub(crate) missing: Vec<String>,
    /// What was logged during the start and the reading.
    pub(crate) lines: String,
    /// What the store says of its damage.
    pub(crate) findings: Vec<String>,
}

/// Starts a folder, reads all that these people have, and then writes something new.
pub(crate) fn start(folder: &Path, people: Range<u64>) -> Result<Started, String> {
    let runtime = Runtime::new().unwrap();
    let (store, mut lines) = logged(|| try_open_quickly(folder));
    let store = store.map_err(|error| error.to_string())?;
    let (gone, more) = logged(|| runtime.block_on(missing(&store, people.clone())));
    lines += &more;
    let findings = store.findings();
    runtime.block_on(async {
        store.sweep_after_start(NOW).await.unwrap();
        live(&store, 1000..1001).await;
        assert!(store.is_healthy(), "{lines}");
        store.close().await.unwrap();
        let store = try_open_quickly(folder).unwrap_or_else(|error| panic!("the next start: {error}"));
        assert_eq!(missing(&store, people).await, gone, "at the next start\n{lines}");
        assert_eq!(missing(&store, 1000..1001).await, [""; 0], "what came after the start\n{lines}");
        store.close().await.unwrap();
    });
    Ok(Started { missing: gone, lines, findings })
}
