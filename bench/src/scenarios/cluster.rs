//! Several servers on one database, while servers, ways and the database fail by a seed: whether
//! everything that was acknowledged is there once and in its order, and how soon everybody is back.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::args::{CLIENTS, ROOMS, Started, rate, seconds, whole};
use crate::history::{History, Step, What};
use crate::load::{Address, Client, LOST, People, PerSecond, Stop, allow_connections, clock, frames, process, rooms};
use crate::report::{Columns, Report, Row, print_line, print_remark};
use crate::trouble::{Fallible, Trouble};

mod chance;
mod chaos;
mod databases;
mod door;
mod guests;
mod happening;
mod letters;
mod member;
mod nats;
mod nodes;
mod pairs;
mod patroni;
mod readers;
mod record;
mod taking;

use chance::Chance;
use chaos::{Chaos, Trial};
use databases::Databases;
use member::Member;
use nats::Nats;
use nodes::Nodes;

const COLUMNS: Columns = &[
    &["what", "times", "lost sockets = back/count", "back p50 ms = back/p50", "back p99 ms = back/p99"],
    &["last back ms = back/max", "ghosts p50 ms = ghosts/p50", "ghosts max ms = ghosts/max"],
    &["echo p50 ms = echo/p50", "echo p99 ms = echo/p99", "echo max ms = echo/max"],
    &["elsewhere p50 ms = elsewhere/p50", "elsewhere p99 ms = elsewhere/p99", "refused"],
];
/// How long everybody may take to be back, and to have everything, before the next trouble and at
/// the end.
const PATIENCE: Duration = Duration::from_secs(90);

/// What the servers use.
struct Others {
    databases: Databases,
    nats: Option<Nats>,
}

/// Faults that happen one after the other, in an order by the seed.
#[derive(Debug, Args)]
pub(crate) struct Cluster {
    #[command(flatten)]
    started: Started,
    /// Servers.
    #[arg(long, value_name = "N", default_value = "3", value_parser = whole::<1, 20>)]
    nodes: usize,
    /// The members of a group go to one server, as the balancers do it that come with Annon. Otherwise each goes to the next.
    #[arg(long)]
    together: bool,
    /// Groups.
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<1, ROOMS>)]
    rooms: usize,
    /// Members in each group.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<2, { member::SEATS }>)]
    members: usize,
    /// Messages a second over all groups.
    #[arg(long, value_name = "N", default_value = "400", value_parser = rate)]
    rate: PerSecond,
    /// Gives the same faults in the same order again.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Seconds in which nothing fails, before the first trouble.
    #[arg(long, value_name = "N", default_value = "1", value_parser = seconds)]
    calm: Duration,
    /// How often a server is killed.
    #[arg(long, value_name = "N", default_value = "3")]
    kills: usize,
    /// How often a server is paused for 3 to 20 seconds.
    #[arg(long, value_name = "N", default_value = "1")]
    pauses: usize,
    /// How often a server is cut off from the databases, or nothing passes, for 2 to 15 seconds.
    #[arg(long, value_name = "N", default_value = "2")]
    partitions: usize,
    /// The servers hear of each other through NATS, and NATS is killed and cut off as well.
    #[arg(long)]
    nats: bool,
    /// With --nats: how often NATS is killed, and is away for up to 5 seconds.
    #[arg(long, value_name = "N", default_value = "1")]
    nats_kills: usize,
    /// With --nats: how often a server is cut off from NATS and so from the other servers, or
    /// nothing passes, for 2 to 15 seconds.
    #[arg(long, value_name = "N", default_value = "1")]
    deafnesses: usize,
    /// How often the database crashes and starts again.
    #[arg(long, value_name = "N", default_value = "1")]
    restarts: usize,
    /// How often the keys' database crashes and starts again.
    #[arg(long, value_name = "N", default_value = "1")]
    keys_restarts: usize,
    /// How often the standby takes the place of a primary that has crashed for good.
    #[arg(long, value_name = "N", default_value = "1")]
    promotions: usize,
    /// How often the standby crashes, and then the primary: once and, without having been heard by a standby, for good.
    #[arg(long, value_name = "N", default_value = "0")]
    both: usize,
    /// The same, and before the primary is gone somebody cancels the waits for the standby. What was not acknowledged may
    /// be read then and lost later.
    #[arg(long, value_name = "N", default_value = "0")]
    cancels: usize,
    /// No commit waits for the standby, so that what was acknowledged may be lost: the judge has to find it.
    #[arg(long)]
    asynchronous: bool,
    /// Patroni says which server of the database is the primary, with etcd, as deploy/patroni.yml
    /// has it. One server in two reaches it through HAProxy.
    #[arg(long)]
    patroni: bool,
    /// With --patroni: how often primary and standby change places.
    #[arg(long, value_name = "N", default_value = "1")]
    switchovers: usize,
    /// With --patroni: how often the primary loses its Patroni and does not know of the new one.
    #[arg(long, value_name = "N", default_value = "1")]
    old_primaries: usize,
    /// How often all servers are stopped and started, one after the other.
    #[arg(long, value_name = "N", default_value = "1")]
    upgrades: usize,
    /// Write all that is done and read to this file, for `annon-bench judge`. Each server is read by a reader of its own.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
}

