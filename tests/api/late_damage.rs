//! Damage in a database too large to be read before the server serves. It is
//! found while people are served already: the server ends and says what to do,
//! and the next start goes back to the last export and has everything that was
//! acknowledged since. The damaged file's bytes prove nothing: sled joins the
//! parts of pages it reads, and writes some of them at any moment.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use annon_store::account::{Account, AccountId, Email, PasswordHash, TargetId, Username};
use annon_store::inbox::Arrival;
use annon_store::text::NoteText;
use annon_store::{Engine, Options, Store};
use serde_json::json;
use uuid::Uuid;

use crate::support::client::Connection;
use crate::support::patience::{now, timed};
use crate::support::person::Person;
use crate::support::server::{Folder, NO_LIMITS, Server};

/// How long a start reads before it serves.
const READS_FIRST: Duration = Duration::from_millis(250);
/// What a database gets more until it is large enough.
const PEOPLE: u64 = 256;
const NOTES: u64 = 120;
/// So often that is enough on any machine.
const ROUNDS: u64 = 40;
/// As sled writes it.
const SECTOR: u64 = 4096;
/// Tried one after the other: what stands in one may be of no use any more,
/// and what stands in another is read before anybody is served.
const PLACES: u64 = 24;
const GOES_BACK: &str = "going back to the last export";

fn open(data: &Path) -> Store {
    let mut options = Options::new(data);
    (options.disk_reserve, options.sync, options.commit_pause) = (0, false, Duration::ZERO);
    Store::open(&options).unwrap()
}

async fn sign_up_and_get_notes(store: Arc<Store>, n: u64) {
    let id = Uuid::from_u128(u128::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
    let account = Account {
        id: AccountId(id),
        target: TargetId(id),
        username: Username::try_from(format!("somebody-{n}")).unwrap(),
        email: Email::try_from(format!("somebody-{n}@mail.example")).unwrap(),
        password: PasswordHash("none".to_owned()),
        created: n,
        confirmed: true,
    };
    store.accounts().create(account).await.unwrap();
    for lot in 0..NOTES {
        let text = NoteText::try_from(format!("note {lot}, about as long as a note is in real life")).unwrap();
        store.inbox().deliver(AccountId(id), Arrival { text, now: lot, lot }).await.unwrap();
    }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    actix_web::rt::System::new().block_on(work)
}

/// Fills a folder that has had `round` rounds until a start does not read all
/// of it before it serves, twice over, and makes the export that it falls back
/// on. Gives the rounds it has had by then.
fn fill(data: &Path, mut round: u64) -> u64 {
    let mut enough = ROUNDS;
    while round < enough {
        block_on(async {
            let (store, took) = timed(|| open(data));
            if took >= READS_FIRST && enough == ROUNDS {
                enough = (round * 2).min(ROUNDS);
            }
            let store = Arc::new(store);
            let people = (round * PEOPLE..(round + 1) * PEOPLE).map(|n| sign_up_and_get_notes(store.clone(), n));
            futures_util::future::join_all(people).await;
            round += 1;
            if round == enough {
                let store = store.clone();
                actix_web::rt::task::spawn_blocking(move || store.export()).await.unwrap().unwrap();
            }
            Arc::into_inner(store).unwrap().close().await.unwrap();
        });
    }
    round
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&from, &to),
            kind if kind.is_file() => drop(fs::copy(from, to).unwrap()),
            _ => {}
        }
    }
}

fn log_of(folder: &Folder) -> PathBuf {
    folder.data().join("db/db")
}

/// Posts notes until the server has ended, and gives those that were
/// acknowledged. None if it goes on.
fn post_until_it_ends(server: &mut Server, target: &str) -> Option<(Vec<String>, ExitStatus)> {
    let (mut acknowledged, begun) = (Vec::new(), now());
    while begun.elapsed() < Duration::from_secs(20) {
        if let Some(status) = server.ended() {
            return Some((acknowledged, status));
        }
        let words = format!("while the rest is read, number {}", acknowledged.len());
        let call = server.post("/api/annon-message").json(&json!({ "id": target, "message": words }));
        let answer = TcpStream::connect(server.address)
            .map(Connection::over)
            .and_then(|mut connection| connection.send(&call.bytes()).and_then(|()| connection.read("POST")));
        if answer.is_ok_and(|answer| answer.status == 201) {
            acknowledged.push(words);
        }
        // An inbox is full some time.
        thread::sleep(Duration::from_millis(5));
    }
    None
}

#[test]
fn damage_that_is_found_while_people_are_served_loses_nothing_they_were_told() {
    let whole = Folder::new();
    let mut server = Server::on(&whole, NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    assert!(server.stop().success());
    let mut rounds = 0;
    loop {
        rounds = fill(&whole.data(), rounds);
        let sectors = fs::metadata(log_of(&whole)).unwrap().len() / SECTOR;
        let mut places = (1..=PLACES).map(|place| sectors * place / (PLACES + 1));
        if places.any(|sector| is_found_late(&whole, sector, &person, &target)) {
            return;
        }
        // A machine that has become quiet reads more before it serves than it did while the folder was filled.
        assert!(rounds < ROUNDS, "none of {PLACES} places in {sectors} sectors was read late");
    }
}

/// Whether damage in this sector was found while people were served. If so,
/// everything was as it has to be.
fn is_found_late(whole: &Folder, sector: u64, person: &Person, target: &str) -> bool {
    let folder = Folder::new();
    copy(&whole.data(), &folder.data());
    let noise: Vec<u8> = (0..SECTOR).map(|at| (at * 31 + at / 256) as u8).collect();
    fs::OpenOptions::new().write(true).open(log_of(&folder)).unwrap().write_all_at(&noise, sector * SECTOR).unwrap();

    let mut server = Server::on(&folder, NO_LIMITS);
    if server.log.lines().iter().any(|line| line.contains(GOES_BACK)) {
        return false;
    }
    let Some((acknowledged, status)) = post_until_it_ends(&mut server, target) else { return false };
    let lines = server.log.whole();
    assert!(!status.success(), "whoever restarts it has to notice: {lines:?}");
    assert!(lines.iter().any(|line| line.contains("the database is damaged: ")), "{lines:?}");
    drop(server);

    let server = Server::on(&folder, NO_LIMITS);
    assert!(server.log.lines().iter().any(|line| line.contains(GOES_BACK)), "{:?}", server.log.lines());
    // Everybody signs in anew.
    let person = Person { token: person.sign_in(&server), ..person.clone() };
    let inbox = person.get(&server, "/api/messages?limit=200").json();
    let shown: Vec<_> =
        inbox["data"].as_array().unwrap().iter().map(|note| note["message"].as_str().unwrap()).collect();
    let newest = acknowledged.iter().rev().take(200).collect::<Vec<_>>();
    assert!(newest.iter().all(|words| shown.contains(&words.as_str())), "{} of {}", shown.len(), acknowledged.len());
    assert!(inbox["message"].as_u64().unwrap() >= acknowledged.len() as u64);
    true
}
