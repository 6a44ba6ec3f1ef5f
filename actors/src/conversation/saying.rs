//! What is said through a window, or thought of a line. The answer is the line itself or its reactions, which every
//! window gets; a refusal goes to this window alone, and has the id that the page gave.

use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::conversation::{Change, ConversationId, Door, Outcome};
use annon_store::room::{ChatId, Seq};
use uuid::Uuid;

use super::frame::reacted;
use super::news::said;
use super::{Conversations, Viewer};
use crate::room::frame::refused;
use crate::session::EncodedFrame;

impl Conversations {
    /// Says a line, as the call does, or reacts to one. Whoever does may leave meanwhile.
    pub(super) async fn say(
        self,
        id: ConversationId,
        door: Door,
        window: Uuid,
        viewer: Viewer,
        asked: ChatId,
        change: Change,
    ) {
        let about = if let Change::React { line, .. } = change { Some(line) } else { None };
        let answer = match self.try_say(id, door, viewer, change).await {
            Ok(Outcome { is_new: true, .. }) => return,
            // It was done before, and its window may have missed that.
            Ok(Outcome { seq, .. }) => self.line(id, seq, about).await,
            Err(code) => Some(refused(Some(asked.as_str()), code)),
        };
        if let Some(answer) = answer {
            self.change(id, |windows| {
                windows.retain(|other| other.id != window || other.outbox.push(&answer).is_continue());
            });
        }
    }

    async fn try_say(&self, id: ConversationId, door: Door, viewer: Viewer, change: Change) -> Result<Outcome, Code> {
        let now = self.clock.timestamp();
        if let Viewer::Owner { account, .. } = viewer
            && self.suspensions.of(account, now).await?.is_some()
        {
            return Err(Code::Suspended);
        }
        let names =
            |error: StoreError| if error == StoreError::NotFound { Code::NoSuchConversation } else { error.into() };
        self.kept.change_through(id, Some(door), change, now).await.map_err(|error| error.code(names))
    }

    /// A line as it is now, or what is thought of the one that this is `about`.
    async fn line(&self, id: ConversationId, seq: Seq, about: Option<Seq>) -> Option<EncodedFrame> {
        // If it can't be read now, its page asks again.
        let conversation = self.find(id).await.ok()??.conversation;
        let line = conversation.lines.iter().find(|line| line.seq == about.unwrap_or(seq))?;
        if about.is_some() { Some(reacted(line)) } else { Some(said(&conversation, line, self.clock.timestamp())) }
    }
}
