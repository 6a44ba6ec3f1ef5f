//! Conversations in the record. Whoever changes one has locked its row; whoever begins one
//! has locked the row of its owner's account.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::CONVERSATIONS_PER_ACCOUNT;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::conversation::{
    Beginning, Change, Conversation, ConversationChange, ConversationError, ConversationId, Conversations, Door, Found,
    Outcome, Proof, Side,
};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered};
use crate::postgres::errors::Failure;
use crate::postgres::inbox::Begun;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, Transaction, once_more, rows, seconds};
use crate::room::Seq;
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::inbox::InboxRecord;
use crate::shapes::{decode, encode};
use crate::table::conversation_key;

/// Conversations that are ended by one transaction.
const CHUNK: usize = 256;

/// Removes conversations, and dooms their keys, which are named in the first bytes of what
/// they have sealed. `$1` says which.
macro_rules! end_conversations {
    ($which:literal) => {
        concat!(
            "WITH ended AS (DELETE FROM conversation WHERE ",
            $which,
            " RETURNING id, owner, sealed), \
             doomed AS (INSERT INTO doomed_key (kind, owner, key, day) \
                 SELECT 7, id, ('x' || encode(substr(sealed, 2, 8), 'hex'))::bit(64)::int8, 0 FROM ended) \
             SELECT id, owner FROM ended"
        )
    };
}

/// How a row of `id`, `sealed`, `place` and the inbox of its owner is read.
macro_rules! select_with_inbox {
    ($rest:literal) => {
        concat!("SELECT c.id, c.sealed, c.place, a.inbox FROM conversation c JOIN account a ON a.id = c.owner ", $rest)
    };
}

pub(super) fn sealed(id: ConversationId, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Conversation(id.0).into(), place: conversation_key(id), bytes }
}

pub(super) fn seal(id: ConversationId, key: &SealKey, conversation: &Conversation) -> Result<Vec<u8>> {
    key.seal(&conversation_key(id), &Zeroizing::new(encode(conversation)?))
}

/// Whether the inbox in this row shows the note at the place in it.
fn is_shown(row: &Row, now: Timestamp) -> Result<bool> {
    let Some(inbox) = row.get::<_, Option<&[u8]>>(3) else { return Ok(false) };
    let mut inbox: InboxRecord = decode(inbox)?;
    inbox.settle(now);
    Ok(inbox.shows(NotePlace::at_end_of(row.get(2))?.number()))
}

fn ids_of(ended: &[Row]) -> Vec<ConversationId> {
    ended.iter().map(|row| ConversationId(row.get(0))).collect()
}

impl Transaction {
    /// Ends the conversation that began with a note, if there is one.
    pub(super) async fn end_conversation_of_note(
        &mut self,
        owner: AccountId,
        place: &[u8],
    ) -> Result<Vec<ConversationId>, Failure> {
        Ok(ids_of(&self.query(end_conversations!("owner = $1 AND place = $2"), &[&owner.0, &place]).await?))
    }

    /// Ends all conversations of an account.
    pub(super) async fn end_conversations_of(&mut self, owner: AccountId) -> Result<Vec<ConversationId>, Failure> {
        Ok(ids_of(&self.query(end_conversations!("owner = $1"), &[&owner.0]).await?))
    }

    /// Stores a conversation that begins. The row of its owner's account is locked. If the owner
    /// doesn't see its note, it takes none of their places.
    pub(super) async fn begin_conversation(
        &mut self,
        place: NotePlace,
        Beginning { id, proof }: Beginning,
        conversation: &Conversation,
        key: &SealKey,
        is_counted: bool,
    ) -> Result<(), Failure> {
        let sealed = seal(id, key, conversation)?;
        // Two may begin with one id: then a row has it already.
        let insert = "INSERT INTO conversation (id, owner, place, proof, open, last, moved, expires, sealed) \
             VALUES ($1, $2, $3, $4, $8, 0, $5, $6, $7)";
        let (moved, expires) = (seconds(conversation.moved), seconds(conversation.expires()));
        let (place, proof) = (&place.bytes()[..], &proof.0[..]);
        self.query(insert, &[&id.0, &conversation.owner.0, &place, &proof, &moved, &expires, &sealed, &is_counted])
            .await
            .map(drop)
    }
}

impl Open {
    /// Looks whether a conversation can begin, so that no key is made in vain.
    async fn may_begin(&self, owner: AccountId, id: ConversationId) -> Result<(), ConversationError> {
        let look = "SELECT EXISTS (SELECT 1 FROM conversation WHERE id = $1), \
             (SELECT count(*) FROM conversation WHERE owner = $2 AND open)";
        let found = once_more!(self.record.read(look, &[&id.0, &owner.0])).map_err(StoreError::from)?;
        let (is_taken, open) = found.first().map_or((false, 0), |row| (row.get(0), row.get::<_, i64>(1)));
        if is_taken {
            return Err(Code::ConversationTaken.into());
        }
        if open >= CONVERSATIONS_PER_ACCOUNT.into() { Err(Code::NoMoreConversations.into()) } else { Ok(()) }
    }

