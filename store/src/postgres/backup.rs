//! Backups of both databases, as a data folder's are: `annon restore` makes a folder of
//! one, since what is sealed is bound to the same places in every engine.
//!
//! All rows are of one moment. The keys are in another database: `keys/moment.rs` says how those are found that open the
//! rows. Only keys that open a row of the backup are in it.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, Write};

use futures_util::future::join;
use tokio::sync::mpsc::{Sender, channel};
use tokio_postgres::{IsolationLevel, Row, Transaction};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::folder::parts::{Part, PartWriter};
use crate::image::picture::Picture;
use crate::image::{Album, ImageId};
use crate::postgres::Postgres;
use crate::postgres::images::SealedPicture;
use crate::postgres::keys::{Named, Whose};
use crate::postgres::rooms::whose;
use crate::progress::Progress;
use crate::room::{RoomId, Seq};
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{SealKey, sealed_with};
use crate::shapes::feedback::Count;
use crate::shapes::report::ReportRecord;
use crate::shapes::{decode, encode};
use crate::table::{Table, home, is_beside_conversation, key, log_key, owner_of, room_key};

/// Rows that are read at once, and rows with a picture.
const ROWS: i32 = 1000;
const PICTURES: i32 = 16;
/// Parts that wait until they are written.
const WAITING: usize = 256;
/// How many bytes of the keys are one part.
const KEYS_AT_ONCE: usize = 1024 * 1024;
/// Whoever takes the backup may be slow.
const UNHURRIED: &str = "SET statement_timeout = '1h'; SET idle_in_transaction_session_timeout = 0";

const ROOMS: &str = "SELECT id, day, owner, expires, sealed FROM room WHERE NOT gone";
const LOGS: &str = "SELECT r.id, r.day, l.last, l.sealed FROM room r \
     JOIN room_log l ON l.day = r.day AND l.room = r.id WHERE NOT r.gone";
const ROWS_KEPT: &str = "SELECT at, value FROM kept WHERE NOT (at >= '\\x48' AND at < '\\x49')";
/// Pictures of reports, which are large.
const PICTURES_KEPT: &str = "SELECT at, value FROM kept WHERE at >= '\\x48' AND at < '\\x49'";
/// What belongs to these, or leads to them.
const OF_THE_GONE: &str = "SELECT at FROM kept WHERE substr(at, 2, 16) = ANY ($1) \
     OR substr(at, greatest(length(at) - 15, 1)) = ANY ($1) OR substr(value, greatest(length(value) - 15, 1)) = ANY ($1)";
const PICTURES_OF_ROOMS: &str = "SELECT i.id, i.day, i.head, i.body, i.album FROM room r \
     JOIN image i ON i.day = r.day AND i.album = r.id WHERE NOT r.gone AND i.body IS NOT NULL";
const PICTURES_OF_FEEDBACK: &str = "SELECT id, day, head, body FROM image WHERE day = 0 AND body IS NOT NULL";

/// Writes a backup. It is not whole when this fails.
pub(super) async fn write(engine: &Postgres, out: Box<dyn Write + Send>) -> io::Result<()> {
    let (parts, mut coming) = channel(WAITING);
    let secret = engine.secret.bytes().to_vec();
    let writing = tokio::task::spawn_blocking(move || {
        let mut out = PartWriter::begin(BufWriter::new(out))?;
        out.write(&Part::Secret(secret))?;
        while let Some(part) = coming.blocking_recv() {
            match part {
                Some(part) => out.write(&part)?,
                None => return out.end(),
            }
        }
        Ok(())
    });
    let walked = walk(engine, parts, false).await;
    writing.await??;
    walked
}

/// Opens all that a backup would have now. Returns how many records and pictures that is.
pub(super) async fn open_all(engine: &Postgres, progress: &Progress) -> io::Result<(u64, u64)> {
    let (parts, mut coming) = channel(WAITING);
    let counting = async move {
        let (mut records, mut pictures) = (0, 0);
        while let Some(Some(part)) = coming.recv().await {
            match part {
                Part::Put(at, _) if at.first() == Some(&(Table::ReportPicture as u8)) => pictures += 1,
                Part::Put(at, _) if is_beside_conversation(&at) => continue,
                Part::Put(at, _) if owner_of(&at).is_ok() => records += 1,
                Part::Picture(..) => pictures += 1,
                Part::Put(..) | Part::Remove(_) | Part::Keys(_) | Part::Secret(_) => continue,
            }
            progress.add(1);
        }
        (records, pictures)
    };
    let (walked, counted) = join(walk(engine, parts, true), counting).await;
    walked.map(|()| counted)
}

