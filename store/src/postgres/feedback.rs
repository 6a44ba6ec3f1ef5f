//! Feedback in the record. Its pictures are beside those of rooms.

use annon_contract::limits::FEEDBACK_KEPT;
use async_trait::async_trait;
use tokio_postgres::Row;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::feedback::{Feedback, FeedbackBox, FeedbackId};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, once_more};
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::encode;
use crate::shapes::feedback::FeedbackRecord;
use crate::table::feedback_key;

fn sealed(id: Uuid, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Feedback(id).into(), place: feedback_key(FeedbackId(id)), bytes }
}

impl Open {
    async fn add_feedback(&self, Feedback { id, text, date, has_picture }: Feedback) -> Result<()> {
        self.may_grow()?;
        let counted = once_more!(self.record.read("SELECT feedback FROM meta", &[]))?;
        if counted.first().is_none_or(|row| row.get::<_, i64>(0) >= FEEDBACK_KEPT.into()) {
            return Err(StoreError::Full);
        }
        let record = FeedbackRecord { text, date, has_picture };
        let key = self.keys.birth(Owner::Feedback(id.0)).await?;
        let added = once_more!(self.try_add(id, &record, &key));
        if !matches!(added, Ok(()) | Err(Failure::Unknown)) {
            self.keys.destroy(&[(Owner::Feedback(id.0).into(), key.id)]).await?;
        }
        Ok(added?)
    }

    async fn try_add(&self, id: FeedbackId, record: &FeedbackRecord, key: &SealKey) -> Result<(), Failure> {
        let sealed = key.seal(&feedback_key(id), &Zeroizing::new(encode(record)?))?;
        let mut transaction = self.record.begin().await?;
        let insert = "WITH counted AS \
             (UPDATE meta SET feedback = feedback + 1 WHERE feedback < $1 RETURNING one) \
             INSERT INTO feedback (id, sealed) SELECT $2::uuid, $3::bytea FROM counted RETURNING 1";
        let added = transaction.query(insert, &[&i64::from(FEEDBACK_KEPT), &id.0, &sealed]).await?;
        if added.is_empty() {
            return Err(StoreError::Full.into());
        }
        transaction.commit().await
    }

    async fn try_remove_feedback(&self, id: FeedbackId) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let removed = transaction.query("DELETE FROM feedback WHERE id = $1 RETURNING sealed", &[&id.0]).await?;
        let sealed: &[u8] = removed.first().ok_or(StoreError::NotFound)?.get(0);
        transaction.doom(Owner::Feedback(id.0), sealed_with(sealed)?).await?;
        transaction.drop_feedback_pictures(Some(&[id.0])).await?;
        transaction.query("UPDATE meta SET feedback = feedback - 1", &[]).await?;
        transaction.commit().await
    }
}

#[async_trait]
impl FeedbackBox for Postgres {
    async fn add(&self, feedback: Feedback) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.add_feedback(feedback).await }).await
    }

    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>> {
        let select = "SELECT id, sealed FROM feedback WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2";
        let sealed = |row: &Row| sealed(row.get(0), row.get(1));
        let before = before.map(|id| id.0);
        self.page_by_id("feedback", select, before, limit, sealed, |id, record: FeedbackRecord| {
            record.into_feedback(id)
        })
        .await
    }

    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>> {
        let rows = once_more!(self.record.read("SELECT sealed FROM feedback WHERE id = $1", &[&id.0]))?;
        let Some(row) = rows.first() else { return Ok(None) };
        let record: Option<FeedbackRecord> = self.keys.open(&sealed(id.0, row.get(0))).await?;
        Ok(record.map(|record| record.into_feedback(id.0)))
    }

    async fn remove(&self, id: FeedbackId) -> Result<()> {
        let this = self.clone();
        let work = async move {
            once_more!(this.try_remove_feedback(id))?;
            this.bury().await
        };
        self.see_through(work).await
    }
}
