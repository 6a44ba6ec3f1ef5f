//! What can be measured: each a plan of load, and rows of a report.

use crate::args::{Against, Scenario};
use crate::load::people::{People, Person};
use crate::load::rooms;
use crate::load::stage::Outcome;
use crate::load::stop::Stop;
use crate::load::subject::{Subject, allow_connections};
use crate::load::target::Address;
use crate::report::{Report, Row};
use crate::trouble::{Trouble, cleared_up};

mod chat;
mod churn;
mod fanout;
mod idle;
mod images;
mod login;
mod mixed;
mod notes;
mod pages;
mod start;
mod storm;

/// A run against a server, and what it has made there.
struct Run<'a> {
    against: &'a Against,
    subject: Subject,
    people: People,
    report: &'a mut Report,
    stop: &'a Stop,
}

impl Run<'_> {
    fn address(&self) -> Address {
        self.subject.address
    }

    async fn sign_up(&self, count: usize) -> Result<Vec<Person>, Trouble> {
        self.people.sign_up(self.address(), count, self.stop).await
    }

    async fn rooms(&self, count: usize) -> Result<Vec<String>, Trouble> {
        rooms::make(&self.people, self.address(), count, self.stop).await
    }

    /// Shows a row of a stage and judges it: an error if it was the last one.
    async fn judged(&mut self, row: Row, outcome: &Outcome) -> Result<(), Trouble> {
        self.report.row("stages", row.remarks(outcome.remarks()));
        self.stop.check()?;
        outcome.judge(&self.subject).await
    }
}

/// Runs a scenario against a server, and clears up after it.
pub(crate) async fn run(scenario: &Scenario, report: &mut Report, stop: &Stop) -> Result<(), Trouble> {
    let (against, connections, is_bare) = match scenario {
        Scenario::Fanout(args) => (&args.against, most(&args.rooms) * args.members, args.bare),
        Scenario::Idle(args) => (&args.against, most(&args.connections), args.bare),
        Scenario::Storm(args) => (&args.against, 2 * most(&args.rooms) * args.members, false),
        Scenario::Churn(args) => (&args.against, 2 * most(&args.clients), false),
        Scenario::Notes(args) => (&args.against, most(&args.clients), false),
        Scenario::Login(args) => (&args.against, login::CONNECTIONS + most(&args.clients), false),
        Scenario::Images(args) => (&args.against, most(&args.clients), false),
        Scenario::Mixed(args) => (&args.against, mixed::connections(args)?, false),
        Scenario::Pages(args) => (&args.against, pages::CONNECTIONS, false),
        Scenario::Start(args) => return start::run(args, report, stop).await,
        Scenario::Chat(_) => return Ok(()),
    };
    allow_connections(connections)?;
    let subject = stop.or(Subject::prepare(against, is_bare, report)).await?;
    let people = People::new(against.url.is_some(), against.keep);
    let mut run = Run { against, subject, people, report, stop };
    let measured = match scenario {
        Scenario::Fanout(args) => fanout::measure(args, &mut run).await,
        Scenario::Idle(args) => idle::measure(args, &mut run).await,
        Scenario::Storm(args) => storm::measure(args, &mut run).await,
        Scenario::Churn(args) => churn::measure(args, &mut run).await,
        Scenario::Notes(args) => notes::measure(args, &mut run).await,
        Scenario::Login(args) => login::measure(args, &mut run).await,
        Scenario::Images(args) => images::measure(args, &mut run).await,
        Scenario::Mixed(args) => mixed::measure(args, &mut run).await,
        Scenario::Pages(args) => pages::measure(args, &mut run).await,
        Scenario::Start(_) | Scenario::Chat(_) => Ok(()),
    };
    // Also after a failure: these are no accounts of anybody's.
    let left = run.people.leave(run.subject.address).await;
    cleared_up(cleared_up(measured, left), run.subject.end().await)
}

fn most(counts: &[usize]) -> usize {
    counts.iter().copied().max().unwrap_or(0)
}

/// Runs what measures nothing.
pub(crate) async fn without_report(scenario: &Scenario) -> Result<(), Trouble> {
    match scenario {
        Scenario::Chat(args) => chat::run(args, &Stop::listen()?).await,
        _ => {
            mixed::print();
            Ok(())
        }
    }
}
