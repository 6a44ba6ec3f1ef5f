//! Copies staged rows that stay as they are.

use zeroize::Zeroizing;

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::error::Result;
use crate::postgres::keys::Whose;
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, name_of, sealed_with};
use crate::shapes::feedback::Count;
use crate::shapes::report::ReportRecord;
use crate::shapes::{decode, encode};
use crate::table::{Table, home, id_after_table, is_beside_conversation, key, names_key, owner_of};

/// What is counted anew, and what is a folder's own or stands elsewhere in the databases.
const LEFT_OUT: [Table; 11] = [
    Table::FeedbackCount,
    Table::OpenReports,
    Table::RoomOf,
    Table::RoomExpiry,
    Table::GoneRoom,
    Table::Erasing,
    Table::InboxKey,
    Table::KeySlots,
    Table::Incomplete,
    Table::At,
    Table::Folder,
];
/// What is copied after all others, in this order: it belongs to something that is there then.
const LAST: [Table; 3] = [Table::ReportPicture, Table::Room, Table::RoomLog];

/// The bytes of the tables that are copied, in their order.
pub(super) fn in_order(mut tables: Vec<u8>) -> Vec<u8> {
    tables.retain(|table| !LEFT_OUT.map(|one| one as u8).contains(table));
    tables.sort_by_key(|table| LAST.iter().position(|last| *last as u8 == *table).map(|place| place + 1));
    tables
}

impl Copier<'_> {
    /// What a row has sealed, and its key. `None` if that is destroyed, or the row is damaged.
    fn unsealed(&mut self, at: &[u8], sealed: &[u8]) -> Option<(Zeroizing<Vec<u8>>, SealKey)> {
        let key = self.keyring.key(sealed_with(sealed).ok()?)?.clone();
        let plain = key.open(at, sealed).map(Zeroizing::new);
        self.migrated.damaged += u64::from(plain.is_err());
        Some((plain.ok()?, key))
    }

    /// Counts a record that is there. Returns whether it stays.
    fn counted(&mut self, at: &[u8], plain: &[u8]) -> Result<bool> {
        let is = |table: Table| at.first() == Some(&(table as u8));
        let id = id_after_table(at)?;
        if is(Table::Report) {
            let record: ReportRecord = decode(plain)?;
            self.open_reports += u32::from(record.closed.is_none());
            self.reports.insert(id);
        }
        // A report that can't be read isn't there, and neither are its pictures.
        if is(Table::ReportPicture) && !self.reports.contains(&id) {
            return Ok(false);
        }
        let all = &mut self.migrated;
        let counts = [
            (Table::Account, &mut all.accounts),
            (Table::Note, &mut all.notes),
            (Table::Answer, &mut all.answers),
            (Table::PersonalPage, &mut all.pages),
            (Table::Shield, &mut all.shields),
            (Table::Conversation, &mut all.conversations),
            (Table::Feedback, &mut all.feedback),
            (Table::Report, &mut all.reports),
            (Table::ReportPicture, &mut all.pictures),
            (Table::Suspension, &mut all.suspensions),
            (Table::Invitation, &mut all.invitations),
        ];
        match counts.into_iter().find(|(table, _)| is(*table)) {
            Some((_, count)) => *count += 1,
            None if is_beside_conversation(at) => {}
            None => all.others += 1,
        }
        Ok(true)
    }

    /// Copies rows of one table, those that are sealed with the newest key of their owner.
    pub(super) async fn kept(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut keys, mut ats, mut values): (Vec<(Whose, SealKey)>, Vec<_>, Vec<_>) = Default::default();
        for (at, value) in some {
            let Ok(owner) = owner_of(&at) else {
                ats.push(at);
                values.push(value);
                continue;
            };
            let Some((plain, key)) = self.unsealed(&at, &value) else { continue };
            // Without it the owner is gone.
            let Some(now) = self.keyring.current(owner).cloned() else { continue };
            if !self.counted(&at, &plain)? {
                continue;
            }
            let value = if key.id == now.id { value } else { now.seal(&at, &plain)? };
            if at == home(owner) {
                keys.push((owner.into(), now));
                if let Owner::Account(id) = owner
                    && let Some(inbox) = self.keyring.current(Owner::Inbox(id))
                {
                    ats.push(names_key(Owner::Inbox(id)));
                    values.push(name_of(inbox.id));
                    keys.push((Owner::Inbox(id).into(), inbox.clone()));
                }
            }
            ats.push(at);
            values.push(value);
        }
        self.engine.keys.take_over(&keys).await?;
        self.put(&ats, &values).await
    }

    /// Counts what was copied.
    pub(super) async fn counts(&self) -> Result<(), MigrateError> {
        let feedback = Count(u32::try_from(self.migrated.feedback).unwrap_or(u32::MAX));
        let counts = [(Table::FeedbackCount, feedback), (Table::OpenReports, Count(self.open_reports))];
        let values = counts.iter().map(|(_, count)| encode(count)).collect::<Result<Vec<_>>>()?;
        self.put(&counts.map(|(table, _)| key(table, &[])), &values).await
    }

    async fn put(&self, ats: &[Vec<u8>], values: &[Vec<u8>]) -> Result<(), MigrateError> {
        let insert = "WITH added AS (INSERT INTO kept (at, value) SELECT * FROM unnest($1::bytea[], $2::bytea[]) \
             RETURNING 1) SELECT count(*) FROM added";
        self.insert(insert, &[&ats, &values]).await?;
        Ok(())
    }
}
