//! What a member's socket says, and what comes of it.

use annon_contract::code::Code;
use annon_store::room::{Body, ChatId, Ending, MemberId, Seq};
use uuid::Uuid;

use crate::room::command::{Command, Rejection};
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::page::{lines_missed, missed};
use crate::room::shell::chores;
use crate::room::shell::sockets::Socket;
use crate::room::shell::{Done, Shell};
use crate::room::transcript::{Recalled, unread};
use crate::session::{EncodedFrame, Goodbye};

/// What a socket can say.
#[derive(Debug)]
pub(crate) enum MemberRequest {
    /// I'm here, and this is the last I've seen.
    Connect { since: Option<Seq> },
    /// A message.
    Post(Post),
    /// Take that back.
    Unsend(ChatId),
    /// A request for the active members.
    ActiveUsers,
    /// I'm typing.
    Typing,
}

/// A message.
#[derive(Debug)]
pub(crate) struct Post {
    pub(crate) id: ChatId,
    pub(crate) body: Body,
    pub(crate) reply_to: Option<Seq>,
}

pub(super) fn enter(shell: &mut Shell, id: Uuid, socket: Socket) {
    shell.touch();
    let (member, is_first) = (socket.member(), shell.sockets.is_empty());
    shell.presence.saw(member, shell.services.clock.moment());
    shell.sockets.enter(id, socket);
    if is_first {
        shell.count_again();
    }
    let arrived = Box::new(move |shell: &mut Shell, arrived| {
        match arrived {
            Ok(_) | Err(RoomError::Rejected(Rejection::Nothing)) => {}
            // The seat was lost between the handshake and now.
            Err(RoomError::Rejected(Rejection::NoSeat)) => shell.sockets.close(id, Goodbye::Left),
            Err(RoomError::Rejected(Rejection::KickedOut)) => shell.sockets.close(id, Goodbye::Kicked),
            Err(RoomError::Rejected(Rejection::Ended(Ending::Expired))) => shell.sockets.close(id, Goodbye::Expired),
            Err(RoomError::Rejected(Rejection::Ended(Ending::Deleted))) => shell.sockets.close(id, Goodbye::Deleted),
            // The client connects again.
            Err(_) => drop(shell.sockets.remove(id)),
        }
        shell.broadcast_active();
    });
    shell.decide(Command::Arrive(member), &Recalled::default(), arrived);
}

/// A socket is gone.
pub(super) fn exit(shell: &mut Shell, socket: Uuid) {
    shell.touch();
    if let Some(gone) = shell.sockets.remove(socket) {
        shell.presence.saw(gone, shell.services.clock.moment());
        shell.broadcast_active();
        if shell.sockets.is_empty() {
            shell.count_again();
        }
    }
}

/// A socket said something.
pub(super) fn handle(shell: &mut Shell, socket: Uuid, request: MemberRequest) {
    let Some(member) = shell.sockets.member(socket) else { return };
    match request {
        MemberRequest::Connect { since } => connect(shell, socket, since),
        MemberRequest::Post(post) => post.handle(shell, socket, member),
        MemberRequest::Unsend(id) => {
            let refused = move |shell: &mut Shell, outcome| {
                if let Err(error) = outcome {
                    shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), error)]);
                }
            };
            shell.decide(Command::Unsend { member, id }, &Recalled::default(), Box::new(refused));
        }
        MemberRequest::ActiveUsers => {
            if shell.ledger.room().seat_of(member).is_ok() {
                let active = active_now(shell);
                shell.sockets.answer(socket, [active]);
            }
        }
        MemberRequest::Typing => {
            let Ok(seat) = shell.ledger.room().seat_of(member) else { return };
            if shell.presence.may_type(seat.number, shell.services.clock.moment()) {
                shell.sockets.broadcast_except(member, &frame::typing(seat.emoji));
            }
        }
    }
}

/// The list of active members, for one who asks.
fn active_now(shell: &mut Shell) -> EncodedFrame {
    let here = shell.here();
    shell.presence.shows_one(&here);
    frame::active_users(&here)
}

/// From some place in the log on a socket misses nothing. What it has missed is
/// read now. It begins to listen when all of that is on disk, and before
/// anything later is.
fn connect(shell: &mut Shell, socket: Uuid, since: Option<Seq>) {
    if shell.ledger.is_over() {
        return chores::wake(shell);
    }
    // What it has missed is held until the disk has answered: once.
    if !shell.sockets.connects(socket) {
        return;
    }
    let room = shell.ledger.room();
    let lines = since.and_then(|since| lines_missed(room, since));
    let places = unread(room, lines.into_iter().flatten());
    shell.recall(places, move |shell, recalled| match recalled {
        Ok(recalled) => resume(shell, socket, since, &recalled),
        Err(_) => come_again(shell, socket),
    });
}

fn resume(shell: &mut Shell, socket: Uuid, since: Option<Seq>, recalled: &Recalled) {
    let missed = since.and_then(|since| missed(&shell.ledger.transcript(recalled), since));
    let ready = frame::ready(shell.ledger.room().seq(), missed.is_some());
    shell.ledger.when_durable(move |shell: &mut Shell, durable| {
        // Nothing came to disk that the socket could be sent.
        if durable.is_err() {
            return come_again(shell, socket);
        }
        let active = active_now(shell);
        shell.sockets.listens(socket);
        shell.sockets.answer(socket, missed.into_iter().flatten().chain([ready, active]));
    });
}

fn come_again(shell: &mut Shell, socket: Uuid) {
    shell.sockets.remove(socket);
    shell.broadcast_active();
}

impl Post {
    fn handle(self, shell: &mut Shell, socket: Uuid, member: MemberId) {
        let Self { id, body, reply_to } = self;
        let room = shell.ledger.room();
        let mut refuse = |code: Code| shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), code)]);
        let (rate, now) = (shell.services.settings.sends, shell.services.clock.moment());
        if room.seat_of(member).is_ok_and(|seat| !shell.presence.may_send(seat.number, rate, now)) {
            return refuse(Code::SendingTooFast);
        }
        // Its sender may have missed the echo, and gets it now.
        let repeated = room.sent_at(member, id);
        if repeated.is_none() && !shell.pictures.has_those_of(&body) {
            return refuse(Code::PictureOfOtherGroup);
        }
        let places = match repeated.and_then(|seq| room.line(seq)) {
            Some(line) => unread(room, [line].into_iter()),
            None => reply_to.into_iter().filter(|seq| room.lines().is_resting(*seq)).collect(),
        };
        shell.recall(places, move |shell, recalled| {
            let transcript = recalled.as_ref().map(|recalled| shell.ledger.transcript(recalled));
            let line = repeated.and_then(|seq| shell.ledger.room().line(seq));
            let echo = transcript.ok().zip(line).map(|(transcript, line)| frame::news(&transcript, line));
            let posted: Done<_> = Box::new(move |shell: &mut Shell, posted| match (posted, echo) {
                (Ok(_), _) => {}
                (Err(RoomError::Rejected(Rejection::Repeated(_))), Some(echo)) => shell.sockets.answer(socket, echo),
                (Err(error), _) => shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), error)]),
            });
            match recalled {
                Ok(recalled) => shell.decide(Command::Post { member, id, body, reply_to }, &recalled, posted),
                Err(error) => posted(shell, Err(error)),
            }
        });
    }
}
