//! Fills a folder with people, their notes, rooms and feedback, so that a test can name the lost.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use annon_store::account::{Account, LinkKind, SignUpError};
use annon_store::conversation::{Change, LineText, Side};
use annon_store::image::{Album, ImageId};
use annon_store::inbox::{Arrival, Delivered};
use annon_store::pause::{Pause, PauseWords};
use annon_store::report::Report;
use annon_store::room::{Body, RoomEvent, Seq};
use annon_store::{Engine, Local, OpenError, Options};
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
pub(crate) async fn live(store: &dyn Engine, people: Range<u64>) {
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
    /// What was logged during the start, the reading and the first sweep.
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
    let (swept, more) = logged(|| runtime.block_on(store.sweep_after_start(NOW)));
    swept.unwrap();
    lines += &more;
    let findings = store.findings();
    runtime.block_on(async {
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

pub(crate) async fn back_up(store: &dyn Engine, file: &Path) {
    store.backup(Box::new(File::create(file).unwrap())).await.unwrap();
}

fn pause() -> Pause {
    Pause { began: NOW, words: PauseWords::try_from("back at ten").unwrap() }
}

/// What people have beside the usual: an address that nobody confirmed, batches, deleted notes, and a
/// room with pictures, words taken back and a gap.
pub(crate) async fn live_fully(store: &dyn Engine) {
    live(store, 1..6).await;
    store.accounts().create(Account { confirmed: false, ..account(7) }).await.unwrap();
    store.accounts().create(account(8)).await.unwrap();
    store.accounts().begin_link(LinkKind::Reset, account_id(1), digest(1), NOW + 1000).await.unwrap();
    store.inbox().set_batches(account_id(7), true, NOW).await.unwrap();
    live(store, 9..11).await;
    store.accounts().delete(account_id(9)).await.unwrap();
    let newest = store.inbox().page(account_id(10), None, 1, NOW + 1000).await.unwrap().notes.remove(0);
    store.inbox().remove(account_id(10), newest.id, NOW + 1000).await.unwrap();
    let conversations = store.conversations();
    for n in 1..=2 {
        conversations.begin(account_id(8), arrival(n, NOW), beginning(n)).await.unwrap();
    }
    for n in 1..=3 {
        conversations.change(conversation_id(1), say(Side::Owner, n), NOW + n).await.unwrap();
    }
    let unsend = Change::Unsend { from: Side::Owner, line: Seq(2) };
    conversations.change(conversation_id(1), unsend, NOW + 5).await.unwrap();
    conversations.change(conversation_id(1), say(Side::Owner, 4), NOW + 6).await.unwrap();
    conversations.change(conversation_id(2), Change::Close, NOW + 5).await.unwrap();
    for n in 3..=5 {
        let arrival = Arrival { only_for_you: n == 5, ..arrival(n, NOW) };
        let Delivered::Shown { note, .. } = store.inbox().deliver(account_id(8), arrival).await.unwrap() else {
            panic!()
        };
        let published = store.answers().publish(account_id(8), note.id, publishing(n, NOW + n)).await.unwrap();
        assert_eq!(published.is_some(), n != 5);
    }
    store.personal_pages().set_up(account_id(8), personal_page(3).into()).await.unwrap();
    store.inbox_seals().change(account_id(8), sealing(3), NOW).await.unwrap();
    for n in 1..=3 {
        store.reports().add(report(n), report_pictures(n)).await.unwrap();
    }
    store.reports().close(report_id(2), NOW + 5).await.unwrap();
    store.suspensions().suspend(account_id(8), suspension(NOW + 10_000, "spam")).await.unwrap();
    store.accounts().create(account(12)).await.unwrap();
    store.suspensions().suspend(account_id(12), suspension(NOW + 10_000, "spam")).await.unwrap();
    store.accounts().delete(account_id(12)).await.unwrap();
    store.invitations().invite(invitation_id(1), invitation(2, NOW + 10_000)).await.unwrap();
    store.pauses().begin(pause()).await.unwrap();
    store.rooms().create(metadata(8, 8, NOW + 100), NOW).await.unwrap();
    let log = store.room_log();
    for at in 0..9 {
        log.append(room(8), Seq(at), vec![posted(&format!("words {at}"))]).await.unwrap();
    }
    take_back(&*log, room(8), Seq(9), vec![Seq(7)]).await.unwrap();
    log.forget(room(8), Seq(3)).await.unwrap();
    for n in 1..=2 {
        store.images().put(album(8), image(n), vec![n as u8; 70_000]).await.unwrap();
    }
}

/// Compares what `live_fully` has made with what is here, after a sign-in of nobody.
pub(crate) async fn compare(copy: &dyn Engine, said_there: &[(Seq, RoomEvent)]) {
    assert_eq!(missing(copy, 1..6).await, [""; 0]);
    let accounts = copy.accounts();
    assert_eq!(accounts.by_id(account_id(7)).await, Ok(Some(Account { confirmed: false, ..account(7) })));
    assert_eq!(accounts.by_email(&address_of(7)).await, Ok(None), "nobody has confirmed it");
    assert_eq!(accounts.by_email(&address_of(1)).await, Ok(Some(account(1))));
    assert_eq!(by_target(&*accounts, target_id(8)).await, Some(account_id(8)));
    assert!(!accounts.access(account_id(1)).await.unwrap().unwrap().admits(token(1), 0), "all are signed out");
    assert_eq!(accounts.pending_link(LinkKind::Reset, digest(1), NOW).await, Ok(None));
    assert_eq!(copy.inbox().is_in_batches(account_id(7)).await, Ok(true));
    assert_eq!(accounts.by_username(&name_of(9)).await, Ok(None));
    assert_eq!(copy.inbox().page(account_id(10), None, 100, NOW + 1000).await.unwrap().notes.len(), 11);
    let talks = copy.conversations().page(account_id(8), None, 9, NOW + 1000).await.unwrap();
    assert_eq!(talks.iter().map(|found| found.id).collect::<Vec<_>>(), [1, 2].map(conversation_id));
    let said: Vec<_> = talks[0].conversation.lines.iter().map(|line| line.text.clone()).collect();
    let text = |n| Some(LineText::try_from(&*line_words(n)).unwrap());
    assert_eq!((said, talks[1].conversation.is_open()), (vec![text(1), None, text(3), text(4)], false));
    let notes = copy.inbox().page(account_id(8), None, 9, NOW + 1000).await.unwrap().notes;
    assert_eq!(
        notes.iter().map(|note| note.conversation).collect::<Vec<_>>(),
        [None, None, None, Some(conversation_id(2)), Some(conversation_id(1))]
    );
    let answers = copy.answers().newest(account_id(8), None, 9).await.unwrap();
    let words: Vec<_> = answers.iter().map(|answer| answer.text.as_str().to_owned()).collect();
    assert_eq!(words, [4, 3].map(answer_words));
    let beside: Vec<_> = notes[..3].iter().map(|note| (note.only_for_you, note.answer.clone())).collect();
    assert_eq!(beside, [(true, None), (false, Some(answers[0].clone())), (false, Some(answers[1].clone()))]);
    assert_eq!(copy.personal_pages().look_up(account_id(8)).await, Ok(personal_page(3)));
    let seal = copy.inbox_seals().of(account_id(8)).await.unwrap().unwrap();
    assert_eq!((seal.on, seal.wrapped), (true, wrapped(3)));
    let doors = copy.conversations().doors(vec![conversation_id(1)]).await.unwrap();
    assert_eq!(doors[&conversation_id(1)].proof, beginning(1).proof);
    let closed = Report { closed: Some(NOW + 5), ..report(2) };
    assert_eq!(copy.reports().page(None, 9).await.unwrap(), [report(3), closed, report(1)]);
    for n in 1..=3 {
        assert_eq!(copy.reports().pictures(report_id(n)).await.unwrap(), report_pictures(n));
    }
    assert_eq!(copy.suspensions().all(NOW).await.unwrap(), [(account_id(8), suspension(NOW + 10_000, "spam"))]);
    let again = copy.accounts().sign_up(Account { id: account_id(13), ..account(12) }, None).await;
    assert_eq!(again, Err(SignUpError::NameTaken), "a suspended person has deleted their account");
    assert_eq!(copy.invitations().all(NOW).await.unwrap(), [(invitation_id(1), invitation(2, NOW + 10_000))]);
    assert_eq!(copy.pauses().current().await, Ok(Some(pause())));
    assert_eq!(copy.rooms().of_owner(account_id(8)).await, Ok(vec![metadata(8, 8, NOW + 100)]));
    let read = copy.room_log().read(room(8), Seq(0)).await.unwrap();
    assert_eq!(read, said_there);
    assert!(!read.iter().any(|(_, event)| matches!(event, RoomEvent::Lost { .. })), "{read:?}");
    let gone = |event: &RoomEvent| matches!(event, RoomEvent::Posted { body: Body::Gone, .. });
    assert_eq!(read.iter().filter(|(_, event)| gone(event)).count(), 1);
    for n in 1..=2 {
        assert_eq!(copy.images().read(album(8), image(n)).await, Ok(Some(vec![n as u8; 70_000])));
    }
    assert_eq!(copy.figures().accounts, 8);
}
