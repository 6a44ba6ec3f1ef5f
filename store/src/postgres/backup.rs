//! Backups of both databases, as a data folder's are: `annon restore` makes a folder of
//! one, since what is sealed is bound to the same places in every engine.
//!
//! All rows are of one moment. The keys are in another database, so they are read before
//! that moment and after it: a key that was made or destroyed between is in one of both.
//! Only keys that open a row of the backup are in it.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, Write};

use futures_util::future::join;
use tokio::sync::mpsc::{Sender, channel};
use tokio_postgres::{IsolationLevel, Row, Transaction};
use zeroize::Zeroizing;

use crate::account::AccountId;
use crate::conversation::keeping::CountsAs;
use crate::conversation::{ConversationId, Proof};
use crate::error::{Result, StoreError};
use crate::folder::parts::{Part, PartWriter};
use crate::image::picture::Picture;
use crate::image::{Album, ImageId};
use crate::inbox::place::NotePlace;
use crate::postgres::Postgres;
use crate::postgres::images::SealedPicture;
use crate::postgres::keys::{Named, Whose};
use crate::postgres::rooms::whose;
use crate::progress::Progress;
use crate::room::{RoomId, Seq};
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{SealKey, sealed_with};
use crate::shapes::account::IdRecord;
use crate::shapes::answer::{Publicity, publicity_key};
use crate::shapes::conversation::{DoorRecord, count_key, listed};
use crate::shapes::feedback::Count;
use crate::shapes::report::ReportRecord;
use crate::shapes::shield::{DayRecord, day_of_tags_key, known_tag_key, shield_key};
use crate::shapes::{decode, encode};
use crate::shield::TagHash;
use crate::table::{
    Table, account_key, answer_key, conversation_key, key, log_key, note_key, owner_of, personal_page_key, room_key,
};

mod operators;

/// Rows that are read at once, and rows with a picture.
const ROWS: i32 = 1000;
const PICTURES: i32 = 16;
/// Parts that wait until they are written.
const WAITING: usize = 256;
/// How many bytes of the keys are one part.
const KEYS_AT_ONCE: usize = 1024 * 1024;
/// Whoever takes the backup may be slow.
const UNHURRIED: &str = "SET statement_timeout = '1h'; SET idle_in_transaction_session_timeout = 0";

const ACCOUNTS: &str = "SELECT id, name, email, confirmed, target, sealed, access, inbox, inbox_stale FROM account";
const NOTES: &str = "SELECT owner, place, sealed FROM note";
const ANSWERS: &str = "SELECT owner, place, note, sealed FROM answer";
const ONLY_FOR_YOU: &str = "SELECT owner, place FROM only_for_you";
const PERSONAL_PAGES: &str = "SELECT owner, sealed FROM personal_page";
const SHIELDS: &str = "SELECT owner, sealed FROM shield";
const KNOWN_TAGS: &str = "SELECT owner, tag, day FROM known_tag";
const DAYS_OF_TAGS: &str = "SELECT day, owner FROM day_of_tags";
const ROOMS: &str = "SELECT id, day, owner, expires, sealed FROM room WHERE NOT gone";
const LOGS: &str = "SELECT r.id, r.day, l.last, l.sealed FROM room r \
     JOIN room_log l ON l.day = r.day AND l.room = r.id WHERE NOT r.gone";
