//! What handlers and members' sockets ask a room for: what each leads to, and how
//! it is answered when that is on disk.

use std::time::Duration;

use actix::Context;
use annon_contract::code::Code;
use annon_store::image::ImageId;
use annon_store::room::{Emoji, MemberId};
use tokio::sync::oneshot::Sender;
use uuid::Uuid;

use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::frame::knocks::Knocks;
use crate::room::lines::pictures_of;
use crate::room::page::{Asked, View, lines_of};
use crate::room::shell::Shell;
use crate::room::shell::knocks::{KnockSeen, WhichKnock};
use crate::room::shell::member_requests::MemberRequest;
use crate::room::shell::sockets::Socket;
use crate::room::shell::turn::What;
use crate::room::transcript::{OldWords, places_to_read};
use crate::session::{CloseReason, EncodedFrame};

/// Where an answer goes. It is dropped if the caller has gone.
pub(crate) type Reply<T> = Sender<Result<T, RoomError>>;

/// What somebody asks for.
pub(crate) enum Request {
    /// Decide this command.
    Decide(Command, Reply<()>),
    /// Which emoji does this member have?
    Seat(MemberId, Reply<Emoji>),
    /// What does somebody see who opens the room?
    Look(Asked, Reply<View>),
    /// Give the member a seat, unless they have one: what do they see? The command asks for
    /// the seat.
    ComeIn(Command, Asked, Reply<View>),
    /// How does this knock stand?
    Knock(WhichKnock, Reply<KnockSeen>),
    /// Who waits at the door?
    Knocks(Reply<Knocks>),
    /// May this member add a picture of this many bytes?
    MayUpload(MemberId, usize, Reply<()>),
    /// This picture of this many bytes is stored.
    AddPicture(ImageId, usize, Reply<()>),
    FromSocket(Uuid, MemberRequest),
    /// The room's own timer: what is due?
    Wake,
}

impl Request {
    /// Whether the answer depends on which pictures the room has.
    pub(super) fn is_about_pictures(&self) -> bool {
        match self {
            Self::MayUpload(..) | Self::AddPicture(..) => true,
            Self::FromSocket(_, MemberRequest::Post { body, .. }) => pictures_of(body).next().is_some(),
            Self::Decide(..)
            | Self::Seat(..)
            | Self::Look(..)
            | Self::ComeIn(..)
            | Self::Knock(..)
            | Self::Knocks(..)
            | Self::FromSocket(..)
            | Self::Wake => false,
        }
    }
}

/// What an answer holds, as it was when the request was decided.
pub(super) enum Ready {
    Nothing,
    View(Box<View>),
    Knock(Box<KnockSeen>),
    Knocks(Box<Knocks>),
    Frames(Vec<EncodedFrame>),
}

impl Shell {
    /// A request has come. It waits behind those that are asked again.
    pub(super) fn receive(&mut self, request: Request, context: &mut Context<Self>) {
        if let Request::FromSocket(socket, asked) = &request
            && asked.is_limited()
            && !self.admits_message(*socket)
        {
            return self.sockets.answer(*socket, [frame::refused(asked.id(), Code::SendingTooFast)]);
        }
        if self.backlog.is_empty() { self.ask(request, context) } else { self.backlog.push_back(request) }
    }

