//! Patroni at both servers of the record, etcd that says which of them is the primary, and HAProxy
//! that leads to it: as in deploy/, but for addresses.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::load::{Call, Client, Reply, Who, clock};
use crate::report::print_remark;
use crate::scenarios::cluster::databases::{as_postgres, free_port, programs};
use crate::trouble::{Because, Fallible, Trouble};

const PATRONI: &str = include_str!("../../../../deploy/patroni.yml");
const HAPROXY: &str = include_str!("../../../../deploy/haproxy-record.cfg");
/// How long Patroni may take until all is well: a former primary may have to copy everything anew.
const TAKES_OVER: Duration = Duration::from_secs(180);
/// How long Patroni may take to answer.
const ANSWERS: Duration = Duration::from_secs(2);
/// How long Patroni has to find a standby, before etcd is looked at.
const HELPED_AFTER: Duration = Duration::from_secs(30);
/// The key in etcd that names the primary whose standby has everything.
const SYNC_KEY: &str = "/service/annon-record/sync";

/// A machine of the record's.
struct Machine {
    name: &'static str,
    folder: PathBuf,
    port: u16,
    /// Where Patroni answers.
    api: u16,
    patroni: Option<Child>,
}

pub(super) struct Patroni {
    machines: [Machine; 2],
    settings: PathBuf,
    etcd_port: u16,
    etcd: Child,
    /// Where HAProxy leads to the primary.
    proxy_port: u16,
    proxy: Child,
    /// Whether a commit waits for the standby.
    waits: bool,
}

