//! A room's pictures: which there are, and which have to go.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use annon_contract::limits::{ROOM_PICTURE_BYTES, ROOM_PICTURES, UNUSED_PICTURE_KEPT};
use annon_store::image::ImageId;
use annon_store::room::Body;

use crate::room::lines::pictures_of;

/// Pictures that messages may refer to.
#[derive(Default)]
pub(super) struct Pictures(HashMap<ImageId, Picture>);

struct Picture {
    /// When it has waited long enough for a message.
    until: Instant,
    bytes: usize,
    /// Whether a message has shown it, also one that was taken back since.
    sent: bool,
}

impl Pictures {
    /// Adds a picture that was stored `age` ago.
    pub(super) fn add(&mut self, image: ImageId, bytes: usize, age: Duration, now: Instant) {
        let until = now + UNUSED_PICTURE_KEPT.saturating_sub(age);
        self.0.entry(image).or_insert(Picture { until, bytes, sent: false });
    }

    /// Whether there is space for another picture, of this many bytes.
    pub(super) fn has_space_for(&self, bytes: usize) -> bool {
        let held: usize = self.0.values().map(|picture| picture.bytes).sum();
        self.0.len() < ROOM_PICTURES && held + bytes <= ROOM_PICTURE_BYTES
    }

    /// Whether the room has all pictures that a message shows; with `until`, only those that
    /// stay beyond that if no message shows them.
    pub(super) fn has_those_of(&self, body: &Body, until: Option<Instant>) -> bool {
        let stays = |picture: &Picture| picture.sent || until.is_none_or(|until| until < picture.until);
        pictures_of(body).all(|image| self.0.get(&image).is_some_and(stays))
    }

    /// Notes that a message shows the pictures of `body`.
    pub(super) fn mark_sent(&mut self, body: &Body) {
        for image in pictures_of(body) {
            self.0.entry(image).and_modify(|picture| picture.sent = true);
        }
    }

    /// Forgets pictures that are taken back: no message may show them any more.
    pub(super) fn forget(&mut self, taken_back: &[ImageId]) {
        for image in taken_back {
            self.0.remove(image);
        }
    }

    /// Whether some pictures wait for a message, and go if none comes.
    pub(super) fn has_waiting(&self) -> bool {
        self.0.values().any(|picture| !picture.sent)
    }

    /// Takes out the pictures that no message refers to any more, and those
    /// that have waited too long for one.
    pub(super) fn take_orphans(&mut self, referred: impl FnOnce() -> HashSet<ImageId>, now: Instant) -> Vec<ImageId> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let referred = referred();
        let is_orphan = |image: &ImageId, picture: &mut Picture| {
            !referred.contains(image) && (picture.sent || now >= picture.until)
        };
        self.0.extract_if(is_orphan).map(|(image, _)| image).collect()
    }
}

#[cfg(test)]
mod tests {
    use annon_store::room::Caption;
    use uuid::Uuid;

    use super::*;
    use crate::clock::{Clock, SystemClock};

    const IMAGE: ImageId = ImageId(Uuid::from_u128(1));

    #[test]
    fn one_that_nobody_sends_goes_in_time_and_one_that_is_taken_back_at_once() {
        let now = SystemClock.moment();
        let shown = || HashSet::from([IMAGE]);
        for (age, is_sent, is_shown, after, goes) in [
            (0, false, false, 599, false),
            (0, false, false, 600, true),
            (400, false, false, 199, false),
            (400, false, false, 200, true),
            (0, true, true, 9999, false),
            (0, true, false, 0, true),
            // The machine has a message with this picture, which is not on disk yet.
            (0, false, true, 9999, false),
        ] {
            let mut pictures = Pictures::default();
            pictures.add(IMAGE, 1, Duration::from_secs(age), now);
            if is_sent {
                let caption = Caption::try_from("").unwrap();
                pictures.mark_sent(&Body::Picture { image: IMAGE, tiny: None, caption });
            }
            assert_eq!(pictures.has_waiting(), !is_sent);
            let referred = || if is_shown { shown() } else { HashSet::new() };
            let orphans = pictures.take_orphans(referred, now + Duration::from_secs(after));
            assert_eq!(orphans.len(), usize::from(goes), "{age} {is_sent} {is_shown} {after}");
        }
    }

    #[test]
    fn so_many_and_so_many_bytes_are_held_and_no_more() {
        let now = SystemClock.moment();
        let mut pictures = Pictures::default();
        assert!(!pictures.has_space_for(ROOM_PICTURE_BYTES + 1));
        for n in 0..ROOM_PICTURES as u128 {
            assert!(pictures.has_space_for(1));
            pictures.add(ImageId(Uuid::from_u128(n)), 1, Duration::ZERO, now);
        }
        assert!(!pictures.has_space_for(0));
    }
}
