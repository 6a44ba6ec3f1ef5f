//! Feedback. Each piece is a row, sealed with a key of its own.

use annon_contract::limits::FEEDBACK_KEPT;
use async_trait::async_trait;

use crate::error::{Result, StoreError};
use crate::feedback::{Feedback, FeedbackBox, FeedbackId};
use crate::nouns::Nouns;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::feedback::{Count, FeedbackRecord};
use crate::table::{Table, end_of, feedback_key, id_after_table, key};

async fn count<R: Reads>(rows: &R) -> Result<u32> {
    Ok(rows.record(&key(Table::FeedbackCount, &[])).await?.unwrap_or(Count(0)).0)
}

struct Add(Feedback);

impl Call for Add {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![key(Table::FeedbackCount, &[])]
    }

    fn wants(&self) -> Wants {
        Wants::rows([feedback_key(self.0.id)])
    }

    fn births(&self) -> Vec<Owner> {
        vec![Owner::Feedback(self.0.id.0)]
    }

    fn made(&self) -> Option<(Vec<u8>, ())> {
        Some((feedback_key(self.0.id), ()))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let kept = count(rows).await?;
        if kept >= FEEDBACK_KEPT {
            return Err(StoreError::Full);
        }
        let Feedback { id, text, date, has_picture } = self.0.clone();
        if rows.has(&feedback_key(id)).await? {
            return Err(StoreError::Conflict);
        }
        let owner = Owner::Feedback(id.0);
        rows.new_key(owner).await?;
        rows.put_sealed(owner, feedback_key(id), &FeedbackRecord { text, date, has_picture }).await?;
        rows.put_record(key(Table::FeedbackCount, &[]), &Count(kept + 1))
    }
}

struct Remove(FeedbackId);

impl Call for Remove {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![key(Table::FeedbackCount, &[])]
    }

    fn wants(&self) -> Wants {
        Wants::rows([feedback_key(self.0)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let FeedbackId(id) = self.0;
        if !rows.has(&feedback_key(self.0)).await? {
            return Err(StoreError::NotFound);
        }
        let kept = count(rows).await?;
        invariant!(kept > 0, "feedback is counted");
        rows.remove(feedback_key(self.0));
        rows.destroy_keys(Owner::Feedback(id)).await?;
        rows.destroy_keys(Owner::FeedbackPicture(id)).await?;
        rows.put_record(key(Table::FeedbackCount, &[]), &Count(kept.saturating_sub(1)))
    }
}

#[async_trait]
impl<K: Keep> FeedbackBox for Nouns<K> {
    async fn add(&self, feedback: Feedback) -> Result<()> {
        self.0.call(Add(feedback)).await
    }

    async fn kept(&self) -> Result<u32> {
        count(&self.0.look()).await
    }

    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>> {
        let all = key(Table::Feedback, &[]);
        let end = before.map_or_else(|| end_of(&all), feedback_key);
        let page = self.0.look().page_of("feedback", Span::new(all, end).backwards(), limit).await?;
        page.into_iter().map(|(at, found): (_, FeedbackRecord)| Ok(found.into_feedback(id_after_table(&at)?))).collect()
    }

    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>> {
        let found: Option<FeedbackRecord> = self.0.look().sealed(&feedback_key(id)).await?;
        Ok(found.map(|found| found.into_feedback(id.0)))
    }

    async fn remove(&self, id: FeedbackId) -> Result<()> {
        self.0.call(Remove(id)).await
    }
}
