//! The pause: for a while the operator has nothing written, on all nodes.

use annon_contract::code::Code;
use annon_contract::limits::PAUSE_WORDS_MAX;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::Timestamp;
use crate::error::Result;
use crate::text::{tidy, words};

words! {
    /// What everybody reads during the pause: 1 to `PAUSE_WORDS_MAX` characters.
    PauseWords(String), tidy, 1..=PAUSE_WORDS_MAX, Code::FieldsInvalid, Code::FieldsInvalid
}

/// A pause. It isn't sealed, since everybody reads it. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    pub began: Timestamp,
    pub words: PauseWords,
}

/// Whether there is a pause. It lasts until it is ended, also over a start of the server.
#[async_trait]
pub trait Pauses: Send + Sync {
    /// Begins a pause, or gives the one that goes on other words.
    async fn begin(&self, pause: Pause) -> Result<()>;
    async fn current(&self) -> Result<Option<Pause>>;
    /// Ends the pause, if there is one.
    async fn end(&self) -> Result<()>;
}
