//! The same appends to the commit log, to redb and to fjall: `logs [FOLDER]`.
//!
//! Twenty rooms have ten appends each under way. The libraries get what the
//! commit log has: one thread that takes all appends that wait, makes them
//! durable together, and pauses for four milliseconds. They need not seal
//! anything, check where a room's log ends, or find words to overwrite.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use annon_store::account::{Account, AccountId, Email, PasswordHash, TargetId, Username};
use annon_store::room::{Body, ChatId, ChatText, Millis, RoomEvent, RoomId, RoomMetadata, RoomName, SeatNumber, Seq};
use annon_store::{Engine, Local, Options};
use fjall::{Database, KeyspaceCreateOptions, PersistMode};
use hdrhistogram::Histogram;
use redb::{Durability, TableDefinition};
use tokio::sync::{Mutex, oneshot};
use uuid::Uuid;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const ROOMS: usize = 20;
const IN_FLIGHT: usize = 10;
const PAUSE: Duration = Duration::from_millis(4);
const SECONDS: u64 = 5;
const TURNS: usize = 5;
/// As long as a record of the commit log with one message of a few words.
const RECORD: [u8; 120] = [7; 120];

type Error = Box<dyn std::error::Error>;
type Appended = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Appends a record at a place of a room's log. It is queued at once, and durable
/// when the future is ready.
trait Log: Send + Sync {
    fn append(&self, room: Uuid, place: u64) -> Appended;
}

struct CommitLog(Local);

impl CommitLog {
    async fn open(folder: &Path, rooms: &[Uuid]) -> Result<Self, Error> {
        let store = Local::open(&Options { disk_reserve: 0, ..Options::new(folder) })?;
        let owner = AccountId(Uuid::new_v4());
        let account = Account {
            id: owner,
            target: TargetId(Uuid::new_v4()),
            username: Username::try_from("somebody".to_owned()).map_err(|_| "a name")?,
            email: Email::try_from("some@body.example".to_owned()).map_err(|_| "an address")?,
            password: PasswordHash(String::new()),
            created: 0,
            confirmed: true,
        };
        store.accounts().create(account.clone()).await.map_err(|error| format!("{error:?}"))?;
        for room in rooms {
            let metadata = RoomMetadata {
                id: RoomId(*room),
                name: RoomName::try_from("a group").map_err(|_| "a group's name")?,
                owner,
                creator: account.username.clone(),
                created: 0,
                expires: 86_400,
                sealed: None,
            };
            store.rooms().create(metadata, 0).await?;
        }
        Ok(Self(store))
    }
}

impl Log for CommitLog {
    fn append(&self, room: Uuid, place: u64) -> Appended {
        let text = ChatText::try_from("a message of some words, as people send them in groups").unwrap();
        let posted = RoomEvent::Posted {
            seat: SeatNumber(0),
            id: ChatId::try_from("abcdefghijklmno").unwrap(),
            body: Body::Text(text),
            reply_to: None,
            at: Millis(place),
        };
        let appending = self.0.room_log().append(RoomId(room), Seq(place), vec![posted]);
        Box::pin(async move { appending.await.expect("the commit log appends") })
    }
}

type Waiting = (Vec<u8>, oneshot::Sender<()>);

/// Hands all appends that wait to one thread, as the commit log does.
struct Grouped(Sender<Waiting>);

impl Grouped {
    fn over(mut commit: impl FnMut(&[Waiting]) + Send + 'static) -> Self {
        let (sender, appends): (_, Receiver<Waiting>) = channel();
        thread::spawn(move || {
            while let Ok(first) = appends.recv() {
                let begun = Instant::now();
                let mut group = vec![first];
                group.extend(appends.try_iter());
                commit(&group);
                for (_, done) in group {
                    let _ = done.send(());
                }
                thread::sleep(PAUSE.saturating_sub(begun.elapsed()));
            }
        });
        Self(sender)
    }