const CONVERSATIONS: &str = "SELECT id, owner, place, proof, open, moved, sealed, answered FROM conversation";
const SUSPENSIONS: &str = "SELECT account, sealed FROM suspension";
const WITHHELD: &str = "SELECT word, until FROM withheld";
const ROWS_KEPT: &str = "SELECT at, value FROM kept WHERE NOT (at >= '\\x48' AND at < '\\x49')";
/// Pictures of reports, which are large.
const PICTURES_KEPT: &str = "SELECT at, value FROM kept WHERE at >= '\\x48' AND at < '\\x49'";
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
    let mut keys = HashMap::new();
    engine.keys.read_all(&mut keys).await.map_err(io::Error::other)?;
    let mut connection = engine.record.connect().await.map_err(|_| unreadable(StoreError::Unreachable))?;
    connection.client.batch_execute(UNHURRIED).await.map_err(unreadable)?;
    let transaction = connection.client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    let transaction = transaction.read_only(true).start().await.map_err(unreadable)?;
    // With its first statement the moment is chosen.
    transaction.batch_execute("SELECT 1 FROM meta").await.map_err(unreadable)?;
    engine.keys.read_all(&mut keys).await.map_err(io::Error::other)?;
    let (used, keyring, counts) = (HashSet::new(), Keyring::default(), HashMap::new());
    let mut found = Found { keys, used, keyring, feedback: 0, open_reports: 0, counts, opens };
    let walk = Walk { transaction, parts };
    walk.all(ACCOUNTS, ROWS, &mut found, Found::account).await?;
    walk.all(NOTES, ROWS, &mut found, Found::note).await?;
    walk.all(ANSWERS, ROWS, &mut found, Found::answer).await?;
    walk.all(ONLY_FOR_YOU, ROWS, &mut found, Found::only_for_you).await?;
    walk.all(PERSONAL_PAGES, ROWS, &mut found, Found::personal_page).await?;
    walk.all(SHIELDS, ROWS, &mut found, Found::shield).await?;
    walk.all(KNOWN_TAGS, ROWS, &mut found, Found::known_tag).await?;
    walk.all(DAYS_OF_TAGS, ROWS, &mut found, Found::day_of_tags).await?;
    walk.all(CONVERSATIONS, ROWS, &mut found, Found::conversation).await?;
    walk.all(ROOMS, ROWS, &mut found, Found::room).await?;
    walk.all(LOGS, ROWS, &mut found, Found::record).await?;
    walk.all(ROWS_KEPT, ROWS, &mut found, Found::kept).await?;
    walk.all(PICTURES_KEPT, PICTURES, &mut found, Found::kept).await?;
    walk.all(SUSPENSIONS, ROWS, &mut found, Found::suspension).await?;
    walk.all(WITHHELD, ROWS, &mut found, Found::withheld).await?;
    walk.all(PICTURES_OF_ROOMS, PICTURES, &mut found, Found::picture_of_room).await?;
    walk.all(PICTURES_OF_FEEDBACK, PICTURES, &mut found, Found::picture_of_feedback).await?;
    for (table, count) in [(Table::FeedbackCount, found.feedback), (Table::OpenReports, found.open_reports)] {
        let count = encode(&Count(count)).map_err(io::Error::other)?;
        walk.put(Part::Put(key(table, &[]), count)).await?;
    }
    for part in count_parts(found.counts).map_err(io::Error::other)? {
        walk.put(part).await?;
    }
    for some in found.keyring.copy().chunks(KEYS_AT_ONCE) {
        walk.put(Part::Keys(some.to_vec())).await?;
    }
    walk.parts.send(None).await.map_err(io::Error::other)
}

