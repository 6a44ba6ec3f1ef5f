//! PostgreSQL with a synchronous standby, and the keys' database: started for a run, in a folder
//! of their own, and ended with it. Whether the standby takes over, this program says, or Patroni.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::load::clock;
use crate::scenarios::cluster::patroni::Patroni;
use crate::trouble::{Because, Fallible, Trouble};

/// How long a server may take to start or to end.
const PATIENCE: Duration = Duration::from_secs(60);
/// Settings of every server. The name is that of a standby which was given none.
const SETTINGS: &[&str] = &["listen_addresses=127.0.0.1", "max_connections=200", "shared_buffers=64MB"];
const SYNCHRONOUS: &str = "synchronous_standby_names=walreceiver";
/// How long a primary without its standby goes on.
const ALONE: Duration = Duration::from_millis(1500);
/// Ends the waits for a standby, as somebody may who has lost patience.
const CANCEL: &str = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

/// A server of PostgreSQL: its folder, its port, and its process while it runs.
struct Site {
    folder: PathBuf,
    port: u16,
    /// Whether a commit waits for the standby.
    waits: bool,
    child: Option<Child>,
}

enum Record {
    /// First the primary, then the standby.
    Ours([Site; 2]),
    Patronis(Patroni),
}

pub(super) struct Databases {
    record: Record,
    keys: Site,
    _folder: TempDir,
}

impl Databases {
    /// Without `waits`, what is acknowledged is on one disk.
    pub(super) async fn start(within: TempDir, by_patroni: bool, waits: bool) -> Fallible<Self> {
        if geteuid().is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(within.path())).await?;
        }
        let site =
            |name: &str, waits| Ok(Site { folder: within.path().join(name), port: free_port()?, waits, child: None });
        let mut keys = site("keys", false)?;
        keys.make().await?;
        let record = if by_patroni {
            Record::Patronis(Patroni::start(within.path(), waits).await?)
        } else {
            let mut sites = [site("a", waits)?, site("b", waits)?];
            sites[0].make().await?;
            add_standby(&mut sites).await?;
            Record::Ours(sites)
        };
        let this = Self { record, keys, _folder: within };
        for (port, name) in [(this.primary().await?, "record"), (this.keys.port, "keys")] {
            run(client("createdb", port)?.arg(name)).await?;
        }
        Ok(this)
    }

    async fn primary(&self) -> Fallible<u16> {
        match &self.record {
            Record::Ours(sites) => Ok(sites[0].port),
            Record::Patronis(patroni) => patroni.primary().await,
        }
    }

    /// The ports by which a node reaches the record's two servers, and the keys'.
    pub(super) fn ports(&self, node: usize) -> [u16; 3] {
        let [one, other] = match &self.record {
            Record::Ours([one, other]) => [one.port, other.port],
            Record::Patronis(patroni) => patroni.ports(node),
        };
        [one, other, self.keys.port]
    }

    /// Crashes the primary, and starts it again.
    pub(super) async fn restart(&mut self) -> Fallible {
        match &mut self.record {
            Record::Ours(sites) => {
                sites[0].crash().await?;
                sites[0].start().await
            }
            Record::Patronis(patroni) => patroni.restart().await,
        }
    }

    /// Crashes the keys' server, and starts it again.
    pub(super) async fn restart_keys(&mut self) -> Fallible {
        self.keys.crash().await?;
        self.keys.start().await
    }

    /// Crashes the primary for good: the standby takes its place, and gets one itself.
    pub(super) async fn promote(&mut self) -> Fallible {
        match &mut self.record {
            Record::Ours(sites) => {
                sites[0].crash().await?;
                take_over(sites).await
            }
            Record::Patronis(patroni) => patroni.lose_primary().await,
        }
    }

    /// Crashes the standby, and then the primary for good. What the primary wrote in between is lost, and nobody may have
    /// been told of it. Before its end either the waits for the standby are cancelled there, or it crashes and starts again,
    /// which ends them, too.
    pub(super) async fn lose_both(&mut self, is_cancelled: bool) -> Fallible {
        let Record::Ours(sites) = &mut self.record else { return Ok(()) };
        sites[1].crash().await?;
        sleep(ALONE).await;
        if is_cancelled {
            run(client("psql", sites[0].port)?.args(["-Atc", CANCEL, "postgres"])).await?;
            sleep(ALONE / 20).await;
        } else {
            sites[0].crash().await?;
            sites[0].start().await?;
            sleep(2 * ALONE).await;
        }
        sites[0].crash().await?;
        sites[1].start().await?;
        take_over(sites).await
    }

    /// Leaves a primary behind that does not know of the new one.
    pub(super) async fn leave_primary(&mut self) -> Fallible {
        match &mut self.record {
            Record::Ours(_) => Ok(()),
            Record::Patronis(patroni) => patroni.leave_primary().await,
        }
    }

    /// Lets primary and standby change places.
    pub(super) async fn switch_over(&mut self) -> Fallible {
        match &mut self.record {
            Record::Ours(_) => Ok(()),
            Record::Patronis(patroni) => patroni.switch_over().await,
        }
    }
}

