//! What must not stay: words that were taken back, and lines that are no
//! longer kept.

use super::*;

/// Lines that go before the log is asked to forget them.
const FORGETS_AFTER: u64 = 512;

impl RoomActor {
    /// Words that were taken back just before a crash and are still in the
    /// log.
    pub(super) fn redact_leftovers(&mut self, log: &[(Seq, RoomEvent)], context: &mut Context<Self>) {
        let still_there = log.iter().filter_map(|(seq, event)| match event {
            RoomEvent::Posted { body, .. } if *body != Body::Gone => Some(*seq),
            _ => None,
        });
        let gone = |seq: &Seq| self.room.message(*seq).is_some_and(|message| message.is_gone);
        let messages: Vec<_> = still_there.filter(gone).collect();
        self.redact(messages, context);
    }

    /// Takes words out of the log, and their pictures off the disk.
    pub(super) fn redact(&mut self, messages: Vec<Seq>, context: &mut Context<Self>) {
        if messages.is_empty() {
            return;
        }
        let (shared, id) = (self.shared.clone(), self.card.id);
        let redact = async move { shared.log.redact(id, messages).await };
        self.redacting += 1;
        context.spawn(wrap_future(redact).map(|redacted, this: &mut Self, _| {
            this.redacting -= 1;
            if let Err(error) = redacted {
                // Done again when the room is next read.
                tracing::error!(%error, "a message could not be taken out of the log");
            }
            this.drop_pictures();
        }));
    }

    /// Lines that are no longer kept leave the log, too, many at a time.
    pub(super) fn forget_old(&mut self, context: &mut Context<Self>) {
        // Not past what is on disk: the machine may be further.
        let dropped = self.room.dropped().min(self.committed);
        if dropped.0 < self.forgotten.0 + FORGETS_AFTER {
            return;
        }
        self.forgotten = dropped;
        let (shared, id) = (self.shared.clone(), self.card.id);
        context.spawn(wrap_future(async move {
            if let Err(error) = shared.log.forget(id, dropped).await {
                tracing::warn!(%error, "old messages stay in a room's log");
            }
        }));
    }
}
