//! What members' sockets ask a room for.

use actix::Context;
use annon_contract::code::Code;
use annon_store::room::{Body, ChatId, MemberId, Seq, Sign};
use uuid::Uuid;

use crate::room::command::Command;
use crate::room::frame;
use crate::room::page::{lines_missed, missed};
use crate::room::shell::Shell;
use crate::room::shell::requests::{Ready, Request};
use crate::room::shell::turn::{Turn, What};
use crate::room::transcript::{OldWords, places_to_read};

/// What a member's socket can ask for.
#[derive(Debug)]
pub(crate) enum MemberRequest {
    /// To be noted as here: the socket is open.
    Arrive,
    /// To get what came after `since`, and everything from here on.
    Connect { since: Option<Seq> },
    /// To post a message.
    Post { id: ChatId, body: Body, reply_to: Option<Seq> },
    /// To take a message back.
    Retract(ChatId),
    /// To react to a message, or to take a reaction back. The id is for a refusal.
    React { id: Option<ChatId>, message: Seq, sign: Sign, on: bool },
    /// To get the list of active members.
    ActiveUsers,
    /// To tell the others that the member is typing.
    Typing,
}

impl MemberRequest {
    /// The id that a refusal names.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Self::Post { id, .. } | Self::Retract(id) => Some(id.as_str()),
            Self::React { id, .. } => id.as_ref().map(ChatId::as_str),
            Self::Arrive | Self::Connect { .. } | Self::ActiveUsers | Self::Typing => None,
        }
    }

    /// Whether it counts for how fast a member may send.
    pub(super) fn is_limited(&self) -> bool {
        matches!(self, Self::Post { .. } | Self::React { .. })
    }
}

impl Shell {
    /// Lets a socket listen without a gap. What it has missed is read now. It
    /// begins to listen when that is on disk, and before anything later is.
    pub(super) fn connect(&mut self, socket: Uuid, since: Option<Seq>, context: &mut Context<Self>) {
        let request = Request::FromSocket(socket, MemberRequest::Connect { since });
        if self.is_over() {
            return self.wake(context);
        }
        // The client has seen more than this room knows, if others write, too.
        if since.is_some_and(|since| since > self.room.seq()) && self.may_be_stale() {
            return self.refresh(request, context);
        }
        // What the socket has missed is held until the disk has answered: once.
        if !self.sockets.start_connecting(socket) {
            return;
        }
        let lines = since.and_then(|since| lines_missed(&self.room, since));
        let places = places_to_read(&self.room, lines.into_iter().flatten());
        self.with_words(places, context, move |shell, old_words, _| {
            let Ok(old_words) = old_words else { return shell.disconnect(socket) };
            let missed = since.and_then(|since| missed(&shell.transcript(&old_words), since));
            let ready = frame::ready(shell.room.seq(), missed.is_some());
            let frames = missed.into_iter().flatten().chain([ready]).collect();
            let (request, outcome) = (Some(request), Ok(Ready::Frames(frames)));
            shell.queue.wait(Turn { what: What::Nothing, request, outcome });
        });
    }

    pub(super) fn react(&mut self, command: Command, message: Seq, request: Request, context: &mut Context<Self>) {
        let decided = self.decide(command, &OldWords::default());
        // Who asks for what is there already may have missed that, and gets it now.
        let ready = match decided {
            Ok(What::Nothing) => {
                Ready::Frames(vec![frame::reactions::as_they_are(&self.room, message, self.room.seq())])
            }
            _ => Ready::Nothing,
        };
        self.conclude(request, decided, ready, context);
    }

    pub(super) fn admits_message(&mut self, socket: Uuid) -> bool {
        let (rate, now) = (self.services.settings.sends, self.services.clock.moment());
        let seat = self.sockets.member(socket).and_then(|member| self.room.seat_of(member).ok());
        seat.is_none_or(|seat| self.presence.admit_message(seat.number, rate, now))
    }

    pub(super) fn post(&mut self, member: MemberId, request: Request, context: &mut Context<Self>) {
        let Request::FromSocket(_, MemberRequest::Post { id, ref body, reply_to }) = request else { return };
        // The sender may have missed the message's echo, and gets it now.
        let repeated = self.room.sent_at(member, id);
        if repeated.is_none() && !self.has_pictures_of(body) {
            return self.conclude(request, Err(Code::PictureOfOtherGroup.into()), Ready::Nothing, context);
        }
        let places = match repeated.and_then(|seq| self.room.line(seq)) {
            Some(line) => places_to_read(&self.room, [line].into_iter()),
            None => reply_to.into_iter().filter(|seq| self.room.lines().is_evicted(*seq)).collect(),
        };
        let command = Command::Post { member, id, body: body.clone(), reply_to };
        self.with_words(places, context, move |shell, old_words, context| {
            let old_words = match old_words {
                Ok(old_words) => old_words,
                Err(error) => return shell.answer(Some(request), Err(error)),
            };
            let line = repeated.and_then(|seq| shell.room.line(seq));
            let echo = line.map(|line| frame::news(&shell.transcript(&old_words), line));
            let decided = shell.decide(command, &old_words);
            shell.conclude(request, decided, echo.map_or(Ready::Nothing, Ready::Frames), context);
        });
    }
}