/// Sends everything, and `None` at its end. With `opens`, what can't be opened is an error.
async fn walk(engine: &Postgres, parts: Sender<Option<Part>>, opens: bool) -> io::Result<()> {
    let mut connection = engine.record.connect().await.map_err(|_| unreadable(StoreError::Unreachable))?;
    connection.client.batch_execute(UNHURRIED).await.map_err(unreadable)?;
    let transaction = connection.client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    let transaction = transaction.read_only(true).start().await.map_err(unreadable)?;
    // With its first statement the moment is chosen.
    let chosen = async { transaction.batch_execute("SELECT 1 FROM meta").await.map_err(|_| StoreError::Unreachable) };
    let moment = engine.keys.moment_after(chosen).await.map_err(unreadable)?;
    let keys = engine.keys.read_all(&moment).await.map_err(io::Error::other)?;
    drop(moment);
    let mut found = Found { keys, opens, ..Found::default() };
    let walk = Walk { transaction, parts };
    walk.all(ROOMS, ROWS, &mut found, Found::room).await?;
    walk.all(LOGS, ROWS, &mut found, Found::record).await?;
    walk.all(ROWS_KEPT, ROWS, &mut found, Found::kept).await?;
    walk.all(PICTURES_KEPT, PICTURES, &mut found, Found::kept).await?;
    walk.all(PICTURES_OF_ROOMS, PICTURES, &mut found, Found::picture_of_room).await?;
    walk.all(PICTURES_OF_FEEDBACK, PICTURES, &mut found, Found::picture_of_feedback).await?;
    let gone: Vec<_> = found.gone.iter().map(|id| id.as_bytes().to_vec()).collect();
    if !gone.is_empty() {
        for row in walk.transaction.query(OF_THE_GONE, &[&gone]).await.map_err(unreadable)? {
            walk.put(Part::Remove(row.get(0))).await?;
        }
    }
    for (table, count) in [(Table::FeedbackCount, found.feedback), (Table::OpenReports, found.open_reports)] {
        let count = encode(&Count(count)).map_err(io::Error::other)?;
        walk.put(Part::Put(key(table, &[]), count)).await?;
    }
    for some in found.keyring.copy().chunks(KEYS_AT_ONCE) {
        walk.put(Part::Keys(some.to_vec())).await?;
    }
    walk.parts.send(None).await.map_err(io::Error::other)
}

/// The messages of the database are not passed on, because they may quote a value.
fn unreadable<E>(_: E) -> io::Error {
    io::Error::other("the database can't be read to its end")
}

/// The database as it was at one moment.
struct Walk<'a> {
    transaction: Transaction<'a>,
    parts: Sender<Option<Part>>,
}

impl Walk<'_> {
    async fn put(&self, part: Part) -> io::Result<()> {
        self.parts.send(Some(part)).await.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }

    /// Sends what every row of a question becomes.
    async fn all(
        &self,
        select: &str,
        at_once: i32,
        found: &mut Found,
        parts_of: fn(&mut Found, &Row) -> Result<Vec<Part>>,
    ) -> io::Result<()> {
        let portal = self.transaction.bind(select, &[]).await.map_err(unreadable)?;
        loop {
            let rows = self.transaction.query_portal(&portal, at_once).await.map_err(unreadable)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in &rows {
                for part in parts_of(found, row).map_err(io::Error::other)? {
                    self.put(part).await?;
                }
            }
        }
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    keys: HashMap<Named, SealKey>,
    used: HashSet<Named>,
    /// The keys of the backup.
    keyring: Keyring,
    feedback: u32,
    open_reports: u32,
    /// Accounts and conversations whose record has no key.
    gone: HashSet<Uuid>,
    /// Whether everything is opened.
    opens: bool,
}

