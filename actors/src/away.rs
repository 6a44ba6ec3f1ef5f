//! What somebody has just been shown, or would be: whoever tells people while no page of theirs is open listens here.
//! Telling never waits, and what finds no place is lost.

use annon_store::account::AccountId;
use annon_store::push::{Kind, Subscriber};
use annon_store::room::RoomId;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// News that may wait to be taken up.
const WAITING: usize = 4096;

/// Something that somebody may be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct News {
    pub to: Subscriber,
    pub kind: Kind,
    /// The group in which it is.
    pub room: Option<RoomId>,
    /// Whether they are shown it only with the next batch, if at all.
    pub with_batch: bool,
}

/// Where news goes; nowhere by default.
#[derive(Clone, Default)]
pub struct Away(Option<Sender<News>>);

impl Away {
    /// With whoever listens.
    pub fn heard() -> (Self, Receiver<News>) {
        let (sender, receiver) = channel(WAITING);
        (Self(Some(sender)), receiver)
    }

    pub(crate) fn tell(&self, to: Subscriber, kind: Kind) {
        self.say(News { to, kind, room: None, with_batch: false });
    }

    /// Tells a group's creator of something in it.
    pub(crate) fn tell_of_room(&self, creator: AccountId, kind: Kind, room: RoomId) {
        self.say(News { to: Subscriber::Account(creator), kind, room: Some(room), with_batch: false });
    }

    /// Tells of a note that nobody is shown now. It may wait for its batch, or never be shown.
    pub(crate) fn tell_with_batch(&self, to: Subscriber) {
        self.say(News { to, kind: Kind::Note, room: None, with_batch: true });
    }

    fn say(&self, news: News) {
        if let Some(listener) = &self.0 {
            let _ = listener.try_send(news);
        }
    }
}
