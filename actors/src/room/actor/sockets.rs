//! Members' sockets: who hears, and what they say.

use std::collections::hash_map::Entry;

use annon_contract::code::Code;
use annon_store::room::ChatId;

use super::*;
use crate::room::line::Line;

/// Frames kept for somebody who was away; past that they load the room anew.
const RESUMES: usize = 500;
/// What they may come to.
const RESUME_BYTES: usize = 128 * 1024;
/// How often one seat's typing is passed on.
const TYPING_EVERY: Duration = Duration::from_secs(2);
/// Sockets one seat may have open; the oldest makes room.
const SOCKETS_PER_SEAT: usize = 4;

/// A socket is there.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Enter(pub(crate) Uuid, pub(crate) Socket);

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
    /// A request for the active members.
    ActiveUsers,
    /// I'm typing.
    Typing,
}

impl RoomActor {
    /// Shows frames to everybody who listens, with the next flush.
    pub(super) fn show(&mut self, frames: &[Text]) {
        self.shown.extend_from_slice(frames);
        self.is_due = true;
    }

    /// Sends each socket everything that is due to it, as one.
    pub(super) fn flush(&mut self, context: &mut Context<Self>) {
        while std::mem::take(&mut self.is_due) {
            let shown = std::mem::take(&mut self.shown);
            let as_one = Text::joined(&shown);
            if self.sockets.extract_if(|_, socket| socket.flush(&shown, as_one.as_ref()).is_break()).count() > 0 {
                // The others see that somebody is gone.
                self.show_active(context);
            }
        }
    }

    /// Ends every socket of somebody whose seat is gone.
    pub(super) fn send_away(
        &mut self,
        seat: SeatNumber,
        leaver: Option<MemberId>,
        why: Goodbye,
        context: &mut Context<Self>,
    ) {
        self.sends.remove(&seat);
        self.typed.remove(&seat);
        let gone = self.sockets.extract_if(|_, socket| Some(socket.member) == leaver);
        gone.for_each(|(_, socket)| socket.close(&self.shown, why));
        self.show_active(context);
    }

    /// Ends every socket, and says why.
    pub(super) fn close_all(&mut self, why: Goodbye) {
        let shown = std::mem::take(&mut self.shown);
        std::mem::take(&mut self.sockets).into_values().for_each(|socket| socket.close(&shown, why));
    }

    /// Sockets whose end nobody could tell us.
    pub(super) fn part_with_the_gone(&mut self, context: &mut Context<Self>) {
        if self.sockets.extract_if(|_, socket| !socket.outbox.is_open()).count() > 0 {
            self.show_active(context);
            self.flush(context);
        }
    }

    fn answer(&mut self, socket: Uuid, frames: Vec<Text>) {
        if let Some(it) = self.sockets.get_mut(&socket) {
            it.answer(&self.shown, frames);
            self.is_due = true;
        }
    }

    /// From some place in the log on this socket misses nothing: what it has
    /// missed is read now, and its listening begins when all of that is on
    /// disk and what comes after it is not.
    fn connect(&mut self, socket: Uuid, since: Option<Seq>, context: &mut Context<Self>) {
        if self.is_over() {
            return self.wake(context);
        }
        // What it has missed is held until the disk has answered: once.
        if self.sockets.get_mut(&socket).is_none_or(|it| std::mem::replace(&mut it.connects, true)) {
            return;
        }
        let unread = since.and_then(|since| self.lines_missed(since)).map(|lines| self.unread(lines.into_iter()));
        let then = move |this: &mut Self, recalled: Result<Recalled, RoomError>, context: &mut Context<Self>| {
            match recalled {
                Ok(recalled) => this.connect_with(&recalled, socket, since, context),
                // It comes again.
                Err(_) => {
                    this.sockets.remove(&socket);
                    this.show_active(context);
                }
            }
        };
        self.recall(unread.unwrap_or_default(), then, context);
    }

