//! What handlers ask a room.

use super::*;
use crate::room::line::Line;

/// Decide this.
#[derive(Clone, Message)]
#[rtype(result = "Result<RoomEvent, RoomError>")]
pub(crate) struct Do(pub(crate) Command);

/// Which face does this member have?
#[derive(Clone, Message)]
#[rtype(result = "Result<Face, RoomError>")]
pub(crate) struct AskSeat(pub(crate) MemberId);

/// What does somebody see who opens the room?
#[derive(Clone, Message)]
#[rtype(result = "Result<View, RoomError>")]
pub(crate) struct ViewAsked {
    pub(crate) member: MemberId,
    pub(crate) before: Option<Seq>,
    pub(crate) limit: usize,
}

/// A seat, or the one that is held, and what is seen from it.
#[derive(Clone, Message)]
#[rtype(result = "Result<(Face, View), RoomError>")]
pub(crate) struct ComeIn {
    pub(crate) dice: u64,
    pub(crate) view: ViewAsked,
}

/// May this member add a picture?
#[derive(Clone, Message)]
#[rtype(result = "Result<(), RoomError>")]
pub(crate) struct MayUpload {
    pub(crate) member: MemberId,
    pub(crate) bytes: usize,
}

/// This picture is stored.
#[derive(Clone, Message)]
#[rtype(result = "Result<(), RoomError>")]
pub(crate) struct Issue {
    pub(crate) image: ImageId,
    pub(crate) bytes: usize,
}

/// Another has taken this actor's place.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct GiveUp;

/// Pictures may have waited here for too long. Nobody is in the room.
#[derive(Clone, Message)]
#[rtype(result = "Result<(), RoomError>")]
pub(crate) struct LookAtPictures;

/// Others need the memory, and nobody is in this room.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Rest;

/// Others need the memory, and of all rooms this one can spare most.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct MakeRoom;

/// The server ends.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct ShutDown;

/// A room as somebody sees it who opens it.
#[derive(Debug, Clone)]
pub struct View {
    /// What it is called, whose it is, when it ends.
    pub card: RoomCard,
    /// Its members.
    pub members: Vec<Face>,
    /// Its last lines, oldest first.
    pub lines: Vec<LineFrame>,
    /// Whether there are some before those.
    pub has_older: bool,
    /// The last place in its log.
    pub last: Seq,
    /// How many messages were ever said here.
    pub messages: u64,
    /// Whether nobody new comes in.
    pub locked: bool,
}

impl View {
    /// What there is to see without a seat: the same whatever goes on inside.
    pub(crate) fn from_outside(card: RoomCard) -> Self {
        let (members, lines) = (Vec::new(), Vec::new());
        Self { card, members, lines, has_older: false, last: Seq(0), messages: 0, locked: false }
    }
}

impl RoomActor {
    /// Gives an answer when everything it rests on is on disk, unless the
    /// room's time is up.
    fn answer_in_turn<T: Send + 'static>(
        &mut self,
        answer: Result<T, RoomError>,
        context: &mut Context<Self>,
    ) -> ResponseFuture<Result<T, RoomError>> {
        let (reply, answered) = oneshot::channel();
        self.reply_in_turn(answer, reply, context);
        Box::pin(async move { answered.await.unwrap_or(Err(RoomError::Busy)) })
    }

    fn reply_in_turn<T: Send + 'static>(
        &mut self,
        answer: Result<T, RoomError>,
        reply: oneshot::Sender<Result<T, RoomError>>,
        context: &mut Context<Self>,
    ) {
        self.touch();
        if self.is_overrun() {
            let _ = reply.send(Err(RoomError::Busy));
            return;
        }
        let answer = if self.is_over() { Err(Rejection::Ended(Ending::Expired).into()) } else { answer };
        let done: Done = Box::new(move |_, _, outcome| {
            let _ = reply.send(outcome.and(answer));
        });
        self.take_turn(done, context);
    }

    /// Answers with what a member sees, after what of it has left memory was
    /// read.
    fn show_view<T: Send + 'static>(
        &mut self,
        asked: ViewAsked,
        answer: impl FnOnce(&Self, View) -> Result<T, RoomError> + 'static,
        context: &mut Context<Self>,
    ) -> ResponseFuture<Result<T, RoomError>> {
        let unread = match self.room.seat_of(asked.member) {
            Ok(_) => self.unread(self.page(&asked).take(asked.limit)),
            Err(_) => Vec::new(),
        };
        let (reply, answered) = oneshot::channel();
        let then = move |this: &mut Self, recalled: Result<Recalled, RoomError>, context: &mut Context<Self>| {
            let answer = recalled.and_then(|recalled| {
                let view = this.view(asked, &recalled, context);
                answer(this, view)
            });
            this.reply_in_turn(answer, reply, context);
        };
        self.recall(unread, then, context);
        Box::pin(async move { answered.await.unwrap_or(Err(RoomError::Busy)) })
    }

    /// The lines somebody asked for and all before them, newest first.
    fn page(&self, asked: &ViewAsked) -> impl Iterator<Item = &Line> {
        self.room.lines_before(asked.before).rev().filter(|line| frame::is_shown(line))
    }

    /// Nobody reads unseen: a member who is shown messages is announced first,
    /// even without a socket.
    fn view(&mut self, asked: ViewAsked, recalled: &Recalled, context: &mut Context<Self>) -> View {
        let card = self.card.clone();
        let Ok(seat) = self.room.seat_of(asked.member) else { return View::from_outside(card) };
        if !seat.announced {
            self.ask(Command::Look(asked.member), Box::new(|_, _, _| {}), context);
        }
        self.saw(asked.member);
        let members = self.room.seats().iter().map(|seat| seat.face).collect();
        let (last, messages, locked) = (self.room.seq(), self.room.messages(), self.room.is_locked());
        let book = self.book(recalled);
        let mut older = self.page(&asked);
        let lines = older.by_ref().take(asked.limit).filter_map(|line| frame::history(&book, line));
        let mut lines: Vec<_> = lines.collect();
        lines.reverse();
        let has_older = older.next().is_some();
        View { card, members, lines, has_older, last, messages, locked }
    }

    fn may_upload(&self, MayUpload { member, bytes }: MayUpload) -> Result<(), RoomError> {
        self.room.seat_of(member)?;
        if self.holds_another(bytes) { Ok(()) } else { Err(RoomError::TooManyPictures) }
    }
}

