//! What handlers ask a room, and what it answers.

use std::time::Duration;

use annon_store::image::ImageId;
use annon_store::room::{Emoji, Ending, MemberId};
use tokio::sync::oneshot::Sender;

use crate::room::command::{Command, Rejection};
use crate::room::error::RoomError;
use crate::room::page::{Asked, View, lines_of};
use crate::room::shell::Shell;
use crate::room::transcript::{Recalled, unread};

/// Where an answer goes. Nobody listens to one who has turned away.
pub(crate) type Reply<T> = Sender<Result<T, RoomError>>;

impl Shell {
    /// Gives an answer when everything it depends on is on disk, unless the
    /// room's time is up.
    fn answer<T: 'static>(&mut self, answer: Result<T, RoomError>, reply: Reply<T>) {
        self.touch();
        if self.queue.is_full() {
            return drop(reply.send(Err(RoomError::Busy)));
        }
        let answer = if self.is_over() { Err(Rejection::Ended(Ending::Expired).into()) } else { answer };
        self.when_durable(move |_, durable| drop(reply.send(durable.and(answer))));
    }

    /// The emoji of a member, who is just coming.
    pub(super) fn seat(&mut self, member: MemberId, reply: Reply<Emoji>) {
        let emoji = self.room.seat_of(member).map(|seat| seat.emoji);
        if emoji.is_ok() {
            self.presence.saw(member, self.services.clock.moment());
        }
        self.answer(emoji.map_err(RoomError::from), reply);
    }

    /// What a member sees. What has left memory is read first.
    pub(super) fn view(&mut self, asked: Asked, reply: Reply<View>) {
        let places = unread(&self.room, lines_of(&self.room, &asked));
        self.recall(places, move |shell, recalled| {
            let view = recalled.map(|recalled| {
                shell.announce(asked.member);
                View::of(shell.card.clone(), &shell.transcript(&recalled), asked)
            });
            shell.answer(view, reply);
        });
    }

    /// What a member sees from a seat, which they may take just now: both come
    /// to disk together.
    pub(super) fn come_in(&mut self, dice: u64, asked: Asked, reply: Reply<View>) {
        match self.consider(Command::Claim { member: asked.member, dice }) {
            Ok(event) => self.happens(event, &Recalled::default(), Box::new(|_, _| {})),
            Err(RoomError::Rejected(Rejection::Seated(_))) => {}
            Err(error) => return self.answer(Err(error), reply),
        }
        self.view(asked, reply);
    }

    /// Nobody reads unseen: a member who is shown messages is announced first,
    /// even without a socket.
    fn announce(&mut self, member: MemberId) {
        let Ok(seat) = self.room.seat_of(member) else { return };
        if !seat.announced {
            self.decide(Command::Look(member), &Recalled::default(), Box::new(|_, _| {}));
        }
        self.presence.saw(member, self.services.clock.moment());
    }

    /// Whether a member may add a picture.
    pub(super) fn may_upload(&mut self, member: MemberId, bytes: usize, reply: Reply<()>) {
        let seat = self.room.seat_of(member).map(drop).map_err(RoomError::from);
        let may = seat.and_then(|()| self.has_place(bytes));
        self.answer(may, reply);
    }

    /// A picture is stored. Others may have uploaded some meanwhile.
    pub(super) fn issue(&mut self, image: ImageId, bytes: usize, reply: Reply<()>) {
        let has_place = self.has_place(bytes);
        if has_place.is_ok() {
            self.pictures.add(image, bytes, Duration::ZERO, self.services.clock.moment());
        }
        self.answer(has_place, reply);
    }

    fn has_place(&self, bytes: usize) -> Result<(), RoomError> {
        if self.pictures.hold_another(bytes) { Ok(()) } else { Err(RoomError::TooManyPictures) }
    }
}
