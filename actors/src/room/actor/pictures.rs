//! A room's pictures: which there are, and which have to go.

use annon_contract::limits::{ROOM_PICTURE_BYTES, ROOM_PICTURES};
use annon_store::image::Kept;

use super::*;
use crate::room::lines::pictures_of;

/// How long an uploaded picture waits for the message that refers to it.
pub(crate) const PICTURE_WAITS: Duration = Duration::from_secs(10 * 60);

/// A picture that messages may refer to.
pub(super) struct Issued {
    /// When it has waited long enough for a message.
    until: Instant,
    bytes: usize,
    /// Whether a message has.
    sent: bool,
}

impl RoomActor {
    /// Pictures that were there before this actor was, and the log that tells
    /// which of them a message has shown, also one that was taken back since.
    pub(super) fn issued_before(&mut self, pictures: Vec<Kept>, log: &[(Seq, RoomEvent)]) {
        let (moment, now) = (self.shared.clock.moment(), self.shared.clock.timestamp());
        for Kept { id, bytes, since } in pictures {
            let waited = Duration::from_secs(now.saturating_sub(since));
            let until = moment + PICTURE_WAITS.saturating_sub(waited);
            self.issued.entry(id).or_insert(Issued { until, bytes, sent: false });
        }
        for (_, event) in log {
            if let RoomEvent::Posted { body, .. } = event {
                self.mark_sent(body);
            }
        }
    }

    /// Whether some may have to go soon, though nobody says anything.
    pub(super) fn has_pictures_to_send(&self) -> bool {
        self.issued.values().any(|issued| !issued.sent)
    }

    /// Takes one more, if there is a place for it.
    pub(super) fn issue(&mut self, image: ImageId, bytes: usize) -> Result<(), RoomError> {
        if !self.holds_another(bytes) {
            return Err(RoomError::TooManyPictures);
        }
        let until = self.shared.clock.moment() + PICTURE_WAITS;
        self.issued.insert(image, Issued { until, bytes, sent: false });
        Ok(())
    }

    pub(super) fn holds_another(&self, bytes: usize) -> bool {
        let held: usize = self.issued.values().map(|issued| issued.bytes).sum();
        self.issued.len() < ROOM_PICTURES && held + bytes <= ROOM_PICTURE_BYTES
    }

    /// Whether a message may show these.
    pub(super) fn has_pictures_of(&self, body: &Body) -> bool {
        pictures_of(body).all(|image| self.issued.contains_key(&image))
    }

    /// A message shows these.
    pub(super) fn mark_sent(&mut self, body: &Body) {
        for image in pictures_of(body) {
            self.issued.entry(image).and_modify(|issued| issued.sent = true);
        }
    }

    /// Removes pictures that no message refers to any more, and those that
    /// none has for too long.
    pub(super) fn drop_pictures(&mut self) {
        if self.issued.is_empty() {
            return;
        }
        let (referred, now) = (self.room.pictures(), self.shared.clock.moment());
        let is_done = |issued: &Issued| issued.sent || now >= issued.until;
        let orphans = self.issued.extract_if(|image, issued| !referred.contains(image) && is_done(issued));
        let orphans: Vec<_> = orphans.map(|(image, _)| image).collect();
        if orphans.is_empty() {
            return;
        }
        let (shared, album) = (self.shared.clone(), Album::Room(self.card.id.0));
        // Also if this actor ends meanwhile. A picture's two sizes go together.
        actix::spawn(async move {
            if shared.images.remove(album, &orphans).await.is_err() {
                tracing::warn!("pictures nobody refers to could not be removed");
            }
        });
    }
}