    async fn begin_in_turn(
        &self,
        owner: AccountId,
        arrival: Arrival,
        beginning: Beginning,
    ) -> Result<Delivered, ConversationError> {
        let id = beginning.id;
        self.may_grow()?;
        let _turn = self.turns.take(owner).await;
        self.may_begin(owner, id).await?;
        let whose = Owner::Conversation(id.0);
        let key = self.keys.birth(whose).await?;
        let outcome = self.deliver_with(owner, &arrival, Some((beginning, &key))).await;
        let Begun { delivered, conversation } = match outcome {
            // It may be there, or still come: its key stays.
            Err(Failure::Unknown) => return Err(StoreError::Unreachable.into()),
            Err(failure) => {
                self.keys.destroy(&[(whose.into(), key.id)]).await?;
                return Err(match failure {
                    Failure::Taken(name) if name == "conversation_pkey" => Code::ConversationTaken.into(),
                    failure => StoreError::from(failure).into(),
                });
            }
            Ok(begun) => begun,
        };
        if let Delivered::Shown { note, unread } = &delivered {
            self.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
        }
        if let Some(conversation) = conversation {
            let is_shown = matches!(delivered, Delivered::Shown { .. });
            self.conversation_changes.changed(Found { id, conversation: Arc::new(conversation), is_shown });
        }
        Ok(delivered)
    }

    async fn found(&self, rows: &[Row], now: Timestamp) -> Result<Vec<Found>> {
        let all: Vec<_> = rows.iter().map(|row| sealed(ConversationId(row.get(0)), row.get(1))).collect();
        let opened = self.keys.open_all::<Conversation>("conversation", &all).await?;
        let mut found = Vec::with_capacity(rows.len());
        for (row, conversation) in rows.iter().zip(opened) {
            let Some(conversation) = conversation.filter(|conversation| conversation.expires() > now) else { continue };
            let (id, is_shown) = (ConversationId(row.get(0)), is_shown(row, now)?);
            found.push(Found { id, conversation: Arc::new(conversation), is_shown });
        }
        Ok(found)
    }

    /// With a new key, if words are taken back.
    async fn try_change_conversation(
        &self,
        id: ConversationId,
        change: &Change,
        now: Timestamp,
        new_key: Option<&SealKey>,
    ) -> Result<Result<(Outcome, Found), ConversationError>, Failure> {
        let whose = Owner::Conversation(id.0);
        let mut transaction = self.record.begin().await?;
        let select = select_with_inbox!("WHERE c.id = $1 FOR NO KEY UPDATE OF c");
        let found = transaction.query(select, &[&id.0]).await?;
        let gone = || Ok(Err(StoreError::NotFound.into()));
        let Some(row) = found.first() else { return gone() };
        let (bytes, is_shown): (Vec<u8>, _) = (row.get(1), is_shown(row, now)?);
        let old = sealed_with(&bytes)?;
        let Some(mut conversation) = self.keys.open::<Conversation>(&sealed(id, bytes)).await? else { return gone() };
        if conversation.expires() <= now || !(is_shown || change.by() == Side::Sender) {
            return gone();
        }
        let outcome = match conversation.change(change, now) {
            Ok(outcome) => outcome,
            Err(code) => return Ok(Err(code.into())),
        };
        if outcome.is_new {
            let key = match new_key {
                Some(key) => key.clone(),
                None => self.keys.key((whose.into(), old)).await?.ok_or(StoreError::Corrupt)?,
            };
            let sealed = seal(id, &key, &conversation)?;
            let update = "UPDATE conversation SET open = open AND $2, last = $3, moved = $4, expires = $5, sealed = $6 WHERE id = $1";
            let (open, last) = (conversation.is_open(), conversation.last.0.cast_signed());
            let (moved, expires) = (seconds(conversation.moved), seconds(conversation.expires()));
            transaction.query(update, &[&id.0, &open, &last, &moved, &expires, &sealed]).await?;
            if new_key.is_some() {
                transaction.doom(whose, old).await?;
            }
            transaction.commit().await?;
        }
        Ok(Ok((outcome, Found { id, conversation: Arc::new(conversation), is_shown })))
    }

