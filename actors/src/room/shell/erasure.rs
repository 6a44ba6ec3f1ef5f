//! What must not stay: words that were taken back, lines that are no longer
//! kept, and their pictures.

use std::sync::Arc;

use annon_store::image::{Album, ImageId};
use annon_store::room::{Body, RoomEvent, RoomId, Seq};

use crate::room::error::RoomError;
use crate::room::machine::Room;
use crate::room::services::Services;

/// Lines that go before the log is asked to forget them.
const FORGETS_AFTER: u64 = 512;

/// Takes things out of one room's log, and off the disk.
pub(super) struct Erasure {
    room: RoomId,
    services: Arc<Services>,
    /// The log has been asked to forget lines up to here.
    forgotten: Seq,
    /// How often it is being asked to lose words.
    redacting: usize,
}

impl Erasure {
    pub(super) fn new(room: RoomId, services: Arc<Services>) -> Self {
        Self { room, services, forgotten: Seq(0), redacting: 0 }
    }

    /// Takes the words out of messages. It says so when that is done.
    pub(super) fn redact(&mut self, messages: Vec<Seq>) -> Option<impl Future<Output = ()> + use<>> {
        if messages.is_empty() {
            return None;
        }
        self.redacting += 1;
        let (services, room) = (self.services.clone(), self.room);
        Some(async move {
            if let Err(error) = services.log.redact(room, messages).await {
                // Done again when the room is next read.
                tracing::error!(%error, "a message could not be taken out of the log");
            }
        })
    }

    pub(super) fn redacted(&mut self) {
        self.redacting -= 1;
    }

    /// Whether all words are out that had to go.
    pub(super) fn is_done(&self) -> bool {
        self.redacting == 0
    }

    /// Takes lines that are no longer kept out of the log, many at a time:
    /// those up to a place that is on disk.
    pub(super) fn forget(&mut self, dropped: Seq) -> Option<impl Future<Output = ()> + use<>> {
        if dropped.0 < self.forgotten.0 + FORGETS_AFTER {
            return None;
        }
        self.forgotten = dropped;
        let (services, room) = (self.services.clone(), self.room);
        Some(async move {
            if let Err(error) = services.log.forget(room, dropped).await {
                tracing::warn!(%error, "old messages stay in a room's log");
            }
        })
    }

    /// Removes pictures, also if the room's actor ends meanwhile. A picture's
    /// two sizes go together.
    pub(super) fn remove(&self, pictures: Vec<ImageId>) {
        if pictures.is_empty() {
            return;
        }
        let (services, album) = (self.services.clone(), Album::Room(self.room.0));
        actix::spawn(async move {
            if let Err(error) = services.images.remove(album, &pictures).await {
                tracing::warn!(%error, "pictures nobody refers to could not be removed");
            }
        });
    }

    pub(super) fn remove_room(&self) -> impl Future<Output = Result<(), RoomError>> + use<> {
        let (services, room) = (self.services.clone(), self.room);
        async move {
            let removing = async {
                services.directory.remove(room).await?;
                services.images.remove_album(Album::Room(room.0)).await
            };
            services.unless_stuck(removing).await
        }
    }
}

/// Messages that were taken back just before a crash, and whose words are
/// still in the log.
pub(super) fn leftovers(room: &Room, log: &[(Seq, RoomEvent)]) -> Vec<Seq> {
    let still_there = log.iter().filter_map(|(seq, event)| match event {
        RoomEvent::Posted { body, .. } if *body != Body::Gone => Some(*seq),
        _ => None,
    });
    still_there.filter(|seq| room.message(*seq).is_some_and(|message| message.is_gone)).collect()
}