    fn connect_with(&mut self, recalled: &Recalled, socket: Uuid, since: Option<Seq>, context: &mut Context<Self>) {
        let missed = since.and_then(|since| self.missed(since, recalled));
        let ready = frame::ready(self.room.seq(), missed.is_some());
        let done: Done = Box::new(move |this, context, outcome| {
            // Nothing was put on disk that it could be told of. It comes again.
            if outcome.is_err() {
                this.sockets.remove(&socket);
                return this.show_active(context);
            }
            let active = this.active_now();
            if let Some(it) = this.sockets.get_mut(&socket) {
                it.catch_up(&this.shown);
                it.listens = true;
                it.connects = false;
            }
            this.answer(socket, missed.unwrap_or_default().into_iter().chain([ready, active]).collect());
        });
        self.take_turn(done, context);
    }

    /// The lines since, unless they are too many to tell.
    fn lines_missed(&self, since: Seq) -> Option<Vec<&Line>> {
        let lines: Vec<_> = self.room.lines_after(since)?.take(RESUMES + 1).collect();
        // One line can be thousands of frames: each message of somebody who
        // was sent out goes with one. They are not even made.
        let count: usize = lines.iter().map(|line| frame::count(&self.room, line)).sum();
        (count <= RESUMES).then_some(lines)
    }

    /// What happened since, unless that is too much to tell.
    fn missed(&self, since: Seq, recalled: &Recalled) -> Option<Vec<Text>> {
        let (lines, book) = (self.lines_missed(since)?, self.book(recalled));
        let news: Vec<_> = lines.iter().flat_map(|line| frame::news(&book, line)).collect();
        // A client that doesn't read holds all of these bytes.
        (news.iter().map(|text| text.bytes().len()).sum::<usize>() <= RESUME_BYTES).then_some(news)
    }

    /// Whether a seat may send one more right now.
    fn may_send(&mut self, seat: SeatNumber) -> bool {
        let Some(rate) = self.shared.settings.sends else { return true };
        let now = self.shared.clock.moment();
        self.sends.entry(seat).or_insert_with(|| Bucket::new(now)).take(rate, now).is_ok()
    }

    fn post(
        &mut self,
        socket: Uuid,
        member: MemberId,
        id: ChatId,
        body: Body,
        reply_to: Option<Seq>,
        context: &mut Context<Self>,
    ) {
        let refuse = |code: Code| vec![frame::refused(Some(id.as_str()), code)];
        if let Ok(seat) = self.room.seat_of(member).map(|seat| seat.number)
            && !self.may_send(seat)
        {
            return self.answer(socket, refuse(Code::SendingTooFast));
        }
        if !self.has_pictures_of(&body) && !self.room.has_sent(member, id) {
            return self.answer(socket, refuse(Code::PictureOfOtherGroup));
        }
        let done: Done = Box::new(move |this, context, outcome| match outcome {
            Ok(_) => {}
            // Its sender missed the echo, and gets it now.
            Err(RoomError::Rejected(Rejection::Repeated(seq))) => this.echo(socket, seq, context),
            Err(error) => this.answer(socket, vec![frame::refused(Some(id.as_str()), error)]),
        });
        let quoted = reply_to.filter(|seq| self.room.lines().is_resting(*seq));
        let then =
            move |this: &mut Self, recalled: Result<Recalled, RoomError>, context: &mut Context<Self>| match recalled {
                Ok(recalled) => {
                    this.ask_with(&recalled, Command::Post { member, id, body, reply_to }, done, context);
                }
                Err(error) => done(this, context, Err(error)),
            };
        self.recall(quoted.into_iter().collect(), then, context);
    }

    /// Sends a stored message to its sender again.
    fn echo(&mut self, socket: Uuid, seq: Seq, context: &mut Context<Self>) {
        let unread = self.unread(self.room.line(seq).into_iter());
        let then = move |this: &mut Self, recalled: Result<Recalled, RoomError>, _: &mut Context<Self>| {
            // If it can't be read, its sender asks again.
            let Ok(recalled) = recalled else { return };
            let line = this.room.line(seq);
            let echo = line.map(|line| frame::news(&this.book(&recalled), line)).unwrap_or_default();
            this.answer(socket, echo);
        };
        self.recall(unread, then, context);
    }
}

