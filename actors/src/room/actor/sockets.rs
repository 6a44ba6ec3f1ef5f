//! Members' sockets: who hears, and what they say.

use annon_store::room::ChatId;

use super::*;
use crate::session::{Outbox, Text};

/// Frames kept for somebody who was away; past that they load the room anew.
const RESUMES: usize = 500;
/// How often one seat's typing is passed on.
const TYPING_EVERY: Duration = Duration::from_secs(2);
/// Sockets one seat may have open; the oldest makes room.
const SOCKETS_PER_SEAT: usize = 4;

/// One member's connection.
pub(super) struct Socket {
    member: MemberId,
    pub(super) outbox: Outbox,
    /// Its place in the order of coming.
    entry: u64,
    /// Whether it has said `event.connect` and hears what happens.
    listens: bool,
}

/// A socket is there.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Enter {
    pub(crate) socket: Uuid,
    pub(crate) member: MemberId,
    pub(crate) outbox: Outbox,
}

/// A socket is gone.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Exit(pub(crate) Uuid);

/// A socket said something.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Heard {
    pub(crate) socket: Uuid,
    pub(crate) said: Said,
}

/// What a socket can say.
#[derive(Debug)]
pub(crate) enum Said {
    /// I'm here, and this is the last I've seen.
    Connect { since: Option<Seq> },
    /// A message.
    Post { id: ChatId, body: Body, reply_to: Option<Seq> },
    /// Take that back.
    Unsend(ChatId),
    /// Who is here?
    ActiveUsers,
    /// I'm typing.
    Typing,
}

impl RoomActor {
    /// Shows frames to everybody who listens.
    pub(super) fn show(&mut self, frames: Vec<Text>) {
        if frames.is_empty() {
            return;
        }
        self.sockets.retain(|_, socket| !socket.listens || socket.outbox.push_all(frames.clone()).is_continue());
    }

    /// Shows everybody who is connected.
    pub(super) fn show_active(&mut self) {
        let frame = self.active();
        self.show(vec![frame]);
    }

    fn active(&self) -> Text {
        let here: HashSet<_> = self.sockets.values().map(|socket| socket.member).collect();
        frame::active_users(self.room.seats().iter().filter(|seat| here.contains(&seat.member)).map(|seat| seat.face))
    }

    /// Ends every socket of somebody whose seat is gone.
    pub(super) fn send_away(&mut self, _: SeatNumber, reason: &'static str, why: Goodbye) {
        let room = &self.room;
        let gone = self.sockets.extract_if(|_, socket| room.seat_of(socket.member).is_err());
        gone.for_each(|(_, socket)| socket.outbox.close(reason, why));
    }

    fn answer(&mut self, socket: Uuid, frames: Vec<Text>) {
        if let Some(it) = self.sockets.get(&socket)
            && it.outbox.push_all(frames).is_break()
        {
            self.sockets.remove(&socket);
        }
    }

    /// From here on this socket misses nothing: what it has missed is read
    /// and its listening begins in one turn.
    fn connect(&mut self, socket: Uuid, since: Option<Seq>) {
        let id = self.card.id;
        let missed: Option<Vec<Text>> = since.and_then(|since| {
            let lines: Vec<_> = self.room.lines_after(since)?.take(RESUMES + 1).collect();
            (lines.len() <= RESUMES).then(|| lines.iter().flat_map(|line| frame::news(id, &self.room, line)).collect())
        });
        let ready = frame::ready(self.committed, missed.is_some());
        let active = self.active();
        if let Some(it) = self.sockets.get_mut(&socket) {
            it.listens = true;
        }
        self.answer(socket, missed.unwrap_or_default().into_iter().chain([ready, active]).collect());
    }

