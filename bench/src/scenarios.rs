//! What can be measured: each a plan of load with its flags, and rows of a
//! report.

use std::rc::Rc;
use std::time::Duration;

use crate::args::{Against, On, Scenario};
use crate::load::{Address, Outcome, Pace, People, Person, Rate, Stop, Subject, allow_connections, rooms};
use crate::report::{Columns, Report, Row};
use crate::trouble::Fallible;

pub(crate) mod chat;
pub(crate) mod churn;
pub(crate) mod fanout;
pub(crate) mod images;
pub(crate) mod login;
pub(crate) mod mixed;
pub(crate) mod notes;
pub(crate) mod pages;
pub(crate) mod start;
pub(crate) mod storm;

/// A run against a server, and what it has made there.
pub(crate) struct Run<'a> {
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

    async fn sign_up(&self, count: usize) -> Fallible<Vec<Person>> {
        self.people.sign_up(self.address(), count, self.stop).await
    }

    async fn rooms(&self, count: usize) -> Fallible<Vec<String>> {
        rooms::make(&self.people, self.address(), count, self.stop).await
    }

    /// Runs clients until a stage is over, at a rate or each as soon as it has
    /// its answer.
    async fn stage<T, F: Future<Output = ()> + 'static>(
        &self,
        rate: Option<Rate>,
        length: Duration,
        clients: impl IntoIterator<Item = T>,
        work: impl Fn(T, Rc<Pace>) -> F,
    ) -> Fallible<Outcome> {
        let pace = Pace::new(rate)?;
        let clients = clients.into_iter().map(|client| work(client, pace.clone()));
        pace.stage(length, clients, &self.subject, self.stop).await
    }

    /// Shows a row of a stage and judges it: an error if it was the last one.
    async fn judged(&mut self, columns: Columns, row: Row, outcome: &Outcome) -> Fallible {
        self.report.row("stages", columns, row.remarks(outcome.remarks()));
        self.stop.check()?;
        outcome.judge(&self.subject).await
    }
}

/// Runs a scenario, and clears up after it.
pub(crate) async fn run(scenario: &Scenario, report: &mut Report, stop: &Stop) -> Fallible {
    let (against, connections) = match scenario {
        Scenario::Fanout(On { against, load }) => (against, most(&load.rooms) * load.members),
        Scenario::Idle(On { against, load }) => (against, most(&load.connections)),
        Scenario::Storm(On { against, load }) => (against, 2 * most(&load.rooms) * load.members),
        Scenario::Churn(On { against, load }) => (against, 2 * most(&load.clients)),
        Scenario::Notes(On { against, load }) => (against, most(&load.clients)),
        Scenario::Login(On { against, load }) => (against, login::CONNECTIONS + most(&load.clients)),
        Scenario::Images(On { against, load }) => (against, most(&load.clients)),
        Scenario::Mixed(On { against, .. }) => (against, mixed::CONNECTIONS),
        Scenario::Pages(On { against, .. }) => (against, pages::CONNECTIONS),
        Scenario::Start(start) => return start.run(report, stop).await,
        Scenario::Chat(chat) => return chat.run(stop).await,
    };
    allow_connections(connections)?;
    let subject = stop.or(Subject::prepare(against, report)).await?;
    let people = People::new(against.url.is_some());
    let mut run = Run { against, subject, people, report, stop };
    let measured = match scenario {
        Scenario::Fanout(on) => on.load.measure(&mut run).await,
        Scenario::Idle(on) => on.load.measure(&mut run).await,
        Scenario::Storm(on) => on.load.measure(&mut run).await,
        Scenario::Churn(on) => on.load.measure(&mut run).await,
        Scenario::Notes(on) => on.load.measure(&mut run).await,
        Scenario::Login(on) => on.load.measure(&mut run).await,
        Scenario::Images(on) => on.load.measure(&mut run).await,
        Scenario::Mixed(on) => on.load.measure(&mut run).await,
        Scenario::Pages(on) => on.load.measure(&mut run).await,
        Scenario::Start(_) | Scenario::Chat(_) => Ok(()),
    };
    // Also after a failure: these are no accounts of anybody's. What was
    // measured counts more than whether this succeeds.
    let left = run.people.leave(run.address()).await;
    measured.and(left).and(run.subject.end().await)
}

fn most(counts: &[usize]) -> usize {
    counts.iter().copied().max().unwrap_or(0)
}
