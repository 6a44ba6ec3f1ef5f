//! The list of active members. Everybody gets it when it changes, but not as
//! often as somebody could make it change.

use std::collections::HashSet;

use super::*;
use crate::bucket::Rate;

/// Ten people may well come at once, and lose their network at once. Past
/// that, what is shown is how it stands, and not every step on the way.
const SHOWN: Rate = Rate { burst: 20, refill: 2, per: Duration::from_secs(1) };

/// The list of active members that everybody was sent last.
pub(super) struct Active {
    /// Those shown last; `None` when somebody has seen anything else since.
    shown: Option<Vec<Face>>,
    bucket: Bucket,
    /// Whether it is shown in a moment.
    is_due: bool,
}

impl Active {
    pub(super) fn new(now: Instant) -> Self {
        Self { shown: None, bucket: Bucket::new(now), is_due: false }
    }
}

impl RoomActor {
    /// Everybody who is connected.
    fn here(&self) -> Vec<Face> {
        let here: HashSet<_> = self.sockets.values().map(|socket| socket.member).collect();
        self.room.seats().iter().filter(|seat| here.contains(&seat.member)).map(|seat| seat.face).collect()
    }

    /// Shows everybody who is connected, if that has changed: now, or when it
    /// may be shown again.
    pub(super) fn show_active(&mut self, context: &mut Context<Self>) {
        let here = self.here();
        self.standing.has_active(here.len());
        if self.active.is_due || self.active.shown.as_ref() == Some(&here) {
            return;
        }
        match self.active.bucket.take(SHOWN, self.shared.clock.moment()) {
            Ok(()) => {
                self.show(&[frame::active_users(here.iter().copied())]);
                self.active.shown = Some(here);
            }
            Err(wait) => {
                self.active.is_due = true;
                let sleep = wrap_future(self.shared.clock.sleep(wait));
                context.spawn(sleep.map(|(), this: &mut Self, context: &mut Context<Self>| {
                    this.active.is_due = false;
                    this.show_active(context);
                    this.flush(context);
                }));
            }
        }
    }

    /// The list for a member who asks. It may differ from the list that was
    /// sent last; if that list becomes true again, this member needs it, too.
    pub(super) fn active_now(&mut self) -> Text {
        let here = self.here();
        let frame = frame::active_users(here.iter().copied());
        self.active.shown = self.active.shown.take().filter(|shown| *shown == here);
        frame
    }
}
