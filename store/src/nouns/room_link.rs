//! Links of rooms. A row for each link says where it leads; a row of the account lists those of a room, so that they
//! can be counted and go together.

use annon_contract::limits::ROOM_LINKS;
use async_trait::async_trait;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::room::RoomId;
use crate::room_link::{LinksRecord, RoomLink, RoomLinks};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::shapes::decode;
use crate::table::{Table, account_key, key, room_link_key, room_links_key};

/// Rows of which one call looks whether they are to go.
const SOME: usize = 64;

/// The account and the room of a row that lists links.
fn owner_and_room(at: &[u8]) -> Result<(AccountId, RoomId)> {
    let ids = at.get(1..).filter(|ids| ids.len() == 32).ok_or(StoreError::Corrupt)?;
    let id = |bytes: &[u8]| Uuid::from_slice(bytes).map_err(|_| StoreError::Corrupt);
    Ok((AccountId(id(&ids[..16])?), RoomId(id(&ids[16..])?)))
}

async fn remove<R: Rows>(rows: &mut R, owner: AccountId, room: RoomId) -> Result<()> {
    let at = room_links_key(owner, room);
    let Some(LinksRecord { made, .. }) = rows.record(&at).await? else { return Ok(()) };
    made.into_iter().chain([room]).for_each(|link| rows.remove(room_link_key(link)));
    rows.remove(at);
    Ok(())
}

/// Removes the links of all rooms of an account that is being deleted.
pub(super) async fn drop_all<R: Rows>(rows: &mut R, owner: AccountId) -> Result<()> {
    for at in rows.keys(Span::under(&key(Table::RoomLinks, &[owner.0.as_bytes()]))).await? {
        let (owner, room) = owner_and_room(&at)?;
        remove(rows, owner, room).await?;
    }
    Ok(())
}

struct Renew {
    owner: AccountId,
    room: RoomId,
    link: RoomId,
    ends: Timestamp,
}

impl Call for Renew {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([account_key(self.owner), room_links_key(self.owner, self.room), room_link_key(self.link)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { owner, room, link, ends } = *self;
        if !rows.has(&account_key(owner)).await? {
            return Err(StoreError::NotFound);
        }
        if rows.has(&room_link_key(link)).await? {
            return Err(StoreError::Conflict);
        }
        let at = room_links_key(owner, room);
        let mut made = rows.record(&at).await?.map_or_else(Vec::new, |LinksRecord { made, .. }| made);
        if made.len() >= ROOM_LINKS {
            return Err(StoreError::Full);
        }
        let before = made.last().copied().unwrap_or(room);
        for (link, has_ended) in [(before, true), (link, false)] {
            rows.put_record(room_link_key(link), &RoomLink { room, has_ended })?;
        }
        made.push(link);
        rows.put_record(at, &LinksRecord { made, ends })
    }
}

struct Forget {
    owner: AccountId,
    room: RoomId,
}

impl Call for Forget {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    // Nobody waits for it, so it doesn't say what it wants to read.
    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        remove(rows, self.owner, self.room).await
    }
}

/// Removes the links of rooms that are over.
pub(super) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<()> {
    let mut all = Span::under(&key(Table::RoomLinks, &[]));
    loop {
        let some = keep.look().range(all.clone(), SOME).await?;
        for (at, value) in &some {
            // What can't be read leads nowhere and is of no use to anybody.
            let is_over = decode(value).map_or(true, |LinksRecord { ends, .. }| ends <= now);
            if is_over {
                let (owner, room) = owner_and_room(at)?;
                keep.call(Forget { owner, room }).await?;
            }
        }
        match some.last() {
            Some((last, _)) if some.len() == SOME => all = all.behind(last),
            _ => return Ok(()),
        }
    }
}

#[async_trait]
impl<K: Keep> RoomLinks for Nouns<K> {
    async fn follow(&self, link: RoomId) -> Result<Option<RoomLink>> {
        self.0.look().record(&room_link_key(link)).await
    }

    async fn newest(&self, owner: AccountId, rooms: &[RoomId]) -> Result<Vec<RoomId>> {
        let look = self.0.look();
        look.fetch(Wants::rows(rooms.iter().map(|room| room_links_key(owner, *room)))).await?;
        let mut newest = Vec::with_capacity(rooms.len());
        for room in rooms {
            let links: Option<LinksRecord> = look.record(&room_links_key(owner, *room)).await?;
            newest.push(links.and_then(|LinksRecord { made, .. }| made.last().copied()).unwrap_or(*room));
        }
        Ok(newest)
    }

    async fn renew(&self, owner: AccountId, room: RoomId, link: RoomId, ends: Timestamp) -> Result<()> {
        self.0.call(Renew { owner, room, link, ends }).await
    }

    async fn forget(&self, owner: AccountId, room: RoomId) -> Result<()> {
        self.0.call(Forget { owner, room }).await
    }
}
