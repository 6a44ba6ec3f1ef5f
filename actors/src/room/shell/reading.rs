//! What a room reads from its log, while everything else waits: all of it at the
//! start, what others have written since, and old messages.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use actix::fut::wrap_future;
use actix::{ActorFutureExt, AsyncContext, Context};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::image::{Album, StoredImage};
use annon_store::room::{RoomEvent, Seq};

use crate::ids::random_shuffle;
use crate::room::error::RoomError;
use crate::room::machine::Room;
use crate::room::shell::member_requests::MemberRequest;
use crate::room::shell::requests::Request;
use crate::room::shell::turn::{Turn, What};
use crate::room::shell::{Shell, reload};
use crate::room::transcript::OldWords;

type Log = Vec<(Seq, RoomEvent)>;

/// The longest wait before a room reads on after a conflict, in milliseconds: two
/// rooms that met would meet again.
const JITTER: u64 = 3;

impl Shell {
    /// Has the log read, and begins with it.
    pub(super) fn load(&mut self, context: &mut Context<Self>) {
        let reading = reload::read_all(self.services.clone(), self.metadata.id);
        context.wait(wrap_future(reading).map(|read, shell: &mut Self, _| match read {
            Ok((log, pictures)) => shell.begin(&log, pictures),
            Err(error) => {
                // The room may have ended since its metadata was read.
                if error != RoomError::Gone {
                    tracing::error!(%error, "a room's log can't be read");
                }
                shell.give_up();
            }
        }));
    }

    fn begin(&mut self, log: &Log, pictures: Vec<StoredImage>) {
        self.replay(log);
        self.queue.set_committed(self.room.seq());
        self.note_pictures(pictures);
        self.mark_sent(log);
        self.count_again();
    }

    fn mark_sent(&mut self, log: &[(Seq, RoomEvent)]) {
        for (_, event) in log {
            if let RoomEvent::Posted { body, .. } = event {
                self.pictures.mark_sent(body);
            }
        }
    }

