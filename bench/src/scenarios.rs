//! What can be measured. Each scenario has its flags, its load and its rows of the report.

use std::rc::Rc;
use std::time::Duration;

use clap::Subcommand;

use crate::args::{Against, On};
use crate::history::forms::Convert;
use crate::judge;
use crate::load::{Address, Pace, People, PerSecond, Person, StageOutcome, Stop, Subject, allow_connections, rooms};
use crate::report::{Columns, Report, Row};
use crate::trouble::Fallible;

pub(crate) mod chat;
pub(crate) mod churn;
pub(crate) mod cluster;
pub(crate) mod conversations;
pub(crate) mod fanout;
pub(crate) mod images;
pub(crate) mod login;
pub(crate) mod mixed;
pub(crate) mod notes;
pub(crate) mod pages;
pub(crate) mod shield;
pub(crate) mod start;
pub(crate) mod storm;

#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Rooms full of members: what a delivery costs and how long it takes.
    ///
    /// One send is delivered to every member of the room. A latency ends when
    /// a member has received the message. Processor time is in seconds for a
    /// million deliveries, memory in KiB that each connection added. `wrong`
    /// counts messages that were lost, doubled, out of order or never sent.
    Fanout(On<fanout::Fanout>),
    /// Idle connections: the memory of each.
    Idle(On<fanout::Idle>),
    /// All members lose their connections at once, and reconnect.
    ///
    /// Times count from the loss until a member is connected again and has
    /// received what it missed. `tries` are handshakes that failed before. `not
    /// resumed` were told to load the room again. `wrong` received something
    /// else than what they had missed, or never reconnected.
    Storm(On<storm::Storm>),
    /// Members who join, connect and leave again.
    Churn(On<churn::Churn>),
    /// Anonymous notes: sends per second, and whether each arrives once.
    ///
    /// `sends/commit` is how many notes shared one disk sync. `disk fsyncs/s`
    /// is what the disk did alone just before: 4 KiB appended, the fastest
    /// tenth. `× one sync each` is sends per second divided by that.
    Notes(On<notes::Notes>),
    /// Conversations beside groups of two: what a line costs, and what a message.
    ///
    /// Both have the same rate and both sides online. A latency ends when one
    /// of the two has received it. Processor time is for each delivery, of
    /// which there are two.
    Conversations(On<conversations::Conversations>),
    /// Inboxes under their shield: known tags, a flood of fresh ones, and work.
    ///
    /// Notes with known tags and plain ones take turns. Then plain notes
    /// trickle to other inboxes, in `calm` and beside a `flood` of notes from
    /// fresh tags without work: `let in` counts those of the flood that were
    /// not refused. At last come notes with work.
    Shield(On<shield::Shield>),
    /// Sign-ins, and how much they slow down a user who is signed in.
    ///
    /// A user asks for a dashboard and a room chats: `quiet` is before the
    /// flood of sign-ins, `flood` during it. `busy/s` were refused with 503,
    /// which is a correct answer; `failed` got no correct answer.
    Login(On<login::Login>),
    /// Pictures: uploads and downloads per second.
    Images(On<images::Images>),
    /// A realistic day: all kinds of calls at once, each at its own rate.
    Mixed(On<mixed::Mixed>),
    /// How the time for a page of an inbox, or of a group, grows with what is
    /// in it, and how every call grows with the notes that are stored.
    ///
    /// Without --notes, --messages or --stored it measures inboxes of 50, 1000
    /// and 10000 notes and groups of 200, 1000, 5000 and 10000 messages.
    Pages(On<pages::Pages>),
    /// Time from starting the server to its first answer.
    Start(start::Start),
    /// Servers on one database, killed and cut off while groups chat.
    ///
    /// PostgreSQL with a standby, and the servers, are started for the run.
    /// `back` counts from a lost socket until the member has what it missed;
    /// `ghosts` from a server's death until nobody is shown a member who died
    /// with it; `echo` from sending until the acknowledgement. Afterwards
    /// everything that was received is compared with what was acknowledged,
    /// and with the log.
    Cluster(cluster::Cluster),
    /// Judges what `cluster --history FILE` has written.
    ///
    /// It asks whether one order of each group explains all that every reader
    /// was told: nothing acknowledged is missing, nothing is there twice, or
    /// that failed, or that was taken back, and no reader goes back.
    Judge(judge::Judge),
    /// Writes such a history as other programs read it, to the standard output.
    History(Convert),
    /// Take part in a group: send lines from the keyboard, and print what
    /// arrives.
    Chat(chat::Chat),
}

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
        rooms::make(&self.people, self.address(), (count, false), self.stop).await
    }

    async fn sealed_rooms(&self, count: usize) -> Fallible<Vec<String>> {
        rooms::make(&self.people, self.address(), (count, true), self.stop).await
    }

    /// Runs clients until a stage is over: at a rate, or each as soon as it has its answer.
    async fn stage<T, F: Future<Output = ()> + 'static>(
        &self,
        rate: Option<PerSecond>,
        length: Duration,
        clients: impl IntoIterator<Item = T>,
        work: impl Fn(T, Rc<Pace>) -> F,
    ) -> Fallible<StageOutcome> {
        let pace = Pace::new(rate)?;
        let clients = clients.into_iter().map(|client| work(client, pace.clone()));
        pace.stage(length, clients, &self.subject, self.stop).await
    }

    /// Prints a stage's row and judges the stage. Returns an error if it must be the last one.
    async fn judged(&mut self, columns: Columns, row: Row, outcome: &StageOutcome) -> Fallible {
        self.report.row("stages", columns, row.remarks(outcome.remarks()));
        self.stop.check()?;
        outcome.judge(&self.subject).await
    }
}

