//! Turns: what is decided is appended in order, and what is on disk is told
//! in order. Many decisions between two syncs are one append.

use super::*;

/// What may wait for the disk. Well below the fewest lines a room keeps, so
/// that none of them is gone before it is told.
const WAITING: usize = 400;
/// Milliseconds a full disk is left alone by what nobody has asked for.
const FULL_FOR: u64 = 10_000;

/// Something that waits for its turn.
pub(super) struct Waiting {
    outcome: Result<Option<Decided>, RoomError>,
    done: Done,
}

/// An event, and what it means, as it was when it was decided: by the time it
/// is on disk the machine may have moved on, and nobody may see how far.
pub(super) struct Decided {
    seq: Seq,
    event: RoomEvent,
    frames: Vec<Text>,
    /// Whose seat it makes free.
    leaver: Option<MemberId>,
}

impl RoomActor {
    /// Decides a command. `done` hears of it in its turn.
    pub(super) fn ask(&mut self, command: Command, done: Done, context: &mut Context<Self>) {
        self.ask_with(&Recalled::default(), command, done, context);
    }

    /// Decides a command about which something was read.
    pub(super) fn ask_with(&mut self, recalled: &Recalled, command: Command, done: Done, context: &mut Context<Self>) {
        if command != Command::Wake {
            self.touch();
        }
        if let Some(why) = self.ending {
            return done(self, context, Err(Rejection::Ended(why).into()));
        }
        if self.is_overrun() && !matches!(command, Command::Wake | Command::Close) {
            return done(self, context, Err(RoomError::Busy));
        }
        if let Command::Claim { member, .. } = command {
            self.free_seats();
            self.free_seats_of_the_away(Some(member));
        }
        let outcome = match self.room.decide(command, self.now()) {
            Ok(RoomEvent::Closed { why, .. }) => {
                // After what was decided before it.
                let done: Done = Box::new(move |this, context, outcome| match outcome {
                    Ok(_) => this.end(why, done, context),
                    Err(error) => done(this, context, Err(error)),
                });
                return self.take_turn(done, context);
            }
            Ok(event) => Ok(Some(self.apply(event, recalled))),
            Err(rejection) => Err(rejection.into()),
        };
        self.queue(Waiting { outcome, done });
        self.append(context);
    }

    /// Lets something wait, behind all that waits already.
    fn queue(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// Seats that are due by now: the timer may be late, or nobody was here
    /// to set one.
    fn free_seats(&mut self) {
        while let Ok(event @ RoomEvent::Lapsed { .. }) = self.room.decide(Command::Wake, self.now()) {
            self.free(event);
        }
    }

    /// Seats of members who said nothing and are away for long, but not of
    /// the one who is just coming.
    pub(super) fn free_seats_of_the_away(&mut self, comes: Option<MemberId>) -> bool {
        let now = self.now();
        let seats = self.room.seats().iter().filter(|seat| Some(seat.member) != comes && !self.is_here(seat.member));
        let away: Vec<_> = seats.map(|seat| (seat.number, self.away_for(seat.member))).collect();
        let mut is_free = false;
        for (seat, time) in away {
            let since = Millis(now.0.saturating_sub(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)));
            if let Ok(event) = self.room.decide(Command::Away { seat, since }, now) {
                self.free(event);
                is_free = true;
            }
        }
        is_free
    }

    fn free(&mut self, lapsed: RoomEvent) {
        let outcome = Ok(Some(self.apply(lapsed, &Recalled::default())));
        self.queue(Waiting { outcome, done: Box::new(|_, _, _| {}) });
    }

