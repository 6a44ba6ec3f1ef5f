//! A session that watches an inbox.

use std::sync::Arc;

use annon_contract::code::Code;
use annon_store::account::{AccountId, TokenId};
use uuid::Uuid;

use crate::ids::random_id;
use crate::inbox::{Inboxes, Window, frame as inbox_frame};
use crate::session::{EncodedFrame, Outbox, Role, frame};

/// One socket of one inbox. It sends what arrives. A client can only send
/// `event.connect`, to test whether the connection still works.
pub struct Watcher {
    inboxes: Inboxes,
    owner: AccountId,
    token: TokenId,
    window: Uuid,
}

impl Watcher {
    /// A window of `owner`, opened with `token`.
    pub fn new(inboxes: Inboxes, owner: AccountId, token: TokenId) -> Self {
        Self { inboxes, owner, token, window: random_id() }
    }
}

impl Role for Watcher {
    fn opened(&mut self, outbox: Arc<Outbox>) {
        self.inboxes.enter(self.owner, Window { id: self.window, token: self.token, outbox });
    }

    fn received(&mut self, text: &str) -> Option<EncodedFrame> {
        // An unknown event is ignored, so that newer pages work with older
        // servers; something that isn't a frame is a mistake worth telling.
        match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) {
            Ok(frame) if frame.get("event").is_some_and(|event| event == "event.connect") => Some(inbox_frame::ready()),
            Ok(_) => {
                tracing::debug!("an inbox socket sent something; ignored");
                None
            }
            Err(_) => Some(frame::error(Code::FrameNotJson)),
        }
    }

    fn closed(&mut self) {
        self.inboxes.leave(self.owner, self.window);
    }
}
