//! What handlers ask a room, and what it answers.

use std::time::Duration;

use annon_store::image::ImageId;
use annon_store::room::{Emoji, Ending, MemberId, RoomEvent};
use tokio::sync::oneshot::Sender;

use crate::room::command::{Command, Rejection};
use crate::room::error::RoomError;
use crate::room::page::{Asked, View, lines_of};
use crate::room::shell::Shell;
use crate::room::transcript::{Recalled, unread};

/// Where an answer goes.
pub(super) type Reply<T> = Sender<Result<T, RoomError>>;

/// Gives an answer when everything it depends on is on disk, unless the room's
/// time is up.
fn answer<T: 'static>(shell: &mut Shell, answer: Result<T, RoomError>, reply: Reply<T>) {
    shell.touch();
    // Nobody listens to a reply who has turned away.
    if shell.ledger.queue.is_full() {
        return drop(reply.send(Err(RoomError::Busy)));
    }
    let answer = if shell.ledger.is_over() { Err(Rejection::Ended(Ending::Expired).into()) } else { answer };
    shell.ledger.when_durable(move |_, durable| drop(reply.send(durable.and(answer))));
}

/// Decides something.
pub(super) fn decide(shell: &mut Shell, command: Command, reply: Reply<RoomEvent>) {
    let decided = Box::new(move |_: &mut Shell, outcome| drop(reply.send(outcome)));
    shell.decide(command, &Recalled::default(), decided);
}

pub(super) fn seat(shell: &mut Shell, member: MemberId, reply: Reply<Emoji>) {
    let emoji = shell.ledger.room().seat_of(member).map(|seat| seat.emoji);
    if emoji.is_ok() {
        shell.presence.saw(member, shell.services.clock.moment());
    }
    answer(shell, emoji.map_err(RoomError::from), reply);
}

/// What a member sees. What has left memory is read first.
pub(super) fn view(shell: &mut Shell, asked: Asked, reply: Reply<View>) {
    let room = shell.ledger.room();
    let places = unread(room, lines_of(room, &asked));
    shell.recall(places, move |shell, recalled| {
        let view = recalled.map(|recalled| {
            announce(shell, asked.member);
            View::of(shell.ledger.card().clone(), &shell.ledger.transcript(&recalled), asked)
        });
        answer(shell, view, reply);
    });
}

/// Nobody reads unseen: a member who is shown messages is announced first, even
/// without a socket.
fn announce(shell: &mut Shell, member: MemberId) {
    let Ok(seat) = shell.ledger.room().seat_of(member) else { return };
    if !seat.announced {
        shell.decide(Command::Look(member), &Recalled::default(), Box::new(|_, _| {}));
    }
    shell.presence.saw(member, shell.services.clock.moment());
}

/// Whether a member may add a picture.
pub(super) fn may_upload(shell: &mut Shell, member: MemberId, bytes: usize, reply: Reply<()>) {
    let seat = shell.ledger.room().seat_of(member).map(drop).map_err(RoomError::from);
    let may = seat.and_then(|()| has_place(shell, bytes));
    answer(shell, may, reply);
}

/// A picture is stored. Others may have uploaded some meanwhile.
pub(super) fn issue(shell: &mut Shell, image: ImageId, bytes: usize, reply: Reply<()>) {
    let has_place = has_place(shell, bytes);
    if has_place.is_ok() {
        shell.pictures.add(image, bytes, Duration::ZERO, shell.services.clock.moment());
    }
    answer(shell, has_place, reply);
}

fn has_place(shell: &Shell, bytes: usize) -> Result<(), RoomError> {
    if shell.pictures.hold_another(bytes) { Ok(()) } else { Err(RoomError::TooManyPictures) }
}
