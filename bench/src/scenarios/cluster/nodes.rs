//! The servers of a cluster, and the balancer before them: connections go to each in turn, but for
//! those that say they aren't ready.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use crate::args::Started;
use crate::load::{Address, Client, Server, log_field, process};
use crate::scenarios::cluster::databases::Databases;
use crate::scenarios::cluster::door::{Door, Way};
use crate::scenarios::cluster::nats::Nats;
use crate::trouble::{Because, Fallible, Trouble};

/// How often the balancer asks a node whether it is ready, and how long that may take.
const LOOK: Duration = Duration::from_millis(500);

pub(super) struct Node {
    /// How it is started.
    started: Started,
    folder: TempDir,
    /// To the record's two servers, and to the keys'.
    doors: [Door; 3],
    to_nats: Option<Door>,
    server: RefCell<Option<Server>>,
    pub(super) address: Cell<Option<Address>>,
    is_ready: Cell<bool>,
}

pub(super) struct Nodes {
    pub(super) all: Vec<Node>,
    turn: Cell<usize>,
    /// Whether the balancer sends all members of a group to one node.
    together: bool,
    /// The folder of the secret that they share.
    _shared: TempDir,
}

impl Nodes {
    /// Starts them, one after the other.
    pub(super) async fn start(
        (count, together): (usize, bool),
        started: &Started,
        databases: &Databases,
        nats: Option<&Nats>,
    ) -> Fallible<Self> {
        let mut all = Vec::with_capacity(count);
        let shared = started.folder()?;
        let secret = shared.path().join("secret");
        started.make_secret(&secret)?;
        for at in 0..count {
            all.push(Node::new(at, started, &secret, databases, nats).await?);
        }
        let nodes = Self { all, turn: Cell::new(0), together, _shared: shared };
        for node in &nodes.all {
            node.start().await?;
        }
        Ok(nodes)
    }

    /// The node to which the balancer sends the next connection.
    pub(super) fn next(&self) -> Option<(usize, Address)> {
        let is_any_ready = self.all.iter().any(|node| node.is_ready.get() && node.address.get().is_some());
        let places = (0..self.all.len()).map(|step| (self.turn.get() + step) % self.all.len());
        let mut taken = places.filter_map(|at| Some((at, self.all[at].address.get()?)));
        // When none is ready, it still is better to ask than not to.
        let next = taken.find(|(at, _)| self.all[*at].is_ready.get() || !is_any_ready);
        self.turn.set(next.map_or(0, |(at, _)| at + 1));
        next
    }

    /// The node to which it sends a call of a group, or a member's connection.
    pub(super) fn of(&self, room: usize) -> Option<(usize, Address)> {
        if self.together {
            self.turn.set(room % self.all.len());
        }
        self.next()
    }

    /// Processor time of all of them since each was started.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        self.all.iter().map(|node| process::cpu_of(node.server.borrow().as_ref()?.pid())).sum()
    }

    /// Asks the nodes whether they are ready, for ever.
    pub(super) async fn look(&self) {
        loop {
            for node in &self.all {
                if let Some(address) = node.address.get() {
                    let mut client = Client::new(address);
                    node.is_ready.set(matches!(timeout(LOOK, client.is_ready()).await, Ok(Ok(true))));
                }
            }
            sleep(LOOK).await;
        }
    }
}

impl Node {
    async fn new(
        at: usize,
        started: &Started,
        secret: &Path,
        databases: &Databases,
        nats: Option<&Nats>,
    ) -> Fallible<Self> {
        let folder = started.folder()?;
        let [a, b, keys] = databases.ports(at);
        let doors = [Door::to(a).await?, Door::to(b).await?, Door::to(keys).await?];
        let to_nats = match nats {
            Some(nats) => Some(Door::to(nats.port).await?),
            None => None,
        };
        let mut started = started.clone();
        if let Some(door) = &to_nats {
            started.server_flags.extend(["--nats-url".to_owned(), format!("nats://127.0.0.1:{}", door.port)]);
        }
        let record =
            format!("host=127.0.0.1,127.0.0.1 port={},{} user=annon dbname=record", doors[0].port, doors[1].port);
        let keys = format!("host=127.0.0.1 port={} user=annon dbname=keys", doors[2].port);
        let mails = folder.path().join("mails");
        for (flag, value) in [
            ("--database-url", &*record),
            ("--keys-url", &keys),
            ("--secret-file", &secret.to_string_lossy()),
            ("--mail-folder", &mails.to_string_lossy()),
            ("--public-url", "http://annon.example"),
            ("--drain-seconds", "3"),
            ("--node-name", &format!("node {at}")),
        ] {
            started.server_flags.extend([flag.to_owned(), value.to_owned()]);
        }
        started.log = Some(folder.path().join("log"));
        Ok(Self {
            started,
            folder,
            doors,
            to_nats,
            server: RefCell::default(),
            address: Cell::new(None),
            is_ready: Cell::new(false),
        })
    }

    pub(super) async fn start(&self) -> Fallible {
        let server = self.started.start(&self.folder.path().join("data")).await?;
        server.ready().await?;
        self.address.set(Some(server.address.into()));
        self.is_ready.set(true);
        *self.server.borrow_mut() = Some(server);
        Ok(())
    }

    fn signal(&self, signal: Signal) -> Fallible {
        let pid = self.server.borrow().as_ref().and_then(|server| Pid::from_raw(server.pid() as i32));
        let pid = pid.ok_or_else(|| Trouble::Because("a node is not there".to_owned()))?;
        kill_process(pid, signal).because("a node can't be signalled")
    }

    pub(super) fn pause(&self) -> Fallible {
        self.signal(Signal::STOP)
    }

    pub(super) fn go_on(&self) -> Fallible {
        self.signal(Signal::CONT)
    }

    /// Ends it by SIGKILL.
    pub(super) fn kill(&self) {
        self.address.set(None);
        self.is_ready.set(false);
        drop(self.server.borrow_mut().take());
    }

    /// Tells it to stop, and waits until it has.
    pub(super) async fn stop(&self) -> Fallible {
        let server = self.server.borrow_mut().take();
        let ended = match server {
            Some(server) => server.end().await,
            None => Ok(()),
        };
        self.address.set(None);
        ended
    }

    /// Gives it a command of an operator's. Returns whether that is done.
    pub(super) async fn obeys(&self, command: &[&str]) -> bool {
        let mut program = self.started.operator();
        program.args(command).arg("--data-dir").arg(self.folder.path().join("data"));
        let done = spawn_blocking(move || program.output()).await;
        done.is_ok_and(|output| output.is_ok_and(|output| output.status.success()))
    }

    /// What becomes of its ways to the databases.
    pub(super) fn reaches_databases(&self, way: Way) {
        self.doors.iter().for_each(|door| door.set(way));
    }

    /// What becomes of its way to NATS.
    pub(super) fn reaches_nats(&self, way: Way) {
        self.to_nats.iter().for_each(|door| door.set(way));
    }

    /// The errors in its log, and how often each came.
    pub(super) fn errors(&self) -> BTreeMap<String, usize> {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let mut errors = BTreeMap::new();
        for line in log.lines() {
            let (level, message) = (log_field(line, "level"), log_field(line, "message"));
            // What is no JSON is a panic.
            if level.as_deref().is_none_or(|level| level == "ERROR") {
                *errors.entry(message.unwrap_or_else(|| line.to_owned())).or_default() += 1;
            }
        }
        errors
    }
}