/// The standby of a primary that is gone takes its place, and gets a standby itself.
async fn take_over(sites: &mut [Site; 2]) -> Fallible {
    let mut promote = program("pg_ctl")?;
    run(promote.args(["promote", "-w", "-D"]).arg(&sites[1].folder)).await?;
    sites.swap(0, 1);
    fs::remove_dir_all(&sites[1].folder).because("the old primary's folder stays")?;
    add_standby(sites).await
}

/// Makes a standby of the primary, and waits until commits wait for it, if they shall.
async fn add_standby([primary, standby]: &mut [Site; 2]) -> Fallible {
    let mut copy = client("pg_basebackup", primary.port)?;
    run(copy.args(["-R", "-X", "stream", "-c", "fast", "--no-sync", "-D"]).arg(&standby.folder)).await?;
    standby.start().await?;
    let is_there = if standby.waits {
        "SELECT 'it is' FROM pg_stat_replication WHERE sync_state = 'sync'"
    } else {
        "SELECT 'it is' FROM pg_stat_replication WHERE state = 'streaming'"
    };
    let begun = clock::now();
    while !run(client("psql", primary.port)?.args(["-Atc", is_there, "postgres"])).await?.contains("it is") {
        if begun.elapsed() > PATIENCE {
            return Trouble::because("the standby does not follow");
        }
        sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

impl Site {
    async fn make(&mut self) -> Fallible {
        let mut initdb = program("initdb")?;
        initdb.args(["-U", "annon", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "-D"]);
        run(initdb.arg(&self.folder)).await?;
        self.start().await
    }

    async fn start(&mut self) -> Fallible {
        let mut postgres = program("postgres")?;
        postgres.arg("-D").arg(&self.folder).args(["-p", &self.port.to_string(), "-k"]);
        // Its socket is in its own folder.
        postgres.arg(&self.folder);
        let synchronous = [SYNCHRONOUS].into_iter().filter(|_| self.waits);
        for setting in SETTINGS.iter().copied().chain(synchronous) {
            postgres.args(["-c", setting]);
        }
        let log = fs::File::options().create(true).append(true).open(self.folder.with_extension("log"));
        let log = log.because("PostgreSQL's log")?;
        postgres.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(postgres.spawn().because("can't start PostgreSQL")?);
        let begun = clock::now();
        while run(&mut client("pg_isready", self.port)?).await.is_err() {
            let has_ended = self.child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None)));
            if has_ended || begun.elapsed() > PATIENCE {
                return Trouble::because(format!("PostgreSQL does not start in {}", self.folder.display()));
            }
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    async fn crash(&mut self) -> Fallible {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        kill_process(Pid::from_child(&child), Signal::QUIT).because("PostgreSQL can't be told to end")?;
        let begun = clock::now();
        while let Ok(None) = child.try_wait() {
            if begun.elapsed() > PATIENCE {
                let _ = child.kill();
            }
            sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = kill_process(Pid::from_child(&child), Signal::QUIT);
            let _ = child.wait();
        }
    }
}

pub(super) fn free_port() -> Fallible<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).because("no free port")?;
    Ok(listener.local_addr().because("a port without a number")?.port())
}

/// The folder of PostgreSQL's programs, of the newest version: Debian has them in none of PATH.
pub(super) fn programs() -> Fallible<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let newest = folders.filter(|folder| folder.join("initdb").exists()).max();
    newest.ok_or_else(|| Trouble::Because("PostgreSQL is not installed: apt install postgresql".into()))
}

fn program(name: &str) -> Fallible<Command> {
    Ok(as_postgres(&programs()?.join(name), "QUIT"))
}

/// A program that runs as PostgreSQL does. It ends with this one, however that ends: then it gets
/// this signal.
pub(super) fn as_postgres(program: &Path, signal: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", signal]);
    if geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg(program).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// A program that asks the server at a port.
fn client(name: &str, port: u16) -> Fallible<Command> {
    let mut command = program(name)?;
    command.args(["-h", "127.0.0.1", "-U", "annon", "-p", &port.to_string()]);
    Ok(command)
}

/// Runs a program to its end on another thread, and returns what it prints.
async fn run(command: &mut Command) -> Fallible<String> {
    let mut again = Command::new(command.get_program());
    again.args(command.get_args()).stdin(Stdio::null()).current_dir("/");
    let output = spawn_blocking(move || again.output()).await.because("a program that runs")?;
    let output = output.because(format_args!("can't run {command:?}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Trouble::because(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}
