//! What handlers and members' sockets ask a room for, and how it answers.

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
use crate::room::transcript::{OldWords, places_to_read};
use crate::session::{CloseReason, EncodedFrame};

/// Where an answer goes. It is dropped if the caller has gone.
pub(crate) type Reply<T> = Sender<Result<T, RoomError>>;

/// What a member's socket can ask for.
#[derive(Debug)]
pub(crate) enum MemberRequest {
    /// To get what came after `since`, and everything from here on.
    Connect { since: Option<Seq> },
    /// To post a message.
    Post { id: ChatId, body: Body, reply_to: Option<Seq> },
    /// To take a message back.
    Retract(ChatId),
    /// To get the list of active members.
    ActiveUsers,
    /// To tell the others that the member is typing.
    Typing,
}

impl Shell {
    /// Gives an answer when everything decided so far is on disk. When the
    /// room's time is up, that is the answer.
    fn answer<T: 'static>(&mut self, answer: Result<T, RoomError>, reply: Reply<T>) {
        self.touch();
        if self.queue.is_full() {
            return drop(reply.send(Err(RoomError::Busy)));
        }
        let answer = if self.is_over() { Err(Code::GroupExpired.into()) } else { answer };
        self.when_durable(move |_, durable| drop(reply.send(durable.and(answer))));
    }

    /// Answers with the emoji of a member, who is just coming.
    pub(super) fn seat(&mut self, member: MemberId, reply: Reply<Emoji>) {
        let emoji = self.room.seat_of(member).map(|seat| seat.emoji);
        if emoji.is_ok() {
            self.presence.saw(member, self.services.clock.moment());
        }
        self.answer(emoji.map_err(RoomError::from), reply);
    }

    /// Answers with what a member sees. Text not in memory is read first.
    pub(super) fn view(&mut self, asked: Asked, reply: Reply<View>) {
        let places = places_to_read(&self.room, lines_of(&self.room, &asked));
        self.read_back(places, move |shell, old_words| {
            let view = old_words.map(|old_words| {
                shell.announce_reader(asked.member);
                View::of(shell.metadata.clone(), &shell.transcript(&old_words), asked)
            });
            shell.answer(view, reply);
        });
    }

    /// Gives a member a seat, unless they have one, and answers with what they
    /// see. The seat and the notice that they joined are one append.
    pub(super) fn come_in(&mut self, dice: u64, asked: Asked, reply: Reply<View>) {
        match self.consider(Command::Claim { member: asked.member, dice }) {
            Ok(event) => self.add_event(event, &OldWords::default(), Box::new(|_, _| {})),
            Err(RoomError::Rejected(Code::SeatedAlready)) => {}
            Err(error) => return self.answer(Err(error), reply),
        }
        self.view(asked, reply);
    }

    /// Nobody reads unseen: a member who is shown messages is announced first,
    /// even without a socket.
    fn announce_reader(&mut self, member: MemberId) {
        let Ok(seat) = self.room.seat_of(member) else { return };
        if !seat.announced {
            self.decide(Command::Look(member), &OldWords::default(), Box::new(|_, _| {}));
        }
        self.presence.saw(member, self.services.clock.moment());
    }

    /// Answers whether a member may add a picture.
    pub(super) fn may_upload(&mut self, member: MemberId, bytes: usize, reply: Reply<()>) {
        let seat = self.room.seat_of(member).map(drop).map_err(RoomError::from);
        let may = seat.and_then(|()| self.has_space(bytes));
        self.answer(may, reply);
    }

    /// Lets messages refer to a stored picture, if there is still space for it:
    /// others may have uploaded some meanwhile.
    pub(super) fn add_picture(&mut self, image: ImageId, bytes: usize, reply: Reply<()>) {
        let has_space = self.has_space(bytes);
        if has_space.is_ok() {
            self.pictures.add(image, bytes, Duration::ZERO, self.services.clock.moment());
        }
        self.answer(has_space, reply);
    }

    fn has_space(&self, bytes: usize) -> Result<(), RoomError> {
        if self.pictures.has_space_for(bytes) { Ok(()) } else { Err(Code::GroupHoldsNoMorePictures.into()) }
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
                Err(RoomError::Rejected(Code::NotAMember)) => shell.sockets.close(is_it, CloseReason::Left),
                Err(RoomError::Rejected(Code::RemovedFromGroup)) => shell.sockets.close(is_it, CloseReason::Kicked),
                Err(RoomError::Rejected(Code::GroupExpired)) => shell.sockets.close(is_it, CloseReason::Expired),
                // The client connects again.
                Err(_) => drop(shell.sockets.remove(id)),
            }
            shell.broadcast_active();
        });
        self.decide(Command::Arrive(member), &OldWords::default(), arrived);
    }

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

    pub(super) fn handle_request(&mut self, socket: Uuid, request: MemberRequest) {
        let Some(member) = self.sockets.member(socket) else { return };
        match request {
            MemberRequest::Connect { since } => self.connect(socket, since),
            MemberRequest::Post { id, body, reply_to } => self.post(socket, member, id, body, reply_to),
            MemberRequest::Retract(id) => {
                let refused = move |shell: &mut Self, outcome| {
                    if let Err(error) = outcome {
                        shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), error)]);
                    }
                };
                self.decide(Command::Retract { member, id }, &OldWords::default(), Box::new(refused));
            }
            MemberRequest::ActiveUsers => {
                if self.room.seat_of(member).is_ok() {
                    let active = self.active_now();
                    self.sockets.answer(socket, [active]);
                }
            }
            MemberRequest::Typing => {
                let Ok(seat) = self.room.seat_of(member) else { return };
                if self.presence.admit_typing(seat.number, self.services.clock.moment()) {
                    self.sockets.broadcast_except(member, &frame::typing(seat.emoji));
                }
            }
        }
    }

    /// The list of active members, for one socket that asks.
    fn active_now(&mut self) -> EncodedFrame {
        let here = self.here();
        self.presence.shown_to_one(&here);
        frame::active_users(&here)
    }

    /// Lets a socket listen without a gap. What it has missed is read now. It
    /// begins to listen when that is on disk, and before anything later is.
    fn connect(&mut self, socket: Uuid, since: Option<Seq>) {
        if self.is_over() {
            return self.wake();
        }
        // What the socket has missed is held until the disk has answered: once.
        if !self.sockets.start_connecting(socket) {
            return;
        }
        let lines = since.and_then(|since| lines_missed(&self.room, since));
        let places = places_to_read(&self.room, lines.into_iter().flatten());
        self.read_back(places, move |shell, old_words| match old_words {
            Ok(old_words) => shell.resume(socket, since, &old_words),
            Err(_) => shell.disconnect(socket),
        });
    }

    fn resume(&mut self, socket: Uuid, since: Option<Seq>, old_words: &OldWords) {
        let missed = since.and_then(|since| missed(&self.transcript(old_words), since));
        let ready = frame::ready(self.room.seq(), missed.is_some());
        self.when_durable(move |shell, durable| {
            // The frames for the socket did not come to disk.
            if durable.is_err() {
                return shell.disconnect(socket);
            }
            let active = shell.active_now();
            shell.sockets.start_listening(socket);
            shell.sockets.answer(socket, missed.into_iter().flatten().chain([ready, active]));
        });
    }

    fn disconnect(&mut self, socket: Uuid) {
        self.sockets.remove(socket);
        self.broadcast_active();
    }

    fn post(&mut self, socket: Uuid, member: MemberId, id: ChatId, body: Body, reply_to: Option<Seq>) {
        let mut refuse = |code: Code| self.sockets.answer(socket, [frame::refused(Some(id.as_str()), code)]);
        let (rate, now) = (self.services.settings.sends, self.services.clock.moment());
        if self.room.seat_of(member).is_ok_and(|seat| !self.presence.admit_message(seat.number, rate, now)) {
            return refuse(Code::SendingTooFast);
        }
        // The sender may have missed the message's echo, and gets it now.
        let repeated = self.room.sent_at(member, id);
        if repeated.is_none() && !self.pictures.has_those_of(&body) {
            return refuse(Code::PictureOfOtherGroup);
        }
        let places = match repeated.and_then(|seq| self.room.line(seq)) {
            Some(line) => places_to_read(&self.room, [line].into_iter()),
            None => reply_to.into_iter().filter(|seq| self.room.lines().is_evicted(*seq)).collect(),
        };
        self.read_back(places, move |shell, old_words| {
            let transcript = old_words.as_ref().map(|old_words| shell.transcript(old_words));
            let line = repeated.and_then(|seq| shell.room.line(seq));
            let echo = transcript.ok().zip(line).map(|(transcript, line)| frame::news(&transcript, line));
            let posted: Done = Box::new(move |shell, posted| match (posted, echo) {
                (Ok(()), _) => {}
                (Err(RoomError::Rejected(Code::SentAlready)), Some(echo)) => shell.sockets.answer(socket, echo),
                (Err(error), _) => shell.sockets.answer(socket, [frame::refused(Some(id.as_str()), error)]),
            });
            match old_words {
                Ok(old_words) => shell.decide(Command::Post { member, id, body, reply_to }, &old_words, posted),
                Err(error) => posted(shell, Err(error)),
            }
        });
    }
}
