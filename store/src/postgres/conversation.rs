//! Conversations in the record. Whoever changes one has locked its row; whoever begins one
//! has locked the row of its owner's account.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::{CountsAs, may_answer_one_more};
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

mod ending;

/// How a row of `id`, `sealed`, `place`, the inbox of its owner and `proof` is read.
macro_rules! select_with_inbox {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.sealed, c.place, a.inbox, c.proof FROM conversation c JOIN account a ON a.id = c.owner ",
            $rest
        )
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

fn proof_in(bytes: &[u8]) -> Result<Proof> {
    bytes.try_into().map(Proof).map_err(|_| StoreError::Corrupt)
}

impl Transaction {
    /// Stores a conversation that begins. The row of its owner's account is locked.
    pub(super) async fn begin_conversation(
        &mut self,
        place: NotePlace,
        Beginning { id, proof }: Beginning,
        conversation: &Conversation,
        key: &SealKey,
    ) -> Result<(), Failure> {
        let sealed = seal(id, key, conversation)?;
        // Two may begin with one id: then a row has it already.
        let insert = "INSERT INTO conversation (id, owner, place, proof, open, answered, last, moved, expires, sealed) \
             VALUES ($1, $2, $3, $4, true, false, 0, $5, $6, $7)";
        let (moved, expires) = (seconds(conversation.moved), seconds(conversation.expires()));
        let (place, proof) = (&place.bytes()[..], &proof.0[..]);
        self.query(insert, &[&id.0, &conversation.owner.0, &place, &proof, &moved, &expires, &sealed]).await.map(drop)
    }
}

impl Open {
    /// Looks whether a conversation can begin, so that no key is made in vain.
    async fn may_begin(&self, id: ConversationId) -> Result<(), ConversationError> {
        let look = "SELECT 1 FROM conversation WHERE id = $1";
        let found = once_more!(self.record.read(look, &[&id.0])).map_err(StoreError::from)?;
        if found.is_empty() { Ok(()) } else { Err(Code::ConversationTaken.into()) }
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
        self.may_begin(id).await?;
        let whose = Owner::Conversation(id.0);
        let key = self.keys.birth(whose).await?;
        let outcome = self.deliver_with(owner, &arrival, Some((beginning, &key))).await;
        let Begun { delivered, conversation, ended } = match outcome {
            // It may be there, or still come: its key stays.
            Err(Failure::Unknown) => return Err(StoreError::Unreachable.into()),
            Err(failure) => {
                self.keys.destroy(&[(whose.into(), key.id)]).await?;
                return Err(match failure {
                    Failure::Taken(name) if name == "conversation_pkey" => Code::ConversationTaken.into(),
                    failure => StoreError::from(failure).into(),
                });
            }
            Ok(Err(code)) => {
                self.keys.destroy(&[(whose.into(), key.id)]).await?;
                return Err(code.into());
            }
            Ok(Ok(begun)) => begun,
        };
        self.common.conversation_changes.ended(owner, &ended);
        if let Delivered::Shown { note, unread } = &delivered {
            self.common.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
        }
        if let Some(conversation) = conversation {
            let is_shown = matches!(delivered, Delivered::Shown { .. });
            let (conversation, proof) = (Arc::new(conversation), beginning.proof);
            self.common.conversation_changes.changed(Found { id, conversation, proof, is_shown });
        }
        if !ended.is_empty() {
            self.bury().await?;
        }
        Ok(delivered)
    }

    async fn found(&self, rows: &[&Row], now: Timestamp) -> Result<Vec<Found>> {
        let all: Vec<_> = rows.iter().map(|row| sealed(ConversationId(row.get(0)), row.get(1))).collect();
        let opened = self.keys.open_all::<Conversation>("conversation", &all).await?;
        let mut found = Vec::with_capacity(rows.len());
        for (row, conversation) in rows.iter().zip(opened) {
            let Some(conversation) = conversation.filter(|conversation| conversation.expires() > now) else { continue };
            let (id, proof, is_shown) = (ConversationId(row.get(0)), proof_in(row.get(4))?, is_shown(row, now)?);
            found.push(Found { id, conversation: Arc::new(conversation), proof, is_shown });
        }
        Ok(found)
    }

    /// Whether this change is an owner's first answer: then their account is locked before the
    /// conversation, so that two first answers at once are counted one after the other.
    async fn whom_to_lock(&self, id: ConversationId, change: &Change) -> Result<Option<AccountId>, Failure> {
        if !matches!(change, Change::Say { from: Side::Owner, .. }) {
            return Ok(None);
        }
        let select = "SELECT owner FROM conversation WHERE id = $1 AND open AND NOT answered";
        Ok(self.record.read(select, &[&id.0]).await?.first().map(|row| AccountId(row.get(0))))
    }

