//! What the operator was told of. It is one row, which isn't sealed.

use async_trait::async_trait;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Rows};
use crate::table::told_key;
use crate::telling::{Tellings, Told, Waiting};

struct Tell {
    waiting: Waiting,
    now: Timestamp,
}

impl Call for Tell {
    type Out = bool;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![told_key()]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<bool> {
        let Self { waiting, now } = *self;
        let was: Told = rows.record(&told_key()).await?.unwrap_or_default();
        let is_due = was.calls_for_more(waiting, now);
        // What has grown less may grow again.
        let at = if is_due { now } else { was.at };
        let damage = if is_due { waiting.damage } else { was.waiting.damage.min(waiting.damage) };
        let told = if is_due { waiting } else { was.waiting };
        let told = Told { at, waiting: Waiting { damage, ..told } };
        if told != was {
            rows.put_record(told_key(), &told)?;
        }
        Ok(is_due)
    }
}

#[async_trait]
impl<K: Keep> Tellings for Nouns<K> {
    async fn is_due(&self, waiting: Waiting, now: Timestamp) -> Result<bool> {
        // Most of the time there is no news.
        let was: Told = self.0.look().record(&told_key()).await?.unwrap_or_default();
        if !was.calls_for_more(waiting, now) && was.waiting.damage <= waiting.damage {
            return Ok(false);
        }
        self.0.call(Tell { waiting, now }).await
    }
}