impl Cluster {
    pub(super) async fn run(&self, report: &mut Report, stop: &Stop) -> Fallible {
        allow_connections(8 * self.rooms * self.members)?;
        if self.rooms * self.members > CLIENTS {
            return Trouble::because("that are too many members for one machine");
        }
        let history = History::begin(self.history.as_deref())?;
        let within = self.started.folder()?;
        report.data_is_in(within.path());
        print_line(&format!(
            "{} servers, {} groups of {}, {} messages a second, seed {}; servers and databases fail in turn",
            self.nodes, self.rooms, self.members, self.rate.0, self.seed
        ));
        let databases = stop.or(Databases::start(within, self.patroni, !self.asynchronous)).await?;
        let nats = if self.nats { Some(stop.or(Nats::start()).await?) } else { None };
        let nodes =
            stop.or(Nodes::start((self.nodes, self.together), &self.started, &databases, nats.as_ref())).await?;
        let mut others = Others { databases, nats };
        let (chaos, members) = self.fill(nodes, history, stop).await?;
        let mut tasks = JoinSet::new();
        let (looking, knocking) = (chaos.clone(), chaos.clone());
        tasks.spawn_local(async move { looking.nodes.look().await });
        if self.history.is_some() {
            readers::read_all(&chaos, &members, &mut tasks);
            stop.or(self.begin_others(&chaos, &members, &mut tasks, stop)).await?;
        }
        if self.members == member::SEATS {
            tasks.spawn_local(async move { knocking.knock().await });
        }
        for member in &members {
            tasks.spawn_local(member.clone().stay(chaos.clone()));
            tasks.spawn_local(member.clone().talk(chaos.clone()));
        }
        let ended = stop.or(self.trials(&chaos, &members, &mut others, report)).await;
        chaos.is_over.set(true);
        let rested = match &ended {
            Ok(()) => stop.or(rest(&chaos, &members)).await,
            Err(_) => Ok(()),
        };
        let checked = match ended.and(rested) {
            Ok(()) => stop.or(check(&chaos, &members)).await,
            trouble => trouble,
        };
        tasks.shutdown().await;
        if self.history.is_some() && checked.is_ok() {
            chaos.history.invoke(chaos::NOBODY, 0, What::Rest);
            readers::read_at_last(&chaos, &members).await;
        }
        chaos.history.close()?;
        self.report(&chaos, &members, report);
        for (at, node) in chaos.nodes.all.iter().enumerate() {
            node.go_on().ok();
            for (error, count) in node.errors() {
                print_remark(&format!("node {at} logged {count} × {error}"));
            }
        }
        checked?;
        if chaos.faults.borrow().count() > 0 {
            return Err(Trouble::Wrong);
        }
        report.checked("everything that was acknowledged is there, once, in the same order for all.");
        Ok(())
    }

