//! Reads the text of old messages from the log again, and counts what the room
//! holds in memory.

use super::*;
use crate::room::book::{Book, Recalled, unread};
use crate::room::line::Line;

/// How far what a room holds may be from what was last counted, before it is
/// counted again: an eighth, and never less than so many bytes.
const COUNTED_FROM: usize = 4096;
/// What a room takes beside its lines, roughly.
const EMPTY: usize = 4096;

/// What a room was last counted with.
#[derive(Default)]
pub(super) struct Counted {
    bytes: usize,
}

impl RoomActor {
    /// Where frames find what was said.
    pub(super) fn book<'a>(&'a self, recalled: &'a Recalled) -> Book<'a> {
        Book { id: self.card.id, room: &self.room, recalled }
    }

    /// Places that have to be read before frames can be made of some lines.
    pub(super) fn unread<'a>(&self, lines: impl Iterator<Item = &'a Line>) -> Vec<Seq> {
        unread(&self.room, lines)
    }

    /// Reads what stands at some places, and what that quotes, and then goes
    /// on: at once, when nothing has to be read. Until then the mailbox
    /// waits, so that everything happens in the order in which it was asked.
    pub(super) fn recall(
        &mut self,
        places: Vec<Seq>,
        then: impl FnOnce(&mut Self, Result<Recalled, RoomError>, &mut Context<Self>) + 'static,
        context: &mut Context<Self>,
    ) {
        let last = self.room.lines().last_resting();
        let Some(last) = last.filter(|_| !places.is_empty()) else {
            return then(self, Ok(Recalled::default()), context);
        };
        let (shared, id) = (self.shared.clone(), self.card.id);
        let reading = async move {
            let reading = async {
                let mut recalled = Recalled::default();
                recalled.add(shared.log.pick(id, in_order(places)).await?);
                let quoted = in_order(recalled.answered().filter(|seq| *seq <= last).collect());
                if !quoted.is_empty() {
                    recalled.add(shared.log.pick(id, quoted).await?);
                }
                Ok::<_, StoreError>(recalled)
            };
            within(&shared.clock, STUCK, reading).await.ok_or(RoomError::Busy)?.map_err(RoomError::from)
        };
        context.wait(wrap_future(reading).map(|recalled, this: &mut Self, context| {
            if let Err(error) = &recalled {
                tracing::error!(%error, "old messages can't be read from a room's log");
            }
            then(this, recalled, context);
            this.flush(context);
        }));
    }

    /// Tells the budget what this room holds, when that has changed.
    pub(super) fn count_memory(&mut self, context: &mut Context<Self>) {
        let bytes = EMPTY + self.room.lines().memory();
        if bytes.abs_diff(self.counted.bytes) >= COUNTED_FROM.max(self.counted.bytes / 8) {
            self.count_again(context);
        }
    }

    /// Tells the budget what this room holds, and whether anybody is in it.
    pub(super) fn count_again(&mut self, context: &mut Context<Self>) {
        let lines = self.room.lines();
        let (bytes, spare) = (EMPTY + lines.memory(), lines.spare(self.shared.settings.stays));
        let since = self.sockets.is_empty().then_some(self.used_at);
        self.counted.bytes = bytes;
        self.shared.budget.holds(self.card.id, context.address(), bytes, spare, since);
    }

    /// What the log has, memory needs not.
    pub(super) fn rest(&mut self, context: &mut Context<Self>) {
        self.room.rest(self.committed, self.shared.settings.stays);
        let bytes = EMPTY + self.room.lines().memory();
        let since = self.sockets.is_empty().then_some(self.used_at);
        self.counted.bytes = bytes;
        // Whatever is left to let go of was not on disk yet, and counts when
        // this room is next counted.
        self.shared.budget.holds(self.card.id, context.address(), bytes, 0, since);
    }
}

fn in_order(mut places: Vec<Seq>) -> Vec<Seq> {
    places.sort_unstable();
    places.dedup();
    places
}
