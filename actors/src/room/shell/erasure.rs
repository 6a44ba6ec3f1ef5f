//! What must not stay: lines that are no longer kept, pictures that no message
//! shows, and the room itself when it ends. What is taken back goes with the event
//! that says so (`RoomLog::append_and_erase`).

use std::time::Duration;

use actix::fut::wrap_future;
use actix::{ActorFutureExt, AsyncContext, Context};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::image::Album;
use annon_store::room::{Body, Ending};

use crate::room::shell::Shell;
use crate::room::shell::requests::{Ready, Request};
use crate::session::CloseReason;

/// How many lines are dropped before the log is asked to forget them.
const FORGETS_AFTER: u64 = 512;
/// How long before its removal a picture counts as gone, where other nodes may remove it. An
/// append is held for less.
const GOES_SOON: Duration = Duration::from_secs(60);

impl Shell {
    /// Has the log forget lines that the room has dropped, many at a time.
    pub(super) fn forget_lines(&mut self) {
        let dropped = self.room.dropped().min(self.queue.committed());
        if dropped.0 < self.forgotten.0 + FORGETS_AFTER {
            return;
        }
        self.forgotten = dropped;
        let (services, room) = (self.services.clone(), self.metadata.id);
        let forgetting = async move {
            if let Err(error) = services.log.forget(room, dropped).await {
                tracing::warn!(%error, "old messages stay in a room's log");
            }
        };
        actix::spawn(forgetting);
    }

    /// Whether the room has all pictures that a message shows. Another node may be about to
    /// remove one that no message shows yet: it counts as gone a while before that.
    pub(super) fn has_pictures_of(&self, body: &Body) -> bool {
        let until = self.tail.is_some().then(|| self.services.clock.moment() + GOES_SOON);
        self.pictures.has_those_of(body, until)
    }

    /// Removes pictures that no message shows, also if the actor ends
    /// meanwhile. A picture's two sizes go together.
    pub(super) fn drop_pictures(&mut self, context: &mut Context<Self>) {
        let pictures = self.pictures.take_orphans(|| self.room.pictures(), self.services.clock.moment());
        if pictures.is_empty() {
            return;
        }
        let (services, album) = (self.services.clone(), Album::Room(self.metadata.id.0));
        let at = self.tail.is_some().then(|| self.queue.committed());
        let removing = actix::spawn(async move {
            match services.images.remove(album, &pictures, at).await {
                // A message that this node hasn't seen may show one: it looks at them again.
                Err(StoreError::Conflict) => services.images.list(album).await.unwrap_or_default(),
                Err(error) => {
                    tracing::warn!(%error, "pictures nobody refers to could not be removed");
                    Vec::new()
                }
                Ok(()) => Vec::new(),
            }
        });
        context.spawn(wrap_future(removing).map(|left, shell: &mut Self, _| {
            shell.note_pictures(left.unwrap_or_default());
        }));
    }

    /// Ends the room: nothing of it stays.
    pub(super) fn end(&mut self, why: Ending, request: Option<Request>, context: &mut Context<Self>) {
        if self.ending.replace(why).is_some() {
            return self.answer(request, Err(Code::GroupExpired.into()));
        }
        if why == Ending::Expired {
            // The time is up, even if the disk refuses the end.
            self.sockets.close(|_, _| true, CloseReason::Expired);
        }
        let (services, room) = (self.services.clone(), self.metadata.id);
        let removing = async move {
            let removing = async {
                services.directory.remove(room).await?;
                services.images.remove_album(Album::Room(room.0)).await
            };
            services.unless_stuck(removing).await
        };
        context.wait(wrap_future(removing).map(move |removed, shell: &mut Self, _| {
            match removed {
                Ok(()) => shell.sockets.close(|_, _| true, CloseReason::Deleted),
                Err(error) => tracing::error!(%error, "an ended room could not be removed; the sweeper tries again"),
            }
            shell.tell_owner_of_end();
            shell.answer(request, removed.map(|()| Ready::Nothing));
            let turns = shell.queue.refuse().collect();
            shell.give_up_with(turns, removed.err().unwrap_or(Code::GroupExpired.into()));
        }));
    }

    /// Another node has ended the room.
    pub(super) fn closed_elsewhere(&mut self) {
        let is_expired = self.is_over();
        self.sockets.close(|_, _| true, if is_expired { CloseReason::Expired } else { CloseReason::Deleted });
        self.tell_owner_of_end();
        self.give_up();
    }
}
