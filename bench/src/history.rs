//! A run as a file, which others can judge: a line of JSON for the beginning and for the end of each operation, and for
//! each fault.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::load::clock;
use crate::trouble::{Because, Fallible};

pub(crate) mod forms;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Microseconds since the run began, by one clock that never goes back.
    pub(crate) time: u64,
    /// Who does it. A reader has one number for all that it reads of a room.
    pub(crate) process: usize,
    /// The beginning and the end of an operation have one number.
    pub(crate) op: u64,
    #[serde(rename = "type")]
    pub(crate) step: Step,
    pub(crate) room: usize,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// Where an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    Invoke,
    /// It is done.
    Ok,
    /// It is not done, and never will be.
    Fail,
    /// Nobody knows. Without an end it is the same.
    Unknown,
}

/// What is done. What is only known at the end is missing at the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub(crate) enum What {
    /// A message of this number is said. At the end it has a place in the room's log.
    Say(u32, Option<u64>),
    /// The end of a room's log is read. It fails if the room isn't there.
    Read(Option<Page>),
    /// A message loses its words.
    TakeBack(u32),
    /// Somebody gets a seat.
    Sit(String),
    /// Somebody's seat is given away.
    Leave(String),
    /// A note of this number, by a sender of this number, goes to the inbox that has the number of the room.
    Note(u32, u32),
    /// The owner of such an inbox blocks a sender.
    Block(u32),
    /// Such an inbox is read, from its first note to its last.
    Inbox(Option<Vec<u32>>),
    /// A conversation ends, which is a room of two.
    End,
    /// The owner of a personal page that has the number of the room is suspended, or is so no longer.
    Suspend(bool),
    /// Such a page is visited. Is it available?
    Visit(Option<bool>),
    /// Something fails, until the end of this.
    Fault(String),
    /// All is said, and nothing fails any more: whoever reads from here on is told all of it.
    Rest,
}

/// What was read: every message with its place, from a place on.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Page {
    pub(crate) from: u64,
    pub(crate) chats: Vec<(u64, u32)>,
}

/// The lines of a file.
pub(crate) fn lines_of(file: &Path) -> Fallible<impl Iterator<Item = Fallible<Line>>> {
    let opened = File::open(file).because(format!("can't read {}", file.display()))?;
    Ok((1..).zip(BufReader::new(opened).lines()).map(|(number, line): (usize, _)| {
        let line = line.because("can't read it to its end")?;
        serde_json::from_str(&line).because(format!("line {number} is no line of a history"))
    }))
}

/// The file of a run that goes on.
pub(crate) struct History(RefCell<Recording>);

struct Recording {
    /// Nobody wants one, if there is none.
    out: Option<BufWriter<File>>,
    begun: Instant,
    ops: u64,
    /// Why not all of it could be written.
    error: Option<std::io::Error>,
}

/// An operation that has begun.
#[derive(Debug, Clone)]
pub(crate) struct Op {
    process: usize,
    number: u64,
    room: usize,
}

impl History {
    pub(crate) fn begin(file: Option<&Path>) -> Fallible<Self> {
        let create = |path: &Path| File::create(path).because(format!("can't write {}", path.display()));
        let out = file.map(create).transpose()?.map(BufWriter::new);
        Ok(Self(RefCell::new(Recording { out, begun: clock::now(), ops: 0, error: None })))
    }

    pub(crate) fn invoke(&self, process: usize, room: usize, what: What) -> Op {
        let op = Op { process, number: self.0.borrow().ops, room };
        self.0.borrow_mut().ops += 1;
        self.end(&op, Step::Invoke, what);
        op
    }

    pub(crate) fn end(&self, op: &Op, step: Step, what: What) {
        let this = &mut *self.0.borrow_mut();
        let Some(out) = &mut this.out else { return };
        let time = u64::try_from(this.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let line = Line { time, process: op.process, op: op.number, step, room: op.room, what };
        let written = serde_json::to_writer(&mut *out, &line).map_err(Into::into).and_then(|()| out.write_all(b"\n"));
        if let Err(error) = written {
            this.error.get_or_insert(error);
        }
    }

    /// Whether all of it is in the file.
    pub(crate) fn close(&self) -> Fallible {
        let mut this = self.0.borrow_mut();
        let flushed = this.out.as_mut().map_or(Ok(()), Write::flush);
        this.error.take().map_or(flushed, Err).because("the history is not whole")
    }
}
