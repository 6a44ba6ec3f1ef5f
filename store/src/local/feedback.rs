//! Feedback on this machine.

use annon_contract::limits::FEEDBACK_KEPT;
use async_trait::async_trait;

use crate::error::{Result, StoreError};
use crate::feedback::{Feedback, FeedbackBox, FeedbackId};
use crate::local::Local;
use crate::local::committer::Effect::{Grows, Shrinks};
use crate::local::transaction::Transaction;
use crate::seals::keyring::Owner;
use crate::shapes::feedback::{Count, FeedbackRecord};
use crate::table::{Table, end_of, feedback_key, id_after_table, key};

fn count(transaction: &Transaction<'_>) -> Result<u32> {
    Ok(transaction.record(&key(Table::FeedbackCount, &[]))?.unwrap_or(Count(0)).0)
}

#[async_trait]
impl FeedbackBox for Local {
    async fn add(&self, feedback: Feedback) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            let kept = count(transaction)?;
            if kept >= FEEDBACK_KEPT {
                return Err(StoreError::Full);
            }
            let Feedback { id, text, date, has_picture } = feedback;
            if transaction.has(&feedback_key(id))? {
                return Err(StoreError::Conflict);
            }
            let owner = Owner::Feedback(id.0);
            transaction.new_key(owner)?;
            transaction.put_sealed(owner, feedback_key(id), &FeedbackRecord { text, date, has_picture })?;
            transaction.put(key(Table::FeedbackCount, &[]), &Count(kept + 1))
        };
        self.committer.write(Grows, work).await
    }

    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>> {
        let all = key(Table::Feedback, &[]);
        let end = before.map_or_else(|| end_of(&all), feedback_key);
        self.page_of("feedback", self.index.range(all, end).rev(), limit, |key, record: FeedbackRecord| {
            Ok(record.into_feedback(id_after_table(key)?))
        })
    }

    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>> {
        let key = feedback_key(id);
        let record: Option<FeedbackRecord> = self.sealed(&key)?;
        Ok(record.map(|record| record.into_feedback(id.0)))
    }

    async fn remove(&self, id: FeedbackId) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            if !transaction.has(&feedback_key(id))? {
                return Err(StoreError::NotFound);
            }
            let kept = count(transaction)?;
            invariant!(kept > 0, "feedback is counted");
            transaction.remove(feedback_key(id));
            transaction.destroy_keys(Owner::Feedback(id.0));
            transaction.destroy_keys(Owner::FeedbackPicture(id.0));
            transaction.put(key(Table::FeedbackCount, &[]), &Count(kept.saturating_sub(1)))
        };
        self.committer.write(Shrinks, work).await
    }
}