impl Handler<Enter> for RoomActor {
    type Result = ();

    fn handle(&mut self, Enter(id, mut socket): Enter, context: &mut Self::Context) {
        self.touch();
        let member = socket.member;
        self.saw(member);
        let theirs = self.sockets.iter().filter(|(_, other)| other.member == member);
        let mut theirs: Vec<_> = theirs.map(|(id, other)| (other.entry, *id)).collect();
        theirs.sort_unstable();
        if theirs.len() >= SOCKETS_PER_SEAT
            && let Some(oldest) = theirs.first().and_then(|(_, oldest)| self.sockets.remove(oldest))
        {
            oldest.end(Goodbye::Replaced);
        }
        self.entries += 1;
        socket.entry = self.entries;
        self.sockets.insert(id, socket);
        if self.sockets.len() == 1 {
            self.count_again(context);
        }
        let done: Done = Box::new(move |this, context, outcome| {
            let why = match outcome {
                Ok(_) | Err(RoomError::Rejected(Rejection::Nothing)) => return this.show_active(context),
                // The seat was lost between the handshake and now.
                Err(RoomError::Rejected(Rejection::NoSeat)) => Goodbye::Left,
                Err(RoomError::Rejected(Rejection::KickedOut)) => Goodbye::Kicked,
                Err(RoomError::Rejected(Rejection::Ended(Ending::Expired))) => Goodbye::Expired,
                Err(RoomError::Rejected(Rejection::Ended(Ending::Deleted))) => Goodbye::Deleted,
                // It comes again.
                Err(_) => {
                    this.sockets.remove(&id);
                    return this.show_active(context);
                }
            };
            if let Some(socket) = this.sockets.remove(&id) {
                socket.close(&this.shown, why);
            }
            this.show_active(context);
        });
        self.ask(Command::Arrive(member), done, context);
        self.flush(context);
    }
}

impl Handler<Exit> for RoomActor {
    type Result = ();

    fn handle(&mut self, Exit(socket): Exit, context: &mut Self::Context) {
        self.touch();
        if let Some(gone) = self.sockets.remove(&socket) {
            self.saw(gone.member);
            self.show_active(context);
            self.flush(context);
            if self.sockets.is_empty() {
                self.count_again(context);
            }
        }
    }
}

impl Handler<Heard> for RoomActor {
    type Result = ();

    fn handle(&mut self, Heard { socket, said }: Heard, context: &mut Self::Context) {
        let Some(member) = self.sockets.get(&socket).map(|socket| socket.member) else { return };
        match said {
            Said::Connect { since } => self.connect(socket, since, context),
            Said::Post { id, body, reply_to } => self.post(socket, member, id, body, reply_to, context),
            Said::Unsend(id) => {
                let done: Done = Box::new(move |this, _, outcome| {
                    if let Err(error) = outcome {
                        this.answer(socket, vec![frame::refused(Some(id.as_str()), error)]);
                    }
                });
                self.ask(Command::Unsend { member, id }, done, context);
            }
            Said::ActiveUsers if self.room.seat_of(member).is_ok() => {
                let active = self.active_now();
                self.answer(socket, vec![active]);
            }
            Said::ActiveUsers => {}
            Said::Typing => self.type_on(member),
        }
        self.flush(context);
    }
}

impl RoomActor {
    /// Passes on that somebody is typing: to others, and not too often.
    fn type_on(&mut self, member: MemberId) {
        let Ok(seat) = self.room.seat_of(member) else { return };
        let (face, now) = (seat.face, self.shared.clock.moment());
        match self.typed.entry(seat.number) {
            Entry::Occupied(before) if now.duration_since(*before.get()) < TYPING_EVERY => return,
            entry => entry.insert_entry(now),
        };
        let frame = frame::typing(face);
        for other in self.sockets.values_mut().filter(|other| other.member != member && other.listens) {
            other.answer(&self.shown, [frame.clone()]);
            self.is_due = true;
        }
    }
}