fn count_parts(counts: HashMap<Vec<u8>, u32>) -> Result<Vec<Part>> {
    counts.into_iter().map(|(at, count)| Ok(Part::Put(at, encode(&Count(count))?))).collect()
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
struct Found {
    keys: HashMap<Named, SealKey>,
    used: HashSet<Named>,
    /// The keys of the backup.
    keyring: Keyring,
    feedback: u32,
    open_reports: u32,
    /// How many conversations of each account count as something, by where that is counted.
    counts: HashMap<Vec<u8>, u32>,
    /// Whether everything is opened.
    opens: bool,
}

impl Found {
    /// Takes the key of a record into the backup. Without it, the record's owner was
    /// deleted just now, and the record goes with it.
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

    fn account(&mut self, row: &Row) -> Result<Vec<Part>> {
        let id = AccountId(row.get(0));
        let sealed: Vec<u8> = row.get(5);
        if !self.has_key(Owner::Account(id.0), &account_key(id), &sealed)? {
            return Ok(Vec::new());
        }
        let (whose, leads) = (id.0.as_bytes(), encode(&IdRecord(id))?);
        let of = |table, place: &[u8]| key(table, &[place]);
        let mut all = vec![
            (account_key(id), sealed),
            (of(Table::Access, whose), row.get(6)),
            (of(Table::Username, row.get(1)), leads.clone()),
            (of(Table::Target, row.get::<_, uuid::Uuid>(4).as_bytes()), leads.clone()),
        ];
        if row.get(3) {
            all.push((of(Table::Email, row.get(2)), leads));
        }
        if let Some(inbox) = row.get::<_, Option<Vec<u8>>>(7) {
            all.push((of(Table::Inbox, whose), inbox));
        }
        if row.get::<_, Option<i64>>(8).is_some() {
            all.push((of(Table::Stale, whose), Vec::new()));
        }
        Ok(all.into_iter().map(|(at, value)| Part::Put(at, value)).collect())
    }

    fn note(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (owner, place) = (AccountId(row.get(0)), NotePlace::at_end_of(row.get(1))?);
        self.sealed(Owner::Inbox(owner.0), note_key(owner, place), row.get(2))
    }

    fn answer(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (owner, place) = (AccountId(row.get(0)), NotePlace::at_end_of(row.get(1))?);
        let mut parts = self.sealed(Owner::Inbox(owner.0), answer_key(owner, place), row.get(3))?;
        if !parts.is_empty() {
            let answered = encode(&Publicity::Answered(*place.bytes()))?;
            parts.push(Part::Put(publicity_key(owner, NotePlace::at_end_of(row.get(2))?), answered));
        }
        Ok(parts)
    }

    fn only_for_you(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (owner, note) = (AccountId(row.get(0)), NotePlace::at_end_of(row.get(1))?);
        Ok(vec![Part::Put(publicity_key(owner, note), encode(&Publicity::OnlyForYou)?)])
    }

    fn personal_page(&mut self, row: &Row) -> Result<Vec<Part>> {
        let owner = AccountId(row.get(0));
        self.sealed(Owner::Account(owner.0), personal_page_key(owner), row.get(1))
    }

    fn shield(&mut self, row: &Row) -> Result<Vec<Part>> {
        let owner = AccountId(row.get(0));
        self.sealed(Owner::Shield(owner.0), shield_key(owner), row.get(1))
    }

    fn known_tag(&mut self, row: &Row) -> Result<Vec<Part>> {
        let tag = row.get::<_, &[u8]>(1).try_into().map(TagHash).map_err(|_| StoreError::Corrupt)?;
        let day = DayRecord(row.get::<_, i32>(2).unsigned_abs());
        Ok(vec![Part::Put(known_tag_key(AccountId(row.get(0)), tag), encode(&day)?)])
    }

    fn day_of_tags(&mut self, row: &Row) -> Result<Vec<Part>> {
        let day = row.get::<_, i32>(0).unsigned_abs();
        Ok(vec![Part::Put(day_of_tags_key(day, AccountId(row.get(1))), Vec::new())])
    }

    /// A sealed record, if it has a key.
    fn sealed(&mut self, whose: impl Into<Whose>, at: Vec<u8>, sealed: Vec<u8>) -> Result<Vec<Part>> {
        Ok(if self.has_key(whose, &at, &sealed)? { vec![Part::Put(at, sealed)] } else { Vec::new() })
    }

    fn conversation(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (id, owner) = (ConversationId(row.get(0)), AccountId(row.get(1)));
        let mut parts = self.sealed(Owner::Conversation(id.0), conversation_key(id), row.get(6))?;
        if !parts.is_empty() {
            let place = NotePlace::at_end_of(row.get(2))?;
            let proof = row.get::<_, &[u8]>(3).try_into().map(Proof).map_err(|_| StoreError::Corrupt)?;
            let (is_open, moved) = (row.get(4), row.get::<_, i64>(5).unsigned_abs());
            let door = DoorRecord { owner, proof, place: *place.bytes(), moved, is_open };
            let counts_as = match (is_open, row.get(7)) {
                (false, _) => CountsAs::Closed,
                (true, true) => CountsAs::Answered,
                (true, false) => CountsAs::Unanswered,
            };
            parts.extend(listed(id, &door, counts_as)?.into_iter().map(|(at, value)| Part::Put(at, value)));
            if let Some(at) = count_key(owner, counts_as) {
                *self.counts.entry(at).or_default() += 1;
            }
        }
        Ok(parts)
    }

    fn room(&mut self, row: &Row) -> Result<Vec<Part>> {
        let (id, owner, expires) =
            (RoomId(row.get(0)), row.get::<_, uuid::Uuid>(2), row.get::<_, i64>(3).to_be_bytes());
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
        if is(Table::FeedbackCount) || is(Table::OpenReports) {
            return Ok(Vec::new());
        }
        let Ok(owner) = owner_of(&at) else { return Ok(vec![Part::Put(at, value)]) };
        if !self.has_key(owner, &at, &value)? {
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
