//! What is said through a window. The answer is the line itself, which every window gets; a
//! refusal goes to this window alone, and names the line by its id.

use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::conversation::{Change, ConversationId, Door, LineText, Outcome};
use annon_store::room::{ChatId, Seq};
use uuid::Uuid;

use super::news::said;
use super::{Conversations, Viewer};
use crate::room::frame::refused;
use crate::session::EncodedFrame;

impl Conversations {
    /// Says a line, as the call does. Whoever says it may leave meanwhile.
    pub(super) async fn say(
        self,
        id: ConversationId,
        door: Door,
        window: Uuid,
        viewer: Viewer,
        line: ChatId,
        text: LineText,
    ) {
        let answer = match self.try_say(id, door, viewer, line, text).await {
            Ok(Outcome { is_new: true, .. }) => return,
            // It was said before, and its window may have missed that.
            Ok(Outcome { seq, .. }) => self.line(id, seq).await,
            Err(code) => Some(refused(Some(line.as_str()), code)),
        };
        if let Some(answer) = answer {
            self.change(id, |windows| {
                windows.retain(|other| other.id != window || other.outbox.push(&answer).is_continue());
            });
        }
    }

    async fn try_say(
        &self,
        id: ConversationId,
        door: Door,
        viewer: Viewer,
        line: ChatId,
        text: LineText,
    ) -> Result<Outcome, Code> {
        let now = self.clock.timestamp();
        if let Viewer::Owner { account, .. } = viewer
            && self.suspensions.of(account, now).await?.is_some()
        {
            return Err(Code::Suspended);
        }
        let say = Change::Say { from: viewer.side(), id: line, text };
        let names =
            |error: StoreError| if error == StoreError::NotFound { Code::NoSuchConversation } else { error.into() };
        self.kept.change_through(id, Some(door), say, now).await.map_err(|error| error.code(names))
    }

    /// A line as it is now.
    async fn line(&self, id: ConversationId, seq: Seq) -> Option<EncodedFrame> {
        // If it can't be read now, its page asks again.
        let conversation = self.find(id).await.ok()??.conversation;
        let line = conversation.lines.iter().find(|line| line.seq == seq)?;
        Some(said(&conversation, line, self.clock.timestamp()))
    }
}