    /// With a new key, if words are taken back.
    async fn try_change_conversation(
        &self,
        (id, door): (ConversationId, Option<Door>),
        change: &Change,
        now: Timestamp,
        new_key: Option<&SealKey>,
    ) -> Result<Result<(Outcome, Found), ConversationError>, Failure> {
        let whose = Owner::Conversation(id.0);
        let locked = self.whom_to_lock(id, change).await?;
        let mut transaction = self.record.begin().await?;
        if let Some(owner) = locked {
            transaction.query("SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE", &[&owner.0]).await?;
        }
        let select = select_with_inbox!("WHERE c.id = $1 FOR NO KEY UPDATE OF c");
        let found = transaction.query(select, &[&id.0]).await?;
        let gone = || Ok(Err(StoreError::NotFound.into()));
        let Some(row) = found.first() else { return gone() };
        let (bytes, proof, is_shown): (Vec<u8>, _, _) = (row.get(1), proof_in(row.get(4))?, is_shown(row, now)?);
        let old = sealed_with(&bytes)?;
        let Some(mut conversation) = self.keys.open::<Conversation>(&sealed(id, bytes)).await? else { return gone() };
        let is_it = door.is_none_or(|door| door == Door { owner: conversation.owner, proof });
        if !is_it || conversation.expires() <= now || !(is_shown || change.by() == Side::Sender) {
            return gone();
        }
        if conversation.is_answered_by(change) {
            let count = "SELECT count(*) FROM conversation WHERE owner = $1 AND open AND answered";
            let answered = transaction.query(count, &[&conversation.owner.0]).await?;
            let answered = answered.first().map_or(0, |row| row.get::<_, i64>(0));
            if let Err(code) = may_answer_one_more(u32::try_from(answered).unwrap_or(u32::MAX)) {
                return Ok(Err(code.into()));
            }
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
            let update = "UPDATE conversation SET open = $2, last = $3, moved = $4, expires = $5, sealed = $6, \
                 answered = $7 WHERE id = $1";
            let (open, last) = (conversation.is_open(), conversation.last.0.cast_signed());
            let (moved, expires) = (seconds(conversation.moved), seconds(conversation.expires()));
            let answered = conversation.counts_as() != CountsAs::Unanswered;
            transaction.query(update, &[&id.0, &open, &last, &moved, &expires, &sealed, &answered]).await?;
            if new_key.is_some() {
                transaction.doom(whose, old).await?;
            }
            transaction.commit().await?;
        }
        Ok(Ok((outcome, Found { id, conversation: Arc::new(conversation), proof, is_shown })))
    }

    async fn change_conversation(
        &self,
        id: ConversationId,
        door: Option<Door>,
        change: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError> {
        if matches!(change, Change::Say { .. }) {
            self.may_grow()?;
        }
        let _turn = self.turns.take(id).await;
        let whose = Owner::Conversation(id.0);
        let new_key = if change.erases() { Some(self.keys.birth(whose).await?) } else { None };
        let changed = once_more!(self.try_change_conversation((id, door), &change, now, new_key.as_ref()));
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
            self.common.conversation_changes.changed(found);
        }
        Ok(outcome)
    }
}

#[async_trait]
impl Conversations for Postgres {
    fn changes(&self) -> UnboundedReceiver<ConversationChange> {
        self.common.conversation_changes.receive()
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
            let proof = proof_in(row.get(2))?;
            doors.insert(ConversationId(row.get(0)), Door { owner: AccountId(row.get(1)), proof });
        }
        Ok(doors)
    }

    async fn find(&self, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Found>> {
        let wanted: Vec<_> = ids.iter().map(|id| id.0).collect();
        let select = select_with_inbox!("WHERE c.id = ANY ($1)");
        let rows = once_more!(self.record.read(select, &[&wanted]))?;
        let mut found = self.found(&rows.iter().collect::<Vec<_>>(), now).await?;
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
                "WHERE c.owner = $1 AND c.place < '\\xc0'::bytea AND ($2::uuid IS NULL OR (c.moved, c.id) < \
                     (SELECT b.moved, b.id FROM conversation b WHERE b.id = $2 AND b.owner = $1)) \
                 ORDER BY c.moved DESC, c.id DESC LIMIT $3"
            );
            let (after, limit) = (before.map(|id| id.0), rows(wanted));
            let found = once_more!(self.record.read(select, &[&owner.0, &after, &limit]))?;
            let Some(last) = found.last() else { break };
            before = Some(ConversationId(last.get(0)));
            let mut shown = Vec::with_capacity(found.len());
            for row in &found {
                if is_shown(row, now)? {
                    shown.push(row);
                }
            }
            page.extend(self.found(&shown, now).await?);
            if found.len() < wanted {
                break;
            }
        }
        Ok(page)
    }

    async fn change_through(
        &self,
        id: ConversationId,
        door: Option<Door>,
        change: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError> {
        let this = self.clone();
        self.see_through(async move { this.change_conversation(id, door, change, now).await }).await
    }

    async fn remove_through(&self, id: ConversationId, through: Option<(Door, Side)>, now: Timestamp) -> Result<()> {
        let this = self.clone();
        let work = async move {
            let _turn = this.turns.take(id).await;
            if let Some((owner, ended)) = once_more!(this.try_end_conversation(id, through, now))? {
                this.common.conversation_changes.ended(owner, &ended);
            }
            this.bury().await
        };
        self.see_through(work).await
    }
}
