//! The directory of rooms on this machine.

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use async_trait::async_trait;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::transaction::Transaction;
use crate::room::{RoomDirectory, RoomId, RoomMetadata};
use crate::rows::Effect::{Grows, Shrinks};
use crate::rows::{ReadRecords, Span};
use crate::seals::keyring::Owner;
use crate::shapes::room::MetadataRecord;
use crate::table::{Table, end_of, key, room_key};

fn room_of_key(owner: AccountId, id: RoomId) -> Vec<u8> {
    key(Table::RoomOf, &[owner.0.as_bytes(), id.0.as_bytes()])
}

fn expiry_key(expires: Timestamp, id: RoomId) -> Vec<u8> {
    key(Table::RoomExpiry, &[&expires.to_be_bytes(), id.0.as_bytes()])
}

fn id_at_end(key: &[u8]) -> Result<RoomId> {
    key.last_chunk().copied().map(|id| RoomId(Uuid::from_bytes(id))).ok_or(StoreError::Corrupt)
}

/// Every key that lists a room. All lists are searched.
fn listed(transaction: &Transaction<'_>, id: RoomId) -> Result<Vec<Vec<u8>>> {
    let mut places = Vec::new();
    for table in [Table::RoomOf, Table::RoomExpiry] {
        places.extend(transaction.under(&key(table, &[]))?.into_iter().map(|(place, _)| place));
    }
    places.retain(|place| place.ends_with(id.0.as_bytes()));
    Ok(places)
}

/// Removes a room with its log. The files of its pictures stay.
pub(crate) fn remove_room(transaction: &mut Transaction<'_>, id: RoomId) -> Result<()> {
    let gone = key(Table::GoneRoom, &[id.0.as_bytes()]);
    if transaction.has(&gone)? {
        return Ok(());
    }
    let listed = match transaction.sealed::<MetadataRecord>(&room_key(id)) {
        Ok(Some(record)) => {
            let metadata = record.into_metadata(id);
            vec![room_of_key(metadata.owner, id), expiry_key(metadata.expires, id)]
        }
        // Without the metadata nobody knows where the room is listed.
        Ok(None) | Err(StoreError::Corrupt) => listed(transaction, id)?,
        Err(error) => return Err(error),
    };
    if listed.is_empty() && !transaction.has(&room_key(id))? {
        return Ok(());
    }
    listed.into_iter().for_each(|place| transaction.remove(place));
    transaction.remove(room_key(id));
    transaction.end_room(id);
    transaction.destroy_keys(Owner::Room(id.0));
    transaction.destroy_keys(Owner::RoomPictures(id.0));
    // Neither log nor pictures can be read any more. The sweeper removes the
    // pictures' files.
    transaction.put_bytes(gone, Vec::new());
    Ok(())
}

/// The rooms of a room's owner, this one included; none when it is not there.
pub(crate) fn siblings(local: &Local, id: RoomId) -> Result<Vec<RoomId>> {
    let Some(record) = local.sealed::<MetadataRecord>(&room_key(id))? else { return Ok(Vec::new()) };
    let owner = record.into_metadata(id).owner;
    let rooms = local.index.under(&key(Table::RoomOf, &[owner.0.as_bytes()]));
    rooms.map(|pair| id_at_end(&pair?.0)).collect()
}

pub(crate) fn remove_rooms_of(transaction: &mut Transaction<'_>, owner: AccountId) -> Result<()> {
    let rooms = transaction.under(&key(Table::RoomOf, &[owner.0.as_bytes()]))?;
    rooms.iter().try_for_each(|(place, _)| remove_room(transaction, id_at_end(place)?))
}

#[async_trait]
impl RoomDirectory for Local {
    async fn create(&self, metadata: RoomMetadata, now: Timestamp) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            let RoomMetadata { id, owner, expires, .. } = metadata;
            if !transaction.has(&key(Table::Account, &[owner.0.as_bytes()]))? {
                return Err(StoreError::NotFound);
            }
            if transaction.has(&room_key(id))? || transaction.has(&key(Table::GoneRoom, &[id.0.as_bytes()]))? {
                return Err(StoreError::Conflict);
            }
            let mut alive = 0;
            for (_, expires) in transaction.under(&key(Table::RoomOf, &[owner.0.as_bytes()]))? {
                let expires = expires.try_into().map(u64::from_be_bytes).map_err(|_| StoreError::Corrupt)?;
                alive += usize::from(expires > now);
            }
            if alive >= ROOMS_PER_ACCOUNT {
                return Err(StoreError::Full);
            }
            transaction.new_key(Owner::Room(id.0))?;
            transaction.put_bytes(room_of_key(owner, id), expires.to_be_bytes().to_vec());
            transaction.put_bytes(expiry_key(expires, id), Vec::new());
            transaction.put_sealed(Owner::Room(id.0), room_key(id), &MetadataRecord::from(metadata))
        };
        self.committer.write(Grows, work).await
    }

    async fn by_id(&self, id: RoomId) -> Result<Option<RoomMetadata>> {
        let key = room_key(id);
        let record: Option<MetadataRecord> = self.sealed(&key)?;
        Ok(record.map(|record| record.into_metadata(id)))
    }

    async fn of_owner(&self, owner: AccountId) -> Result<Vec<RoomMetadata>> {
        let mut all = Vec::new();
        for (listed, _) in self.under(&key(Table::RoomOf, &[owner.0.as_bytes()])).await? {
            let id = id_at_end(&listed)?;
            match self.sealed::<MetadataRecord>(&room_key(id)) {
                Ok(found) => all.extend(found.map(|record| record.into_metadata(id))),
                // It is logged, and hides no other.
                Err(StoreError::Corrupt) => {}
                Err(error) => return Err(error),
            }
        }
        all.sort_by_key(|metadata| std::cmp::Reverse((metadata.created, metadata.id)));
        Ok(all)
    }

    async fn page(&self, after: Option<RoomId>, limit: usize) -> Result<Vec<RoomMetadata>> {
        let all = key(Table::Room, &[]);
        let (from, end) = (after.map_or_else(|| all.clone(), |after| end_of(&room_key(after))), end_of(&all));
        let page = self.page_of("group", Span::new(from, end), limit).await?;
        page.into_iter().map(|(at, record): (_, MetadataRecord)| Ok(record.into_metadata(id_at_end(&at)?))).collect()
    }

    async fn expired(&self, now: Timestamp, limit: usize) -> Result<Vec<RoomId>> {
        let until = key(Table::RoomExpiry, &[&now.saturating_add(1).to_be_bytes()]);
        let due = self.index.range(key(Table::RoomExpiry, &[]), until).take(limit);
        due.map(|pair| id_at_end(&pair?.0)).collect()
    }

    async fn remove(&self, id: RoomId) -> Result<()> {
        self.committer.write(Shrinks, move |transaction: &mut Transaction<'_>| remove_room(transaction, id)).await
    }
}
