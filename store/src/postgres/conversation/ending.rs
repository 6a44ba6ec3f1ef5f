//! How conversations end in the record, and which of them give way to another one.

use annon_contract::code::Code;
use annon_contract::limits::CONVERSATIONS_UNANSWERED;
use tokio_postgres::Row;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::is_shown;
use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::{CountsAs, ENDED_TOGETHER, OfTag, gives_way_to_one_more};
use crate::conversation::{ConversationId, Door, Ended, Side};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::postgres::errors::Failure;
use crate::postgres::inbox::sealed as sealed_note;
use crate::postgres::{Open, Transaction, once_more, rows};
use crate::seals::SealKey;
use crate::shapes::conversation::BegunRecord;
use crate::shapes::encode;
use crate::shapes::inbox::InboxRecord;
use crate::shield::{TagHash, first_known_day};
use crate::table::note_key;

/// Removes conversations, and dooms their keys, which are named in the first bytes of what
/// they have sealed. `$1` says which.
macro_rules! end_conversations {
    ($which:literal) => {
        concat!(
            "WITH ended AS (DELETE FROM conversation WHERE ",
            $which,
            " RETURNING id, owner, place, sealed), \
             doomed AS (INSERT INTO doomed_key (kind, owner, key, day) \
                 SELECT 7, id, ('x' || encode(substr(sealed, 2, 8), 'hex'))::bit(64)::int8, 0 FROM ended) \
             SELECT e.id, e.owner, e.place, a.inbox FROM ended e LEFT JOIN account a ON a.id = e.owner"
        )
    };
}

/// What a row of `id`, `answered` and `moved` says of one that is open.
fn of_tag(row: &Row) -> OfTag {
    let counts_as = if row.get(1) { CountsAs::Answered } else { CountsAs::Unanswered };
    OfTag { id: ConversationId(row.get(0)), counts_as, moved: row.get::<_, i64>(2).unsigned_abs() }
}

/// Those that have ended.
fn ended(rows: &[Row], now: Timestamp) -> Result<Vec<Ended>> {
    rows.iter().map(|row| Ok(Ended { id: ConversationId(row.get(0)), was_shown: is_shown(row, now)? })).collect()
}

impl Transaction {
    /// Ends the conversation that began with a note, if there is one.
    pub(in crate::postgres) async fn end_conversation_of_note(
        &mut self,
        owner: AccountId,
        place: &[u8],
        now: Timestamp,
    ) -> Result<Vec<Ended>, Failure> {
        let rows = self.query(end_conversations!("owner = $1 AND place = $2"), &[&owner.0, &place]).await?;
        Ok(ended(&rows, now)?)
    }

    /// Ends conversations of an account: all, or at most some.
    pub(in crate::postgres) async fn end_conversations_of(
        &mut self,
        owner: AccountId,
        now: Timestamp,
        at_most: usize,
    ) -> Result<Vec<Ended>, Failure> {
        let end = end_conversations!(
            "id = ANY (ARRAY(SELECT id FROM conversation WHERE owner = $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE))"
        );
        Ok(ended(&self.query(end, &[&owner.0, &rows(at_most)]).await?, now)?)
    }

    async fn end_these(&mut self, ids: &[Uuid], now: Timestamp) -> Result<Vec<Ended>, Failure> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(ended(&self.query(end_conversations!("id = ANY ($1)"), &[&ids]).await?, now)?)
    }

    /// Ends those that have been silent for the longest, if there are too many that nobody has
    /// answered for one more to begin.
    async fn end_surplus(&mut self, owner: AccountId, now: Timestamp) -> Result<Vec<Ended>, Failure> {
        let select = "SELECT id FROM conversation WHERE owner = $1 AND open AND NOT answered \
             ORDER BY moved DESC, id DESC OFFSET $2";
        let most = i64::from(CONVERSATIONS_UNANSWERED) - 1;
        let silent: Vec<_> = self.query(select, &[&owner.0, &most]).await?.iter().map(|row| row.get(0)).collect();
        self.end_these(&silent, now).await
    }
}

