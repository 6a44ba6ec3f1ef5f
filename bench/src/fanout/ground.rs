//! Where a stage takes place: the rooms are filled, a course is run, and the
//! rooms are taken down again.

use crate::args::Against;
use crate::cpu;
use crate::crowd::{self, Rooms, Size};
use crate::dialect::Dialect;
use crate::drive::drive;
use crate::engine::Hall;
use crate::engine::pace::Course;
use crate::fanout::stage::{Memory, Stage};
use crate::stop::Stop;
use crate::subject::Subject;
use crate::trouble::Trouble;

/// Everything a stage needs besides its size and its course.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// A server without accounts.
    pub(crate) is_bare: bool,
    pub(crate) against: &'a Against,
    pub(crate) subject: &'a Subject,
    pub(crate) stop: &'a Stop,
    /// Memory that an earlier stage has left behind is used again, so that
    /// what is added now says nothing.
    pub(crate) is_used: bool,
}

/// A stage that took place.
pub(crate) struct Held {
    pub(crate) stage: Stage,
    /// By Ctrl-C.
    pub(crate) is_interrupted: bool,
    /// A server that has ended under the load can't be cleared up after; the
    /// stage is told all the same.
    pub(crate) cleared: Result<(), Trouble>,
}

impl Ground<'_> {
    pub(crate) async fn measure(self, size: Size, course: &Course) -> Result<Held, Trouble> {
        let Self { subject, stop, .. } = self;
        let address = subject.address;
        if self.is_bare {
            let before = self.memory();
            let (dialect, hall) = crowd::gather_bare(address, size, stop).await?;
            return self.run(dialect, hall, size, before, course).await;
        }
        let rooms = Rooms::make(address, size.rooms, self.against, stop).await?;
        let before = self.memory();
        let measured = match rooms.fill(address, size.members, stop).await {
            Ok((dialect, hall)) => self.run(dialect, hall, size, before, course).await,
            Err(trouble) => Err(trouble),
        };
        // Also after a failure: these are no accounts of anybody's.
        let cleared = rooms.people.leave().await;
        Ok(Held { cleared, ..measured? })
    }

    async fn run<D: Dialect>(
        self,
        dialect: D,
        hall: Hall,
        size: Size,
        memory_before: Option<u64>,
        course: &Course,
    ) -> Result<Held, Trouble> {
        let each = |bytes: u64| bytes as f64 / size.connections() as f64;
        let added = |before: u64, now: u64| each(now.saturating_sub(before));
        let filled = self.memory();
        let (measured, cost, is_interrupted) = drive(dialect, hall, course, self.subject, self.stop).await?;
        let memory = Memory {
            per_connection: memory_before.filter(|_| !self.is_used).zip(filled).map(|(before, now)| added(before, now)),
            whole: self.memory(),
        };
        let stage = Stage::new(size, course, measured, cost, memory);
        Ok(Held { stage, is_interrupted, cleared: Ok(()) })
    }

    fn memory(self) -> Option<u64> {
        cpu::memory_of(self.subject.pid()?)
    }
}