    fn redb(folder: &Path) -> Result<Self, Error> {
        const LOG: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("log");
        let database = redb::Database::create(folder.join("redb"))?;
        Ok(Self::over(move |group| {
            let mut transaction = database.begin_write().expect("redb begins");
            transaction.set_durability(Durability::Immediate).expect("redb is durable");
            let mut log = transaction.open_table(LOG).expect("redb has a table");
            for (key, _) in group {
                log.insert(&**key, &RECORD[..]).expect("redb inserts");
            }
            drop(log);
            transaction.commit().expect("redb commits");
        }))
    }

    fn fjall(folder: &Path) -> Result<Self, Error> {
        let database = Database::builder(folder.join("fjall")).open()?;
        let log = database.keyspace("log", KeyspaceCreateOptions::default)?;
        Ok(Self::over(move |group| {
            let mut batch = database.batch().durability(Some(PersistMode::SyncData));
            for (key, _) in group {
                batch.insert(&log, &**key, RECORD);
            }
            batch.commit().expect("fjall commits");
        }))
    }
}

impl Log for Grouped {
    fn append(&self, room: Uuid, place: u64) -> Appended {
        let (done, answer) = oneshot::channel();
        let key = [&room.as_bytes()[..], &place.to_be_bytes()].concat();
        let _ = self.0.send((key, done));
        Box::pin(async move { answer.await.expect("the thread answers") })
    }
}

/// Processor time of this process so far.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Appends a second, processor time of each in microseconds, p50 and p99 in milliseconds.
async fn measure(log: Arc<dyn Log>, rooms: &[Uuid]) -> [f64; 4] {
    let (begun, used) = (Instant::now(), processor_time());
    let end = begun + Duration::from_secs(SECONDS);
    let mut writers = Vec::new();
    for room in rooms {
        // Appends of a room are queued in the order of their places.
        let next = Arc::new(Mutex::new(0));
        for _ in 0..IN_FLIGHT {
            let (log, next, room) = (log.clone(), next.clone(), *room);
            writers.push(tokio::spawn(async move {
                let mut times = Histogram::<u64>::new(3).expect("a histogram");
                while Instant::now() < end {
                    let asked = Instant::now();
                    let appended = {
                        let mut next = next.lock().await;
                        let place = *next;
                        *next += 1;
                        log.append(room, place)
                    };
                    appended.await;
                    times.record(asked.elapsed().as_micros() as u64).expect("a time");
                }
                times
            }));
        }
    }
    let mut times = Histogram::<u64>::new(3).expect("a histogram");
    for writer in writers {
        times.add(writer.await.expect("a writer ends")).expect("times are added");
    }
    let appends = times.len() as f64;
    let (seconds, used) = (begun.elapsed().as_secs_f64(), (processor_time() - used).as_secs_f64());
    let milliseconds = |quantile| times.value_at_quantile(quantile) as f64 / 1000.0;
    [appends / seconds, used * 1e6 / appends, milliseconds(0.5), milliseconds(0.99)]
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let parent = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let names = ["commit log", "redb", "fjall"];
    let mut measured = vec![Vec::new(); names.len()];
    for _ in 0..TURNS {
        for (name, turns) in names.iter().zip(&mut measured) {
            let folder = tempfile::tempdir_in(&parent)?;
            let rooms: Vec<_> = (0..ROOMS).map(|_| Uuid::new_v4()).collect();
            let log: Arc<dyn Log> = match *name {
                "redb" => Arc::new(Grouped::redb(folder.path())?),
                "fjall" => Arc::new(Grouped::fjall(folder.path())?),
                _ => Arc::new(CommitLog::open(folder.path(), &rooms).await?),
            };
            turns.push(measure(log, &rooms).await);
        }
    }
    println!("medians of {TURNS} turns, {SECONDS} s each, {ROOMS} rooms with {IN_FLIGHT} appends under way");
    println!("{:<12}{:>12}{:>16}{:>10}{:>10}", "", "appends/s", "processor, us", "p50, ms", "p99, ms");
    for (name, turns) in names.iter().zip(measured) {
        let median = |figure: usize| {
            let mut all: Vec<f64> = turns.iter().map(|turn: &[f64; 4]| turn[figure]).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        println!("{name:<12}{:>12.0}{:>16.1}{:>10.2}{:>10.2}", median(0), median(1), median(2), median(3));
    }
    Ok(())
}
