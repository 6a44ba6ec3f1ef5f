//! What somebody has just been shown, or would be: whoever tells people while no page of theirs is open listens here.
//! Telling never waits, and what finds no place is lost.

use annon_store::account::AccountId;
use annon_store::push::{Kind, Subscriber};
use annon_store::room::{MemberId, RoomId};
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
    /// Whether they are told of nothing any more, because their seat is gone.
    pub is_over: bool,
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
        self.say(News { to, kind, room: None, with_batch: false, is_over: false });
    }

    /// Tells a group's creator of something in it.
    pub(crate) fn tell_of_room(&self, creator: AccountId, kind: Kind, room: RoomId) {
        self.say(News { to: Subscriber::Account(creator), kind, room: Some(room), with_batch: false, is_over: false });
    }

    /// Tells whoever has a seat that the group is talking.
    pub(crate) fn tell_seat(&self, owner: AccountId, room: RoomId, member: MemberId) {
        let to = Subscriber::Seat { owner, room, member };
        self.say(News { to, kind: Kind::Group, room: Some(room), with_batch: false, is_over: false });
    }

    /// A seat is gone, and with it what its browsers were told.
    pub(crate) fn seat_is_gone(&self, owner: AccountId, room: RoomId, member: MemberId) {
        let to = Subscriber::Seat { owner, room, member };
        self.say(News { to, kind: Kind::Group, room: Some(room), with_batch: false, is_over: true });
    }

    /// Tells of a note that nobody is shown now. It may wait for its batch, or never be shown.
    pub(crate) fn tell_with_batch(&self, to: Subscriber) {
        self.say(News { to, kind: Kind::Note, room: None, with_batch: true, is_over: false });
    }

    fn say(&self, news: News) {
        if let Some(listener) = &self.0 {
            let _ = listener.try_send(news);
        }
    }
}
