//! That one side is writing. It is kept nowhere, and told only to windows of the other side that are open now.

use annon_store::conversation::{ConversationId, Door, Side};

use super::frame::writing;
use super::{Conversations, Viewer};

impl Conversations {
    /// Tells the other side that somebody who has come in through this door is writing.
    pub(super) async fn write(self, id: ConversationId, door: Door, viewer: Viewer) {
        if let Viewer::Owner { account, .. } = viewer
            && !matches!(self.suspensions.of(account, self.clock.timestamp()).await, Ok(None))
        {
            return;
        }
        let from = viewer.side();
        if self.show_writing(id, Some(door), from).await {
            self.say_writing(id, from);
        }
    }

    /// Tells the windows here, if there is something to write in. Returns whether there is.
    pub(super) async fn show_writing(&self, id: ConversationId, door: Option<Door>, from: Side) -> bool {
        // If it can't be read now, the next key is told.
        let Ok(Some(found)) = self.find(id).await else { return false };
        if !found.is_shown || !found.conversation.is_open() || door.is_some_and(|door| door != found.door()) {
            return false;
        }
        let frame = writing(from);
        self.change(id, |windows| {
            windows.retain(|window| {
                let is_told = window.side != from && window.known.is_some() && window.door == found.door();
                !is_told || window.outbox.push(&frame).is_continue()
            });
        });
        true
    }
}
