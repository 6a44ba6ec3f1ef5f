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
    let measured = match stop.or(beside(args, subject, stop)).await {
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
    let beside = Subject::start(&args.against).await?;
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
    for &notes in &args.notes {
        let before = clock::now();
        let filled = filler.fill(subject.address, people, notes, stop).await?;
        let mut size = Size::of(notes, filled, before.elapsed(), subject);
        stop.or(async {
            size::quiet(subject).await;
            Ok(())
        })
        .await?;
        let (measured, is_interrupted) = calls(args.calls.div_ceil(BATCH), (subject, people), beside, stop).await?;
        // A killed server shows whether what it has acknowledged is on disk.
        if !is_interrupted && subject.folder().is_some() {
            size.ready_after = Some(stop.or(size::kill_and_wait(subject)).await?);
            people.follow(subject.address);
        }
        report.say(&format!("\n{}", size.line()));
        let measured = told::rows(notes, measured);
        told::show(&measured, report);
        report.push("sizes", size);
        measured.iter().for_each(|row| report.push("calls", row));
        rows.push(measured);
        if is_interrupted {
            report.say("Interrupted: what the inboxes hold is not checked.");
            return Err(Trouble::Interrupted);
        }
    }
    if let [first, .., last] = rows.as_slice() {
        compared(first, last, report);
    }
    verify(&filler, people, subject, report, stop).await
}

/// Makes all calls, round by round, so that what disturbs one disturbs all.
/// A round is never cut short. The flag tells whether Ctrl-C came.
async fn calls(
    rounds: usize,
    (subject, people): (&Subject, &People),
    beside: Option<&(Subject, People)>,
    stop: &Stop,
) -> Result<(Measured, bool), Trouble> {
    let mut visitors = vec![Visitor::begin(people, subject).await?];
    if let Some((subject, people)) = beside {
        visitors.push(Visitor::begin(people, subject).await?);
    }
    for visitor in &mut visitors {
        visitor.warm_up().await?;
    }
    let (mut view, mut is_interrupted) = (View::new(Duration::ZERO), false);
    for round in 0..rounds {
        view.show_share(round as f64 / rounds as f64, &format!("every call, round {} of {rounds}", round + 1));
        for visitor in &mut visitors {
            visitor.round().await?;
        }
        is_interrupted = stop.is_asked();
        if is_interrupted {
            break;
        }
    }
    while visitors.iter().any(Visitor::has_sent) {
        for visitor in &mut visitors {
            visitor.take_back().await?;
        }
    }
    drop(view);
    let mut gauges = visitors.into_iter().map(|visitor| visitor.gauge);
    let here = gauges.next().map(Gauge::costs).unwrap_or_default();
    Ok((Measured { here, beside: gauges.next().map(Gauge::costs) }, is_interrupted))
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
