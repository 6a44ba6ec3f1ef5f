//! What handlers ask a room.

use super::*;

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

/// Others need the memory.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Rest;

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
    /// Whether nobody new comes in.
    pub locked: bool,
}

impl View {
    /// What there is to see without a seat: the same whatever goes on inside.
    pub(crate) fn from_outside(card: RoomCard) -> Self {
        Self { card, members: Vec::new(), lines: Vec::new(), has_older: false, last: Seq(0), locked: false }
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
        self.touch();
        if self.is_overrun() {
            return Box::pin(async { Err(RoomError::Busy) });
        }
        let answer = if self.is_over() { Err(Rejection::Ended(Ending::Expired).into()) } else { answer };
        let (reply, answered) = oneshot::channel();
        let done: Done = Box::new(move |_, _, outcome| {
            let _ = reply.send(outcome.and(answer));
        });
        self.take_turn(done, context);
        Box::pin(async move { answered.await.unwrap_or(Err(RoomError::Busy)) })
    }

    /// Nobody reads unseen: whoever is shown something is announced first,
    /// also who never opens a socket.
    fn view(&mut self, ViewAsked { member, before, limit }: ViewAsked, context: &mut Context<Self>) -> View {
        let card = self.card.clone();
        let Ok(seat) = self.room.seat_of(member) else { return View::from_outside(card) };
        if !seat.announced {
            self.ask(Command::Look(member), Box::new(|_, _, _| {}), context);
        }
        let members = self.room.seats().iter().map(|seat| seat.face).collect();
        let (last, locked) = (self.room.seq(), self.room.is_locked());
        let mut older = self.room.lines_before(before).rev().filter(|line| frame::is_shown(line));
        let lines = older.by_ref().take(limit).filter_map(|line| frame::history(card.id, &self.room, line));
        let mut lines: Vec<_> = lines.collect();
        lines.reverse();
        let has_older = older.next().is_some();
        View { card, members, lines, has_older, last, locked }
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
        self.answer_in_turn(face.map_err(RoomError::from), context)
    }
}

impl Handler<ViewAsked> for RoomActor {
    type Result = ResponseFuture<Result<View, RoomError>>;

    fn handle(&mut self, asked: ViewAsked, context: &mut Self::Context) -> Self::Result {
        let view = self.view(asked, context);
        self.answer_in_turn(Ok(view), context)
    }
}

impl Handler<ComeIn> for RoomActor {
    type Result = ResponseFuture<Result<(Face, View), RoomError>>;

    fn handle(&mut self, ComeIn { dice, view }: ComeIn, context: &mut Self::Context) -> Self::Result {
        let member = view.member;
        let claimed = self.handle(Do(Command::Claim { member, dice }), context);
        let view = self.view(view, context);
        let face = self.room.seat_of(member).map(|seat| seat.face);
        let seen = self.answer_in_turn(face.map(|face| (face, view)).map_err(RoomError::from), context);
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