    fn apply(&mut self, event: RoomEvent, recalled: &Recalled) -> Decided {
        let leaver = match &event {
            RoomEvent::Kicked { seat, .. } | RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.room.seats().iter().find(|taken| taken.number == *seat).map(|seat| seat.member)
            }
            _ => None,
        };
        self.room.apply(&event);
        let seq = self.room.seq();
        let line = self.room.line(seq);
        let frames = line.map(|line| frame::news(&self.book(recalled), line)).unwrap_or_default();
        Decided { seq, event, frames, leaver }
    }

    /// Whether the disk is so far behind that nothing more can be taken on.
    pub(super) fn is_overrun(&self) -> bool {
        self.waiting.len() >= WAITING
    }

    /// Something that rests on everything decided so far.
    pub(super) fn take_turn(&mut self, done: Done, context: &mut Context<Self>) {
        self.queue(Waiting { outcome: Ok(None), done });
        self.append(context);
    }

    /// Puts what has been decided on disk, unless that is being done.
    pub(super) fn append(&mut self, context: &mut Context<Self>) {
        if self.appending.is_some() || self.waiting.is_empty() || self.ending.is_some() {
            return;
        }
        let waiting = std::mem::take(&mut self.waiting);
        let decided = waiting.iter().filter_map(|waiting| waiting.outcome.as_ref().ok()?.as_ref());
        let events: Vec<_> = decided.map(|decided| decided.event.clone()).collect();
        if events.is_empty() {
            return self.settle(waiting, context);
        }
        self.appending = Some(waiting);
        let (shared, id, expected) = (self.shared.clone(), self.card.id, self.committed);
        let append = async move { within(&shared.clock, STUCK, shared.log.append(id, expected, events)).await };
        context.spawn(wrap_future(append).map(move |appended, this: &mut Self, context| {
            let batch = this.appending.take().unwrap_or_default();
            match appended {
                Some(Ok(())) => {
                    this.settle(batch, context);
                    this.count_memory(context);
                    this.append(context);
                    this.set_timer(context);
                }
                Some(Err(StoreError::DiskFull)) => {
                    // Nothing was written, and everybody stays: the machine
                    // only goes back to where the log is.
                    this.not_before = Millis(this.now().0 + FULL_FOR);
                    this.refuse_all(batch, StoreError::DiskFull.into(), context);
                    this.load(context);
                }
                failed => {
                    // What was decided is not so, or nobody knows. The next
                    // one to come reads what is, and everybody comes again.
                    let error = failed.and_then(Result::err).map_or(RoomError::Busy, outcome_of);
                    tracing::warn!(%error, "a room could not be written to");
                    this.refuse_all(batch, error, context);
                    this.give_up(context);
                }
            }
        }));
    }

    /// Everything in a batch is on disk: sends it to the members and answers
    /// the callers.
    fn settle(&mut self, batch: Vec<Waiting>, context: &mut Context<Self>) {
        for Waiting { outcome, done } in batch {
            let outcome = match outcome {
                Ok(Some(decided)) => {
                    self.committed = decided.seq;
                    self.tell(&decided, context);
                    Ok(Some(decided.event))
                }
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            done(self, context, outcome);
        }
        self.note_standing();
        self.flush(context);
    }

    /// Nothing of a batch came to be, and nothing that rests on it.
    pub(super) fn refuse_all(&mut self, batch: Vec<Waiting>, error: RoomError, context: &mut Context<Self>) {
        let waiting = std::mem::take(&mut self.waiting);
        for Waiting { done, .. } in batch.into_iter().chain(waiting) {
            done(self, context, Err(error));
        }
        self.flush(context);
    }

    /// Tells everybody what has happened, and sees to what follows from it.
    fn tell(&mut self, decided: &Decided, context: &mut Context<Self>) {
        self.show(&decided.frames);
        match &decided.event {
            RoomEvent::Kicked { seat, with_messages, .. } => {
                self.send_away(*seat, decided.leaver, Goodbye::Kicked, context);
                if *with_messages {
                    let theirs = self.room.messages_of(*seat).collect();
                    self.redact(theirs, context);
                }
            }
            RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.send_away(*seat, decided.leaver, Goodbye::Left, context);
            }
            RoomEvent::Unsent { message, .. } => self.redact(vec![*message], context),
            RoomEvent::Posted { body, .. } => {
                self.mark_sent(body);
                self.forget_old(context);
            }
            _ => {}
        }
    }
}

fn outcome_of(error: StoreError) -> RoomError {
    match error {
        StoreError::NotFound => RoomError::Gone,
        StoreError::Conflict => RoomError::Busy,
        other => RoomError::Store(other),
    }
}
