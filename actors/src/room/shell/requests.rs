//! What handlers ask a room, what a member's socket says, and what comes of it.

use std::time::Duration;

use annon_contract::code::Code;
use annon_store::image::ImageId;
use annon_store::room::{Body, ChatId, Emoji, MemberId, Seq};
use tokio::sync::oneshot::Sender;
use uuid::Uuid;

use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::page::{Asked, View, lines_missed, lines_of, missed};
use crate::room::shell::sockets::Socket;
use crate::room::shell::{Done, Shell};
use crate::room::transcript::{Recalled, unread};
use crate::session::{EncodedFrame, Goodbye};

/// Where an answer goes. Nobody listens to one who has turned away.
pub(crate) type Reply<T> = Sender<Result<T, RoomError>>;

/// What a socket can say.
#[derive(Debug)]
pub(crate) enum MemberRequest {
    /// I'm here, and this is the last I've seen.
    Connect { since: Option<Seq> },
    /// A message.
    Post { id: ChatId, body: Body, reply_to: Option<Seq> },
    /// Take that back.
    Unsend(ChatId),
    /// A request for the active members.
    ActiveUsers,
    /// I'm typing.
    Typing,
}

impl Shell {
    /// Gives an answer when everything it depends on is on disk, unless the
    /// room's time is up.
    fn answer<T: 'static>(&mut self, answer: Result<T, RoomError>, reply: Reply<T>) {
        self.touch();
        if self.queue.is_full() {
            return drop(reply.send(Err(RoomError::Busy)));
        }
        let answer = if self.is_over() { Err(Code::GroupExpired.into()) } else { answer };
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
            Err(RoomError::Rejected(Code::SeatedAlready)) => {}
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
        if self.pictures.hold_another(bytes) { Ok(()) } else { Err(Code::GroupHoldsNoMorePictures.into()) }
    }

    pub(super) fn enter(&mut self, id: Uuid, socket: Socket) {
        self.touch();
        let (member, is_first) = (socket.member, self.sockets.is_empty());
        self.presence.saw(member, self.services.clock.moment());
        self.sockets.enter(id, socket);
        if is_first {
            self.count_again();
        }
        let is_it = move |socket, _| socket == id;
        let arrived = Box::new(move |shell: &mut Self, arrived| {
            match arrived {
                Ok(()) | Err(RoomError::Rejected(Code::NothingToDo)) => {}
                // The seat was lost between the handshake and now.
                Err(RoomError::Rejected(Code::NotAMember)) => shell.sockets.close(is_it, Goodbye::Left),
                Err(RoomError::Rejected(Code::RemovedFromGroup)) => shell.sockets.close(is_it, Goodbye::Kicked),
                Err(RoomError::Rejected(Code::GroupExpired)) => shell.sockets.close(is_it, Goodbye::Expired),
                // The client connects again.
                Err(_) => drop(shell.sockets.remove(id)),
            }
            shell.broadcast_active();
        });
        self.decide(Command::Arrive(member), &Recalled::default(), arrived);
    }

    /// A socket is gone.
    pub(super) fn exit(&mut self, socket: Uuid) {
        self.touch();
        if let Some(gone) = self.sockets.remove(socket) {
            self.presence.saw(gone, self.services.clock.moment());
            self.broadcast_active();
            if self.sockets.is_empty() {
                self.count_again();
            }
        }
    }

    /// A socket said something.
    pub(super) fn hear(&mut self, socket: Uuid, request: MemberRequest) {
        let Some(member) = self.sockets.member(socket) else { return };
        match request {
            MemberRequest::Connect { since } => self.connect(socket, since),
            MemberRequest::Post { id, body, reply_to } => self.post(socket, member, id, body, reply_to),
            MemberRequest::Unsend(id) => {
                let refused = move |shell: &mut Self, outcome| {
                    if let Err(error) = outcome {
                        shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), error)]);
                    }
                };
                self.decide(Command::Unsend { member, id }, &Recalled::default(), Box::new(refused));
            }
            MemberRequest::ActiveUsers => {
                if self.room.seat_of(member).is_ok() {
                    let active = self.active_now();
                    self.sockets.answer(socket, [active]);
                }
            }
            MemberRequest::Typing => {
                let Ok(seat) = self.room.seat_of(member) else { return };
                if self.presence.may_type(seat.number, self.services.clock.moment()) {
                    self.sockets.broadcast_except(member, &frame::typing(seat.emoji));
                }
            }
        }
    }

    /// The list of active members, for one who asks.
    fn active_now(&mut self) -> EncodedFrame {
        let here = self.here();
        self.presence.shows_one(&here);
        frame::active_users(&here)
    }

    /// A socket misses nothing. What it has missed is read now. It begins to
    /// listen when all of that is on disk, and before anything later is.
    fn connect(&mut self, socket: Uuid, since: Option<Seq>) {
        if self.is_over() {
            return self.wake();
        }
        // What it has missed is held until the disk has answered: once.
        if !self.sockets.connects(socket) {
            return;
        }
        let lines = since.and_then(|since| lines_missed(&self.room, since));
        let places = unread(&self.room, lines.into_iter().flatten());
        self.recall(places, move |shell, recalled| match recalled {
            Ok(recalled) => shell.resume(socket, since, &recalled),
            Err(_) => shell.come_again(socket),
        });
    }

    fn resume(&mut self, socket: Uuid, since: Option<Seq>, recalled: &Recalled) {
        let missed = since.and_then(|since| missed(&self.transcript(recalled), since));
        let ready = frame::ready(self.room.seq(), missed.is_some());
        self.when_durable(move |shell, durable| {
            // Nothing came to disk that the socket could be sent.
            if durable.is_err() {
                return shell.come_again(socket);
            }
            let active = shell.active_now();
            shell.sockets.listens(socket);
            shell.sockets.answer(socket, missed.into_iter().flatten().chain([ready, active]));
        });
    }

    fn come_again(&mut self, socket: Uuid) {
        self.sockets.remove(socket);
        self.broadcast_active();
    }

    fn post(&mut self, socket: Uuid, member: MemberId, id: ChatId, body: Body, reply_to: Option<Seq>) {
        let mut refuse = |code: Code| self.sockets.answer(socket, [frame::refused(Some(id.as_str()), code)]);
        let (rate, now) = (self.services.settings.sends, self.services.clock.moment());
        if self.room.seat_of(member).is_ok_and(|seat| !self.presence.may_send(seat.number, rate, now)) {
            return refuse(Code::SendingTooFast);
        }
        // Its sender may have missed the echo, and gets it now.
        let repeated = self.room.sent_at(member, id);
        if repeated.is_none() && !self.pictures.has_those_of(&body) {
            return refuse(Code::PictureOfOtherGroup);
        }
        let places = match repeated.and_then(|seq| self.room.line(seq)) {
            Some(line) => unread(&self.room, [line].into_iter()),
            None => reply_to.into_iter().filter(|seq| self.room.lines().is_resting(*seq)).collect(),
        };
        self.recall(places, move |shell, recalled| {
            let transcript = recalled.as_ref().map(|recalled| shell.transcript(recalled));
            let line = repeated.and_then(|seq| shell.room.line(seq));
            let echo = transcript.ok().zip(line).map(|(transcript, line)| frame::news(&transcript, line));
            let posted: Done = Box::new(move |shell, posted| match (posted, echo) {
                (Ok(()), _) => {}
                (Err(RoomError::Rejected(Code::SentAlready)), Some(echo)) => shell.sockets.answer(socket, echo),
                (Err(error), _) => shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), error)]),
            });
            match recalled {
                Ok(recalled) => shell.decide(Command::Post { member, id, body, reply_to }, &recalled, posted),
                Err(error) => posted(shell, Err(error)),
            }
        });
    }
}