impl Open {
    /// Ends what must give way to one more conversation of an inbox that is locked, which begins
    /// with a tag, and notes of that tag that it begins. A refusal by the rules has a code.
    pub(in crate::postgres) async fn make_room_for(
        &self,
        transaction: &mut Transaction,
        owner: AccountId,
        id: ConversationId,
        tag: Option<TagHash>,
        now: Timestamp,
        key: &SealKey,
    ) -> Result<Result<Vec<Ended>, Code>, Failure> {
        let mut ended = Vec::new();
        if let Some(tag) = tag {
            let place = NotePlace::of_begun(tag);
            let mut begun = BegunRecord::default();
            if let Some(bytes) = transaction.note_at(owner, place).await? {
                begun = self.keys.open(&sealed_note(owner, place, bytes)).await?.unwrap_or_default();
            }
            begun.forget_before(first_known_day(now));
            let ids: Vec<_> = begun.ids().map(|id| id.0).collect();
            let select = "SELECT id, answered, moved FROM conversation WHERE owner = $1 AND open AND id = ANY ($2)";
            let rows = if ids.is_empty() { Vec::new() } else { transaction.query(select, &[&owner.0, &ids]).await? };
            let mut of_tag: Vec<_> = rows.iter().map(of_tag).collect();
            let silent = match gives_way_to_one_more(&of_tag) {
                Ok(silent) => silent,
                Err(code) => return Ok(Err(code)),
            };
            of_tag.retain(|one| Some(one.id) != silent);
            let silent: Vec<_> = silent.iter().map(|id| id.0).collect();
            ended.extend(transaction.end_these(&silent, now).await?);
            begun.begin(id, now, &of_tag);
            let bytes = key.seal(&note_key(owner, place), &Zeroizing::new(encode(&begun)?))?;
            // A note that was dropped has left the inbox without a key, if it had none.
            let store = "WITH keyed AS (UPDATE account SET inbox_key = $4, inbox = coalesce(inbox, $5) \
                     WHERE id = $1 AND inbox_key IS NULL) \
                 INSERT INTO note (owner, place, sealed) VALUES ($1, $2, $3) \
                 ON CONFLICT (owner, place) DO UPDATE SET sealed = excluded.sealed";
            let (id, inbox) = (key.id.0.cast_signed(), encode(&InboxRecord::default())?);
            transaction.query(store, &[&owner.0, &&place.bytes()[..], &bytes, &id, &inbox]).await?;
        }
        ended.extend(transaction.end_surplus(owner, now).await?);
        Ok(Ok(ended))
    }

    pub(super) async fn try_end_conversation(
        &self,
        id: ConversationId,
        through: Option<(Door, Side)>,
        now: Timestamp,
    ) -> Result<Option<(AccountId, Vec<Ended>)>, Failure> {
        let (door, by) = through.unzip();
        let (owner, proof) = (door.map(|door| door.owner.0), door.as_ref().map(|door| &door.proof.0[..]));
        let mut transaction = self.record.begin().await?;
        let end = end_conversations!("id = $1 AND ($2::uuid IS NULL OR (owner = $2 AND proof = $3))");
        let rows = transaction.query(end, &[&id.0, &owner, &proof]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let (owner, ended) = (AccountId(row.get(1)), ended(&rows, now)?);
        if by == Some(Side::Owner) && ended.iter().any(|ended| !ended.was_shown) {
            return Err(StoreError::NotFound.into());
        }
        transaction.commit().await?;
        Ok(Some((owner, ended)))
    }

    async fn try_end_some_of(&self, owner: AccountId, now: Timestamp) -> Result<Vec<Ended>, Failure> {
        let mut transaction = self.record.begin().await?;
        let ended = transaction.end_conversations_of(owner, now, ENDED_TOGETHER).await?;
        transaction.commit().await?;
        Ok(ended)
    }

    /// Ends most conversations of an account that has many, some at a time, so that nobody waits
    /// long for a lock. The rest ends in the transaction that ends all of them. `now` is `None`
    /// if the account is being deleted.
    pub(in crate::postgres) async fn end_most_of(&self, owner: AccountId, now: Option<Timestamp>) -> Result<()> {
        let some = "SELECT 1 FROM conversation WHERE owner = $1 OFFSET $2 LIMIT 1";
        while !once_more!(self.record.read(some, &[&owner.0, &rows(ENDED_TOGETHER)]))?.is_empty() {
            let ended = once_more!(self.try_end_some_of(owner, now.unwrap_or(0)))?;
            match now {
                Some(_) => self.common.conversation_changes.ended(owner, &ended),
                None => self.common.conversation_changes.ended_with_account(owner, &ended),
            }
        }
        Ok(())
    }

    /// Ends conversations whose time is up, by the record's clock, and returns how many.
    pub(in crate::postgres) async fn end_expired_conversations(&self) -> Result<usize> {
        let mut ended = 0;
        loop {
            let more = once_more!(self.try_end_expired_conversations())?;
            ended += more;
            if more < ENDED_TOGETHER {
                return Ok(ended);
            }
        }
    }

    async fn try_end_expired_conversations(&self) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let end = end_conversations!(
            "id = ANY (ARRAY(SELECT id FROM conversation \
                 WHERE expires <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) \
                 ORDER BY expires LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED))"
        );
        let rows = transaction.query(end, &[&rows(ENDED_TOGETHER)]).await?;
        transaction.commit().await?;
        let now = self.record_clock().await?;
        for (row, ended) in rows.iter().zip(ended(&rows, now)?) {
            self.common.conversation_changes.ended(AccountId(row.get(1)), &[ended]);
        }
        Ok(rows.len())
    }
}