    fn post(&mut self, socket: Uuid, member: MemberId, id: ChatId, body: Body, reply_to: Option<Seq>, context: &mut Context<Self>) {
        let refuse = |why: &str| vec![frame::refused(Some(id.as_str()), why)];
        if let Ok(seat) = self.room.seat_of(member).map(|seat| seat.number)
            && !self.may_send(seat)
        {
            return self.answer(socket, refuse("You are sending too fast. Wait a moment."));
        }
        if let Body::Picture { image, tiny, .. } = &body
            && !std::iter::once(image).chain(tiny).all(|image| self.issued.contains_key(image))
        {
            return self.answer(socket, refuse("That picture is not one of this group's."));
        }
        let name = id.clone();
        let done: Done = Box::new(move |this, _, outcome| match outcome {
            Ok(_) => {}
            // Its sender missed the echo, and gets it now.
            Err(RoomError::Rejected(Rejection::Repeated(seq))) => {
                let line = this.room.message(seq).cloned();
                let echo = line.map(|line| frame::news(this.card.id, &this.room, &line)).unwrap_or_default();
                this.answer(socket, echo);
            }
            Err(error) => this.answer(socket, vec![frame::refused(Some(name.as_str()), error)]),
        });
        self.ask(Command::Post { member, id, body, reply_to }, done, context);
    }
}

impl Handler<Enter> for RoomActor {
    type Result = ();

    fn handle(&mut self, Enter { socket, member, outbox }: Enter, context: &mut Self::Context) {
        self.used_at = self.shared.clock.moment();
        let theirs = self.sockets.iter().filter(|(_, other)| other.member == member);
        let mut theirs: Vec<_> = theirs.map(|(id, other)| (other.entry, *id)).collect();
        theirs.sort_unstable();
        if theirs.len() >= SOCKETS_PER_SEAT
            && let Some(oldest) = theirs.first().and_then(|(_, oldest)| self.sockets.remove(oldest))
        {
            oldest.outbox.end(Goodbye::Replaced);
        }
        self.entries += 1;
        self.sockets.insert(socket, Socket { member, outbox, entry: self.entries, listens: false });
        let done: Done = Box::new(move |this, _, outcome| match outcome {
            Ok(_) | Err(RoomError::Rejected(Rejection::Nothing)) => this.show_active(),
            // The seat was lost between the handshake and now.
            Err(_) => {
                if let Some(socket) = this.sockets.remove(&socket) {
                    socket.outbox.close("left", Goodbye::Left);
                }
            }
        });
        self.ask(Command::Arrive(member), done, context);
    }
}

impl Handler<Exit> for RoomActor {
    type Result = ();

    fn handle(&mut self, Exit(socket): Exit, _: &mut Self::Context) {
        self.used_at = self.shared.clock.moment();
        if self.sockets.remove(&socket).is_some() {
            self.show_active();
        }
    }
}

impl Handler<Heard> for RoomActor {
    type Result = ();

    fn handle(&mut self, Heard { socket, said }: Heard, context: &mut Self::Context) {
        let Some(member) = self.sockets.get(&socket).map(|socket| socket.member) else { return };
        match said {
            Said::Connect { since } => {
                let done: Done = Box::new(move |this, _, _| this.connect(socket, since));
                // In its turn, so that what is being appended is not missed.
                self.take_turn(Ok(None), done, context);
            }
            Said::Post { id, body, reply_to } => self.post(socket, member, id, body, reply_to, context),
            Said::Unsend(id) => {
                let name = id.clone();
                let done: Done = Box::new(move |this, _, outcome| {
                    if let Err(error) = outcome {
                        this.answer(socket, vec![frame::refused(Some(name.as_str()), error)]);
                    }
                });
                self.ask(Command::Unsend { member, id }, done, context);
            }
            Said::ActiveUsers => {
                let active = self.active();
                self.answer(socket, vec![active]);
            }
            Said::Typing => {
                let Ok(seat) = self.room.seat_of(member) else { return };
                let (seat, face, now) = (seat.number, seat.face, self.shared.clock.moment());
                let before = self.typed.insert(seat, now);
                if before.is_some_and(|before| now.duration_since(before) < TYPING_EVERY) {
                    // Counted from the last one that was passed on.
                    self.typed.extend(before.map(|before| (seat, before)));
                    return;
                }
                let frame = frame::typing(face);
                self.sockets.retain(|_, other| {
                    other.member == member || !other.listens || other.outbox.push(frame.clone()).is_continue()
                });
            }
        }
    }
}
