//! The thread that brings sled up to date while commits go on.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Tell;
use super::watchdog::Watched;
use crate::sled::Disk;
use crate::sled::journal::Wipe;

/// Behind everybody somebody waits for.
const NICE: i32 = 5;

/// To take over what is leaving, and to overwrite a file of the journal then.
type Job = Option<Wipe>;

/// The writer's end.
pub(super) struct Keeper {
    jobs: Option<Sender<Job>>,
    done: Receiver<()>,
    busy: bool,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread, to which the database belongs from now on.
    pub(super) fn start(mut disk: Disk, patience: Duration, tell: Tell) -> io::Result<Self> {
        let (jobs, asked) = channel::<Job>();
        let (finished, done) = channel();
        let everybody = tell.clone();
        let give_up = move || everybody.fail("the database does not answer");
        let watched = Watched::start(patience, disk.has_failed(), give_up)?;
        let work = move || {
            // On Linux this is the thread's own. If it can't, it is one among
            // others.
            let _ = rustix::process::nice(NICE);
            // What is missing is told before anything is put beside it, and
            // while the journal has all that was acknowledged since the start.
            let is_read = catch_unwind(AssertUnwindSafe(|| disk.finish_reading()));
            if let Err(error) = is_read.unwrap_or_else(|_| Err(io::Error::other("the database panicked"))) {
                disk.suspect();
                return tell.fail(&format!("the database is damaged: {error}"));
            }
            while let Ok(wipe) = asked.recv() {
                watched.begin();
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    disk.catch_up()?;
                    wipe.map_or(Ok(()), Wipe::overwrite)
                }));
                watched.end();
                match outcome {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => {
                        disk.suspect();
                        return tell.fail(&error.to_string());
                    }
                    Err(_) => {
                        disk.suspect();
                        return tell.fail("the database panicked");
                    }
                }
                if finished.send(()).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("store-keeper".into()).spawn(work)?;
        Ok(Self { jobs: Some(jobs), done, busy: false, thread: Some(thread) })
    }

    /// Whether it has done what it was asked.
    pub(super) fn is_free(&mut self) -> bool {
        if self.busy {
            self.busy = matches!(self.done.try_recv(), Err(TryRecvError::Empty));
        }
        !self.busy
    }

    /// Waits until it is free.
    pub(super) fn wait(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.busy) {
            self.done.recv().map_err(|_| io::Error::other("the database has failed"))?;
        }
        Ok(())
    }

    /// Asks it to take over what is leaving. It must be free.
    pub(super) fn begin(&mut self, job: Job) -> io::Result<()> {
        let jobs = self.jobs.as_ref().map(|jobs| jobs.send(job));
        self.busy = true;
        if matches!(jobs, Some(Ok(()))) { Ok(()) } else { Err(io::Error::other("the database has failed")) }
    }

    /// Lets it finish, and waits until the database is closed.
    pub(super) fn end(&mut self) {
        self.jobs = None;
        // If it panicked, that has been told.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