    async fn change_conversation(
        &self,
        id: ConversationId,
        change: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError> {
        if matches!(change, Change::Say { .. }) {
            self.may_grow()?;
        }
        let _turn = self.turns.take(id).await;
        let whose = Owner::Conversation(id.0);
        let new_key = if change.erases() { Some(self.keys.birth(whose).await?) } else { None };
        let changed = once_more!(self.try_change_conversation(id, &change, now, new_key.as_ref()));
        if let Some(key) = new_key {
            // Of an unknown outcome both keys stay: one of them is the conversation's.
            match changed {
                Ok(Ok(_)) => self.bury().await?,
                Err(Failure::Unknown) => {}
                Ok(Err(_)) | Err(_) => self.keys.destroy(&[(whose.into(), key.id)]).await?,
            }
        }
        let (outcome, found) = changed.map_err(StoreError::from)??;
        if outcome.is_new {
            self.conversation_changes.changed(found);
        }
        Ok(outcome)
    }

    async fn try_end_conversation(&self, id: ConversationId) -> Result<Option<AccountId>, Failure> {
        let mut transaction = self.record.begin().await?;
        let ended = transaction.query(end_conversations!("id = $1"), &[&id.0]).await?;
        transaction.commit().await?;
        Ok(ended.first().map(|row| AccountId(row.get(1))))
    }

    /// Ends conversations whose time is up, by the record's clock, and returns how many.
    pub(super) async fn end_expired_conversations(&self) -> Result<usize> {
        let mut ended = 0;
        loop {
            let more = once_more!(self.try_end_expired_conversations())?;
            ended += more;
            if more < CHUNK {
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
        let ended = transaction.query(end, &[&rows(CHUNK)]).await?;
        transaction.commit().await?;
        for row in &ended {
            self.conversation_changes.ended(AccountId(row.get(1)), &[ConversationId(row.get(0))]);
        }
        Ok(ended.len())
    }
}

#[async_trait]
impl Conversations for Postgres {
    fn changes(&self) -> UnboundedReceiver<ConversationChange> {
        self.conversation_changes.receive()
    }

    async fn begin(
        &self,
        owner: AccountId,
        arrival: Arrival,
        beginning: Beginning,
    ) -> Result<Delivered, ConversationError> {
        let this = self.clone();
        self.see_through(async move { this.begin_in_turn(owner, arrival, beginning).await }).await
    }

    async fn doors(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Door>> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let select = "SELECT id, owner, proof FROM conversation WHERE id = ANY ($1)";
        let mut doors = HashMap::new();
        for row in once_more!(self.record.read(select, &[&ids]))? {
            let proof = row.get::<_, &[u8]>(2).try_into().map(Proof).map_err(|_| StoreError::Corrupt)?;
            doors.insert(ConversationId(row.get(0)), Door { owner: AccountId(row.get(1)), proof });
        }
        Ok(doors)
    }

    async fn find(&self, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Found>> {
        let wanted: Vec<_> = ids.iter().map(|id| id.0).collect();
        let select = select_with_inbox!("WHERE c.id = ANY ($1)");
        let mut found = self.found(&once_more!(self.record.read(select, &[&wanted]))?, now).await?;
        found.sort_by_key(|found| ids.iter().position(|id| *id == found.id));
        Ok(found)
    }

    async fn lasts(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Seq>> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let select = "SELECT id, last FROM conversation WHERE id = ANY ($1)";
        let rows = once_more!(self.record.read(select, &[&ids]))?;
        let last = |row: &Row| (ConversationId(row.get(0)), Seq(row.get::<_, i64>(1).unsigned_abs()));
        Ok(rows.iter().map(last).collect())
    }

    async fn page(
        &self,
        owner: AccountId,
        before: Option<ConversationId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Found>> {
        let mut page = Vec::new();
        let mut before = before;
        // Those that aren't shown or can't be read are passed over, and others fill the page.
        while page.len() < limit {
            let wanted = limit - page.len();
            let select = select_with_inbox!(
                "WHERE c.owner = $1 AND ($2::uuid IS NULL OR (c.moved, c.id) < \
                     (SELECT b.moved, b.id FROM conversation b WHERE b.id = $2 AND b.owner = $1)) \
                 ORDER BY c.moved DESC, c.id DESC LIMIT $3"
            );
            let (after, limit) = (before.map(|id| id.0), rows(wanted));
            let found = once_more!(self.record.read(select, &[&owner.0, &after, &limit]))?;
            let Some(last) = found.last() else { break };
            before = Some(ConversationId(last.get(0)));
            page.extend(self.found(&found, now).await?.into_iter().filter(|found| found.is_shown));
            if found.len() < wanted {
                break;
            }
        }
        Ok(page)
    }

    async fn change(&self, id: ConversationId, change: Change, now: Timestamp) -> Result<Outcome, ConversationError> {
        let this = self.clone();
        self.see_through(async move { this.change_conversation(id, change, now).await }).await
    }

    async fn remove(&self, id: ConversationId) -> Result<()> {
        let this = self.clone();
        let work = async move {
            let _turn = this.turns.take(id).await;
            if let Some(owner) = once_more!(this.try_end_conversation(id))? {
                this.conversation_changes.ended(owner, &[id]);
            }
            this.bury().await
        };
        self.see_through(work).await
    }
}
