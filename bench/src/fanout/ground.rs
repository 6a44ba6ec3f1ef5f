//! Where a stage takes place: the rooms are filled, a course is run, and the
//! rooms are taken down again.

use crate::args::Against;
use crate::cpu;
use crate::crowd::{self, Rooms, Size, Speak};
use crate::dialect::Dialect;
use crate::drive::drive;
use crate::engine::Hall;
use crate::engine::pace::Course;
use crate::fanout::stage::{Memory, Stage};
use crate::stop::Stop;
use crate::subject::Subject;
use crate::trouble::{Trouble, cleared_up};

/// Everything a stage needs besides its size and its course.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) speak: Speak,
    pub(crate) against: &'a Against,
    pub(crate) subject: &'a Subject,
    pub(crate) stop: &'a Stop,
}

impl Ground<'_> {
    /// The flag tells whether Ctrl-C ended it.
    pub(crate) async fn measure(self, size: Size, course: &Course) -> Result<(Stage, bool), Trouble> {
        let Self { subject, stop, .. } = self;
        let address = subject.address;
        if self.speak != Speak::Annon {
            return self.measure_relay(size, course).await;
        }
        let rooms = Rooms::make(address, size.rooms, self.against, stop).await?;
        let before = self.memory();
        let measured = match stop.or(rooms.fill(address, size.members)).await {
            Ok((dialect, hall)) => self.run(dialect, hall, size, before, course).await,
            Err(trouble) => Err(trouble),
        };
        // Also after a failure: these are no accounts of anybody's.
        let left = rooms.people.leave().await;
        // Who ends a run wants to see what there is, even if the server hangs.
        let is_interrupted = matches!(measured, Ok((_, true)));
        if is_interrupted { measured } else { cleared_up(measured, left) }
    }

    async fn measure_relay(self, size: Size, course: &Course) -> Result<(Stage, bool), Trouble> {
        let (address, before) = (self.subject.address, self.memory());
        match self.speak {
            Speak::Annon | Speak::AnnonBare => {
                let (dialect, hall) = self.stop.or(crowd::gather_bare(address, size)).await?;
                self.run(dialect, hall, size, before, course).await
            }
            Speak::Raw => {
                let (dialect, hall) = self.stop.or(crowd::gather_raw(address, size)).await?;
                self.run(dialect, hall, size, before, course).await
            }
            Speak::SocketIo => {
                let (dialect, hall) = self.stop.or(crowd::gather_socket_io(address, size)).await?;
                self.run(dialect, hall, size, before, course).await
            }
            Speak::Xmpp => {
                let (dialect, hall) = self.stop.or(crowd::gather_xmpp(address, size)).await?;
                self.run(dialect, hall, size, before, course).await
            }
        }
    }

    async fn run<D: Dialect>(
        self,
        dialect: D,
        hall: Hall,
        size: Size,
        memory_before: Option<u64>,
        course: &Course,
    ) -> Result<(Stage, bool), Trouble> {
        let each = |bytes: u64| bytes as f64 / size.connections() as f64;
        let added = |before: u64, now: u64| each(now.saturating_sub(before));
        let filled = self.memory();
        let (measured, cost, is_interrupted) = drive(dialect, hall, course, self.subject, self.stop).await?;
        let memory = Memory {
            per_connection: memory_before.zip(filled).map(|(before, now)| added(before, now)),
            whole: self.memory(),
        };
        Ok((Stage::new(size, course, measured, cost, memory), is_interrupted))
    }

    fn memory(self) -> Option<u64> {
        cpu::memory_of(self.subject.pid()?)
    }
}