impl Handler<Do> for RoomActor {
    type Result = ResponseFuture<Result<RoomEvent, RoomError>>;

    fn handle(&mut self, Do(command): Do, context: &mut Self::Context) -> Self::Result {
        let (reply, answered) = oneshot::channel();
        let done: Done = Box::new(move |_, _, outcome| {
            let _ = reply.send(outcome.and_then(|event| event.ok_or(RoomError::Busy)));
        });
        self.ask(command, done, context);
        Box::pin(async move { answered.await.unwrap_or(Err(RoomError::Busy)) })
    }
}

impl Handler<AskSeat> for RoomActor {
    type Result = ResponseFuture<Result<Face, RoomError>>;

    fn handle(&mut self, AskSeat(member): AskSeat, context: &mut Self::Context) -> Self::Result {
        let face = self.room.seat_of(member).map(|seat| seat.face);
        if face.is_ok() {
            self.saw(member);
        }
        self.answer_in_turn(face.map_err(RoomError::from), context)
    }
}

impl Handler<ViewAsked> for RoomActor {
    type Result = ResponseFuture<Result<View, RoomError>>;

    fn handle(&mut self, asked: ViewAsked, context: &mut Self::Context) -> Self::Result {
        self.show_view(asked, |_, view| Ok(view), context)
    }
}

impl Handler<ComeIn> for RoomActor {
    type Result = ResponseFuture<Result<(Face, View), RoomError>>;

    fn handle(&mut self, ComeIn { dice, view }: ComeIn, context: &mut Self::Context) -> Self::Result {
        let member = view.member;
        let claimed = self.handle(Do(Command::Claim { member, dice }), context);
        let seen = self.show_view(view, move |this, view| Ok((this.room.seat_of(member)?.face, view)), context);
        Box::pin(async move {
            match claimed.await {
                Ok(_) | Err(RoomError::Rejected(Rejection::Seated(_))) => seen.await,
                Err(error) => Err(error),
            }
        })
    }
}

impl Handler<MayUpload> for RoomActor {
    type Result = ResponseFuture<Result<(), RoomError>>;

    fn handle(&mut self, asked: MayUpload, context: &mut Self::Context) -> Self::Result {
        self.answer_in_turn(self.may_upload(asked), context)
    }
}

impl Handler<Issue> for RoomActor {
    type Result = ResponseFuture<Result<(), RoomError>>;

    fn handle(&mut self, Issue { image, bytes }: Issue, context: &mut Self::Context) -> Self::Result {
        // Asked again: others may have uploaded meanwhile.
        let issued = self.issue(image, bytes);
        self.answer_in_turn(issued, context)
    }
}

impl Handler<LookAtPictures> for RoomActor {
    type Result = Result<(), RoomError>;

    fn handle(&mut self, _: LookAtPictures, context: &mut Self::Context) -> Self::Result {
        if self.is_quiet() {
            self.drop_pictures();
            self.give_up(context);
        }
        Ok(())
    }
}

impl Handler<Rest> for RoomActor {
    type Result = ();

    fn handle(&mut self, _: Rest, context: &mut Self::Context) {
        // If there is something to do, it is asked again after that.
        if self.is_quiet() {
            self.give_up(context);
        }
    }
}

impl Handler<MakeRoom> for RoomActor {
    type Result = ();

    fn handle(&mut self, _: MakeRoom, context: &mut Self::Context) {
        self.rest(context);
    }
}

impl Handler<ShutDown> for RoomActor {
    type Result = ();

    fn handle(&mut self, _: ShutDown, _: &mut Self::Context) {
        self.sockets.clear();
    }
}

impl Handler<GiveUp> for RoomActor {
    type Result = ();

    fn handle(&mut self, _: GiveUp, context: &mut Self::Context) {
        self.give_up(context);
    }
}