    fn replay<'a>(&mut self, log: impl IntoIterator<Item = &'a (Seq, RoomEvent)>) {
        let log = log.into_iter().map(|(seq, event)| (*seq, event));
        self.room = Room::replay(self.services.terms(&self.metadata), log);
        self.status.lock().standing = Some((&self.room).into());
    }

    pub(super) fn note_pictures(&mut self, pictures: Vec<StoredImage>) {
        let (moment, now) = (self.services.clock.moment(), self.services.clock.timestamp());
        for StoredImage { id, bytes, since } in pictures {
            self.pictures.add(id, bytes, Duration::from_secs(now.saturating_sub(since)), moment);
        }
    }

    /// Takes what others wrote to the log, if it is what comes next.
    pub(super) fn heard(&mut self, first: Seq, events: &[RoomEvent], context: &mut Context<Self>) {
        let known = self.room.seq();
        if first > known.next() {
            return self.catch_up(Vec::new(), None, context);
        }
        let is_new = |seq: &Seq| *seq > known;
        let news = (first.0..).map(Seq).zip(events).filter(|(seq, _)| is_new(seq));
        for (_, event) in news {
            self.take_in(event);
        }
        self.caught_up();
    }

    /// An event that somebody else has written is the room's next one.
    fn take_in(&mut self, event: &RoomEvent) {
        let decided = self.apply(event.clone(), &OldWords::default());
        // Whoever does something at another node is seen, also before that node says who is there.
        if let RoomEvent::Claimed { seat, .. } | RoomEvent::Arrived { seat, .. } | RoomEvent::Viewed { seat, .. } =
            event
            && let Some(taken) = self.room.seats().iter().find(|taken| taken.number == *seat)
        {
            self.presence.saw(taken.member, self.services.clock.moment());
        }
        self.tell(&decided);
    }

    fn caught_up(&mut self) {
        self.queue.set_committed(self.room.seq());
        // The list that was sent last may depend on an event that the log doesn't have.
        self.broadcast_active();
        self.count_again();
    }

    /// Goes back to where the log is known to be, reads what it has since, and
    /// asks again for `turns`, which it refused. `refusal` is for those of them
    /// that need what the log doesn't have.
    pub(super) fn catch_up(&mut self, turns: Vec<Turn>, refusal: Option<RoomError>, context: &mut Context<Self>) {
        self.services.catch_ups.fetch_add(1, Relaxed);
        let (turns, is_rewound) = self.rewind(turns);
        let (services, room, known) = (self.services.clone(), self.metadata.id, self.queue.committed());
        let wait = Duration::from_millis(if self.conflicts > 1 { random_shuffle() % (JITTER + 1) } else { 0 });
        let reading = async move {
            if !wait.is_zero() {
                services.clock.sleep(wait).await;
            }
            if is_rewound {
                let read = services.unless_stuck(services.log.read(room, known)).await?;
                return Ok((read, Vec::new()));
            }
            reload::read_all(services, room).await
        };
        context.wait(wrap_future(reading).map(move |read, shell: &mut Self, _| {
            let (read, pictures): (Log, _) = match read {
                Ok(read) => read,
                Err(error) => return shell.give_up_with(turns, error),
            };
            let (old, news) = read.split_at(read.partition_point(|(seq, _)| *seq <= known));
            if !is_rewound {
                shell.replay(old);
                shell.note_pictures(pictures);
                shell.mark_sent(old);
            }
            for (seq, event) in news {
                if *seq != shell.room.seq().next() || matches!(event, RoomEvent::Lost { .. }) {
                    // A part is lost or forgotten. Whoever comes again is shown that.
                    return shell.give_up_with(turns, RoomError::Interrupted);
                }
                shell.take_in(event);
            }
            shell.caught_up();
            shell.ask_again(turns, refusal);
        }));
    }

    /// Undoes what the log refused. Returns the turns, and whether the room is
    /// as the log is: otherwise it has to be read from its beginning.
    fn rewind(&mut self, turns: Vec<Turn>) -> (Vec<Turn>, bool) {
        let mut is_rewound = true;
        let mut refused = Vec::with_capacity(turns.len());
        for mut turn in turns.into_iter().rev() {
            if let What::Event(decided) = std::mem::replace(&mut turn.what, What::Nothing) {
                is_rewound = is_rewound && self.room.rewind(decided.undo);
                turn.what = What::Refused(decided.event);
            }
            refused.push(turn);
        }
        refused.reverse();
        (refused, is_rewound)
    }

    /// Puts refused turns behind each other, to be asked again. Those that need
    /// what the log doesn't have are refused.
    fn ask_again(&mut self, turns: Vec<Turn>, refusal: Option<RoomError>) {
        let mut is_first = true;
        for Turn { what, request, outcome: _ } in turns {
            let needs_space = match &what {
                What::Refused(
                    RoomEvent::Posted { .. }
                    | RoomEvent::Claimed { .. }
                    | RoomEvent::Locked { .. }
                    | RoomEvent::Reacted { .. }
                    | RoomEvent::AskFirst { .. }
                    | RoomEvent::Knocked { .. },
                ) => true,
                // Something without that need was only behind something with it,
                // unless it was the first.
                What::Refused(_) => is_first,
                What::Event(_) | What::End(_) | What::Nothing => false,
            };
            is_first = is_first && !matches!(what, What::Refused(_));
            match (refusal, request) {
                (Some(refusal), request) if needs_space || refusal == RoomError::Busy => {
                    self.answer(request, Err(refusal));
                }
                (_, Some(request)) => {
                    if let Request::FromSocket(socket, MemberRequest::Connect { .. }) = request {
                        self.sockets.connect_again(socket);
                    }
                    self.backlog.push_back(request);
                }
                // What the room did by itself it does again if it is still due.
                (_, None) => {}
            }
        }
    }

    /// A yes may be stale, since the log says no to what follows from it. A no
    /// must be fresh, since nobody asks again: before it is said, the room reads
    /// what others have written and, if the request is about pictures, which there
    /// are, has that confirmed, and decides again. Without that, whoever asks gets an
    /// error, and asks again.
    pub(super) fn refresh(&mut self, request: Request, context: &mut Context<Self>) {
        // What rests on the log as it is known is told before more of it is.
        self.logged(context);
        if self.ending.is_some() {
            return self.answer(Some(request), Err(Code::GroupExpired.into()));
        }
        let (services, room, known) = (self.services.clone(), self.metadata.id, self.queue.committed());
        self.services.catch_ups.fetch_add(1, Relaxed);
        let is_about_pictures = request.is_about_pictures();
        let reading = async move {
            let reading = async {
                let (album, server) = (Album::Room(room.0), services.record.server());
                let pictures = if is_about_pictures { services.images.list(album).await? } else { Vec::new() };
                let log = services.log.read(room, known).await?;
                services.record.confirm(server).await?;
                Ok::<_, StoreError>((log, pictures))
            };
            services.unless_stuck(reading).await
        };
        context.wait(wrap_future(reading).map(move |read, shell: &mut Self, context| {
            let (log, pictures): (Log, _) = match read {
                Ok(read) => read,
                Err(error) => return shell.answer(Some(request), Err(error)),
            };
            shell.note_pictures(pictures);
            let events: Vec<_> = log.iter().map(|(_, event)| event.clone()).collect();
            if let Some((first, _)) = log.first() {
                shell.heard(*first, &events, context);
            }
            if context.waiting() {
                // A part was missing, and is read first.
                return shell.backlog.push_front(request);
            }
            shell.is_fresh = true;
            shell.ask(request, context);
            shell.is_fresh = false;
        }));
    }

    /// Whether a no has to be made fresh before it is said. While an append is
    /// under way, the log's answer to that says whether the room knows all.
    pub(super) fn may_be_stale(&self) -> bool {
        self.tail.is_some() && !self.is_fresh && self.queue.end() == self.queue.committed()
    }

    /// Reads the messages at `places` back from the log, and then calls `then`:
    /// at once, if there are none to read.
    pub(super) fn with_words(
        &mut self,
        places: Vec<Seq>,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Result<OldWords, RoomError>, &mut Context<Self>) + 'static,
    ) {
        match self.room.lines().last_evicted().filter(|_| !places.is_empty()) {
            None => then(self, Ok(OldWords::default()), context),
            Some(last) => {
                let reading = reload::read_back(self.services.clone(), self.metadata.id, places, last);
                // While everything else waits, what was fresh stays so.
                let is_fresh = self.is_fresh;
                context.wait(wrap_future(reading).map(move |read, shell: &mut Self, context| {
                    shell.is_fresh = is_fresh;
                    then(shell, read, context);
                    shell.is_fresh = false;
                }));
            }
        }
    }
}
