//! The pause on this machine.

use async_trait::async_trait;

use crate::error::Result;
use crate::local::Local;
use crate::local::committer::Effect::{Replaces, Shrinks};
use crate::local::transaction::Transaction;
use crate::pause::{Pause, Pauses};
use crate::table::pause_key;

#[async_trait]
impl Pauses for Local {
    async fn begin(&self, pause: Pause) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| transaction.put(pause_key(), &pause);
        // A full disk may be why there is a pause.
        self.committer.write(Replaces, work).await
    }

    async fn current(&self) -> Result<Option<Pause>> {
        self.record(&pause_key())
    }

    async fn end(&self) -> Result<()> {
        self.change(Shrinks, |transaction| transaction.remove(pause_key())).await
    }
}