impl Found {
    /// Takes the key of a record into the backup. If the database of keys has lost it, the record goes as well.
    fn has_key(&mut self, whose: impl Into<Whose>, at: &[u8], sealed: &[u8]) -> Result<bool> {
        let name = (whose.into(), sealed_with(sealed)?);
        let Some(key) = self.keys.get(&name) else { return Ok(false) };
        if self.opens {
            key.open(at, sealed).map(Zeroizing::new)?;
        }
        if self.used.insert(name) {
            self.keyring.hold(name.0.owner, key.clone());
        }
        Ok(true)
    }

    /// A sealed record, if it has a key.
    fn sealed(&mut self, whose: impl Into<Whose>, at: Vec<u8>, sealed: Vec<u8>) -> Result<Vec<Part>> {
        Ok(if self.has_key(whose, &at, &sealed)? { vec![Part::Put(at, sealed)] } else { Vec::new() })
    }

    fn room(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (id, owner, expires) = (RoomId(row.get(0)), row.get::<_, Uuid>(2), row.get::<_, i64>(3).to_be_bytes());
        let mut parts = self.sealed(whose(id, row.get(1)), room_key(id), row.get(4))?;
        if !parts.is_empty() {
            let (of_owner, at_end) = ([owner.as_bytes(), &id.0.as_bytes()[..]], [&expires[..], id.0.as_bytes()]);
            parts.push(Part::Put(key(Table::RoomOf, &of_owner), expires.to_vec()));
            parts.push(Part::Put(key(Table::RoomExpiry, &at_end), Vec::new()));
        }
        Ok(parts)
    }

    fn record(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (room, last) = (RoomId(row.get(0)), Seq(row.get::<_, i64>(2).unsigned_abs()));
        self.sealed(whose(room, row.get(1)), log_key(room, last), row.get(3))
    }

    /// A row as every engine has it. What is counted is counted anew: what has lost its key isn't there.
    fn kept(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (at, value): (Vec<u8>, Vec<u8>) = (row.get(0), row.get(1));
        let is = |table: Table| at.first() == Some(&(table as u8));
        if is(Table::FeedbackCount) || is(Table::OpenReports) || is(Table::InboxKey) {
            return Ok(Vec::new());
        }
        let Ok(owner) = owner_of(&at) else { return Ok(vec![Part::Put(at, value)]) };
        if !self.has_key(owner, &at, &value)? {
            if let Owner::Account(id) | Owner::Conversation(id) = owner
                && at == home(owner)
            {
                self.gone.insert(id);
            }
            return Ok(Vec::new());
        }
        self.feedback += u32::from(is(Table::Feedback));
        if is(Table::Report) {
            self.open_reports += u32::from(self.is_open_report(owner, &at, &value)?);
        }
        Ok(vec![Part::Put(at, value)])
    }

    fn is_open_report(&self, owner: Owner, at: &[u8], sealed: &[u8]) -> Result<bool> {
        let key = self.keys.get(&(owner.into(), sealed_with(sealed)?)).ok_or(StoreError::NotFound)?;
        let record: ReportRecord = decode(&Zeroizing::new(key.open(at, sealed)?))?;
        Ok(record.closed.is_none())
    }

    fn picture_of_room(&mut self, row: &Row) -> Result<Vec<Part>> {
        let room = row.get(4);
        self.picture(Album::Room(room), whose(RoomId(room), row.get(1)), row)
    }

    fn picture_of_feedback(&mut self, row: &Row) -> Result<Vec<Part>> {
        self.picture(Album::Feedback, Owner::FeedbackPicture(row.get(0)).into(), row)
    }

    /// A picture with its own key. In a data folder that stands among the others.
    fn picture(&mut self, album: Album, whose: Whose, row: &Row) -> Result<Vec<Part>> {
        let (picture, head) = (Picture { album, id: ImageId(row.get(0)) }, row.get::<_, &[u8]>(2));
        let Some(owners) = self.keys.get(&(whose, sealed_with(head)?)) else { return Ok(Vec::new()) };
        let (key, body) = (SealedPicture::key(picture, owners, head)?, row.get::<_, Vec<u8>>(3));
        if self.opens {
            key.open(&picture.place(), &body)?;
        }
        self.keyring.hold(picture.owner(), key);
        Ok(vec![Part::Picture(picture.name(), body)])
    }
}
