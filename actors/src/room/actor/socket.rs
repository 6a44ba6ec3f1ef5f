//! One member's socket, as the room's actor writes to it.

use std::ops::ControlFlow;

use annon_store::room::MemberId;

use crate::session::{Goodbye, Outbox, Text};

/// One member's connection. When it is dropped without a close reason, its
/// client connects again.
pub(crate) struct Socket {
    pub(super) member: MemberId,
    pub(super) outbox: Outbox,
    /// Frames that are not the same for everybody, and what was shown before
    /// the last of them; they go out with the next flush.
    queued: Vec<Text>,
    /// How much of what is shown it needs no more.
    has: usize,
    /// Its place in the order of coming.
    pub(super) entry: u64,
    /// Whether it has said `event.connect` and hears what happens.
    pub(super) listens: bool,
    /// Whether it has said so, and is not answered yet.
    pub(super) connects: bool,
    told_why: bool,
}

impl Socket {
    pub(crate) fn new(member: MemberId, outbox: Outbox) -> Self {
        Self { member, outbox, queued: Vec::new(), has: 0, entry: 0, listens: false, connects: false, told_why: false }
    }

    /// Queues what was shown so far, so that something else can follow it.
    pub(super) fn catch_up(&mut self, shown: &[Text]) {
        if self.listens {
            self.queued.extend_from_slice(shown.get(self.has..).unwrap_or_default());
        }
        self.has = shown.len();
    }

    pub(super) fn answer(&mut self, shown: &[Text], frames: impl IntoIterator<Item = Text>) {
        self.catch_up(shown);
        self.queued.extend(frames);
    }

    /// Sends what is due. `Break` when the session is gone or too slow.
    pub(super) fn flush(&mut self, shown: &[Text], as_one: Option<&Text>) -> ControlFlow<()> {
        if self.queued.is_empty() && self.has == 0 {
            // As most of the time.
            let push = |text| self.outbox.push(text);
            return as_one.filter(|_| self.listens).map_or(ControlFlow::Continue(()), push);
        }
        self.catch_up(shown);
        self.has = 0;
        self.outbox.push_all(&std::mem::take(&mut self.queued))
    }

    /// Ends it, and says why.
    pub(super) fn close(mut self, shown: &[Text], why: Goodbye) {
        self.catch_up(shown);
        let _ = self.outbox.push_all(&self.queued);
        self.told_why = true;
        self.outbox.end(why);
    }

    pub(super) fn end(mut self, why: Goodbye) {
        self.told_why = true;
        self.outbox.end(why);
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if !self.told_why {
            self.outbox.end(Goodbye::ShuttingDown);
        }
    }
}