    async fn fill(&self, nodes: Nodes, history: History, stop: &Stop) -> Fallible<(Rc<Chaos>, Vec<Rc<Member>>)> {
        let Some((_, address)) = nodes.next() else { return Trouble::because("no server is ready") };
        let people = People::new(false);
        let (rooms, owners) = rooms::make_owned(&people, address, (self.rooms, false), stop).await?.into_iter().unzip();
        let count = self.rooms * self.members;
        let chaos = Rc::new(Chaos {
            nodes,
            rooms,
            owners,
            each_sends_every: Duration::from_secs_f64(count as f64 / self.rate.0),
            chance: Chance::new(self.seed),
            is_over: Cell::new(false),
            now: Cell::new(Trial::Calm),
            fared: RefCell::default(),
            origins: RefCell::default(),
            faults: RefCell::default(),
            history,
            saying: RefCell::default(),
            others: Cell::default(),
            taken: RefCell::default(),
        });
        let fill = async |room: usize| {
            let mut members = Vec::with_capacity(self.members);
            for seat in 0..self.members {
                let Some((_, address)) = chaos.nodes.of(room) else { return Trouble::because("no server is ready") };
                let op = chaos.history.invoke(chaos.process_of(room, seat), room, What::Sit(String::new()));
                let taken = Client::new(address).seat(&chaos.rooms[room], None).await?;
                chaos.history.end(&op, Step::Ok, What::Sit(taken.emoji.clone()));
                members.push(Rc::new(Member::new(room, seat, taken.emoji, taken.cookie)));
            }
            Ok(members)
        };
        let members = stop.each("groups are filled", self.rooms, rooms::AT_ONCE, fill).await?;
        Ok((chaos.clone(), members.into_iter().flatten().collect()))
    }

    /// What goes on beside the members' groups, for the history.
    async fn begin_others(
        &self,
        chaos: &Rc<Chaos>,
        members: &[Rc<Member>],
        tasks: &mut JoinSet<()>,
        stop: &Stop,
    ) -> Fallible {
        let Some((_, address)) = chaos.nodes.next() else { return Trouble::because("no server is ready") };
        let mut people = People::new(false).sign_up(address, 5, stop).await?;
        let mut tokens = Vec::with_capacity(people.len());
        for person in &people {
            tokens.push(person.token(address).await?);
        }
        letters::write_and_read(chaos, &people[0], tokens[0].clone(), tasks);
        letters::write_and_read(chaos, &people[1], tokens[1].clone(), tasks);
        letters::suspend_and_visit(chaos, &people[2], tasks);
        tasks.spawn_local(guests::come_and_go(chaos.clone(), tokens[3].clone()));
        tasks.spawn_local(taking::take_back(chaos.clone(), members.to_vec()));
        tasks.spawn_local(pairs::talk(chaos.clone(), people.remove(4), tokens[4].clone()));
        Ok(())
    }

    /// All trials, in an order by chance.
    async fn trials(
        &self,
        chaos: &Chaos,
        members: &[Rc<Member>],
        others: &mut Others,
        report: &mut Report,
    ) -> Fallible {
        let counts = [
            (Trial::Kill, self.kills),
            (Trial::Pause, self.pauses),
            (Trial::Partition, self.partitions),
            (Trial::NatsKill, if self.nats { self.nats_kills } else { 0 }),
            (Trial::Deafness, if self.nats { self.deafnesses } else { 0 }),
            (Trial::Restart, self.restarts),
            (Trial::KeysRestart, self.keys_restarts),
            (Trial::Promotion, self.promotions),
            (Trial::Both, if self.patroni { 0 } else { self.both }),
            (Trial::Cancels, if self.patroni { 0 } else { self.cancels }),
            (Trial::SwitchOver, if self.patroni { self.switchovers } else { 0 }),
            (Trial::OldPrimary, if self.patroni { self.old_primaries } else { 0 }),
            (Trial::Upgrade, self.upgrades),
        ];
        let mut trials: Vec<_> = counts.into_iter().flat_map(|(trial, count)| vec![trial; count]).collect();
        chaos.chance.shuffle(&mut trials);
        rest(chaos, members).await?;
        chaos.fared.borrow_mut().clear();
        let (sent, used) = (sent_by(members), chaos.nodes.processor_time());
        sleep(self.calm).await;
        let (sent, used) = (sent_by(members) - sent, chaos.nodes.processor_time().zip(used));
        if let Some(each) = process::each(used.and_then(|(now, before)| now.checked_sub(before)), sent as u64) {
            report.set("server_cpu_each", each);
            print_line(&format!("In calm, a message costs all servers together {each:.0} µs of processor time."));
        }
        for trial in trials {
            chaos.now.set(Trial::Calm);
            sleep(chaos.chance.between(Duration::from_secs(1), Duration::from_secs(2))).await;
            chaos.now.set(trial);
            chaos.in_trial(trial, |fared| fared.times += 1);
            let trouble = || What::Fault(trial.name().to_owned());
            let op = chaos.history.invoke(chaos::NOBODY, 0, trouble());
            happening::happen(trial, chaos, members, others).await?;
            chaos.history.end(&op, Step::Ok, trouble());
            rest(chaos, members).await?;
        }
        chaos.now.set(Trial::Calm);
        Ok(())
    }

