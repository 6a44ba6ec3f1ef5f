//! Whether anything gets slower the more notes are stored: the same server
//! takes more and more of them, and at each stage every call that a user
//! makes is timed, in turns with a server that has as many as at first.
//! Where a call's time grows, that is said.
//!
//! Left out: feedback, which can't be taken back; pictures, sockets and what
//! a creator does to a room, which know nothing of notes and have scenarios
//! of their own; changing and resetting a password, which hash as a sign-in
//! does and write what a sign-up writes.

use std::time::Duration;

use crate::args;
use crate::clock;
use crate::growth::fill::{Filler, INBOX};
use crate::growth::gauge::Gauge;
use crate::growth::round::{BATCH, QUIET, Visitor};
use crate::growth::size::Size;
use crate::growth::told::{Measured, Row, compared};
use crate::notes::check;
use crate::people::People;
use crate::report::Report;
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::view::View;

mod call;
pub(crate) mod fill;
mod gauge;
mod round;
mod size;
mod told;

/// Runs `annon-bench growth`.
pub(crate) async fn run(args: &args::Growth, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    if !args.notes.is_sorted_by(|earlier, later| earlier < later) {
        return Err(Trouble::because("--notes has to grow from one stage to the next: notes are only added"));
    }
    allow_connections(args.clients)?;
    let mut subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &mut subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn measure(
    args: &args::Growth,
    subject: &mut Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let most = args.notes.last().copied().unwrap_or(1);
    let mut people = sign_up(subject, most, args, stop).await?;
    report.set("inboxes", people.all.len() - QUIET);
    report.say(&format!(
        "{} inboxes of up to {INBOX} notes, the first filled first; then one connection makes every call {} times, \
         {BATCH} in a row; times in microseconds",
        people.all.len() - QUIET,
        args.calls
    ));
    let measured = match beside(args, subject, stop).await {
        Ok(beside) => {
            let measured = stages(args, &mut people, subject, beside.as_ref(), report, stop).await;
            let ended = match beside {
                Some((beside, _)) => beside.end().await,
                None => Ok(()),
            };
            cleared_up(measured, ended)
        }
        Err(trouble) => Err(trouble),
    };
    // Also after a failure: these are no accounts of anybody's.
    cleared_up(measured, people.leave().await)
}

/// As many accounts as so many notes need, and those whose inboxes stay
/// nearly empty.
async fn sign_up(subject: &Subject, notes: u64, args: &args::Growth, stop: &Stop) -> Result<People, Trouble> {
    People::sign_up(subject.address, notes.div_ceil(INBOX) as usize + QUIET, &args.against, stop).await
}

/// A second server, which keeps as many notes as the first stage has. What
/// the machine does besides slows both down, so the two can be compared on a
/// machine that is not quiet. Not beside a server of somebody else's.
async fn beside(args: &args::Growth, subject: &Subject, stop: &Stop) -> Result<Option<(Subject, People)>, Trouble> {
    let (Some(&notes), Some(_)) = (args.notes.first(), subject.folder()) else { return Ok(None) };
    let beside = stop.or(Subject::start(&args.against)).await?;
    let people = sign_up(&beside, notes, args, stop).await?;
    Filler::new(args.clients, people.all.len() - QUIET).fill(beside.address, &people, notes, stop).await?;
    Ok(Some((beside, people)))
}

async fn stages(
    args: &args::Growth,
    people: &mut People,
    subject: &mut Subject,
    beside: Option<&(Subject, People)>,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let mut filler = Filler::new(args.clients, people.all.len() - QUIET);
    let mut rows: Vec<Vec<Row>> = Vec::new();
    let mut ended = Ok(());
    for &notes in &args.notes {
        let measured = one(args, notes, (&mut filler, people), subject, beside, report, stop).await;
        match measured {
            Ok(measured) => rows.push(measured),
            Err(trouble) => {
                ended = Err(trouble);
                break;
            }
        }
    }
    // Also of a run that somebody ended: as far as it went.
    if let (Ok(()) | Err(Trouble::Interrupted), [first, .., last]) = (&ended, rows.as_slice()) {
        compared(first, last, report);
    }
    if ended == Err(Trouble::Interrupted) {
        report.say("What the inboxes hold is not checked.");
    }
    ended?;
    verify(&filler, people, subject, report, stop).await
}

/// One stage. What there is of one that somebody ended is told.
async fn one(
    args: &args::Growth,
    notes: u64,
    (filler, people): (&mut Filler, &mut People),
    subject: &mut Subject,
    beside: Option<&(Subject, People)>,
    report: &mut Report,
    stop: &Stop,
) -> Result<Vec<Row>, Trouble> {
    let (before, stored) = (clock::now(), filler.stored);
    report.say("");
    let mut ended = filler.fill(subject.address, people, notes, stop).await;
    let mut size = Size::of(filler.stored, filler.stored - stored, before.elapsed(), subject);
    let mut rounds = Rounds::none(args.calls.div_ceil(BATCH));
    if ended.is_ok() {
        let quiet = async {
            size::quiet(subject).await;
            Ok(())
        };
        ended = stop.or(quiet).await;
    }
    if ended.is_ok() {
        rounds.make((subject, people), beside, stop).await?;
        // A killed server shows whether what it has acknowledged is on disk.
        if rounds.is_whole && subject.folder().is_some() {
            let killed = stop.or(size::kill_and_wait(subject)).await;
            people.follow(subject.address);
            ended = killed.map(|took| size.ready_after = Some(took));
        }
    }
    match ended {
        Err(trouble @ Trouble::Because(_)) => return Err(trouble),
        Err(Trouble::Interrupted) if filler.stored == stored => return Err(Trouble::Interrupted),
        _ => {}
    }
    report.say(&size.line());
    report.push("sizes", size);
    let (is_whole, unfinished) = (rounds.is_whole && ended.is_ok(), rounds.unfinished());
    let rows = told::rows(notes, rounds.measured);
    if !rows.is_empty() {
        told::show(&rows, report);
        rows.iter().for_each(|row| report.push("calls", row));
    }
    if is_whole {
        return Ok(rows);
    }
    // Of a filling that was ended it is told already.
    if filler.stored == notes {
        report.say(&unfinished);
    }
    Err(Trouble::Interrupted)
}

/// All calls, round by round, so that what disturbs one disturbs all. A round
/// is never cut short.
struct Rounds {
    wanted: usize,
    made: usize,
    /// Whether all were made, and what they wrote was taken back.
    is_whole: bool,
    measured: Measured,
}

impl Rounds {
    fn none(wanted: usize) -> Self {
        Self { wanted, made: 0, is_whole: false, measured: Measured::default() }
    }

    /// Makes them, until somebody ends it. What was written then goes with
    /// the accounts.
    async fn make(
        &mut self,
        (subject, people): (&Subject, &People),
        beside: Option<&(Subject, People)>,
        stop: &Stop,
    ) -> Result<(), Trouble> {
        let mut visitors = vec![Visitor::begin(people, subject).await?];
        if let Some((subject, people)) = beside {
            visitors.push(Visitor::begin(people, subject).await?);
        }
        for visitor in &mut visitors {
            visitor.warm_up().await?;
        }
        let mut view = View::new(Duration::ZERO);
        while self.made < self.wanted && !stop.is_asked() {
            let words = format!("every call, round {} of {}", self.made + 1, self.wanted);
            view.show_share(self.made as f64 / self.wanted as f64, &words);
            for visitor in &mut visitors {
                visitor.round().await?;
            }
            self.made += 1;
        }
        while visitors.iter().any(Visitor::has_sent) && !stop.is_asked() {
            for visitor in &mut visitors {
                visitor.take_back().await?;
            }
        }
        self.is_whole = self.made == self.wanted && !visitors.iter().any(Visitor::has_sent);
        let mut gauges = visitors.into_iter().map(|visitor| visitor.gauge);
        let here = gauges.next().map(Gauge::costs).unwrap_or_default();
        self.measured = Measured { here, beside: gauges.next().map(Gauge::costs) };
        Ok(())
    }

    fn unfinished(&self) -> String {
        let Self { made, wanted, .. } = self;
        if made == wanted {
            format!("    Unfinished: all {wanted} rounds of calls were made, but not everything after them.")
        } else {
            format!("    Unfinished: {made} of {wanted} rounds of calls were made.")
        }
    }
}

async fn verify(
    filler: &Filler,
    people: &People,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let verdict = stop.or(check::check(&filler.post(subject.address, people), &filler.ledger)).await?;
    report.say("");
    verdict.lines().iter().for_each(|line| report.say(line));
    let is_right = verdict.is_right();
    report.set("check", verdict);
    Ok(if is_right { Finding::Right } else { Finding::Wrong })
}
