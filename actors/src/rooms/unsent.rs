//! Pictures nobody sent, in rooms that nobody is in: an actor drops its own
//! after ten minutes, and may have ended before.

use std::collections::HashMap;
use std::time::Duration;

use annon_store::account::Timestamp;
use annon_store::room::RoomId;

use super::{RoomError, Rooms};
use crate::room::actor::{LookAtPictures, PICTURE_WAITS};

/// How often they are looked for.
const EVERY: Duration = Duration::from_secs(5 * 60);
/// Between two rooms, so that nobody notices.
const PAUSE: Duration = Duration::from_millis(100);

impl Rooms {
    /// Has them dropped, for as long as the server runs.
    pub async fn drop_unsent_pictures(self) {
        let mut seen = HashMap::new();
        loop {
            self.0.clock.sleep(EVERY).await;
            self.look_for_unsent(&mut seen).await;
        }
    }

    /// Opens each room that has old pictures, once, and again only when some
    /// have come or gone since.
    async fn look_for_unsent(&self, seen: &mut HashMap<RoomId, Timestamp>) {
        let Ok(albums) = self.0.images.albums().await else {
            return tracing::warn!("the rooms that have pictures can't be listed");
        };
        let before = std::mem::take(seen);
        for (room, changed) in albums.into_iter().map(|(room, changed)| (RoomId(room), changed)) {
            if before.get(&room) != Some(&changed) {
                let age = Duration::from_secs(self.0.clock.timestamp().saturating_sub(changed));
                if age < PICTURE_WAITS || self.0.open.lock().contains_key(&room) {
                    continue;
                }
                match self.ask(room, LookAtPictures).await {
                    // One that has ended is the store's sweeper's.
                    Ok(()) | Err(RoomError::Gone) => {}
                    Err(_) => continue,
                }
                self.0.clock.sleep(PAUSE).await;
            }
            seen.insert(room, changed);
        }
    }
}