    fn report(&self, chaos: &Chaos, members: &[Rc<Member>], report: &mut Report) {
        report.set("seed", self.seed);
        report.set("sent", sent_by(members));
        report.set("received", members.iter().map(|member| member.received.borrow().len()).sum::<usize>());
        for (trial, fared) in chaos.fared.borrow().iter() {
            let refused: u64 = fared.refused.values().sum();
            let row = Row::default().with("what", trial.name()).with("times", fared.times);
            let row = row.with("back", fared.back.summary()).with("echo", fared.echo.summary());
            let row = row.with("elsewhere", fared.elsewhere.summary());
            let ghosts = fared.ghosts.summary();
            let row = row.with("ghosts", Some(ghosts).filter(|ghosts| ghosts.count > 0)).with("refused", refused);
            let why = fared.refused.iter().map(|(why, count)| format!("{count} × {why}")).collect();
            report.row("trials", COLUMNS, row.remarks(why));
        }
        let faults = chaos.faults.borrow();
        report.set("faults", &*faults);
        faults.lines().iter().for_each(|line| print_remark(line));
    }
}

/// How many messages the members have sent.
fn sent_by(members: &[Rc<Member>]) -> usize {
    members.iter().map(|member| member.sent.borrow().len()).sum()
}

/// Waits until everybody is connected. When the run is over, also until everything is echoed.
async fn rest(chaos: &Chaos, members: &[Rc<Member>]) -> Fallible {
    let begun = clock::now();
    let is_well = |member: &&Rc<Member>| if chaos.is_over.get() { member.is_at_rest() } else { member.is_there() };
    loop {
        let well = members.iter().filter(is_well).count();
        if well == members.len() {
            break;
        }
        if begun.elapsed() > PATIENCE {
            let what = if chaos.is_over.get() { "have no echo for what they sent" } else { "are not back" };
            let missing = members.len() - well;
            chaos.fault(LOST, || format!("{missing} members {what} after {} s", PATIENCE.as_secs()));
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    if chaos.is_over.get() {
        // What was echoed to one may still be on its way to another.
        sleep(Duration::from_secs(3)).await;
    }
    Ok(())
}

async fn check(chaos: &Chaos, members: &[Rc<Member>]) -> Fallible {
    for (room, id) in chaos.rooms.iter().enumerate() {
        let theirs: Vec<_> = members.iter().filter(|member| member.room == room).cloned().collect();
        let Some((_, address)) = chaos.nodes.of(room) else { return Trouble::because("no server is ready") };
        let log = read(address, id, &theirs[0]).await?;
        record::check(&theirs, &log, &chaos.taken_in(room), &mut chaos.faults.borrow_mut());
    }
    Ok(())
}

async fn read(address: Address, room: &str, member: &Member) -> Fallible<Vec<crate::load::ChatMessage>> {
    Ok(frames::messages(&Client::new(address).room_since(room, &member.cookie, 0).await?))
}
