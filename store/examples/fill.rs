//! Fills a data folder and tells how long a start takes on it:
//!
//! `cargo run --release -p annon-store --example fill -- DIR USERS NOTES ROOMS [hold]`
//!
//! A folder that is filled already is only measured. With `hold` the process
//! waits after filling, to be killed instead of closing.

#![expect(clippy::print_stdout, reason = "it is run to be read")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use annon_contract::code::Code;
use annon_store::account::{Account, AccountId, Email, PasswordHash, TargetId, Username};
use annon_store::inbox::{Arrival, Delivered};
use annon_store::room::{
    Body, ChatId, ChatText, Emoji, MemberId, Millis, RoomEvent, RoomId, RoomMetadata, RoomName, SeatNumber, Seq,
};
use annon_store::text::NoteText;
use annon_store::{Engine, Kept, Local, Options};
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Calls under way at once while filling.
const AT_ONCE: u64 = 2048;
/// Accounts with more than a page of notes, to measure pages with.
const BUSY: u64 = 100;
const BUSY_NOTES: u64 = 100;
const PAGE: usize = 50;
/// Messages in each room.
const MESSAGES: u64 = 50;
/// Rooms end long after this is measured.
const FAR_OFF: u64 = 4_000_000_000;

#[expect(clippy::disallowed_methods, reason = "this measures")]
fn now() -> Instant {
    Instant::now()
}

fn options(folder: &str, sync: bool) -> Options {
    let mut options = Options::new(folder);
    if !sync {
        (options.sync, options.commit_pause) = (false, Duration::ZERO);
    }
    options
}

fn account(n: u64) -> Outcome<Account> {
    let id = u128::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    Ok(Account {
        id: AccountId(Uuid::from_u128(id)),
        target: TargetId(Uuid::from_u128(!id)),
        username: Username::try_from(format!("user-{n}-x"))?,
        email: Email::try_from(format!("user-{n}@example.org"))?,
        password: PasswordHash(
            "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzYWx0$bG9uZ2hhc2hsb25naGFzaGxvbmdoYXNo".into(),
        ),
        created: 1_790_000_000 + n,
        confirmed: true,
    })
}

fn note(n: u64) -> Outcome<Arrival> {
    let text = format!("Note {n}: {}", "about as long as a note is in real life. ".repeat(1 + n as usize % 4));
    Ok(Arrival::new(NoteText::try_from(text)?, n, n))
}

/// Everything that has happened in a room with one member.
fn events(n: u64) -> Outcome<Vec<RoomEvent>> {
    let (seat, at) = (SeatNumber(0), Millis(1_790_000_000_000));
    let mut events = vec![
        RoomEvent::Claimed { seat, member: MemberId([7; 16]), emoji: Emoji(5), at },
        RoomEvent::Arrived { seat, at },
    ];
    for message in 0..MESSAGES {
        let id = ChatId::try_from(format!("{:015}", n * MESSAGES + message))?;
        let body = Body::Text(ChatText::try_from(&*format!("Message {message} of room {n}, of the usual length."))?);
        events.push(RoomEvent::Posted { seat, id, body, reply_to: None, at });
    }
    Ok(events)
}

async fn open_room(store: &Local, n: u64) -> Outcome<()> {
    let owner = account(n)?;
    let id = RoomId(Uuid::from_u128(u128::from(n + 1) << 64));
    let name = RoomName::try_from(&*format!("room {n}"))?;
    let metadata = RoomMetadata {
        id,
        name,
        owner: owner.id,
        creator: owner.username,
        created: owner.created,
        expires: FAR_OFF,
        sealed: None,
    };
    store.rooms().create(metadata, owner.created).await?;
    store.room_log().append(id, Seq(0), events(n)?).await?;
    Ok(())
}

/// Whose the `n`th note is.
fn owner(n: u64, users: u64) -> u64 {
    let busy = BUSY.min(users);
    if n < busy * BUSY_NOTES { n % busy } else { n % users }
}

async fn fill(store: &Arc<Local>, users: u64, notes: u64, rooms: u64) -> Outcome<()> {
    let begun = now();
    let mut tasks = tokio::task::JoinSet::new();
    for lane in 0..AT_ONCE {
        let store = store.clone();
        tasks.spawn(async move {
            for n in (lane..users).step_by(AT_ONCE as usize) {
                store.accounts().create(account(n)?).await.map_err(Code::from)?;
            }
            Outcome::Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    println!("{users} accounts in {:.1?}", begun.elapsed());
    let begun = now();
    for lane in 0..AT_ONCE {
        let store = store.clone();
        tasks.spawn(async move {
            for n in (lane..notes).step_by(AT_ONCE as usize) {
                let owner = account(owner(n, users))?.id;
                // Every third one was read.
                if let Delivered::Shown { note, .. } = store.inbox().deliver(owner, note(n)?).await?
                    && n.is_multiple_of(3)
                {
                    store.inbox().mark_seen(owner, note.id, n).await?;
                }
            }
            Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    println!("{notes} notes in {:.1?}", begun.elapsed());
    let begun = now();
    for lane in 0..AT_ONCE {
        let store = store.clone();
        tasks.spawn(async move {
            for n in (lane..rooms).step_by(AT_ONCE as usize) {
                open_room(&store, n).await?;
            }
            Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    println!("{rooms} rooms in {:.1?}", begun.elapsed());
    Ok(())
}

async fn measure(folder: &str, users: u64) -> Outcome<()> {
    let begun = now();
    let store = Local::open(&options(folder, true))?;
    let opened = begun.elapsed();
    let first = store.inbox().page(account(0)?.id, None, PAGE, FAR_OFF).await?;
    println!("open: {opened:.1?}; with the first page ({} notes): {:.1?}", first.notes.len(), begun.elapsed());
    for round in ["cold", "warm"] {
        let mut times = Vec::new();
        for n in 0..BUSY.min(users) {
            let begun = now();
            let page = store.inbox().page(account(n)?.id, None, PAGE, FAR_OFF).await?;
            times.push(begun.elapsed());
            assert_eq!(page.notes.len(), PAGE);
        }
        times.sort_unstable();
        println!(
            "a {round} page of {PAGE}: median {:.1?}, most {:.1?}",
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
    let begun = now();
    for n in 0..1000.min(users) {
        store.accounts().by_username(&account(n * 97 % users)?.username).await?.ok_or("not found")?;
    }
    println!("an account by name: {:.1?}", begun.elapsed() / 1000.min(users) as u32);
    let begun = now();
    let swept = store.sweep_after_start(1_790_000_000).await?;
    println!("sweep after start: {:.1?} ({swept:?})", begun.elapsed());
    println!("{:?}", store.figures());
    let begun = now();
    store.close().await?;
    println!("close: {:.1?}", begun.elapsed());
    Ok(())
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, users, notes, rooms, hold @ ..] = &arguments[..] else {
        return Err("fill DIR USERS NOTES ROOMS [hold]".into());
    };
    let (users, notes, rooms) = (users.parse()?, notes.parse()?, rooms.parse()?);
    let begun = now();
    let store = Arc::new(Local::open(&options(folder, false))?);
    println!("open as it was found: {:.1?}", begun.elapsed());
    if store.accounts().list(None, 1).await?.is_empty() {
        fill(&store, users, notes, rooms).await?;
        if !hold.is_empty() {
            println!("holding: kill me");
            std::future::pending::<()>().await;
        }
    }
    let begun = now();
    Arc::into_inner(store).ok_or("still in use")?.close().await?;
    println!("close: {:.1?}", begun.elapsed());
    measure(folder, users).await
}