impl Patroni {
    pub(super) async fn start(within: &Path, waits: bool) -> Fallible<Self> {
        let machine = |name| {
            Ok(Machine { name, folder: within.join(name), port: free_port()?, api: free_port()?, patroni: None })
        };
        let machines = [machine("a")?, machine("b")?];
        let settings = within.join("patroni.yml");
        let local = [("local all all peer", "local all all trust")];
        let tcp = ["all", "replication"].map(|what| format!("hostssl {what} all all scram-sha-256"));
        let here = tcp.iter().map(|line| (&**line, line.replace("hostssl", "host").replace("scram-sha-256", "trust")));
        let changes = local.map(|(there, here)| (there, here.to_owned())).into_iter().chain(here);
        let waiting =
            ["synchronous_mode: true", "synchronous_mode_strict: true"].map(|is| (is, is.replace("true", "false")));
        let changes = changes.chain(waiting.into_iter().filter(|_| !waits));
        fs::write(&settings, changed(PATRONI, changes)?).because("Patroni's settings")?;

        let (etcd_port, peer_port) = (free_port()?, free_port()?);
        let [clients, peers] = [etcd_port, peer_port].map(|port| format!("http://127.0.0.1:{port}"));
        let mut etcd = as_postgres(Path::new("/usr/bin/etcd"), "KILL");
        etcd.args(["--unsafe-no-fsync", "--data-dir"]).arg(within.join("etcd"));
        etcd.args(["--listen-client-urls", &clients, "--advertise-client-urls", &clients]);
        etcd.args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers]);
        etcd.args(["--initial-cluster", &format!("default={peers}")]);
        etcd.stderr(File::create(within.join("etcd.log")).because("etcd's log")?);
        let etcd = etcd.spawn().because("can't start etcd: apt install etcd-server")?;

        let proxy_port = free_port()?;
        let lines = [("10.0.0.11", &machines[0]), ("10.0.0.12", &machines[1])].map(|(address, machine)| {
            let (port, api) = (machine.port, machine.api);
            (format!("{address}:5432 check port 8008"), format!("127.0.0.1:{port} check port {api}"))
        });
        let changes = lines.iter().map(|(there, here)| (&**there, here.clone()));
        let bind = [("127.0.0.1:5000", format!("127.0.0.1:{proxy_port}"))];
        let path = within.join("haproxy.cfg");
        fs::write(&path, changed(HAPROXY, changes.chain(bind))?).because("HAProxy's settings")?;
        let mut proxy = as_postgres(Path::new("/usr/sbin/haproxy"), "KILL");
        proxy.arg("-db").arg("-f").arg(path).stderr(File::create(within.join("haproxy.log")).because("HAProxy's log")?);
        let proxy = proxy.spawn().because("can't start HAProxy: apt install haproxy")?;

        let mut this = Self { machines, settings, etcd_port, etcd, proxy_port, proxy, waits };
        for at in [0, 1] {
            this.begin(at)?;
        }
        this.begun().await?;
        Ok(this)
    }

    /// Waits for both. Where Patroni has ended it is started again, as a service manager does: on a busy machine it may
    /// fail to make its database, or find that the other one has made it.
    async fn begun(&mut self) -> Fallible {
        let begun = clock::now();
        while begun.elapsed() < TAKES_OVER {
            if let Some(at) = self.primary_at().await
                && self.has_standby(at).await
            {
                break;
            }
            for at in [0, 1] {
                let patroni = self.machines[at].patroni.as_mut();
                if patroni.is_some_and(|patroni| matches!(patroni.try_wait(), Ok(Some(_)))) {
                    self.begin(at)?;
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
        self.well().await.map(drop)
    }

    /// One node in two goes through HAProxy, the others look for the primary themselves.
    pub(super) fn ports(&self, node: usize) -> [u16; 2] {
        if node.is_multiple_of(2) { [self.proxy_port; 2] } else { [0, 1].map(|at| self.machines[at].port) }
    }

    fn begin(&mut self, at: usize) -> Fallible {
        let Machine { name, folder, port, api, patroni } = &mut self.machines[at];
        let [port, api] = [port, api].map(|port| format!("127.0.0.1:{port}"));
        let mut command = as_postgres(Path::new("/usr/bin/patroni"), "TERM");
        command.arg(&self.settings).env("HOME", folder.parent().unwrap_or(folder)).env("PATRONI_NAME", *name);
        command.env("PATRONI_ETCD3_HOSTS", format!("127.0.0.1:{}", self.etcd_port));
        command.envs(["LISTEN", "CONNECT_ADDRESS"].map(|what| (format!("PATRONI_RESTAPI_{what}"), &api)));
        command.envs(["LISTEN", "CONNECT_ADDRESS"].map(|what| (format!("PATRONI_POSTGRESQL_{what}"), &port)));
        command.env("PATRONI_POSTGRESQL_DATA_DIR", &*folder).env("PATRONI_POSTGRESQL_BIN_DIR", programs()?);
        for (of, user) in [("SUPERUSER", "annon"), ("REPLICATION", "replicator")] {
            command.env(format!("PATRONI_{of}_USERNAME"), user).env(format!("PATRONI_{of}_PASSWORD"), "not asked for");
        }
        let log = File::options().create(true).append(true).open(folder.with_extension("log"));
        command.stderr(log.because("Patroni's log")?);
        *patroni = Some(command.spawn().because("can't start Patroni: apt install patroni")?);
        Ok(())
    }

    async fn ask(&self, at: usize, call: Call) -> Option<Reply> {
        ask(self.machines[at].api, call).await
    }

    /// Whether Patroni at a machine says yes.
    async fn says(&self, at: usize, what: &str) -> bool {
        self.ask(at, Call::get(what, Who::Nobody)).await.is_some_and(|reply| reply.status == 200)
    }

    /// Whether commits at a machine wait for a standby, and it follows.
    async fn is_followed(&self, at: usize) -> bool {
        let told = self.ask(at, Call::get("/patroni", Who::Nobody)).await;
        let standbys = told.map(|reply| reply.json()["replication"].take());
        let mut standbys = standbys.iter().filter_map(Value::as_array).flatten();
        standbys.any(|standby| standby["sync_state"] == "sync" || !self.waits && standby["state"] == "streaming")
    }

    /// Whether the other machine has all of what is acknowledged at this one.
    async fn has_standby(&self, at: usize) -> bool {
        let standby = if self.waits { "/synchronous" } else { "/replica" };
        self.says(1 - at, standby).await && self.is_followed(at).await
    }

    async fn wait_for(&self, what: &str, mut is_so: impl AsyncFnMut() -> bool) -> Fallible {
        let begun = clock::now();
        while !is_so().await {
            if begun.elapsed() > TAKES_OVER {
                let said = self.machines.each_ref().map(Machine::last_said);
                return Trouble::because(format!("Patroni: {what} is not so; it said last: {}", said.join("; ")));
            }
            sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    async fn primary_at(&self) -> Option<usize> {
        for at in [0, 1] {
            if self.says(at, "/primary").await {
                return Some(at);
            }
        }
        None
    }

    pub(super) async fn primary(&self) -> Fallible<u16> {
        let at = self.well().await?;
        Ok(self.machines[at].port)
    }

    /// Waits until there is a primary, and a standby that has all of what is acknowledged.
    async fn well(&self) -> Fallible<usize> {
        let begun = clock::now();
        let (mut primary, mut has_helped) = (0, false);
        self.wait_for("a primary and a standby", async || {
            let Some(at) = self.primary_at().await else { return false };
            primary = at;
            if !has_helped && begun.elapsed() > HELPED_AFTER {
                has_helped = self.forget_another_primary(at).await;
            }
            self.has_standby(at).await
        })
        .await?;
        Ok(primary)
    }

    /// A primary that stood still may take its lock back from the new one (Patroni before 3.0.3).
    /// Then etcd names the other one for good, and there is no standby. So this does what
    /// docs/CLUSTER.md tells operators.
    async fn forget_another_primary(&self, at: usize) -> bool {
        let key = json!({ "key": BASE64_STANDARD.encode(SYNC_KEY) });
        let found = ask(self.etcd_port, Call::post("/v3/kv/range", Who::Nobody, &key)).await;
        let value = found.and_then(|reply| BASE64_STANDARD.decode(reply.json()["kvs"][0]["value"].as_str()?).ok());
        let named: Option<Value> = value.and_then(|value| serde_json::from_slice(&value).ok());
        if named.is_none_or(|named| named["leader"] == self.machines[at].name) {
            return false;
        }
        print_remark("etcd named another primary than Patroni, and nobody as its standby: that key was deleted");
        ask(self.etcd_port, Call::post("/v3/kv/deleterange", Who::Nobody, &key)).await.is_some()
    }

    async fn takes_over(&self, at: usize) -> Fallible {
        self.wait_for("the standby is the primary", async || self.says(at, "/primary").await).await
    }

    /// PostgreSQL crashes. Patroni starts it again, or lets the other one take over.
    pub(super) async fn restart(&mut self) -> Fallible {
        let at = self.well().await?;
        let before = self.machines[at].postgres()?;
        self.machines[at].signal_postgres(Signal::QUIT)?;
        // Until Patroni looks, it answers as before.
        self.wait_for("PostgreSQL is there again", async || {
            self.machines[at].postgres().is_ok_and(|now| now != before) || self.says(1 - at, "/primary").await
        })
        .await?;
        self.well().await.map(drop)
    }

    /// The primary's machine is gone. It comes back when the standby has taken its place.
    pub(super) async fn lose_primary(&mut self) -> Fallible {
        let at = self.well().await?;
        let machine = &mut self.machines[at];
        if let Some(mut patroni) = machine.patroni.take() {
            let _ = patroni.kill();
            let _ = patroni.wait();
        }
        machine.signal_postgres(Signal::KILL)?;
        self.takes_over(1 - at).await?;
        self.begin(at)?;
        self.well().await.map(drop)
    }

    /// Patroni at the primary stands still, and PostgreSQL goes on. So for a while there are two.
    pub(super) async fn leave_primary(&mut self) -> Fallible {
        let at = self.well().await?;
        self.machines[at].signal_patroni(Signal::STOP)?;
        let taken = self.takes_over(1 - at).await;
        // For a while both are there.
        sleep(ANSWERS).await;
        self.machines[at].signal_patroni(Signal::CONT)?;
        taken?;
        self.well().await.map(drop)
    }

    pub(super) async fn switch_over(&mut self) -> Fallible {
        let at = self.well().await?;
        let body = format!("{{\"leader\":\"{}\"}}", self.machines[at].name);
        // It answers when they have changed, which may be later than we wait.
        self.wait_for("a switchover", async || {
            self.ask(at, Call::post("/switchover", Who::Nobody, &body)).await;
            self.says(1 - at, "/primary").await
        })
        .await?;
        self.well().await.map(drop)
    }
}

impl Machine {
    fn signal_patroni(&self, signal: Signal) -> Fallible {
        let patroni = self.patroni.as_ref().ok_or_else(|| Trouble::Because("Patroni is not there".to_owned()))?;
        kill_process(Pid::from_child(patroni), signal).because("Patroni can't be signalled")
    }

    fn last_said(&self) -> String {
        let log = fs::read_to_string(self.folder.with_extension("log")).unwrap_or_default();
        format!("{} {:?}", self.name, log.lines().rev().take(3).collect::<Vec<_>>())
    }

    /// The process that PostgreSQL has there. While it recovers alone, before it starts, there is a
    /// number below zero.
    fn postgres(&self) -> Fallible<Pid> {
        let text = fs::read_to_string(self.folder.join("postmaster.pid")).because("PostgreSQL is not there")?;
        let pid = text.lines().next().and_then(|line| line.trim().parse().ok());
        pid.filter(|pid| *pid > 0)
            .and_then(Pid::from_raw)
            .ok_or_else(|| Trouble::Because("PostgreSQL has no process".to_owned()))
    }

    fn signal_postgres(&self, signal: Signal) -> Fallible {
        kill_process(self.postgres()?, signal).because("PostgreSQL can't be signalled")
    }
}

impl Drop for Patroni {
    fn drop(&mut self) {
        for machine in &mut self.machines {
            if let Some(mut patroni) = machine.patroni.take() {
                let _ = machine.signal_postgres(Signal::QUIT);
                let _ = patroni.kill();
                let _ = patroni.wait();
            }
        }
        for child in [&mut self.proxy, &mut self.etcd] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

async fn ask(port: u16, call: Call) -> Option<Reply> {
    let mut client = Client::new(SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into());
    timeout(ANSWERS, client.ask(&call)).await.ok()?.ok()
}

/// A file of deploy/, but for what is only so here.
fn changed<'a>(file: &str, changes: impl IntoIterator<Item = (&'a str, String)>) -> Fallible<String> {
    changes.into_iter().try_fold(file.to_owned(), |text, (there, here)| {
        if text.contains(there) {
            return Ok(text.replace(there, &here));
        }
        Trouble::because(format!("deploy/ has no {there:?} any more"))
    })
}
