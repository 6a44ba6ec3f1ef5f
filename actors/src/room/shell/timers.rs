//! What a room waits for by the clock.

use std::task::{Context, Poll};
use std::time::Duration;

use annon_store::room::Millis;
use futures_util::FutureExt;

use crate::clock::{SharedClock, Sleep};

/// How often a room looks around.
const LOOKS_EVERY: Duration = Duration::from_secs(20);

/// What is due.
pub(super) enum Due {
    /// The deadline that the room named.
    Deadline,
    /// A look at whether the room is empty, and at what is left to erase.
    LookAround,
    /// The list of active members may be sent again.
    List,
    /// The owner's windows may be told again.
    Owner,
}

pub(super) struct Timers {
    clock: SharedClock,
    /// The deadline for which it was set, and the time until then.
    deadline: Option<(Millis, Sleep)>,
    look: Sleep,
    list: Option<Sleep>,
    owner: Option<Sleep>,
}

impl Timers {
    pub(super) fn new(clock: SharedClock) -> Self {
        let look = clock.sleep(LOOKS_EVERY);
        Self { clock, deadline: None, look, list: None, owner: None }
    }

    pub(super) fn show_list_after(&mut self, wait: Duration) {
        self.list = Some(self.clock.sleep(wait));
    }

    pub(super) fn tell_owner_after(&mut self, wait: Duration) {
        self.owner = Some(self.clock.sleep(wait));
    }

    /// Whether the owner's windows will be told.
    pub(super) fn tells_owner(&self) -> bool {
        self.owner.is_some()
    }

    /// Ready when something is due; `deadline` is that of the room as it is now.
    pub(super) fn poll(&mut self, deadline: Option<Millis>, now: Millis, task: &mut Context<'_>) -> Poll<Due> {
        if self.deadline.as_ref().map(|(at, _)| *at) != deadline {
            let until = |at: Millis| self.clock.sleep(Duration::from_millis(at.0.saturating_sub(now.0)));
            self.deadline = deadline.map(|at| (at, until(at)));
        }
        if self.deadline.take_if(|(_, sleep)| sleep.poll_unpin(task).is_ready()).is_some() {
            return Poll::Ready(Due::Deadline);
        }
        if self.list.take_if(|sleep| sleep.poll_unpin(task).is_ready()).is_some() {
            return Poll::Ready(Due::List);
        }
        if self.owner.take_if(|sleep| sleep.poll_unpin(task).is_ready()).is_some() {
            return Poll::Ready(Due::Owner);
        }
        if self.look.poll_unpin(task).is_ready() {
            self.look = self.clock.sleep(LOOKS_EVERY);
            return Poll::Ready(Due::LookAround);
        }
        Poll::Pending
    }
}
