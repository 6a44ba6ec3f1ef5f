//! Feedback in sled.

use std::sync::Arc;

use annon_contract::limits::FEEDBACK_KEPT;
use async_trait::async_trait;
use uuid::Uuid;

use crate::base::{Base, PassedOver};
use crate::error::{Result, StoreError};
use crate::feedback::{Feedback, FeedbackBox, FeedbackId};
use crate::seals::keyring::Owner;
use crate::shapes::feedback::{Count, FeedbackRecord};
use crate::sled::unit::Unit;
use crate::sled::writer::Effect::{Grows, Shrinks};
use crate::sled::{Table, end_of, key};

pub(crate) struct SledFeedback(pub(crate) Arc<Base>);

fn feedback_key(id: FeedbackId) -> Vec<u8> {
    key(Table::Feedback, &[id.0.as_bytes()])
}

fn count(unit: &Unit<'_>) -> Result<u32> {
    Ok(unit.record(&key(Table::FeedbackCount, &[]))?.unwrap_or(Count(0)).0)
}

#[async_trait]
impl FeedbackBox for SledFeedback {
    async fn add(&self, feedback: Feedback) -> Result<()> {
        let work = move |unit: &mut Unit<'_>| {
            let kept = count(unit)?;
            if kept >= FEEDBACK_KEPT {
                return Err(StoreError::Full);
            }
            let Feedback { id, text, date, has_picture } = feedback;
            if unit.has(&feedback_key(id))? {
                return Err(StoreError::Conflict);
            }
            let owner = Owner::Feedback(id.0);
            unit.new_key(owner)?;
            unit.put_sealed(owner, feedback_key(id), &FeedbackRecord { text, date, has_picture })?;
            unit.put(key(Table::FeedbackCount, &[]), &Count(kept + 1))
        };
        self.0.writer.write(Grows, work).await
    }

    async fn page(&self, before: Option<FeedbackId>, limit: usize) -> Result<Vec<Feedback>> {
        let all = key(Table::Feedback, &[]);
        let end = before.map_or_else(|| end_of(&all), feedback_key);
        let mut page = Vec::new();
        let mut passed_over = PassedOver::none_of("feedback");
        for pair in self.0.reader.range(all, end).rev() {
            if page.len() == limit {
                break;
            }
            let (key, sealed) = pair?;
            let id = Uuid::from_slice(&key[1..]).map_err(|_| StoreError::Corrupt)?;
            match self.0.open::<FeedbackRecord>(&key, &sealed) {
                Ok(record) => page.push(record.into_feedback(id)),
                // Removed a moment ago, or beyond reading: that hides no other.
                Err(StoreError::NotFound) => {}
                Err(StoreError::Corrupt) => passed_over.one(),
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    async fn by_id(&self, id: FeedbackId) -> Result<Option<Feedback>> {
        let key = feedback_key(id);
        let record: Option<FeedbackRecord> = self.0.sealed(&key)?;
        Ok(record.map(|record| record.into_feedback(id.0)))
    }

    async fn remove(&self, id: FeedbackId) -> Result<()> {
        let work = move |unit: &mut Unit<'_>| {
            if !unit.has(&feedback_key(id))? {
                return Err(StoreError::NotFound);
            }
            let kept = count(unit)?;
            unit.remove(feedback_key(id));
            unit.destroy_keys(Owner::Feedback(id.0));
            unit.destroy_keys(Owner::FeedbackPicture(id.0));
            unit.put(key(Table::FeedbackCount, &[]), &Count(kept.saturating_sub(1)))
        };
        self.0.writer.write(Shrinks, work).await
    }
}