/// Runs a scenario, and removes afterwards what it made.
pub(crate) async fn run(scenario: &Scenario, report: &mut Report, stop: &Stop) -> Fallible {
    let (against, connections) = match scenario {
        Scenario::Fanout(On { against, load }) => (against, most(&load.rooms) * load.members),
        Scenario::Idle(On { against, load }) => (against, most(&load.connections)),
        Scenario::Storm(On { against, load }) => (against, 2 * most(&load.rooms) * load.members),
        Scenario::Churn(On { against, load }) => (against, 2 * most(&load.clients)),
        Scenario::Notes(On { against, load }) => (against, most(&load.clients)),
        Scenario::Conversations(On { against, load }) => (against, load.connections()),
        Scenario::Shield(On { against, load }) => (against, load.connections()),
        Scenario::Login(On { against, load }) => (against, login::CONNECTIONS + most(&load.clients)),
        Scenario::Images(On { against, load }) => (against, most(&load.clients)),
        Scenario::Mixed(On { against, .. }) => (against, mixed::CONNECTIONS),
        Scenario::Pages(On { against, .. }) => (against, pages::CONNECTIONS),
        Scenario::Start(start) => return start.run(report, stop).await,
        Scenario::Cluster(cluster) => return cluster.run(report, stop).await,
        Scenario::Judge(judge) => return judge.run(report),
        Scenario::History(convert) => return convert.run(),
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
        Scenario::Conversations(on) => on.load.measure(&mut run).await,
        Scenario::Shield(on) => on.load.measure(&mut run).await,
        Scenario::Login(on) => on.load.measure(&mut run).await,
        Scenario::Images(on) => on.load.measure(&mut run).await,
        Scenario::Mixed(on) => on.load.measure(&mut run).await,
        Scenario::Pages(on) => on.load.measure(&mut run).await,
        Scenario::Start(_) | Scenario::Cluster(_) | Scenario::Judge(_) | Scenario::History(_) | Scenario::Chat(_) => {
            Ok(())
        }
    };
    // The accounts are deleted also after a failure, because they belong to nobody. The
    // measurement's error counts more than an error here.
    let left = run.people.leave(run.address()).await;
    measured.and(left).and(run.subject.end().await)
}

fn most(counts: &[usize]) -> usize {
    counts.iter().copied().max().unwrap_or(0)
}
