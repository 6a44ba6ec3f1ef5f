//! The pause. It is one row, which isn't sealed.

use async_trait::async_trait;

use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::pause::{Pause, Pauses};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Rows};
use crate::table::pause_key;

struct Begin(Pause);

impl Call for Begin {
    type Out = ();
    type Error = StoreError;
    // A full disk may be why there is a pause.
    const EFFECT: Effect = Effect::Replaces;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        rows.put_record(pause_key(), &self.0)
    }
}

struct End;

impl Call for End {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        rows.remove(pause_key());
        Ok(())
    }
}

#[async_trait]
impl<K: Keep> Pauses for Nouns<K> {
    async fn begin(&self, pause: Pause) -> Result<()> {
        self.0.call(Begin(pause)).await
    }

    async fn current(&self) -> Result<Option<Pause>> {
        self.0.look().record(&pause_key()).await
    }

    async fn end(&self) -> Result<()> {
        self.0.call(End).await
    }
}