    /// Decides what follows from a request. Whoever asked is answered when
    /// everything decided so far is on disk.
    pub(super) fn ask(&mut self, request: Request, context: &mut Context<Self>) {
        match request {
            Request::Decide(ref command, _) => {
                let decided = self.decide(command.clone(), &OldWords::default());
                self.conclude(request, decided, Ready::Nothing, context);
            }
            Request::Seat(member, _) => {
                let seat = self.room.seat_of(member).map(drop);
                if seat.is_ok() {
                    self.presence.saw(member, self.services.clock.moment());
                }
                self.answer_later(request, seat.map_err(RoomError::from), context);
            }
            Request::Look(asked, _) => self.view(asked, request, context),
            Request::ComeIn(ref claim, asked, _) => self.come_in(claim.clone(), asked, request, context),
            Request::Knock(which, _) => self.look_at_knock(which, request, context),
            Request::Knocks(_) => self.list_knocks(request, context),
            Request::MayUpload(member, bytes, _) => {
                let seat = self.room.seat_of(member).map(drop).map_err(RoomError::from);
                let may = seat.and_then(|()| self.has_space(bytes));
                self.answer_later(request, may, context);
            }
            Request::AddPicture(image, bytes, _) => {
                // Others may have uploaded some meanwhile.
                let has_space = self.has_space(bytes);
                if has_space.is_ok() {
                    self.pictures.add(image, bytes, Duration::ZERO, self.services.clock.moment());
                }
                self.answer_later(request, has_space, context);
            }
            Request::FromSocket(socket, ref asked) => {
                let Some(member) = self.sockets.member(socket) else { return };
                match asked {
                    MemberRequest::Arrive => {
                        let decided = self.decide(Command::Arrive(member), &OldWords::default());
                        self.conclude(request, decided, Ready::Nothing, context);
                    }
                    MemberRequest::Connect { since } => self.connect(socket, *since, context),
                    MemberRequest::Post { .. } => self.post(member, request, context),
                    MemberRequest::Retract(id) => {
                        let decided = self.decide(Command::Retract { member, id: *id }, &OldWords::default());
                        self.conclude(request, decided, Ready::Nothing, context);
                    }
                    &MemberRequest::React { message, sign, on, .. } => {
                        self.react(Command::React { member, message, sign, on }, message, request, context);
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
                            if let Some(others) = &self.others {
                                others.say_typing(member);
                            }
                        }
                    }
                }
            }
            Request::Wake => {
                let decided = self.decide(Command::Wake, &OldWords::default());
                self.conclude(request, decided, Ready::Nothing, context);
            }
        }
    }

    /// Answers a request that decides nothing, when everything decided so far is
    /// on disk. When the room's time is up, that is the answer.
    fn answer_later(&mut self, request: Request, outcome: Result<(), RoomError>, context: &mut Context<Self>) {
        self.answer_with(request, outcome.map(|()| Ready::Nothing), context);
    }

    pub(super) fn answer_with(
        &mut self,
        request: Request,
        outcome: Result<Ready, RoomError>,
        context: &mut Context<Self>,
    ) {
        self.touch();
        let (decided, ready) = match outcome {
            _ if self.queue.is_full() => (Err(RoomError::Busy), Ready::Nothing),
            _ if self.is_over() => (Err(Code::GroupExpired.into()), Ready::Nothing),
            Ok(ready) => (Ok(What::Nothing), ready),
            Err(error) => (Err(error), Ready::Nothing),
        };
        self.conclude(request, decided, ready, context);
    }

    /// Gives an answer: what it rests on is on disk.
    pub(super) fn answer(&mut self, request: Option<Request>, outcome: Result<Ready, RoomError>) {
        // Whoever doesn't wait any more has dropped the other end.
        match request {
            None => {}
            Some(Request::Decide(_, reply) | Request::MayUpload(_, _, reply) | Request::AddPicture(_, _, reply)) => {
                let _ = reply.send(outcome.map(|_| ()));
            }
            Some(Request::Seat(member, reply)) => {
                let emoji = self.room.seat_of(member).map(|seat| seat.emoji);
                let _ = reply.send(outcome.and(emoji.map_err(RoomError::from)));
            }
            Some(Request::Look(_, reply) | Request::ComeIn(_, _, reply)) => {
                let view = outcome.and_then(|ready| match ready {
                    Ready::View(view) => Ok(*view),
                    _ => Err(RoomError::Interrupted),
                });
                let _ = reply.send(view);
            }
            Some(Request::Knock(_, reply)) => {
                let seen = outcome.and_then(|ready| match ready {
                    Ready::Knock(seen) => Ok(*seen),
                    _ => Err(RoomError::Interrupted),
                });
                let _ = reply.send(seen);
            }
            Some(Request::Knocks(reply)) => {
                let knocks = outcome.and_then(|ready| match ready {
                    Ready::Knocks(knocks) => Ok(*knocks),
                    _ => Err(RoomError::Interrupted),
                });
                let _ = reply.send(knocks);
            }
            Some(Request::FromSocket(socket, request)) => self.answer_socket(socket, &request, outcome),
            Some(Request::Wake) => self.wakes = false,
        }
    }

    fn answer_socket(&mut self, socket: Uuid, request: &MemberRequest, outcome: Result<Ready, RoomError>) {
        match (request, outcome) {
            (MemberRequest::Arrive, arrived) => {
                let is_it = |other, _| other == socket;
                match arrived {
                    Ok(_) => {}
                    // The seat was lost between the handshake and now.
                    Err(RoomError::Rejected(Code::NotAMember)) => self.sockets.close(is_it, CloseReason::Left),
                    Err(RoomError::Rejected(Code::RemovedFromGroup)) => self.sockets.close(is_it, CloseReason::Kicked),
                    Err(RoomError::Rejected(Code::GroupExpired)) => self.sockets.close(is_it, CloseReason::Expired),
                    // The client connects again.
                    Err(_) => drop(self.sockets.remove(socket)),
                }
                self.broadcast_active();
            }
            (MemberRequest::Connect { .. }, Ok(Ready::Frames(missed))) => {
                let active = self.active_now();
                self.sockets.start_listening(socket);
                self.sockets.answer(socket, missed.into_iter().chain([active]));
            }
            // The frames for the socket did not come to disk.
            (MemberRequest::Connect { .. }, _) => self.disconnect(socket),
            // The sender had missed the echo of the message or the reaction.
            (MemberRequest::Post { .. } | MemberRequest::React { .. }, Ok(Ready::Frames(echo))) => {
                self.sockets.answer(socket, echo);
            }
            (MemberRequest::Post { .. } | MemberRequest::Retract(_) | MemberRequest::React { .. }, Err(error)) => {
                self.sockets.answer(socket, [frame::refused(request.id(), error)]);
            }
            (MemberRequest::Post { .. } | MemberRequest::Retract(_) | MemberRequest::React { .. }, Ok(_)) => {}
            (MemberRequest::ActiveUsers | MemberRequest::Typing, _) => {}
        }
    }

    /// What a member sees. Text not in memory is read first.
    fn view(&mut self, asked: Asked, request: Request, context: &mut Context<Self>) {
        let places = places_to_read(&self.room, lines_of(&self.room, &asked));
        self.with_words(places, context, move |shell, old_words, context| {
            let view = old_words.map(|old_words| {
                shell.announce_reader(asked.member);
                View::of(shell.metadata.clone(), &shell.transcript(&old_words), asked)
            });
            shell.answer_with(request, view.map(|view| Ready::View(Box::new(view))), context);
        });
    }

    /// Gives a member a seat, unless they have one, and answers with what they
    /// see. The seat and the notice that they joined are one append.
    fn come_in(&mut self, claim: Command, asked: Asked, request: Request, context: &mut Context<Self>) {
        match self.decide(claim, &OldWords::default()) {
            Ok(What::Event(claimed)) => self.push(claimed, None, Ready::Nothing),
            Ok(_) => {}
            refused => return self.conclude(request, refused, Ready::Nothing, context),
        }
        self.view(asked, request, context);
    }

    /// Nobody reads unseen: a member who is shown messages is announced first,
    /// even without a socket.
    fn announce_reader(&mut self, member: MemberId) {
        let Ok(seat) = self.room.seat_of(member) else { return };
        if !seat.announced
            && let Ok(What::Event(viewed)) = self.decide(Command::Look(member), &OldWords::default())
        {
            self.push(viewed, None, Ready::Nothing);
        }
        self.presence.saw(member, self.services.clock.moment());
    }

    fn has_space(&self, bytes: usize) -> Result<(), RoomError> {
        if self.pictures.has_space_for(bytes) { Ok(()) } else { Err(Code::GroupHoldsNoMorePictures.into()) }
    }

    pub(super) fn enter(&mut self, id: Uuid, socket: Socket, context: &mut Context<Self>) {
        self.touch();
        let (member, is_first) = (socket.member, self.sockets.is_empty());
        self.presence.saw(member, self.services.clock.moment());
        self.sockets.enter(id, socket);
        if is_first {
            self.count_again();
        }
        self.receive(Request::FromSocket(id, MemberRequest::Arrive), context);
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

    pub(super) fn disconnect(&mut self, socket: Uuid) {
        self.sockets.remove(socket);
        self.broadcast_active();
    }

    /// The list of active members, for one socket that asks.
    fn active_now(&mut self) -> EncodedFrame {
        let here = self.here();
        self.presence.shown_to_one(&here);
        frame::active_users(&here)
    }
}
